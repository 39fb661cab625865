"""The table of a finished game on a server that signs its record: the page checks the proof of the
game, and names its place."""

from __future__ import annotations

import re
import sys
from contextlib import suppress
from typing import TYPE_CHECKING, Final
from urllib.error import HTTPError
from urllib.request import urlopen

import pytest

from tabularium_log.record.proof import parse_proof
from tests.browser.playing import Person
from tests.config.processes import soon
from tests.record.recording import ORIGIN
from tests.support import warm_interpreter
from tests.support.databases import ROOT, is_on_server
from tests.support.served import Mortal

if TYPE_CHECKING:
    from playwright.sync_api import Page

pytestmark = [
    pytest.mark.lane("browser"),
    pytest.mark.skipif(is_on_server(), reason="a page sees nothing of the store"),
]
PLACE: Final = re.compile(r"In the record as leaf (\d+), checkpoint of size (\d+)\.")


@pytest.fixture
def signing(served: Mortal) -> Mortal:
    """The server, which signs its record from now on."""
    command = [sys.executable, "manage.py", "record", "init", ORIGIN]
    process = warm_interpreter.run(
        command, cwd=ROOT, env=served.environment, capture_output=True, check=False, text=True
    )
    assert process.returncode == 0, process.stderr
    return served


def proof_of(served: Mortal, game: str) -> bytes:
    """The proof of a game; empty if there is none yet."""
    with suppress(HTTPError), urlopen(f"{served.url}/api/v1/games/{game}/record") as reply:
        raw: bytes = reply.read()
        return raw
    return b""


def test_the_table_of_a_finished_game_names_its_proof(page: Page, signing: Mortal) -> None:
    person = Person(page, signing)
    game = person.sit_down("duality")
    person.resign()
    assert soon(lambda: proof_of(signing, game))
    page.get_by_role("button", name="Check fairness here").click()
    named = page.get_by_text(PLACE).inner_text()
    found = PLACE.search(named)
    assert found
    proof = parse_proof(proof_of(signing, game))
    assert (int(found[1]), f"\n{found[2]}\n" in proof.checkpoint.text) == (proof.index, True)
    page.goto(f"{signing.url}/verify#{game}")
    checked = page.locator(".checks li", has_text="Public record")
    checked.wait_for()
    assert f"Leaf {proof.index} of {found[2]} in {ORIGIN}." in checked.inner_text()

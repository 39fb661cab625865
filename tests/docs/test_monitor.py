"""docs/monitor.md is accurate: its blocks are run against a server that signs its record, and its
table has the findings and exit codes of docs/monitor.py."""

from __future__ import annotations

import re
import shutil
import sys
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from urllib.error import HTTPError
from urllib.request import urlopen

import pytest

from tests.config.processes import PATIENCE, soon
from tests.docs.pages import RECORDED
from tests.docs.reader import Machine, Reader
from tests.docs.verifier import DOCS
from tests.record.monitoring import MONITOR
from tests.support import warm_interpreter
from tests.support.databases import ROOT, Kept
from tests.support.served import Mortal, serving

pytestmark = pytest.mark.lane("guides")


@pytest.fixture(scope="module")
def recorded(kept_template: Kept, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Mortal]:
    """A server that signs its record."""
    with serving(kept_template, tmp_path_factory.mktemp("recorded")) as served:
        command = [sys.executable, "manage.py", "record", "init", "games.example/record"]
        warm_interpreter.run(command, cwd=ROOT, env=served.environment, check=True)
        assert soon(lambda: has_checkpoint(served.url))
        yield served


def has_checkpoint(url: str) -> bool:
    """Whether the record is signed."""
    with suppress(HTTPError), urlopen(f"{url}/record/checkpoint", timeout=PATIENCE):
        return True
    return False


def test_every_block_does_what_the_page_says(
    recorded: Mortal, machine: Machine, tmp_path: Path
) -> None:
    Reader(RECORDED, recorded.url, machine, tmp_path).read_page()
    folders = next(tmp_path.glob("*/monitor")).parent
    first, second = ((folders / name / "leaves").read_text() for name in ("monitor", "second"))
    assert second.startswith(first)
    assert first.count('"leaf":"game/1"') == 1


def test_it_needs_nothing_but_python(recorded: Mortal, tmp_path: Path) -> None:
    shutil.copy(DOCS / "monitor.py", tmp_path)
    command = [sys.executable, "-I", "-S", "monitor.py", recorded.url, "--state", "monitor"]
    process = warm_interpreter.run(
        command, cwd=tmp_path, capture_output=True, check=False, text=True
    )
    assert (process.returncode, process.stderr) == (0, "")
    assert process.stdout.endswith("OK: nothing was found.\n")


def test_the_page_has_every_finding() -> None:
    rows = re.findall(
        r"^\| `([a-z-]+)` \| (\d+) \|", RECORDED.read_text(encoding="utf-8"), re.MULTILINE
    )
    assert {name: int(code) for name, code in rows} == MONITOR.CODES


def test_it_knows_every_kind_of_leaf() -> None:
    page = (DOCS / "record.md").read_text(encoding="utf-8")
    rows = re.findall(r"^\| `([a-z]+/\d+)` \| (.*?) \|", page, re.MULTILINE)
    assert {kind for kind, _ in rows} == set(MONITOR.MEMBERS)
    for kind, text in rows:
        names = [member.split(":")[0] for member in MONITOR.MEMBERS[kind].split()]
        assert set(names) <= set(re.findall(r"`(\w+)`", text))


def test_every_kind_of_finding_is_tried() -> None:
    from tests.record.tamperings import CASES

    tried = {name for case in CASES for name in (case.beginner, case.follower, case.peer)}
    assert set(MONITOR.CODES) - tried == {"stale"}  # which needs a clock: test_monitor_honest.py

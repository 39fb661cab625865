"""A typed client can be generated from the OpenAPI document, with natural names, and plays a whole
game. Those of the last two released levels play, too."""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import pytest

from api import api_level
from api.schema import openapi_document
from tabularium_engines.installed.registry import ENGINES
from tests.api.clients.generating import EARLIER, HERE, TABLES, environment, generate
from tests.api.contract import contract
from tests.support import warm_interpreter
from tests.support.databases import Kept, is_on_server
from tests.support.served import Served, serving

pytestmark = [
    pytest.mark.lane("clients"),
    pytest.mark.skipif(is_on_server(), reason="a client sees nothing of the store"),
]
PLAYER: Final = """
import sys
from tests.api.clients.player import main
for rules in sys.argv[2:]:
    main(sys.argv[1], rules)
"""


@pytest.fixture(scope="module")
def client_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the generated client."""
    folder = tmp_path_factory.mktemp("made")
    generate(openapi_document(), folder)
    return folder


@pytest.fixture(scope="module")
def served(kept_template: Kept, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """A server with bots."""
    folder = tmp_path_factory.mktemp("served")
    with serving(kept_template, folder, TABULARIUM_LIMITS="off") as served:
        yield served


def test_it_has_a_function_for_each_operation(client_folder: Path) -> None:
    functions = {path.stem for path in (client_folder / "generated_client/api").glob("*/*.py")}
    sends_lines = {"verify_export", "import_game"}  # the generator skips NDJSON bodies
    assert functions - {"__init__"} >= contract().operations.keys() - sends_lines


def test_no_class_is_called_by_where_it_was_found(client_folder: Path) -> None:
    models = (client_folder / "generated_client/models/__init__.py").read_text()
    assert not re.findall(r'"\w+(?:Type\d+|Item|Response200|Body)"', models.replace("NewsItem", ""))


@pytest.fixture(scope="module")
def ends(client_folder: Path, served: Served) -> dict[str, str]:
    """How a game of each ruleset ends, by one process: to import the client takes a second."""
    output = run(client_folder, "-c", PLAYER, served.url, *ENGINES)
    return dict(zip(ENGINES, output.splitlines(), strict=True))


def test_it_plays_every_game(ends: dict[str, str], slug: str) -> None:
    assert ends[slug].endswith(".")


@pytest.mark.parametrize(
    "level", [EARLIER[0], *(pytest.param(level, marks=pytest.mark.soak) for level in EARLIER[1:])]
)
def test_clients_of_earlier_levels_still_play(level: int, served: Served, tmp_path: Path) -> None:
    """Whole games of every ruleset against bots. `make generators` tries all these levels."""
    generate(api_level.level_document(level), tmp_path)
    output = run(tmp_path, str(HERE / "whole_games.py"), served.url, json.dumps(TABLES))
    assert [line.partition(":")[0] for line in output.splitlines()] == [*ENGINES]


def run(client_folder: Path, *words: str) -> str:
    """The output of a program that uses a generated client."""
    process = warm_interpreter.run(
        [sys.executable, *words],
        env=environment(client_folder),
        capture_output=True,
        text=True,
        check=False,
    )
    assert process.returncode == 0, process.stderr
    return str(process.stdout)

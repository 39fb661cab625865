"""The pages for client developers are accurate: every block is run against a server, pasted as a
reader would, and every reply shown is compared with the actual one."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from textwrap import indent

import pytest

from tests.config.processes import PATIENCE
from tests.docs.pages import PAGES, Block, blocks, difference, json_difference
from tests.docs.verifier import DOCS
from tests.support.databases import ROOT
from tests.support.served import Served

pytestmark = pytest.mark.lane("guides")
CASES = [
    pytest.param(page, marks=pytest.mark.lane("smoke")) if page.name == "quickstart.md" else page
    for page in PAGES
]

ADDRESS = "http://127.0.0.1:8000"
SHOWN = {"http", "json", "text"}  # the output of the block before
STARTED = "make run\n"
PYTHONPATH = "examples:clients/python/src"
KEEPING = "set -eu -a; . ./kept.sh\n{}\nexport -p > kept.sh"  # variables persist across blocks


class Reader:
    """Pastes one block after another into a shell."""

    def __init__(self, served: Served, folder: Path) -> None:
        self.url, self.folder, self.output = served.url, folder, ""
        for name in ("api", "clients", "docs", "examples"):
            (folder / name).symlink_to(ROOT / name)
        (folder / "kept.sh").touch()

    def read(self, block: Block) -> None:
        """Run the block, or compare it."""
        if block.excerpted:
            code = (ROOT / block.excerpted).read_text(encoding="utf-8")
            assert any(indent(block.text, " " * depth) in code for depth in (0, 4, 8, 12))
        elif block.language in SHOWN:
            assert not (mismatch := difference(block, self.output)), f"{mismatch} in\n{self.output}"
        elif block.text != STARTED:
            self.output = self.run(block)

    def run(self, block: Block) -> str:
        """The output of a block, which must succeed."""
        text = block.text.replace(ADDRESS, self.url)
        commands = {
            "sh": ["sh", "-c", KEEPING.format(text)],
            "python": ["sh", "-c", 'set -a; . ./kept.sh; exec python3 -c "$0"', text],
        }
        path = f"{Path(sys.executable).parent}:{os.environ['PATH']}"
        process = subprocess.run(
            commands[block.language],
            cwd=self.folder,
            env={"PATH": path, "HOME": str(self.folder), "PYTHONPATH": PYTHONPATH},
            capture_output=True,
            text=True,
            check=False,
            timeout=2 * PATIENCE,
        )
        assert process.returncode == 0, f"{text}\n{process.stdout}\n{process.stderr}"
        return process.stdout


@pytest.mark.parametrize("page", CASES, ids=lambda page: page.name)
def test_every_block_does_what_the_page_says(page: Path, served: Served, tmp_path: Path) -> None:
    reader = Reader(served, tmp_path)
    for block in blocks(page):
        reader.read(block)


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_every_block_is_found(page: Path) -> None:
    fences = page.read_text(encoding="utf-8").count("```")
    assert 2 * len(blocks(page)) == fences > 0


@pytest.mark.parametrize("winners", [[0], [1], [0, 1]], ids=str)
def test_the_quickstart_shows_every_end_of_a_game(winners: list[int]) -> None:
    (end,) = (b for b in blocks(DOCS / "quickstart.md") if '"phase": "over"' in b.text)
    output = json.loads(end.text)
    output["result"] |= {"winners": winners, "scores": [3, 3]}
    assert not difference(end, json.dumps(output))


class TestTheComparison:
    @pytest.mark.parametrize(
        ("expected", "output"),
        [
            ({"a": 1}, {"a": 2}),
            ({"a": 1}, {"a": 1, "b": 2}),
            ({"a": 1, "…": "…"}, {"b": 2}),
            ([1, 2], [1]),
            ([1], [1, 2]),
            ([1, 2, "…"], [1]),
            ("a_…", "b_1"),
            (None, 1),
            (1, True),
            ({"seq": 1}, {"seq": "1"}),
            ([{"a": [1]}], [{"a": [2]}]),
        ],
    )
    def test_sees(self, expected: object, output: object) -> None:
        assert json_difference(expected, output, {"seq"})

    @pytest.mark.parametrize(
        ("expected", "output"),
        [
            ({"a": 1, "…": "…"}, {"a": 1, "b": 2}),
            ([1, "…"], [1, 2, 3]),
            (["…"], []),
            ("game_…/log", "game_01/log"),
            ({"seq": 1}, {"seq": 2}),
        ],
    )
    def test_allows(self, expected: object, output: object) -> None:
        assert not json_difference(expected, output, {"seq"})

    def test_lines(self) -> None:
        block = Block("", "text", "a\n…\nc…\n")
        assert not difference(block, "a\nb\ncd\n")
        assert difference(block, "cd\na\n")

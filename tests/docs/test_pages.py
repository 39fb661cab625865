"""The pages for client developers are accurate: every block is run against a server, pasted as a
reader would, and every reply shown is compared with the actual one."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.docs.pages import CLOCKED, PAGES, RECORDED, Block, blocks, difference, json_difference
from tests.docs.reader import DEFAULT, Machine, Reader, Shell
from tests.docs.verifier import DOCS
from tests.support.served import Served, serving_with_test_clock

pytestmark = pytest.mark.lane("guides")
CASES = [
    pytest.param(page, marks=pytest.mark.lane("smoke")) if page.name == "quickstart.md" else page
    for page in PAGES
]


@pytest.mark.parametrize("page", CASES, ids=lambda page: page.name)
def test_every_block_does_what_the_page_says(
    page: Path, served: Served, machine: Machine, tmp_path: Path
) -> None:
    Reader(page, served.url, machine, tmp_path).read_page()


def test_every_block_about_the_test_clock_does_what_the_page_says(
    machine: Machine, tmp_path: Path
) -> None:
    (tmp_path / "data").mkdir()
    with serving_with_test_clock(tmp_path / "data") as clocked:
        Reader(CLOCKED, clocked.url, machine, tmp_path).read_page()


@pytest.mark.parametrize("page", [*PAGES, RECORDED, CLOCKED], ids=lambda page: page.name)
def test_a_page_names_the_server_once(page: Path) -> None:
    commands = [block.text for block in blocks(page) if not block.excerpted]
    assert "".join(commands).count(DEFAULT) == "".join(commands).count(":8000") == 1


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


def test_a_reader_has_python_alone(machine: Machine, tmp_path: Path) -> None:
    shell = Shell(tmp_path, machine.environment(tmp_path), tmp_path / "errors.txt")
    shell.paste("API=here")
    names = "bot", "django", "games", "httpx", "tabularium_client"
    program = f"import os; from importlib.util import find_spec as f; print(*map(f, {names}))"
    assert shell.paste(f"echo $API; python3 -c \"{program}; print(os.environ.get('API'))\"") == (
        f"here\n{' '.join(['None'] * len(names))}\nNone\n"
    )
    with pytest.raises(AssertionError, match="The shell has ended"):
        shell.paste("false")
    shell.close()

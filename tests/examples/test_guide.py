"""The guide to a small game in docs/small-game.md is followed from its first step to its last, on a
game that is in no tree; each step keeps its word."""

from __future__ import annotations

from typing import Final

import pytest

from tabularium_engines.promises import PROMISES
from tabularium_engines.promises.variants import tables
from tests.examples import guide
from tests.examples.small_games import load_file
from tests.support.missing_requirements import require_compiler

pytestmark = pytest.mark.lane("builds")

STEPS: Final = guide.small_game_steps()
GAME: Final = "last_stick"
INSTALLS: Final = 5  # the step that installs the game
COMPILES: Final = 6  # the step that needs a C compiler


@pytest.fixture(scope="module")
def workshop(tmp_path_factory: pytest.TempPathFactory) -> guide.Workshop:
    """The folder in which the steps are followed, each after those before it."""
    return guide.Workshop(tmp_path_factory.mktemp("guide"), STEPS)


def test_the_game_is_in_no_tree() -> None:
    assert guide.tracked_files(f"*{GAME}*") == ""


def test_make_runs_what_the_test_runs() -> None:
    assert guide.GOLDEN_RECIPE in (guide.ROOT / "Makefile").read_text(encoding="utf-8")


@pytest.mark.parametrize("number", range(1, len(STEPS) + 1))
def test_a_step_does_what_it_says(workshop: guide.Workshop, number: int) -> None:
    if number == COMPILES:
        require_compiler()
    assert any(block.language == "text" for block in STEPS[number - 1])
    follow_steps(workshop, number)


def follow_steps(workshop: guide.Workshop, number: int) -> None:
    """Follow the guide up to this step. The game is in the catalogue only once it is installed."""
    if workshop.steps_followed < INSTALLS <= number:
        workshop.follow_steps(INSTALLS - 1)
        with pytest.raises(AssertionError, match=f"There is no game “{GAME}”"):
            workshop.run(f".venv/bin/python manage.py play {GAME} --watch")
    workshop.follow_steps(number)


def test_the_game_keeps_every_promise(workshop: guide.Workshop) -> None:
    follow_steps(workshop, 2)
    engine = load_file(workshop.checkout / ".." / GAME / f"{GAME}.py")
    for table in tables(engine):
        for promise in PROMISES.values():
            promise(engine, table.options, table.seats, 1, 10)


def test_another_output_is_noticed() -> None:
    guide.compare("a\n…c…\n", "a\nb\nbcd\n")
    for output in ("a\nb\n", "bcd\na\n"):
        with pytest.raises(AssertionError, match="there is no line"):
            guide.compare("a\n…c…\n", output)

"""A person's turn on a terminal of 80 × 24: the page fits, and all of it can be reached."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from io import StringIO

import pytest
from rich.console import Console

from ai.terminal.human_turn import FINDING_HELP, SMALL_KEYS_HELP, HumanTurn
from ai.terminal.menu import build_menu, offers_with, render_brief_menu
from ai.terminal.participants import Participants
from ai.terminal.screen import PlayerLeft, Screen
from ai.terminal.small_page import break_lines, table_parts
from tabularium_engines.base import AnyEngine, State
from tabularium_engines.common.page_text import HORIZONTAL_RULE
from tabularium_engines.common.random_generators import FastRng
from tabularium_engines.installed.registry import ENGINES
from tests.ai.test_terminal_menu import HEIGHT, WIDTH, positions, slug_of

ALL_ENGINES = [*ENGINES.values()]
NEWS = ("A short item of news", "one of many words " * 9)


class SmallScreen(Screen):
    """A terminal of 80 × 24 on which lines are typed; each page is kept with its prompt."""

    def __init__(self, typed: Sequence[str]) -> None:
        super().__init__()
        self.is_live = True
        self.console = Console(
            file=StringIO(), width=WIDTH, height=HEIGHT, legacy_windows=False, color_system=None
        )
        self.typed = [*typed]
        self.pages: list[str] = []

    def ask(self, prompt: str) -> str:
        output = self.console.file
        assert isinstance(output, StringIO)
        self.pages.append("\n".join([output.getvalue().rstrip(), *self.break_lines([prompt])]))
        output.seek(0)
        output.truncate()
        if not self.typed:
            raise PlayerLeft
        return self.typed.pop(0)


def pages(engine: AnyEngine, state: State, *typed: str) -> list[str]:
    """The pages of the awaited seat after each line that it types."""
    screen = SmallScreen(typed)
    seat = engine.awaited_seats(state)[0]
    seating = Participants(seat, {}, seconds=0.2)
    turn = HumanTurn(engine, state, seat, seating, screen, FastRng(0))
    with pytest.raises(PlayerLeft):
        turn.decide(NEWS, 0)
    return screen.pages


def some_positions(engine: AnyEngine) -> Iterator[State]:
    for number, state in enumerate(positions(engine, seed=5, most=130)):
        if number % 8 == 0:
            yield state


@pytest.mark.parametrize("engine", ALL_ENGINES, ids=slug_of)
def test_every_page_fits(engine: AnyEngine) -> None:
    for state in some_positions(engine):
        for page in pages(engine, state, "s", "s", "+", "+"):
            lines = page.splitlines()
            assert len(lines) <= HEIGHT
            assert max(map(len, lines)) <= WIDTH


@pytest.mark.parametrize("engine", ALL_ENGINES, ids=slug_of)
@pytest.mark.parametrize("room", [4, 9, 15])
def test_the_parts_of_a_table_have_all_its_lines_below_the_head(
    engine: AnyEngine, room: int
) -> None:
    for state in some_positions(engine):
        table = engine.text(engine.view(state, engine.awaited_seats(state)[0]))
        parts = [part.splitlines() for part in table_parts(table, room)]
        assert max(map(len, parts)) <= room
        rules = table.splitlines().index(HORIZONTAL_RULE)
        below = [line for line in table.splitlines()[rules:] if line != HORIZONTAL_RULE]
        shown = [line for part in parts for line in part]
        assert sorted(filter(None, shown)) == sorted(filter(None, below))


def test_table_and_hand_are_on_the_page_with_the_choices_of_each_card() -> None:
    engine = ENGINES["duel_of_law"]
    state = next(positions(engine, seed=1, most=1))
    (page,) = pages(engine, state)
    view = engine.view(state, engine.awaited_seats(state)[0])
    card = view.hand[0]
    assert "Your cards:" in page
    assert f"   0  {view.tableau.cards[0].card}" in page
    assert f"{card}: 1–4  " in page
    assert FINDING_HELP.format(card) in page
    listed, *_, whole = pages(engine, state, f"{card}?", "")[1:]
    assert listed.count(f"Lay {card} at row") >= 2
    assert f"{card}: 1–4" not in listed
    assert whole == page


def test_words_with_a_question_mark_are_whole() -> None:
    engine = ENGINES["duel_edged_sword"]
    state = next(positions(engine, seed=1, most=1))
    seat = engine.awaited_seats(state)[0]
    menu = build_menu(engine, state, seat, state.legal_actions(seat))
    found = offers_with(menu, " row  2")
    assert {offer.document["row"] for offer in found} == {2}
    assert not offers_with(menu, "ro")
    assert len([*render_brief_menu(menu, WIDTH)]) <= 4


def test_a_page_that_fits_is_whole() -> None:
    engine = ENGINES["law"]
    state = next(positions(engine, seed=1, most=1))
    page, *_ = pages(engine, state)
    assert SMALL_KEYS_HELP not in page
    assert HORIZONTAL_RULE in page


def test_lines_are_broken_between_words() -> None:
    line = "     4  Lay it at the right of row 2: collect two"
    assert break_lines([line, "short"], 26) == [
        "     4  Lay it at the",
        "        right of row 2:",
        "        collect two",
        "short",
    ]

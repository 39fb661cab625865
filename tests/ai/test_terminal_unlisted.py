"""A person's turn where the rules list some legal actions only: the others are typed in words."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from ai.terminal.human_turn import UNLISTED_HELP, HumanTurn
from ai.terminal.participants import Participants
from ai.terminal.screen import PlayerLeft, Screen
from tabularium_engines.common.random_generators import FastRng
from tabularium_engines.duel_of_law.actions import Finish, Place, SecondClaim, TakeBack
from tabularium_engines.duel_of_law.game_logic import DuelState
from tabularium_engines.duel_of_law.game_options import SecondOptions
from tabularium_engines.duel_of_law.view import rulings_of
from tests.engines.duel_of_law.tables import RED, SECOND, do, table


class ScriptedScreen(Screen):
    """Types lines, and keeps all that is shown; then the person leaves."""

    def __init__(self, lines: Sequence[str]) -> None:
        super().__init__()
        self.lines = list(lines)
        self.shown: list[str] = []

    def ask(self, prompt: str) -> str:
        self.shown.append(prompt)
        if not self.lines:
            raise PlayerLeft
        return self.lines.pop(0)

    def say(self, *lines: str) -> None:
        self.shown += lines

    def show_page(
        self, table: str, news: Sequence[str], footer: Sequence[str] = (), is_tight: bool = False
    ) -> None:
        self.shown += footer


def state_at_a_question() -> DuelState:
    """Red is asked for the law of a branch, and has to find it."""
    rulings = rulings_of(SecondOptions(laws="said"))
    state = table("02 14", ("36", "90"), rulings=rulings)
    do(state, Place("36", 0, 2))
    do(state, Finish())
    return state


def turn(screen: Screen) -> HumanTurn:
    seating = Participants(RED, {}, seconds=0.2)
    return HumanTurn(SECOND, state_at_a_question(), RED, seating, screen, FastRng(1))


@pytest.mark.parametrize("line", ["every rank is even", "rank is even", "RANK EVEN"])
def test_a_law_is_typed_in_words(line: str) -> None:
    screen = ScriptedScreen([line])
    assert turn(screen).decide((), 0) == SecondClaim("rank", "is", "even")
    assert UNLISTED_HELP in screen.shown
    assert not any("every rank is even" in shown for shown in screen.shown)


@pytest.mark.parametrize("line", ["claim", "law", "2"])
def test_no_line_lists_the_laws(line: str) -> None:
    screen = ScriptedScreen([line])
    with pytest.raises(PlayerLeft):
        turn(screen).decide((), 0)
    assert not any("every rank is even" in shown for shown in screen.shown)


def test_the_rest_has_its_keys() -> None:
    assert turn(ScriptedScreen(["t"])).decide((), 0) == TakeBack()


def test_a_hint_names_a_law_that_is_not_listed() -> None:
    screen = ScriptedScreen(["h"])
    with pytest.raises(PlayerLeft):
        turn(screen).decide((), 0)
    assert any(shown.startswith("mcts would choose ") for shown in screen.shown)

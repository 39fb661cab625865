"""Version 2: who goes on after a count, in each reading of R22 and R25."""

from __future__ import annotations

from typing import Any

import pytest
from librt.vecs import vec
from mypy_extensions import i64

from tabularium_engines.common.bits import members
from tabularium_engines.law_of_the_dice import ENGINES
from tabularium_engines.law_of_the_dice.actions import Decide, Draw, Suit, Vote
from tabularium_engines.law_of_the_dice.game_logic import DiceState
from tabularium_engines.law_of_the_dice.game_options import Options, SecondOptions
from tabularium_engines.law_of_the_dice.view import SecondView
from tests.engines.law_of_the_dice.tables import (
    do,
    news_kinds,
    random_end,
    table,
    table_with_called_count,
    view_of,
)

FIRST, SECOND = ENGINES[:2]


def seat_after_count(hands: list[str], options: Options, *, caller: int, suit: Suit) -> int:
    """The seat on turn after all have voted for one suit."""
    state = table_with_called_count(hands, options, caller)
    state.scoring.starter = 0
    for seat in range(len(hands)):
        last = seat == len(hands) - 1
        do(state, seat, Vote(suit), *([0] * (5 * len(hands) + 1) if last else []))
    return view_of(state).turn


HANDS = ["7S 8S", "2S 3S", "9S", "4S"]  # of spades seats 0 and 1 have most


@pytest.mark.parametrize(
    ("next_turn", "caller", "expected_seat"),
    [
        ("caller", 2, 2),
        ("left_of_caller", 2, 3),
        ("left_of_caller", 3, 0),
        ("left_of_starter", 2, 1),  # seat 0 began
        ("winner", 2, 0),  # the first that scores, clockwise from the caller
        ("winner", 0, 1),
        ("loser", 0, 2),
        ("loser", 2, 3),
    ],
)
def test_R22_who_goes_on_after_a_called_count_is_an_option(
    next_turn: Any, caller: int, expected_seat: int
) -> None:
    options = SecondOptions(next_turn=next_turn)
    assert seat_after_count(HANDS, options, caller=caller, suit="spades") == expected_seat


@pytest.mark.parametrize("next_turn", ["winner", "loser"])
def test_R22_without_such_a_seat_it_is_left_of_the_caller(next_turn: Any) -> None:
    options = SecondOptions(next_turn=next_turn)
    suit: Suit = "spades" if next_turn == "loser" else "diamonds"
    assert seat_after_count(["7S", "8S"], options, caller=0, suit=suit) == 1


def test_R22_the_starter_is_the_seat_whose_turn_was_the_first_since_the_deal() -> None:
    options = SecondOptions(next_turn="left_of_starter")
    state = table_with_called_count(HANDS, options, caller=2)
    state.scoring.starter = 0
    assert isinstance(view := SECOND.view(state, 1), SecondView)
    assert view.starter == 0
    for seat in range(4):
        do(state, seat, Vote("spades"), *([0] * 21 if seat == 3 else []))
    assert isinstance(view := SECOND.view(state, 1), SecondView)
    assert (view.starter, view.turn) == (1, 1)


@pytest.mark.parametrize(("empty_pile", "expected_seat"), [("next", 1), ("same", 0)])
def test_R25_after_the_count_of_an_empty_pile_the_turn_begins_again_or_is_lost(
    empty_pile: Any, expected_seat: int
) -> None:
    options = SecondOptions(empty_pile=empty_pile)
    state = table(["7S 8S", "2H"], pile="", turn=0, actions=2, options=options)
    news = do(state, 0, Draw(), 0, *[0] * 11)
    assert news_kinds(news)[:2] == ["exhausted", "counted"]
    view = view_of(state)
    assert (view.turn, view.to_act) == (expected_seat, (expected_seat,))
    assert [task.kind for task in view.agenda] == ["end", "act", "act"]


def test_version_1_is_the_reading_in_which_the_caller_goes_on() -> None:
    """The same deals and the same actions lead to the same points, game after game."""
    readings = SecondOptions(next_turn="caller", empty_pile="next")
    for seed in range(10):
        assert random_end(FIRST, Options(), seed) == random_end(SECOND, readings, seed)


def test_the_caller_still_settles_a_tie() -> None:
    state = table_with_called_count(["7S", "2H"], SecondOptions())
    do(state, 0, Vote("spades"))
    do(state, 1, Vote("hearts"))
    do(state, 0, Decide("spades"), *[0] * 11)
    assert view_of(state).turn == 1


def test_the_votes_of_a_tie_are_shown_when_they_are_opened_and_until_the_next_count() -> None:
    state = table_with_called_count(["7S", "2H"], SecondOptions())
    do(state, 0, Vote("spades"))
    assert second_view(state).opened == ()
    do(state, 1, Vote("hearts"))
    view = second_view(state)
    assert view.opened == ("spades", "hearts")
    assert "The votes: seat 0 for spades and seat 1 for hearts." in one_line(view)
    do(state, 0, Decide("spades"), *[0] * 11)
    assert second_view(state).opened == ("spades", "hearts")
    assert "Its votes: seat 0 for spades and seat 1 for hearts." in one_line(second_view(state))


def test_the_count_of_an_empty_pile_has_no_votes() -> None:
    state = table_with_called_count(["7S", "2H"], SecondOptions(empty_pile="next"))
    for seat in (0, 1):
        do(state, seat, Vote("spades"), *[0] * (11 * seat))
    state.deck.discard_pile = vec[i64]([*state.deck.discard_pile, *members(state.deck.pile)])
    state.deck.pile = 0
    do(state, view_of(state).turn, Draw(), 0, *[0] * 11)
    assert second_view(state).opened == ()


def one_line(view: SecondView) -> str:
    """The page without its line breaks."""
    return " ".join(SECOND.text(view).split())


def second_view(state: DiceState) -> SecondView:
    """An onlooker's view of the table."""
    view = SECOND.view(state, None)
    assert isinstance(view, SecondView)
    return view

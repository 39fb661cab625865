"""The end of a turn, the cards drawn, and the end of the game."""

from __future__ import annotations

from typing import Any

import pytest

from tabularium_engines.duel_of_law.actions import DrawSix, Finish, Pass, Place
from tabularium_engines.duel_of_law.game_logic import DuelState
from tabularium_engines.duel_of_law.game_options import Options
from tests.engines.duel_of_law.tables import (
    BLUE,
    FIRST,
    RED,
    ScriptedRng,
    do,
    finish,
    hand,
    legal_actions,
    legal_kinds,
    refusal_code,
    table,
    view_of,
)

ROW_CARDS = "01 02 03\n.\n21 22 23\n.\n41 42 43"
FREE_SPOT = (-1, 0)  # where a card makes only a twig
RED_CLAIMS = [
    ("across", (0, 0), "red: colour is red"),
    ("across", (2, 0), "red: colour is orange"),
    ("across", (4, 0), "red: colour is dark green"),
]


def table_with_owners(
    *names: str, hands: tuple[str, ...] = ("60 61", "90"), **table_arguments: Any
) -> DuelState:
    """A table on which these players own one row each, in order."""
    colours = ("colour is red", "colour is orange", "colour is dark green")
    claims = [("across", (2 * row, 0), f"{name}: {colours[row]}") for row, name in enumerate(names)]
    return table(ROW_CARDS, hands, claims, **table_arguments)


# -- drawing ---------------------------------------------------------------------------------------


def test_a_player_who_has_laid_cards_draws_one() -> None:
    state = table("01", ("22 45", "90"))
    do(state, Place("22", 0, 1))
    do(state, Finish(), 0)
    assert hand(state, RED) == {"45", "00"}
    assert state.turn.seat == BLUE


def test_R33_six_cards_may_be_drawn_instead() -> None:
    state = table("01", ("22 45", "90"))
    assert DrawSix() in legal_actions(state)
    do(state, DrawSix())
    assert len(hand(state, RED)) == 8
    assert view_of(state).tableau.cards == view_of(table("01", ("", ""))).tableau.cards


def test_R31_the_last_cards_are_drawn_even_if_there_are_fewer_than_six() -> None:
    state = table("01", ("22", "90 91", ""), deck=4)
    do(state, DrawSix())
    assert len(hand(state, RED)) == 5
    assert view_of(state).deck == 0
    do(state, Place("90", 0, 1))
    do(state, Finish())
    assert hand(state, BLUE) == {"91"}


def test_R32_passing_needs_an_empty_deck() -> None:
    state = table("01", ("22", "90"))
    assert refusal_code(state, Pass()) == "must-draw"
    state = table("01", ("22", "90", ""), deck=0)
    assert legal_kinds(state) == {"place", "pass"}
    assert refusal_code(state, DrawSix()) == "empty-deck"


# -- winning ---------------------------------------------------------------------------------------


def test_R30_no_player_wins_before_a_hand_was_empty() -> None:
    state = table_with_owners("red", "red", "red", hands=("60 61", "90"))
    do(state, Place("60", *FREE_SPOT))
    do(state, Finish())
    assert state.to_act
    assert not view_of(state).is_open


def test_R30_an_empty_hand_counts_before_the_draw() -> None:
    state = table_with_owners("red", "red", "red", hands=("60", "90"))
    do(state, Place("60", *FREE_SPOT))
    news = finish(state)
    assert state.to_act == 0
    assert [item["kind"] for item in news][-2:] == ["opened", "ended"]
    assert hand(state, RED) == set()


def test_R30_an_open_game_stays_open() -> None:
    state = table_with_owners("red", "blue", hands=("60", "90 91"))
    do(state, Place("60", *FREE_SPOT))
    finish(state)
    assert view_of(state).is_open
    assert state.to_act
    do(state, DrawSix())
    assert view_of(state).is_open


def test_R30_any_player_can_win_at_the_end_of_any_turn() -> None:
    state = table_with_owners("red", "red", "red", hands=("60 61", "90 91"), turn=BLUE)
    state.end.is_open = True
    do(state, Place("90", *FREE_SPOT))
    do(state, Finish())
    result = FIRST.result(state)
    assert result is not None
    assert result.winners == (RED,)
    assert result.scores == (3, 0)
    assert "Red wins with 3 branches" in result.reason
    assert state.returns() == [1.0, 0.0]


def test_R29_a_lead_of_one_is_not_enough() -> None:
    state = table_with_owners("red", "red", "blue", hands=("60 61", "90 91"))
    state.end.is_open = True
    do(state, Place("60", *FREE_SPOT))
    do(state, Finish())
    assert state.to_act


def test_R29_branches_are_counted_and_not_tokens() -> None:
    claims = [("across", (0, 0), "red: colour is red; blue: letter is A; red: rank rises")]
    state = table(ROW_CARDS, ("60 61", "90 91"), claims)
    state.end.is_open = True
    do(state, Place("60", *FREE_SPOT))
    do(state, Finish())
    assert state.to_act
    assert view_of(state).owned == (1, 0)


def test_R29_the_lead_is_over_the_best_of_the_others() -> None:
    """The printed diagram: three branches against one and one."""
    for has_blue_branch, is_won in ((0, True), (1, False)):
        cards = ROW_CARDS + "\n.\n81 82 83\n.\n101 102 103"
        claims = [*RED_CLAIMS, ("across", (6, 0), "blue: colour is dark purple")]
        if has_blue_branch:
            claims.append(("across", (8, 0), "blue: colour is black"))
        state = table(cards, ("60 61", "90 91", "70"), claims)
        state.end.is_open = True
        do(state, Place("60", *FREE_SPOT))
        do(state, Finish())
        assert (state.to_act == 0) == is_won


# -- when all pass ---------------------------------------------------------------------------------


def pass_all(state: DuelState) -> DuelState:
    """Let every player pass; the table after it."""
    while state.to_act:
        do(state, Pass())
    return state


@pytest.mark.parametrize(
    ("claims", "winners"),
    [
        (["red: colour is red", "red: colour is orange", "blue: colour is dark green"], (RED,)),
        (["red: colour is red", "blue: colour is orange"], (RED, BLUE)),
        (["red: colour is red", "red: rank rises; blue: colour is orange"], (RED, BLUE)),
        (["red: colour is red", "blue: rank rises; blue: colour is orange"], (BLUE,)),
    ],
)
def test_R32_when_all_pass_branches_then_tokens_on_them_decide(
    claims: list[str], winners: tuple[int, ...]
) -> None:
    rows = [("across", (2 * row, 0), claims_text) for row, claims_text in enumerate(claims)]
    state = pass_all(table(ROW_CARDS, ("60", "90"), rows, deck=0))
    result = FIRST.result(state)
    assert result is not None
    assert result.winners == winners
    assert state.returns() == [1 / len(winners) if seat in winners else 0.0 for seat in (0, 1)]
    assert result.reason.startswith("All have passed: ")


def test_R32_passes_count_only_in_succession() -> None:
    state = table("01", ("22 24", "90 91", "45 46"), deck=0)
    do(state, Pass())
    do(state, Pass())
    card = next(action for action in legal_actions(state) if action.kind == "place")
    do(state, card)
    do(state, Finish())
    do(state, Pass())
    do(state, Pass())
    assert state.to_act
    do(state, Pass())
    assert state.to_act == 0


# -- the beginning ---------------------------------------------------------------------------------


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_R35_the_seat_after_the_dealer_is_first(seats: int) -> None:
    for dealer in range(seats):
        state = FIRST.start(Options(), seats, ScriptedRng([dealer]))
        assert FIRST.awaited_seats(state) == [(dealer + 1) % seats]
        assert [state.zones.count(seat) for seat in range(seats)] == [12] * seats
        view = view_of(state)
        assert (view.deck, len(view.tableau.cards)) == (161 - 12 * seats, 1)
        assert (view.tableau.cards[0].row, view.tableau.cards[0].column) == (0, 0)

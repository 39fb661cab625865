"""Passing, and the endings of a game: R12 to R15."""

from __future__ import annotations

import pytest

from tabularium_engines.base import IllegalAction
from tabularium_engines.common.random_generators import FastRng
from tabularium_engines.duality import ENGINE
from tabularium_engines.duality.actions import Pass, Play, Replace
from tabularium_engines.duality.game_logic import MAX_ACTIONS, DualityState
from tabularium_engines.duality.view import Place
from tests.engines.duality.tables import (
    BLACK,
    WHITE,
    ScriptedRng,
    do,
    legal_actions,
    news_kinds,
    table,
    view_of,
)

LACKING_D21 = "D41 D18 D19*"  # with D21 in the middle, a path of each colour is complete


def test_R12_only_a_seat_without_another_action_may_pass() -> None:
    state = table("D39 D37 D34", ("D48", ""))
    with pytest.raises(IllegalAction) as caught:
        ENGINE.encode(state, BLACK, Pass())
    assert caught.value.code == "must-play"
    assert legal_actions(table("D39 D37 D34"), BLACK) == [Pass()]


def test_R12_a_pass_gives_the_turn_to_the_other_player() -> None:
    state = table("D39 D37 D34", ("", "D48"))
    assert news_kinds(do(state, BLACK, Pass())) == ["passed"]
    assert view_of(state).to_act == (WHITE,)
    assert view_of(state).history == (None,)


@pytest.mark.parametrize("seat", [BLACK, WHITE])
def test_R13_a_seat_that_completes_both_paths_wins(seat: int) -> None:
    hands = ("D21", "") if seat == BLACK else ("", "D21")
    state = table(LACKING_D21, hands, turn=seat)
    news = do(state, seat, Replace("D21", False, 2, 0))
    assert news_kinds(news) == ["replaced", "ended", "opened", "opened"]
    assert news[1]["winner"] == seat
    result = ENGINE.result(state)
    assert result is not None
    assert result.winners == (seat,)
    assert state.returns() == [float(seat == BLACK), float(seat == WHITE)]


def test_R13_completing_only_the_other_players_path_loses() -> None:
    state = table(LACKING_D21, ("D05", ""))
    do(state, BLACK, Replace("D05", False, 2, 0))
    assert view_of(state).winners == (WHITE,)
    assert view_of(state).ending == "connection"
    assert view_of(state).joined == (Place(3, 0), Place(2, 0), Place(1, 0))
    assert state.returns() == [0.0, 1.0]
    with pytest.raises(IllegalAction) as caught:
        ENGINE.encode(state, WHITE, Pass())
    assert caught.value.code == "game-over"


@pytest.mark.parametrize(
    ("file", "winners", "returns"),
    [
        ("D39 D37 D34", (BLACK,), [1.0, 0.0]),
        ("D18 D37 D23", (WHITE,), [0.0, 1.0]),
        ("D39 D37 D23", (BLACK, WHITE), [0.5, 0.5]),
    ],
)
def test_R14_when_both_pass_the_longer_path_wins(
    file: str, winners: tuple[int, ...], returns: list[float]
) -> None:
    state = table(file, pile="")
    do(state, BLACK, Pass())
    do(state, WHITE, Pass())
    assert view_of(state).ending == "passes"
    assert (view_of(state).winners, state.returns()) == (winners, returns)
    result = ENGINE.result(state)
    assert result is not None
    assert result.scores == view_of(state).longest


def test_R14_passes_count_in_succession_only() -> None:
    state = table("D39 D37 D34", ("", "D24"), pile="")
    do(state, BLACK, Pass())
    assert Pass() not in legal_actions(state, WHITE)
    do(state, WHITE, legal_actions(state, WHITE)[0])
    do(state, BLACK, Pass())
    assert view_of(state).ending is None


def undo_action(state: DualityState, action: Replace) -> Replace:
    """The replacement that undoes a replacement in this state."""
    place = (action.row, action.column)
    replaced_card = next(laid for laid in view_of(state).board if (laid.row, laid.column) == place)
    return Replace(replaced_card.card, replaced_card.turned, action.row, action.column)


def position_cycle() -> tuple[DualityState, list[tuple[int, Replace]]]:
    """A table and four replacements that lead back to it: one by each seat, then each undone."""
    for seed in range(40):
        state = ENGINE.start(ENGINE.about.options(), 2, FastRng(seed))
        seat = ENGINE.awaited_seats(state)[0]
        for first_action in legal_replacements(state, seat):
            after_first = successor(state, seat, first_action)
            for second_action in (
                legal_replacements(after_first, 1 - seat) if after_first.to_act else []
            ):
                undo = [
                    (seat, undo_action(state, first_action)),
                    (1 - seat, undo_action(after_first, second_action)),
                ]
                steps = [(seat, first_action), (1 - seat, second_action), *undo]
                if is_cycle(state, steps):
                    return state, steps
    raise AssertionError("no cycle is found")


def legal_replacements(state: DualityState, seat: int) -> list[Replace]:
    return [action for action in legal_actions(state, seat) if isinstance(action, Replace)]


def successor(state: DualityState, seat: int, action: Replace) -> DualityState:
    after = state.clone()
    after.apply(seat, ENGINE.encode(after, seat, action), ScriptedRng([]))
    return after


def is_cycle(state: DualityState, steps: list[tuple[int, Replace]]) -> bool:
    after = state
    for seat, action in steps:
        if not after.to_act or action not in legal_actions(after, seat):
            return False
        after = successor(after, seat, action)
    return bool(
        (after.board.columns, after.hidden.hands) == (state.board.columns, state.hidden.hands)
    )


def test_R14_a_position_that_occurs_for_the_third_time_ends_the_game() -> None:
    state, cycle = position_cycle()
    occurrences = []
    for seat, action in [*cycle, *cycle]:
        occurrences.append(view_of(state).occurrences)
        do(state, seat, action)
    assert occurrences == [1, 1, 1, 1, 2, 2, 2, 2]
    view = view_of(state)
    assert (view.occurrences, view.ending) == (3, "repetition")
    black, white = view.longest
    assert view.winners == ((0, 1) if black == white else (0,) if black > white else (1,))


def test_R14_a_new_card_clears_the_history() -> None:
    state, cycle = position_cycle()
    for seat, action in cycle:
        do(state, seat, action)
    seat = ENGINE.awaited_seats(state)[0]
    play = next(action for action in legal_actions(state, seat) if isinstance(action, Play))
    do(state, seat, play, 0)
    assert (view_of(state).occurrences, view_of(state).history) == (1, ())


def test_R15_after_300_decisions_the_longer_path_wins() -> None:
    assert MAX_ACTIONS == ENGINE.about.max_actions == 300
    state = table("D39 D37 D34", ("D48", ""))
    state.history.plies = 298
    do(state, BLACK, Replace("D48", False, 2, 0))
    assert view_of(state).ending is None
    do(state, WHITE, Pass())
    assert view_of(state).ending == "limit"
    assert view_of(state).winners == (BLACK,)
    state = table(LACKING_D21, ("D21", ""))
    state.history.plies = 299
    do(state, BLACK, Replace("D21", False, 2, 0))
    assert view_of(state).ending == "connection"

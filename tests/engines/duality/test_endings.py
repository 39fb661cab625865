"""Passing, and the endings of a game: R12 to R15."""

from __future__ import annotations

import pytest

from games.engines.base import IllegalAction
from games.engines.common.rng import FastRng
from games.engines.duality import ENGINE
from games.engines.duality.actions import Pass, Play, Replace
from games.engines.duality.game_logic import MAX_ACTIONS, DualityState
from games.engines.duality.view import Place
from tests.engines.duality.tables import BLACK, WHITE, Script, do, kinds, legal, seen, table

BOTH = "D41 D18 D19*"  # with D21 in the middle, a path of each colour is complete


def test_R12_only_who_can_do_nothing_else_may_pass() -> None:
    state = table("D39 D37 D34", ("D48", ""))
    with pytest.raises(IllegalAction) as refused:
        ENGINE.encode(state, BLACK, Pass())
    assert refused.value.code == "must-play"
    assert legal(table("D39 D37 D34"), BLACK) == [Pass()]


def test_R12_a_pass_gives_the_turn_to_the_other_player() -> None:
    state = table("D39 D37 D34", ("", "D48"))
    assert kinds(do(state, BLACK, Pass())) == ["passed"]
    assert seen(state).to_act == (WHITE,)
    assert seen(state).history == (None,)


@pytest.mark.parametrize("seat", [BLACK, WHITE])
def test_R13_who_completes_both_paths_wins(seat: int) -> None:
    hands = ("D21", "") if seat == BLACK else ("", "D21")
    state = table(BOTH, hands, turn=seat)
    news = do(state, seat, Replace("D21", False, 2, 0))
    assert kinds(news) == ["replaced", "ended", "opened", "opened"]
    assert news[1]["winner"] == seat
    result = ENGINE.result(state)
    assert result is not None
    assert result.winners == (seat,)
    assert state.returns() == [float(seat == BLACK), float(seat == WHITE)]


def test_R13_completing_only_the_other_players_path_loses() -> None:
    state = table(BOTH, ("D05", ""))
    do(state, BLACK, Replace("D05", False, 2, 0))
    assert seen(state).winners == (WHITE,)
    assert seen(state).ending == "connection"
    assert seen(state).joined == (Place(3, 0), Place(2, 0), Place(1, 0))
    assert state.returns() == [0.0, 1.0]
    with pytest.raises(IllegalAction) as refused:
        ENGINE.encode(state, WHITE, Pass())
    assert refused.value.code == "game-over"


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
    assert seen(state).ending == "passes"
    assert (seen(state).winners, state.returns()) == (winners, returns)
    result = ENGINE.result(state)
    assert result is not None
    assert result.scores == seen(state).longest


def test_R14_passes_count_in_succession_only() -> None:
    state = table("D39 D37 D34", ("", "D24"), pile="")
    do(state, BLACK, Pass())
    assert Pass() not in legal(state, WHITE)
    do(state, WHITE, legal(state, WHITE)[0])
    do(state, BLACK, Pass())
    assert seen(state).ending is None


def back(state: DualityState, action: Replace) -> Replace:
    """The replacement that undoes a replacement to be made in this state."""
    place = (action.row, action.column)
    old = next(laid for laid in seen(state).board if (laid.row, laid.column) == place)
    return Replace(old.card, old.turned, action.row, action.column)


def cycles() -> tuple[DualityState, list[tuple[int, Replace]]]:
    """A table and four replacements that lead back to it: one by each seat, and then the undoing of
    each."""
    for first in range(40):
        state = ENGINE.start(ENGINE.about.options(), 2, FastRng(first))
        seat = ENGINE.awaited_seats(state)[0]
        for one in replacements(state, seat):
            after = following(state, seat, one)
            for other in replacements(after, 1 - seat) if after.to_act else []:
                undo = [(seat, back(state, one)), (1 - seat, back(after, other))]
                found = [(seat, one), (1 - seat, other), *undo]
                if leads_back(state, found):
                    return state, found
    raise AssertionError("no cycle is found")


def replacements(state: DualityState, seat: int) -> list[Replace]:
    return [action for action in legal(state, seat) if isinstance(action, Replace)]


def following(state: DualityState, seat: int, action: Replace) -> DualityState:
    after = state.clone()
    after.apply(seat, ENGINE.encode(after, seat, action), Script([]))
    return after


def leads_back(state: DualityState, found: list[tuple[int, Replace]]) -> bool:
    after = state
    for seat, action in found:
        if not after.to_act or action not in legal(after, seat):
            return False
        after = following(after, seat, action)
    return bool((after.board.columns, after.hands) == (state.board.columns, state.hands))


def test_R14_a_position_that_comes_up_for_the_third_time_ends_the_game() -> None:
    state, cycle = cycles()
    counted = []
    for seat, action in [*cycle, *cycle]:
        counted.append(seen(state).occurrences)
        do(state, seat, action)
    assert counted == [1, 1, 1, 1, 2, 2, 2, 2]
    view = seen(state)
    assert (view.occurrences, view.ending) == (3, "repetition")
    black, white = view.longest
    assert view.winners == ((0, 1) if black == white else (0,) if black > white else (1,))


def test_R14_a_new_card_makes_all_positions_before_it_impossible() -> None:
    state, cycle = cycles()
    for seat, action in cycle:
        do(state, seat, action)
    seat = ENGINE.awaited_seats(state)[0]
    new = next(action for action in legal(state, seat) if isinstance(action, Play))
    do(state, seat, new, 0)
    assert (seen(state).occurrences, seen(state).history) == (1, ())


def test_R15_after_300_decisions_the_longer_path_wins() -> None:
    assert MAX_ACTIONS == ENGINE.about.max_actions == 300
    state = table("D39 D37 D34", ("D48", ""))
    state.plies = 298
    do(state, BLACK, Replace("D48", False, 2, 0))
    assert seen(state).ending is None
    do(state, WHITE, Pass())
    assert seen(state).ending == "limit"
    assert seen(state).winners == (BLACK,)
    state = table(BOTH, ("D21", ""))
    state.plies = 299
    do(state, BLACK, Replace("D21", False, 2, 0))
    assert seen(state).ending == "connection"

"""The certain consequences of an action of Duality."""

from __future__ import annotations

from typing import Any

from tabularium_engines.common.random_generators import FastRng
from tabularium_engines.duality import ENGINE
from tabularium_engines.duality.actions import Pass, Play, Replace
from tabularium_engines.duality.game_logic import DualityState
from tabularium_engines.duality.game_options import Options
from tests.engines.duality.tables import BLACK, WHITE, do, legal_actions, table, view_of
from tests.engines.duality.test_endings import LACKING_D21
from tests.engines.foretelling import certain, kinds


def label(state: DualityState, seat: int, action: Any) -> str:
    return ENGINE.label(state, seat, ENGINE.encode(state, seat, action))


def test_a_win_is_foretold() -> None:
    state = table(LACKING_D21, ("D21 D05", ""))
    winning, losing = Replace("D21", False, 2, 0), Replace("D05", False, 2, 0)
    assert certain(ENGINE, state, BLACK, winning).winners == (BLACK,)
    told = certain(ENGINE, state, BLACK, losing)
    assert (told.winners, told.to_act, kinds(told)) == ((WHITE,), (), ["ended"])
    assert ": you win" in label(state, BLACK, winning)
    assert ": White wins" in label(state, BLACK, losing)


def test_the_lengths_of_both_paths_are_foretold() -> None:
    changes = set()
    for seed in range(3):
        state = ENGINE.start(Options(file=3), 2, FastRng(seed))
        (seat,) = ENGINE.awaited_seats(state)
        for action in legal_actions(state, seat):
            told = certain(ENGINE, state, seat, action)
            assert told.score_changes is not None
            successor = state.clone()
            successor.apply(seat, ENGINE.encode(state, seat, action), FastRng(1))
            before, after = view_of(state).longest, view_of(successor).longest
            assert told.score_changes == (after[0] - before[0], after[1] - before[1])
            own = told.score_changes[seat] or 0
            has_gist = own > 0 and told.winners is None
            if has_gist:
                assert f": longest path +{own}" in label(state, seat, action)
            changes.add(own)
    assert {0, 1} <= changes


def test_a_play_draws_a_card_that_is_not_foretold_and_a_replacement_none() -> None:
    state = table("D39 D37 D34", ("D48", ""))
    drawing = {type(action): action for action in legal_actions(state, BLACK)}
    told = certain(ENGINE, state, BLACK, drawing[Play])
    assert told.news == ({"kind": "drew", "seat": BLACK, "text": "Black draws a card"},)
    assert told.to_act == (WHITE,)
    assert certain(ENGINE, state, BLACK, drawing[Replace]).news == ()


def test_the_second_pass_ends_the_game() -> None:
    state = table("D18 D37 D23", pile="")
    assert certain(ENGINE, state, BLACK, Pass()).to_act == (WHITE,)
    do(state, BLACK, Pass())
    told = certain(ENGINE, state, WHITE, Pass())
    assert (told.to_act, told.winners) == ((), (WHITE,))
    assert label(state, WHITE, Pass()) == "Pass: you have no other action; you win"

"""The end of a match and its winners: R18 and R19."""

from __future__ import annotations

import pytest

from games.engines.common.rng import FastRng
from games.engines.duel_edged_sword import ENGINE, scoring
from games.engines.duel_edged_sword.game_options import Options
from tests.engines.duel_edged_sword.tables import (
    LAST,
    PLAIN,
    all_completes,
    do,
    end_of_round,
    play_round,
    right,
    started,
    table,
)


@pytest.mark.parametrize("rounds", [1, 3])
def test_R18_as_many_rounds_as_agreed(rounds: int) -> None:
    state, rng = started(4, rounds=rounds, mode="combative"), FastRng(4)
    played = 0
    while state.to_act:
        play_round(state, rng)
        played += 1
    assert played == rounds
    result = ENGINE.result(state)
    assert result is not None
    best = max(result.scores)
    assert result.winners == tuple(s for s in range(4) if result.scores[s] == best)


def test_R18_a_tie_is_a_shared_victory() -> None:
    got = {0: "FRS FRT", 2: "PRS PBS"}
    state = end_of_round(PLAIN, "hollow", collected=got)
    result = ENGINE.result(state)
    assert result is not None
    assert (result.winners, result.scores) == ((0, 2), (2, 0, 2, 0))
    assert state.returns() == [0.5, 0.0, 0.5, 0.0]


def test_R18_in_a_match_of_challenges_all_come_first_and_completes_are_its_worth() -> None:
    met = end_of_round(
        ["red FRC", "", "", ""], "red", collected={0: all_completes("HBT FRC")}, flipped="HBT"
    )
    missed = end_of_round(PLAIN, "hollow", flipped="HBT", collected={0: "FRS"})
    results = [ENGINE.result(met), ENGINE.result(missed)]
    assert [result.winners for result in results if result] == [(0, 1, 2, 3)] * 2
    assert [result.reason for result in results if result] == [
        "Together you have met 1 of 1 challenge and kept 26 of 26 Completes.",
        "Together you have met 0 of 1 challenge and kept 1 of 26 Completes.",
    ]
    assert met.returns() == [1.0] * 4
    assert missed.returns() == [1 / 26] * 4


def test_R18_beside_other_rounds_a_challenge_counts_nothing() -> None:
    state = table(PLAIN, "hollow", piles=LAST, flipped="HBT", options=Options(rounds=2))
    state.round = 2
    state.points[3] = 1
    do(state, right(1))
    result = ENGINE.result(state)
    assert result is not None
    assert result.winners == (3,)


@pytest.mark.parametrize(("target", "is_over"), [(3, True), (4, False)])
def test_R19_a_target_ends_the_match(target: int, is_over: bool) -> None:
    options = Options(rounds=1, target=target)
    state = table(PLAIN, "hollow", piles=LAST, collected={2: "FRS FRT PRC"}, options=options)
    state.apply(0, state.legal_actions(0)[0], FastRng(1))
    assert (state.to_act == 0) == is_over
    assert state.points[2] == 3


def test_R19_twenty_rounds_are_the_most() -> None:
    assert scoring.MAX_ROUNDS == 20
    options = Options(rounds=1, target=30)
    state = table(PLAIN, "hollow", piles=LAST, options=options)
    state.round = 20
    do(state, right(1))
    assert state.to_act == 0


def test_R19_where_nobody_can_score_the_rounds_count() -> None:
    options = Options(rounds=2, target=5, mode="collaborative")
    state, rng = ENGINE.start(options, 4, FastRng(1)), FastRng(1)
    while state.to_act:
        play_round(state, rng)
    assert state.round == 2

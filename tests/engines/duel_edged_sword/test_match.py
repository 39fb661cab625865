"""The end of a match and its winners: R18 and R19."""

from __future__ import annotations

import pytest

from tabularium_engines.common.random_generators import FastRng
from tabularium_engines.duel_edged_sword import ENGINE, match_scoring
from tabularium_engines.duel_edged_sword.game_options import Options
from tests.engines.duel_edged_sword.tables import (
    LAST_CARD_PILES,
    PLAIN_ROWS,
    completes_except,
    do,
    end_of_round,
    play_round,
    right_end,
    start_match,
    table,
)


@pytest.mark.parametrize("rounds", [1, 3])
def test_R18_a_match_has_the_agreed_number_of_rounds(rounds: int) -> None:
    state, rng = start_match(4, rounds=rounds, mode="combative"), FastRng(4)
    round_count = 0
    while state.to_act:
        play_round(state, rng)
        round_count += 1
    assert round_count == rounds
    result = ENGINE.result(state)
    assert result is not None
    best = max(result.scores)
    assert result.winners == tuple(s for s in range(4) if result.scores[s] == best)


def test_R18_a_tie_is_a_shared_victory() -> None:
    collected = {0: "FRS FRT", 2: "PRS PBS"}
    state = end_of_round(PLAIN_ROWS, "hollow", collected=collected)
    result = ENGINE.result(state)
    assert result is not None
    assert (result.winners, result.scores) == ((0, 2), (2, 0, 2, 0))
    assert state.returns() == [0.5, 0.0, 0.5, 0.0]


def test_R18_in_a_match_of_challenges_all_seats_win_and_returns_count_completes() -> None:
    met_state = end_of_round(
        ["red FRC", "", "", ""], "red", collected={0: completes_except("HBT FRC")}, flipped="HBT"
    )
    missed_state = end_of_round(PLAIN_ROWS, "hollow", flipped="HBT", collected={0: "FRS"})
    results = [ENGINE.result(met_state), ENGINE.result(missed_state)]
    assert [result.winners for result in results if result] == [(0, 1, 2, 3)] * 2
    assert [result.reason for result in results if result] == [
        "Together you have met 1 of 1 challenge and kept 26 of 26 Completes.",
        "Together you have met 0 of 1 challenge and kept 1 of 26 Completes.",
    ]
    assert met_state.returns() == [1.0] * 4
    assert missed_state.returns() == [1 / 26] * 4


def test_R18_among_other_rounds_a_challenge_counts_nothing() -> None:
    state = table(
        PLAIN_ROWS, "hollow", piles=LAST_CARD_PILES, flipped="HBT", options=Options(rounds=2)
    )
    state.match.round = 2
    state.match.points[3] = 1
    do(state, right_end(1))
    result = ENGINE.result(state)
    assert result is not None
    assert result.winners == (3,)


@pytest.mark.parametrize(("target", "is_over"), [(3, True), (4, False)])
def test_R19_a_target_ends_the_match(target: int, is_over: bool) -> None:
    options = Options(rounds=1, target=target)
    state = table(
        PLAIN_ROWS, "hollow", piles=LAST_CARD_PILES, collected={2: "FRS FRT PRC"}, options=options
    )
    state.apply(0, state.legal_actions(0)[0], FastRng(1))
    assert (state.to_act == 0) == is_over
    assert state.match.points[2] == 3


def test_R19_a_match_has_at_most_twenty_rounds() -> None:
    assert match_scoring.MAX_ROUNDS == 20
    options = Options(rounds=1, target=30)
    state = table(PLAIN_ROWS, "hollow", piles=LAST_CARD_PILES, options=options)
    state.match.round = 20
    do(state, right_end(1))
    assert state.to_act == 0


def test_R19_where_no_seat_can_score_the_rounds_count() -> None:
    options = Options(rounds=2, target=5, mode="collaborative")
    state, rng = ENGINE.start(options, 4, FastRng(1)), FastRng(1)
    while state.to_act:
        play_round(state, rng)
    assert state.match.round == 2

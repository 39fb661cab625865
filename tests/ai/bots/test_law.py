"""Law's heuristic: it sees collected Laws, needed Laws, and Bills under the Laws in force."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from ai.arena.contest import Contest
from tabularium_engines.heuristics.law import (
    LawHeuristic,
    bill_completeness,
    laws_to_win,
    promised_laws,
)
from tabularium_engines.law import ENGINE
from tabularium_engines.law import actions as a
from tabularium_engines.law.game_logic import LawState
from tabularium_engines.law.game_options import V2Options as Options
from tabularium_engines.promises.random_games import play
from tests.engines.law.tables import do, table

HEURISTIC = LawHeuristic()
APART = ["2S 9H 6D", "3C 10H JD"]  # hands of equal value


def share(hand: str, laws: str = "") -> float:
    """The heuristic's Bill completeness of a hand."""
    state = table([hand, "3C"], {1: laws})
    return bill_completeness(state.hands[0], state.parameters[0])


@pytest.mark.parametrize(
    ("hand", "laws", "done"),
    [
        ("7S 7H", "", 2 / 3),
        ("7S 7H 7D", "", 1.0),
        ("7S 7H 7D", "4S", 1 / 4),
        ("7S 7H", "2S", 1.0),
        ("7S 5H 5D", "6S", 1.0),
        ("8S 9H 10D", "", 3 / 4),
        ("8S 9H 10D", "2C", 1.0),
        ("2S 4S 6S 8C", "", 3 / 5),
        ("2S 4S 6S 8C", "5S", 4 / 5),
    ],
)
def test_a_hand_is_as_near_to_a_bill_as_the_laws_in_force_say(
    hand: str, laws: str, done: float
) -> None:
    assert share(hand, laws) == pytest.approx(done)


def test_more_laws_are_better_and_more_needed_ones_are_worse() -> None:
    ahead = table(APART, {0: "8D 10C"})
    higher_table = table(APART, {0: "8D 10C"})
    higher_table.raised[0] = 1
    assert HEURISTIC.value(ahead, 0) > HEURISTIC.value(ahead, 1)
    assert HEURISTIC.value(higher_table, 0) < HEURISTIC.value(ahead, 0)


def test_a_law_about_to_be_collected_is_nearly_one() -> None:
    state = table(["7S 7H 7D 2S", "3C 10H JD"])
    before = laws_to_win(state, 0)
    do(state, 0, a.KindBill("7"))
    assert promised_laws(state, 0) == 1
    after = laws_to_win(state, 0)
    assert after < before
    do(state, 0, a.Collect(0), "10S")
    assert laws_to_win(state, 0) == pytest.approx(after, abs=0.2)


def test_a_straight_flush_that_wins_is_no_distance() -> None:
    state = table(["8S 9S 10S JS", "3C"], {1: "4H"})
    assert laws_to_win(state, 0) == 0
    assert laws_to_win(table(["8S 9S 10S JD", "3C"], {1: "4H"}), 0) > 0


def test_a_bill_that_would_win_is_no_win_yet() -> None:
    state = table(["7S 7H 7D 2S 3D 4H", "3C 10H JD"], {0: "JC 8D 10C 8S"})  # two Laws short
    assert laws_to_win(state, 0) > 0
    do(state, 0, a.KindBill("7"))
    assert laws_to_win(state, 0) == 0


def test_the_values_of_all_are_shares() -> None:
    for position in play(ENGINE, Options(), 3, 1).positions[:-1:7]:
        state = position.state
        values = HEURISTIC.values(state)
        assert sum(values) == pytest.approx(1)
        assert values == pytest.approx([HEURISTIC.value(state, seat) for seat in range(3)])


def test_looking_changes_nothing() -> None:
    for position in play(ENGINE, Options(), 2, 2).positions[:-1:9]:
        assert isinstance(position.state, LawState)
        before = position.state.contents()
        HEURISTIC.values(position.state)
        assert position.state.contents() == before


@pytest.mark.lane("slow", core=1)
@pytest.mark.one_mode
@pytest.mark.parametrize("seats", [2, 4])
def test_greedy_beats_random(seats: int, games_count: Callable[[int, int], int]) -> None:
    assert Contest("law", "greedy", "random", seats).play_and_score(games_count(32, 200)).is_better


@pytest.mark.one_mode
@pytest.mark.soak
@pytest.mark.parametrize("seats", [2, 4])
def test_mcts_beats_greedy(seats: int) -> None:
    assert Contest("law", "mcts:1000", "greedy", seats).play_and_score(200).is_better

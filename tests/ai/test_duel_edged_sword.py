"""How well do the bots play Duel-Edged Sword: alone, with a partner, and all together?"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from ai.arena import Match, Score, score
from ai.heuristics.duel_edged_sword import SwordHeuristic, hope, worth
from ai.registry import bot
from games.engines.duel_edged_sword import ENGINE
from games.engines.duel_edged_sword.heaps import tally_of
from games.engines.duel_edged_sword.options import Options
from games.engines.duel_edged_sword.scoring import KEPT, partner
from tests.engines.duel_edged_sword.tables import PLAIN, cards, table

SLUG = "duel_edged_sword"
HEURISTIC = SwordHeuristic()


def partners(state: Any, seat: int) -> frozenset[int]:
    """The team of a seat."""
    return frozenset({seat, int(partner(state.flipped, seat))})


def everybody(state: Any, seat: int) -> frozenset[int]:
    """All four."""
    return frozenset(range(4))


def completes(state: Any, side: frozenset[int]) -> float:
    """What the challenges of a match have brought."""
    return float(state.challenge[KEPT])


def match(mode: Any, challenger: str, opponent: str, seconds: float = 0.0) -> Match:
    """One round with a fixed mode."""
    players = bot(challenger, SLUG), bot(opponent, SLUG)
    plain = Match(ENGINE, Options(mode=mode, rounds=1), 4, *players, seconds)
    if mode == "teams":
        return replace(plain, side=partners)
    if mode == "collaborative":
        return replace(plain, side=everybody, worth=completes)
    return plain


def gained(better: str, worse: str, games: int, seconds: float = 0.0) -> Score:
    """How many Completes more one bot keeps than the other, of the same deals."""
    better_match = match("collaborative", better, better, seconds)
    worse_match = match("collaborative", worse, worse, seconds)
    pairs = [
        (better_match.play_one(deal, 0), worse_match.play_one(deal, 0)) for deal in range(games)
    ]
    return score([ours - theirs for ours, theirs in pairs], 4)


def test_greedy_beats_random_alone(games_count: Callable[[int, int], int]) -> None:
    assert match("combative", "greedy", "random").play(games_count(40, 400)).low > 1 / 4


def test_greedy_beats_random_with_a_partner(games_count: Callable[[int, int], int]) -> None:
    assert match("teams", "greedy", "random").play(games_count(30, 400)).low > 1 / 2


def test_greedy_keeps_more_completes_than_random(games_count: Callable[[int, int], int]) -> None:
    assert gained("greedy", "random", games_count(12, 200)).low > 5


@pytest.mark.soak
def test_mcts_beats_random_alone() -> None:
    assert match("combative", "mcts", "random", 0.1).play(40).low > 1 / 4


@pytest.mark.soak
def test_mcts_beats_random_with_a_partner() -> None:
    assert match("teams", "mcts", "random", 0.1).play(24).low > 1 / 2


@pytest.mark.soak
def test_mcts_keeps_more_completes_than_random() -> None:
    assert gained("mcts", "random", 12, 0.1).low > 5


# -- opinions -------------------------------------------------------------------------------------


def test_completes_are_better_than_none() -> None:
    rich, poor = (table(PLAIN, "PGT", collected={1: got}) for got in ("FRS FRT", ""))
    assert HEURISTIC.value(rich, 1) > HEURISTIC.value(poor, 1)
    assert HEURISTIC.value(rich, 0) < HEURISTIC.value(poor, 0)


def test_what_a_cut_player_has_is_worth_nothing() -> None:
    state = table(PLAIN, "PGT", collected={1: "FRS FRT"})
    assert hope(state, 1) > 2
    state.standings[1] = 2
    assert hope(state, 1) == 0


def test_edges_leave_less_to_hope_for() -> None:
    free, burdened = (table(PLAIN, "PGT", collected={2: got}) for got in ("", "red blue square"))
    assert hope(free, 2) > hope(burdened, 2)


@pytest.mark.parametrize(
    ("edges", "expected"), [("red red", 3.0), ("red red red", -1.0), ("red red red red", 0.0)]
)
def test_a_collection_is_worth_its_completes_less_what_it_costs(
    edges: str, expected: float
) -> None:
    assert worth(tally_of(cards(edges)), 3.0, 4.0) == expected


def test_partners_share_their_hopes() -> None:
    state = table(PLAIN, "PGT", collected={1: "FRS FRT"}, flipped="true")
    assert HEURISTIC.value(state, 0) == HEURISTIC.value(state, 1)
    assert HEURISTIC.value(state, 0) > HEURISTIC.value(state, 2)
    assert HEURISTIC.value(state, 0) + HEURISTIC.value(state, 2) == pytest.approx(0.5)

"""Does a random player choose every legal placement, no other, and none more often than another?"""

from __future__ import annotations

from collections import Counter
from math import sqrt

import pytest

from games.engines.common.rng import FastRng
from tests.engines.duel_edged_sword.tables import table

THROWS = 300
SIGMAS = 5
TABLES = [
    (["red FRC", "blue FRS", "green FRT", "circle PRC"], "PGT"),
    (["", "", "red", "true FRC"], "true"),
    (["true FRC true", "false FRS true", "false FRT false", "false PRC"], "true"),
    (["", "true FRS true", "false FRT false", "false"], "false"),
]


@pytest.mark.parametrize(("rows", "card"), TABLES)
def test_random_action_is_uniform_on_the_legal_actions(rows: list[str], card: str) -> None:
    state = table(rows, card, turn=2)
    before = state.contents()
    rng = FastRng(3)
    legal = state.legal_actions(2)
    chosen = Counter(state.random_action(2, rng) for _ in range(THROWS * len(legal)))
    assert set(chosen) == set(legal)
    freedom = len(legal) - 1
    chi_square = sum((chosen[action] - THROWS) ** 2 / THROWS for action in legal)
    assert chi_square <= freedom + SIGMAS * sqrt(2 * freedom) + SIGMAS**2
    assert state.contents() == before

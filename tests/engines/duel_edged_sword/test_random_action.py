"""Random actions: every legal placement is chosen equally often, and no other."""

from __future__ import annotations

import pytest

from tests.engines.duel_edged_sword.tables import table
from tests.engines.uniformity import assert_uniform

CALLS_PER_ACTION = 300
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
    assert_uniform(state, 2, CALLS_PER_ACTION, 3)
    assert state.contents() == before

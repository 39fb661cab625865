"""Is anything that a bot answers ever refused? Not in a hundred thousand answers under --soak."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

import pytest

from ai.bots import Budget
from ai.registry import BOTS, bot
from games.engines.common.rng import FastRng
from games.registry import ENGINES
from tests.ai.honesty.pairs import SWIFT, Pair, pairs

ANSWERS: Final = 100_000
BUDGET: Final = Budget(simulations=8)


@pytest.fixture(scope="module", params=SWIFT)
def met(request: pytest.FixtureRequest, games_count: Callable[[int, int], int]) -> list[Pair]:
    """Decisions at all tables of a game."""
    return pairs(ENGINES[request.param], games_count(30, -(-ANSWERS // len(BOTS) // len(SWIFT))))


@pytest.mark.parametrize("name", BOTS)
def test_every_answer_is_legal_in_the_true_state(name: str, met: list[Pair]) -> None:
    engine = met[0].table.engine
    who = bot(name, engine.about.slug)
    for pair in met:
        view = engine.view(pair.truth, pair.seat)
        answer = who.choose(engine, view, FastRng(pair.seq), BUDGET)
        code = engine.encode(pair.truth, pair.seat, answer.action)  # or IllegalAction
        assert engine.encode(pair.truth, pair.seat, engine.actions.to_json(answer.action)) == code
        assert code in pair.truth.legal_actions(pair.seat)

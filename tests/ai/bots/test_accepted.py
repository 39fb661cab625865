"""Legality: no bot's answer is refused; under --soak, in a hundred thousand answers."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

import pytest

from ai.bot_kinds import Budget
from ai.bot_registry import COMMON_BOT_NAMES, create_bot
from tabularium_engines.common.random_generators import FastRng
from tabularium_engines.installed.registry import ENGINES
from tests.ai.honesty.pairs import SWIFT, Pair, pairs

ANSWERS: Final = 100_000
BUDGET: Final = Budget(simulations=8)


@pytest.fixture(scope="module", params=SWIFT)
def decisions(request: pytest.FixtureRequest, games_count: Callable[[int, int], int]) -> list[Pair]:
    """Decisions at all tables of a game."""
    return pairs(
        ENGINES[request.param], games_count(30, -(-ANSWERS // len(COMMON_BOT_NAMES) // len(SWIFT)))
    )


@pytest.mark.lane("slow")
@pytest.mark.parametrize("name", COMMON_BOT_NAMES)
def test_every_answer_is_legal_in_the_true_state(name: str, decisions: list[Pair]) -> None:
    engine = decisions[0].table.engine
    bot = create_bot(name, engine.about.slug)
    for pair in decisions:
        view = engine.view(pair.truth, pair.seat)
        decision = bot.choose(engine, view, FastRng(pair.seq), BUDGET)
        code = engine.encode(pair.truth, pair.seat, decision.action)  # raises unless it is legal
        assert (
            engine.encode(pair.truth, pair.seat, engine.action_codec.to_json(decision.action))
            == code
        )
        assert code in pair.truth.legal_actions(pair.seat)

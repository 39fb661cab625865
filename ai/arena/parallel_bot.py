"""A parallel search in the arena: the searches of several workers run one after the other, as
strong, if not as fast, as on separate machines."""

from __future__ import annotations

from collections import Counter
from typing import Any, Final

from ai.bot_types import Bot, BotDecision, Budget
from games.engines.base import Engine, Rng
from games.engines.common.rng import FastRng

SEED_RANGE: Final = 1 << 30


class ParallelBot:
    """A bot that acts on the summed results of several searches by another bot, each with the whole
    budget; as in an analysis, ties go to the lowest action."""

    def __init__(self, bot: Bot, parts: int) -> None:
        self.name = f"{bot.name}*{parts}"
        self._bot = bot
        self._parts = parts

    def choose(self, engine: Engine[Any, Any], view: Any, rng: Rng, budget: Budget) -> BotDecision:
        """The action with the most visits over all searches."""
        chances = [FastRng(rng.below(SEED_RANGE)) for _ in range(self._parts)]
        answers = [self._bot.choose(engine, view, chance, budget) for chance in chances]
        state, visits = engine.imagine(view, rng), Counter[int]()
        for tried in (tried for answer in answers for tried in answer.estimates):
            visits[engine.encode(state, view.seat, tried.action)] += tried.visits
        best = min(visits, key=lambda code: (-visits[code], code))
        simulations = sum(answer.simulations for answer in answers)
        return BotDecision(engine.decode(state, view.seat, best), simulations)

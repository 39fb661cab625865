"""How does a bot answer? From its view alone, and through the same door as everybody else."""

from __future__ import annotations

import logging
import secrets
from dataclasses import replace
from typing import Final

from django.db import Error
from django.db.models import F

from ai import bot_action, bot_registry, clock_budget
from ai.analysis import parallel_decision
from ai.models import Trouble
from games import selectors
from games.selectors import BotTurn
from games.services import AppendResult

logger = logging.getLogger(__name__)
MAX_ATTEMPTS: Final = 3  # of one decision; then any legal action will do


def take_turn(game: str, seat: int, choice: str, *, again: bool = False) -> AppendResult | None:
    """Decide for the bot on this seat, unless somebody has: then the choice is stale, and nothing
    happens. A bot that fails, or is asked `again` too often, plays any legal action: no game hangs
    on a bot."""
    turn = selectors.bot_turn(game, seat)
    if turn is None or turn.token != choice:
        return None
    if not again or count_attempt(game, seat, choice) < MAX_ATTEMPTS:
        try:
            return _decide_or_delegate(game, seat, turn)
        except Error:  # the database's: no fault of the bot, which will be woken again
            raise
        except Exception:  # whatever a bot may do, the game goes on
            logger.exception("The bot %s fails at seat %s of %s", turn.bot, seat, game)
    return bot_action.append_if_open(game, seat, turn, secrets.choice(turn.offers).action)


def count_attempt(game: str, seat: int, choice: str) -> int:
    """Count one more attempt at a decision that was not made at the first; how many there were."""
    first = {"game_id": game, "seat": seat, "attempts": 1}
    trouble, _ = Trouble.objects.get_or_create(choice=choice, defaults=first)
    Trouble.objects.filter(pk=trouble.pk).update(attempts=F("attempts") + 1)
    return trouble.attempts + 1


def _decide_or_delegate(game: str, seat: int, turn: BotTurn) -> AppendResult | None:
    """The bot's own decision, within its clock; or, where several workers think about it, nothing
    yet. If they have no time to find together, it thinks alone."""
    budget = bot_registry.bot_budget(turn.bot, turn.ruleset)
    if budget.parts > 1 and len(turn.offers) > 1:
        shared = clock_budget.fit_to_clock(
            turn, budget, parallel_decision.ACT_GRACE_SECONDS + clock_budget.commit_delays.margin
        )
        if shared is not None:
            parallel_decision.begin_decision(game, seat, turn, shared)
            return None
    alone = clock_budget.fit_to_clock(
        turn, replace(budget, parts=1), clock_budget.commit_delays.margin
    )
    return bot_action.decide_and_append(game, seat, turn, alone)

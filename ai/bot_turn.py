"""A bot's turn: it decides from its view alone, by itself or shared with other workers, and its
action is appended. A bot that fails too often plays any legal action."""

from __future__ import annotations

import logging
import secrets
from dataclasses import replace
from typing import Final

from django.db import Error
from django.db.models import F

from ai import bot_decision, bot_registry, clock_budget
from ai.analysis import analysis_requests, parallel_bot_decision
from ai.models import BotFailure
from games import selectors
from games.selectors import BotTurn
from games.services import AppendResult

logger = logging.getLogger(__name__)
MAX_ATTEMPTS: Final = 3  # at one decision; after them, any legal action will do


def take_turn(game: str, seat: int, choice: str, *, again: bool = False) -> AppendResult | None:
    """Decide for the bot on this seat, unless the choice is stale: then nothing happens. A bot that
    fails, or is asked `again` too often, plays any legal action, so that no game hangs on a bot."""
    turn = selectors.bot_turn(game, seat)
    if turn is None or turn.token != choice:
        return None
    if not again or count_attempt(game, seat, choice) < MAX_ATTEMPTS:
        try:
            return _decide_or_delegate(game, seat, turn)
        except Error:  # a database error is not the bot's fault: it will be woken again
            raise
        except Exception:  # a failing bot must not stop the game
            logger.exception("The bot %s fails at seat %s of %s", turn.bot, seat, game)
    return bot_decision.append_if_open(game, seat, turn, secrets.choice(turn.actions))


def count_attempt(game: str, seat: int, choice: str) -> int:
    """Count one more attempt at a decision that the first attempt did not make; the attempts so
    far."""
    first = {"game_id": game, "seat": seat, "attempts": 1}
    failure, _ = BotFailure.objects.get_or_create(choice=choice, defaults=first)
    BotFailure.objects.filter(pk=failure.pk).update(attempts=F("attempts") + 1)
    return failure.attempts + 1


def _decide_or_delegate(game: str, seat: int, turn: BotTurn) -> AppendResult | None:
    """The bot's own decision, within its clock; None, if several workers now think about it. If
    there is too little time for them, the bot thinks alone."""
    budget = bot_registry.bot_budget(turn.bot, turn.ruleset)
    if budget.parts > 1 and len(turn.actions) > 1:
        shared_budget = clock_budget.fit_to_clock(
            turn,
            budget,
            parallel_bot_decision.ACT_GRACE_SECONDS + clock_budget.commit_delays.margin,
        )
        if shared_budget is not None:
            analysis_requests.begin_decision(game, seat, turn, shared_budget)
            return None
    own_budget = clock_budget.fit_to_clock(
        turn, replace(budget, parts=1), clock_budget.commit_delays.margin
    )
    return bot_decision.decide_and_append(game, seat, turn, own_budget)

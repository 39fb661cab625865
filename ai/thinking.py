"""How does a bot answer? From its view alone, and through the same door as everybody else."""

from __future__ import annotations

import logging
import secrets
from dataclasses import replace
from typing import Final

from django.db import Error
from django.db.models import F

from ai import answering, clocks, registry
from ai.analysis import deciding
from ai.models import Trouble
from games import selectors
from games.selectors import Turn
from games.services import Appended

logger = logging.getLogger(__name__)
ATTEMPTS: Final = 3  # of one decision; then any legal action will do


def answer(game: str, seat: int, choice: str, *, again: bool = False) -> Appended | None:
    """Decide for the bot on this seat, unless somebody has: then the choice is stale, and nothing
    happens. A bot that fails, or is asked `again` too often, plays any legal action: no game hangs
    on a bot."""
    turn = selectors.bot_turn(game, seat)
    if turn is None or turn.token != choice:
        return None
    if not again or attempts(game, seat, choice) < ATTEMPTS:
        try:
            return _thought_about(game, seat, turn)
        except Error:  # the database's: no fault of the bot, which will be woken again
            raise
        except Exception:  # whatever a bot may do, the game goes on
            logger.exception("The bot %s fails at seat %s of %s", turn.bot, seat, game)
    return answering.append(game, seat, turn, secrets.choice(turn.offers).action)


def attempts(game: str, seat: int, choice: str) -> int:
    """Count one more attempt at a decision that was not made at the first; how many there were."""
    first = {"game_id": game, "seat": seat, "attempts": 1}
    trouble, _ = Trouble.objects.get_or_create(choice=choice, defaults=first)
    Trouble.objects.filter(pk=trouble.pk).update(attempts=F("attempts") + 1)
    return trouble.attempts + 1


def _thought_about(game: str, seat: int, turn: Turn) -> Appended | None:
    """The bot's own decision, within its clock; or, where several workers think about it, nothing
    yet. If they have no time to find together, it thinks alone."""
    budget = registry.budget(turn.bot, turn.rules)
    if budget.parts > 1 and len(turn.offers) > 1:
        shared = clocks.within(turn, budget, deciding.GRACE + clocks.answering.margin)
        if shared is not None:
            deciding.begin(game, seat, turn, shared)
            return None
    alone = clocks.within(turn, replace(budget, parts=1), clocks.answering.margin)
    return answering.decided(game, seat, turn, alone)

"""How does a bot answer? From its view alone, and through the same door as everybody else."""

from __future__ import annotations

import logging
import secrets
from typing import Final

from django.db import Error
from django.db.models import F

from ai import minds, registry
from ai.analysis import deciding
from ai.analysis.searching import SEED_BITS
from ai.bots import Budget
from ai.models import Thought, Trouble
from games import registry as rules
from games import selectors, services
from games.engines.common.codec import Json
from games.selectors import Turn
from games.services import Appended, Note, Refused

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
    return _append(game, seat, turn, secrets.choice(turn.offers).action)


def attempts(game: str, seat: int, choice: str) -> int:
    """Count one more attempt at a decision that was not made at the first; how many there were."""
    first = {"game_id": game, "seat": seat, "attempts": 1}
    trouble, _ = Trouble.objects.get_or_create(choice=choice, defaults=first)
    Trouble.objects.filter(pk=trouble.pk).update(attempts=F("attempts") + 1)
    return trouble.attempts + 1


def _thought_about(game: str, seat: int, turn: Turn) -> Appended | None:
    """The bot's own decision; or, where several workers think about it, nothing yet."""
    budget = registry.budget(turn.bot, turn.rules)
    if budget.parts == 1 or len(turn.offers) == 1:
        return _decided(game, seat, turn, budget)
    deciding.begin(game, seat, turn, budget)
    return None


def _decided(game: str, seat: int, turn: Turn, budget: Budget) -> Appended | None:
    """The bot's own decision, and in the same transaction a note of how it came about."""
    seed = secrets.randbits(SEED_BITS)
    found = minds.thought(turn.rules, turn.version, turn.bot, turn.view, seed, budget)
    action = rules.engine(turn.rules, turn.version).actions.to_json(found.action)
    note = Thought(game_id=game, seat=seat, bot=turn.bot, digest=registry.digest(turn.rules))
    note.known, note.seed, note.simulations = turn.seq, seed, found.simulations
    return _append(game, seat, turn, action, note)


def _append(
    game: str, seat: int, turn: Turn, action: Json, note: Note | None = None
) -> Appended | None:
    bot, choice = turn.bot, turn.token
    try:
        return services.action_append(game, seat, action, bot=bot, choice=choice, note=note)
    except Refused as refused:  # the seat has another choice by now, or another player
        logger.debug("Too late for seat %s of %s: %s", seat, game, refused)
        return None

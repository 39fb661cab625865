"""How one worker answers for a bot: it thinks, and goes through the same door as everybody else."""

from __future__ import annotations

import logging
import secrets
from time import monotonic
from typing import Final

from ai import clocks, minds, registry
from ai.analysis.searching import SEED_BITS
from ai.bots import Budget
from ai.models import Thought
from games import registry as rules
from games import services
from games.engines.common.codec import Json
from games.selectors import Turn
from games.services import Appended, Note, Refused

logger = logging.getLogger(__name__)
HURRIED: Final = "greedy"  # who decides where there is no time to search


def decided(game: str, seat: int, turn: Turn, budget: Budget | None) -> Appended | None:
    """The bot's own decision, and in the same transaction a note of how it came about. Without a
    budget it decides at once, as the greedy one would."""
    bot = turn.bot if budget else HURRIED
    seed = secrets.randbits(SEED_BITS)
    found = minds.thought(turn.rules, turn.version, bot, turn.view, seed, budget or Budget())
    done = monotonic()
    action = rules.engine(turn.rules, turn.version).actions.to_json(found.action)
    note = Thought(game_id=game, seat=seat, bot=bot, digest=registry.digest(turn.rules))
    note.known, note.seed, note.simulations = turn.seq, seed, found.simulations
    appended = append(game, seat, turn, action, note)
    clocks.answering.note(monotonic() - done)
    return appended


def append(
    game: str, seat: int, turn: Turn, action: Json, note: Note | None = None
) -> Appended | None:
    """Do it, if the bot still has the choice."""
    bot, choice = turn.bot, turn.token
    try:
        return services.action_append(game, seat, action, bot=bot, choice=choice, note=note)
    except Refused as refused:  # the seat has another choice by now, or another player
        logger.debug("Too late for seat %s of %s: %s", seat, game, refused)
        return None

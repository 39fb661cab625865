"""A bot's decision in one worker: the bot chooses from its view, and its action is appended to the
log like any player's."""

from __future__ import annotations

import logging
import secrets
from time import monotonic
from typing import Final

from ai import bot_registry, clock_budget, view_guard
from ai.analysis.decision_search import SEED_BITS
from ai.bot_kinds import Budget
from ai.models import Thought
from games import registry as rules
from games import services
from games.engines.common.json_codec import Json
from games.selectors import BotTurn
from games.services import AppendNote, AppendResult, GameRefusal

logger = logging.getLogger(__name__)
FALLBACK_BOT: Final = "greedy"  # decides where there is no time to search


def decide_and_append(
    game: str, seat: int, turn: BotTurn, budget: Budget | None
) -> AppendResult | None:
    """Let the bot decide, and append its action with a note of how it was reached in the same
    transaction. Without a budget the greedy bot decides at once."""
    bot = turn.bot if budget else FALLBACK_BOT
    seed = secrets.randbits(SEED_BITS)
    decision = view_guard.decide_from_view(
        turn.ruleset, turn.version, bot, turn.view, seed, budget or Budget()
    )
    decided_at = monotonic()
    action = rules.find_engine(turn.ruleset, turn.version).action_codec.to_json(decision.action)
    note = Thought(
        game_id=game,
        seat=seat,
        bot=bot,
        digest=bot_registry.code_digest(turn.ruleset, turn.version),
    )
    note.known, note.seed, note.simulations = turn.seq, seed, decision.simulations
    result = append_if_open(game, seat, turn, action, note)
    clock_budget.commit_delays.record(monotonic() - decided_at)
    return result


def append_if_open(
    game: str, seat: int, turn: BotTurn, action: Json, note: AppendNote | None = None
) -> AppendResult | None:
    """Append the action, if the bot still has the choice."""
    bot, choice = turn.bot, turn.token
    try:
        return services.action_append(game, seat, action, bot=bot, choice=choice, note=note)
    except GameRefusal as refusal:  # the choice is stale, or the seat has another player
        logger.debug("The decision for seat %s of %s came too late: %s", seat, game, refusal)
        return None

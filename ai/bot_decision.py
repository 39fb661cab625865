"""A bot's decision in one worker: the bot chooses from its view, and its action is appended to the
log like any player's. A bot for which the table does not wait may wait."""

from __future__ import annotations

import logging
import secrets
from time import monotonic
from typing import Final

from ai import bot_registry, clock_budget, view_guard
from ai.analysis.decision_search import SEED_BITS
from ai.bot_kinds import BotDecision, Budget
from ai.models import Thought
from games import services
from games.selectors import BotTurn
from games.services import AppendNote, AppendResult, GameRefusal
from tabularium_engines.common.json_codec import Json
from tabularium_engines.installed import registry as rules

logger = logging.getLogger(__name__)
FALLBACK_BOT: Final = "greedy"  # decides where there is no time to search


def decide_and_append(
    game: str, seat: int, turn: BotTurn, budget: Budget | None
) -> AppendResult | None:
    """Let the bot decide, and append its action with a note of how it was reached in the same
    transaction. Without a budget the greedy bot decides at once."""
    bot = turn.bot if budget else FALLBACK_BOT
    decision, note = _decide(game, seat, turn, bot, budget or Budget())
    decided_at = monotonic()
    result = append_if_open(game, seat, turn, _action_json(turn, decision), note)
    clock_budget.commit_delays.record(monotonic() - decided_at)
    return result


def react_or_wait(game: str, seat: int, turn: BotTurn, budget: Budget) -> AppendResult | None:
    """Let the bot, for which the table does not wait, append a reaction, or wait: then only the
    note is stored."""
    decision, note = _decide(game, seat, turn, turn.bot, budget)
    if decision.action is None:
        note.keep_wait()
        return None
    return append_if_open(game, seat, turn, _action_json(turn, decision), note)


def _decide(
    game: str, seat: int, turn: BotTurn, bot: str, budget: Budget
) -> tuple[BotDecision, Thought]:
    """The bot's decision, and a note of how it was reached."""
    seed = secrets.randbits(SEED_BITS)
    decision = view_guard.decide_from_view(turn.ruleset, turn.version, bot, turn.view, seed, budget)
    digest = bot_registry.code_digest(turn.ruleset, turn.version)
    note = Thought(game_id=game, seat=seat, bot=bot, digest=digest)
    note.known, note.seed, note.simulations = turn.seq, seed, decision.simulations
    return decision, note


def _action_json(turn: BotTurn, decision: BotDecision) -> Json:
    engine = rules.find_engine(turn.ruleset, turn.version)
    return engine.action_codec.to_json(decision.action)


def append_if_open(
    game: str, seat: int, turn: BotTurn, action: Json, note: AppendNote | None = None
) -> AppendResult | None:
    """Append the action, if the bot still has the choice."""
    bot, choice = turn.bot, turn.token
    try:
        return services.append_action(game, seat, action, bot=bot, choice=choice, note=note)
    except GameRefusal as refusal:  # the choice is stale, or the seat has another player
        logger.debug("The decision for seat %s of %s came too late: %s", seat, game, refusal)
        return None

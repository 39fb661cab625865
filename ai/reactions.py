"""Reactions of bots: before a table goes on, the bots that may act out of turn are asked, one after
the other, whether they act or wait. Who is asked and how long that takes follows from public facts
alone, so that no delay tells what a hand holds."""

from __future__ import annotations

import logging
from dataclasses import replace
from time import monotonic, sleep
from typing import Final

from django.conf import settings
from django.db import Error

from ai import bot_decision, bot_registry
from games import selectors
from tabularium_log.projection.projection import Projection

logger = logging.getLogger(__name__)
SEARCH_SECONDS: Final = 0.3  # for all bots that are asked, if one of them searches …
QUICK_SECONDS: Final = 0.05  # … or if none does
THINKING_SHARE: Final = 0.6  # of that time: looking and storing take the rest
MAX_CLOCK_SHARE: Final = 0.125  # of a table's clock, for each of the two pauses


def grace_seconds(table: Projection) -> float:
    """How long bots do nothing, so that people can react first."""
    people = [seat for seat in table.reacting_seats if not table.bot_seats >> seat & 1]
    return _within_clock(table, settings.GRACE_MS / 1000) if people else 0.0


def asking_seconds(table: Projection) -> float:
    """How long asking the bots takes, whatever they hold."""
    rules = table.creation.rules
    budgets = [
        bot_registry.bot_budget(_bot_of(table, seat), rules)
        for seat in selectors.reacting_bot_seats(table)
    ]
    if not budgets:
        return 0.0
    is_searching = any(budget.seconds or budget.simulations for budget in budgets)
    return _within_clock(table, SEARCH_SECONDS if is_searching else QUICK_SECONDS)


def _within_clock(table: Projection, seconds: float) -> float:
    clock = table.creation.clock
    return seconds if clock is None else min(seconds, MAX_CLOCK_SHARE * clock.action_ms / 1000)


def _bot_of(table: Projection, seat: int) -> str:
    occupant = table.occupants[seat]
    return "" if occupant is None else str(occupant.bot)


def ask_bots(game: str, seat: int, choice: str) -> bool:
    """Ask the bots that may react while `seat` has this choice; whether the table has gone on
    since. If a bot plays that seat, too, this takes as long as any asking."""
    start = monotonic()
    table = selectors.game_projection(game)
    if not 0 <= seat < table.creation.seats or table.choice_token(seat) != choice:
        return False
    seconds = asking_seconds(table)
    seats = selectors.reacting_bot_seats(table)
    for reacting_seat in seats:
        if _has_reacted(table, reacting_seat, THINKING_SHARE * seconds / len(seats)):
            return True
    if seats and table.bot_seats >> seat & 1:
        sleep(max(0.0, start + seconds - monotonic()))
    return False


def _has_reacted(table: Projection, seat: int, seconds: float) -> bool:
    """Whether the bot has acted, or the table has gone on without it. One that fails waits."""
    turn = selectors.bot_reaction(table.game, seat)
    if turn is None:
        return False
    if turn.seq != table.seq:
        return True
    budget = bot_registry.bot_budget(turn.bot, turn.ruleset)
    budget = replace(budget, seconds=min(seconds, budget.seconds), parts=1)
    try:
        return bot_decision.react_or_wait(table.game, seat, turn, budget) is not None
    except Error:
        raise
    except Exception:  # a failing bot must not stop the game
        logger.exception("The bot %s fails to react at seat %s of %s", turn.bot, seat, table.game)
        return False

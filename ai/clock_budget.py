"""The time budget of bots at a table with a clock: a bot may think until its time is up, less the
time that committing its action takes. Where no time is left, it plays greedily at once."""

from __future__ import annotations

from collections import deque
from dataclasses import replace
from datetime import timedelta
from math import ceil
from threading import Lock
from typing import Final

from django.utils import timezone

from ai import bot_registry
from ai.bot_kinds import Budget
from games.selectors import BotTurn
from tabularium_log.projection.projection import GameRefusal
from tabularium_log.projection.table_actions import Clock

STALLED_AFTER: Final = timedelta(seconds=15)  # longer than any bot thinks
MAX_REMEMBERED_DELAYS: Final = 100
DELAY_QUANTILE: Final = 0.95  # the quantile of recent delays that is planned for
SAFETY_FACTOR: Final = 2.0  # multiples of that delay that are kept free
MIN_MARGIN_SECONDS: Final = 0.1
MAX_MARGIN_SECONDS: Final = 1.0
# extra time at a rated table: for waking the bot, and for a busy machine
RATED_SLACK_SECONDS: Final = 1.0
MIN_SEARCH_SECONDS: Final = 0.02  # a shorter search is worthless


class CommitDelays:
    """Recent delays in this process from the end of a bot's thinking to the commit."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._recent_delays = deque[float](maxlen=MAX_REMEMBERED_DELAYS)

    def record(self, seconds: float) -> None:
        """Record one more delay."""
        with self._lock:
            self._recent_delays.append(seconds)

    @property
    def high_delay(self) -> float:
        """A delay that few exceed; 0, if none is known."""
        with self._lock:
            delays = sorted(self._recent_delays)
        return delays[ceil(DELAY_QUANTILE * len(delays)) - 1] if delays else 0.0

    @property
    def margin(self) -> float:
        """The seconds that are kept free before a clock runs out."""
        return min(MAX_MARGIN_SECONDS, max(MIN_MARGIN_SECONDS, SAFETY_FACTOR * self.high_delay))


commit_delays: Final = CommitDelays()


def fit_to_clock(turn: BotTurn, budget: Budget, reserve: float) -> Budget | None:
    """The budget, limited to the time left on the seat's clock less a reserve in seconds; the time
    that a message spent in a queue has already passed. None: no time is left."""
    if turn.deadline is None or not budget.seconds:
        return budget
    seconds_left = (turn.deadline - timezone.now()).total_seconds() - reserve
    if seconds_left < MIN_SEARCH_SECONDS:
        return None
    return replace(budget, seconds=min(budget.seconds, seconds_left))


def min_rated_seconds(bot: str, rules: str) -> float:
    """The seconds per decision that a rated table must give this bot."""
    return bot_registry.bot_budget(bot, rules).seconds + MAX_MARGIN_SECONDS + RATED_SLACK_SECONDS


def check_rated_clock(clock: Clock | None, bot: str, rules: str) -> None:
    """Refuse a rated table at which this bot could not use its full thinking time."""
    needed_ms = round(1000 * min_rated_seconds(bot, rules))
    if clock is not None and clock.action_ms < needed_ms:
        sentence = f"In a rated game the bot {bot} needs `action_ms` of at least {needed_ms}."
        raise GameRefusal("rated-clock", sentence)

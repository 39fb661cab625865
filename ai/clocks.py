"""How long a bot may think at a table with a clock: until its time is over, less what it takes to
say what it thinks. Where nothing is left, it plays greedily at once rather than be late."""

from __future__ import annotations

from collections import deque
from dataclasses import replace
from math import ceil
from threading import Lock
from typing import Final

from django.utils import timezone

from ai import registry
from ai.bots import Budget
from games.selectors import Turn
from games.table.actions import Clock
from games.table.table import Refused

REMEMBERED: Final = 100  # delays
HIGH: Final = 0.95  # so many of them were no longer than the delay that is reckoned with
SAFETY: Final = 2.0  # times that delay are kept free
SHORTEST: Final = 0.1  # seconds, of the margin
LONGEST: Final = 1.0
SLACK: Final = 1.0  # more seconds at a rated table: to wake the bot, and for a busy machine
LEAST: Final = 0.02  # seconds: to search for less is worth nothing


class Delays:
    """How long it took lately, in this process, from the end of a bot's thinking to the commit."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._lately = deque[float](maxlen=REMEMBERED)

    def note(self, seconds: float) -> None:
        """One more."""
        with self._lock:
            self._lately.append(seconds)

    @property
    def high(self) -> float:
        """A delay that few exceed; 0, if none is known."""
        with self._lock:
            known = sorted(self._lately)
        return known[ceil(HIGH * len(known)) - 1] if known else 0.0

    @property
    def margin(self) -> float:
        """The seconds that are kept free before a clock runs out."""
        return min(LONGEST, max(SHORTEST, SAFETY * self.high))


answering: Final = Delays()


def within(turn: Turn, budget: Budget, reserve: float) -> Budget | None:
    """The budget, cut down to what the seat's clock leaves now but for a reserve of seconds. The
    time that a message spent in a queue is gone already. None: there is nothing left."""
    if turn.expiry is None or not budget.seconds:
        return budget
    left = (turn.expiry - timezone.now()).total_seconds() - reserve
    if left < LEAST:
        return None
    return replace(budget, seconds=min(budget.seconds, left))


def shortest(bot: str, rules: str) -> float:
    """The seconds that a rated table must give this bot for a decision."""
    return registry.budget(bot, rules).seconds + LONGEST + SLACK


def check_rated(clock: Clock | None, bot: str, rules: str) -> None:
    """Refuse a rated table at which this bot could not think as long as it is known to."""
    needed = round(1000 * shortest(bot, rules))
    if clock is not None and clock.action_ms < needed:
        said = f"The bot {bot} needs a clock of {needed} ms at a rated table: `action_ms` is less."
        raise Refused("rated-clock", said)

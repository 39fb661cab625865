"""The dispatch of bots: when a bot has to decide, an outbox sends a message that wakes it in a
worker, so that the player who acted does not wait. The sweeper finds tables whose bot was never
woken or died thinking."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from time import monotonic
from typing import Final, NamedTuple

from django.utils import timezone

from ai import bot_registry, clock_budget, reactions
from games import selectors
from jobs.background_publisher import register
from jobs.celery_task_publisher import TaskCall, TaskOutbox
from jobs.sweeper_backoff import visit_games
from tabularium_log.projection.projection import Projection

THINK_TASK_NAME: Final = "ai.tasks.think"
AGAIN_HEADER: Final = "again"  # a message header: an earlier wake-up went unanswered
# beyond its thinking time; then the bot is interrupted …
SOFT_LIMIT_EXTRA_SECONDS: Final = 10.0
HARD_LIMIT_EXTRA_SECONDS: Final = 5.0  # … and this much later its worker process is killed
MAX_WAKE_INTERVAL_SECONDS: Final = 60.0  # between two wake-ups for one decision
MAX_AHEAD_GAMES: Final = 1_000  # games known to have been ahead of the clock, as sent in a query


class WakeMessage(NamedTuple):
    """A decision that a table waits for: a bot has to make it, or bots may react before."""

    game: str
    seat: int
    choice: str
    seconds: float  # thinking time
    again: bool
    delay: float = 0.0  # seconds until the task begins


@dataclass
class _WaitingDecision:
    """A decision that a table waits for: when it was first seen here and when its bot is to be
    woken again, both on the monotonic clock, which is never set back; and whether its log was ahead
    of the clock."""

    game: str
    since: float
    due: float
    was_ahead: bool


class BotOutbox(TaskOutbox[WakeMessage]):
    """Wakes bots, again if a table has waited too long."""

    name = "bots"
    loss_message = "%d bot tasks were not published: %s"

    def __init__(self) -> None:
        super().__init__()
        self._waiting_by_choice: dict[str, _WaitingDecision] = {}  # by choice token

    def task_call(self, message: WakeMessage) -> TaskCall:
        """The decision as a task, with time limits that fit its thinking time."""
        limit = message.seconds + SOFT_LIMIT_EXTRA_SECONDS
        options = {
            "soft_time_limit": limit,
            "time_limit": limit + HARD_LIMIT_EXTRA_SECONDS,
            "headers": {AGAIN_HEADER: True} if message.again else None,
            "countdown": message.delay or None,
        }
        return TaskCall(THINK_TASK_NAME, [message.game, message.seat, message.choice], options)

    def find_lost(self) -> Iterator[WakeMessage]:
        """The decisions of all bots whose tables have waited too long."""
        ahead_games = [
            decision.game for decision in self._waiting_by_choice.values() if decision.was_ahead
        ]
        stalled_games = selectors.games_stalled(
            timezone.now(), clock_budget.STALLED_AFTER, ahead_games[-MAX_AHEAD_GAMES:]
        )
        for messages in visit_games(stalled_games, self._take_due):
            yield from messages

    def reset_wake_times(self) -> None:
        """Forget the pauses: every waiting bot may be woken at once."""
        self._waiting_by_choice.clear()

    def _take_due(self, game: str) -> list[WakeMessage]:
        """The messages that wake the game's bots again, each time after about twice as long: more
        messages do not help where all workers are busy or gone."""
        table, now = selectors.game_projection(game), monotonic()
        wait_seconds = (timezone.now() - datetime.fromisoformat(table.entry.at)).total_seconds()
        return [
            wake_message(table, seat, again=True)
            for seat in selectors.awaited_bot_seats(table)
            if self._postpone_if_due(table, seat, wait_seconds, now)
        ]

    def _postpone_if_due(
        self, table: Projection, seat: int, wait_seconds: float, now: float
    ) -> bool:
        """Whether a bot is to be woken now; the next time is later. If the clock was set back since
        the last entry, the table's waiting time is unknown; the time since this process first saw
        the decision is used instead."""
        stall_seconds = clock_budget.STALLED_AFTER.total_seconds()
        due = now if wait_seconds >= stall_seconds else now + stall_seconds
        first = _WaitingDecision(table.game, now, due, was_ahead=wait_seconds < 0)
        decision = self._waiting_by_choice.setdefault(table.choice_token(seat), first)
        if decision.due > now:
            return False
        decision.due = now + min(
            max(wait_seconds, now - decision.since, stall_seconds), MAX_WAKE_INTERVAL_SECONDS
        )
        return True


outbox: Final = register(BotOutbox())


def wake_bot(table: Projection, seat: int) -> None:
    """Notify the bot on this seat of its decision, and bots that may react before it."""
    outbox.enqueue(wake_message(table, seat, again=False))


def wake_message(table: Projection, seat: int, *, again: bool) -> WakeMessage:
    """The message for the decision of a seat, with the time that bots may think."""
    occupant = table.occupants[seat]
    seconds = (
        bot_registry.bot_budget(occupant.bot, table.creation.rules).seconds
        if occupant and occupant.bot
        else 0.0
    )
    clock = table.creation.clock
    if clock is not None:
        seconds = min(seconds, clock.action_ms / 1000)
    choice = table.choice_token(seat)
    if again:
        return WakeMessage(table.game, seat, choice, seconds, again)
    seconds += reactions.asking_seconds(table)
    return WakeMessage(table.game, seat, choice, seconds, again, reactions.grace_seconds(table))

"""Waking bots: a message to the broker, published asynchronously so that the player who acted does
not wait. The sweeper sends lost messages again."""

from __future__ import annotations

from typing import Any, Final, NamedTuple

from celery import current_app

from ai import bot_registry
from games.projection.projection import Projection
from jobs.outbox import Outbox

THINK_TASK_NAME: Final = "ai.tasks.think"
AGAIN_HEADER: Final = "again"  # a message header: an earlier wake-up went unanswered
# beyond its thinking time; then the bot is interrupted …
SOFT_LIMIT_EXTRA_SECONDS: Final = 10.0
HARD_LIMIT_EXTRA_SECONDS: Final = 5.0  # … and this much later its worker process is killed


class WakeMessage(NamedTuple):
    """A decision that a bot has to make."""

    game: str
    seat: int
    choice: str
    seconds: float  # thinking time
    again: bool


class BotOutbox(Outbox[WakeMessage]):
    """Sends the messages that wake bots; the sweeper makes up for lost ones."""

    loss_message = "%d bot tasks were not published: %s"

    def publish(self, batch: list[WakeMessage]) -> None:
        """Send these messages to the broker."""
        with current_app.producer_pool.acquire(block=True) as producer:
            for message in batch:
                with self.use_trace_of(message):
                    _send_think_task(message, producer)


def _send_think_task(message: WakeMessage, producer: Any) -> None:
    current_app.send_task(
        THINK_TASK_NAME,
        args=[message.game, message.seat, message.choice],
        producer=producer,
        soft_time_limit=message.seconds + SOFT_LIMIT_EXTRA_SECONDS,
        time_limit=message.seconds + SOFT_LIMIT_EXTRA_SECONDS + HARD_LIMIT_EXTRA_SECONDS,
        headers={AGAIN_HEADER: True} if message.again else None,
    )


outbox = BotOutbox()


def wake_bot(table: Projection, seat: int, *, again: bool = False) -> None:
    """Notify the bot on this seat of its decision."""
    who = table.occupants[seat]
    seconds = (
        bot_registry.bot_budget(who.bot, table.creation.rules).seconds if who and who.bot else 0.0
    )
    clock = table.creation.clock
    if clock is not None:
        seconds = min(seconds, clock.action_ms / 1000)
    outbox.enqueue(WakeMessage(table.game, seat, table.choice_token(seat), seconds, again))

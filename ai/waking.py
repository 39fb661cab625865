"""How does a bot hear that it is its turn? By a message, published behind the back of whoever
acted: nobody waits for the broker, and what is lost with it the sweeper sends again."""

from __future__ import annotations

from typing import Any, Final, NamedTuple

from celery import current_app

from ai import registry
from games import publishing
from games.table.table import Table

THINK: Final = "ai.tasks.think"
AGAIN: Final = "again"  # a header: nobody answered in time
SPARE: Final = 10.0  # seconds beyond its thinking after which a bot is interrupted
LAST_WORDS: Final = 5.0  # seconds that are left to it then


class Message(NamedTuple):
    """A decision that a bot has to make."""

    game: str
    seat: int
    choice: str
    seconds: float  # that the bot may think
    again: bool


class Publisher(publishing.Publisher[Message]):
    """What wakes bots; those it cannot wake the sweeper finds."""

    lost = "%d bots were not woken: %s"

    def publish(self, batch: list[Message]) -> None:
        """Send these messages to the broker."""
        with current_app.producer_pool.acquire(block=True) as producer:
            for message in batch:
                with self.following(message):
                    _send(message, producer)


def _send(message: Message, producer: Any) -> None:
    current_app.send_task(
        THINK,
        args=[message.game, message.seat, message.choice],
        producer=producer,
        soft_time_limit=message.seconds + SPARE,
        time_limit=message.seconds + SPARE + LAST_WORDS,
        headers={AGAIN: True} if message.again else None,
    )


publisher = Publisher()


def wake(table: Table, seat: int, *, again: bool = False) -> None:
    """Let the bot on this seat know of its decision."""
    who = table.occupants[seat]
    seconds = registry.budget(who.bot, table.create.rules).seconds if who and who.bot else 0.0
    clock = table.create.clock
    if clock is not None:
        seconds = min(seconds, clock.action_ms / 1000)
    publisher.put(Message(table.game, seat, table.token(seat), seconds, again))

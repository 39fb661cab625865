"""A worker whose bots never decide, with a table of two: `python -m tests.ai.hanging`."""

from __future__ import annotations

from time import sleep
from typing import Any

import django

from ai.bot_kinds import BotDecision


class HangingBot:
    """A bot that never decides."""

    name = "hanging"

    def choose(self, *_: Any) -> BotDecision:
        """Sleep until the process is killed."""
        while True:
            sleep(1)


def create_hanging_bot(name: str, slug: str, version: int | None = None) -> HangingBot:
    """The same bot, whatever is asked for."""
    return HangingBot()


def main() -> None:
    """Create a game, and run a worker until it is stopped."""
    django.setup()
    from django.db import connections

    from ai import bot_dispatch, bot_registry
    from config.celery import app
    from games import services

    bot_dispatch.SOFT_LIMIT_EXTRA_SECONDS = 1.0  # type: ignore[misc]
    bot_registry.create_bot = create_hanging_bot
    services.create_game("law_of_the_dice", [services.SeatAssignment(bot="greedy")] * 2)
    connections.close_all()
    app.worker_main(["--quiet", "worker", "--pool=prefork", "--concurrency=1", "--queues=bots"])


if __name__ == "__main__":
    main()

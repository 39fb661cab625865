"""A worker whose bots would search for a minute, with a table of two whose clock gives them two
seconds: `python -m tests.ai.hurrying`."""

from __future__ import annotations

import django

from ai.bot_kinds import Budget


def main() -> None:
    """Create a game, and run a worker until it is stopped."""
    django.setup()
    from django.db import connections

    from ai import bot_registry
    from config.celery import app
    from games import services
    from tabularium_log.projection.table_actions import Clock

    bot_registry.bot_budget = lambda name, slug: Budget(60.0)
    seating = [services.SeatAssignment(bot="mcts")] * 2
    services.create_game("duality", seating, clock=Clock(2_000, "random"))
    connections.close_all()
    app.worker_main(["--quiet", "worker", "--pool=prefork", "--concurrency=1", "--queues=bots"])


if __name__ == "__main__":
    main()

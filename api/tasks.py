"""What do Celery's workers do for the API? They announce what has happened, and deliver it.

A message names a game or a delivery and carries nothing else; lost or doubled, it does no harm.
"""

from __future__ import annotations

from celery import shared_task

from api.webhooks import announcing, delivering
from api.webhooks.receivers import ANNOUNCE, DELIVER, herald
from games import tracing
from games.positions import UnknownGame


@shared_task(name=ANNOUNCE)  # type: ignore[untyped-decorator]
def announce(game: str) -> None:
    """Write down what is to be delivered, and have it delivered."""
    tracing.note(game=game)
    try:
        names = announcing.announce(game)
    except UnknownGame:  # of a database that is not there any more
        return
    for name in names:
        herald.put((DELIVER, name))


@shared_task(name=DELIVER)  # type: ignore[untyped-decorator]
def deliver(name: str) -> None:
    """Try a delivery."""
    delivering.deliver(name)

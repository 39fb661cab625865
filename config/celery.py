"""Which Celery application is this? `tabularium`; workers start with `celery -A config worker`.

Bots think in a queue of their own, so that a table full of them does not hold up anything else; and
whoever wants to know what they think is answered from another.
"""

from __future__ import annotations

import os
import warnings
from typing import Any, Final

from celery import Celery
from celery.platforms import SecurityWarning
from celery.signals import worker_init, worker_process_init, worker_ready

from config.spool import transport
from config.supervisor import parts, tether

MODESTY: Final = 10  # of 19
os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
transport.register()
# Celery warns of workers that are root, because of pickles; this one reads nothing but JSON.
warnings.filterwarnings("ignore", category=SecurityWarning)
app = Celery("tabularium")
app.config_from_object("django.conf:settings", namespace="CELERY")
app.autodiscover_tasks(["ai", "api"])


@worker_init.connect  # type: ignore[untyped-decorator]
def guard_keys(**_: Any) -> None:
    """No worker starts with other keys than its database's."""
    from config.keys import guarding  # noqa: PLC0415  # models must be there first

    guarding.guard()


@worker_ready.connect  # type: ignore[untyped-decorator]
def watch_keys(**_: Any) -> None:
    """None goes on with others, if the database was away when it started."""
    from config.keys import guarding  # noqa: PLC0415  # models must be there first

    guarding.watch()


@worker_ready.connect  # type: ignore[untyped-decorator]
def show_life(sender: Any, **_: Any) -> None:
    """A worker that is ready for bots leaves signs of life. One for errands leaves none: it would
    hide that nobody thinks."""
    from ai import pulses  # noqa: PLC0415  # models must be there first

    if parts.BOTS in sender.app.amqp.queues.consume_from:
        pulses.beat_on(pulses.WORKER)


@worker_process_init.connect  # type: ignore[untyped-decorator]
def step_back(**_: Any) -> None:
    """Who thinks only for those who want to know leaves the processor to those who play."""
    queues = app.amqp.queues.consume_from
    if parts.ANALYSES in queues and parts.BOTS not in queues:
        os.nice(MODESTY)


@worker_process_init.connect  # type: ignore[untyped-decorator]
def tie_thinkers(**_: Any) -> None:
    """The processes of a worker's pool die with it, also while a bot thinks."""
    tether.tie_fork()

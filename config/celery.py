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
from celery.signals import (
    celeryd_after_setup,
    task_prerun,
    task_received,
    worker_process_init,
    worker_ready,
    worker_shutdown,
)
from django.conf import settings

from config import broker
from config.spool import transport
from config.supervisor import heartbeat, parts, tether

MODESTY: Final = 10  # of 19
os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
transport.register()
broker.register()
# Celery warns of workers that are root, because of pickles; this one reads nothing but JSON.
warnings.filterwarnings("ignore", category=SecurityWarning)
app = Celery("tabularium")
app.config_from_object("django.conf:settings", namespace="CELERY")
app.autodiscover_tasks(["ai", "api"])


@celeryd_after_setup.connect  # type: ignore[untyped-decorator]
def expect_canaries(sender: str, instance: Any, **_: Any) -> None:
    """A worker reads its canaries as it reads all work."""
    from config import canaries  # noqa: PLC0415  # models must be there first

    instance.app.amqp.queues.select_add(canaries.queue(sender))


@worker_ready.connect  # type: ignore[untyped-decorator]
def send_canaries(sender: Any, **_: Any) -> None:
    """A worker that is ready proves from now on that it takes work."""
    from config.canaries import Canaries  # noqa: PLC0415  # models must be there first

    sent = Canaries(sender.app, sender.hostname, settings.CANARY_SECONDS)
    task_received.connect(lambda request, **_: sent.arrived(), weak=False)
    sent.start()


@worker_shutdown.connect  # type: ignore[untyped-decorator]
def retire(sender: Any, **_: Any) -> None:
    """A worker that ends in order is not missed."""
    from ai import pulses  # noqa: PLC0415  # models must be there first

    pulses.retire(sender.hostname)


@task_prerun.connect  # type: ignore[untyped-decorator]
def show_life(**_: Any) -> None:
    """Whatever task it is: this worker takes work."""
    heartbeat.tell(heartbeat.ALIVE)


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

"""Which Celery application is this? `tabularium`; workers start with `celery -A config worker`.

Bots think in a queue of their own, so that a table full of them does not hold up anything else; and
whoever wants to know what they think is answered from another.
"""

from __future__ import annotations

import logging
import os
import warnings
from time import monotonic, time
from typing import Any, Final

from celery import Celery
from celery.platforms import SecurityWarning
from celery.signals import (
    before_task_publish,
    celeryd_after_setup,
    setup_logging,
    task_postrun,
    task_prerun,
    task_received,
    worker_init,
    worker_process_init,
    worker_ready,
    worker_shutdown,
)
from django.conf import settings

from config import broker
from config.spool import transport
from config.supervisor import heartbeat, process_specs, tether
from games import tracing

ANALYSIS_NICENESS: Final = 10  # of 19
PUBLISHED_AT_HEADER: Final = "published"  # a header: when a message was sent, in seconds since 1970
task_logger = logging.getLogger("tabularium.tasks")
_task_starts: dict[
    str, tuple[float, float]
] = {}  # of its tasks: when they began, how long they waited
os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
transport.register()
broker.register()
# Celery warns of workers that are root, because of pickles; this one reads nothing but JSON.
warnings.filterwarnings("ignore", category=SecurityWarning)
app = Celery("tabularium")
app.config_from_object("django.conf:settings", namespace="CELERY")
app.autodiscover_tasks(["ai", "api"])


@celeryd_after_setup.connect  # type: ignore[untyped-decorator]
def add_canary_queue(sender: str, instance: Any, **_: Any) -> None:
    """A worker reads its canaries as it reads all work."""
    from config import canaries  # noqa: PLC0415  # models must be there first

    instance.app.amqp.queues.select_add(canaries.canary_queue(sender))


@worker_init.connect  # type: ignore[untyped-decorator]
def check_keys(**_: Any) -> None:
    """No worker starts with other keys than its database's."""
    from config.keys import process_guard  # noqa: PLC0415  # models must be there first

    process_guard.exit_on_wrong_keys()


@worker_ready.connect  # type: ignore[untyped-decorator]
def watch_keys(**_: Any) -> None:
    """None goes on with others, if the database was away when it started."""
    from config.keys import process_guard  # noqa: PLC0415  # models must be there first

    process_guard.start_key_watch()


@worker_ready.connect  # type: ignore[untyped-decorator]
def start_canaries(sender: Any, **_: Any) -> None:
    """A worker that is ready proves from now on that it takes work."""
    from api import figures  # noqa: PLC0415  # models must be there first
    from config.canaries import CanarySender  # noqa: PLC0415

    figures.start_flush_thread()
    sent = CanarySender(sender.app, sender.hostname, settings.CANARY_SECONDS)
    task_received.connect(lambda request, **_: sent.mark_arrived(), weak=False)
    sent.start()


@worker_shutdown.connect  # type: ignore[untyped-decorator]
def retire_heartbeat(sender: Any, **_: Any) -> None:
    """A worker that ends in order is not missed."""
    from ai import process_heartbeats  # noqa: PLC0415  # models must be there first

    process_heartbeats.retire(sender.hostname)


@task_prerun.connect  # type: ignore[untyped-decorator]
def report_alive(**_: Any) -> None:
    """Whatever task it is: this worker takes work."""
    heartbeat.send_sign(heartbeat.ALIVE)


@worker_process_init.connect  # type: ignore[untyped-decorator]
def lower_analysis_priority(**_: Any) -> None:
    """Who thinks only for those who want to know leaves the processor to those who play."""
    queues = app.amqp.queues.consume_from
    if process_specs.ANALYSES_QUEUE in queues and process_specs.BOTS_QUEUE not in queues:
        os.nice(ANALYSIS_NICENESS)


@worker_process_init.connect  # type: ignore[untyped-decorator]
def tie_pool_process(**_: Any) -> None:
    """The processes of a worker's pool die with it, also while a bot thinks."""
    tether.tie_forked_process()


@worker_process_init.connect  # type: ignore[untyped-decorator]
def start_metrics(**_: Any) -> None:
    """The processes of a pool count for themselves."""
    from api import figures  # noqa: PLC0415  # models must be there first

    figures.start_flush_thread()


# -- logs -----------------------------------------------------------------------------------------


@setup_logging.connect  # type: ignore[untyped-decorator]
def keep_django_logging(**_: Any) -> None:
    """Logging is set up already, by Django: the same for all processes."""


@before_task_publish.connect  # type: ignore[untyped-decorator]
def attach_trace(headers: dict[str, Any], **_: Any) -> None:
    """A message says which request it follows from, and when it was published."""
    for name, fact in tracing.logged_fields().items():
        headers.setdefault(name, fact)
    headers.setdefault(PUBLISHED_AT_HEADER, time())


@task_prerun.connect  # type: ignore[untyped-decorator]
def restore_trace(task: Any, **_: Any) -> None:
    """What a task logs belongs to the request that it follows from."""
    told = task.request.headers or {}
    trace = {name: str(told[name]) for name in tracing.LOGGED_FIELDS if name in told}
    tracing.set_trace({tracing.REQUEST_ID_FIELD: tracing.new_request_id(), **trace})
    waited = max(0.0, time() - float(told.get(PUBLISHED_AT_HEADER) or time()))
    _task_starts[task.request.id] = monotonic(), waited


@task_postrun.connect  # type: ignore[untyped-decorator]
def log_task_and_drop_trace(task: Any, state: str | None, **_: Any) -> None:
    """A line says how the task went; what follows is about something else."""
    from ai.tasks import CANARY_TASK_NAME  # noqa: PLC0415  # models must be there first

    begun, waited = _task_starts.pop(task.request.id, (monotonic(), 0.0))
    ms = round(1000 * (monotonic() - begun), 1)
    facts = {"task": task.name, "state": state, "ms": ms, "waited_ms": round(1000 * waited, 1)}
    # one every few seconds
    level = logging.DEBUG if task.name == CANARY_TASK_NAME else logging.INFO
    task_logger.log(level, "%s: %s, %s ms", task.name, state, ms, extra={"facts": facts})
    tracing.set_trace(None)

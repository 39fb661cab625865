"""The Celery application of the project, `tabularium`: its configuration, queues and signal
handlers; workers start with `celery -A config worker`.

Bots have a queue of their own, so that a game full of them holds up nothing else; so do analyses,
webhooks and ratings, each with a worker of its own, so that none of them delays another.
"""

from __future__ import annotations

import logging
import os
import warnings
from time import monotonic, time
from typing import Any, Final, NamedTuple

from celery import Celery, states
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
    worker_process_shutdown,
    worker_ready,
    worker_shutdown,
)
from django.conf import settings

from config import celery_redis_transport, telemetry
from config.spool import transport
from config.supervisor import heartbeat, process_specs, tether
from games import request_trace, spans
from games.spans import Span, SpanKind

ANALYSIS_NICENESS: Final = 10  # of 19
FAREWELL_SECONDS: Final = 1.0  # seconds in which a worker reads the last results of its pool
PUBLISHED_AT_HEADER: Final = "published"  # header: seconds since 1970
task_logger = logging.getLogger("tabularium.tasks")
os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
transport.register()
celery_redis_transport.register()
# Celery warns of workers that run as root, because of pickle; this one accepts only JSON.
warnings.filterwarnings("ignore", category=SecurityWarning)


class TaskStart(NamedTuple):
    """The start of a task: when, after how long in its queue, and its span."""

    started_at: float
    wait_seconds: float
    span: Span | None


_task_starts: dict[str, TaskStart] = {}  # by task id
app = Celery("tabularium")
app.config_from_object("django.conf:settings", namespace="CELERY")
app.autodiscover_tasks(["ai", "api"])
app.autodiscover_tasks(["jobs"], related_name="rating_and_canary_tasks")


@celeryd_after_setup.connect  # type: ignore[untyped-decorator]
def add_canary_queue(sender: str, instance: Any, **_: Any) -> None:
    """Let a worker consume its canary queue like its other queues."""
    from config import worker_canaries  # noqa: PLC0415  # models must be loaded first

    instance.app.amqp.queues.select_add(worker_canaries.canary_queue(sender))


@worker_init.connect  # type: ignore[untyped-decorator]
def check_keys(**_: Any) -> None:
    """Do not start a worker whose keys are not those of the database."""
    from config.keys import start_refusal  # noqa: PLC0415  # models must be loaded first

    start_refusal.exit_on_wrong_keys()


@worker_ready.connect  # type: ignore[untyped-decorator]
def watch_keys(**_: Any) -> None:
    """End a running worker with wrong keys, if the database was away when it started."""
    from config.keys import start_refusal  # noqa: PLC0415  # models must be loaded first

    start_refusal.start_key_watch()


@worker_ready.connect  # type: ignore[untyped-decorator]
def start_canaries(sender: Any, **_: Any) -> None:
    """Start the canaries of a worker that is ready."""
    from api import metric_rows  # noqa: PLC0415  # models must be loaded first
    from config.worker_canaries import CanarySender  # noqa: PLC0415

    metric_rows.start_flush_thread()
    canary_sender = CanarySender(sender.app, sender.hostname, settings.CANARY_SECONDS)
    task_received.connect(lambda request, **_: canary_sender.mark_arrived(), weak=False)
    canary_sender.start()


@worker_shutdown.connect  # type: ignore[untyped-decorator]
def retire_heartbeat(sender: Any, **_: Any) -> None:
    """Remove the heartbeat of a worker that exits properly, so that it is not missed."""
    from jobs import heartbeats  # noqa: PLC0415  # models must be loaded first

    heartbeats.retire(sender.hostname)


@task_prerun.connect  # type: ignore[untyped-decorator]
def report_alive(**_: Any) -> None:
    """Report that this worker takes work; any task proves it."""
    heartbeat.send_sign(heartbeat.ALIVE)


@worker_process_init.connect  # type: ignore[untyped-decorator]
def lower_analysis_priority(**_: Any) -> None:
    """Lower the priority of processes that only run analyses, in favour of the players' bots."""
    queues = app.amqp.queues.consume_from
    if process_specs.ANALYSES_QUEUE in queues and process_specs.BOTS_QUEUE not in queues:
        os.nice(ANALYSIS_NICENESS)


@worker_process_init.connect  # type: ignore[untyped-decorator]
def tie_pool_process(**_: Any) -> None:
    """Let the pool processes die with their worker, even in the middle of a search."""
    tether.tie_forked_process()


@worker_process_init.connect  # type: ignore[untyped-decorator]
def shorten_farewell(**_: Any) -> None:
    """Let a pool process end soon although its worker has read no result of its last task: a worker
    that stops just as a task begins reads none. Billiard waits for half a minute, and the
    supervisor kills both before. The message of the task is taken again, as after a kill."""
    from billiard import pool  # noqa: PLC0415  # other processes have no pool

    pool.GUARANTEE_MESSAGE_CONSUMPTION_RETRY_LIMIT = round(
        FAREWELL_SECONDS / pool.GUARANTEE_MESSAGE_CONSUMPTION_RETRY_INTERVAL
    )


@worker_process_init.connect  # type: ignore[untyped-decorator]
def start_metrics(**_: Any) -> None:
    """Start the metrics of a pool process, which counts for itself."""
    from api import metric_rows  # noqa: PLC0415  # models must be loaded first

    metric_rows.start_flush_thread()


@worker_process_shutdown.connect  # type: ignore[untyped-decorator]
def send_spans(**_: Any) -> None:
    """Send the last spans of a pool process, which runs no exit functions."""
    telemetry.finish()


# -- logs -----------------------------------------------------------------------------------------


@setup_logging.connect  # type: ignore[untyped-decorator]
def keep_django_logging(**_: Any) -> None:
    """Do nothing: Django has set up logging already, the same for all processes."""


@before_task_publish.connect  # type: ignore[untyped-decorator]
def attach_trace(headers: dict[str, Any], **_: Any) -> None:
    """Add the trace of the request and the time of publishing to a message."""
    for name, value in request_trace.logged_fields().items():
        headers.setdefault(name, value)
    headers.setdefault(PUBLISHED_AT_HEADER, time())


def is_work(task: Any) -> bool:
    """Whether a task is none of the canaries, which run every few seconds."""
    from jobs.rating_and_canary_tasks import CANARY_TASK_NAME  # noqa: PLC0415  # models must be loaded first

    return bool(task.name != CANARY_TASK_NAME)


@task_prerun.connect  # type: ignore[untyped-decorator]
def restore_trace(task: Any, **_: Any) -> None:
    """Restore the trace, so that the task's log lines belong to the request that caused it."""
    headers = task.request.headers or {}
    sent = {name: str(headers[name]) for name in request_trace.LOGGED_FIELDS if name in headers}
    trace = {request_trace.REQUEST_ID_FIELD: request_trace.new_request_id(), **sent}
    span = spans.start_root(trace, task.name, SpanKind.CONSUMER) if is_work(task) else None
    request_trace.set_trace(trace)
    wait_seconds = max(0.0, time() - float(headers.get(PUBLISHED_AT_HEADER) or time()))
    _task_starts[task.request.id] = TaskStart(monotonic(), wait_seconds, span)


@task_postrun.connect  # type: ignore[untyped-decorator]
def log_task_and_drop_trace(task: Any, state: str | None, **_: Any) -> None:
    """Log the outcome of the task; later lines belong to other work."""
    start = _task_starts.pop(task.request.id, TaskStart(monotonic(), 0.0, None))
    ms = round(1000 * (monotonic() - start.started_at), 1)
    facts = {
        "task": task.name,
        "state": state,
        "ms": ms,
        "waited_ms": round(1000 * start.wait_seconds, 1),
    }
    level = logging.INFO if is_work(task) else logging.DEBUG
    task_logger.log(level, "%s: %s, %s ms", task.name, state, ms, extra={"facts": facts})
    if start.span is not None:
        attributes = {
            f"tabularium.{name}": fact for name, fact in facts.items() if fact is not None
        }
        start.span.end(attributes, is_failure=state == states.FAILURE)
    request_trace.set_trace(None)

"""The processes of a simulation: the memory of each, the broker between them, their clock,
and the threads whose work is done at once instead."""

from __future__ import annotations

import logging
import traceback
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, nullcontext
from datetime import timedelta
from types import SimpleNamespace
from typing import Any, Final, NamedTuple, TypeVar

import pytest
from django.db import DEFAULT_DB_ALIAS, close_old_connections, connections
from django.utils import timezone
from kombu.exceptions import OperationalError as BrokerError

from ai import bot_dispatch, clock_budget, old_thoughts
from ai.tasks import think
from api import metric_rows, unused_accounts
from api.games import quick_actions
from api.keys import key_cache
from api.outages import OUTAGE_EXCEPTIONS
from api.tasks import announce, deliver
from api.webhooks import webhook_dispatch
from config import quick_path
from games import group_commit, position_cache, process_metrics
from games.position_cache import PositionCache
from games.selectors import seats
from games.services import append_transaction
from jobs import (
    celery_task_publisher,
    clock_expiry,
    heartbeats,
    rating_and_canary_tasks,
    rating_dispatch,
    sweeper,
    sweeper_backoff,
)
from jobs.background_publisher import Outbox
from jobs.celery_task_publisher import TaskOutbox
from jobs.log_moves import log_moves
from jobs.management.commands import sweep
from jobs.record_rounds import record_rounds
from tests.chaos.simulation.faults import Death, Faults, Plan, watched_connections
from tests.games.sitting import NOON

T = TypeVar("T")

WEB: Final = ("web-1", "web-2")
WORKER: Final = "worker"
SWEEPER: Final = "sweeper"
OUTAGES: Final = (*OUTAGE_EXCEPTIONS, Death)
CACHED_POSITIONS: Final = 100
TASKS: Final[dict[str, Any]] = {
    task.name: task for task in (think, announce, deliver, rating_and_canary_tasks.rate)
}
CLOCKED: Final = (
    *(bot_dispatch, sweeper_backoff, clock_expiry, webhook_dispatch),
    *(quick_actions, rating_and_canary_tasks, heartbeats, metric_rows),
)


MEMORY: Final[Sequence[Any]] = (
    *(seats._started_rights, quick_actions.slow_rulesets, clock_budget.commit_delays),
    *(webhook_dispatch.webhook_presence, sweeper.failing_outboxes, sweeper_backoff.failing_games),
    *(log_moves, old_thoughts.walk, record_rounds, sweep.round_backoff, unused_accounts._walk),
)


class Message(NamedTuple):
    """A task, as the broker holds it."""

    task: str
    arguments: tuple[Any, ...]
    headers: dict[str, Any]


class Died(NamedTuple):
    """The outcome of a step in which its process has died."""


class Processes:
    """The processes, of which one acts at a time."""

    def __init__(self, plan: Plan) -> None:
        self.faults = Faults(plan)
        self.seconds = 0.0  # since the simulation began
        self.queue: list[Message] = []  # of the broker
        self.unsent: dict[str, list[tuple[Outbox[Any], Any]]] = {}  # by process
        self.mishaps: list[str] = []  # logged, and no consequence of an outage
        self._caches: dict[str, PositionCache] = {}
        self._connections: dict[str, Any] = {}
        for process in (*WEB, WORKER, SWEEPER):
            self._start(process)

    def _start(self, process: str) -> None:
        self._caches[process] = PositionCache(CACHED_POSITIONS, lambda: False)
        self._connections[process] = connections.create_connection(DEFAULT_DB_ALIAS)
        self.unsent[process] = []

    @contextmanager
    def running(self) -> Iterator[None]:
        """Use the clock, the broker and the memory of the simulation."""
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(timezone, "now", lambda: NOON + timedelta(seconds=self.seconds))
            for module in CLOCKED:
                patch.setattr(module, "monotonic", lambda: self.seconds)
            patch.setattr(quick_actions, "thread_time", lambda: self.seconds)
            patch.setattr(
                *(Outbox, "enqueue"),
                lambda *args: self._enqueue(*args),  # noqa: PLW0108 -- a method would lack the outbox
            )
            pool = SimpleNamespace(acquire=lambda block: nullcontext())
            broker = SimpleNamespace(producer_pool=pool, send_task=self._send)
            patch.setattr(celery_task_publisher, "current_app", broker)
            patch.setattr(append_transaction.announcer, "enqueue", append_transaction.announce)
            patch.setattr(
                group_commit.writer, "submit", lambda each: group_commit.commit_group([each])
            )
            patch.setattr(quick_path, "asyncio", SimpleNamespace(get_running_loop=InlineLoop))
            patch.setattr(position_cache, "cache", position_cache.cache)
            patch.setattr(logging.root, "handlers", [MishapHandler(self)])
            self._forget_shared_memory()
            with watched_connections(self.faults):
                try:
                    yield
                finally:
                    for each in self._connections.values():
                        each.close()
            self._forget_shared_memory()

    def act(self, process: str, step: Callable[[], T]) -> T | Died:
        """Let a process take a step; if it dies, it forgets everything, and is started again."""
        own_cache, own_connection = position_cache.cache, connections[DEFAULT_DB_ALIAS]
        position_cache.cache = self._caches[process]
        connections[DEFAULT_DB_ALIAS] = self._connections[process]
        try:
            close_old_connections()  # as before each request and each task
            self.faults.begin(process)
            result = step()
        except BaseException:
            if not self.faults.has_died:  # a dead process has no handlers
                raise
        finally:
            self.faults.process = ""
            position_cache.cache, connections[DEFAULT_DB_ALIAS] = own_cache, own_connection
        if not self.faults.has_died:  # a handler may have caught its death
            return result
        self.faults.has_died = False
        self._connections[process].close()
        self._start(process)
        self._forget_shared_memory()
        return Died()

    def _forget_shared_memory(self) -> None:
        """Forget all that each process has of its own where there are several."""
        for memory in MEMORY:
            memory.__init__()
        key_cache.clear()
        heartbeats._last_beat_times.clear()
        process_metrics.metrics.reset()
        metric_rows._flushed_at = -metric_rows.FLUSH_INTERVAL_SECONDS
        webhook_dispatch.outbox.scanned_until = None
        rating_dispatch.outbox.scanned_until = None
        bot_dispatch.outbox.reset_wake_times()

    # -- messages ---------------------------------------------------------------------------------

    def _enqueue(self, outbox: Outbox[Any], message: Any) -> None:
        if isinstance(outbox, TaskOutbox) and self.faults.process:
            self.unsent[self.faults.process].append((outbox, message))

    def publish(self, process: str) -> None:
        """Let the thread of a process publish the first of its messages."""
        outbox, message = self.unsent[process].pop(0)
        outbox._publish_batch([(message, None)])

    def _send(self, name: str, args: list[Any], producer: Any, **options: Any) -> None:
        message = Message(name, tuple(args), options.get("headers") or {})
        self.faults.around(f"send {name}", lambda: self.queue.append(message), no_broker)

    def work(self, message: Message) -> None:
        """Run a task as a worker does: a failure loses the message."""
        TASKS[message.task].apply(args=message.arguments, headers=message.headers)


def no_broker() -> Exception:
    """The broker cannot be reached."""
    problem: Exception = BrokerError("the broker is gone")
    return problem


class MishapHandler(logging.Handler):
    """Keeps the errors of the service's log that no outage explains."""

    def __init__(self, processes: Processes) -> None:
        super().__init__(logging.WARNING)
        self._processes = processes

    def emit(self, record: logging.LogRecord) -> None:
        """Keep one."""
        problem = record.exc_info[1] if record.exc_info else None
        is_expected = problem is None or isinstance(problem, OUTAGES)
        if not (is_expected or self._processes.faults.has_died):
            trace = "".join(traceback.format_exception(problem))
            self._processes.mishaps.append(f"{record.getMessage()}\n{trace}")


class InlineLoop:
    """An event loop whose executors and callbacks run at once."""

    def run_in_executor(self, _: Any, function: Callable[..., Any], *arguments: Any) -> Any:
        """The result, which is there at once."""
        result = function(*arguments)
        return SimpleNamespace(
            add_done_callback=lambda call: call(SimpleNamespace(result=lambda: result))
        )

    def call_soon(self, function: Callable[..., Any], *arguments: Any) -> None:
        """Call it at once."""
        function(*arguments)

    call_soon_threadsafe = call_soon

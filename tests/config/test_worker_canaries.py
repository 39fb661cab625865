"""A worker proves that it takes work, and one that takes none is replaced."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from types import SimpleNamespace
from typing import Any, Final

import pytest
from billiard import pool
from celery import Celery

from config import celery, worker_canaries
from config.supervisor import heartbeat
from config.supervisor.process_specs import (
    ANALYSES_QUEUE,
    BOTS_QUEUE,
    DEFAULT_QUEUE,
    RATINGS_QUEUE,
    WEBHOOKS_QUEUE,
)
from config.worker_canaries import CanarySender
from jobs import heartbeats
from jobs import rating_and_canary_tasks as tasks
from jobs.models import ProcessHeartbeat
from tests.config.processes import is_gone, soon
from tests.support.databases import ROOT, Kept

NODE: Final = "worker@here"


class Broker:
    """A broker that records the tasks sent, and refuses them when it is away."""

    def __init__(self) -> None:
        self.is_away = False
        self.messages: list[Any] = []

    def send_task(self, name: str, **options: Any) -> None:
        """Send as Celery does."""
        if self.is_away:
            raise OSError("away")
        self.messages.append((name, options["args"], options["queue"].name))


@pytest.fixture
def broker() -> Broker:
    return Broker()


@pytest.fixture
def canary_sender(broker: Broker, monkeypatch: pytest.MonkeyPatch) -> CanarySender:
    """The canaries of an idle worker for bots, with a clock that stands still."""
    monkeypatch.setattr(worker_canaries, "heartbeat_kind", lambda app: heartbeats.BOT_WORKER)
    monkeypatch.setattr(worker_canaries, "monotonic", lambda: 1000.0)
    monkeypatch.setattr(worker_canaries, "state", SimpleNamespace(active_requests=set()))
    app: Any = broker
    return CanarySender(app, NODE, 3.0)


class TestCanaries:
    def test_are_sent_to_the_worker_itself(
        self, canary_sender: CanarySender, broker: Broker
    ) -> None:
        assert canary_sender.send_if_due() == heartbeat.IDLE
        assert broker.messages == [
            (tasks.CANARY_TASK_NAME, [heartbeats.BOT_WORKER, NODE], f"canaries.{NODE}")
        ]

    def test_do_not_pile_up_for_a_worker_that_takes_none(
        self, canary_sender: CanarySender, broker: Broker, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        for second in range(0, 30, 3):
            monkeypatch.setattr(worker_canaries, "monotonic", lambda now=second: 1000.0 + now)
            assert canary_sender.send_if_due() == heartbeat.IDLE
        assert len(broker.messages) == 3

    def test_follow_each_other_where_they_arrive(
        self, canary_sender: CanarySender, broker: Broker
    ) -> None:
        for _ in range(5):
            canary_sender.send_if_due()
            canary_sender.mark_arrived()
        assert len(broker.messages) == 5

    def test_may_wait_for_a_task_that_runs(
        self, canary_sender: CanarySender, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(worker_canaries, "state", SimpleNamespace(active_requests={"thinking"}))
        assert canary_sender.send_if_due() == heartbeat.BUSY

    def test_that_no_broker_takes_are_no_fault_of_the_worker(
        self, canary_sender: CanarySender, broker: Broker, caplog: pytest.LogCaptureFixture
    ) -> None:
        broker.is_away = True
        assert {canary_sender.send_if_due() for _ in range(5)} == {heartbeat.EXCUSED}
        assert caplog.messages == ["The broker does not accept canaries: away"]
        broker.is_away = False
        assert canary_sender.send_if_due() == heartbeat.IDLE

    @pytest.mark.django_db
    def test_leave_a_sign_of_life_when_they_are_taken(
        self, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        for beat_count in (1, 2):
            monkeypatch.setattr(heartbeats, "_last_beat_times", {})
            tasks.canary(heartbeats.BOT_WORKER, NODE)
            heartbeat = ProcessHeartbeat.objects.get()
            assert (heartbeat.name, heartbeat.kind, heartbeat.beats) == (
                NODE,
                heartbeats.BOT_WORKER,
                beat_count,
            )


@pytest.mark.parametrize(
    ("queues", "kind"),
    [
        ([BOTS_QUEUE], heartbeats.BOT_WORKER),
        ([ANALYSES_QUEUE], heartbeats.ANALYSIS_WORKER),
        ([DEFAULT_QUEUE], heartbeats.ERRAND_WORKER),
        ([WEBHOOKS_QUEUE, DEFAULT_QUEUE], heartbeats.ERRAND_WORKER),
        ([RATINGS_QUEUE], heartbeats.RATING_WORKER),
        ([BOTS_QUEUE, ANALYSES_QUEUE, DEFAULT_QUEUE], heartbeats.BOT_WORKER),
    ],
)
def test_only_a_worker_for_bots_shows_that_bots_are_answered(queues: list[str], kind: str) -> None:
    worker_app = Celery(set_as_current=False)
    worker_app.amqp.queues.select(queues)
    assert worker_canaries.heartbeat_kind(worker_app) == kind


# -- a real worker --------------------------------------------------------------------------------


@pytest.fixture
def log_path(kept_here: Kept, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """The log of a server's workers, which prove every second that they take work."""
    monkeypatch.setattr("tests.config.processes.PATIENCE", 180.0)  # four workers start, and again
    log_path = tmp_path / "log"
    variables = {"TABULARIUM_CANARY_SECONDS": "1", "TABULARIUM_DEAF_SECONDS": "8"}
    with log_path.open("wb") as log_file:
        process = subprocess.Popen(
            [sys.executable, "manage.py", "serve", "--only=worker", "--concurrency=1"],
            cwd=ROOT,
            env={**kept_here.environment, **variables},
            stdout=log_file,
            stderr=subprocess.STDOUT,
        )
    yield log_path
    process.send_signal(signal.SIGTERM)
    process.wait()


def pool_process(log_path: Path, name: str) -> int:
    """The process of that worker's pool, forked from it."""
    for process in Path("/proc").glob("[0-9]*"):
        with suppress(OSError):
            parent = int((process / "stat").read_text().rpartition(") ")[2].split()[1])
            command_line = (process / "cmdline").read_text()
            parent_command_line = Path(f"/proc/{parent}/cmdline").read_text()
            if (
                name in command_line
                and name in parent_command_line
                and str(log_path.parent) in environment(process)
            ):
                return int(process.name)
    return 0


def environment(process: Path) -> str:
    """The environment of a process, which identifies those of this test."""
    return (process / "environ").read_text()


def beat_count(kind: str) -> int:
    """The number of canaries that have arrived there."""
    return sum(ProcessHeartbeat.objects.filter(kind=kind).values_list("beats", flat=True))


@pytest.mark.lane("processes")
@pytest.mark.skipif(not Path("/proc/self/environ").exists(), reason="needs /proc")
def test_a_worker_whose_pool_hangs_is_replaced(log_path: Path) -> None:
    kinds = (heartbeats.BOT_WORKER, *heartbeats.OTHER_WORKERS)
    assert soon(lambda: all(beat_count(kind) for kind in kinds)), log_path.read_text()
    assert soon(lambda: pool_process(log_path, "worker@"))
    pool_pid = pool_process(log_path, "worker@")
    os.kill(pool_pid, signal.SIGSTOP)
    complaint = re.compile(r"worker  \| .* no work accepted for")
    assert soon(lambda: complaint.search(log_path.read_text())), log_path.read_text()
    assert soon(lambda: is_gone(pool_pid))
    count_before = beat_count(heartbeats.BOT_WORKER)
    assert soon(lambda: beat_count(heartbeats.BOT_WORKER) > count_before), log_path.read_text()


# -- the end of a worker --------------------------------------------------------------------------


def test_a_pool_process_whose_results_are_not_read_ends_soon(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(pool, "GUARANTEE_MESSAGE_CONSUMPTION_RETRY_LIMIT", 300)
    celery.shorten_farewell()
    pauses: list[float] = []
    monkeypatch.setattr(pool, "time", SimpleNamespace(sleep=pauses.append))
    process = SimpleNamespace(on_ready_counter=SimpleNamespace(value=0))
    assert not pool.Worker._ensure_messages_consumed(process, completed=1)
    assert 0 < sum(pauses) <= celery.FAREWELL_SECONDS

"""The spool as a broker for kombu, and for Celery with a real worker."""

from __future__ import annotations

import logging
import os
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from time import time
from typing import Any, Final

import pytest
from kombu import Connection, Queue

from config.spool import message_folders, transport
from games.logging_throttle import OncePerSecondFilter
from tests.config.processes import is_gone, soon
from tests.support import warm_interpreter

ROOT: Final = Path(__file__).parents[3]
WORKER: Final = """
import os, time
from celery import Celery
from games.logging_throttle import OncePerSecondFilter
from config.spool import message_folders, transport
from tests.config.processes import is_gone, soon

app = Celery("trial", broker="spool://localhost", set_as_current=False)
app.conf.update(
    broker_transport_options={"folder": os.environ["TRIAL"]}, task_ignore_result=True,
    task_acks_late=True, task_reject_on_worker_lost=True, worker_prefetch_multiplier=1,
    worker_enable_remote_control=False,
)
journal = os.path.join(os.environ["TRIAL"], "journal")

def note(*words):
    with open(journal, "a") as writing:
        writing.write(" ".join(map(str, words)) + "\\n")

@app.task(name="note")
def once(word):
    note(word, time.time())

@app.task(name="hang")
def hang(word):
    note(word, os.getpid())
    if os.path.exists(journal + ".go"):
        return
    time.sleep(30)
"""


def replace_by_folder(path: Path) -> None:
    """Replace a message by a folder with a file in it."""
    path.unlink()
    path.mkdir()
    (path / "inside").touch()


def replace_by_dangling_link(path: Path) -> None:
    """Replace a message by a dangling link."""
    path.unlink()
    path.symlink_to(path.parent / "nowhere")


BROKEN: Final[dict[str, Callable[[Path], object]]] = {
    "empty": lambda path: path.write_text(""),
    "half": lambda path: path.write_text(path.read_text()[:50]),
    "another document": lambda path: path.write_text("[1]"),
    "no UTF-8": lambda path: path.write_bytes(b"\xff\xfe{}"),
    "a folder": replace_by_folder,
    "a link to nowhere": replace_by_dangling_link,
}


@pytest.fixture
def broker(tmp_path: Path) -> Iterator[Connection]:
    """A connection to an empty spool."""
    transport.register()
    with connect(tmp_path) as connection:
        yield connection


@contextmanager
def connect(folder: Path) -> Iterator[Connection]:
    """A connection to a spool."""
    with Connection("spool://localhost", transport_options={"folder": str(folder)}) as connection:
        yield connection


def publish(broker: Connection, *bodies: Any) -> None:
    """Send messages to the queue `bots`."""
    queue = Queue("bots")
    with broker.Producer() as producer:
        for body in bodies:
            producer.publish(body, routing_key="bots", declare=[queue], serializer="json")


def receive_messages(broker: Connection, prefetch: int = 0) -> list[Any]:
    """The messages that arrive now, not yet acknowledged."""
    messages_received: list[Any] = []
    with broker.Consumer([Queue("bots")], accept=["json"], prefetch_count=prefetch) as consumer:
        consumer.register_callback(lambda _, message: messages_received.append(message))
        with suppress(TimeoutError):
            while True:
                broker.drain_events(timeout=0.05)
    return messages_received


class TestMessages:
    def test_arrive_as_they_were_sent(self, broker: Connection) -> None:
        publish(broker, {"game": "g", "seat": 1}, ["ü", None])
        first, second = receive_messages(broker)
        assert [first.payload, second.payload] == [{"game": "g", "seat": 1}, ["ü", None]]

    def test_are_not_more_than_may_be_worked_on_at_once(self, broker: Connection) -> None:
        publish(broker, *range(5))
        messages_held = receive_messages(broker, prefetch=2)
        assert [message.payload for message in messages_held] == [0, 1]
        messages_held[0].ack()
        assert [message.payload for message in receive_messages(broker, prefetch=2)] == [2]

    def test_that_cannot_be_acknowledged_take_no_slot(
        self, broker: Connection, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        def fail(*_: object) -> None:
            raise OSError("read-only file system")

        publish(broker, 1)
        (message,) = receive_messages(broker, prefetch=1)
        window = message.channel.qos
        monkeypatch.setattr(message.channel.spool, "acknowledge", fail)
        assert not window.can_consume()
        with pytest.raises(OSError, match="read-only"):
            message.ack()
        assert window.can_consume()

    def test_that_are_acknowledged_are_gone(self, broker: Connection, tmp_path: Path) -> None:
        publish(broker, 1)
        receive_messages(broker)[0].ack()
        assert not messages(tmp_path)

    def test_that_are_rejected_are_gone_too(self, broker: Connection, tmp_path: Path) -> None:
        publish(broker, 1)
        receive_messages(broker)[0].reject()
        assert not messages(tmp_path)

    def test_that_are_requeued_come_again(self, broker: Connection) -> None:
        publish(broker, 1)
        for is_again in (False, True, True):
            (message,) = receive_messages(broker)
            assert message.payload == 1
            assert message.delivery_info["redelivered"] is is_again
            message.requeue()

    def test_of_a_connection_that_closes_come_again(
        self, broker: Connection, tmp_path: Path
    ) -> None:
        with connect(tmp_path) as other:
            publish(other, 1)
            assert len(receive_messages(other)) == 1
        assert [message.payload for message in receive_messages(broker)] == [1]

    @pytest.mark.parametrize("kind", BROKEN)
    def test_that_are_broken_are_put_aside(
        self, broker: Connection, tmp_path: Path, kind: str
    ) -> None:
        publish(broker, 1, 2)
        first, _ = sorted((tmp_path / "ready" / "bots").iterdir())
        BROKEN[kind](first)
        assert [message.payload for message in receive_messages(broker)] == [2]
        assert len(messages(tmp_path)) == 1
        assert [path.name for path in (tmp_path / "broken").iterdir()] == [first.name]

    def test_that_are_broken_are_reported_once_a_second(
        self, broker: Connection, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        lines: list[str] = []
        throttle = OncePerSecondFilter(clock=lambda: 0.0)
        handler = logging.Handler()
        handler.emit = lambda record: lines.append(record.getMessage())  # type: ignore[method-assign]
        monkeypatch.setattr(message_folders.logger, "filters", [throttle])
        monkeypatch.setattr(message_folders.logger, "handlers", [handler])
        publish(broker, *range(150), "good")
        for path in sorted((tmp_path / "ready" / "bots").iterdir())[:150]:
            path.write_bytes(b"\xff")
        assert [message.payload for message in receive_messages(broker)] == ["good"]
        assert len(lines) == 1
        assert "moved aside" in lines[0]
        assert len(list((tmp_path / "broken").iterdir())) == message_folders.MAX_BROKEN_MESSAGES
        assert len(messages(tmp_path)) == 1  # the good one: all others are gone

    def test_can_be_counted_and_purged(self, broker: Connection) -> None:
        publish(broker, 1, 2)
        queue = Queue("bots")(broker.default_channel)
        assert queue.queue_declare(passive=True).message_count == 2
        assert queue.purge() == 2
        assert not receive_messages(broker)


def messages(folder: Path) -> list[Path]:
    """All message files, waiting or held."""
    paths = [*(folder / "ready").rglob("*"), *(folder / "claims").rglob("*")]
    return [path for path in paths if path.is_file() and path.suffix != ".lock"]


# -- Celery ---------------------------------------------------------------------------------------


class Trial:
    """A Celery application on its own spool, and its workers."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.env = {**os.environ, "TRIAL": str(folder), "PYTHONPATH": f"{folder}:{ROOT}"}
        (folder / "trial.py").write_text(WORKER)

    def start(self) -> subprocess.Popen[bytes]:
        """A worker with one process."""
        options = ["--pool=prefork", "--concurrency=1", "--loglevel=CRITICAL"]
        quiet_options = ["--without-gossip", "--without-mingle", "--without-heartbeat"]
        tethered = [sys.executable, "-m", "config.supervisor.run_tethered", str(os.getpid())]
        return subprocess.Popen(
            [*tethered, "celery", "--quiet", "--app=trial", "worker", *options, *quiet_options],
            env=self.env,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )

    def send(self, line: str) -> None:
        """Publish from a separate process."""
        warm_interpreter.run(
            [sys.executable, "-c", f"import trial; trial.{line}"], env=self.env, check=True
        )

    def journal_entries(self, number: int) -> list[list[str]]:
        """The first `number` lines of the journal."""
        assert soon(lambda: len(self.journal) >= number)
        return [line.split() for line in self.journal[:number]]

    @property
    def journal(self) -> list[str]:
        """The lines that the tasks have recorded."""
        path = self.folder / "journal"
        return path.read_text().splitlines() if path.exists() else []


@pytest.fixture
def trial(tmp_path: Path) -> Trial:
    """An application that has no worker yet."""
    return Trial(tmp_path)


@contextmanager
def run_worker(trial: Trial) -> Iterator[subprocess.Popen[bytes]]:
    """Run a worker."""
    worker = trial.start()
    try:
        yield worker
    finally:
        worker.kill()
        worker.wait()


class TestCelery:
    @pytest.mark.lane("processes")
    def test_does_tasks_and_none_before_its_time(self, trial: Trial) -> None:
        sent_at = time()
        trial.send("once.apply_async(['later'], countdown=2)")
        trial.send("once.delay('now')")
        with run_worker(trial):
            times = {word: float(at) for word, at in trial.journal_entries(2)}
        assert times.keys() == {"now", "later"}
        assert times["later"] - sent_at >= 2

    @pytest.mark.lane("processes")
    def test_repeats_the_task_of_a_killed_worker(self, trial: Trial) -> None:
        trial.send("hang.delay('think')")
        with run_worker(trial):
            ((_, first_pid),) = trial.journal_entries(1)
        assert soon(lambda: is_gone(int(first_pid))), "the pool dies with its worker"
        (trial.folder / "journal.go").touch()
        with run_worker(trial):
            _, (word, second_pid) = trial.journal_entries(2)
            assert word == "think"
            assert second_pid != first_pid
            wait_until_acknowledged(trial.folder)

    @pytest.mark.lane("processes")
    def test_goes_on_when_an_idle_process_of_the_pool_is_killed(self, trial: Trial) -> None:
        (trial.folder / "journal.go").touch()
        with run_worker(trial):
            for number in range(1, 3):
                trial.send(f"hang.delay('task{number}')")
                _, pid = trial.journal_entries(number)[-1]
                wait_until_acknowledged(
                    trial.folder
                )  # the process is idle: its last task is acknowledged
                os.kill(int(pid), signal.SIGKILL)
            wait_until_acknowledged(trial.folder)


def wait_until_acknowledged(folder: Path) -> None:
    """Wait until everything is acknowledged."""
    assert soon(lambda: not messages(folder))

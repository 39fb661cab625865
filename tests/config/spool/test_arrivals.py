"""Workers hear of messages in the spool instead of looking for them all the time."""

from __future__ import annotations

import errno
import select
import sys
from collections.abc import Iterator
from pathlib import Path
from shutil import rmtree
from typing import Any, Final

import pytest
from kombu import Connection, Queue
from kombu.asynchronous import Hub

from config.spool import arrivals, transport
from config.spool.arrivals import Arrivals
from config.spool.message_folders import Spool

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="the kernel tells of nothing")
NEVER: Final = 3600.0  # seconds


@pytest.fixture
def heard() -> Iterator[Arrivals]:
    """The arrivals in the spool."""
    heard = Arrivals()
    yield heard
    heard.close()


def is_readable(heard: Arrivals) -> bool:
    """Whether something has been heard."""
    return bool(select.select([heard.descriptor], [], [], 0)[0])


class TestArrivals:
    def test_are_heard_once(self, spool: Spool, heard: Arrivals) -> None:
        spool.publish("bots", "before")
        heard.watch(spool.queue("bots"))
        assert not is_readable(heard)
        spool.publish("bots", "1")
        spool.publish("bots", "2")
        assert is_readable(heard)
        heard.hear()
        assert not is_readable(heard)

    def test_of_messages_that_come_back_are_heard_too(self, spool: Spool, heard: Arrivals) -> None:
        spool.publish("bots", "1")
        heard.watch(spool.queue("bots"))
        claim = spool.claim("bots")
        assert claim
        assert not is_readable(heard)
        spool.give_back("bots", claim[0])
        assert is_readable(heard)

    def test_in_a_folder_that_was_made_again_are_heard(self, spool: Spool, heard: Arrivals) -> None:
        queue = spool.queue("bots")
        heard.watch(queue)
        rmtree(queue)
        heard.watch(queue)
        heard.hear()
        heard.watch(queue)  # it does not exist: the next call tries again
        spool.declare("bots")
        heard.watch(queue)
        assert not is_readable(heard)
        spool.publish("bots", "1")
        assert is_readable(heard)

    def test_more_can_be_announced(self, spool: Spool, heard: Arrivals) -> None:
        heard.watch(spool.queue("bots"))
        heard.announce_more()
        assert is_readable(heard)
        heard.hear()
        assert not is_readable(heard)
        heard.watch(spool.queue("bots"))
        spool.publish("bots", "1")
        assert is_readable(heard)


class Worker:
    """A consumer of `bots` on an event loop, as Celery's worker is one."""

    def __init__(self, folder: Path) -> None:
        transport.register()
        self.received: list[Any] = []
        self.connection = Connection("spool://localhost", transport_options={"folder": str(folder)})
        self.hub = Hub()
        self.connection.transport.attach_to_loop(self.connection.connection, self.hub)
        channel = self.connection.default_channel
        consumer = self.connection.Consumer([Queue("bots")], channel=channel, accept=["json"])
        consumer.register_callback(self.receive)
        consumer.consume()
        self.loop = self.hub.create_loop()

    def receive(self, body: Any, message: Any) -> None:
        """Do nothing but acknowledge it."""
        message.ack()
        self.received.append(body)

    def turn_until(self, count: int) -> None:
        """Turn the loop until so many messages have arrived."""
        while len(self.received) < count:
            next(self.loop)

    def close(self) -> None:
        """End it."""
        self.connection.close()
        self.hub.close()


@pytest.fixture
def worker(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Worker]:
    """A worker that looks by itself once an hour: it has heard of all messages that it gets."""
    monkeypatch.setattr(transport, "HEARING_SECONDS", NEVER)
    worker = Worker(tmp_path)
    yield worker
    worker.close()


def publish(folder: Path, *bodies: int) -> None:
    """Publish from another connection."""
    options = {"folder": str(folder)}
    with (
        Connection("spool://localhost", transport_options=options) as connection,
        connection.Producer() as producer,
    ):
        for body in bodies:
            producer.publish(body, routing_key="bots", declare=[Queue("bots")])


class TestAWorker:
    @pytest.mark.lane("processes")
    def test_gets_what_arrives(self, worker: Worker, tmp_path: Path) -> None:
        publish(tmp_path, 1)
        worker.turn_until(1)
        publish(tmp_path, 2)
        worker.turn_until(2)
        assert worker.received == [1, 2]

    @pytest.mark.lane("processes")
    def test_gets_more_than_it_takes_in_a_turn(self, worker: Worker, tmp_path: Path) -> None:
        count = 2 * transport.MESSAGES_PER_TURN + 1
        publish(tmp_path, *range(count))
        worker.turn_until(count)
        assert worker.received == list(range(count))

    def test_looks_by_itself_where_nothing_is_heard(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        def refuse(heard: Arrivals) -> None:
            raise OSError(errno.EMFILE, "inotify_init1")

        monkeypatch.setattr(transport, "HEARING_SECONDS", NEVER)
        monkeypatch.setattr(arrivals.Arrivals, "__init__", refuse)
        worker = Worker(tmp_path)
        publish(tmp_path, 1)
        worker.turn_until(1)
        worker.close()
        assert worker.received == [1]

"""A worker keeps its slots when Redis hangs while a message is acknowledged."""

from __future__ import annotations

import os
import signal
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final

import kombu.transport.redis
import pytest
from kombu import Connection, Consumer, Producer, Queue

from config import celery_redis_transport
from config.celery import app
from tests.chaos import stores

pytestmark = [
    pytest.mark.stores,
    pytest.mark.skipif(
        "redis-server" not in stores.installed_programs() and "CI" not in os.environ,
        reason="needs redis-server",
    ),
]

BOTS: Final = Queue("bots")
HANG_TIMEOUT: Final = 0.2  # seconds that a command waits for a Redis that hangs
OPTIONS: Final = {"visibility_timeout": 1000}  # without a timeout: a Redis that runs will answer
DRAIN_TIMEOUT: Final = 30  # seconds


class OneSlotConsumer:
    """A consumer with one slot, like a worker with one process."""

    def __init__(self, url: str, transport: type[Any]) -> None:
        self.messages: list[Any] = []
        self.connection = Connection(url, transport=transport, transport_options=OPTIONS)
        self.channel = self.connection.channel()
        self.kombu_consumer = Consumer(self.channel, [BOTS], callbacks=[self.take])
        self.kombu_consumer.qos(prefetch_count=1)
        self.kombu_consumer.consume()

    def take(self, _body: object, message: Any) -> None:
        """Keep a message that has arrived."""
        self.messages.append(message)

    def publish(self) -> None:
        """Publish a message."""
        Producer(self.connection.channel(), routing_key="bots").publish("think")

    def next_message(self) -> Any:
        """The next message."""
        self.connection.drain_events(timeout=DRAIN_TIMEOUT)
        return self.messages.pop()

    def set_timeout(self, seconds: float | None) -> None:
        """Set how long the commands of this channel wait for Redis."""
        pool = self.channel.pool
        pool.connection_kwargs["socket_timeout"] = seconds  # of the connections to come
        for connection in pool._available_connections:
            connection.socket_timeout = seconds
            connection.update_current_socket_timeout(seconds)

    def stop(self) -> None:
        """Close its connections: a garbage collection may come in another test, and may end the
        socket first, which is a warning."""
        self.channel.do_restore = False  # messages of a server that stops, too
        self.connection.close()

    def acknowledge(self, message: Any) -> None:
        """Acknowledge as Celery's worker does: failures are logged."""
        message.ack_log_error(celery_redis_transport.logger, self.connection.connection_errors)


@pytest.fixture
def redis() -> Iterator[stores.Redis]:
    """A Redis for this test alone, which keeps no files."""
    store = stores.Redis(Path("/"))
    store.start()
    yield store
    assert store.process
    store.process.send_signal(signal.SIGCONT)
    store.kill()


StartConsumer = Callable[[type[Any]], OneSlotConsumer]


@pytest.fixture
def start_consumer(redis: stores.Redis) -> Iterator[StartConsumer]:
    """Start a consumer."""
    consumers: list[OneSlotConsumer] = []

    def start(transport: type[Any]) -> OneSlotConsumer:
        consumers.append(OneSlotConsumer(redis.url, transport))
        return consumers[-1]

    yield start
    for consumer in consumers:
        consumer.stop()


@contextmanager
def hanging(redis: stores.Redis, consumer: OneSlotConsumer) -> Iterator[None]:
    """Stop Redis, and resume it afterwards."""
    assert redis.process
    consumer.set_timeout(HANG_TIMEOUT)
    redis.process.send_signal(signal.SIGSTOP)
    try:
        yield
    finally:
        redis.process.send_signal(signal.SIGCONT)
        consumer.set_timeout(None)


def hang_while_acknowledging(redis: stores.Redis, consumer: OneSlotConsumer) -> None:
    """Acknowledge a message while Redis hangs."""
    consumer.publish()
    message = consumer.next_message()
    with hanging(redis, consumer):
        consumer.acknowledge(message)


def test_a_hang_takes_no_slot(redis: stores.Redis, start_consumer: StartConsumer) -> None:
    consumer = start_consumer(celery_redis_transport.Transport)
    for _ in range(3):
        hang_while_acknowledging(redis, consumer)
        assert consumer.channel.qos.can_consume()
    consumer.publish()
    assert consumer.next_message()


def test_kombu_alone_loses_the_slot_for_good(
    redis: stores.Redis, start_consumer: StartConsumer
) -> None:
    consumer = start_consumer(kombu.transport.redis.Transport)
    hang_while_acknowledging(redis, consumer)
    assert not consumer.channel.qos.can_consume()


def test_what_was_not_confirmed_is_confirmed_with_the_next(
    redis: stores.Redis, start_consumer: StartConsumer
) -> None:
    consumer = start_consumer(celery_redis_transport.Transport)
    hang_while_acknowledging(redis, consumer)
    assert len(consumer.channel.qos.pending_tags) == 1
    consumer.publish()
    consumer.acknowledge(consumer.next_message())
    assert consumer.channel.qos.pending_tags == set()
    assert consumer.channel.client.hlen("unacked") == 0


def test_a_message_that_cannot_be_given_back_takes_no_slot(
    redis: stores.Redis, start_consumer: StartConsumer
) -> None:
    consumer = start_consumer(celery_redis_transport.Transport)
    consumer.publish()
    message = consumer.next_message()
    with hanging(redis, consumer):
        message.reject_log_error(
            celery_redis_transport.logger, consumer.connection.connection_errors, True
        )
    assert consumer.channel.qos.can_consume()


def test_as_many_are_remembered_as_there_is_room_for(
    redis: stores.Redis, start_consumer: StartConsumer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(celery_redis_transport, "MAX_PENDING_ACKNOWLEDGEMENTS", 0)
    consumer = start_consumer(celery_redis_transport.Transport)
    hang_while_acknowledging(redis, consumer)
    assert consumer.channel.qos.pending_tags == set()
    assert consumer.channel.qos.can_consume()


@pytest.mark.parametrize("scheme", celery_redis_transport.REDIS_SCHEMES)
def test_it_is_what_the_application_uses(scheme: str) -> None:
    assert app.connection(f"{scheme}://127.0.0.1:1/0").transport_cls is not None
    assert isinstance(
        app.connection(f"{scheme}://127.0.0.1:1/0").transport, celery_redis_transport.Transport
    )

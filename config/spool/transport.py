"""How does Celery reach the spool? As a transport of kombu, under `spool://`."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path
from queue import Empty
from typing import Any, Final

from kombu.transport import TRANSPORT_ALIASES, base, virtual
from kombu.utils.json import dumps, loads

from config.spool.folder import RETURNED_SUFFIX, Spool

POLLING_SECONDS: Final = 0.01  # seconds
MESSAGES_PER_TURN: Final = 100  # messages, then the loop turns


class SpoolQoS(virtual.QoS):  # type: ignore[misc]  # kombu has no types
    """The messages that this process works on. A delivery tag is `<queue>/<name>`."""

    def ack(self, delivery_tag: str) -> None:
        super().ack(delivery_tag)  # first: what fails below must not cost a place in the window
        self.channel.spool.acknowledge(*parse_delivery_tag(delivery_tag))

    def reject(self, delivery_tag: str, requeue: bool = False) -> None:
        super().ack(delivery_tag)
        if requeue:
            self.channel.spool.give_back(*parse_delivery_tag(delivery_tag))
        else:
            self.channel.spool.acknowledge(*parse_delivery_tag(delivery_tag))


class Channel(virtual.Channel):  # type: ignore[misc]
    """Publishing to the spool and claiming from it."""

    QoS = SpoolQoS

    def __init__(self, connection: Any, **options: Any) -> None:
        super().__init__(connection, **options)
        self.spool = Spool(Path(connection.client.transport_options["folder"]))

    def _new_queue(self, queue: str, **_: Any) -> None:
        self.spool.declare(queue)

    def _has_queue(self, queue: str, **_: Any) -> bool:
        return self.spool.queue(queue).is_dir()

    def _put(self, queue: str, message: dict[str, Any], **_: Any) -> None:
        self.spool.publish(queue, dumps(message))

    def _get(self, queue: str, timeout: float | None = None) -> dict[str, Any]:
        while claimed := self.spool.claim(queue):
            name, text = claimed
            try:
                return add_delivery_info(loads(text), queue, name)
            except (ValueError, LookupError, TypeError) as problem:  # a power cut left half of it
                self.spool.put_aside(queue, name, problem)
        raise Empty

    def _restore(self, message: virtual.Message) -> None:
        self.spool.give_back(*parse_delivery_tag(message.delivery_tag))

    def _size(self, queue: str) -> int:
        return self.spool.size(queue)

    def _purge(self, queue: str) -> int:
        return self.spool.purge(queue)


class Transport(virtual.Transport):  # type: ignore[misc]
    """The spool, as kombu wants a broker to look. A worker on an event loop gives every process of
    its pool a pipe; without one they share a lock, and one that is killed takes it to its grave."""

    Channel = Channel
    polling_interval = POLLING_SECONDS
    driver_type = "spool"
    driver_name = "spool"
    implements = base.Transport.implements.extend(
        asynchronous=True, exchange_type=frozenset(["direct"]), heartbeats=False
    )

    loop: Any = None

    def attach_to_loop(self, connection: Any, loop: Any) -> None:
        """Look at every turn of the loop, after an acknowledgement say, and let it turn often."""
        self.loop = loop
        loop.on_tick.add(self.deliver_waiting)
        self.poll_timer = loop.call_repeatedly(POLLING_SECONDS, int)

    register_with_event_loop = attach_to_loop  # so kombu calls it

    def close_connection(self, connection: Any) -> None:
        if self.loop:
            self.loop.on_tick.discard(self.deliver_waiting)
            self.poll_timer.cancel()
        super().close_connection(connection)

    def deliver_waiting(self) -> None:
        """Deliver as much as may be worked on at once."""
        with suppress(Empty):
            for _ in range(MESSAGES_PER_TURN):
                self.cycle.get(self._deliver)

    def driver_version(self) -> str:
        return "1"


def add_delivery_info(message: dict[str, Any], queue: str, name: str) -> dict[str, Any]:
    """A message with its place, and whether somebody has held it before."""
    properties = message["properties"]
    properties["delivery_tag"] = f"{queue}/{name}"
    properties["delivery_info"]["redelivered"] = name.endswith(RETURNED_SUFFIX)
    return message


def parse_delivery_tag(delivery_tag: str) -> tuple[str, str]:
    """The queue and the name of a message."""
    queue, _, name = delivery_tag.rpartition("/")
    return queue, name


def register() -> None:
    """Let kombu know what `spool://` means."""
    TRANSPORT_ALIASES["spool"] = f"{__name__}:Transport"

"""The kombu transport of the spool, which lets Celery use it as its broker, as `spool://`."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path
from queue import Empty
from typing import Any, Final

from kombu.transport import TRANSPORT_ALIASES, base, virtual
from kombu.utils.json import dumps, loads

from config.spool.arrivals import Arrivals
from config.spool.message_folders import RETURNED_SUFFIX, Spool

POLLING_SECONDS: Final = 0.01
HEARING_SECONDS: Final = 0.1  # between two looks of a worker that hears of messages
MESSAGES_PER_TURN: Final = 100  # messages per turn of the loop


class SpoolQoS(virtual.QoS):  # type: ignore[misc]  # kombu has no types
    """The messages that this process works on. A delivery tag is `<queue>/<name>`."""

    def ack(self, delivery_tag: str) -> None:
        super().ack(delivery_tag)  # first: a failure below must not cost a prefetch slot
        self.channel.spool.acknowledge(*parse_delivery_tag(delivery_tag))

    def reject(self, delivery_tag: str, requeue: bool = False) -> None:
        super().ack(delivery_tag)
        if requeue:
            self.channel.spool.give_back(*parse_delivery_tag(delivery_tag))
        else:
            self.channel.spool.acknowledge(*parse_delivery_tag(delivery_tag))


class Channel(virtual.Channel):  # type: ignore[misc]
    """Publishes to the spool and claims from it."""

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
        if arrivals := self.connection.arrivals:
            arrivals.watch(self.spool.queue(queue))
        while claim := self.spool.claim(queue):
            name, text = claim
            try:
                return add_delivery_info(loads(text), queue, name)
            except (ValueError, LookupError, TypeError) as problem:  # cut short by a power cut
                self.spool.put_aside(queue, name, problem)
        raise Empty

    def _restore(self, message: virtual.Message) -> None:
        self.spool.give_back(*parse_delivery_tag(message.delivery_tag))

    def _size(self, queue: str) -> int:
        return self.spool.size(queue)

    def _purge(self, queue: str) -> int:
        return self.spool.purge(queue)


class Transport(virtual.Transport):  # type: ignore[misc]
    """The spool as a kombu broker. With an event loop, a worker gives each pool process its own
    pipe; without one they share a lock, which is never released if its holder is killed."""

    Channel = Channel
    polling_interval = POLLING_SECONDS
    driver_type = "spool"
    driver_name = "spool"
    implements = base.Transport.implements.extend(
        asynchronous=True, exchange_type=frozenset(["direct"]), heartbeats=False
    )

    loop: Any = None
    arrivals: Arrivals | None = None

    def attach_to_loop(self, connection: Any, loop: Any) -> None:
        """Deliver on every turn of the loop, as after an acknowledgement, and keep it turning: with
        each message that arrives, or often where the kernel does not tell of them."""
        self.loop = loop
        loop.on_tick.add(self.deliver_waiting)
        self.arrivals = Arrivals.if_supported()
        if self.arrivals:
            loop.add_reader(self.arrivals.descriptor, self.arrivals.hear)
        seconds = HEARING_SECONDS if self.arrivals else POLLING_SECONDS
        self.poll_timer = loop.call_repeatedly(seconds, int)

    register_with_event_loop = attach_to_loop  # the name that kombu calls

    def close_connection(self, connection: Any) -> None:
        if self.loop:
            self.loop.on_tick.discard(self.deliver_waiting)
            self.poll_timer.cancel()
        if self.arrivals:
            self.loop.remove_reader(self.arrivals.descriptor)
            self.arrivals.close()
            self.arrivals = None
        super().close_connection(connection)

    def deliver_waiting(self) -> None:
        """Deliver as many messages as may be worked on at once."""
        with suppress(Empty):
            for _ in range(MESSAGES_PER_TURN):
                self.cycle.get(self._deliver)
            if self.arrivals:
                self.arrivals.announce_more()

    def driver_version(self) -> str:
        return "1"


def add_delivery_info(message: dict[str, Any], queue: str, name: str) -> dict[str, Any]:
    """The message with its delivery tag, and whether it was delivered before."""
    properties = message["properties"]
    properties["delivery_tag"] = f"{queue}/{name}"
    properties["delivery_info"]["redelivered"] = name.endswith(RETURNED_SUFFIX)
    return message


def parse_delivery_tag(delivery_tag: str) -> tuple[str, str]:
    """The queue and the name of a message."""
    queue, _, name = delivery_tag.rpartition("/")
    return queue, name


def register() -> None:
    """Register `spool://` with kombu."""
    TRANSPORT_ALIASES["spool"] = f"{__name__}:Transport"

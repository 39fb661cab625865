"""A broker that hangs blocks no caller and fills no memory."""

from __future__ import annotations

from collections.abc import Iterator
from threading import Event

import pytest

from games import request_trace
from jobs.background_publisher import Outbox
from tests.config.processes import soon

MAX_WAITING = 100


class HangingOutbox(Outbox[int]):
    """An outbox whose broker accepts nothing until it is released."""

    loss_message = "%d numbers were lost: %s"

    def __init__(self) -> None:
        super().__init__()
        self.is_publishing, self.is_released = Event(), Event()
        self.published: list[int] = []

    def publish(self, batch: list[int]) -> None:
        self.is_publishing.set()
        assert self.is_released.wait(60)
        self.published += batch


@pytest.fixture
def hanging_outbox(monkeypatch: pytest.MonkeyPatch) -> Iterator[HangingOutbox]:
    """An outbox that hangs on its first message."""
    monkeypatch.setattr("jobs.background_publisher.MAX_WAITING_MESSAGES", MAX_WAITING)
    outbox = HangingOutbox()
    outbox.enqueue(0)
    assert outbox.is_publishing.wait(60)
    yield outbox
    outbox.is_released.set()
    outbox.flush_and_stop()


def test_so_many_wait_and_the_others_are_lost(
    hanging_outbox: HangingOutbox, caplog: pytest.LogCaptureFixture
) -> None:
    for number in range(1, 1001):
        # in this thread: if it blocked, the broker would never be released
        hanging_outbox.enqueue(number)
    assert hanging_outbox._messages.qsize() == MAX_WAITING
    assert hanging_outbox.lost_count == 1000 - MAX_WAITING
    assert caplog.messages == ["1 numbers were lost: the broker is too slow"]


def test_those_that_wait_are_published_in_order(hanging_outbox: HangingOutbox) -> None:
    for number in range(1, 1001):
        hanging_outbox.enqueue(number)
    hanging_outbox.is_released.set()
    assert soon(lambda: hanging_outbox.published == list(range(MAX_WAITING + 1)))
    hanging_outbox.enqueue(7)
    assert soon(lambda: hanging_outbox.published[-1] == 7)


def test_what_the_broker_refuses_is_counted(caplog: pytest.LogCaptureFixture) -> None:
    class RefusingOutbox(Outbox[int]):
        loss_message = "%d numbers were lost: %s"

        def publish(self, batch: list[int]) -> None:
            raise OSError("away")

    outbox = RefusingOutbox()
    outbox.enqueue(1)
    outbox.flush_and_stop()
    assert outbox.lost_count == 1
    assert caplog.messages == ["1 numbers were lost: away"]


def test_none_is_lost_unless_an_outbox_finds_it() -> None:
    assert list(HangingOutbox().find_lost()) == []


class TracingOutbox(Outbox[str]):
    """Records the trace under which each message is sent."""

    loss_message = "%d messages were lost: %s"

    def __init__(self) -> None:
        super().__init__()
        self.messages_sent: list[tuple[str, dict[str, str]]] = []

    def publish(self, batch: list[str]) -> None:
        for message in batch:
            with self.use_trace_of(message):
                self.messages_sent.append((message, request_trace.logged_fields()))


def test_each_message_is_sent_with_what_led_to_it() -> None:
    outbox = TracingOutbox()
    for name in "ab":
        with request_trace.use_trace({request_trace.REQUEST_ID_FIELD: name}):
            outbox.enqueue(f"message of {name}")
            request_trace.add_to_trace(game="known too late")
    with request_trace.use_trace(None):
        outbox.enqueue("message without a trace")
    outbox.flush_and_stop()
    assert outbox.messages_sent == [
        ("message of a", {"request_id": "a"}),
        ("message of b", {"request_id": "b"}),
        ("message without a trace", {}),
    ]

"""A broker that hangs blocks no caller and fills no memory."""

from __future__ import annotations

from collections.abc import Iterator
from threading import Event

import pytest

from games import trace_context
from jobs.outbox import Outbox
from tests.config.processes import soon

MOST = 100


class Hanging(Outbox[int]):
    """An outbox whose broker accepts nothing until it is released."""

    loss_message = "%d numbers were lost: %s"

    def __init__(self) -> None:
        super().__init__()
        self.reached, self.goes_on = Event(), Event()
        self.published: list[int] = []

    def publish(self, batch: list[int]) -> None:
        self.reached.set()
        assert self.goes_on.wait(60)
        self.published += batch


@pytest.fixture
def hanging(monkeypatch: pytest.MonkeyPatch) -> Iterator[Hanging]:
    """An outbox that hangs on its first message."""
    monkeypatch.setattr("jobs.outbox.MAX_WAITING_MESSAGES", MOST)
    outbox = Hanging()
    outbox.enqueue(0)
    assert outbox.reached.wait(60)
    yield outbox
    outbox.goes_on.set()
    outbox.flush_and_stop()


def test_so_many_wait_and_the_others_are_lost(
    hanging: Hanging, caplog: pytest.LogCaptureFixture
) -> None:
    for number in range(1, 1001):
        hanging.enqueue(number)  # in this thread: if it blocked, the broker would never be released
    assert hanging._messages.qsize() == MOST
    assert hanging.lost_count == 1000 - MOST
    assert caplog.messages == ["1 numbers were lost: the broker is too slow"]


def test_those_that_wait_are_published_in_order(hanging: Hanging) -> None:
    for number in range(1, 1001):
        hanging.enqueue(number)
    hanging.goes_on.set()
    assert soon(lambda: hanging.published == list(range(MOST + 1)))
    hanging.enqueue(7)
    assert soon(lambda: hanging.published[-1] == 7)


def test_what_the_broker_refuses_is_counted(caplog: pytest.LogCaptureFixture) -> None:
    class Refusing(Outbox[int]):
        loss_message = "%d numbers were lost: %s"

        def publish(self, batch: list[int]) -> None:
            raise OSError("away")

    outbox = Refusing()
    outbox.enqueue(1)
    outbox.flush_and_stop()
    assert outbox.lost_count == 1
    assert caplog.messages == ["1 numbers were lost: away"]


def test_none_is_lost_unless_an_outbox_finds_it() -> None:
    assert list(Hanging().find_lost()) == []


class Noting(Outbox[str]):
    """Records the trace under which each message is sent."""

    loss_message = "%d messages were lost: %s"

    def __init__(self) -> None:
        super().__init__()
        self.sent: list[tuple[str, dict[str, str]]] = []

    def publish(self, batch: list[str]) -> None:
        for message in batch:
            with self.use_trace_of(message):
                self.sent.append((message, trace_context.logged_fields()))


def test_each_message_is_sent_with_what_led_to_it() -> None:
    outbox = Noting()
    for name in "ab":
        with trace_context.use_trace({trace_context.REQUEST_ID_FIELD: name}):
            outbox.enqueue(f"message of {name}")
            trace_context.add_to_trace(game="known too late")
    with trace_context.use_trace(None):
        outbox.enqueue("message without a trace")
    outbox.flush_and_stop()
    assert outbox.sent == [
        ("message of a", {"request_id": "a"}),
        ("message of b", {"request_id": "b"}),
        ("message without a trace", {}),
    ]

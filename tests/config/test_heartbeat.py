"""The supervisor distinguishes a part that works from one that is silent or takes no work."""

from __future__ import annotations

import os
from collections.abc import Iterator
from types import SimpleNamespace

import pytest

from config.supervisor import heartbeat
from config.supervisor.heartbeat import ALIVE, BUSY, EXCUSED, IDLE, Heartbeat, HeartbeatTimeouts

TIMEOUTS = HeartbeatTimeouts(
    start_seconds=100, silence_seconds=30, idle_seconds=20, busy_seconds=75
)


class Clock:
    """A monotonic clock that a test sets."""

    def __init__(self) -> None:
        self.now = 1000.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    clock = Clock()
    monkeypatch.setattr(heartbeat, "monotonic", clock)
    return clock


@pytest.fixture
def part(clock: Clock, monkeypatch: pytest.MonkeyPatch) -> Iterator[Heartbeat]:
    """The heartbeat of a part; the part sends with `heartbeat.send_sign`."""
    heartbeat_of_part = Heartbeat(TIMEOUTS)
    monkeypatch.setenv(heartbeat.PIPE_VARIABLE, str(heartbeat_of_part.write_descriptor))
    yield heartbeat_of_part
    heartbeat_of_part.close()


def complaint_after(part: Heartbeat, clock: Clock, seconds: int, *signs: bytes) -> str:
    """The supervisor's complaint after a part has sent these signs each second for a while."""
    for _ in range(seconds):
        clock.now += 1
        for sign in signs:
            heartbeat.send_sign(sign)
        part.read_signs()
    return part.complaint()


def test_a_part_has_time_to_start(part: Heartbeat, clock: Clock) -> None:
    assert complaint_after(part, clock, 99) == ""
    assert complaint_after(part, clock, 2) == "no heartbeat for 101 s"


def test_its_start_is_not_taken_for_idleness(part: Heartbeat, clock: Clock) -> None:
    complaint_after(part, clock, 90)
    assert complaint_after(part, clock, 20, IDLE) == ""
    assert complaint_after(part, clock, 2, IDLE) == "no work accepted for 21 s"


def test_a_part_that_works_is_left_alone(part: Heartbeat, clock: Clock) -> None:
    assert complaint_after(part, clock, 1000, ALIVE, IDLE) == ""


def test_a_part_that_is_silent_is_not(part: Heartbeat, clock: Clock) -> None:
    complaint_after(part, clock, 5, ALIVE, BUSY)
    assert complaint_after(part, clock, 30) == ""
    assert complaint_after(part, clock, 1) == "no heartbeat for 31 s"


def test_canaries_of_an_idle_worker_must_arrive(part: Heartbeat, clock: Clock) -> None:
    complaint_after(part, clock, 1, ALIVE)
    assert complaint_after(part, clock, 20, IDLE) == ""
    assert complaint_after(part, clock, 1, IDLE) == "no work accepted for 21 s"


def test_those_of_a_busy_one_may_wait_for_the_longest_task(part: Heartbeat, clock: Clock) -> None:
    complaint_after(part, clock, 1, ALIVE)
    assert complaint_after(part, clock, 75, BUSY) == ""
    assert complaint_after(part, clock, 1, BUSY) == "no work accepted for 76 s"


@pytest.mark.parametrize(
    ("signs", "is_busy"),
    [(BUSY + IDLE, False), (IDLE + BUSY, True), (BUSY + ALIVE, True), (BUSY + IDLE + ALIVE, False)],
)
def test_the_last_word_counts(part: Heartbeat, signs: bytes, is_busy: bool) -> None:
    for byte in signs:
        heartbeat.send_sign(bytes([byte]))
    part.read_signs()
    assert part.is_busy is is_busy


def test_a_broker_that_is_away_is_not_the_workers_fault(part: Heartbeat, clock: Clock) -> None:
    assert complaint_after(part, clock, 1000, EXCUSED) == ""
    assert complaint_after(part, clock, 20, IDLE) == "", "a whole period to take the first canary"
    assert complaint_after(part, clock, 1, IDLE)


def test_a_new_process_is_not_blamed_for_the_last(part: Heartbeat, clock: Clock) -> None:
    complaint_after(part, clock, 1, ALIVE)
    assert complaint_after(part, clock, 50, IDLE)
    heartbeat.send_sign(IDLE)  # not read yet
    part.reset()
    part.read_signs()
    assert not part.has_been_heard
    assert part.complaint() == ""


def test_a_full_pipe_blocks_no_sender(part: Heartbeat) -> None:
    for _ in range(100_000):
        heartbeat.send_sign(ALIVE)
    part.read_signs()
    assert part.complaint() == ""


def test_without_a_supervisor_no_sign_is_sent(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(heartbeat.PIPE_VARIABLE, raising=False)
    monkeypatch.setattr(heartbeat, "os", SimpleNamespace(environ=os.environ))
    heartbeat.send_sign(ALIVE)

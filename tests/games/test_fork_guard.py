"""A process does not fork while one of its threads uses the database."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from threading import Event, Thread, Timer

import pytest

from api import metric_rows
from config.keys import start_refusal
from games import fork_guard


def fork() -> int:
    """Fork a child that exits with 0 if it finds the guard free; its exit status."""
    child = os.fork()
    if child == 0:
        os._exit(fork_guard._in_use.locked())
    return os.waitpid(child, 0)[1]


@contextmanager
def a_user(order: list[str], may_leave: Event) -> Iterator[None]:
    """A thread that holds the guard until it may leave."""
    is_held = Event()

    def use() -> None:
        with fork_guard.no_fork():
            is_held.set()
            may_leave.wait()
            order.append("left")

    thread = Thread(target=use)
    thread.start()
    is_held.wait()
    yield
    may_leave.set()
    thread.join()


def test_a_fork_waits_and_its_child_finds_the_guard_free() -> None:
    order: list[str] = []
    may_leave = Event()
    with a_user(order, may_leave):
        Timer(0.2, may_leave.set).start()  # a fork that does not wait is earlier
        order.append(f"forked {fork()}")
    assert order == ["left", "forked 0"]


def test_a_fork_does_not_wait_for_ever(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(fork_guard, "MAX_WAIT_SECONDS", 0.01)
    order: list[str] = []
    with a_user(order, Event()):
        fork()
        order.append("forked")
    assert order == ["forked", "left"]
    assert fork() == 0


@pytest.mark.parametrize(
    ("module", "query", "use"),
    [
        (metric_rows, "flush_counts", metric_rows.flush_and_disconnect),
        (start_refusal, "is_confirmed", start_refusal.is_confirmed_without_fork),
    ],
)
def test_the_threads_of_a_worker_hold_it(
    monkeypatch: pytest.MonkeyPatch, module: object, query: str, use: Callable[[], object]
) -> None:
    held: list[bool] = []
    monkeypatch.setattr(module, query, lambda: held.append(fork_guard._in_use.locked()))
    use()
    assert (held, fork_guard._in_use.locked()) == ([True], False)

"""The writer of a process: one thread that commits all appends that wait, in the order in which
they came, in one statement and with one sync of the disk.

An append has its verdict after the commit, and it depends on no other of the group. Without the
thread, in processes with few appends at once, each is a statement of its own.
"""

from __future__ import annotations

import copy
import logging
import os
from collections import deque
from collections.abc import Callable, Sequence
from threading import Condition, Event, Thread
from time import monotonic
from typing import Final, TypeAlias

from django.conf import settings
from django.db import OperationalError, connection

from games import log_store
from games.log_groups import Append, append_group, drop_dead_connection
from games.log_store import LogHead, LostRace
from games.write_health import WRITE_ERRORS
from tabularium_log.projection.entry import StoredEntry

logger = logging.getLogger(__name__)

MAX_GROUP_ROWS: Final = 128  # entries in one statement


class NotAppended(Exception):
    """The append was not made; a single one may be, or say why not."""


Settle: TypeAlias = Callable[[Sequence["WaitingAppend"]], None]


class WaitingAppend:
    """An append that waits for its verdict."""

    def __init__(self, append: Append, settle: Settle) -> None:
        self.append = append
        self.settle = settle  # called in the writer's thread, with all of a group that share it
        self.queued_at = monotonic()
        self.failure: BaseException | None = None  # the verdict, once it is settled


class GroupWriter:
    """A queue of appends, and the thread that commits them."""

    def __init__(self) -> None:
        self.reset()
        os.register_at_fork(after_in_child=self.reset)

    def reset(self) -> None:
        """Start anew, also after a fork: threads are not inherited, and locks may be held."""
        self._waiting: deque[WaitingAppend] = deque()
        self._changed = Condition()
        self._thread: Thread | None = None
        self._is_enabled = False

    def enable(self) -> None:
        """Let this process commit in groups from now on."""
        self._is_enabled = True

    def disable(self) -> None:
        """Let this process commit each append by itself, once the thread has committed all that
        wait and has ended."""
        with self._changed:
            self._is_enabled = False
            self._changed.notify_all()
        if self._thread is not None:
            self._thread.join()
            self._thread = None

    @property
    def is_enabled(self) -> bool:
        """Whether appends are committed in groups."""
        return self._is_enabled

    @property
    def waiting_count(self) -> int:
        """The number of appends that no group has taken yet."""
        return len(self._waiting)

    def submit(self, *waiting: WaitingAppend) -> None:
        """Add appends to the queue, which settles them in any case."""
        with self._changed:
            if self._thread is None:
                self._thread = Thread(target=self._run, name="writer", daemon=True)
                self._thread.start()
            self._waiting.extend(waiting)
            self._changed.notify()

    def append(self, append: Append) -> None:
        """Append, and wait for the verdict."""
        is_settled = Event()
        waiting = WaitingAppend(append, lambda _: is_settled.set())
        self.submit(waiting)
        is_settled.wait()
        if waiting.failure is not None:
            raise waiting.failure

    # -- the thread -------------------------------------------------------------------------------

    def _run(self) -> None:
        try:
            while group := self._next_group():
                commit_group(group)
        finally:
            connection.close()

    def _next_group(self) -> list[WaitingAppend]:
        """The appends that waited longest, at most one of each game; none: the thread is to end."""
        with self._changed:
            while not self._waiting:
                if not self._is_enabled:
                    return []
                self._changed.wait()
            return take_group(self._waiting)


def take_group(waiting: deque[WaitingAppend]) -> list[WaitingAppend]:
    """Take the first appends from the queue. The second one of a game keeps its place for the next
    group, and so do all of this game after it."""
    group: list[WaitingAppend] = []
    later: list[WaitingAppend] = []
    games: set[str] = set()
    row_count = 0
    while waiting and (not group or row_count + len(waiting[0].append.rows) <= MAX_GROUP_ROWS):
        first = waiting.popleft()
        if first.append.game in games:
            later.append(first)
            continue
        games.add(first.append.game)
        row_count += len(first.append.rows)
        group.append(first)
    waiting.extendleft(reversed(later))
    return group


def commit_group(group: Sequence[WaitingAppend]) -> None:
    """Commit a group and settle each append, whatever fails."""
    for each in group:
        each.failure = OperationalError("the writer has failed")  # unless it gets to a verdict
    try:
        fresh = [each for each in group if not _is_overdue(each)]
        if fresh:
            _decide(fresh)
    except BaseException as problem:  # the thread goes on
        logger.exception("The writer of logs has failed: %r", problem)
    finally:
        _settle(group)


def _is_overdue(waiting: WaitingAppend) -> bool:
    """Whether it has waited so long that its client has given up; then it is not appended."""
    if monotonic() - waiting.queued_at < settings.DATABASE_SECONDS:
        return False
    waiting.failure = OperationalError("the writer of logs was busy for too long")
    return True


def _decide(group: Sequence[WaitingAppend]) -> None:
    """Append, and note the verdicts."""
    drop_dead_connection()
    try:
        lost = append_group([each.append for each in group])
    except WRITE_ERRORS as problem:  # the store fails, not a row
        connection.close()
        for each in group:
            each.failure = copy.copy(problem)
            each.failure.__cause__ = problem.__cause__
    except BaseException as problem:  # noqa: BLE001  # of one row, which spoils the statement
        _decide_alone(group, problem)
    else:
        for number, each in enumerate(group):
            each.failure = NotAppended() if number in lost else None


def _decide_alone(group: Sequence[WaitingAppend], problem: BaseException) -> None:
    """Nothing of the group was written: append each by itself, and give it its own verdict."""
    if len(group) == 1:
        group[0].failure = problem
        return
    for each in group:
        _decide([each])


def _settle(group: Sequence[WaitingAppend]) -> None:
    by_settler: dict[Settle, list[WaitingAppend]] = {}
    for each in group:
        by_settler.setdefault(each.settle, []).append(each)
    for settle, appends in by_settler.items():
        try:
            settle(appends)
        except BaseException as problem:  # such as a loop that is closed
            logger.exception("A verdict was not delivered: %r", problem)


writer: Final = GroupWriter()


def append_rows(game: str, after: int, rows: Sequence[StoredEntry], head: LogHead) -> None:
    """Append rows to a log whose last entry must be `after`; raises LostRace if it is not. In a
    group with others, unless this thread is in a transaction."""
    if writer.is_enabled and not connection.in_atomic_block:
        try:
            writer.append(Append(game, after, rows, head))
        except NotAppended as problem:
            if connection.vendor == "sqlite":
                raise LostRace from problem
        else:
            return
    log_store.append_rows(game, after, rows, head)

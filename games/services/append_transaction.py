"""The append transaction: new entries are written on a copy, appended to the log in one short
transaction, and published after it."""

from __future__ import annotations

import logging
import os
from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass
from datetime import datetime
from functools import cached_property
from queue import SimpleQueue
from threading import Thread
from typing import Any, Final

from django.conf import settings
from django.db import IntegrityError, connection, transaction
from django.utils import timezone

from games import position_cache, process_metrics, request_trace, spans
from games.group_commit import append_rows
from games.log_groups import Append
from games.log_mover import move_refused_game
from games.log_store import LogHead, LostRace
from games.position_cache import Position
from games.request_trace import Trace
from games.signals import entries_appended
from games.write_health import write_health
from tabularium_engines.base import IllegalAction
from tabularium_log.fairness.signed_hash_chain import Receipt, find_signing_key, sign_receipt
from tabularium_log.projection.entry_writer import EntryWriter, WrittenEntry
from tabularium_log.projection.projection import GameRefusal, Projection

# to win the race for the next entry; for each one lost, another append won
MAX_APPEND_ATTEMPTS: Final = 100

logger = logging.getLogger(__name__)

WriteEntries = Callable[[EntryWriter, datetime], None]
# called with the seq of the first entry, and the projection after the last
AfterAppend = Callable[[int, Projection], Any]


class GameBusy(GameRefusal):
    """So many requests append to this game at once that this one never won the race."""

    def __init__(self) -> None:
        super().__init__(
            "busy", "Too many concurrent changes to this game; nothing was done. Try again."
        )


@dataclass(frozen=True)
class AppendResult:
    """The result of a request: the entries that it appended, now or when it was first sent."""

    position: Position  # after the entries
    first_seq: int
    last_seq: int
    is_repeat: bool = False
    written_entries: tuple[WrittenEntry, ...] = ()  # only if just made

    @property
    def projection(self) -> Projection:
        """The projection after the entries."""
        return self.position.projection

    @cached_property
    def receipt(self) -> Receipt:
        """The server's signed receipt for this head of the log."""
        table, keys = self.position.projection, settings.SIGNING_KEYS
        key = find_signing_key(keys, table.creation.key) or keys[0]
        return sign_receipt(key, table.game, table.seq, self.position.hash)


@dataclass(frozen=True)
class PreparedAppend:
    """Entries that are written on a position in memory, and are not in the log yet."""

    old_position: Position
    writer: EntryWriter

    @property
    def position(self) -> Position:
        """The position after the entries."""
        return Position(self.writer.projection, self.writer.head_hash, self.writer.secret)

    @property
    def append(self) -> Append:
        """The append that puts them into the log."""
        table = self.writer.projection
        head = LogHead(self.writer.head_hash, table)
        return Append(table.game, self.old_position.projection.seq, self.writer.rows, head)

    @property
    def result(self) -> AppendResult:
        """The result, once they are in the log."""
        first, entries = self.old_position.projection.seq + 1, tuple(self.writer.written_entries)
        return AppendResult(self.position, first, first + len(entries) - 1, written_entries=entries)

    def complete(self) -> None:
        """Once the append is made: count it, remember the position, and let another thread notify
        the listeners."""
        self.count()
        position = self.position
        position_cache.cache.store(position)
        announcer.enqueue(position, self.old_position.projection.seq + 1)

    def count(self) -> None:
        """Count the append."""
        process_metrics.metrics.increment(process_metrics.APPENDS)
        process_metrics.metrics.increment(process_metrics.ENTRIES, len(self.writer.written_entries))


def prepare_append(position: Position, write: WriteEntries) -> PreparedAppend:
    """Let `write` write on a position, with the start or the end that follows."""
    writer = EntryWriter(position.secret, position.projection, position.hash)
    now = timezone.now()
    write(writer, now)
    writer.finish(now)
    return PreparedAppend(position, writer)


def change_game(
    game: str, write: WriteEntries, after_append: AfterAppend | None = None
) -> AppendResult:
    """Let `write` write on the game's projection, and append its entries, with the start or the end
    that follow from them; `after_append` changes other rows in the same transaction."""
    for attempt in range(MAX_APPEND_ATTEMPTS):
        cached = position_cache.cache.get_latest(game) if attempt == 0 else None
        position = cached or position_cache.current_position(game)
        try:
            prepared = prepare_append(position, write)
        except (GameRefusal, IllegalAction):
            if cached is None:
                raise
            continue  # the cached position may be out of date: retry with the present one
        if cached is not None and not prepared.writer.written_entries:
            continue  # as above: another process may have added the reason to write
        try:
            return _append_prepared(prepared, after_append)
        except LostRace:
            process_metrics.metrics.increment(process_metrics.LOST_RACES)
        except IntegrityError as problem:
            if not move_refused_game(game, problem):
                raise
    raise GameBusy


def _append_prepared(prepared: PreparedAppend, after_append: AfterAppend | None) -> AppendResult:
    result = prepared.result
    if not result.written_entries:
        return result
    append = prepared.append
    with (
        append_step(append),
        # inside a transaction, a refusal must not spoil it
        transaction.atomic() if after_append or connection.in_atomic_block else nullcontext(),
    ):
        append_rows(*append)
        if after_append:
            after_append(result.first_seq, result.projection)
    prepared.count()
    announce_after_commit(result.position, result.first_seq)
    return result


def append_step(append: Append) -> AbstractContextManager[None]:
    """The span of an append, if it is recorded."""
    if spans.recorder.start is None:
        return nullcontext()
    return spans.step("append", append_attributes(append))


def append_attributes(append: Append) -> spans.Attributes:
    """The attributes of the span of an append."""
    return {"tabularium.game": append.game, "tabularium.entries": len(append.rows)}


def announce_after_commit(position: Position, first: int) -> None:
    """After the commit, cache the position and notify the listeners. A listener that fails is
    logged: the append stands."""

    def announce_now() -> None:
        write_health.record_success()
        position_cache.cache.store(position)
        announce(position, first)

    transaction.on_commit(announce_now, robust=True)


def announce(position: Position, first: int) -> None:
    """Notify the listeners of the entries from `first` on, which are in the log."""
    entries_appended.send_robust(sender=Projection, table=position.projection, first=first)


class Announcer:
    """A thread that notifies the listeners of appends which a thread has made that may not wait for
    them: some ask the database."""

    def __init__(self) -> None:
        self.reset()
        os.register_at_fork(after_in_child=self.reset)

    def reset(self) -> None:
        """Start anew, also after a fork: threads are not inherited."""
        self._appends: SimpleQueue[tuple[Position, int, Trace | None] | None] = SimpleQueue()
        self._thread: Thread | None = None

    def enqueue(self, position: Position, first: int) -> None:
        """Notify the listeners of these entries soon, and in the order of the calls."""
        if self._thread is None:
            self._thread = Thread(target=self._run, name="announcer", daemon=True)
            self._thread.start()
        self._appends.put((position, first, request_trace.current_trace()))

    def finish(self) -> None:
        """End the thread, once it has notified the listeners of all that it was given."""
        if self._thread is not None:
            self._appends.put(None)
            self._thread.join()
            self._thread = None

    def _run(self) -> None:
        while (append := self._appends.get()) is not None:
            position, first, trace = append
            with request_trace.use_trace(trace):
                try:
                    announce(position, first)
                    connection.close_if_unusable_or_obsolete()
                except Exception:
                    logger.exception("The listeners of an append were not notified")
        connection.close()


announcer: Final = Announcer()

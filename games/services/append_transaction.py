"""The append transaction: new entries are written on a copy, appended to the log in one short
transaction, and published after it."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import nullcontext
from dataclasses import dataclass
from datetime import datetime
from functools import cached_property
from typing import Any, Final

from django.conf import settings
from django.db import transaction
from django.utils import timezone

from games import position_cache, process_metrics, request_trace
from games.engines.base import IllegalAction
from games.fairness.signed_hash_chain import Receipt, find_signing_key, sign_receipt
from games.log_store import LogHead, LostRace, append_rows
from games.position_cache import Position
from games.projection.entry_writer import EntryWriter, WrittenEntry
from games.projection.projection import GameRefusal, Projection
from games.signals import entries_appended
from games.write_health import write_health

# to win the race for the next entry; for each one lost, another append won
MAX_APPEND_ATTEMPTS: Final = 100

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


def change_game(
    game: str, write: WriteEntries, after_append: AfterAppend | None = None
) -> AppendResult:
    """Let `write` write on the game's projection, and append its entries, with the start or the end
    that follows from them; `after_append` changes other rows in the same transaction."""
    request_trace.add_to_trace(game=game)
    for attempt in range(MAX_APPEND_ATTEMPTS):
        cached = position_cache.cache.get_latest(game) if attempt == 0 else None
        position = cached or position_cache.current_position(game)
        writer = EntryWriter(position.secret, position.projection, position.hash)
        now = timezone.now()
        try:
            write(writer, now)
            writer.finish(now)
        except (GameRefusal, IllegalAction):
            if cached is None:
                raise
            continue  # the cached position may be out of date: retry with the present one
        try:
            return _append_written(position, writer, after_append)
        except LostRace:
            process_metrics.metrics.increment(process_metrics.LOST_RACES)
            continue
    raise GameBusy


def _append_written(
    old_position: Position, writer: EntryWriter, after_append: AfterAppend | None
) -> AppendResult:
    table, first = writer.projection, old_position.projection.seq + 1
    if not writer.written_entries:
        return AppendResult(old_position, first, first - 1)
    with transaction.atomic() if after_append else nullcontext():
        append_rows(
            table.game, old_position.projection.seq, writer.rows, LogHead(writer.head_hash, table)
        )
        if after_append:
            after_append(first, table)
    process_metrics.metrics.increment(process_metrics.APPENDS)
    process_metrics.metrics.increment(process_metrics.ENTRIES, len(writer.written_entries))
    position = Position(table, writer.head_hash, writer.secret)
    announce_after_commit(position, first)
    return AppendResult(position, first, table.seq, written_entries=tuple(writer.written_entries))


def announce_after_commit(position: Position, first: int) -> None:
    """After the commit, cache the position and notify the listeners. A listener that fails is
    logged: the append stands."""

    def announce() -> None:
        write_health.record_success()
        position_cache.cache.store(position)
        entries_appended.send_robust(sender=Projection, table=position.projection, first=first)

    transaction.on_commit(announce, robust=True)

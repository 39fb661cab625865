"""The log store: the SQL of logs, written by hand and run as prepared statements. Rows are appended
in one short transaction that first moves the head by compare-and-set, which guards against races
and checks the hash chain."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass
from datetime import datetime
from threading import Lock, local
from typing import Any, Final, NamedTuple

import psycopg
from django.db import IntegrityError, connection

from games import old_log
from games.write_health import watch_write
from tabularium_log.fairness.signed_hash_chain import GENESIS_HASH
from tabularium_log.projection.entry import (
    ContentColumns,
    LogRow,
    OldBox,
    StoredColumns,
    StoredEntry,
    stored_entry,
)
from tabularium_log.projection.open_proposals import proposal_text
from tabularium_log.projection.projection import Projection

HEAD_COLUMNS: Final = ("seq", "hash", "at", "phase", "awaited", "bots", "deadline", "proposal")
# SQLite has one writer at a time: threads queue here instead of retrying
_sqlite_write_lock: Final = Lock()


class LostRace(Exception):
    """Another writer has appended to this log in the meantime; nothing was written."""


@dataclass(frozen=True)
class LogHead:
    """The head of a log, as it stands in the game's row after the last entry."""

    hash: str
    projection: Projection

    def columns(self) -> dict[str, Any]:
        """The row's columns that follow from the log."""
        table = self.projection
        at = datetime.fromisoformat(table.entry.at)
        table_columns = table.phase, table.awaited_seats, table.bot_seats, table.deadline
        values = (table.seq, self.hash, at, *table_columns, proposal_text(table))
        return dict(zip(HEAD_COLUMNS, values, strict=True))


ENTRY_COLUMNS: Final = StoredColumns._fields
ENTRY_TABLE: Final = f"games_entry (game_id, {', '.join(ENTRY_COLUMNS)})"
_INSERT_ENTRY: Final = (
    f"INSERT INTO {ENTRY_TABLE} VALUES ({', '.join(['%s'] * (1 + len(ENTRY_COLUMNS)))})"
)
_MOVE_HEAD: Final = (
    f"UPDATE games_game SET {', '.join(f'{name} = %s' for name in HEAD_COLUMNS)}"
    " WHERE id = %s AND seq = %s"
)
ENTRY_TYPES: Final = ("int", "smallint", "bigint", "text", "text", "bytea", "bytea", "bytea")
_ENTRY_PLACEHOLDERS: Final = f"({', '.join(f'%s::{kind}' for kind in ENTRY_TYPES)})"
_APPEND_IN_ONE: Final = (
    f"WITH moved AS ({_MOVE_HEAD} RETURNING id) INSERT INTO {ENTRY_TABLE}"
    f" SELECT moved.id, {', '.join(f'entry.{name}' for name in ENTRY_COLUMNS)}"
    f" FROM moved, (VALUES {{}}) AS entry ({', '.join(ENTRY_COLUMNS)}) ORDER BY entry.seq"
)

# SQLite has no such statement, but an insert into a view can have two effects. Each connection has
# a view of its own: one in the database would stand in the way of migrations.
_LOST_RACE_MESSAGE: Final = "another writer has appended"
# the columns of an entry in a view beside those of the head, which has the same seq
VIEW_COLUMNS: Final = tuple(f"entry_{name}" for name in ENTRY_COLUMNS[1:])
SELECT_FOR_VIEW: Final = ", ".join(
    [f"games_entry.{name} AS entry_{name}" for name in ENTRY_COLUMNS[1:]]
    + [f"games_game.{name}" for name in HEAD_COLUMNS]
)
ENTRY_OF_VIEW: Final = ", ".join(f"NEW.{name}" for name in ("game_id", "seq", *VIEW_COLUMNS))
_CREATE_VIEW: Final = (
    f"CREATE TEMP VIEW IF NOT EXISTS games_appended AS SELECT game_id, {SELECT_FOR_VIEW}"
    " FROM games_entry, games_game"
)
_CREATE_TRIGGER: Final = f"""
    CREATE TEMP TRIGGER IF NOT EXISTS games_appending INSTEAD OF INSERT ON games_appended BEGIN
        UPDATE games_game SET {", ".join(f"{name} = NEW.{name}" for name in HEAD_COLUMNS)}
            WHERE id = NEW.game_id AND seq = NEW.seq - 1;
        SELECT RAISE(ABORT, '{_LOST_RACE_MESSAGE}') WHERE changes() = 0;
        INSERT INTO {ENTRY_TABLE} VALUES ({ENTRY_OF_VIEW});
    END
"""
_ROW_COLUMNS: Final = ("game_id", *VIEW_COLUMNS, *HEAD_COLUMNS)
_INSERT_INTO_VIEW: Final = f"INSERT INTO games_appended ({', '.join(_ROW_COLUMNS)}) VALUES {{}}"
_VIEW_PLACEHOLDERS: Final = f"({', '.join(['%s'] * len(_ROW_COLUMNS))})"


class _PreparedConnection(local):
    """The connection of this thread that already has its view."""

    connection: Any = None


_prepared_connection: Final = _PreparedConnection()


def append_rows(game: str, after: int, rows: Sequence[StoredEntry], head: LogHead) -> None:
    """Append rows to a log whose last entry must be `after`; raises LostRace if it is not."""
    if connection.vendor == "postgresql":
        with watch_write():
            _append_in_one_statement(game, after, rows, head)
        return
    # avoid a deadlock: inside a transaction this connection may already hold the write lock
    with nullcontext() if connection.in_atomic_block else _sqlite_write_lock, watch_write():
        _append_through_view(game, rows, head)


def insert_first_rows(game: str, rows: Sequence[StoredEntry]) -> None:
    """Insert the first rows of a game whose own row was just made, in that transaction."""
    with connection.cursor() as cursor:
        cursor.executemany(_INSERT_ENTRY, [(game, *row.columns) for row in rows])


def _append_in_one_statement(
    game: str, after: int, rows: Sequence[StoredEntry], head: LogHead
) -> None:
    values = [
        *adapt_values(head.columns()),
        game,
        after,
        *(value for row in rows for value in row.columns),
    ]
    with execute_prepared(
        _APPEND_IN_ONE.format(", ".join([_ENTRY_PLACEHOLDERS] * len(rows))), values
    ) as cursor:
        if cursor.rowcount != len(rows):
            raise LostRace


def _append_through_view(game: str, rows: Sequence[StoredEntry], head: LogHead) -> None:
    """Outside a transaction this single statement is one of its own, with no waiting inside it."""
    head_values = adapt_values(head.columns())
    values = [value for row in rows for value in (game, *view_values(row, head_values))]
    with connection.cursor() as cursor:
        _create_view(cursor)
        try:
            cursor.execute(
                _INSERT_INTO_VIEW.format(", ".join([_VIEW_PLACEHOLDERS] * len(rows))), values
            )
        except IntegrityError as problem:
            if str(problem) == _LOST_RACE_MESSAGE:
                raise LostRace from problem
            raise


def _create_view(cursor: Any) -> None:
    """Create the connection's view; in a transaction it may be rolled back, and is made again."""
    if _prepared_connection.connection is not connection.connection:
        cursor.execute(_CREATE_VIEW)
        cursor.execute(_CREATE_TRIGGER)
        if not connection.in_atomic_block:
            _prepared_connection.connection = connection.connection


def view_values(row: StoredEntry, head_values: Sequence[Any]) -> tuple[Any, ...]:
    """The values of a view's columns after the game. Of the head's columns, seq and hash are the
    row's; the others are the same for all rows, of which the last row's stay."""
    return (*row.columns[1:], row.seq, row.hash, *head_values[2:])


def adapt_values(columns: dict[str, Any]) -> list[Any]:
    """The values as this database takes them, in the order of the statement."""
    adapt = connection.ops.adapt_datetimefield_value
    return [adapt(value) if isinstance(value, datetime) else value for value in columns.values()]


# -- reading ---------------------------------------------------------------------------------------


def read_head(game: str) -> tuple[int, str, bytes] | None:
    """The seq and hash of a log's last entry, and the game's locked secret; None without a game."""
    row = _read_row("SELECT seq, hash, secret FROM games_game WHERE id = %s", [game])
    return None if row is None else (row[0], row[1], row[2])


_CONTENT: Final = ("seq", "seat", "at", "action", "paths", "box")
_SELECT_CONTENTS: Final = (
    f"SELECT {', '.join(_CONTENT)} FROM games_entry"
    " WHERE game_id = %s AND seq > %s AND seq <= %s ORDER BY seq"
)
_SELECT_ENTRIES: Final = (
    f"SELECT {', '.join(ENTRY_COLUMNS)} FROM games_entry"
    " WHERE game_id = %s AND seq >= %s AND seq <= %s ORDER BY seq"
)
_READ_AT_ONCE: Final = 1_000  # entries


def read_contents(
    game: str, after: int, last: int
) -> tuple[Sequence[ContentColumns], Sequence[OldBox]]:
    """The columns of these entries that hold their contents or, of a game that is still in the old
    table, their boxes there."""
    if rows := _select_contents(game, after, last):
        return rows, []
    if boxes := old_log.read_boxes(game, after, last):
        return [], boxes
    return _select_contents(game, after, last), []  # it may just have been moved


def _select_contents(game: str, after: int, last: int) -> list[ContentColumns]:
    with execute_prepared(_SELECT_CONTENTS, [game, after, last]) as cursor:
        rows: list[ContentColumns] = cursor.fetchall()
    return rows


def read_entries(game: str, after: int, last: int) -> Iterator[StoredEntry]:
    """The entries after entry `after` up to entry `last`, some at a time."""
    for first in range(after, last, _READ_AT_ONCE):
        part = game, first, min(last, first + _READ_AT_ONCE)
        # without either, the log may just have been moved
        yield from (_select_entries(*part) or old_log.read_entries(*part) or _select_entries(*part))


def _select_entries(game: str, after: int, last: int) -> list[StoredEntry]:
    with execute_prepared(_SELECT_ENTRIES, [game, after, last]) as cursor:
        rows = [StoredColumns(*row) for row in cursor.fetchall()]
    entries: list[StoredEntry] = []
    hash_ = GENESIS_HASH
    for columns in rows:
        if columns.seq > after:
            entries.append(stored_entry(game, hash_, columns))
        hash_ = columns.hash.hex()
    return entries


_SELECT_LOGS: Final = (
    f"SELECT {', '.join(('game_id', *LogRow._fields[1:]))} FROM games_entry"
    " WHERE game_id IN ({}) ORDER BY game_id, seq"
)


def read_logs(games: Sequence[str]) -> list[Any]:
    """All entries of these games, game by game, in one statement: plain tuples of the columns of
    `LogRow`, which are slower to build."""
    with connection.cursor() as cursor:
        cursor.execute(_SELECT_LOGS.format(", ".join(["%s"] * len(games))), games)
        return list(cursor.fetchall())


class LaterEntry(NamedTuple):
    """An entry after the newest one that this process knows of its game."""

    game: str
    hash: bytes
    content: ContentColumns


_AFTER_ONE: Final = (
    f"SELECT game_id, hash, {', '.join(_CONTENT)} FROM games_entry WHERE game_id = %s AND seq > %s"
)
_AFTER_ALL: Final = (
    f"SELECT entry.game_id, entry.hash, {', '.join(f'entry.{name}' for name in _CONTENT)}"
    " FROM unnest(%s::text[], %s::int[]) AS known (game_id, seq)"
    " JOIN games_entry AS entry ON entry.game_id = known.game_id AND entry.seq > known.seq"
    " ORDER BY entry.game_id, entry.seq"
)


def read_later_entries(known: Mapping[str, int]) -> list[LaterEntry]:
    """The entries of these games after the given ones, each game's in order, in one statement. A
    game in the old table has none: it does not grow there."""
    if connection.vendor == "postgresql":
        query, values = _AFTER_ALL, [list(known), list(known.values())]
    else:
        query = " UNION ALL ".join([_AFTER_ONE] * len(known)) + " ORDER BY game_id, seq"
        values = [value for pair in known.items() for value in pair]
    with execute_prepared(query, values) as cursor:
        return [LaterEntry(game, hash_, content) for game, hash_, *content in cursor.fetchall()]


def read_hash(game: str, seq: int) -> str:
    """The hash of an entry."""
    row = _read_row("SELECT hash FROM games_entry WHERE game_id = %s AND seq = %s", [game, seq])
    if row is None:
        return old_log.read_hashes(game, [seq])[seq]
    hash_: bytes = row[0]
    return hash_.hex()


def _read_row(query: str, values: list[Any]) -> tuple[Any, ...] | None:
    with execute_prepared(query, values) as cursor:
        row: tuple[Any, ...] | None = cursor.fetchone()
    return row


# -- prepared statements ---------------------------------------------------------------------------


@contextmanager
def execute_prepared(query: str, values: Sequence[Any]) -> Iterator[Any]:
    """The cursor of an executed statement. It is run as Django runs it, except that PostgreSQL
    plans a statement only once per connection and answers in binary."""
    if connection.vendor != "postgresql":
        with connection.cursor() as cursor:
            cursor.execute(query, values)
            yield cursor
        return
    connection.close_if_health_check_failed()
    connection.ensure_connection()
    connection.validate_no_broken_transaction()
    # Django's own cursors write the values into the statement, so that each is planned again
    with connection.wrap_database_errors, psycopg.Cursor(connection.connection) as cursor:
        cursor.execute(query, values, prepare=True, binary=True)
        yield cursor

"""The log store: the SQL of logs, written by hand and run as prepared statements. Rows are appended
in one short transaction that first moves the head by compare-and-set, which guards against races
and checks the hash chain."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass
from datetime import datetime
from threading import Lock, local
from typing import Any, Final

import psycopg
from django.db import IntegrityError, connection

from games.projection.entry import StoredEntry
from games.projection.projection import Projection
from games.write_health import watch_write

_HEAD_COLUMNS: Final = ("seq", "hash", "at", "phase", "awaited", "bots", "deadline")
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
        return dict(zip(_HEAD_COLUMNS, (table.seq, self.hash, at, *table_columns), strict=True))


_ENTRY_TABLE: Final = "games_entry (game_id, seq, text, hash, box)"
_INSERT_ENTRY: Final = f"INSERT INTO {_ENTRY_TABLE} VALUES (%s, %s, %s, %s, %s)"
_MOVE_HEAD: Final = (
    f"UPDATE games_game SET {', '.join(f'{name} = %s' for name in _HEAD_COLUMNS)}"
    " WHERE id = %s AND seq = %s"
)
_ENTRY_PLACEHOLDERS: Final = "(%s::int, %s::text, %s::text, %s::bytea)"
_APPEND_IN_ONE: Final = (
    f"WITH moved AS ({_MOVE_HEAD} RETURNING id) INSERT INTO {_ENTRY_TABLE}"
    " SELECT moved.id, entry.seq, entry.text, entry.hash, entry.box"
    " FROM moved, (VALUES {}) AS entry (seq, text, hash, box) ORDER BY entry.seq"
)

# SQLite has no such statement, but an insert into a view can have two effects. Each connection has
# a view of its own: one in the database would stand in the way of migrations.
_LOST_RACE_MESSAGE: Final = "another writer has appended"
_CREATE_VIEW: Final = (
    "CREATE TEMP VIEW IF NOT EXISTS games_appended AS"
    f" SELECT game_id, text, box, {', '.join(f'games_game.{name}' for name in _HEAD_COLUMNS)}"
    " FROM games_entry, games_game"
)
_CREATE_TRIGGER: Final = f"""
    CREATE TEMP TRIGGER IF NOT EXISTS games_appending INSTEAD OF INSERT ON games_appended BEGIN
        UPDATE games_game SET {", ".join(f"{name} = NEW.{name}" for name in _HEAD_COLUMNS)}
            WHERE id = NEW.game_id AND seq = NEW.seq - 1;
        SELECT RAISE(ABORT, '{_LOST_RACE_MESSAGE}') WHERE changes() = 0;
        INSERT INTO {_ENTRY_TABLE} VALUES (NEW.game_id, NEW.seq, NEW.text, NEW.hash, NEW.box);
    END
"""
_INSERT_INTO_VIEW: Final = (
    f"INSERT INTO games_appended (game_id, text, box, {', '.join(_HEAD_COLUMNS)}) VALUES {{}}"
)
_VIEW_PLACEHOLDERS: Final = f"({', '.join(['%s'] * (3 + len(_HEAD_COLUMNS)))})"


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
        cursor.executemany(_INSERT_ENTRY, [(game, *_entry_values(row)) for row in rows])


def _append_in_one_statement(
    game: str, after: int, rows: Sequence[StoredEntry], head: LogHead
) -> None:
    values = [
        *_adapt_values(head.columns()),
        game,
        after,
        *(v for row in rows for v in _entry_values(row)),
    ]
    with execute_prepared(
        _APPEND_IN_ONE.format(", ".join([_ENTRY_PLACEHOLDERS] * len(rows))), values
    ) as cursor:
        if cursor.rowcount != len(rows):
            raise LostRace


def _append_through_view(game: str, rows: Sequence[StoredEntry], head: LogHead) -> None:
    """Outside a transaction this single statement is one of its own, with no waiting inside it."""
    head_values = _adapt_values(head.columns())[2:]  # the same for all rows: the last row's stay
    values = [value for r in rows for value in (game, r.text, r.box, r.seq, r.hash, *head_values)]
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


def _entry_values(row: StoredEntry) -> tuple[int, str, str, bytes]:
    return row.seq, row.text, row.hash, row.box


def _adapt_values(columns: dict[str, Any]) -> list[Any]:
    """The values as this database takes them, in the order of the statement."""
    adapt = connection.ops.adapt_datetimefield_value
    return [adapt(value) if isinstance(value, datetime) else value for value in columns.values()]


# -- reading ---------------------------------------------------------------------------------------


def read_head(game: str) -> tuple[int, str, bytes] | None:
    """The seq and hash of a log's last entry, and the game's locked secret; None without a game."""
    row = _read_row("SELECT seq, hash, secret FROM games_game WHERE id = %s", [game])
    return None if row is None else (row[0], row[1], row[2])


def read_boxes(game: str, after: int, last: int) -> list[tuple[int, bytes]]:
    """The encrypted boxes of these entries, each with its seq."""
    query = (
        "SELECT seq, box FROM games_entry WHERE game_id = %s AND seq > %s AND seq <= %s"
        " ORDER BY seq"
    )
    with execute_prepared(query, [game, after, last]) as cursor:
        rows: list[tuple[int, bytes]] = cursor.fetchall()
    return rows


def read_hash(game: str, seq: int) -> str:
    """The hash of an entry."""
    row = _read_row("SELECT hash FROM games_entry WHERE game_id = %s AND seq = %s", [game, seq])
    assert row is not None
    hash_: str = row[0]
    return hash_


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

"""How do rows get into a log? In one short transaction that first moves the head: compare-and-set
guards against races and checks the chain in one. The one place with SQL by hand."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import nullcontext
from dataclasses import dataclass
from datetime import datetime
from threading import Lock, local
from typing import Any, Final

from django.db import IntegrityError, connection

from games.executing import executed
from games.table.entry import Row
from games.table.table import Table
from games.writes import watched

_HEAD: Final = ("seq", "hash", "at", "phase", "awaited", "bots", "deadline")
_turn: Final = Lock()  # SQLite has one writer at a time: threads queue, instead of trying again


class LostRace(Exception):
    """Somebody else has appended to this log in the meantime; nothing was written."""


@dataclass(frozen=True)
class Head:
    """What a game's row says after the last entry."""

    hash: str
    table: Table

    def columns(self) -> dict[str, Any]:
        """The row's columns that follow from the log."""
        table = self.table
        at = datetime.fromisoformat(table.entry.at)
        follows = table.phase, table.awaited, table.bots, table.deadline
        return dict(zip(_HEAD, (table.seq, self.hash, at, *follows), strict=True))


_COLUMNS: Final = "games_entry (game_id, seq, text, hash, box)"
_INSERT: Final = f"INSERT INTO {_COLUMNS} VALUES (%s, %s, %s, %s, %s)"
_MOVE: Final = (
    f"UPDATE games_game SET {', '.join(f'{name} = %s' for name in _HEAD)}"
    " WHERE id = %s AND seq = %s"
)
_LINE: Final = "(%s::int, %s::text, %s::text, %s::bytea)"
_IN_ONE: Final = (
    f"WITH moved AS ({_MOVE} RETURNING id) INSERT INTO {_COLUMNS}"
    " SELECT moved.id, entry.seq, entry.text, entry.hash, entry.box"
    " FROM moved, (VALUES {}) AS entry (seq, text, hash, box) ORDER BY entry.seq"
)

# SQLite has no such statement, but what is inserted into a view can be two things. Each connection
# has a view of its own: one in the database would stand in the way of migrations.
_LOST: Final = "somebody else has appended"
_VIEW: Final = (
    "CREATE TEMP VIEW IF NOT EXISTS games_appended AS"
    f" SELECT game_id, text, box, {', '.join(f'games_game.{name}' for name in _HEAD)}"
    " FROM games_entry, games_game"
)
_TRIGGER: Final = f"""
    CREATE TEMP TRIGGER IF NOT EXISTS games_appending INSTEAD OF INSERT ON games_appended BEGIN
        UPDATE games_game SET {", ".join(f"{name} = NEW.{name}" for name in _HEAD)}
            WHERE id = NEW.game_id AND seq = NEW.seq - 1;
        SELECT RAISE(ABORT, '{_LOST}') WHERE changes() = 0;
        INSERT INTO {_COLUMNS} VALUES (NEW.game_id, NEW.seq, NEW.text, NEW.hash, NEW.box);
    END
"""
_ADD: Final = f"INSERT INTO games_appended (game_id, text, box, {', '.join(_HEAD)}) VALUES {{}}"
_LINE_WITH_HEAD: Final = f"({', '.join(['%s'] * (3 + len(_HEAD)))})"


class _Prepared(local):
    """The connection of this thread that has its view."""

    connection: Any = None


_prepared: Final = _Prepared()


def append(game: str, after: int, rows: Sequence[Row], head: Head) -> None:
    """Add rows to a log whose last entry is `after`; LostRace if it is not any more."""
    if connection.vendor == "postgresql":
        with watched():
            _append_at_once(game, after, rows, head)
        return
    # who holds the database already must not wait for those who wait for the database
    with nullcontext() if connection.in_atomic_block else _turn, watched():
        _append_by_view(game, rows, head)


def insert(game: str, rows: Sequence[Row]) -> None:
    """The first rows of a game whose own row was just made, in that transaction."""
    with connection.cursor() as cursor:
        cursor.executemany(_INSERT, [(game, *_values(row)) for row in rows])


def _append_at_once(game: str, after: int, rows: Sequence[Row], head: Head) -> None:
    values = [*_adapted(head.columns()), game, after, *(v for row in rows for v in _values(row))]
    with executed(_IN_ONE.format(", ".join([_LINE] * len(rows))), values) as cursor:
        if cursor.rowcount != len(rows):
            raise LostRace


def _append_by_view(game: str, rows: Sequence[Row], head: Head) -> None:
    """Not in a transaction, this is one: a single call, that nobody is waited for amidst."""
    rest = _adapted(head.columns())[2:]  # all rows may say what the last one does
    values = [value for r in rows for value in (game, r.text, r.box, r.seq, r.hash, *rest)]
    with connection.cursor() as cursor:
        _prepare(cursor)
        try:
            cursor.execute(_ADD.format(", ".join([_LINE_WITH_HEAD] * len(rows))), values)
        except IntegrityError as problem:
            if str(problem) == _LOST:
                raise LostRace from problem
            raise


def _prepare(cursor: Any) -> None:
    """Let the connection have its view; what is made in a transaction may be rolled back."""
    if _prepared.connection is not connection.connection:
        cursor.execute(_VIEW)
        cursor.execute(_TRIGGER)
        if not connection.in_atomic_block:
            _prepared.connection = connection.connection


def _values(row: Row) -> tuple[int, str, str, bytes]:
    return row.seq, row.text, row.hash, row.box


def _adapted(columns: dict[str, Any]) -> list[Any]:
    """The values as this database wants them, in the order of the statement."""
    adapt = connection.ops.adapt_datetimefield_value
    return [adapt(value) if isinstance(value, datetime) else value for value in columns.values()]

"""How do rows get into a log? In one short transaction that first moves the head: compare-and-set
guards against races and checks the chain in one. The one place with SQL by hand."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import nullcontext
from dataclasses import dataclass
from datetime import datetime
from threading import Lock
from typing import Any, Final

from django.db import connection, transaction

from games.executing import executed
from games.table.entry import Row
from games.table.table import Table

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
        return {
            "seq": table.seq,
            "hash": self.hash,
            "at": datetime.fromisoformat(table.entry.at),
            "phase": table.phase,
            "awaited": table.awaited,
            "bots": table.bots,
            "deadline": table.deadline,
        }


_MOVE: Final = (
    "UPDATE games_game SET seq = %s, hash = %s, at = %s, phase = %s, awaited = %s, bots = %s,"
    " deadline = %s WHERE id = %s AND seq = %s"
)
_COLUMNS: Final = "games_entry (game_id, seq, text, hash, box)"
_INSERT: Final = f"INSERT INTO {_COLUMNS} VALUES (%s, %s, %s, %s, %s)"
_LINE: Final = "(%s::int, %s::text, %s::text, %s::bytea)"
_IN_ONE: Final = (
    f"WITH moved AS ({_MOVE} RETURNING id) INSERT INTO {_COLUMNS}"
    " SELECT moved.id, entry.seq, entry.text, entry.hash, entry.box"
    " FROM moved, (VALUES {}) AS entry (seq, text, hash, box) ORDER BY entry.seq"
)


def append(game: str, after: int, rows: Sequence[Row], head: Head) -> None:
    """Add rows to a log whose last entry is `after`; LostRace if it is not any more."""
    move = [*_adapted(head.columns()), game, after]
    if connection.vendor == "postgresql":
        _append_in_one(move, rows)
    else:
        # who holds the database already must not wait for those who wait for the database
        queue = nullcontext() if connection.in_atomic_block else _turn
        with queue, transaction.atomic():
            _append_in_steps(game, move, rows)


def insert(game: str, rows: Sequence[Row]) -> None:
    """The first rows of a game whose own row was just made, in that transaction."""
    with connection.cursor() as cursor:
        cursor.executemany(_INSERT, [(game, *_values(row)) for row in rows])


def _append_in_one(move: list[Any], rows: Sequence[Row]) -> None:
    values = [*move, *(value for row in rows for value in _values(row))]
    with executed(_IN_ONE.format(", ".join([_LINE] * len(rows))), values) as cursor:
        if cursor.rowcount != len(rows):
            raise LostRace


def _append_in_steps(game: str, move: list[Any], rows: Sequence[Row]) -> None:
    with connection.cursor() as cursor:
        cursor.execute(_MOVE, move)
        if cursor.rowcount == 0:
            raise LostRace
    insert(game, rows)


def _values(row: Row) -> tuple[int, str, str, bytes]:
    return row.seq, row.text, row.hash, row.box


def _adapted(columns: dict[str, Any]) -> list[Any]:
    """The values as this database wants them, in the order of the statement."""
    adapt = connection.ops.adapt_datetimefield_value
    return [adapt(value) if isinstance(value, datetime) else value for value in columns.values()]

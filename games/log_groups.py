"""The SQL that appends to several logs in one statement, with a verdict for each.

Nothing of an append is written unless its log is as long as it expects. The verdicts are not taken
from the hashes: two equal actions in one millisecond make the same entry.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from threading import local
from typing import Any, Final, NamedTuple

from django.db import connection

from games.database_sockets import is_open
from games.log_store import (
    ENTRY_COLUMNS,
    ENTRY_OF_VIEW,
    ENTRY_TABLE,
    ENTRY_TYPES,
    HEAD_COLUMNS,
    SELECT_FOR_VIEW,
    VIEW_COLUMNS,
    LogHead,
    adapt_values,
    execute_prepared,
    view_values,
)
from games.write_health import watch_write
from tabularium_log.projection.entry import StoredEntry


class Append(NamedTuple):
    """Rows for a log whose last entry must be `after`."""

    game: str
    after: int
    rows: Sequence[StoredEntry]
    head: LogHead


def append_group(appends: Sequence[Append]) -> set[int]:
    """Append to several logs, each only once, in one statement that is committed when this returns.
    The indices of those appends that were not made: another writer has appended to the log or, on
    PostgreSQL, is about to."""
    with watch_write():
        if connection.vendor == "postgresql":
            return _append_on_postgresql(appends)
        return _append_on_sqlite(appends)


def drop_dead_connection() -> None:
    """Close the connection of this thread if the server has closed it."""
    driver: Any = connection.connection
    if connection.vendor == "postgresql" and driver is not None and not is_open(driver):
        connection.close()


# -- SQLite ----------------------------------------------------------------------------------------

# An insert into a view has several effects: each row moves the head of its log or, if that fails,
# notes its append as lost. After that no other row of this append has an effect.
_ROW_COLUMNS: Final = ("number", "game_id", *VIEW_COLUMNS, *HEAD_COLUMNS)
_IS_LOST: Final = "EXISTS (SELECT 1 FROM games_lost WHERE number = NEW.number)"
_CREATE_LOST: Final = (
    "CREATE TEMP TABLE IF NOT EXISTS games_lost (number INTEGER PRIMARY KEY) STRICT"
)
_CREATE_VIEW: Final = (
    f"CREATE TEMP VIEW IF NOT EXISTS games_grouped AS SELECT number, game_id, {SELECT_FOR_VIEW}"
    " FROM games_lost, games_entry, games_game"
)
_CREATE_TRIGGER: Final = f"""
    CREATE TEMP TRIGGER IF NOT EXISTS games_grouping INSTEAD OF INSERT ON games_grouped BEGIN
        UPDATE games_game SET {", ".join(f"{name} = NEW.{name}" for name in HEAD_COLUMNS)}
            WHERE id = NEW.game_id AND seq = NEW.seq - 1 AND NOT {_IS_LOST};
        INSERT INTO games_lost SELECT NEW.number WHERE changes() = 0 AND NOT {_IS_LOST};
        INSERT INTO {ENTRY_TABLE} SELECT {ENTRY_OF_VIEW} WHERE NOT {_IS_LOST};
    END
"""
_PREPARATION: Final = (
    # a note of a lost append must not cost a sync
    "PRAGMA temp_store = MEMORY",
    _CREATE_LOST,
    _CREATE_VIEW,
    _CREATE_TRIGGER,
)
_CHANGES_PER_ROW: Final = 2  # of an append that is made: the head, and the entry


class _Prepared(local):
    """The connection of this thread that has its view."""

    driver: Any = None


_prepared: Final = _Prepared()


@cache
def _insert_into_view(rows: int) -> str:
    places = f"({', '.join('?' * len(_ROW_COLUMNS))})"
    columns = ", ".join(_ROW_COLUMNS)
    return f"INSERT INTO games_grouped ({columns}) VALUES {', '.join([places] * rows)}"


def _append_on_sqlite(appends: Sequence[Append]) -> set[int]:
    connection.ensure_connection()
    driver: Any = connection.connection
    values = [
        value for number, append in enumerate(appends) for value in _values_of_rows(number, append)
    ]
    row_count = sum(len(append.rows) for append in appends)
    with connection.wrap_database_errors:
        if _prepared.driver is not driver:
            for statement in _PREPARATION:
                driver.execute(statement)
            _prepared.driver = driver
        before = driver.total_changes
        driver.execute(_insert_into_view(row_count), values)
        if driver.total_changes - before == _CHANGES_PER_ROW * row_count:
            return set()
        lost = {number for (number,) in driver.execute("SELECT number FROM games_lost")}
        driver.execute("DELETE FROM games_lost")
    return lost


def _values_of_rows(number: int, append: Append) -> list[Any]:
    """The values of all rows of an append."""
    head_values = adapt_values(append.head.columns())
    return [
        value
        for row in append.rows
        for value in (number, append.game, *view_values(row, head_values))
    ]


# -- PostgreSQL ------------------------------------------------------------------------------------

_HEAD_TYPES: Final = ("int", "text", "timestamptz", "text", "int", "int", "timestamptz", "text")
_HEAD_ARRAYS: Final = ", ".join(f"%s::{kind}[]" for kind in _HEAD_TYPES)
_ENTRY_ARRAYS: Final = ", ".join(f"%s::{kind}[]" for kind in ENTRY_TYPES)
# Rows that another transaction has locked are skipped: one of them must not hold up all the others.
# The locks are taken in the order of ids.
_APPEND_GROUP: Final = f"""
    WITH wanted (game, after, {", ".join(HEAD_COLUMNS)}) AS (
        SELECT * FROM unnest(%s::text[], %s::int[], {_HEAD_ARRAYS})
    ), locked AS MATERIALIZED (
        SELECT games_game.id FROM games_game JOIN wanted
            ON games_game.id = wanted.game AND games_game.seq = wanted.after
        ORDER BY games_game.id FOR NO KEY UPDATE OF games_game SKIP LOCKED
    ), moved AS (
        UPDATE games_game SET {", ".join(f"{name} = wanted.{name}" for name in HEAD_COLUMNS)}
        FROM wanted JOIN locked ON wanted.game = locked.id
        WHERE games_game.id = locked.id AND games_game.seq = wanted.after
        RETURNING games_game.id
    ), added AS (
        INSERT INTO {ENTRY_TABLE}
        SELECT entry.game, {", ".join(f"entry.{name}" for name in ENTRY_COLUMNS)} FROM moved JOIN
            unnest(%s::text[], {_ENTRY_ARRAYS})
            AS entry (game, {", ".join(ENTRY_COLUMNS)}) ON moved.id = entry.game
        ORDER BY entry.game, entry.seq
    )
    SELECT id FROM moved
"""


def _append_on_postgresql(appends: Sequence[Append]) -> set[int]:
    heads = [
        (append.game, append.after, *adapt_values(append.head.columns())) for append in appends
    ]
    entries = [(append.game, *row.columns) for append in appends for row in append.rows]
    values = [list(column) for rows in (heads, entries) for column in zip(*rows, strict=True)]
    with execute_prepared(_APPEND_GROUP, values) as cursor:
        moved = {game for (game,) in cursor.fetchall()}
    return {number for number, append in enumerate(appends) if append.game not in moved}

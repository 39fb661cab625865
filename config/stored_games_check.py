"""A check for games in a database, without Django, for use before Django is set up."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any, Final

import psycopg

ANY_GAME_QUERY: Final = "SELECT 1 FROM games_game LIMIT 1"


def has_games(database: dict[str, Any]) -> bool:
    """Whether the database holds a game. Raises psycopg.OperationalError if no server answers."""
    place = database["NAME"]
    return (
        has_games_in_sqlite(Path(place))
        if isinstance(place, Path)
        else has_games_in_postgres(database)
    )


def has_games_in_sqlite(path: Path) -> bool:
    """The same for a SQLite file, which this does not create."""
    if not path.exists():
        return False
    with closing(sqlite3.connect(f"{path.resolve().as_uri()}?mode=ro", uri=True)) as file:
        return finds_game(file.execute, sqlite3.OperationalError)


def has_games_in_postgres(database: dict[str, Any]) -> bool:
    """The same for a PostgreSQL database."""
    names = {"NAME": "dbname", "USER": "user", "PASSWORD": "password", "HOST": "host"}
    place = {ours: database[theirs] for theirs, ours in {**names, "PORT": "port"}.items()}
    given = {name: value for name, value in place.items() if value}
    with psycopg.connect(**given, **database["OPTIONS"]) as server:
        return finds_game(server.execute, psycopg.errors.UndefinedTable)


def finds_game(ask: Callable[[str], Any], no_table: type[Exception]) -> bool:
    """Whether there is a game. A database without the table has none."""
    try:
        return ask(ANY_GAME_QUERY).fetchone() is not None
    except no_table as problem:
        if "games_game" not in str(problem):
            raise
        return False

"""Helpers that tamper with a log and detect it."""

from __future__ import annotations

import importlib
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, Final

import pytest
from django.db import DatabaseError, connection, transaction

from games import position_cache, services
from games.models import Account, Entry, Game
from games.services import SeatAssignment
from tests.games.append_only import attempts

REFUSED: Final = "the log is append-only"
ANYWHERE: Final = attempts.ON_ENTRIES | attempts.ON_GAMES
ON_SQLITE: Final = ANYWHERE | attempts.ON_SQLITE
ON_POSTGRESQL: Final = ANYWHERE | attempts.ON_POSTGRESQL

GUARDS: Final[Any] = importlib.import_module("games.migrations.0002_append_only")

Rows = list[tuple[Any, ...]]


def new_game(owner: Account | None = None) -> Game:
    """A game whose log has four entries: created, two joined, started."""
    table = services.create_game(
        "law_of_the_dice", [SeatAssignment(bot="random")] * 2, owner=owner
    ).projection
    return Game.objects.get(pk=table.game)


def log() -> Rows:
    """All entries of all logs, and the heads."""
    with connection.cursor() as cursor:
        cursor.execute(f"SELECT {attempts.COLUMNS} FROM games_entry ORDER BY game_id, seq")
        rows = [tuple(map(comparable, row)) for row in cursor.fetchall()]
    kept = Game.objects.order_by("pk").values_list("pk", "seq", "hash", "rules", "version", "seats")
    return [*rows, *kept]


def comparable(value: Any) -> Any:
    """A comparable copy: psycopg returns memoryviews, which compare by their current content."""
    return bytes(value) if isinstance(value, memoryview) else value


def attempt(statement: str, game: Game) -> None:
    """Run the statement in a transaction of its own."""
    other = Game.objects.exclude(pk=game.pk).values_list("pk", flat=True)[0]
    with transaction.atomic(), connection.cursor() as cursor:
        cursor.execute(statement.format(game=game.pk, other=other, last=game.seq), None)


def take_guards_away() -> None:
    """Remove the guards for the rest of this test, as the owner of the database may."""
    with connection.cursor() as cursor:
        for statement in GUARDS.lifting(connection.vendor):
            cursor.execute(statement)


@contextmanager
def assert_rejected(reason: str = REFUSED) -> Iterator[None]:
    """Assert that the database refuses, and gives that reason."""
    with pytest.raises(DatabaseError, match=reason), transaction.atomic():
        yield


def forget_games() -> None:
    """Delete all games, as on another server; the guards must be removed first."""
    Entry.objects.all().delete()
    Game.objects.all().delete()
    position_cache.cache.clear()

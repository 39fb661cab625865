"""The cost of an append does not grow with the log. It is counted in the database's own units of
work, which do not depend on the machine's load."""

from __future__ import annotations

import json
from typing import Any, Final

import pytest
from django.db import connection, transaction

from games.models import Entry, Game
from tests.games.tampering import new_game

pytestmark = pytest.mark.stores

SHORT: Final = 10
LONG: Final = 5_000
REPETITIONS: Final = 5
COLUMNS: Final = "(game_id, seq, at, action, paths, seals, hash, box)"


def game_of_length(length: int) -> Game:
    """A game with that many entries."""
    game = new_game()
    more = [
        Entry(game=game, seq=seq, at=0, action="{}", hash=b"")
        for seq in range(game.seq + 1, length + 1)
    ]
    Entry.objects.bulk_create(more)
    Game.objects.filter(pk=game.pk).update(seq=length, hash="")
    return Game.objects.get(pk=game.pk)


def work_of_an_append(game: Game) -> int:
    """SQLite VM instructions, or PostgreSQL buffer pages read, including those of the triggers."""
    move = f"UPDATE games_game SET seq = seq + 1, hash = 'next' WHERE id = '{game.pk}'"
    row = f"'{game.pk}', {game.seq + 1}, 0, '{{}}', ''"
    with transaction.atomic():
        if connection.vendor == "sqlite":
            insert = f"INSERT INTO games_entry {COLUMNS} VALUES ({row}, x'', x'', x'')"
            work = instructions(move) + instructions(insert)
        else:
            work = pages(
                f"WITH moved AS ({move} RETURNING id) INSERT INTO games_entry {COLUMNS}"
                f" SELECT {row}, ''::bytea, ''::bytea, ''::bytea FROM moved"
            )
        assert Entry.objects.filter(game=game, seq=game.seq + 1).exists()
        transaction.set_rollback(True)
    return work


def instructions(statement: str) -> int:
    """The number of VM instructions that SQLite executes."""
    steps = 0

    def count() -> int:
        nonlocal steps
        steps += 1
        return 0

    connection.ensure_connection()
    file: Any = connection.connection
    file.set_progress_handler(count, 1)
    file.execute(statement)
    file.set_progress_handler(None, 1)
    return steps


def pages(statement: str) -> int:
    """The number of pages that PostgreSQL reads."""
    with connection.cursor() as cursor:
        cursor.execute(f"EXPLAIN (ANALYZE, BUFFERS, FORMAT JSON) {statement}")
        (explained,) = cursor.fetchone()
    plan = (json.loads(explained) if isinstance(explained, str) else explained)[0]["Plan"]
    return int(plan["Shared Hit Blocks"] + plan["Shared Read Blocks"])


@pytest.mark.django_db
def test_does_not_grow_with_the_log() -> None:
    """The least of several counts: caches fill with the first, and now and then an append splits a
    page or prunes one, whatever the length of its log."""
    short, long = game_of_length(SHORT), game_of_length(LONG)
    least = [min(work_of_an_append(game) for _ in range(REPETITIONS)) for game in (short, long)]
    assert least[1] <= 1.5 * least[0]

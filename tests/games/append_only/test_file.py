"""The SQLite file itself refuses to alter a log, also when opened by another program without our
settings."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import closing

import pytest
from django.db import connection

from games.models import Game
from tests.games.tampering import ON_SQLITE, REFUSED, log, new_game
from tests.support.databases import Kept

if connection.vendor != "sqlite":
    pytest.skip("only SQLite keeps a file", allow_module_level=True)


class TestFiles:
    """Attempts on the SQLite file by another program, without our settings."""

    @pytest.fixture
    def file(self, kept_here: Kept) -> Iterator[sqlite3.Connection]:
        new_game()
        new_game()
        before = log()
        with closing(sqlite3.connect(kept_here.name, isolation_level=None)) as file:
            for pragma in ("recursive_triggers", "foreign_keys"):
                assert file.execute(f"PRAGMA {pragma}").fetchone() == (0,)
            yield file
        assert log() == before

    @pytest.mark.parametrize("name", ON_SQLITE)
    def test_is_refused(self, name: str, file: sqlite3.Connection) -> None:
        game, other = Game.objects.values_list("pk", flat=True)
        with pytest.raises(sqlite3.IntegrityError, match=REFUSED):
            file.execute(ON_SQLITE[name].format(game=game, other=other, last=4))

    def test_deceives_nobody_with_a_temporary_table(self, file: sqlite3.Connection) -> None:
        file.execute("CREATE TEMPORARY TABLE games_entry (game_id, seq, action, hash, box)")
        with pytest.raises(sqlite3.IntegrityError, match=REFUSED):
            file.execute("UPDATE main.games_entry SET action = 'forged'")

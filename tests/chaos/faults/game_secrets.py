"""Encrypted secrets of games that are altered, so that they cannot be decrypted."""

from __future__ import annotations

import importlib
import signal
import sqlite3
from contextlib import closing, suppress
from typing import Any, Final

import psycopg

from tests.chaos.faults.base import Fault
from tests.chaos.http_client import NoAnswer
from tests.chaos.instance import Instance, signal_all

MIGRATION: Final[Any] = importlib.import_module("games.migrations.0002_append_only")
OLDEST_GAME: Final = "SELECT id, secret FROM games_game WHERE phase = 'playing' ORDER BY id LIMIT 1"


class SecretAltered(Fault):
    """A byte of the oldest running game's secret is altered, and the processes that cache it are
    killed."""

    def __init__(self, instance: Instance, seconds: float) -> None:
        super().__init__(instance, seconds)
        self.game = ""
        self._secret = b""

    def inject(self) -> None:
        game, secret = self._oldest_game()
        self.game, self._secret = game, bytes(secret)
        self._write_secret(self._secret[:-1] + bytes([self._secret[-1] ^ 1]))
        signal_all(self.instance.processes("web", "sweeper"), signal.SIGKILL)
        signal_all(self.instance.workers(), signal.SIGKILL)

    def is_in_effect(self) -> bool:
        """Whether the server answers but cannot show that game."""
        if not self.game or not self.instance.is_answering():
            return False
        with suppress(NoAnswer):
            return self.instance.client().request("GET", f"/games/{self.game}").status >= 500
        return False

    def heal(self) -> None:
        if self.game:
            self._write_secret(self._secret)

    def _oldest_game(self) -> Any:
        if self.instance.database_url:
            with psycopg.connect(self.instance.database_url) as connection:
                return connection.execute(OLDEST_GAME).fetchone()
        with closing(sqlite3.connect(self.instance.database_file, timeout=20)) as connection:
            return connection.execute(OLDEST_GAME).fetchone()

    def _write_secret(self, secret: bytes) -> None:
        """Write the secret while the guard of the table is disabled."""
        if self.instance.database_url:
            with psycopg.connect(self.instance.database_url) as connection:
                connection.execute("ALTER TABLE games_game DISABLE TRIGGER game_update")
                statement = "UPDATE games_game SET secret = %s WHERE id = %s"
                connection.execute(statement, [secret, self.game])
                connection.execute("ALTER TABLE games_game ENABLE ALWAYS TRIGGER game_update")
            return
        with closing(sqlite3.connect(self.instance.database_file, timeout=20)) as connection:
            connection.isolation_level = None
            connection.execute("BEGIN IMMEDIATE")
            connection.execute("DROP TRIGGER game_update")
            statement = "UPDATE games_game SET secret = ? WHERE id = ?"
            connection.execute(statement, [secret, self.game])
            connection.execute(f"CREATE TRIGGER game_update {MIGRATION.SQLITE['game_update']}")
            connection.execute("COMMIT")

"""Logs in the old table: some that the version before this table of entries wrote, and games of
this version that are put there."""

from __future__ import annotations

import json
from base64 import b64decode
from collections.abc import Iterator
from contextlib import contextmanager
from importlib import import_module
from pathlib import Path
from typing import Any, Final

from django.conf import settings
from django.db import connection, transaction

from games import log_mover, position_cache
from games.log_store import LogHead
from games.models import Entry, Game, OldEntry, Player
from tabularium_log.fairness.encryption import game_cipher, lock_secret
from tabularium_log.projection.entry import OldBox, StoredEntry, decrypt_entry
from tabularium_log.projection.fold import create_projection
from tabularium_log.projection.log_replay import replay_entry

TABLES: Final[Any] = import_module("games.migrations.0014_entry_columns")
WRITTEN_BEFORE: Final = json.loads(Path(__file__).with_name("old_logs.json").read_text())


@contextmanager
def without_guards() -> Iterator[None]:
    """Both tables are open in the block, as for the owner of the database."""
    vendor = connection.vendor
    with transaction.atomic():
        execute(TABLES.lift_from_entries(vendor) + TABLES.lift_from_old(vendor))
        yield
        execute(TABLES.lay_on_entries(vendor) + TABLES.lay_on_old(vendor))


def execute(statements: list[str]) -> None:
    """Execute these statements."""
    with connection.cursor() as cursor:
        if connection.vendor == "postgresql":
            cursor.execute("SET CONSTRAINTS ALL IMMEDIATE")  # pending ones block the tables
        for statement in statements:
            cursor.execute(statement)


def store_logs_written_before() -> list[str]:
    """Store the logs of the version before, as it stored them; their games."""
    for log in WRITTEN_BEFORE:
        _store_log(log["game"], bytes.fromhex(log["secret"]), log["rows"])
    return [log["game"] for log in WRITTEN_BEFORE]


def _store_log(game: str, secret: bytes, rows: list[list[Any]]) -> None:
    entries = [
        StoredEntry(seq, text, hash_, OldBox(seq, b64decode(box))) for seq, text, hash_, box in rows
    ]
    first, *rest = (decrypt_entry(game_cipher(secret, game), entry) for entry in entries)
    table = create_projection(game, first)
    for entry in rest:
        table = replay_entry(table, entry)
    create = table.creation
    with without_guards():
        Game.objects.create(
            id=game,
            rules=create.rules,
            version=create.version,
            seats=create.seats,
            secret=lock_secret(settings.SEALING_KEYS, game, secret),
            **LogHead(entries[-1].hash, table).columns(),
        )
        Player.objects.bulk_create(
            Player(game_id=game, seat=seat, bot=occupant.bot or "")
            for seat, occupant in enumerate(table.occupants)
            if occupant
        )
        OldEntry.objects.bulk_create(
            OldEntry(game_id=game, seq=seq, text=text, hash=hash_, box=b64decode(box))
            for seq, text, hash_, box in rows
        )


def put_into_old_table(*games: str) -> None:
    """Put games into the old table, as if the version before had played them."""
    with without_guards():
        log_mover.fill_old_table()
        Entry.objects.filter(game__in=games)._raw_delete("default")
        OldEntry.objects.exclude(game__in=games)._raw_delete("default")
    position_cache.cache.clear()


def forge_old(game: str, number: int, **values: Any) -> None:
    """Overwrite columns of the entry of that number in the old table."""
    with without_guards():
        OldEntry.objects.filter(game=game, seq=number).update(**values)
    position_cache.cache.clear()

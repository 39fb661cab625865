"""The mover of logs from the old table to the table of entries: a game at a time, compared before
it is committed. The owner of the database then empties the old table."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from importlib import import_module
from typing import Any, Final, NamedTuple

from django.db import IntegrityError, connection, transaction

from games import old_log
from games.log_store import insert_first_rows, read_entries
from games.models import Entry, Game, OldEntry
from games.secret_lookup import load_game_secret
from tabularium_engines.common.replayable_log import BrokenLog
from tabularium_log.fairness.canonical_json import decode_canonical
from tabularium_log.fairness.encryption import GameCipher, UnlockError, game_cipher
from tabularium_log.fairness.signed_hash_chain import GENESIS_HASH
from tabularium_log.projection.entry import (
    DRAWS_POINTER,
    EntryPlace,
    StoredEntry,
    decrypt_entry,
    entry_content,
    old_box,
    seal_entry,
)

_guards: Final[Any] = import_module("games.migrations.0014_entry_columns")
UNMOVABLE: Final = (BrokenLog, UnlockError)
BATCH: Final = 500  # games in one statement


class OldLogLeft(Exception):
    """The old table holds entries that the table of entries lacks."""


class MoveResult(NamedTuple):
    """A game, and the reason for which it was not moved, if it was not."""

    game: str
    problem: str


def is_old_table_empty() -> bool:
    """Whether there is nothing to move, nor to delete."""
    return not OldEntry.objects.exists()


def unmoved_games(after: str = "", limit: int | None = None) -> list[str]:
    """The games in the old table alone, with ids after that one, oldest first."""
    found: list[str] = []
    for games in _batches(after):
        found += unmoved_of(games)
        if limit is not None and len(found) >= limit:
            break
    return found[:limit]


def unmoved_of(games: Sequence[str]) -> list[str]:
    """Those of the games that are in the old table alone."""
    moved = set(Entry.objects.filter(game__in=games, seq=1).values_list("game", flat=True))
    return [game for game in games if game not in moved]


def next_games(after: str) -> list[str]:
    """The games with ids after that one, oldest first, as many as one statement examines."""
    games = Game.objects.filter(pk__gt=after).order_by("pk")
    return list(games.values_list("pk", flat=True)[:BATCH])


def _batches(after: str = "") -> Iterator[list[str]]:
    """All games with ids after that one, some at a time: each statement on them takes little."""
    while games := next_games(after):
        yield games
        after = games[-1]


def move_games(games: Sequence[str]) -> Iterator[MoveResult]:
    """Move these games, each in a transaction of its own."""
    for game in games:
        try:
            move_game(game)
        except UNMOVABLE as problem:
            yield MoveResult(game, str(problem))
        else:
            yield MoveResult(game, "")


def move_game(game: str) -> bool:
    """Copy a log to the table of entries, and compare both; whether there was one to copy. Raises
    BrokenLog or GameUnlockError if the log is damaged or locked; then it stays where it is."""
    with transaction.atomic():
        row = Game.objects.select_for_update().filter(pk=game).first()
        if row is None or Entry.objects.filter(game=game).exists():
            return False
        secret = load_game_secret(game, bytes(row.secret))
        rows = [_resealed(game, secret, *pair) for pair in _old_pairs(game, row.seq)]
        if not rows:
            return False
        if (rows[-1].seq, rows[-1].hash) != (row.seq, row.hash):
            raise BrokenLog(rows[-1].seq + 1, "is missing")
        insert_first_rows(game, rows)
        _compare(row, game_cipher(secret, game))
    return True


def move_refused_game(game: str, refusal: IntegrityError) -> bool:
    """Move a log if the refusal of an append means that it is in the old table: in the table of
    entries, nothing precedes the entry. Whether the append may be tried again."""
    return _guards.guards.OUT_OF_ORDER in str(refusal) and move_game(game)


def _old_pairs(game: str, last: int) -> Iterator[tuple[str, StoredEntry]]:
    """The entries in the old table, each with the hash of the one before it."""
    hash_ = GENESIS_HASH
    for seq, entry in enumerate(old_log.read_entries(game, 0, last), start=1):
        if entry.seq != seq:
            raise BrokenLog(seq, "is missing")
        yield hash_, entry
        hash_ = entry.hash


def _resealed(game: str, secret: bytes, previous_hash: str, old: StoredEntry) -> StoredEntry:
    """The same entry, sealed anew from its complete content."""
    try:
        entry = decrypt_entry(game_cipher(secret, game), old)
        sealed = decode_canonical(old.text)["sealed"]
        paths = [path for path in sealed if path != DRAWS_POINTER]
        new = seal_entry(entry, EntryPlace(game, old.seq, previous_hash, secret), paths)
    except (ValueError, TypeError, KeyError) as problem:
        raise BrokenLog(old.seq, f"cannot be moved: {problem}") from problem
    if (new.text, new.hash) != (old.text, old.hash):
        raise BrokenLog(old.seq, "cannot be moved: its content makes another text")
    return new


def _compare(row: Game, cipher: GameCipher) -> None:
    """Texts, hashes and contents must be the same in both tables."""
    new_rows = read_entries(row.pk, 0, row.seq)
    for new, old in zip(new_rows, old_log.read_entries(row.pk, 0, row.seq), strict=True):
        contents = [entry_content(decrypt_entry(cipher, each)) for each in (new, old)]
        if (new.text, new.hash) != (old.text, old.hash) or contents[0] != contents[1]:
            raise BrokenLog(new.seq, "cannot be moved: the copy differs")


# -- emptying the old table ------------------------------------------------------------------------

_HEX: Final = {"sqlite": "lower(hex(entry.hash))", "postgresql": "encode(entry.hash, 'hex')"}
_LACKING: Final = """
    SELECT old.game_id FROM games_oldentry AS old LEFT JOIN games_entry AS entry
        ON entry.game_id = old.game_id AND entry.seq = old.seq
    WHERE old.game_id IN ({games}) AND (entry.seq IS NULL OR old.hash <> {hash}) LIMIT 1
"""
_EMPTY: Final = {
    "sqlite": "DELETE FROM games_oldentry",
    "postgresql": "TRUNCATE games_oldentry",
}


def empty_old_table() -> None:
    """Delete all rows of the old table, once the table of entries has each; raises OldLogLeft if it
    lacks one. Only the owner of the database may, since the guards are lifted meanwhile."""
    vendor = connection.vendor
    for games in _batches():  # neither table ever loses a row
        query = _LACKING.format(games=", ".join(["%s"] * len(games)), hash=_HEX[vendor])
        with connection.cursor() as cursor:
            cursor.execute(query, games)
            if lacking := cursor.fetchone():
                raise OldLogLeft(f"{lacking[0]} is not in the table of entries yet")
    with transaction.atomic(), connection.cursor() as cursor:
        for statement in _guards.lift_from_old(vendor):
            cursor.execute(statement)
        cursor.execute(_EMPTY[vendor])
        for statement in _guards.lay_on_old(vendor):
            cursor.execute(statement)


def fill_old_table() -> None:
    """Add to the old table what only the table of entries holds; its guards must be lifted. It is
    the way back to the version before."""
    games = Game.objects.order_by("pk").values_list("pk", "seq", "secret")
    for game, seq, ciphertext in games.iterator(chunk_size=BATCH):
        last_old = OldEntry.objects.filter(game=game).order_by("-seq").first()
        cipher = game_cipher(load_game_secret(game, bytes(ciphertext)), game)
        for row in read_entries(game, last_old.seq if last_old else 0, seq):
            box = old_box(cipher, row.seq, decrypt_entry(cipher, row))
            OldEntry.objects.create(
                game_id=game, seq=row.seq, text=row.text, hash=row.hash, box=box
            )

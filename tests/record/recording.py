"""A record for tests: its key and guard in a folder, games that are over, and its own checks."""

from __future__ import annotations

import importlib
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final

import pytest
from django.conf import settings
from django.db import connection
from django.utils import timezone
from pytest_django import Settings

from config.keys.key_files import KeyList
from games import services
from games.models import Game
from games.services import SeatAssignment
from record import beginning
from record.database_tiles import DatabaseTiles
from record.growth import read_tree
from record.guard_file import Guard, read_guard
from record.integrator import Integration, integrate
from record.models import AnnouncedKey, Leaf, SignedCheckpoint, Tile, Tree
from record.signing import SIGNED_EVERY, latest_checkpoint, sign_due
from record.tree import inclusion_proof
from tabularium_log.record.checkpoint import Checkpoint, open_checkpoint
from tabularium_log.record.hashes import leaf_hash
from tabularium_log.record.note import Signer
from tabularium_log.record.tree_verifier import verify_inclusion
from tests.record.plain_tree import PlainTree

ORIGIN: Final = "games.example/record"
KEY: Final = bytes(range(1, 33))
OTHER_KEY: Final = bytes(range(2, 34))
TRIGGERS: Final[Any] = importlib.import_module("record.migrations.0001_tables")
LEAF_TRIGGER: Final[Any] = importlib.import_module("games.migrations.0016_record_leaves")


def use_folder(folder: Path, wrapper: Settings, *keys: bytes) -> None:
    """Keep the guard in this folder, and the keys given, or a file for one."""
    wrapper.RECORD_GUARD = folder / "record_guard"
    use_keys(folder, wrapper, *keys)


def use_keys(folder: Path, wrapper: Settings, *keys: bytes) -> None:
    """Sign with these keys; with none, there is a file for one."""
    texts = [key.hex() for key in keys]
    wrapper.RECORD_KEYS = KeyList("RECORD_KEYS", texts, folder / "record_key")


def called_off(visibility: Any = "public") -> str:
    """A game that is over: it was called off before it began."""
    seating = [SeatAssignment(), SeatAssignment()]
    game = services.create_game("law_of_the_dice", seating, visibility=visibility).projection.game
    services.call_off_game(game)
    return game


def integrated(*excluded: str) -> Integration:
    """The outcome of a round without an end."""
    return integrate(1000, excluded)


def signed_record() -> Checkpoint:
    """The record, in whose checkpoint all games are that are over; a guard that comes and goes
    signs it."""
    latest = latest_checkpoint()
    now = latest.at + 2 * SIGNED_EVERY if latest else timezone.now()
    with TemporaryDirectory() as folder, pytest.MonkeyPatch.context() as patch:
        patch.setattr(settings, "RECORD_GUARD", Path(folder) / "record_guard")
        keys = KeyList("RECORD_KEYS", [KEY.hex()], Path(folder) / "record_key")
        patch.setattr(settings, "RECORD_KEYS", keys)
        if read_tree().guard:
            beginning.adopt()
        else:
            beginning.begin(ORIGIN)
        integrated()
        sign_due(now)
    signed = latest_checkpoint()
    assert signed
    return note_of(signed)


def leaves() -> list[Leaf]:
    """All leaves, which have no gap."""
    rows = list(Leaf.objects.order_by("number"))
    assert [row.number for row in rows] == list(range(len(rows)))
    return rows


def leaf_of(game: str) -> Leaf:
    """The leaf of a game."""
    number = Game.objects.get(pk=game).leaf
    assert number is not None
    return Leaf.objects.get(number=number)


def guard() -> Guard:
    """The guard, which is there."""
    found = read_guard(settings.RECORD_GUARD)
    assert found is not None
    return found


def note_of(checkpoint: SignedCheckpoint, *keys: bytes) -> Checkpoint:
    """The checkpoint, verified by one of these keys."""
    verifiers = [Signer(ORIGIN, key).key for key in keys or [KEY]]
    return open_checkpoint(checkpoint.note.encode(), ORIGIN, verifiers)


def check_whole() -> int:
    """Check that leaves, tiles, root, games and checkpoints fit each other; the tree's size."""
    rows = leaves()
    plain = PlainTree([row.text.encode() for row in rows])
    hashes = [leaf_hash(row.text.encode()) for row in rows]
    assert [bytes(row.hash) for row in rows] == hashes
    tree = Tree.objects.get()
    assert tree.size == len(rows)
    root = bytes(tree.root)
    assert root == plain.root(0, len(rows))
    for row in rows[:: max(1, len(rows) // 20)]:
        proof = inclusion_proof(DatabaseTiles(), row.number, tree.size)
        verify_inclusion(hashes[row.number], row.number, tree.size, proof, root)
    numbers = Game.objects.filter(leaf__isnull=False).values_list("pk", "leaf")
    assert {row.game: row.number for row in rows if row.game} == dict(numbers)
    for checkpoint in SignedCheckpoint.objects.all():
        stated = note_of(checkpoint)
        assert stated.size == checkpoint.size <= guard().size
        assert stated.root == plain.root(0, stated.size)
    return tree.size


def take_guards_away() -> None:
    """Remove the triggers for the rest of the test, as the owner of the database may."""
    with connection.cursor() as cursor:
        if connection.vendor == "postgresql":
            cursor.execute("SET CONSTRAINTS ALL IMMEDIATE")  # pending ones block the tables
        for statement in TRIGGERS.lifting(connection.vendor):
            cursor.execute(statement)
        for statement in LEAF_TRIGGER.LIFTING[connection.vendor]:
            cursor.execute(statement)


def lay_guards_again() -> None:
    """Put the triggers back."""
    vendor = connection.vendor
    schema = "" if vendor == "sqlite" else "public"
    with connection.cursor() as cursor:
        if schema:
            cursor.execute("SET CONSTRAINTS ALL IMMEDIATE")
        for statement in TRIGGERS.laying(vendor, schema) + LEAF_TRIGGER.LAYING[vendor]:
            cursor.execute(statement)


class Dump:
    """The tables of the record as they were, and which games had which leaves."""

    MODELS: Final[tuple[Any, ...]] = (Leaf, Tile, Tree, SignedCheckpoint, AnnouncedKey)

    def __init__(self) -> None:
        self._rows = [list(model.objects.all()) for model in self.MODELS]
        self._leaves = dict(Game.objects.values_list("pk", "leaf"))

    def forget_games(self) -> None:
        """Let all games be due when it is restored."""
        self._leaves = {}

    def restore(self) -> None:
        """Put them back. Games that have come since are kept, as if they had just ended."""
        take_guards_away()
        for model, rows in zip(self.MODELS, self._rows, strict=True):
            model.objects.all().delete()
            model.objects.bulk_create(rows)
        Game.objects.update(leaf=None)
        for game, leaf in self._leaves.items():
            Game.objects.filter(pk=game).update(leaf=leaf)
        lay_guards_again()

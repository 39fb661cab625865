"""The record as it is stored, against Go's own sumdb packages: checkpoints, tiles, every inclusion,
and the consistency of all checkpoints."""

from __future__ import annotations

from base64 import b64decode
from collections.abc import Callable
from datetime import timedelta
from itertools import combinations

import pytest
from django.utils import timezone

from games.models import Game
from record import beginning, integrator
from record.copies import bundle_bytes, tile_bytes
from record.database_tiles import DatabaseTiles
from record.models import SignedCheckpoint
from record.signing import sign_due
from record.stored_games import stored_game_leaves
from record.tiles import TILE_WIDTH, read_bundle, tiles_of_growth
from record.tree import consistency_proof, inclusion_proof
from tabularium_log.record.checkpoint import Checkpoint
from tabularium_log.record.hashes import leaf_hash
from tabularium_log.record.note import Signer
from tests.record.go_oracle import Oracle, compiled_oracle
from tests.record.recording import KEY, ORIGIN, called_off, leaves, note_of

pytestmark = [
    pytest.mark.lane("slow"),
    pytest.mark.django_db,
    pytest.mark.usefixtures("folder"),
    pytest.mark.stores,
]


def add_copies(count: int, of: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Add rows of games that are over, with leaves of their own."""
    row = Game.objects.get(pk=of)
    texts = stored_game_leaves(row)
    monkeypatch.setattr(
        integrator,
        "stored_game_leaves",
        lambda each: tuple(text.replace(of, each.pk) + " " * (text == texts[1]) for text in texts),
    )
    names = [each.attname for each in Game._meta.fields]
    values = {name: getattr(row, name) for name in names}
    values["leaf"] = None
    Game.objects.bulk_create(
        Game(**{**values, "id": f"game_{number:032}"}) for number in range(count)
    )


def grow(count: int, batch: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """A record of so many games, signed after each batch."""
    beginning.begin(ORIGIN)
    add_copies(count - 1, called_off(), monkeypatch)
    now = timezone.now()
    while integrator.integrate(batch).found:
        now += timedelta(minutes=1)
        assert sign_due(now)


def ask_about_checkpoints(oracle: Oracle, pairs: list[tuple[Checkpoint, Checkpoint]]) -> int:
    """Ask whether each signature is right, and whether the trees of these pairs are consistent;
    returns the number of questions."""
    notes = SignedCheckpoint.objects.values_list("note", flat=True)
    for note in notes:
        oracle.ask("open", raw=note.encode(), keys=[Signer(ORIGIN, KEY).key.text])
    for old, new in pairs:
        proof = consistency_proof(DatabaseTiles(), old.size, new.size)
        oracle.ask(
            "check-consistency",
            size=new.size,
            index=old.size,
            leaf=old.root,
            proof=proof,
            root=new.root,
        )
    return len(notes) + len(pairs)


def ask_about_leaves(oracle: Oracle, tree: Checkpoint, hashes: list[bytes]) -> int:
    """Ask whether each leaf is in the tree; returns the number of questions."""
    for index, leaf in enumerate(hashes):
        proof = inclusion_proof(DatabaseTiles(), index, tree.size)
        members = {"size": tree.size, "root": tree.root, "index": index}
        oracle.ask("check-inclusion", leaf=leaf, proof=proof, **members)
    return len(hashes)


def test_go_verifies_all_of_it(
    monkeypatch: pytest.MonkeyPatch, games_count: Callable[[int, int], int]
) -> None:
    oracle = Oracle(compiled_oracle())
    count = games_count(600, 50_000)
    grow(count, games_count(37, 1000), monkeypatch)
    texts = [row.text.encode() for row in leaves()]
    assert len(texts) == count + 2  # two keys
    stated = [note_of(each) for each in SignedCheckpoint.objects.order_by("size")]
    pairs = list(combinations(stated, 2))
    assert len(pairs) >= games_count(120, 1000)
    hashes = [*map(leaf_hash, texts)]
    asked = ask_about_checkpoints(oracle, pairs) + ask_about_leaves(oracle, stated[-1], hashes)
    oracle.ask("add", hashes=hashes)
    places = tiles_of_growth(0, len(texts))
    for place, width in places:
        oracle.ask("tile", level=place.level, index=place.number, size=width)
    answers = oracle.answers()
    assert not [each["error"] for each in answers if each["error"]]
    for (place, width), answer in zip(places, answers[asked + 1 :], strict=True):
        assert tile_bytes(place, width) == b64decode(answer["raw"])
        if place.level == 0:
            bundle = read_bundle(bundle_bytes(place.number, width), width)
            assert bundle == texts[place.number * TILE_WIDTH :][:width]

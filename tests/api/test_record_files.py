"""The files of the record over HTTP: their bytes, what may be kept of them, and refusals."""

from __future__ import annotations

import gzip
from pathlib import Path
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone
from pytest_django import Settings

from api import content_encoding
from api.record_files import is_covered
from games.models import Game
from record import beginning
from record.copies import write_copy
from record.models import SignedCheckpoint
from record.signing import latest_checkpoint, sign_due
from record.tiles import parse_tile_path, read_bundle
from tabularium_log.record.hashes import leaf_hash
from tests.record.recording import KEY, ORIGIN, called_off, integrated, leaves, note_of, use_folder

pytestmark = [pytest.mark.django_db, pytest.mark.stores]
FOR_GOOD = "public, max-age=31536000, immutable"


@pytest.fixture
def checkpoint(tmp_path: Path, settings: Settings) -> SignedCheckpoint:
    """A record with five leaves in its checkpoint, and two more after it."""
    use_folder(tmp_path, settings, KEY)
    for visibility in ("public", "private", "unlisted"):
        called_off(visibility)
    beginning.begin(ORIGIN)
    integrated()
    sign_due(timezone.now())
    called_off()
    called_off()
    integrated()
    found = latest_checkpoint()
    assert found
    assert found.size == 5
    return found


def get(path: str, **headers: str) -> Any:
    """The reply."""
    return Client().get(f"/record/{path}", headers=headers)


def assert_missing(path: str) -> None:
    """Assert that there is none, as a problem that is not kept."""
    reply = get(path)
    assert reply.status_code == 404
    assert reply["Content-Type"] == "application/problem+json"
    assert reply.json()["code"] == "not-found"
    assert reply["Cache-Control"] == "no-store"


class TestTheCheckpoint:
    def test_is_the_signed_note(self, checkpoint: SignedCheckpoint) -> None:
        reply = get("checkpoint")
        assert reply.status_code == 200
        assert reply["Content-Type"] == "text/plain; charset=utf-8"
        assert reply.content.decode() == checkpoint.note
        assert note_of(checkpoint).size == 5

    def test_is_kept_for_seconds(self, checkpoint: SignedCheckpoint) -> None:
        reply = get("checkpoint")
        assert reply["Cache-Control"] == "public, max-age=5"
        again = get("checkpoint", **{"If-None-Match": reply["ETag"]})
        assert (again.status_code, again.content) == (304, b"")

    def test_is_readable_for_scripts_of_all_origins(self, checkpoint: SignedCheckpoint) -> None:
        assert get("checkpoint")["Access-Control-Allow-Origin"] == "*"

    def test_is_missing_before_the_first_signature(self, db: None) -> None:
        assert_missing("checkpoint")
        assert_missing("tile/0/000")


class TestTiles:
    def test_are_those_of_a_copy(self, checkpoint: SignedCheckpoint, tmp_path: Path) -> None:
        write_copy(tmp_path / "copy", checkpoint)
        files = [path for path in (tmp_path / "copy").rglob("*") if path.is_file()]
        assert len(files) == 3
        for file in files:
            assert get(str(file.relative_to(tmp_path / "copy"))).content == file.read_bytes()

    @pytest.mark.parametrize("width", [1, 2, 4, 5])
    def test_of_each_earlier_width_are_served_for_good(
        self, checkpoint: SignedCheckpoint, width: int
    ) -> None:
        texts = [row.text.encode() for row in leaves()][:width]
        tile, bundle = get(f"tile/0/000.p/{width}"), get(f"tile/entries/000.p/{width}")
        assert tile.content == b"".join(map(leaf_hash, texts))
        assert read_bundle(bundle.content, width) == texts
        for reply in (tile, bundle):
            assert reply["Content-Type"] == "application/octet-stream"
            assert reply["Cache-Control"] == FOR_GOOD
            assert reply["Access-Control-Allow-Origin"] == "*"

    def test_leaves_are_compressed_and_hashes_are_not(
        self, checkpoint: SignedCheckpoint, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(content_encoding, "MIN_LENGTH", 100)
        accepted = {"Accept-Encoding": "gzip, br"}
        plain = get("tile/entries/000.p/5").content
        bundle = get("tile/entries/000.p/5", **accepted)
        assert bundle["Content-Encoding"] == "gzip"
        assert gzip.decompress(bundle.content) == plain
        assert "Content-Encoding" not in get("tile/0/000.p/5", **accepted)

    def test_a_checkpoint_covers_full_tiles(self, db: None) -> None:
        SignedCheckpoint.objects.create(size=2**16 + 300, at=timezone.now(), note="x")
        covered = ["tile/0/255", "tile/0/256", "tile/1/000", "tile/2/000.p/1", "tile/entries/256"]
        assert all(is_covered(parse_tile_path(path)) for path in covered)
        for path in ("tile/0/257", "tile/1/001", "tile/2/000", "tile/2/000.p/2", "tile/3/000.p/1"):
            assert not is_covered(parse_tile_path(path))

    @pytest.mark.parametrize(
        "path",
        [
            *("tile/0/000", "tile/entries/000", "tile/0/000.p/6", "tile/entries/000.p/6"),
            *("tile/1/000.p/1", "tile/0/001.p/1", "tile/62/000.p/1", "tile/64/000.p/1"),
            *("tile/0/0", "tile/0/000.p/0", "tile/0/000.p/256", "tile/0/000.p/05", "tile/00/000"),
            *("tile/0/x000/000.p/5", "tile/8/0/000", "tile/entries/000.p/", "tile/", "tile/x"),
            *("tile/0/x999/x999/x999/x999/x999/999", "tile/0/%EF%BC%91", "policies", "tile/0/000/"),
        ],
    )
    def test_others_are_missing(self, checkpoint: SignedCheckpoint, path: str) -> None:
        assert_missing(path)

    @pytest.mark.parametrize("path", ["checkpoint?x=1", "tile/0/000.p/5?size=5"])
    def test_no_address_has_a_query(self, checkpoint: SignedCheckpoint, path: str) -> None:
        reply = get(path)
        assert (reply.status_code, reply.json()["code"]) == (400, "unknown-parameter")

    def test_nothing_can_be_changed(self, checkpoint: SignedCheckpoint) -> None:
        reply = Client().post("/record/checkpoint")
        assert (reply.status_code, reply.json()["code"]) == (405, "method-not-allowed")

    def test_a_private_game_is_in_no_byte(self, checkpoint: SignedCheckpoint) -> None:
        bundle = get("tile/entries/000.p/5").content.decode(errors="replace")
        for game in Game.objects.all():
            is_shown = game.visibility == "public" and (game.leaf or 0) < 5
            assert (game.pk in bundle) is is_shown

"""Checkpoints and their guard: each signature is about a tree that the guard knows, and a database
that went back is not signed."""

from __future__ import annotations

import json
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from django.conf import settings as current
from django.db import connection
from django.utils import timezone
from pytest_django import Settings

from record import beginning, signing
from record.announced_keys import LostKeysError
from record.growth import read_tree
from record.guard_file import Guard, read_guard, write_guard
from record.models import AnnouncedKey, SignedCheckpoint, Tree
from record.signing import UnsignedError, latest_checkpoint, sign_due
from record.standing import Stand, standing_towards
from tabularium_log.fairness.signed_hash_chain import public_key
from tabularium_log.record import note
from tabularium_log.record.errors import MalformedError, RecordError
from tabularium_log.record.note import Signer, VerifierKey
from tests.games.tampering import assert_rejected
from tests.record.recording import (
    KEY,
    ORIGIN,
    OTHER_KEY,
    Dump,
    called_off,
    check_whole,
    guard,
    integrated,
    leaves,
    note_of,
    take_guards_away,
    use_keys,
)

pytestmark = [pytest.mark.django_db, pytest.mark.stores]
NOW = timezone.now()
SHORT_ROOT = '{"format": "guard/1", "origin": "x", "root": "00", "size": 1, "token": "t"}'
BAD_GUARDS = [SHORT_ROOT, SHORT_ROOT.replace('"00"', "7"), SHORT_ROOT.replace("1, ", '"1", ')]


def later(seconds: float) -> datetime:
    """A time after the first checkpoint."""
    return NOW + timedelta(seconds=seconds)


def add_game() -> str:
    """A game with its leaf."""
    game = called_off()
    assert integrated().added == 1
    return game


@pytest.fixture
def begun(folder: Path) -> Path:
    """A record that this machine signs, with a game in its first checkpoint."""
    add_game()
    beginning.begin(ORIGIN)
    assert sign_due(NOW)
    return folder


def vkeys(*keys: bytes) -> list[str]:
    """The verifier keys."""
    return [Signer(ORIGIN, key).key.text for key in keys]


class TestBeginning:
    def test_nothing_is_signed_before(self, folder: Path) -> None:
        add_game()
        assert sign_due() is None
        assert standing_towards(read_tree()).stand is Stand.UNSIGNED

    def test_the_first_checkpoint_announces_the_keys(self, begun: Path) -> None:
        stated = note_of(SignedCheckpoint.objects.get())
        receipts = VerifierKey(
            f"{ORIGIN}/receipts", bytes.fromhex(public_key(current.SIGNING_KEYS[0]))
        )
        assert [json.loads(row.text) for row in leaves()[1:]] == [
            {"leaf": "key/1", "use": "record", "vkey": vkeys(KEY)[0]},
            {"leaf": "key/1", "use": "receipts", "vkey": receipts.text},
        ]
        assert stated.size == check_whole() == 3
        assert guard() == Guard(Tree.objects.get().guard, ORIGIN, 3, stated.root.hex())

    def test_a_key_is_created(self, tmp_path: Path, folder: Path, settings: Settings) -> None:
        use_keys(tmp_path, settings)
        called_off()
        beginning.begin(ORIGIN)
        key = (tmp_path / "record_key").read_text()
        assert len(bytes.fromhex(key)) == 32
        assert sign_due()

    def test_it_begins_once(self, begun: Path) -> None:
        with pytest.raises(RecordError, match="There is a guard already"):
            beginning.begin(ORIGIN)
        with pytest.raises(RecordError, match="There is a guard already"):
            beginning.adopt()
        (begun / "record_guard").unlink()
        with pytest.raises(RecordError, match="is signed as"):
            beginning.begin(ORIGIN)

    @pytest.mark.parametrize("origin", ["", "a b", "a+b", "a\nb", "/record", "x/" + "y" * 200])
    def test_a_name_that_is_none(self, folder: Path, origin: str) -> None:
        with pytest.raises(MalformedError):
            beginning.begin(origin)
        assert not (folder / "record_guard").exists()

    def test_another_machine_signs_nothing(self, begun: Path, settings: Settings) -> None:
        called_off()
        settings.RECORD_GUARD = begun / "elsewhere"
        assert sign_due() is None
        assert integrated().added == 0
        assert standing_towards(read_tree()).stand is Stand.ELSEWHERE

    def test_another_machine_takes_over(self, begun: Path, settings: Settings) -> None:
        old = current.RECORD_GUARD
        settings.RECORD_GUARD = begun / "elsewhere"
        beginning.adopt()
        add_game()
        assert sign_due(later(11))
        check_whole()
        settings.RECORD_GUARD = old
        with pytest.raises(UnsignedError, match="names another guard"):
            sign_due()

    def test_a_record_without_a_name_is_not_taken_over(self, folder: Path) -> None:
        with pytest.raises(RecordError, match="not signed yet"):
            beginning.adopt()


class TestRounds:
    def test_a_tree_that_has_not_grown_is_not_signed_again(self, begun: Path) -> None:
        assert sign_due(later(3600)) is None
        assert SignedCheckpoint.objects.count() == 1

    def test_a_tree_that_has_grown_is_signed_after_ten_seconds(self, begun: Path) -> None:
        add_game()
        assert sign_due(later(9.9)) is None
        assert sign_due(later(10)) == latest_checkpoint()
        assert [each.size for each in SignedCheckpoint.objects.order_by("pk")] == [3, 4]
        check_whole()

    def test_a_clock_that_was_set_back_stops_nothing(self, begun: Path) -> None:
        add_game()
        assert sign_due(later(-3600))
        add_game()
        assert sign_due(later(-3500))

    def test_two_signers_sign_once(self, begun: Path) -> None:
        add_game()
        assert signing.sign(later(20))
        assert signing.sign(later(40)) is None

    @pytest.mark.parametrize(
        "statement", ["UPDATE record_checkpoint SET size = 9", "DELETE FROM record_checkpoint"]
    )
    def test_checkpoints_stay(self, begun: Path, statement: str) -> None:
        with assert_rejected("append-only"), connection.cursor() as cursor:
            cursor.execute(statement)


class TestCrashes:
    @pytest.mark.parametrize("step", ["write_guard", "sign_note", "check_durability"])
    @pytest.mark.parametrize("after", [True, False])
    def test_a_crash_at_a_step_is_mended(
        self, begun: Path, monkeypatch: pytest.MonkeyPatch, step: str, after: bool
    ) -> None:
        add_game()
        whole = getattr(signing, step)

        def crash(*arguments: Any) -> Any:
            if after:
                whole(*arguments)
            raise KeyboardInterrupt

        with monkeypatch.context() as patch:
            patch.setattr(signing, step, crash)
            with pytest.raises(KeyboardInterrupt):
                sign_due(later(10))
        assert SignedCheckpoint.objects.count() == 1
        add_game()  # before the signature is repeated
        assert sign_due(later(11))
        assert guard().size == check_whole()

    def test_the_guard_is_never_behind_a_signature(
        self, begun: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        add_game()
        seen = []
        whole = note.sign_note

        def watch(text: str, signers: Any) -> Any:
            seen.append((guard().size, guard().root, text))
            return whole(text, signers)

        monkeypatch.setattr(signing, "sign_note", watch)
        sign_due(later(10))
        [(size, root, text)] = seen
        tree = Tree.objects.get()
        assert (size, root) == (tree.size, bytes(tree.root).hex()) == (4, guard().root)
        assert text.startswith(f"{ORIGIN}\n4\n")

    def test_a_guard_is_whole_or_as_before(
        self, begun: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        before = guard()

        def fail(*_: Any) -> None:
            raise OSError("disk full")

        monkeypatch.setattr("record.durable_file.os.fsync", fail)
        with pytest.raises(OSError, match="disk full"):
            write_guard(current.RECORD_GUARD, Guard("x", "y", 5, "00" * 32))
        assert guard() == before
        assert [each.name for each in begun.iterdir()] == ["record_guard"]


class TestRollback:
    def test_an_older_dump_is_not_signed(self, begun: Path) -> None:
        dump = Dump()
        add_game()
        add_game()
        assert sign_due(later(10))
        dump.restore()
        called_off()
        assert integrated().added == 0
        with pytest.raises(UnsignedError, match="5 leaves were signed, and the database has 3"):
            sign_due(later(20))
        assert SignedCheckpoint.objects.count() == 1

    def test_without_its_guard_it_would_fork(self, begun: Path) -> None:
        """The neighbour of the test above: the same dump, and the guard that was beside it."""
        dump, old = Dump(), guard()
        game = add_game()
        assert sign_due(later(10))
        signed = note_of(SignedCheckpoint.objects.get(size=4))
        dump.restore()
        write_guard(current.RECORD_GUARD, old)
        called_off("private")
        integrated(game)  # which the dump may have lost
        assert sign_due(later(20))
        fork = note_of(SignedCheckpoint.objects.order_by("-pk")[0])
        assert fork.size == signed.size
        assert fork.root != signed.root

    def test_a_dump_that_lacks_only_unsigned_leaves_goes_on(self, begun: Path) -> None:
        dump = Dump()
        add_game()
        dump.restore()
        assert integrated().added == 1
        assert sign_due(later(10))
        check_whole()

    def test_a_dump_from_before_the_record(self, folder: Path) -> None:
        dump = Dump()
        add_game()
        beginning.begin(ORIGIN)
        sign_due(NOW)
        dump.restore()
        assert integrated().added == 0
        with pytest.raises(UnsignedError, match="from before that"):
            sign_due(later(10))

    def test_another_tree_of_the_same_size(self, begun: Path) -> None:
        write_guard(current.RECORD_GUARD, Guard(guard().token, ORIGIN, 2, "00" * 32))
        with pytest.raises(UnsignedError, match="first 2 leaves are not those"):
            sign_due(later(10))

    def test_another_name(self, begun: Path) -> None:
        write_guard(current.RECORD_GUARD, Guard(guard().token, "x", 3, guard().root))
        with pytest.raises(UnsignedError, match="The guard is of 'x'"):
            sign_due(later(10))

    def test_tiles_that_are_gone(self, begun: Path) -> None:
        take_guards_away()
        with connection.cursor() as cursor:
            cursor.execute("DELETE FROM record_tile")
        with pytest.raises(UnsignedError, match="has 0 hashes"):
            sign_due(later(10))

    def test_a_root_that_does_not_follow_from_the_tiles(self, begun: Path) -> None:
        add_game()
        take_guards_away()
        Tree.objects.update(root=bytes(32))
        with pytest.raises(UnsignedError, match="do not lead to its root"):
            sign_due(later(10))
        assert guard().size == 3

    @pytest.mark.parametrize("text", ["", "{}", "[]", "null", '{"format": "guard/1"}', *BAD_GUARDS])
    def test_a_guard_that_cannot_be_read(self, begun: Path, text: str) -> None:
        current.RECORD_GUARD.write_text(text)
        with pytest.raises(MalformedError, match="cannot be read"):
            read_guard(current.RECORD_GUARD)
        with pytest.raises(UnsignedError, match="cannot be read"):
            sign_due(later(10))


class TestKeys:
    def test_a_new_key_signs_beside_the_old_one(self, begun: Path, settings: Settings) -> None:
        use_keys(begun, settings, OTHER_KEY, KEY)
        assert sign_due(later(10))
        checkpoint = SignedCheckpoint.objects.get(size=4)
        assert note_of(checkpoint, KEY) == note_of(checkpoint, OTHER_KEY)
        assert json.loads(leaves()[-1].text)["vkey"] == vkeys(OTHER_KEY)[0]

    def test_the_old_key_is_retired(self, begun: Path, settings: Settings) -> None:
        use_keys(begun, settings, OTHER_KEY, KEY)
        sign_due(later(10))
        use_keys(begun, settings, OTHER_KEY)
        checkpoint = sign_due(later(20))
        assert checkpoint
        assert note_of(checkpoint, OTHER_KEY).size == 5
        last = json.loads(leaves()[-1].text)
        assert (last["vkey"], last["use"]) == (vkeys(KEY)[0], "record")
        assert last["retired"].endswith("Z")
        assert AnnouncedKey.objects.get(vkey=last["vkey"]).retired == 4
        assert sign_due(later(40)) is None

    def test_a_key_that_was_never_announced_signs_nothing_alone(
        self, begun: Path, settings: Settings
    ) -> None:
        use_keys(begun, settings, OTHER_KEY)
        with pytest.raises(LostKeysError, match="this key is not here"):
            sign_due(later(10))
        assert len(leaves()) == 3

    def test_a_lost_key_is_not_replaced(self, begun: Path, settings: Settings) -> None:
        use_keys(begun, settings)
        with pytest.raises(LostKeysError, match="record_key is not there"):
            sign_due(later(10))
        assert not (begun / "record_key").exists()


def test_a_database_that_may_lose_leaves_is_not_signed(
    begun: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    add_game()
    monkeypatch.setattr(signing, "FULL_SYNCHRONOUS", 3)
    with connection.cursor() as cursor:
        if connection.vendor == "postgresql":
            cursor.execute("SET LOCAL synchronous_commit = off")
    with pytest.raises(UnsignedError, match="may lose leaves that it has confirmed"):
        sign_due(later(10))
    assert guard().size == 3

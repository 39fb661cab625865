"""Recovery after a restore: the leaves come back from a copy, in their order, or the record goes on
under a new name."""

from __future__ import annotations

import json
from datetime import datetime, timedelta
from hashlib import sha256
from pathlib import Path
from urllib.error import URLError

import pytest
from django.core.management import CommandError, call_command
from django.db import OperationalError
from django.utils import timezone

from games.models import Game
from record import beginning, copies, recovery, status
from record.copies import FolderSource, UrlSource, read_leaves, source_of, write_copy
from record.guard_file import write_guard
from record.models import AnnouncedKey, Leaf, Tree
from record.signing import UnsignedError, latest_checkpoint, sign_due
from tabularium_log.record.errors import MalformedError, RecordError, UnverifiedError
from tabularium_log.record.note import Signer, sign_note
from tests.record.recording import (
    KEY,
    ORIGIN,
    Dump,
    called_off,
    check_whole,
    guard,
    integrated,
    leaf_of,
    leaves,
    note_of,
)

pytestmark = [pytest.mark.django_db, pytest.mark.stores]
NOW = timezone.now()


def later(minutes: float) -> datetime:
    """A time after the first checkpoint."""
    return NOW + timedelta(minutes=minutes)


class Restored:
    """A record that went back to a dump: the game `kept` ended before it, and `due` just before it,
    without a leaf in it; the game `lost` is gone. A copy has all of their leaves."""

    def __init__(self, folder: Path) -> None:
        self.copy = folder / "copy"
        self.kept = called_off()
        integrated()
        beginning.begin(ORIGIN)
        sign_due(NOW)
        self.due, self.lost = called_off("private"), called_off()
        dump = Dump()
        integrated()
        self.texts = [row.text for row in leaves()]
        checkpoint = sign_due(later(1))
        assert checkpoint
        self.checkpoint = checkpoint
        write_copy(self.copy, checkpoint)
        dump.restore()
        # a game cannot be deleted: this one is as a dump has it in which it still runs
        Game.objects.filter(pk=self.lost).update(phase="playing")


@pytest.fixture
def restored(folder: Path) -> Restored:
    """Such a record."""
    return Restored(folder)


class TestACopy:
    def test_has_the_files_of_the_record(self, restored: Restored) -> None:
        names = {
            str(path.relative_to(restored.copy))
            for path in restored.copy.rglob("*")
            if path.is_file()
        }
        assert names == {"checkpoint", "tile/0/000.p/5", "tile/entries/000.p/5"}
        source = source_of(str(restored.copy))
        assert [leaf.decode() for leaf in read_leaves(source, 0, 5)] == restored.texts
        assert [leaf.decode() for leaf in read_leaves(source, 3, 5)] == restored.texts[3:]

    def test_gets_only_what_it_lacks(self, folder: Path) -> None:
        called_off()
        integrated()
        beginning.begin(ORIGIN)
        sign_due(NOW)
        checkpoint = latest_checkpoint()
        assert checkpoint
        assert write_copy(folder / "copy", checkpoint) == 3
        assert write_copy(folder / "copy", checkpoint) == 1

    def test_keeps_its_later_checkpoint(self, restored: Restored) -> None:
        """A server that publishes each night does so after a restore, too."""
        before = (restored.copy / "checkpoint").read_bytes()
        older = latest_checkpoint()
        assert older
        with pytest.raises(RecordError, match="The copy has 5 leaves of"):
            write_copy(restored.copy, older)
        assert (restored.copy / "checkpoint").read_bytes() == before

    def test_is_of_one_name(self, restored: Restored) -> None:
        recovery.begin_anew(f"{ORIGIN}/2")
        integrated()
        checkpoint = sign_due(later(3))
        assert checkpoint
        with pytest.raises(RecordError, match="choose another folder"):
            write_copy(restored.copy, checkpoint)

    def test_may_lie_at_a_url(self, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
        (tmp_path / "checkpoint").write_bytes(b"note")
        source = source_of("https://games.example/record/")
        assert isinstance(source, UrlSource)

        def reply(url: str, timeout: float) -> object:
            assert url == "https://games.example/record/checkpoint"
            return (tmp_path / "checkpoint").open("rb")

        monkeypatch.setattr(copies, "urlopen", reply)
        assert source.read("checkpoint") == b"note"
        monkeypatch.setattr(copies, "FILE_BYTES_LIMIT", 3)
        with pytest.raises(MalformedError, match="more than 3 bytes"):
            source.read("checkpoint")

        def fail(url: str, timeout: float) -> object:
            raise URLError("refused")

        monkeypatch.setattr(copies, "urlopen", fail)
        with pytest.raises(RecordError, match="cannot be read"):
            source.read("checkpoint")


class TestRecovery:
    def test_puts_the_leaves_back(self, restored: Restored) -> None:
        with pytest.raises(UnsignedError, match="it went back"):
            sign_due(later(2))
        assert recovery.recover(FolderSource(restored.copy)) == (2, 1)
        assert [row.text for row in leaves()][:5] == restored.texts
        assert leaves()[4].game == restored.lost
        integrated()
        assert leaf_of(restored.due).text == restored.texts[3]
        assert sign_due(later(3))
        size = len(leaves())
        assert size == guard().size == 6

    def test_names_the_leaves_of_lost_games(self, restored: Restored) -> None:
        recovery.recover(FolderSource(restored.copy))
        assert json.loads(leaves()[5].text) == {
            "because": "a restore of the database",
            "count": 1,
            "leaf": "lost/1",
            "sha256": sha256(b"[4]").hexdigest(),
        }

    def test_a_lost_game_that_comes_back_refers_to_its_leaf(self, restored: Restored) -> None:
        recovery.recover(FolderSource(restored.copy))
        Game.objects.filter(pk=restored.lost).update(phase="over")
        assert integrated().added == 0
        assert leaf_of(restored.lost).number == 4
        sign_due(later(3))
        check_whole()

    def test_old_and_new_checkpoints_are_of_one_tree(self, restored: Restored) -> None:
        recovery.recover(FolderSource(restored.copy))
        sign_due(later(3))
        old = note_of(restored.checkpoint)
        plain = [row.text for row in leaves()][: old.size]
        assert plain == restored.texts
        new = latest_checkpoint()
        assert new
        assert note_of(new).size == 6

    def test_a_second_time_changes_nothing(self, restored: Restored) -> None:
        recovery.recover(FolderSource(restored.copy))
        with pytest.raises(RecordError, match="has 6 leaves, and the copy 5"):
            recovery.recover(FolderSource(restored.copy))
        assert len(leaves()) == 6

    def test_a_dump_from_before_the_record(self, folder: Path) -> None:
        dump = Dump()
        restored = Restored(folder)
        dump.restore()
        Game.objects.filter(pk=restored.lost).update(phase="over")
        assert recovery.recover(FolderSource(restored.copy)) == (5, 0)
        integrated()
        assert AnnouncedKey.objects.count() == 2
        assert sign_due(later(3)) or latest_checkpoint() is not None
        assert check_whole() == 5
        assert Tree.objects.get().origin == ORIGIN

    def test_a_copy_that_ends_too_early(self, restored: Restored) -> None:
        write_guard_of_size(6)
        with pytest.raises(RecordError, match="5 leaves, and 6 may have been signed"):
            recovery.recover(FolderSource(restored.copy))

    def test_a_copy_with_another_leaf(self, restored: Restored) -> None:
        bundle = restored.copy / "tile/entries/000.p/5"
        bundle.write_bytes(bundle.read_bytes().replace(b"law_of", b"war_of"))
        with pytest.raises(UnverifiedError, match="do not make the tree that was signed"):
            recovery.recover(FolderSource(restored.copy))
        assert len(leaves()) == 3

    def test_a_copy_that_another_key_signed(self, restored: Restored) -> None:
        stated = note_of(restored.checkpoint)
        note = sign_note(stated.text, [Signer(ORIGIN, bytes(32))])
        (restored.copy / "checkpoint").write_bytes(note.encode())
        with pytest.raises(UnverifiedError):
            recovery.recover(FolderSource(restored.copy))

    def test_a_tree_that_the_guard_does_not_know(self, restored: Restored) -> None:
        """The key has signed two trees: the copy is of one, the guard of the other."""
        write_guard_of_size(4)
        with pytest.raises(UnverifiedError, match="not of the tree that the guard knows"):
            recovery.recover(FolderSource(restored.copy))
        assert len(leaves()) == 3

    def test_a_copy_without_its_files(self, restored: Restored) -> None:
        (restored.copy / "tile/entries/000.p/5").unlink()
        with pytest.raises(RecordError, match="The copy lacks tile/entries"):
            recovery.recover(FolderSource(restored.copy))

    def test_a_machine_without_a_guard(self, restored: Restored, folder: Path) -> None:
        (folder / "record_guard").unlink()
        with pytest.raises(RecordError, match="There is no guard"):
            recovery.recover(FolderSource(restored.copy))

    def test_a_database_of_another_guard(self, restored: Restored) -> None:
        Tree.objects.update(guard="x")
        with pytest.raises(RecordError, match="names another guard"):
            recovery.recover(FolderSource(restored.copy))


def write_guard_of_size(size: int) -> None:
    """Change the size that the guard states."""
    from dataclasses import replace

    from django.conf import settings

    write_guard(settings.RECORD_GUARD, replace(guard(), size=size))


class TestALostGuard:
    def test_is_made_again_from_the_copy(self, restored: Restored, folder: Path) -> None:
        (folder / "record_guard").unlink()
        assert recovery.recover(FolderSource(restored.copy), has_guard=False) == (2, 1)
        integrated()
        assert guard().size == 5
        assert sign_due(later(3))
        assert guard().size == 6

    def test_is_made_again_on_a_database_from_before(self, folder: Path) -> None:
        dump = Dump()
        restored = Restored(folder)
        dump.forget_games()
        dump.restore()
        (folder / "record_guard").unlink()
        assert recovery.recover(FolderSource(restored.copy), has_guard=False).leaves == 5
        assert Tree.objects.get().guard == guard().token
        assert guard().origin == ORIGIN

    def test_is_not_lost(self, restored: Restored) -> None:
        with pytest.raises(RecordError, match="There is a guard"):
            recovery.recover(FolderSource(restored.copy), has_guard=False)

    def test_a_copy_that_another_key_signed(self, restored: Restored, folder: Path) -> None:
        (folder / "record_guard").unlink()
        note = sign_note(note_of(restored.checkpoint).text, [Signer(ORIGIN, bytes(32))])
        (restored.copy / "checkpoint").write_bytes(note.encode())
        with pytest.raises(UnverifiedError):
            recovery.recover(FolderSource(restored.copy), has_guard=False)

    def test_a_new_name_needs_none(self, restored: Restored, folder: Path) -> None:
        (folder / "record_guard").unlink()
        recovery.begin_anew(f"{ORIGIN}/2")
        assert json.loads(leaves()[3].text)["size"] == 3
        assert sign_due(later(3))

    def test_a_record_without_a_name_gets_no_new_one(self, folder: Path) -> None:
        with pytest.raises(RecordError, match="not signed yet"):
            recovery.begin_anew(ORIGIN)


class TestANewName:
    NEW = f"{ORIGIN}/2"

    def test_begins_with_the_last_tree_of_the_old_one(self, restored: Restored) -> None:
        old = guard()
        recovery.begin_anew(self.NEW)
        assert json.loads(leaves()[3].text) == {
            "leaf": "origin/1",
            "origin": ORIGIN,
            "root": old.root,
            "size": 5,
        }
        assert integrated().added == 1
        checkpoint = sign_due(later(3))
        assert checkpoint
        assert checkpoint.note.startswith(f"{self.NEW}\n7\n")
        vkey = Signer(self.NEW, KEY).key.text
        assert vkey in {json.loads(row.text).get("vkey") for row in leaves()}
        assert sign_due(later(5)) is None

    def test_a_crash_before_the_guard_is_written(
        self, restored: Restored, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        def crash(*_: object) -> None:
            raise KeyboardInterrupt

        with monkeypatch.context() as patch:
            patch.setattr(recovery, "write_guard", crash)
            with pytest.raises(KeyboardInterrupt):
                recovery.begin_anew(self.NEW)
        with pytest.raises(UnsignedError, match="names another guard"):
            sign_due(later(3))
        recovery.begin_anew(self.NEW)
        assert Leaf.objects.filter(text__contains="origin/1").count() == 1
        assert sign_due(later(3))

    def test_is_another_one(self, restored: Restored) -> None:
        with pytest.raises(RecordError, match="choose another name"):
            recovery.begin_anew(ORIGIN)


def raise_outage() -> None:
    """As the database does that is away."""
    raise OperationalError("no database")


class TestTheCommand:
    def run(self, capsys: pytest.CaptureFixture[str], *arguments: str) -> str:
        """The output."""
        call_command("record", *arguments)
        return capsys.readouterr().out

    def test_a_whole_drill(self, folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
        assert "origin: none\nleaves: 0\ncheckpoint: none" in self.run(capsys, "status")
        called_off()
        assert "waited for" in self.run(capsys, "status")
        integrated()
        assert "signs the record" in self.run(capsys, "init", ORIGIN)
        with pytest.raises(CommandError, match="There is no checkpoint yet"):
            self.run(capsys, "publish", str(folder / "copy"))
        sign_due(NOW)
        dump = Dump()
        called_off("private")
        integrated()
        sign_due(later(1))
        assert "has 4 leaves" in self.run(capsys, "publish", str(folder / "copy"))
        status = self.run(capsys, "status")
        assert f"origin: {ORIGIN}\nleaves: 4\ncheckpoint: 4 leaves" in status
        assert "this machine: signs\nguard: 4 leaves" in status
        dump.restore()
        assert "this machine: refuses to sign" in self.run(capsys, "status")
        assert "it went back" in self.run(capsys, "status")
        out = self.run(capsys, "recover", "--from", str(folder / "copy"))
        assert out == "1 leaves are back; 0 of them are of games that are lost.\n"
        integrated()
        check_whole()
        assert "continues as x/2" in self.run(capsys, "recover", "--new-origin", "x/2")
        (folder / "record_guard").unlink()
        assert "another machine has the guard" in self.run(capsys, "status")
        assert "signs the record" in self.run(capsys, "init", "--adopt")

    def test_refusals_are_sentences(self, folder: Path) -> None:
        for arguments in (["init"], ["init", ORIGIN, "--adopt"], ["init", "a b"]):
            with pytest.raises(CommandError):
                call_command("record", *arguments)
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(status, "read_tree", raise_outage)
            with pytest.raises(CommandError, match="no database"):
                call_command("record", "status")
        with pytest.raises(CommandError, match="The copy lacks checkpoint"):
            call_command("record", "recover", "--from", str(folder))

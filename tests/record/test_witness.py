"""The witness: it cosigns only trees that continue those it has cosigned, also after its database
went back, and keeps the evidence against a log."""

from __future__ import annotations

from base64 import b64encode
from dataclasses import replace
from datetime import UTC, datetime
from io import StringIO
from pathlib import Path

import pytest
from django.conf import settings as current
from django.core.management import CommandError, call_command
from django.db import connection
from pytest_django import Settings

from record import signing, witness, witness_identity
from record.announced_keys import keys_here
from record.cosignature import parse_lines
from record.guard_file import Guard, write_guard
from record.models import Evidence, Witnessed
from record.witness import (
    NotReadyError,
    OldSizeError,
    UnknownLogError,
    UnprovenError,
    UnsignedCheckpointError,
)
from record.witness_request import AddCheckpoint, parse_request
from tabularium_log.record.errors import MalformedError, RecordError
from tabularium_log.record.note import Note, Signer, parse_note
from tests.games.tampering import assert_rejected
from tests.record import recording
from tests.record.witnessing import (
    KEY,
    LOG,
    NAME,
    WITNESS,
    Log,
    cosigned,
    guard_of,
    list_logs,
    refused,
    use_witness,
    witnessed,
)

pytestmark = [pytest.mark.django_db, pytest.mark.stores]
NOW = datetime(2026, 11, 28, 12, tzinfo=UTC)


@pytest.fixture
def log(tmp_path: Path, settings: Settings) -> Log:
    """A log of three leaves, which the witness knows."""
    found = Log("a", "b", "c")
    use_witness(tmp_path, settings, found)
    return found


def run(*arguments: str) -> str:
    """The output of `manage.py record witness`."""
    output = StringIO()
    call_command("record", "witness", *arguments, stdout=output)
    return output.getvalue()


class TestCosigning:
    def test_the_first_checkpoint_needs_no_proof(self, log: Log) -> None:
        lines = parse_lines(witness.add_checkpoint(log.body(0), NOW))
        row = witnessed(log)
        assert (row.origin, row.size, bytes(row.root)) == (LOG, 3, log.checkpoint().root)
        assert guard_of(log) == Guard(NAME, LOG, 3, log.checkpoint().root.hex())
        assert parse_note(row.note.encode()).signatures == (*log.note().signatures, *lines)
        assert cosigned(log, 3) > NOW.timestamp() - 86400 * 3650

    def test_a_later_one_has_to_continue_it(self, log: Log) -> None:
        cosigned(log, 0, 2)
        log.add("d", "e", "f", "g")
        cosigned(log, 2, 5)
        cosigned(log, 5)
        assert witnessed(log).size == 7
        assert not Evidence.objects.exists()

    def test_the_same_one_is_cosigned_again_with_a_later_time(self, log: Log) -> None:
        first = parse_lines(witness.add_checkpoint(log.body(0), NOW))
        again = parse_lines(witness.add_checkpoint(log.body(3), NOW.replace(hour=13)))
        assert first != again
        assert again[0].line in witnessed(log).note

    def test_a_tree_without_leaves_is_one(self, log: Log) -> None:
        cosigned(log, 0, 0)
        cosigned(log, 0, 0)
        assert witnessed(log).note
        cosigned(log, 0, 3)

    def test_all_keys_cosign(self, tmp_path: Path, settings: Settings) -> None:
        log = Log("a")
        use_witness(tmp_path, settings, log, keys=[KEY, bytes(32)])
        lines = parse_lines(witness.add_checkpoint(log.body(0)))
        assert len({line.key_id for line in lines}) == 2
        assert {line.name for line in lines} == {NAME}

    def test_a_log_may_have_two_keys(self, log: Log, tmp_path: Path) -> None:
        other = Log("a", "b", "c", "d", key=bytes(32))
        list_logs(tmp_path, log, other)
        cosigned(log, 0)
        cosigned(other, 3)
        assert witnessed(log).size == 4

    def test_lines_of_unknown_keys_are_not_kept(self, log: Log) -> None:
        stranger = Signer("stranger", bytes(32)).sign(log.note().text)
        request = AddCheckpoint(
            0, (), replace(log.note(), signatures=(stranger, *log.note().signatures))
        )
        witness.add_checkpoint(request.encode())
        assert stranger.line not in witnessed(log).note

    def test_extension_lines_are_cosigned(self, log: Log) -> None:
        text = f"{log.note().text}an extension\n"
        note = Note(text, (log.signer.sign(text),))
        lines = parse_lines(witness.add_checkpoint(AddCheckpoint(0, (), note).encode()))
        assert WITNESS.has_signed(text, lines[0].value)

    def test_the_largest_proof(self) -> None:
        body = AddCheckpoint(2**62, (bytes(32),) * 63, Log("a").note())
        assert parse_request(body.encode()) == body


class TestRefusals:
    def test_an_unknown_log(self, log: Log, tmp_path: Path) -> None:
        stranger = Log("a", origin="log.example/another")
        refused(UnknownLogError, stranger.body(0))
        list_logs(tmp_path)
        refused(UnknownLogError, log.body(0))
        assert not Witnessed.objects.exists()

    def test_a_machine_that_is_no_witness(self, log: Log, settings: Settings) -> None:
        settings.WITNESS_GUARDS = current.WITNESS_GUARDS / "elsewhere"
        refused(UnknownLogError, log.body(0))

    def test_another_key_in_the_name_of_the_log(self, log: Log) -> None:
        refused(UnsignedCheckpointError, Log("a", key=bytes(32)).body(0))
        assert not Witnessed.objects.exists()

    def test_a_wrong_signature(self, log: Log) -> None:
        [line] = log.note().signatures
        forged = replace(line, value=bytes(64))
        for lines in ((forged,), (line, forged)):
            body = AddCheckpoint(0, (), Note(log.note().text, lines)).encode()
            assert "is wrong" in str(refused(UnsignedCheckpointError, body))

    def test_an_old_size_above_the_checkpoint(self, log: Log) -> None:
        cosigned(log, 0)
        refused(MalformedError, AddCheckpoint(3, (), log.note(2)).encode())

    @pytest.mark.parametrize("old", [0, 1, 2])
    def test_another_old_size(self, log: Log, old: int) -> None:
        cosigned(log, 0)
        log.add("d")
        problem = refused(OldSizeError, log.body(old))
        assert isinstance(problem, OldSizeError)
        assert problem.size == 3
        assert not Evidence.objects.exists()

    def test_a_size_that_nothing_was_cosigned_of(self, log: Log) -> None:
        problem = refused(OldSizeError, log.body(2))
        assert isinstance(problem, OldSizeError)
        assert problem.size == 0

    def test_a_smaller_tree(self, log: Log) -> None:
        cosigned(log, 0)
        assert isinstance(refused(OldSizeError, log.body(0, 2)), OldSizeError)
        assert witnessed(log).size == 3

    def test_a_proof_with_the_first_checkpoint(self, log: Log) -> None:
        refused(UnprovenError, AddCheckpoint(0, (bytes(32),), log.note()).encode())

    def test_a_root_of_no_leaves_that_is_another(self, log: Log) -> None:
        text = f"{LOG}\n0\n{b64encode(bytes(32)).decode()}\n"
        body = AddCheckpoint(0, (), Note(text, (log.signer.sign(text),))).encode()
        refused(UnprovenError, body)
        refused(UnsignedCheckpointError, AddCheckpoint(0, (), Log(key=bytes(32)).note(0)).encode())

    @pytest.mark.parametrize(
        "change",
        [
            (b"old 0\n", b""),
            (b"old 0\n", b"old 00\n"),
            (b"old 0\n", b"old -1\n"),
            (b"old 0\n", b"old 9223372036854775808\n"),
            (b"old 0\n", b"old 0\r\n"),
            (b"old 0\n", b"Old 0\n"),
            (b"old 0\n", b"old 0\nAAAA\n"),
            (b"old 0\n", b"old 0\n!\n"),
            (b"old 0\n", b"old 0\n" + b"A" * 43 + b"=\n" * 64),
            (b"old 0\n", b"old 0\n" + (b"A" * 43 + b"=\n") * 64),
            (b"\n\n", b"\n"),
            (b"=\n", b"=\n\xff"),
        ],
    )
    def test_others_are_malformed(self, log: Log, change: tuple[bytes, bytes]) -> None:
        refused(MalformedError, log.body(0).replace(*change, 1))
        assert not Witnessed.objects.exists()

    @pytest.mark.parametrize("change", [("\n3\n", "\n03\n"), ("\n3\n", "\n"), ("=\n", "=\n\n")])
    def test_a_signed_text_that_is_no_checkpoint(self, log: Log, change: tuple[str, str]) -> None:
        text = log.note().text.replace(*change)
        body = AddCheckpoint(0, (), Note(text, (log.signer.sign(text),))).encode()
        refused(MalformedError, body)
        assert not Witnessed.objects.exists()

    @pytest.mark.parametrize("body", [b"", b"\n", b"old 0", b"old 0\n\n", b"{}", b"\0" * 100])
    def test_bodies_that_are_none(self, log: Log, body: bytes) -> None:
        refused(MalformedError, body)


class TestForks:
    def test_another_root_of_the_same_size_convicts_the_log(
        self, log: Log, caplog: pytest.LogCaptureFixture
    ) -> None:
        cosigned(log, 0)
        fork = Log("a", "b", "x")
        for old in (3, 0):  # even if the request knows another size
            with pytest.raises((UnprovenError, OldSizeError)):
                witness.add_checkpoint(AddCheckpoint(old, (), fork.note()).encode())
        [row] = Evidence.objects.all()
        assert (row.kind, row.size, row.origin) == ("fork", 3, LOG)
        assert row.note.encode() == fork.note().encode()
        assert row.against == witnessed(log).note
        assert [record.getMessage() for record in caplog.records] == [
            f"The log {LOG} has signed 3 leaves: they fork those that were cosigned."
        ]

    def test_a_larger_fork_cannot_be_proven(self, log: Log) -> None:
        cosigned(log, 0)
        fork = Log("a", "b", "x", "y", "z")
        refused(UnprovenError, fork.body(3))
        assert [row.kind for row in Evidence.objects.all()] == ["unproven"]
        log.add("d")
        cosigned(log, 3)

    def test_evidence_is_limited_and_kept_by_kind(
        self, log: Log, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(witness, "EVIDENCE_LIMIT", 3)
        cosigned(log, 0)
        for number in range(5):
            refused(UnprovenError, Log("a", "b", f"x{number}", "y").body(3))
        for number in range(5):
            refused(UnprovenError, Log("a", "b", f"x{number}").body(3))
        kinds = [row.kind for row in Evidence.objects.all()]
        assert kinds == ["unproven"] * 3 + ["fork"] * 3

    def test_it_is_shown_and_written(self, log: Log, tmp_path: Path) -> None:
        assert f"log {LOG}: nothing yet" in run()
        cosigned(log, 0)
        refused(UnprovenError, Log("a", "b", "x").body(3))
        lines = run().splitlines()
        assert lines[0] == f"key: {WITNESS.text}"
        assert lines[1].startswith(f"log {LOG}: 3 leaves, at ")
        assert lines[2:] == [f"evidence against {LOG}: fork, 1"]
        assert "2 files written" in run("--evidence", str(tmp_path / "evidence"))
        refused_file, cosigned_file = sorted((tmp_path / "evidence").iterdir(), reverse=True)
        assert parse_note(refused_file.read_bytes()).text == Log("a", "b", "x").note().text
        assert parse_note(cosigned_file.read_bytes()).text == log.note().text


class TestAnOlderDatabase:
    def test_the_guard_remembers_what_was_cosigned(self, log: Log) -> None:
        """The row of an older dump, under the guard of today."""
        cosigned(log, 0, 2)
        log.add("d", "e")
        cosigned(log, 2)
        restore(log, 2)
        fork = Log("a", "b", "x", "y", "z", "zz")
        problem = refused(OldSizeError, fork.body(2))
        assert isinstance(problem, OldSizeError)
        assert problem.size == 5
        refused(UnprovenError, fork.body(5))
        log.add("f")
        cosigned(log, 5)
        assert witnessed(log).size == 6

    def test_without_its_guard_it_would_cosign_a_fork(self, log: Log) -> None:
        """The neighbour of the test above: the same dump, and the guard that was beside it."""
        cosigned(log, 0, 2)
        old = guard_of(log)
        assert old
        cosigned(log, 2)
        restore(log, 2)
        write_guard(witness_identity.guard_path(witness_identity.log_hash(LOG)), old)
        cosigned(Log("a", "b", "x", "y"), 2)

    def test_a_database_without_the_row(self, log: Log) -> None:
        cosigned(log, 0)
        open_tables()
        Witnessed.objects.all().delete()
        refused(OldSizeError, Log("x", "y", "z").body(0))
        cosigned(log, 3)

    def test_a_lost_guard_stops_the_witness(self, log: Log) -> None:
        cosigned(log, 0)
        witness_identity.guard_path(witness_identity.log_hash(LOG)).unlink()
        assert "is missing" in str(refused(NotReadyError, log.body(3)))

    def test_another_tree_of_the_same_size_in_the_guard_stops_it(self, log: Log) -> None:
        cosigned(log, 0)
        path = witness_identity.guard_path(witness_identity.log_hash(LOG))
        write_guard(path, Guard(NAME, LOG, 3, "00" * 32))
        assert "different trees" in str(refused(NotReadyError, log.body(3)))
        path.write_text("{}")
        assert "cannot be read" in str(refused(NotReadyError, log.body(3)))

    def test_the_database_refuses_to_go_back(self, log: Log) -> None:
        cosigned(log, 0)
        refused(UnprovenError, Log("a", "b", "x").body(3))
        root = "'\\x00'" if connection.vendor == "postgresql" else "x'00'"
        for statement in (
            "UPDATE record_witnessed SET size = 2",
            f"UPDATE record_witnessed SET root = {root}",
            "UPDATE record_witnessed SET origin = 'x'",
            "DELETE FROM record_witnessed",
            "UPDATE record_evidence SET size = 2",
            "DELETE FROM record_evidence",
        ):
            with assert_rejected("the witness forgets nothing"), connection.cursor() as cursor:
                cursor.execute(statement)


class TestTwoAtOnce:
    def test_only_the_first_of_two_requests_is_cosigned(
        self, log: Log, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        cosigned(log, 0, 2)
        fork, whole = Log("a", "b", "x"), signing.check_durability

        def interrupt() -> None:
            monkeypatch.setattr(witness, "check_durability", whole)
            cosigned(log, 2)

        monkeypatch.setattr(witness, "check_durability", interrupt)
        problem = refused(OldSizeError, fork.body(2))
        assert isinstance(problem, OldSizeError)
        assert problem.size == 3
        assert guard_of(log) == Guard(NAME, LOG, 3, log.checkpoint().root.hex())

    def test_a_guard_that_cannot_be_written_gives_out_nothing(
        self, log: Log, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        def fail(*_: object) -> None:
            raise OSError("disk full")

        with monkeypatch.context() as patch:
            patch.setattr("record.durable_file.os.fsync", fail)
            assert "disk full" in str(refused(NotReadyError, log.body(0)))
        assert witnessed(log).note == ""
        cosigned(log, 0)


class TestBeginning:
    def test_a_key_is_created(self, tmp_path: Path, settings: Settings) -> None:
        use_witness(tmp_path, settings, keys=[])
        assert len(bytes.fromhex((tmp_path / "witness_key").read_text())) == 32
        assert run().startswith(f"key: {NAME}+")
        with pytest.raises(RecordError, match="is the witness"):
            witness_identity.begin("another", adopt=False)

    def test_by_the_command(self, tmp_path: Path, settings: Settings) -> None:
        settings.WITNESS_GUARDS = tmp_path / "guards"
        settings.WITNESS_KEYS = current.WITNESS_KEYS.__class__("X", [KEY.hex()], tmp_path / "key")
        assert run().startswith("witness: none")
        with pytest.raises(CommandError, match="belongs to --begin"):
            run("--adopt")
        with pytest.raises(CommandError, match="a blank or a plus"):
            run("--begin", "a b")
        assert "is a witness" in run("--begin", NAME)
        assert run().startswith(f"key: {WITNESS.text}")

    def test_another_machine_takes_over(self, log: Log, settings: Settings) -> None:
        cosigned(log, 0)
        settings.WITNESS_GUARDS = current.WITNESS_GUARDS / "elsewhere"
        with pytest.raises(RecordError, match="--adopt lets this machine continue"):
            witness_identity.begin(NAME, adopt=False)
        witness_identity.begin(NAME, adopt=True)
        refused(UnprovenError, Log("a", "b", "x").body(3))
        cosigned(log, 3)

    def test_a_lost_key_stops_the_witness(
        self, log: Log, tmp_path: Path, settings: Settings
    ) -> None:
        empty = current.WITNESS_KEYS.__class__("WITNESS_KEYS", [], tmp_path / "witness_key")
        settings.WITNESS_KEYS = empty
        assert "witness_key is not there" in str(refused(NotReadyError, log.body(0)))
        assert not (tmp_path / "witness_key").exists()

    def test_a_list_of_logs_that_cannot_be_read_stops_it(self, log: Log, tmp_path: Path) -> None:
        (tmp_path / "witness_logs").write_text("log x\n")
        assert "cannot be read" in str(refused(NotReadyError, log.body(0)))
        list_logs(tmp_path, Log(origin="x" * 201))
        assert "more than 200" in str(refused(NotReadyError, log.body(0)))

    def test_a_database_that_may_lose_rows_stops_it(
        self, log: Log, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(signing, "FULL_SYNCHRONOUS", 3)
        if connection.vendor == "postgresql":
            with connection.cursor() as cursor:
                cursor.execute("SET LOCAL synchronous_commit = off")
        refused(signing.UnsignedError, log.body(0))
        assert guard_of(log) is None

    def test_its_key_is_announced_in_the_record(self, log: Log, settings: Settings) -> None:
        recording.use_folder(current.WITNESS_GUARDS.parent, settings, recording.KEY)
        assert keys_here(recording.ORIGIN)[WITNESS.text] == "witness"
        current.WITNESS_LOGS.write_text("no policy")
        assert WITNESS.text in keys_here(recording.ORIGIN)
        settings.WITNESS_KEYS = current.WITNESS_KEYS.__class__(
            "WITNESS_KEYS", [], current.WITNESS_GUARDS / "lost"
        )
        assert WITNESS.text not in keys_here(recording.ORIGIN)


def open_tables() -> None:
    """Remove the guards of the tables for the rest of the test."""
    from importlib import import_module

    with connection.cursor() as cursor:
        if connection.vendor == "postgresql":
            cursor.execute("SET CONSTRAINTS ALL IMMEDIATE")
        for statement in import_module("record.migrations.0002_witness").lifting(connection.vendor):
            cursor.execute(statement)


def restore(log: Log, size: int) -> None:
    """Let the database be that of an older dump, of when so many leaves were cosigned."""
    open_tables()
    row = witnessed(log)
    row.size, row.root = size, log.checkpoint(size).root
    row.note = log.note(size).encode().decode()
    row.save()

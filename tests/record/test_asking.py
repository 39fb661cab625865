"""Asking witnesses: their cosignatures are verified, kept and served, and their refusals reported,
whatever they answer."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import UTC, datetime, timedelta
from io import StringIO
from pathlib import Path

import pytest
from django.core.management import call_command
from django.db import connection
from django.test import Client
from django.utils import timezone
from pytest_django import Settings

from games.models import Game
from jobs.witness_rounds import WitnessRounds
from record import asking, beginning, witness
from record.asking import ask, due_witnesses, has_quorum, served_note
from record.copies import write_copy
from record.cosignature import Cosigner, verified_lines
from record.game_proofs import prove_game
from record.models import AskedWitness, Cosignature, Evidence, SignedCheckpoint
from record.policy import Party, Policy, parse_policy
from record.signing import latest_checkpoint, sign_due
from record.witness_client import Reply, UnansweredError
from record.witness_request import AddCheckpoint, parse_request
from tabularium_log.record.errors import RecordError
from tabularium_log.record.note import parse_note
from tabularium_log.record.proof import parse_proof
from tests.games.tampering import assert_rejected
from tests.record.recording import KEY, ORIGIN, called_off, integrated
from tests.record.witnessing import NAME, WITNESS, Log, use_witness

pytestmark = [pytest.mark.django_db, pytest.mark.stores]
NOW = datetime(2026, 11, 28, 12, tzinfo=UTC)
URL = "https://witness.example/witness"
OTHER = Cosigner("other.example", bytes(32)).key
STATUSES = {witness.UnknownLogError: 404, witness.UnprovenError: 422}

Answer = Callable[[bytes], Reply | RecordError]


def answer(body: bytes) -> Reply:
    """The reply of the witness of this process."""
    try:
        return Reply(200, witness.add_checkpoint(body))
    except witness.OldSizeError as problem:
        return Reply(409, f"{problem.size}\n".encode())
    except RecordError as problem:
        return Reply(STATUSES[type(problem)], str(problem).encode())


class Wire:
    """The requests that were sent, and who answers them."""

    def __init__(self) -> None:
        self.sent: list[bytes] = []
        self.answers: list[Answer] = []

    def post_all(
        self, requests: Sequence[tuple[str, bytes]], seconds: float
    ) -> list[Reply | RecordError]:
        """Answer as the witness does, unless another answer is due."""
        replies = []
        for _, body in requests:
            self.sent.append(body)
            replies.append((self.answers.pop(0) if self.answers else answer)(body))
        return replies

    def old_sizes(self) -> list[int]:
        """The sizes in the requests."""
        return [parse_request(body).old_size for body in self.sent]


@pytest.fixture
def wire(folder: Path, settings: Settings, monkeypatch: pytest.MonkeyPatch) -> Wire:
    """A signed record with a witness, which are in this process and in one database."""
    settings.RECORD_POLICY = folder / "record_policy"
    settings.RECORD_POLICY.write_text(f"witness w {WITNESS.text} {URL}\nquorum w\n")
    use_witness(folder, settings, Log(origin=ORIGIN, key=KEY))
    called_off()
    integrated()
    beginning.begin(ORIGIN)
    sign_due(NOW)
    monkeypatch.setattr(timezone, "now", lambda: NOW)  # for both sides, however late this runs
    found = Wire()
    monkeypatch.setattr(asking, "post_all", found.post_all)
    return found


def policy() -> Policy:
    """The policy, which is there."""
    found = asking.configured_policy()
    assert found
    return found


def last() -> SignedCheckpoint:
    """The last checkpoint, which is there."""
    found = latest_checkpoint()
    assert found
    return found


def ask_all(now: datetime = NOW) -> list[str]:
    """Ask all witnesses that are due; their failures."""
    due = due_witnesses(policy(), last(), now)
    return [str(problem) for problem in ask(due, last(), now).values() if problem]


def grow() -> None:
    """Add a leaf, and sign."""
    called_off()
    integrated()
    sign_due(last().at + timedelta(seconds=10))


def status() -> str:
    """The output of `manage.py record status`."""
    output = StringIO()
    call_command("record", "status", stdout=output)
    return output.getvalue()


class TestCosignatures:
    def test_are_served_under_the_checkpoint(self, wire: Wire) -> None:
        assert served_note(last()) == last().note
        assert not has_quorum(policy(), last())
        assert ask_all() == []
        note = parse_note(Client().get("/record/checkpoint").content)
        [line] = verified_lines(note.text, note.signatures, [WITNESS])
        assert served_note(last()) == last().note + line.line
        assert has_quorum(policy(), last())
        assert "witness w: " in status()
        assert "quorum of the last checkpoint: reached" in status()

    def test_are_in_a_copy(self, wire: Wire, tmp_path: Path) -> None:
        ask_all()
        write_copy(tmp_path / "copy", last())
        assert (tmp_path / "copy" / "checkpoint").read_text() == served_note(last())

    def test_are_in_the_proof_of_a_game(self, wire: Wire) -> None:
        game = Game.objects.get(phase="over")
        assert ask_all() == []
        raw = prove_game(game).proof.encode()
        assert raw.endswith(served_note(last()).encode())
        assert parse_proof(raw).index == game.leaf

    def test_of_a_later_tree_follow_from_the_last_size(self, wire: Wire) -> None:
        ask_all()
        grow()
        assert ask_all() == []
        assert wire.old_sizes() == [0, last().size - 1]
        assert parse_request(wire.sent[1]).proof

    def test_a_size_that_the_witness_names_is_used_once(self, wire: Wire) -> None:
        ask_all()
        grow()
        AskedWitness.objects.all().delete()
        assert ask_all() == []
        assert wire.old_sizes() == [0, 0, last().size - 1]
        grow()
        size = last().size
        wire.answers = [lambda _: Reply(409, b"1\n"), lambda _: Reply(409, b"2\n")]
        assert ask_all() == ["It answers 409: 2\n"]
        assert wire.old_sizes()[3:] == [size - 1, 1]

    def test_are_asked_for_again_after_an_hour(self, wire: Wire) -> None:
        ask_all()
        assert due_witnesses(policy(), last(), NOW + timedelta(minutes=59)) == []
        first = served_note(last())
        later = NOW + timedelta(minutes=61)
        wire.answers = [
            lambda body: Reply(200, witness.add_checkpoint(body, later)) for _ in range(1)
        ]
        assert ask_all(later) == []
        second = served_note(last())
        assert len(second) == len(first)
        assert second != first
        assert Cosignature.objects.count() == 2

    def test_stay(self, wire: Wire) -> None:
        ask_all()
        for statement in (
            "UPDATE record_cosignature SET line = ''",
            "DELETE FROM record_cosignature",
        ):
            with assert_rejected("the witness forgets nothing"), connection.cursor() as cursor:
                cursor.execute(statement)

    def test_of_several_witnesses(self, wire: Wire, settings: Settings) -> None:
        lines = (
            f"witness v {OTHER.text} {URL}\nwitness u {Cosigner('u', bytes(range(32))).key.text}\n"
        )
        text = settings.RECORD_POLICY.read_text().replace("quorum w", "group g all w v\nquorum g")
        settings.RECORD_POLICY.write_text(lines + text)
        cosigner = Cosigner("other.example", bytes(32))
        wire.answers = [
            lambda body: Reply(
                200,
                cosigner.cosign(parse_request(body).note.text, int(NOW.timestamp())).line.encode(),
            )
        ]
        assert ask_all() == []
        assert len(wire.sent) == 2  # one has no URL
        assert has_quorum(policy(), last())


class TestAnswersThatAreNoCosignature:
    @pytest.mark.parametrize(
        ("reply", "reason"),
        [
            (UnansweredError("No reply in time."), "No reply in time"),
            (Reply(200, b""), "no list of signature lines"),
            (Reply(200, b"\xff"), "not UTF-8"),
            (Reply(404, b"unknown"), "It answers 404: unknown"),
            (Reply(500, b"\xff" * 1000), "It answers 500"),
            (Reply(302, b""), "It answers 302"),
            (Reply(409, b"x\n"), "not a decimal number"),
            (Reply(409, b"1000\n"), "cosigned 1000 leaves, and the checkpoint here has 4"),
        ],
    )
    def test_are_reported(self, wire: Wire, reply: Reply | RecordError, reason: str) -> None:
        wire.answers = [lambda _: reply]
        [problem] = ask_all()
        assert reason in problem
        assert not Cosignature.objects.exists()
        assert served_note(last()) == last().note
        assert reason in status()
        assert "quorum of the last checkpoint: missing" in status()

    @pytest.mark.parametrize("minutes", [-6, 6])
    def test_one_of_another_time(self, wire: Wire, minutes: int) -> None:
        wire.answers = [
            lambda body: Reply(200, witness.add_checkpoint(body, NOW + timedelta(minutes=minutes)))
        ]
        [problem] = ask_all()
        assert "is not now" in problem

    def test_one_by_another_key(self, wire: Wire) -> None:
        stranger = Cosigner(NAME, bytes(range(5, 37)))
        wire.answers = [
            lambda body: Reply(200, stranger.cosign(parse_request(body).note.text, 1).line.encode())
        ]
        assert ask_all() == ["None of the known keys has signed the note."]

    def test_one_of_another_checkpoint(self, wire: Wire) -> None:
        wire.answers = [
            lambda _: Reply(200, Cosigner(NAME, bytes(range(3, 35))).cosign("x\n", 1).line.encode())
        ]
        [problem] = ask_all()
        assert "is wrong" in problem

    def test_a_fork_is_refused_and_kept(self, wire: Wire) -> None:
        """The witness has cosigned another tree under the same key."""
        other = Log(*"abcdefg", origin=ORIGIN, key=KEY)
        witness.add_checkpoint(other.body(0, 2))
        [problem] = ask_all()
        assert "It answers 422: The consistency proof leads to another root" in problem
        assert [row.kind for row in Evidence.objects.all()] == ["unproven"]
        witness.add_checkpoint(other.body(2, 4))
        [problem] = ask_all()
        assert "different roots" in problem
        assert "fork" in {row.kind for row in Evidence.objects.all()}
        witness.add_checkpoint(other.body(4))
        [problem] = ask_all()
        assert "a second history was signed" in problem


class TestThePolicy:
    def test_is_served_with_the_keys_of_the_record(self, wire: Wire, settings: Settings) -> None:
        reply = Client().get("/record/policy")
        assert reply["Cache-Control"] == "public, max-age=300"
        served = parse_policy(reply.content)
        assert [log.key.name for log in served.logs] == [ORIGIN]
        assert served.witnesses == policy().witnesses
        own = f"log {served.logs[0].key.text} https://games.example/record\n"
        settings.RECORD_POLICY.write_text(own + settings.RECORD_POLICY.read_text())
        assert Client().get("/record/policy").content == settings.RECORD_POLICY.read_bytes()

    def test_without_witnesses_asks_for_none(self, wire: Wire, settings: Settings) -> None:
        settings.RECORD_POLICY.unlink()
        served = parse_policy(Client().get("/record/policy").content)
        assert (served.quorum, served.witnesses) == ("none", {})
        assert "quorum" not in status()

    def test_that_cannot_be_read_is_not_served(self, wire: Wire, settings: Settings) -> None:
        settings.RECORD_POLICY.write_text("x")
        reply = Client().get("/record/policy")
        assert (reply.status_code, reply.json()["code"]) == (503, "unavailable")
        assert asking.cosignature_times() == {}
        assert "witnesses: The policy" in status()

    def test_is_missing_before_the_first_checkpoint(self, folder: Path) -> None:
        assert Client().get("/record/policy").status_code == 404


class TestRounds:
    def test_ask_what_is_due_and_pause_after_failures(
        self, wire: Wire, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        rounds = WitnessRounds()
        [party] = policy().witnesses.values()
        wire.answers = [lambda _: UnansweredError("away")]
        rounds.ask([party], last())
        assert not rounds.failing.is_due("the witness witness.example/w1 at " + URL)
        rounds.failing.clear()
        rounds.ask([party], last())
        assert rounds.failing.is_due("the witness witness.example/w1 at " + URL)
        assert Cosignature.objects.exists()

    def test_begin_in_a_thread_if_a_witness_is_due(
        self, wire: Wire, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        asked: list[tuple[list[Party], SignedCheckpoint]] = []
        rounds = WitnessRounds()
        monkeypatch.setattr(rounds, "ask", lambda *given: asked.append(given))
        rounds.run()
        rounds.wait()
        assert asked == [([*policy().witnesses.values()], last())]
        ask_all()
        rounds.run()
        rounds.wait()
        assert len(asked) == 1

    def test_only_the_machine_that_signs_asks(self, wire: Wire, settings: Settings) -> None:
        settings.RECORD_GUARD = settings.RECORD_GUARD.parent / "elsewhere"
        rounds = WitnessRounds()
        rounds.run()
        rounds.wait()
        assert wire.sent == []


def test_metrics_name_the_witness_and_the_evidence(wire: Wire) -> None:
    ask_all()
    Evidence.objects.create(
        log="x", origin="a.example", kind="fork", digest="x", size=1, note="", against="", at=NOW
    )
    text = Client().get("/api/v1/metrics").content.decode()
    assert 'tabularium_record_cosignature_age_seconds{witness="w"} ' in text
    assert 'tabularium_witness_evidence{kind="fork",log="a.example"} 1.0' in text


def test_a_request_is_read_as_it_is_written(wire: Wire) -> None:
    ask_all()
    grow()
    ask_all()
    for body in wire.sent:
        assert parse_request(body).encode() == body
        assert isinstance(parse_request(body), AddCheckpoint)

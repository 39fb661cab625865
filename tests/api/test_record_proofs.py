"""The proof of a game from the public record: it verifies, it is given to those who may read the
game, and where there is none yet the refusal says why."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command
from django.db import connection
from django.test.utils import CaptureQueriesContext

from games.models import Game
from record.models import SignedCheckpoint, Tree
from tabularium_log.audit.export_reader import read_export
from tabularium_log.audit.export_verifier import verify_export
from tabularium_log.record.errors import UnverifiedError
from tabularium_log.record.game_leaves import exported_game, exported_secret
from tabularium_log.record.hashes import leaf_hash
from tabularium_log.record.note import Signer
from tabularium_log.record.proof import parse_proof, verify_proof
from tests.api.calls import LINES
from tests.api.program import Program
from tests.api.test_matrix import assert_refused
from tests.api.world import BASE, World
from tests.docs.record_vectors import proven
from tests.record import recording
from tests.record.go_oracle import Oracle, compiled_oracle
from tests.record.recording import KEY, ORIGIN, called_off, signed_record

pytestmark = pytest.mark.stores

VKEY = Signer(ORIGIN, KEY).key


def proof_of(program: Program, game: str) -> bytes:
    """The proof that a server gives."""
    reply = program.get(f"{BASE}/games/{game}/record")
    assert reply["Content-Type"] == "text/plain; charset=utf-8"
    assert reply["Access-Control-Allow-Origin"] == "*"
    raw: bytes = reply.content
    return raw


def leaf_made(program: Program, game: str, *, is_blinded: bool) -> bytes:
    """The leaf of a game, made from its export alone."""
    lines = program.get(f"{BASE}/games/{game}/export").getvalue().splitlines(keepends=True)
    export = read_export(lines)
    facts = exported_game(export)
    text = facts.blinded(exported_secret(export)) if is_blinded else facts.text
    return text.encode()


@pytest.mark.parametrize("visibility", ["public", "private", "unlisted"])
def test_a_proof_verifies_for_the_leaf_that_follows_from_the_export(
    world: World, visibility: str
) -> None:
    for _ in range(3):
        called_off()
    game = world.recorded(visibility=visibility)
    leaf = leaf_made(world.as_ada, game, is_blinded=visibility != "public")
    other = leaf_made(world.as_ada, game, is_blinded=visibility == "public")
    proof = parse_proof(proof_of(world.as_ada, game))
    checkpoint = verify_proof(proof, leaf, ORIGIN, [VKEY])
    assert checkpoint.size == Tree.objects.get().size
    assert proof.index == Game.objects.get(pk=game).leaf
    with pytest.raises(UnverifiedError):
        verify_proof(proof, other, ORIGIN, [VKEY])


def test_an_imported_game_has_a_proof_here(world: World) -> None:
    game = world.imported_game()
    signed_record()
    leaf = leaf_made(world.as_ada, game, is_blinded=False)
    verify_proof(parse_proof(proof_of(world.as_eve, game)), leaf, ORIGIN, [VKEY])


def test_a_proof_leads_to_the_last_checkpoint(world: World) -> None:
    game = world.recorded()
    before = parse_proof(proof_of(world.as_eve, game))
    called_off()
    recording.integrated()
    assert parse_proof(proof_of(world.as_eve, game)) == before  # the new leaf is not signed yet
    signed_record()
    after = parse_proof(proof_of(world.as_eve, game))
    assert after.checkpoint != before.checkpoint
    leaf = leaf_made(world.as_eve, game, is_blinded=False)
    verify_proof(after, leaf, ORIGIN, [VKEY])


def test_a_private_game_is_missing_for_others(world: World) -> None:
    game = world.recorded(visibility="private")
    for program in (world.as_eve, world.as_nobody):
        assert_refused(program.get(f"{BASE}/games/{game}/record"), "not-found")
    assert proof_of(world.as_bob, game) == proof_of(world.as_ada, game)


def refusal(world: World, game: str) -> str:
    """The detail of the problem that there is no proof yet."""
    reply = world.as_ada.get(f"{BASE}/games/{game}/record")
    detail = str(assert_refused(reply, "not-recorded-yet")["detail"])
    assert reply.headers.get("Retry-After") == (
        "10" if "does not have the leaf" in detail else None
    )
    return detail


def test_where_there_is_none_yet_the_refusal_says_why(world: World) -> None:
    game, running = world.over(), world.playing()
    assert "not over" in refusal(world, running)
    assert "has not signed its record" in refusal(world, game)
    recording.integrated()
    assert "has not signed its record" in refusal(world, game)
    signed_record()
    assert "not over" in refusal(world, running)
    later = world.over()
    assert "does not have the leaf" in refusal(world, later)
    recording.integrated()
    assert "does not have the leaf" in refusal(world, later)
    signed_record()
    proof_of(world.as_ada, later)


def test_no_proof_leads_to_a_checkpoint_under_an_earlier_name(world: World) -> None:
    game = world.recorded()
    Tree.objects.update(origin="games.example/record/2")
    assert "does not have the leaf" in refusal(world, game)


def test_a_proof_takes_a_few_queries(world: World) -> None:
    game = world.over()
    for _ in range(5):
        called_off()
    signed_record()
    with CaptureQueriesContext(connection) as queries:
        proof_of(world.as_nobody, game)
    asked = [each["sql"] for each in queries if '"record_' in each["sql"]]
    # checkpoint and its cosignatures, tree, leaf, and the tiles of one level
    assert len(asked) == 5, asked


@pytest.mark.lane("slow")
def test_go_verifies_the_proofs(world: World) -> None:
    oracle = Oracle(compiled_oracle())
    games = [world.over(), world.over(visibility="private"), world.imported_game()]
    signed_record()
    note = SignedCheckpoint.objects.get().note.encode()
    oracle.ask("open", raw=note, keys=[VKEY.text])
    for game in games:
        is_blinded = Game.objects.get(pk=game).visibility == "private"
        leaf = leaf_made(world.as_ada, game, is_blinded=is_blinded)
        proof = parse_proof(proof_of(world.as_ada, game))
        checkpoint = verify_proof(proof, leaf, ORIGIN, [VKEY])
        oracle.ask(
            "check-inclusion",
            size=checkpoint.size,
            root=checkpoint.root,
            index=proof.index,
            leaf=leaf_hash(leaf),
            proof=list(proof.hashes),
        )
    answers = oracle.answers()
    assert len(answers) == 1 + len(games)
    assert not [each["error"] for each in answers if each["error"]]


class TestExports:
    @pytest.mark.parametrize(("visibility", "kind"), [("public", "game/1"), ("private", "blind/1")])
    def test_with_a_proof_have_one_line_more(
        self, world: World, visibility: str, kind: str
    ) -> None:
        game = world.recorded(visibility=visibility)
        header, *plain = export_of(world.as_ada, game)
        for asked in ({"proof": "false"}, {}):
            assert export_of(world.as_ada, game, **asked) == [header, *plain]
        first, *lines, last = export_of(world.as_ada, game, proof="true")
        assert lines == plain
        assert first == header.replace(b"export/1", b"export/3")
        proof = proof_of(world.as_ada, game).decode()
        assert json.loads(last) == {"record": {"leaf": kind, "proof": proof}}
        verdict = verify_export([first, *lines, last], record_key=VKEY.text)
        assert verdict.is_good, verdict

    def test_by_the_command_are_the_same(self, world: World, tmp_path: Path) -> None:
        game = world.recorded()
        call_command("export", game, str(tmp_path / "game"), "--proof")
        exported = (tmp_path / "game").read_bytes().splitlines(keepends=True)
        header, *lines = export_of(world.as_ada, game, proof="true")
        assert exported[1:] == lines
        assert json.loads(exported[0]) == json.loads(header) | {"viewer": "everything"}

    def test_without_a_proof_yet_are_refused(self, world: World, tmp_path: Path) -> None:
        game, file = world.over(), tmp_path / "game"
        reply = world.as_ada.get(f"{BASE}/games/{game}/export?proof=true")
        assert_refused(reply, "not-recorded-yet")
        with pytest.raises(CommandError, match="has not signed its record"):
            call_command("export", game, str(file), "--proof")
        assert not file.exists()

    def test_of_others_are_missing(self, world: World) -> None:
        game = world.recorded(visibility="private")
        reply = world.as_eve.get(f"{BASE}/games/{game}/export?proof=true")
        assert_refused(reply, "not-found")

    def test_are_verified_by_the_server(self, world: World) -> None:
        lines = export_of(world.as_ada, world.recorded(), proof="true")
        verdict = world.as_ada.send(
            f"{BASE}/verifications", b"".join(lines), content_type=LINES
        ).json()
        assert (verdict["is_good"], verdict["entries"]) == (True, len(lines) - 4)
        wrong = b"".join(lines).replace(b"index 0", b"index 1")
        verdict = world.as_ada.send(f"{BASE}/verifications", wrong, content_type=LINES).json()
        assert (verdict["is_good"], verdict["line"]) == (False, len(lines))
        assert "does not lead from the leaf" in verdict["detail"]

    def test_are_imported_without_their_proof(self, world: World) -> None:
        plain = world.foreign().splitlines(keepends=True)
        body = b"".join(proven(plain))
        wrong = body.replace(b"index 1", b"index 0")
        reply = world.as_ada.send(f"{BASE}/games/import", wrong, content_type=LINES)
        assert "does not lead" in assert_refused(reply, "invalid-export")["detail"]
        reply = world.as_ada.send(f"{BASE}/games/import", body, content_type=LINES)
        assert reply.status_code == 201
        game = reply.json()["id"]
        assert export_of(world.as_ada, game)[1:] == plain[1:]
        signed_record()
        exported = export_of(world.as_ada, game, proof="true")
        assert json.loads(exported[-1])["record"]["proof"].count(ORIGIN) == 2
        assert verify_export(exported, record_key=VKEY.text).is_good


def export_of(program: Program, game: str, **query: str) -> list[bytes]:
    """The lines of an export."""
    raw: bytes = program.get(f"{BASE}/games/{game}/export", query).getvalue()
    return raw.splitlines(keepends=True)

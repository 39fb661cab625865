"""The server's verification of exports with a proof from the public record: every way in which one
can be wrong has its sentence."""

from __future__ import annotations

from pathlib import Path

import pytest
from django.core.management import CommandError, call_command

from tabularium_engines.installed.registry import ENGINES
from tabularium_log.audit.export_reader import read_export
from tabularium_log.audit.export_record import check_record
from tabularium_log.audit.export_verifier import load_verified_game, verify_export
from tabularium_log.audit.verdict import Flaw
from tabularium_log.record.errors import MalformedError
from tabularium_log.replay import replay
from tests.docs.record_vectors import (
    NO_LINE,
    OTHER_SIGNER,
    SIGNER,
    STRANGER,
    Refusal,
    proven,
    record,
    refusals,
)
from tests.docs.short_game import export
from tests.games.audit.making import GameBuilder, new_plan, play_plan

REFUSALS = refusals()
VKEY = SIGNER.key.text


def in_bytes(lines: list[str]) -> list[bytes]:
    """The lines as they are read from a file."""
    return [line.encode() + b"\n" for line in lines]


@pytest.fixture(scope="module")
def game() -> GameBuilder:
    """A finished game."""
    return play_plan(new_plan(next(iter(ENGINES.values())), 2))


@pytest.mark.parametrize("kind", ["game/1", "blind/1"])
def test_a_good_proof(game: GameBuilder, kind: str) -> None:
    lines = proven(game.lines(), kind)  # type: ignore[arg-type]  # of two kinds
    for key in (None, VKEY):
        verdict = verify_export(lines, record_key=key)
        assert verdict.is_good, verdict
    assert load_verified_game(lines).game == game.plan.game
    assert len(replay(lines, record_key=VKEY)) == len(game.rows)


def test_lines_of_other_keys_are_ignored() -> None:
    signed_by_all = record("game/1", OTHER_SIGNER, SIGNER, STRANGER)
    check_record(read_export(in_bytes(export(signed_by_all))), VKEY)


@pytest.mark.parametrize("number", range(len(REFUSALS)))
def test_each_refusal_has_its_sentence(number: int) -> None:
    refusal: Refusal = REFUSALS[number]
    lines = in_bytes(refusal.lines)
    verdict = verify_export(lines, record_key=refusal.vkey)
    assert verdict.sentence == refusal.sentence
    if refusal.vkey is None:
        with pytest.raises(Flaw, match=r"^line \d+: "):
            load_verified_game(lines)


def test_all_sentences_differ_by_their_reason() -> None:
    by_reason: dict[str, set[str]] = {}
    for refusal in REFUSALS:
        sentence = "".join(each for each in refusal.sentence if not each.isdigit())
        by_reason.setdefault(refusal.reason, set()).add(sentence)
    sentences = [sentence for each in by_reason.values() for sentence in each]
    assert len(set(sentences)) == len(sentences) == len(by_reason) == 12


def test_the_line_of_a_wrong_proof_is_named(game: GameBuilder) -> None:
    lines = proven(game.lines())
    wrong = [*lines[:-1], lines[-1].replace(b"index 1", b"index 0")]
    verdict = verify_export(wrong)
    assert (verdict.line, verdict.seq) == (len(lines), None)


def test_another_game_has_another_leaf(game: GameBuilder) -> None:
    other = play_plan(new_plan(next(iter(ENGINES.values())), 2, 2))
    foreign = [*proven(other.lines())[:-1], proven(game.lines())[-1]]
    assert "does not lead from the leaf" in verify_export(foreign).sentence


def test_a_running_game_has_no_proof() -> None:
    plan = new_plan(next(iter(ENGINES.values())), 2, stops_at=3)
    lines = play_plan(plan).lines("onlooker")
    header = lines[0].replace(b"export/1", b"export/3")
    verdict = verify_export([header, *lines[1:]])
    assert verdict.sentence == "Only a game that is over has a proof from the record."
    assert verdict.line == len(lines)


def test_a_line_that_is_not_canonical_is_none(game: GameBuilder) -> None:
    lines = proven(game.lines())
    spaced = [*lines[:-1], lines[-1].replace(b'":{"', b'": {"')]
    assert "canonical" in verify_export(spaced).sentence
    assert verify_export([*lines[:-1], b'{"x":1}\n']).sentence == NO_LINE


@pytest.mark.parametrize("text", ["x", "a+b+c", VKEY[:-4], VKEY.replace("games", "game")])
def test_a_key_that_is_none_is_no_verdict(game: GameBuilder, text: str) -> None:
    with pytest.raises(MalformedError):
        verify_export(proven(game.lines()), record_key=text)


def test_the_command(game: GameBuilder, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "game.ndjson"
    file.write_bytes(b"".join(proven(game.lines())))
    call_command("verify", "--export", str(file), "--record", VKEY)
    with pytest.raises(CommandError, match="could not be verified"):
        call_command("verify", "--export", str(file), "--record", STRANGER.key.text)
    assert "of another record" in capsys.readouterr().out
    with pytest.raises(CommandError, match="verifier key"):
        call_command("verify", "--export", str(file), "--record", "x")

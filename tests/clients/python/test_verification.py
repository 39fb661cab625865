"""The client's verification of exports with a proof from the public record."""

from __future__ import annotations

import json

import pytest

from tabularium_client import WrongExport, verify
from tests.docs.record_vectors import SIGNER, STRANGER, record
from tests.docs.short_game import export

VKEY = SIGNER.key.text


def file_of(lines: list[str]) -> bytes:
    """An export as a file."""
    return "".join(f"{line}\n" for line in lines).encode()


def test_a_proof_in_the_export() -> None:
    proven = file_of(export(record()))
    verdict = verify(proven, record=VKEY)
    assert (verdict.is_signed, verdict.is_recorded) == (True, True)
    assert verdict.sentences[-1].startswith("Recorded as leaf 2 (game/1) of 7 in games.example/")
    verdict = verify(proven)
    assert (verdict.is_signed, verdict.is_recorded) == (True, False)
    with pytest.raises(WrongExport, match="of another record") as wrong:
        verify(proven, record=STRANGER.key.text)
    assert wrong.value.line == proven.count(b"\n")


def test_a_proof_beside_the_export() -> None:
    plain, proof = file_of(export()), record("blind/1").proof
    assert verify(plain, record=VKEY, proof=proof).is_recorded
    assert not verify(plain).is_recorded
    with pytest.raises(WrongExport, match="no proof from the record"):
        verify(plain, record=VKEY)
    wrong = json.loads(export(record())[-1])["record"]["proof"].replace("index 2", "index 3")
    with pytest.raises(WrongExport, match="does not lead"):
        verify(plain, record=VKEY, proof=wrong)


def test_a_key_that_is_none() -> None:
    with pytest.raises(ValueError, match="not a verifier key"):
        verify(file_of(export(record())), record="x")

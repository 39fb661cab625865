"""Cosignatures: their keys, their times, and the text under them."""

from __future__ import annotations

from dataclasses import replace

import pytest

from record.cosignature import Cosigner, parse_lines, time_of, verified_lines, with_lines
from tabularium_log.record.cosigned_message import encode_cosignature, message_of, parse_cosignature
from tabularium_log.record.errors import MalformedError, UnverifiedError
from tabularium_log.record.note import (
    COSIGNATURE,
    Signer,
    VerifierKey,
    parse_note,
    parse_verifier_key,
    sign_note,
)

# The example of C2SP tlog-cosignature.
EXAMPLE = """example.com/behind-the-sofa
20852163
CsUYapGGPo4dkMgIAUqom/Xajj7h2fB2MPA3j2jxq2I=

— example.com/behind-the-sofa Az3grlgtzPICa5OS8npVmf1Myq/5IZniMp+ZJurmRDeOoRDe4URYN7u5/Zhcyv2q1gG\
zGku9nTo+zyWE+xeMcTOAYQ8=
— witness.example.com/w1 jWbPPwAAAABkGFDLEZMHwSRaJNiIDoe9DYn/zXcrtPHeolMI5OWXEhZCB9dlrDJsX3b2oyin\
1nPZqhf5nNo0xUe+mbIUBkBIfZ+qnA==
"""
EXAMPLE_MESSAGE = """cosignature/v1
time 1679315147
example.com/behind-the-sofa
20852163
CsUYapGGPo4dkMgIAUqom/Xajj7h2fB2MPA3j2jxq2I=
"""
# The key of a witness in operation.
PUBLISHED_KEY = "remora.n621.de+da77ade7+BOvN63jn/bLvkieywe8R6UYAtVtNbZpXh34x7onlmtw2"

LOG = Signer("example.com/record", bytes(range(32)))
WITNESS = Cosigner("witness.example/w1", bytes(32))
OTHER = Cosigner("witness.example/w2", bytes(range(1, 33)))
NOTE = sign_note("example.com/record\n5\nroot\n", [LOG])
LINE = WITNESS.cosign(NOTE.text, 1_679_315_147)


class TestKeys:
    def test_a_published_key_is_read(self) -> None:
        key = parse_verifier_key(PUBLISHED_KEY)
        assert (key.name, key.type, key.text) == ("remora.n621.de", COSIGNATURE, PUBLISHED_KEY)

    def test_the_same_key_signs_and_cosigns_under_two_ids(self) -> None:
        signer = Signer(WITNESS.key.name, bytes(32)).key
        assert signer.public_key == WITNESS.key.public_key
        assert signer.id != WITNESS.key.id
        assert signer.text != WITNESS.key.text

    def test_neither_kind_of_signature_passes_for_the_other(self) -> None:
        signer = Signer(WITNESS.key.name, bytes(32))
        assert not signer.key.has_signed(NOTE.text, LINE.value)
        assert not signer.key.has_signed(NOTE.text, LINE.value[8:])
        assert not WITNESS.key.has_signed(NOTE.text, signer.sign(NOTE.text).value)
        about_a_message = message_of(NOTE.text.encode(), 7).decode()
        value = signer.sign(about_a_message).value
        assert WITNESS.key.has_signed(NOTE.text, encode_cosignature(7, value))  # why keys differ


class TestTheExample:
    def test_its_time_is_read(self) -> None:
        _, cosignature = parse_note(EXAMPLE.encode()).signatures
        assert (cosignature.name, time_of(cosignature)) == ("witness.example.com/w1", 1_679_315_147)

    def test_its_message_is_made(self) -> None:
        text = parse_note(EXAMPLE.encode()).text
        assert message_of(text.encode(), 1_679_315_147).decode() == EXAMPLE_MESSAGE


class TestTimes:
    @pytest.mark.parametrize("time", [1, 1_679_315_147, 2**63 - 1])
    def test_a_time_is_read_as_it_was_signed(self, time: int) -> None:
        line = WITNESS.cosign(NOTE.text, time)
        assert time_of(line) == time
        assert WITNESS.key.has_signed(NOTE.text, line.value)
        later = encode_cosignature(time - 1 or 2, parse_cosignature(line.value)[1])
        assert not WITNESS.key.has_signed(NOTE.text, later)

    @pytest.mark.parametrize("time", [0, -1, 2**63])
    def test_others_are_not_signed(self, time: int) -> None:
        with pytest.raises(MalformedError, match="not the time"):
            WITNESS.cosign(NOTE.text, time)

    @pytest.mark.parametrize("value", [b"", bytes(71), bytes(73), b"\x80" + bytes(71)])
    def test_other_values_are_none(self, value: bytes) -> None:
        with pytest.raises(MalformedError):
            parse_cosignature(value)
        assert not WITNESS.key.has_signed(NOTE.text, value)


class TestInNotes:
    def test_a_cosigned_note_is_verified_by_all_its_keys(self) -> None:
        whole = with_lines(NOTE, [LINE, OTHER.cosign(NOTE.text, 8)])
        assert parse_note(whole.encode()) == whole
        assert [
            line.name
            for line in verified_lines(whole.text, whole.signatures, [OTHER.key, WITNESS.key])
        ] == [WITNESS.key.name, OTHER.key.name]

    def test_lines_of_unknown_keys_are_left_out(self) -> None:
        lines = [*NOTE.signatures, LINE, OTHER.cosign(NOTE.text, 8)]
        assert verified_lines(NOTE.text, lines, [WITNESS.key]) == [LINE]

    def test_a_cosignature_of_another_text_is_refused(self) -> None:
        with pytest.raises(UnverifiedError, match="is wrong"):
            verified_lines(NOTE.text.replace("5", "6"), [LINE], [WITNESS.key])

    def test_one_by_another_witness_is_none(self) -> None:
        stranger = VerifierKey(OTHER.key.name, WITNESS.key.public_key, COSIGNATURE)
        with pytest.raises(UnverifiedError, match="None of the known keys"):
            verified_lines(NOTE.text, [LINE], [stranger])
        renamed = replace(LINE, name=OTHER.key.name, key_id=OTHER.key.id)
        with pytest.raises(UnverifiedError, match="is wrong"):
            verified_lines(NOTE.text, [renamed], [OTHER.key])


class TestReplies:
    def test_lines_are_read_as_they_are_written(self) -> None:
        other = OTHER.cosign(NOTE.text, 8)
        assert parse_lines((LINE.line + other.line).encode()) == (LINE, other)

    @pytest.mark.parametrize(
        "raw",
        [b"", b"\n", b"\xff\n", LINE.line.encode()[:-1], b"\n" + LINE.line.encode(), b"200 OK\n"],
    )
    def test_others_are_refused(self, raw: bytes) -> None:
        with pytest.raises(MalformedError):
            parse_lines(raw)

    def test_an_empty_line_within_is_refused(self) -> None:
        with pytest.raises(MalformedError):
            parse_lines(f"{LINE.line}\n{LINE.line}".encode())

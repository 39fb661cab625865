"""Checkpoints: the texts of notes that state a tree."""

from __future__ import annotations

from dataclasses import replace

import pytest

from tabularium_log.record.checkpoint import Checkpoint, open_checkpoint, parse_checkpoint
from tabularium_log.record.errors import MalformedError, UnverifiedError
from tabularium_log.record.hashes import EMPTY_ROOT, leaf_hash
from tabularium_log.record.note import Signer, sign_note

ORIGIN = "example.com/record"
LOG = Signer(ORIGIN, bytes(range(32)))
CHECKPOINT = Checkpoint(ORIGIN, 20_852_163, leaf_hash(b"root"))
TEXT = CHECKPOINT.text


def test_the_text_of_a_checkpoint() -> None:
    lines = TEXT.split("\n")
    assert lines[:2] == ["example.com/record", "20852163"]
    assert (len(lines), len(lines[2]), lines[3]) == (4, 44, "")


@pytest.mark.parametrize(
    "checkpoint",
    [
        CHECKPOINT,
        Checkpoint("an origin with blanks + a plus", 1, bytes(32)),
        Checkpoint(ORIGIN, 0, EMPTY_ROOT),
        Checkpoint(ORIGIN, 2**63 - 1, bytes(32)),
        Checkpoint(ORIGIN, 5, bytes(32), ("an extension", "another one")),
    ],
)
def test_a_checkpoint_is_read_as_it_is_written(checkpoint: Checkpoint) -> None:
    assert parse_checkpoint(checkpoint.text) == checkpoint
    assert parse_checkpoint(checkpoint.text).text == checkpoint.text


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("", "lines for its origin, size and root"),
        ("example.com/record\n5\n", "lines for its origin, size and root"),
        (TEXT[:-1], "lines for its origin, size and root"),
        (TEXT[:-1] + "x", "lines for its origin, size and root"),
        (f"{TEXT}\n", "no single line"),
        (f"\n{TEXT}", "not a decimal number"),
        (TEXT.replace("example.com/record", ""), "no single line"),
        (f"{TEXT}\nextension\n", "no single line"),
        (TEXT.replace("20852163", ""), "size of a checkpoint is ''"),
        (TEXT.replace("20852163", "020852163"), "without leading zeroes"),
        (TEXT.replace("20852163", "+20852163"), "without leading zeroes"),
        (TEXT.replace("20852163", "-1"), "without leading zeroes"),
        (TEXT.replace("20852163", "20_852_163"), "without leading zeroes"),
        (TEXT.replace("20852163", "20852163 "), "without leading zeroes"),
        (TEXT.replace("20852163", "٢"), "without leading zeroes"),
        (TEXT.replace("20852163", "9223372036854775808"), "below 2\\^63"),
        (TEXT.replace("20852163", "9" * 5000), "below 2\\^63"),
        (TEXT.replace("20852163", "0"), "without leaves"),
        (TEXT.replace("=\n", "\n"), "not base64"),
        (TEXT.replace("=\n", "AA=\n"), "not base64|has 34 bytes, not 32"),
        (TEXT.replace("=\n", "=\r\n"), "not base64"),
        (f"{ORIGIN}\n5\n{'A' * 42}B=\n", "one valid form"),
        (f"{ORIGIN}\n5\n{'A' * 44}\n", "has 33 bytes, not 32"),
        (f"a\x00b\n5\n{'A' * 43}=\n", "control character"),
    ],
)
def test_any_other_text_is_refused(text: str, reason: str) -> None:
    with pytest.raises(MalformedError, match=reason):
        parse_checkpoint(text)


def test_a_checkpoint_is_opened_by_the_key_of_its_log() -> None:
    stranger = Signer("stranger", bytes(32))
    raw = sign_note(TEXT, [LOG, stranger]).encode()
    assert open_checkpoint(raw, ORIGIN, [LOG.key]) == CHECKPOINT
    with pytest.raises(UnverifiedError, match="None of the known keys"):
        open_checkpoint(sign_note(TEXT, [stranger]).encode(), ORIGIN, [LOG.key])
    with pytest.raises(UnverifiedError, match=r"not of 'example\.com/elsewhere'"):
        open_checkpoint(raw, "example.com/elsewhere", [LOG.key])


def test_a_signed_text_that_is_no_checkpoint_is_refused() -> None:
    with pytest.raises(MalformedError):
        open_checkpoint(sign_note("text\n", [LOG]).encode(), ORIGIN, [LOG.key])


@pytest.mark.parametrize(
    "changes",
    [
        {"origin": ""},
        {"origin": "two\nlines"},
        {"size": -1},
        {"size": 2**63},
        {"size": 0},
        {"root": bytes(31)},
        {"extensions": ("",)},
        {"extensions": ("two\nlines",)},
    ],
)
def test_no_such_checkpoint_is_written(changes: dict[str, object]) -> None:
    with pytest.raises(MalformedError):
        replace(CHECKPOINT, **changes)  # type: ignore[arg-type]

"""Cosignatures as in C2SP tlog-cosignature: a witness states that, at a time, the tree of a
checkpoint is the largest that it has seen of a log, and that it continues all the smaller ones."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from tabularium_log.record.cosigned_message import encode_cosignature, message_of, parse_cosignature
from tabularium_log.record.errors import MalformedError
from tabularium_log.record.note import (
    COSIGNATURE,
    LINE_START,
    Note,
    Signature,
    VerifierKey,
    parse_signature,
    verify_note,
)
from tabularium_log.record.strict_text import decode_text


class Cosigner:
    """A private key of a witness under the witness's name."""

    def __init__(self, name: str, private_key: bytes) -> None:
        self._private_key = Ed25519PrivateKey.from_private_bytes(private_key)
        public_key = self._private_key.public_key().public_bytes_raw()
        self.key = VerifierKey(name, public_key, COSIGNATURE)

    def cosign(self, text: str, time: int) -> Signature:
        """The signature line of a checkpoint's text, at a time in seconds."""
        signature = self._private_key.sign(message_of(text.encode(), time))
        return Signature(self.key.name, self.key.id, encode_cosignature(time, signature))


def time_of(cosignature: Signature) -> int:
    """The time that a cosignature states, in seconds."""
    return parse_cosignature(cosignature.value)[0]


def parse_lines(raw: bytes) -> tuple[Signature, ...]:
    """The signature lines in a witness's reply; nothing in them is verified."""
    text = decode_text(raw)
    if not text.startswith(LINE_START) or not text.endswith("\n"):
        raise MalformedError("The reply is no list of signature lines.")
    return tuple(map(parse_signature, text.removesuffix("\n").split("\n")))


def verified_lines(
    text: str, lines: Iterable[Signature], keys: Sequence[VerifierKey]
) -> list[Signature]:
    """The lines of these keys, at least one, all of which are verified."""
    note = Note(text, tuple(lines))
    signed = {(key.name, key.id) for key in verify_note(note, keys)}
    return [line for line in note.signatures if (line.name, line.key_id) in signed]


def with_lines(note: Note, lines: Iterable[Signature]) -> Note:
    """The note under further signature lines."""
    return replace(note, signatures=(*note.signatures, *lines))

"""The request `add-checkpoint` of C2SP tlog-witness: the size that the witness has seen, the proof
that the tree has only grown since, and the signed checkpoint."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from tabularium_log.record.errors import MalformedError
from tabularium_log.record.hashes import HASH_BYTES
from tabularium_log.record.note import Note, parse_note
from tabularium_log.record.strict_text import (
    decode_base64,
    decode_number,
    decode_text,
    encode_base64,
)

OLD: Final = "old "
HASHES_LIMIT: Final = 63


@dataclass(frozen=True)
class AddCheckpoint:
    """A request, in which nothing is verified yet."""

    old_size: int
    proof: tuple[bytes, ...]
    note: Note

    def encode(self) -> bytes:
        """The body of the request."""
        lines = [f"{OLD}{self.old_size}", *map(encode_base64, self.proof), ""]
        return "".join(f"{line}\n" for line in lines).encode() + self.note.encode()


def parse_request(raw: bytes) -> AddCheckpoint:
    """Read the body of a request."""
    head, separator, note = decode_text(raw).partition("\n\n")
    old, *hashes = head.split("\n")
    if not old.startswith(OLD):
        raise MalformedError(f"The first line of the request does not begin with {OLD!r}.")
    if not separator:
        raise MalformedError("The request has no empty line before its checkpoint.")
    if len(hashes) > HASHES_LIMIT:
        raise MalformedError(f"The proof has more than {HASHES_LIMIT} hashes.")
    old_size = decode_number(old.removeprefix(OLD), "The old size")
    return AddCheckpoint(old_size, tuple(map(_parse_hash, hashes)), parse_note(note.encode()))


def _parse_hash(line: str) -> bytes:
    raw = decode_base64(line, "A hash of the proof")
    if len(raw) != HASH_BYTES:
        raise MalformedError(f"A hash of the proof has {len(raw)} bytes, not {HASH_BYTES}.")
    return raw

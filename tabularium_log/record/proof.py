"""Proofs as in C2SP tlog-proof: the place of a leaf in a log, as a text that verifies offline."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from tabularium_log.record.checkpoint import Checkpoint, open_checkpoint, parse_checkpoint
from tabularium_log.record.errors import MalformedError
from tabularium_log.record.hashes import HASH_BYTES, leaf_hash
from tabularium_log.record.note import Note, VerifierKey, parse_note
from tabularium_log.record.strict_text import (
    decode_base64,
    decode_number,
    decode_text,
    encode_base64,
)
from tabularium_log.record.tree_verifier import verify_inclusion

FIRST_LINE: Final = "c2sp.org/tlog-proof@v1"
EXTRA: Final = "extra "
INDEX: Final = "index "
HASHES_LIMIT: Final = 63  # the height of the largest tree


class OutOfTreeError(MalformedError):
    """A proof of a leaf that the tree of its checkpoint does not have."""


@dataclass(frozen=True)
class LeafProof:
    """The index of a leaf, the hashes from it to the root, and the signed checkpoint."""

    index: int
    hashes: tuple[bytes, ...]
    checkpoint: Note
    extra: bytes = b""  # of other logs: no signature covers it, so it is not to be trusted

    def encode(self) -> bytes:
        """The proof as it is published."""
        lines = [FIRST_LINE]
        if self.extra:
            lines.append(EXTRA + encode_base64(self.extra))
        lines += [f"{INDEX}{self.index}", *map(encode_base64, self.hashes), ""]
        return "".join(f"{line}\n" for line in lines).encode() + self.checkpoint.encode()


def parse_proof(raw: bytes) -> LeafProof:
    """Read a proof; nothing in it is verified."""
    head, separator, note = decode_text(raw).partition("\n\n")
    lines = head.split("\n")
    if lines.pop(0) != FIRST_LINE:
        raise MalformedError(f"The first line of a proof is {FIRST_LINE}.")
    if not separator:
        raise MalformedError("The proof has no empty line before its checkpoint.")
    extra = _parse_extra(lines.pop(0)) if lines and lines[0].startswith(EXTRA) else b""
    if not lines or not lines[0].startswith(INDEX):
        raise MalformedError(f"The proof has no line that begins with {INDEX!r}.")
    index = decode_number(lines.pop(0).removeprefix(INDEX), "The index of a proof")
    if len(lines) > HASHES_LIMIT:
        raise MalformedError(f"The proof has more than {HASHES_LIMIT} hashes.")
    checkpoint = parse_note(note.encode())
    size = parse_checkpoint(checkpoint.text).size
    if index >= size:
        raise OutOfTreeError(f"The proof is of leaf {index} in a tree of {size} leaves.")
    return LeafProof(index, tuple(map(_parse_hash, lines)), checkpoint, extra)


def _parse_extra(line: str) -> bytes:
    extra = decode_base64(line.removeprefix(EXTRA), "The extra data of a proof")
    if not extra:
        raise MalformedError("The extra data of a proof is empty, so that its line has to go.")
    return extra


def _parse_hash(line: str) -> bytes:
    raw = decode_base64(line, "A hash of the proof")
    if len(raw) != HASH_BYTES:
        raise MalformedError(f"A hash of the proof has {len(raw)} bytes, not {HASH_BYTES}.")
    return raw


def verify_proof(
    proof: LeafProof, leaf: bytes, origin: str, keys: Sequence[VerifierKey]
) -> Checkpoint:
    """The checkpoint whose tree has this leaf, signed by a key of the log; else an error."""
    checkpoint = open_checkpoint(proof.checkpoint.encode(), origin, keys)
    verify_inclusion(leaf_hash(leaf), proof.index, checkpoint.size, proof.hashes, checkpoint.root)
    return checkpoint

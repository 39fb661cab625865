"""Checkpoints as in C2SP tlog-checkpoint: notes that state a log's origin, size and root."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from tabularium_log.record.errors import MalformedError, UnverifiedError
from tabularium_log.record.hashes import EMPTY_ROOT, HASH_BYTES
from tabularium_log.record.note import VerifierKey, open_note
from tabularium_log.record.strict_text import (
    NUMBER_LIMIT,
    check_characters,
    decode_base64,
    decode_number,
    encode_base64,
)


class EmptyTreeError(MalformedError):
    """A checkpoint of no leaves has the root of a tree with some."""


@dataclass(frozen=True)
class Checkpoint:
    """The state of a log: the root of its tree at a size."""

    origin: str
    size: int
    root: bytes
    extensions: tuple[str, ...] = ()  # lines of other logs; ours have none

    def __post_init__(self) -> None:
        for line in (self.origin, *self.extensions):
            check_characters(line)
            if not line or "\n" in line:
                raise MalformedError(
                    "The origin or an extension of a checkpoint is no single line."
                )
        if not 0 <= self.size < NUMBER_LIMIT:
            raise MalformedError(f"{self.size} is not the size of a tree.")
        if len(self.root) != HASH_BYTES:
            raise MalformedError(f"The root of a checkpoint has {len(self.root)} bytes, not 32.")
        if not self.size and self.root != EMPTY_ROOT:
            raise EmptyTreeError("The root of a checkpoint is not that of a tree without leaves.")

    @property
    def text(self) -> str:
        """The text of the note."""
        lines = [self.origin, str(self.size), encode_base64(self.root), *self.extensions]
        return "".join(f"{line}\n" for line in lines)


def parse_checkpoint(text: str) -> Checkpoint:
    """Read the text of a checkpoint's note."""
    lines = text.split("\n")
    if len(lines) < 4 or lines.pop():
        raise MalformedError("A checkpoint has lines for its origin, size and root.")
    origin, size, root, *extensions = lines
    return Checkpoint(
        origin,
        decode_number(size, "The size of a checkpoint"),
        decode_base64(root, "The root of a checkpoint"),
        tuple(extensions),
    )


def open_checkpoint(raw: bytes, origin: str, keys: Sequence[VerifierKey]) -> Checkpoint:
    """Read a checkpoint of this log, signed by at least one of the log's keys, and by none
    wrongly."""
    checkpoint = parse_checkpoint(open_note(raw, keys).text)
    if checkpoint.origin != origin:
        raise UnverifiedError(
            f"The checkpoint is of {checkpoint.origin[:200]!r}, not of {origin!r}."
        )
    return checkpoint

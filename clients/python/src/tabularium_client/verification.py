"""Offline verification of exported games, and seeds of one's own."""

from __future__ import annotations

import hashlib
import json
import secrets
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from tabularium_client import types, verifier
from tabularium_client.problems import TabulariumError


class WrongExport(TabulariumError):
    """An export is not the log of a fair game: the first flaw, its line and its entry."""

    def __init__(self, sentence: str, line: int | None, seq: int | None) -> None:
        super().__init__(sentence)
        self.line = line
        self.seq = seq


@dataclass(frozen=True)
class Verdict:
    """The findings about an export that has no flaw. `is_signed` is false if it has no signatures;
    `is_recorded` is true if a checkpoint that the given key of the record has signed has the
    game."""

    sentences: tuple[str, ...]
    is_signed: bool
    is_recorded: bool = False

    def __str__(self) -> str:
        return "\n".join(self.sentences)


def verify(
    export: bytes | Path,
    receipts: Iterable[types.Receipt] = (),
    key: str | None = None,
    *,
    accept_unsigned: bool = False,
    record: str | None = None,
    proof: str | None = None,
) -> Verdict:
    """Verify an export, the receipts kept of its game, and that the server's public key is `key`.
    With `record`, the verifier key of a public record, the game must be proven to be in it: by the
    export, or by `proof`, the text of `record_proof`. It needs no connection. Raises
    `WrongExport`; ValueError if `record` is not a verifier key."""
    content = export.read_bytes() if isinstance(export, Path) else export
    lines = [line + b"\n" for line in content.split(b"\n")]
    last = lines.pop()[:-1]  # "" if the file ends with a line feed, as it must
    kept = [json.dumps(receipt).encode() for receipt in receipts]
    try:
        whole = [*lines, *([last] if last else [])]
        sentences = verifier.verify(whole, kept, key, accept_unsigned, record, proof)
    except verifier.Wrong as wrong:
        raise WrongExport(wrong.sentence, wrong.line, wrong.seq) from wrong
    is_signed = any(sentence.startswith("Signed by ") for sentence in sentences)
    return Verdict(tuple(sentences), is_signed, record is not None)


@dataclass(frozen=True)
class Seed:
    """A seed of one's own: take a `seat` with its hash in a new game, or join one with `hash` as
    `seed_hash`, and give `text` as `seed` to `open_seed` when all seats are taken. Keep it until
    then."""

    text: str

    @classmethod
    def new(cls) -> Seed:
        """A random seed."""
        return cls(secrets.token_hex(32))

    @property
    def hash(self) -> str:
        """The hash that is published first."""
        return hashlib.sha256(b"tabularium/seed/1" + bytes.fromhex(self.text)).hexdigest()

    @property
    def seat(self) -> types.NewSeat:
        """A seat in a new game for you and this seed."""
        return {"kind": "me", "seed_hash": self.hash}

"""The hash chain: each entry names the hash of the one before, and fields that are not public stand
in it as seals, so that all readers follow the same chain, and it reveals no more than each may
know."""

from __future__ import annotations

from hashlib import sha256
from typing import Any, Final

from games.fairness.canonical_json import encode_canonical

GENESIS_HASH: Final = "0" * 64  # the first entry names this as the one before


def entry_hash(text: str) -> str:
    """The hash of an entry, given the canonical text of its open part."""
    return sha256(b"tabularium/entry/1" + text.encode()).hexdigest()


def seal_hash(salt: bytes, path: str, value: Any) -> str:
    """The seal of a hidden field, which is public."""
    return sha256(salt + encode_canonical([path, value]).encode()).hexdigest()

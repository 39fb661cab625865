"""How do entries hold together? Each names the hash of the one before, and what not everybody may
read stands in it as a seal: all follow the same chain, and it tells nobody more than they know."""

from __future__ import annotations

from hashlib import sha256
from typing import Any, Final

from games.fairness.canonical_json import encode_canonical

GENESIS_HASH: Final = "0" * 64  # what the first entry says of the one before it


def entry_hash(text: str) -> str:
    """The hash of an entry, given the canonical text of its open part."""
    return sha256(b"tabularium/entry/1" + text.encode()).hexdigest()


def seal_hash(salt: bytes, path: str, value: Any) -> str:
    """What everybody sees of a field that not everybody may read."""
    return sha256(salt + encode_canonical([path, value]).encode()).hexdigest()

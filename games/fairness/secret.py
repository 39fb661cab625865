"""What follows from a game's secret? The promise made before the game, the key of all draws, and a
salt for each sealed field; whoever learns the secret after the end can make all of them again."""

from __future__ import annotations

import hmac
import secrets
from collections.abc import Sequence
from hashlib import sha256
from typing import Final

from games.fairness.canonical_json import encode_canonical

SECRET_BYTES: Final = 32  # bytes, of secrets, keys, salts and hashes
SEED_BYTES: Final = range(16, 65)  # bytes that a seat's own seed may have


def new_secret() -> bytes:
    """A secret for one game, never used for another."""
    return secrets.token_bytes(SECRET_BYTES)


def commitment(game: str, secret: bytes) -> str:
    """What the first entry says of the secret."""
    return sha256(b"tabularium/commit/1" + game.encode() + secret).hexdigest()


def seed_hash(seed: bytes) -> str:
    """What a seat says of its own seed when it joins."""
    return sha256(b"tabularium/seed/1" + seed).hexdigest()


def draw_key(secret: bytes, game: str, seeds: Sequence[str | None]) -> bytes:
    """The key of all draws of a game; `seeds` by seat, in hex, None where a seat gave none."""
    return _mac(secret, ["tabularium/key/1", game, list(seeds)])


def field_salt(secret: bytes, game: str, seq: int, path: str) -> bytes:
    """The salt of one sealed field of one entry."""
    return _mac(secret, ["tabularium/salt/1", game, seq, path])


def box_key(secret: bytes, game: str) -> bytes:
    """The key under which the sealed fields of a game are kept."""
    return _mac(secret, ["tabularium/box/1", game])


def _mac(secret: bytes, message: list[object]) -> bytes:
    return hmac.digest(secret, encode_canonical(message).encode(), sha256)

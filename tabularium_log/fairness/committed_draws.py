"""Draws from a committed secret: a game's secret, its commitment, and the draws that follow from
it. The commitment is published before the game; the key of all draws, and a salt for each sealed
field, are derived from the secret. It is revealed after the end, and all of them can then be
recomputed."""

from __future__ import annotations

import hmac
import secrets
from functools import lru_cache
from hashlib import sha256, shake_256
from typing import Final

from tabularium_engines.base import Rng
from tabularium_log.fairness.canonical_json import encode_canonical

SECRET_BYTES: Final = 32  # of secrets, keys, salts and hashes
SEED_BYTES: Final = range(16, 65)  # allowed lengths of a seat's own seed
BLOCK_BYTES: Final = 64  # of SHA-256
CACHED_KEYS: Final = 1_000  # of games, whose secrets are in memory anyway

WORD_BYTES: Final = 8
WORD_RANGE: Final = 1 << 64  # the number of different words
INITIAL_WORDS: Final = 16  # generated at once: enough for nearly every entry


def new_secret() -> bytes:
    """A secret for one game, never used for another."""
    return secrets.token_bytes(SECRET_BYTES)


def commitment(game: str, secret: bytes) -> str:
    """The commitment to the secret, published in the first entry."""
    return sha256(b"tabularium/commit/1" + game.encode() + secret).hexdigest()


def seed_hash(seed: bytes) -> str:
    """The hash of a seat's own seed, published when it joins."""
    return sha256(b"tabularium/seed/1" + seed).hexdigest()


@lru_cache(maxsize=CACHED_KEYS)
def draw_key(secret: bytes, game: str, seeds: tuple[str | None, ...]) -> bytes:
    """The key of all draws of a game; `seeds` by seat, in hex, None where a seat gave none."""
    return _mac(secret, ["tabularium/key/1", game, list(seeds)])


def field_salt(secret: bytes, game: str, seq: int, path: str) -> bytes:
    """The salt of one sealed field of one entry."""
    return _mac(secret, ["tabularium/salt/1", game, seq, path])


class FieldSalts:
    """The salts of the sealed fields of one game. The common beginning of their MACs is computed
    only once, so that each takes a third of the time of `field_salt`."""

    def __init__(self, secret: bytes, game: str) -> None:
        key = secret if len(secret) <= BLOCK_BYTES else sha256(secret).digest()
        key = key.ljust(BLOCK_BYTES, b"\0")  # HMAC, RFC 2104
        start = encode_canonical(["tabularium/salt/1", game]).removesuffix("]")
        self._inner = sha256(bytes(byte ^ 0x36 for byte in key) + start.encode())
        self._outer = sha256(bytes(byte ^ 0x5C for byte in key))

    def salt(self, seq: int, quoted_path: str) -> bytes:
        """The salt of a field of an entry; its path as JSON."""
        inner, outer = self._inner.copy(), self._outer.copy()
        inner.update(f",{seq},{quoted_path}]".encode())
        outer.update(inner.digest())
        return outer.digest()


def box_key(secret: bytes, game: str) -> bytes:
    """The key that encrypts the boxes of a game's entries."""
    return _mac(secret, ["tabularium/box/2", game])


def old_box_key(secret: bytes, game: str) -> bytes:
    """The key of the boxes in the old table, which hold complete entries."""
    return _mac(secret, ["tabularium/box/1", game])


def _mac(secret: bytes, message: list[object]) -> bytes:
    return hmac.digest(secret, encode_canonical(message).encode(), sha256)


class FairRng(Rng):
    """SHAKE-256 as big-endian words of 64 bits; words that would bias a number are skipped."""

    def __init__(self, key: bytes, game: str, seq: int) -> None:
        start = b"tabularium/draw/1" + key + game.encode() + seq.to_bytes(8, "big")
        self._source = shake_256(start)
        self._words = b""
        self._position = 0

    def below(self, limit: int) -> int:
        if not 0 < limit <= WORD_RANGE:
            raise ValueError(f"cannot draw below {limit}")
        bound = WORD_RANGE - WORD_RANGE % limit
        word = self._next_word()
        while word >= bound:
            word = self._next_word()
        return word % limit

    def _next_word(self) -> int:
        if self._position == len(self._words):
            length = max(INITIAL_WORDS * WORD_BYTES, 2 * len(self._words))
            self._words = self._source.digest(length)  # a longer digest begins with the shorter
        word = self._words[self._position : self._position + WORD_BYTES]
        self._position += WORD_BYTES
        return int.from_bytes(word, "big")

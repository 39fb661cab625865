"""How is a running game's hidden part kept? Its secret under a key that is not in the database, its
sealed fields under a key that follows from the secret; the end of the game opens both."""

from __future__ import annotations

import secrets
from collections.abc import Iterable, Iterator, Sequence
from typing import Final

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESGCM

NONCE: Final = 12  # bytes


class Locked(ValueError):
    """None of this machine's keys opens it: it was altered, or kept under another key."""


def lock_secret(keys: Sequence[bytes], game: str, secret: bytes) -> bytes:
    """The secret as the database may hold it, under the first key."""
    nonce = secrets.token_bytes(NONCE)
    return nonce + AESGCM(keys[0]).encrypt(nonce, secret, game.encode())


def unlock_secret(keys: Sequence[bytes], game: str, locked: bytes) -> bytes:
    """The secret again, whichever of the keys it is under."""
    nonce, box = locked[:NONCE], locked[NONCE:]
    for key in keys:
        try:
            return AESGCM(key).decrypt(nonce, box, game.encode())
        except InvalidTag:
            continue
    raise Locked(f"No key of this machine opens the secret of {game}")


class Box:
    """What closes and opens the sealed fields of one game's entries."""

    def __init__(self, key: bytes) -> None:
        self._cipher = AESGCM(key)

    def close(self, seq: int, content: bytes) -> bytes:
        """The content of an entry as the database holds it. Only one is ever stored for a seq:
        what an append that lost its race has closed is thrown away."""
        return self._cipher.encrypt(seq.to_bytes(NONCE, "big"), content, None)

    def open(self, seq: int, closed: bytes) -> bytes:
        """The content of an entry again, or Locked."""
        try:
            return self._cipher.decrypt(seq.to_bytes(NONCE, "big"), closed, None)
        except InvalidTag as problem:
            raise Locked(f"The sealed fields of entry {seq} do not open") from problem

    def open_all(self, closed: Iterable[tuple[int, bytes]]) -> Iterator[bytes]:
        """The contents of many entries, one by one, or Locked."""
        decrypt, seq = self._cipher.decrypt, 0
        try:
            for seq, box in closed:  # the number is told if one does not open
                yield decrypt(seq.to_bytes(NONCE, "big"), box, None)
        except InvalidTag as problem:
            raise Locked(f"The sealed fields of entry {seq} do not open") from problem

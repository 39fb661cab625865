"""How is a running game's hidden part kept? Its secret under a key that is not in the database, its
sealed fields under a key that follows from the secret; the end of the game opens both."""

from __future__ import annotations

import secrets
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from functools import cache
from hashlib import sha256
from typing import Final

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESGCM

NONCE_BYTES: Final = 12  # bytes
# before the name of a key; what was locked by older versions has neither
KEY_LABEL_PREFIX: Final = b"k1"
KEY_NAME_BYTES: Final = 8  # bytes of a key's fingerprint, which name it
KEY_LABEL_BYTES: Final = len(KEY_LABEL_PREFIX) + KEY_NAME_BYTES


class UnlockError(ValueError):
    """None of this machine's keys opens it: it was altered, or kept under another key."""


@cache
def fingerprint(key: bytes) -> str:
    """What may be told of a sealing key: it follows from the key, and the key not from it."""
    return sha256(b"tabularium/sealing-key/1" + key).hexdigest()


def key_label(key: bytes) -> bytes:
    """What stands before everything that is locked under a key."""
    return KEY_LABEL_PREFIX + bytes.fromhex(fingerprint(key))[:KEY_NAME_BYTES]


def lock_secret(keys: Sequence[bytes], game: str, secret: bytes) -> bytes:
    """The secret as the database may hold it, under the first key, and named after it."""
    mark, nonce = key_label(keys[0]), secrets.token_bytes(NONCE_BYTES)
    return mark + nonce + AESGCM(keys[0]).encrypt(nonce, secret, mark + game.encode())


def unlock_secret(keys: Sequence[bytes], game: str, locked: bytes) -> bytes:
    """The secret again, whichever of the keys it is under."""
    return find_key_and_unlock(keys, game, locked)[1]


def find_key_and_unlock(keys: Sequence[bytes], game: str, locked: bytes) -> tuple[bytes, bytes]:
    """The key that opens it, and the secret; Locked, if none does."""
    mark = locked[:KEY_LABEL_BYTES]
    for key in keys:
        if key_label(key) == mark:
            secret = _try_decrypt(key, mark + game.encode(), locked[KEY_LABEL_BYTES:])
            if secret is not None:
                return key, secret
    for key in keys:  # of an older version
        secret = _try_decrypt(key, game.encode(), locked)
        if secret is not None:
            return key, secret
    raise UnlockError(f"No key of this machine opens the secret of {game}")


def _try_decrypt(key: bytes, name: bytes, locked: bytes) -> bytes | None:
    """What a key makes of it."""
    with suppress(InvalidTag, ValueError):  # ValueError: it is too short to be anything
        return AESGCM(key).decrypt(locked[:NONCE_BYTES], locked[NONCE_BYTES:], name)
    return None


class EntryCipher:
    """What closes and opens the sealed fields of one game's entries."""

    def __init__(self, key: bytes) -> None:
        self._cipher = AESGCM(key)

    def encrypt(self, seq: int, content: bytes) -> bytes:
        """The content of an entry as the database holds it. Only one is ever stored for a seq:
        what an append that lost its race has closed is thrown away."""
        return self._cipher.encrypt(seq.to_bytes(NONCE_BYTES, "big"), content, None)

    def decrypt(self, seq: int, closed: bytes) -> bytes:
        """The content of an entry again, or Locked."""
        try:
            return self._cipher.decrypt(seq.to_bytes(NONCE_BYTES, "big"), closed, None)
        except InvalidTag as problem:
            raise UnlockError(f"The sealed fields of entry {seq} do not open") from problem

    def decrypt_all(self, closed: Iterable[tuple[int, bytes]]) -> Iterator[bytes]:
        """The contents of many entries, one by one, or Locked."""
        decrypt, seq = self._cipher.decrypt, 0
        try:
            for seq, box in closed:  # the number is told if one does not open
                yield decrypt(seq.to_bytes(NONCE_BYTES, "big"), box, None)
        except InvalidTag as problem:
            raise UnlockError(f"The sealed fields of entry {seq} do not open") from problem

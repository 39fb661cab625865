"""The encryption of a running game's hidden part: its secret under a key that is not in the
database, its entries under a key derived from the secret. The end of the game opens both."""

from __future__ import annotations

import secrets
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from functools import cache, lru_cache
from hashlib import sha256
from typing import Final

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESGCM

from tabularium_log.fairness.committed_draws import box_key, old_box_key

NONCE_BYTES: Final = 12
# precedes the name of a key; ciphertexts of older versions have neither
KEY_LABEL_PREFIX: Final = b"k1"
KEY_NAME_BYTES: Final = 8  # first bytes of a key's fingerprint, which name it
KEY_LABEL_BYTES: Final = len(KEY_LABEL_PREFIX) + KEY_NAME_BYTES
CACHED_CIPHERS: Final = 1_000  # of games


class UnlockError(ValueError):
    """No key of this machine opens it: it was altered, or encrypted under another key."""


@cache
def fingerprint(key: bytes) -> str:
    """The public digest of a sealing key, from which the key cannot be derived."""
    return sha256(b"tabularium/sealing-key/1" + key).hexdigest()


def key_label(key: bytes) -> bytes:
    """The prefix of every ciphertext under a sealing key."""
    return KEY_LABEL_PREFIX + bytes.fromhex(fingerprint(key))[:KEY_NAME_BYTES]


def lock_secret(keys: Sequence[bytes], game: str, secret: bytes) -> bytes:
    """The secret as the database may hold it: encrypted under the first key, and labelled."""
    label, nonce = key_label(keys[0]), secrets.token_bytes(NONCE_BYTES)
    return label + nonce + AESGCM(keys[0]).encrypt(nonce, secret, label + game.encode())


def unlock_secret(keys: Sequence[bytes], game: str, ciphertext: bytes) -> bytes:
    """The secret, decrypted with the key that fits."""
    return find_key_and_unlock(keys, game, ciphertext)[1]


def find_key_and_unlock(keys: Sequence[bytes], game: str, ciphertext: bytes) -> tuple[bytes, bytes]:
    """The key that opens it, and the secret; raises UnlockError if none does."""
    label = ciphertext[:KEY_LABEL_BYTES]
    for key in keys:
        if key_label(key) == label:
            secret = _try_decrypt(key, label + game.encode(), ciphertext[KEY_LABEL_BYTES:])
            if secret is not None:
                return key, secret
    for key in keys:  # ciphertexts of older versions
        secret = _try_decrypt(key, game.encode(), ciphertext)
        if secret is not None:
            return key, secret
    raise UnlockError(f"No key of this machine decrypts the secret of {game}")


def _try_decrypt(key: bytes, name: bytes, ciphertext: bytes) -> bytes | None:
    """The plaintext under this key, if the key fits."""
    with suppress(InvalidTag, ValueError):  # ValueError: it is too short
        return AESGCM(key).decrypt(ciphertext[:NONCE_BYTES], ciphertext[NONCE_BYTES:], name)
    return None


class EntryCipher:
    """Encrypts and decrypts the contents of one game's entries."""

    def __init__(self, key: bytes) -> None:
        self._cipher = AESGCM(key)

    def encrypt(self, seq: int, content: bytes) -> bytes:
        """The encrypted content of an entry, with its seq as nonce. Only one is ever stored for a
        seq: an append that loses its race discards its own."""
        return self._cipher.encrypt(seq.to_bytes(NONCE_BYTES, "big"), content, None)

    def decrypt(self, seq: int, ciphertext: bytes) -> bytes:
        """The content of an entry; raises UnlockError."""
        try:
            return self._cipher.decrypt(seq.to_bytes(NONCE_BYTES, "big"), ciphertext, None)
        except InvalidTag as problem:
            raise UnlockError(f"The sealed fields of entry {seq} cannot be decrypted") from problem

    def decrypt_all(self, boxes: Iterable[tuple[int, bytes]]) -> Iterator[bytes]:
        """The contents of many entries, one by one; raises UnlockError."""
        decrypt, seq = self._cipher.decrypt, 0
        try:
            for seq, box in boxes:  # the error names `seq`
                yield decrypt(seq.to_bytes(NONCE_BYTES, "big"), box, None)
        except InvalidTag as problem:
            raise UnlockError(f"The sealed fields of entry {seq} cannot be decrypted") from problem


class GameCipher(EntryCipher):
    """The cipher of a game's entries, and that of their boxes in the old table: there the same seq
    was the nonce of another content."""

    def __init__(self, secret: bytes, game: str) -> None:
        super().__init__(box_key(secret, game))
        self.old = EntryCipher(old_box_key(secret, game))


@lru_cache(maxsize=CACHED_CIPHERS)
def game_cipher(secret: bytes, game: str) -> GameCipher:
    """The cipher of a game's entries; secrets of recent games are in memory anyway."""
    return GameCipher(secret, game)

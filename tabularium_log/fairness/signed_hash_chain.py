"""The hash chain of a log, and the receipts by which the server signs its entries.

Each entry names the hash of the one before, and fields that are not public stand in it as seals, so
that all readers follow the same chain, and it reveals no more than each may know. The server signs
every accepted entry for the client: two receipts that disagree, or one whose entry is missing from
the final log, convict the server of changing history.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from hashlib import sha256
from typing import Any, Final

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey

from tabularium_log.fairness.canonical_json import encode_canonical
from tabularium_log.forms import GameId, Seq, Sha256, Signature

GENESIS_HASH: Final = "0" * 64  # the first entry names this as the one before


def entry_hash(text: str) -> str:
    """The hash of an entry, given the canonical text of its open part."""
    return sha256(b"tabularium/entry/1" + text.encode()).hexdigest()


def seal_hash(salt: bytes, path: str, value: Any) -> str:
    """The seal of a hidden field, which is public."""
    return sha256(salt + encode_canonical([path, value]).encode()).hexdigest()


@dataclass(frozen=True)
class Receipt:
    """The server's word that the log of `game` had this hash at `seq`."""

    game: GameId
    seq: Seq
    hash: Sha256  #: The SHA-256 of the last entry, which covers all entries before it.
    key: Sha256  #: The Ed25519 public key of the server, in hexadecimal digits.
    signature: Signature  #: The Ed25519 signature, in hexadecimal digits.


def sign_receipt(signing_key: bytes, game: str, seq: int, hash_: str) -> Receipt:
    """A receipt under the server's key."""
    private_key = _private_key(signing_key)
    signature = private_key.sign(_signed_message(game, seq, hash_))
    return Receipt(game, seq, hash_, public_key(signing_key), signature.hex())


def is_genuine(receipt: Receipt) -> bool:
    """Whether this receipt was made with the key that it names."""
    try:
        key = Ed25519PublicKey.from_public_bytes(bytes.fromhex(receipt.key))
        message = _signed_message(receipt.game, receipt.seq, receipt.hash)
        key.verify(bytes.fromhex(receipt.signature), message)
    except (ValueError, InvalidSignature):
        return False
    return True


def find_signing_key(signing_keys: Sequence[bytes], key: str) -> bytes | None:
    """The signing key of this public key, if it is here: a game keeps the key it began with."""
    return next(
        (signing_key for signing_key in signing_keys if public_key(signing_key) == key), None
    )


@cache
def public_key(signing_key: bytes) -> str:
    """The public key that verifies receipts, in hex."""
    return _private_key(signing_key).public_key().public_bytes_raw().hex()


@cache
def _private_key(signing_key: bytes) -> Ed25519PrivateKey:
    return Ed25519PrivateKey.from_private_bytes(signing_key)


def _signed_message(game: str, seq: int, hash_: str) -> bytes:
    document = {"game": game, "hash": hash_, "seq": seq}
    return b"tabularium/receipt/1" + encode_canonical(document).encode()

"""The Ed25519 of docs/verify.py in plain Python accepts the signatures that `cryptography` accepts,
and no others."""

from __future__ import annotations

import importlib.util
from collections.abc import Callable
from itertools import product
from random import Random

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from tests.docs.verifier import VERIFIER

ORDER = 2**252 + 27742317777372353535851937790883648493
PRIME = 2**255 - 19
LIBRARY = VERIFIER.signature_check()
# encodings of points of small order, and of numbers beyond the prime
ODD_POINTS = [
    (number | sign << 255).to_bytes(32, "little")
    for number in (0, 1, 2, PRIME - 1, PRIME, PRIME + 1, PRIME + 18, 2**255 - 1)
    for sign in (0, 1)
] + [
    bytes.fromhex("26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05"),
    bytes.fromhex("c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a"),
]


def test_the_library_is_the_other_one() -> None:
    assert LIBRARY is not VERIFIER.has_signed


def test_it_is_used_without_the_library(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: None)
    assert VERIFIER.signature_check() is VERIFIER.has_signed


def flipped(raw: bytes, bit: int) -> bytes:
    """The bytes with another bit."""
    number = int.from_bytes(raw, "little") ^ 1 << bit
    return number.to_bytes(len(raw), "little")


def test_signatures_and_changes_of_them(games_count: Callable[[int, int], int]) -> None:
    random = Random(7)
    for _ in range(games_count(20, 1000)):
        private = Ed25519PrivateKey.from_private_bytes(random.randbytes(32))
        message, public = random.randbytes(random.randrange(200)), private.public_key()
        key, signature = public.public_bytes_raw(), private.sign(message)
        assert VERIFIER.has_signed(key, message, signature)
        assert not VERIFIER.has_signed(key, message + b"\0", signature)
        assert not VERIFIER.has_signed(key, message, flipped(signature, random.randrange(512)))
        assert not VERIFIER.has_signed(flipped(key, random.randrange(256)), message, signature)
        s = int.from_bytes(signature[32:], "little") + ORDER
        larger = signature[:32] + s.to_bytes(32, "little")
        assert not VERIFIER.has_signed(key, message, larger)
        for wrong in (signature[:-1], signature + b"\0", b""):
            assert not VERIFIER.has_signed(key, message, wrong)
        assert not VERIFIER.has_signed(key[:-1], message, signature)


def test_both_say_the_same_of_odd_points() -> None:
    verdicts = []
    for key, point, s in product(ODD_POINTS, ODD_POINTS, (0, 1)):
        signature = point + s.to_bytes(32, "little")
        verdicts.append(VERIFIER.has_signed(key, b"message", signature))
        assert verdicts[-1] == LIBRARY(key, b"message", signature), (key.hex(), signature.hex())
    assert True in verdicts
    assert False in verdicts

"""A receipt is genuine exactly if the server signed it, for exactly those fields."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from tabularium_log.fairness.signed_hash_chain import is_genuine, public_key, sign_receipt

KEY, OTHER = bytes(range(32)), bytes(range(1, 33))
GAME = "game_" + "0" * 32
RECEIPT = sign_receipt(KEY, GAME, 7, "ab" * 32)


def test_it_is_genuine() -> None:
    assert is_genuine(RECEIPT)
    assert RECEIPT.key == public_key(KEY)


def test_the_same_is_signed_the_same() -> None:
    assert sign_receipt(KEY, GAME, 7, "ab" * 32) == RECEIPT
    assert sign_receipt(OTHER, GAME, 7, "ab" * 32) != RECEIPT


@pytest.mark.parametrize(
    "alteration",
    [
        {"game": "game_" + "1" * 32},
        {"seq": 8},
        {"hash": "ac" * 32},
        {"key": public_key(OTHER)},
        {"key": "00" * 32},
        {"key": "ab"},
        {"key": "no key"},
        {"signature": "00" * 64},
        {"signature": ""},
        {"signature": "no signature"},
    ],
)
def test_nothing_of_it_can_be_altered(alteration: dict[str, Any]) -> None:
    assert not is_genuine(replace(RECEIPT, **alteration))

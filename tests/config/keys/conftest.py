"""Keys of a server, given by letters."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

SetKeys = Callable[[str, str], None]


def key(letter: str) -> bytes:
    """A fixed key for a letter."""
    return letter.encode() * 32


@pytest.fixture
def set_keys(settings: Any) -> SetKeys:
    """`set_keys("ba", "x")` gives this server the sealing keys b and a, and the signing key x."""

    def set_keys(sealing: str, signing: str) -> None:
        settings.SEALING_KEYS = [key(letter) for letter in sealing]
        settings.SIGNING_KEYS = [key(letter) for letter in signing]

    return set_keys

"""Deterministic randomness for tests: a seed derived from the test's name.

Secrets, deals, bots' seeds and names are drawn from `secrets`. Here its functions draw from a
stream of the test's own, so that a test sees the same cards in every run. `--chance N` shifts all
streams.
"""

from __future__ import annotations

import secrets
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from itertools import count
from random import Random
from threading import Lock
from typing import Final, TypeVar

import pytest

from games import ids

T = TypeVar("T")
CHANCE: Final = "TABULARIUM_TEST_CHANCE"  # the default of `--chance`
TOKEN: Final = 32  # bytes, the default length
EPOCH_MS: Final = 1_767_225_600_000  # the first of January 2026: earlier than any real id


class Stream:
    """The functions of `secrets`, seeded and thread-safe."""

    def __init__(self, seed: str) -> None:
        self._random = Random(seed)
        self._lock = Lock()

    def randbits(self, bits: int) -> int:
        """As secrets.randbits."""
        with self._lock:
            return self._random.getrandbits(bits)

    def randbelow(self, limit: int) -> int:
        """As secrets.randbelow."""
        with self._lock:
            return self._random.randrange(limit)

    def choice(self, options: Sequence[T]) -> T:
        """As secrets.choice."""
        return options[self.randbelow(len(options))]

    def token_bytes(self, length: int | None = None) -> bytes:
        """As secrets.token_bytes."""
        with self._lock:
            return self._random.randbytes(TOKEN if length is None else length)

    def token_hex(self, length: int | None = None) -> str:
        """As secrets.token_hex."""
        return self.token_bytes(length).hex()


class Clock:
    """The time in ids: a game's draws depend on its id. Each id is a millisecond after the last."""

    def __init__(self) -> None:
        self._milliseconds = count(EPOCH_MS)

    def time_ns(self) -> int:
        """As time.time_ns."""
        return next(self._milliseconds) * 1_000_000


SEEDED_FUNCTIONS: Final = ("randbits", "randbelow", "choice", "token_bytes", "token_hex")


@contextmanager
def seeded(seed: str) -> Iterator[None]:
    """Draw `secrets` from this seed within the block."""
    stream = Stream(seed)
    with pytest.MonkeyPatch.context() as patch:
        for name in SEEDED_FUNCTIONS:
            patch.setattr(secrets, name, getattr(stream, name))
        patch.setattr(ids, "time", Clock())
        yield

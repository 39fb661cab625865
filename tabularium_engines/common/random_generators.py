"""Random number generators: seeded, for searches; recording, which keeps its draws for the log; and
replaying, which repeats the draws of a log."""

from __future__ import annotations

from typing import Final

from mypy_extensions import i64

from tabularium_engines.base import Rng

_MULTIPLIER: Final[i64] = 1073740155  # the largest with a full period and products below 2^62
_LOW_32_BITS: Final[i64] = 0xFFFFFFFF


class FastRng(Rng):
    """Multiply-with-carry: same numbers interpreted and compiled; neither secret nor provable."""

    def __init__(self, seed: i64) -> None:
        self._value: i64 = (seed ^ 0x2545F491) & _LOW_32_BITS
        self._carry: i64 = ((seed >> 32) ^ 0x1B873593) & 0x1FFFFFFF | 1
        for _ in range(8):
            self.below(2)  # similar seeds diverge

    def below(self, limit: i64) -> i64:
        """Uniform to within one part in 2^32 / limit."""
        product: i64 = _MULTIPLIER * self._value + self._carry
        self._value = product & _LOW_32_BITS
        self._carry = product >> 32
        return (self._value * limit) >> 32


class RecordingRng(Rng):
    """Passes on the draws of its source and records each, with its limit, for the log."""

    def __init__(self, source: Rng) -> None:
        self._source = source
        self.draws: list[tuple[int, int]] = []

    def below(self, limit: i64) -> i64:
        value = self._source.below(limit)
        self.draws.append((int(value), int(limit)))
        return value


class DrawMismatch(ValueError):
    """The rules and the log disagree about the draws: one of them was altered."""


class ReplayingRng(Rng):
    """Replays the draws of a log, and no others."""

    def __init__(self, draws: list[tuple[int, int]]) -> None:
        self._draws = draws
        self._position: i64 = 0

    def below(self, limit: i64) -> i64:
        if self._position >= len(self._draws):
            raise DrawMismatch(f"the rules draw below {limit}, but the log has no more draws")
        value, logged = self._draws[self._position]
        if logged != int(limit) or not 0 <= value < logged:
            raise DrawMismatch(f"the rules draw below {limit}, the log says {value} of {logged}")
        self._position += 1
        return value

    def finish(self) -> None:
        """Raise DrawMismatch if the log holds draws that the rules did not make."""
        if self._position != len(self._draws):
            left = len(self._draws) - self._position
            raise DrawMismatch(f"the log holds {left} draws that the rules do not make")

"""How sure is a result? Intervals for a share, and a test that stops as soon as it is decided."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import log, sqrt
from typing import Final, Literal

Z_95: Final = 1.96  # 95 %
ERROR_RATE: Final = 0.05  # that a test decides wrongly, either way
MIN_BLOCKS: Final = 8  # blocks before a test may stop: less say nothing of how they scatter


@dataclass(frozen=True)
class Block:
    """One deal, played from each seat."""

    shares: tuple[float, ...]  # what the challenger got, by seat
    par: float  # what a challenger would get that plays as the opponents do

    @property
    def gain(self) -> float:
        """How much more than par it was on average."""
        return sum(self.shares) / len(self.shares) - self.par


@dataclass(frozen=True)
class Score:
    """What one challenger got out of many games in which all other seats played alike."""

    games: int
    share: float
    low: float  # Wilson's interval; where the par differs by deal, the normal one of the gains
    high: float
    par: float

    @property
    def is_better(self) -> bool:
        """Is the challenger stronger than its opponents, as far as 95 % can tell?"""
        return self.low > self.par

    def __str__(self) -> str:
        interval = f"[{self.low:.3f}, {self.high:.3f}]"
        return f"{self.share:.3f} {interval} of {self.games} games, par {self.par:.3f}"


def score_blocks(blocks: Sequence[Block]) -> Score:
    """The mean share with its 95 % interval."""
    shares = [share for block in blocks for share in block.shares]
    share, par = mean(shares), mean([block.par for block in blocks])
    if len({block.par for block in blocks}) > 1:
        gains = [block.gain for block in blocks]
        half = Z_95 * sqrt(variance(gains) / len(gains))
        return Score(len(shares), share, share - half, share + half, par)
    low, high = wilson_interval(share, len(shares))
    return Score(len(shares), share, low, high, par)


def wilson_interval(share: float, games: int) -> tuple[float, float]:
    """Where the true share of victories lies (Wilson, 1927)."""
    weight = Z_95 * Z_95 / games
    middle = share + weight / 2
    half = Z_95 * sqrt(share * (1 - share) / games + weight / (4 * games))
    return (middle - half) / (1 + weight), (middle + half) / (1 + weight)


def mean(values: Sequence[float]) -> float:
    """The arithmetic mean."""
    return sum(values) / len(values)


def variance(values: Sequence[float]) -> float:
    """The variance of what the values were drawn from."""
    middle = mean(values)
    return sum((value - middle) ** 2 for value in values) / max(len(values) - 1, 1)


# -- a test that stops ----------------------------------------------------------------------------

Verdict = Literal["stronger", "not stronger", "open"]


@dataclass(frozen=True)
class Sprt:
    """Wald's sequential test of blocks: is the challenger's gain `hoped`, or is it none?"""

    hoped_gain: float

    def log_likelihood_ratio(self, gains: Sequence[float]) -> float:
        """The logarithm of how much likelier the gains are if the hope is true."""
        spread = variance(gains)
        if spread == 0.0:
            return 0.0
        return len(gains) * self.hoped_gain * (mean(gains) - self.hoped_gain / 2) / spread

    def verdict(self, gains: Sequence[float]) -> Verdict:
        """What is known so far."""
        if len(gains) < MIN_BLOCKS:
            return "open"
        bound = log((1 - ERROR_RATE) / ERROR_RATE)
        ratio = self.log_likelihood_ratio(gains)
        if abs(ratio) < bound:
            return "open"
        return "stronger" if ratio > 0 else "not stronger"

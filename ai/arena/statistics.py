"""Statistics of contests: confidence intervals of a share, and a sequential test that stops once it
is decided."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import log, sqrt
from typing import Final, Literal

Z_95: Final = 1.96
ERROR_RATE: Final = 0.05  # of a wrong decision, either way
MIN_BLOCKS: Final = 8  # before a test may stop: fewer show no variance


@dataclass(frozen=True)
class Block:
    """One deal, played from each seat."""

    shares: tuple[float, ...]  # the challenger's share, by seat
    par: float  # the share of a challenger as strong as the opponents

    @property
    def gain(self) -> float:
        """The mean share above par."""
        return sum(self.shares) / len(self.shares) - self.par


@dataclass(frozen=True)
class Score:
    """A challenger's result over many games in which one opponent played all other seats."""

    games: int
    share: float
    low: float  # the bounds of the 95 % interval, by deals
    high: float
    par: float

    @property
    def is_better(self) -> bool:
        """Whether the challenger is stronger than its opponents at 95 % confidence."""
        return self.low > self.par

    def __str__(self) -> str:
        interval = f"[{self.low:.3f}, {self.high:.3f}]"
        return f"{self.share:.3f} {interval} of {self.games} games, par {self.par:.3f}"


def score_blocks(blocks: Sequence[Block]) -> Score:
    """The mean share of the deals, with its 95 % interval. The games of a deal, which may be one
    or one from each seat, share its luck and its first player, so deals count, and not games."""
    share = mean([mean(block.shares) for block in blocks])
    par, games = mean([block.par for block in blocks]), sum(len(block.shares) for block in blocks)
    gains = [block.gain for block in blocks]
    squares = sum(gain * gain for gain in gains)
    weight = len(blocks) / games  # of a game, where a block has 1
    low, high = interval_of_mean(sum(gains), squares, len(gains), (-par, 1 - par), weight)
    return Score(games, share, par + low, par + high, par)


def interval_of_mean(
    total: float,
    squares: float,
    number: int,
    bounds: tuple[float, float] = (0.0, 1.0),
    weight: float = 1.0,
) -> tuple[float, float]:
    """The 95 % interval of the mean of numbers between two bounds, from their sum and the sum of
    their squares.

    As in the "plus four" interval of Agresti and Coull (1998), numbers at both bounds are added,
    one of each with this weight: so it keeps its level with few numbers, and numbers that are all
    equal have a width, too.
    """
    least, most = bounds
    count, total = number + 2 * weight, total + weight * (least + most)
    squares += weight * (least * least + most * most)
    middle = total / count
    deviation = sqrt(max(squares - total * middle, 0.0) / (count - 1))
    half_width = Z_95 * deviation / sqrt(count)
    return max(middle - half_width, least), min(middle + half_width, most)


def wilson_interval(share: float, games: int) -> tuple[float, float]:
    """The 95 % interval of the true share of victories (Wilson, 1927)."""
    weight = Z_95 * Z_95 / games
    middle = share + weight / 2
    half_width = Z_95 * sqrt(share * (1 - share) / games + weight / (4 * games))
    return (middle - half_width) / (1 + weight), (middle + half_width) / (1 + weight)


def mean(values: Sequence[float]) -> float:
    """The arithmetic mean."""
    return sum(values) / len(values)


def variance(values: Sequence[float]) -> float:
    """The sample variance."""
    middle = mean(values)
    return sum((value - middle) ** 2 for value in values) / max(len(values) - 1, 1)


# -- a sequential test ----------------------------------------------------------------------------

Verdict = Literal["stronger", "not stronger", "open"]


@dataclass(frozen=True)
class Sprt:
    """Wald's sequential probability ratio test on blocks: a gain of `hoped_gain` against none."""

    hoped_gain: float

    def log_likelihood_ratio(self, gains: Sequence[float]) -> float:
        """The log-likelihood ratio of the gains, of the hoped gain against none."""
        gain_variance = variance(gains)
        if gain_variance == 0.0:
            return 0.0
        return len(gains) * self.hoped_gain * (mean(gains) - self.hoped_gain / 2) / gain_variance

    def verdict(self, gains: Sequence[float]) -> Verdict:
        """The verdict so far."""
        if len(gains) < MIN_BLOCKS:
            return "open"
        bound = log((1 - ERROR_RATE) / ERROR_RATE)
        ratio = self.log_likelihood_ratio(gains)
        if abs(ratio) < bound:
            return "open"
        return "stronger" if ratio > 0 else "not stronger"

"""Which of two bots plays a game better? Bots against bots, with a confidence interval."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from math import sqrt
from typing import Any

from ai.bots import Bot
from games.engines.base import Engine
from games.engines.common.rng import FastRng

Z = 1.96  # 95 %


@dataclass(frozen=True)
class Score:
    """What one challenger got out of many games in which all other seats played alike."""

    games: int
    seats: int
    share: float  # the mean of the challenger's returns
    low: float
    high: float

    @property
    def chance(self) -> float:
        """The share of a challenger that plays as well as the others."""
        return 1 / self.seats

    def __str__(self) -> str:
        interval = f"[{self.low:.3f}, {self.high:.3f}]"
        return f"{self.share:.3f} {interval} of {self.games} games, chance {self.chance:.3f}"


def alone(state: Any, seat: int) -> frozenset[int]:
    """The challenger has one seat."""
    return frozenset({seat})


def returned(state: Any, side: frozenset[int]) -> float:
    """What the end is worth to the challenger."""
    returns: list[float] = state.returns()
    return sum(returns[seat] for seat in side)


@dataclass(frozen=True)
class Match:
    """A challenger at one seat or several, the same opponent at all others."""

    engine: Engine[Any, Any]
    options: Any
    seats: int
    challenger: Bot
    opponent: Bot
    seconds: float = 0.2
    side: Callable[[Any, int], frozenset[int]] = alone  # with whom a seat plays, after the deal
    worth: Callable[[Any, frozenset[int]], float] = returned  # what is measured at the end

    def play(self, games: int, seed: int = 0) -> Score:
        """Many games, the challenger at each seat in turn."""
        shares = [self.play_one(seed + game, game % self.seats) for game in range(games)]
        return score(shares, self.seats)

    def play_one(self, seed: int, seat: int) -> float:
        """What the challenger gets out of one game, sitting there; a seed is a deal."""
        rng = FastRng(seed)
        state = self.engine.start(self.options, self.seats, rng)
        side = self.side(state, seat)
        while state.to_act:
            awaited = self.engine.awaited(state)[0]
            bot = self.challenger if awaited in side else self.opponent
            view = self.engine.view(state, awaited)
            action = bot.choose(self.engine, view, rng, self.seconds)
            state.apply(awaited, self.engine.encode(state, awaited, action), rng)
        return self.worth(state, side)


def score(shares: list[float], seats: int) -> Score:
    """The mean share and its 95 % interval (normal approximation)."""
    games = len(shares)
    mean = sum(shares) / games
    variance = sum((share - mean) ** 2 for share in shares) / (games - 1)
    half = Z * sqrt(variance / games)
    return Score(games, seats, mean, mean - half, mean + half)

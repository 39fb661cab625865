"""Tallies: the sums over the games of a cell, which can be stored, continued and merged."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from typing import Any, Final

from ai.arena.statistics import interval_of_mean
from ai.balance.game_record import GameRecord

SECONDS_PER_DECISION: Final = 10  # of a person, for the length in minutes
OFTEN: Final = 3  # the number of times from which a use counts as frequent


@dataclass
class Uses:
    """How often an action, a card or an effect occurred."""

    games: int = 0  # in which it occurred
    often: int = 0  # in which it occurred at least OFTEN times
    total: int = 0


@dataclass
class Tally:
    """The sums over the first games of a cell; game `number` is deal `number`."""

    games: int = 0
    shares: list[float] = field(default_factory=list)  # by order from the starter
    squares: list[float] = field(default_factory=list)
    decisions: Counter[int] = field(default_factory=Counter)  # how many games had so many
    turns: Counter[int] = field(default_factory=Counter)
    decided_early: int = 0
    lead_changes: int = 0
    uses: dict[str, Uses] = field(default_factory=dict)

    def add(self, game: GameRecord) -> None:
        """Add the next game."""
        self.shares = self.shares or [0.0] * len(game.shares)
        self.squares = self.squares or [0.0] * len(game.shares)
        self.games += 1
        for order, share in enumerate(game.shares):
            self.shares[order] += share
            self.squares[order] += share * share
        self.decisions[game.decisions] += 1
        self.turns[game.turns] += 1
        self.decided_early += game.is_decided_early
        self.lead_changes += game.has_lead_change
        for name, times in game.uses.items():
            uses = self.uses.setdefault(name, Uses())
            uses.games += 1
            uses.often += times >= OFTEN
            uses.total += times

    def merge_uses(self, other: Tally) -> None:
        """Add the number of games and the uses of another tally."""
        self.games += other.games
        for name, uses in other.uses.items():
            mine = self.uses.setdefault(name, Uses())
            mine.games += uses.games
            mine.often += uses.often
            mine.total += uses.total

    # -- figures ----------------------------------------------------------------------------------

    def share(self, order: int) -> float:
        """The mean share of the seat in that order from the starter."""
        return self.shares[order] / self.games

    def interval(self, order: int) -> tuple[float, float]:
        """The 95 % interval of this share."""
        return interval_of_mean(self.shares[order], self.squares[order], self.games)

    @property
    def half_width(self) -> float:
        """Half of the widest interval."""
        bounds = [self.interval(order) for order in range(len(self.shares))]
        return max(high - low for low, high in bounds) / 2 if bounds else 1.0

    @property
    def par(self) -> float:
        """The share of a seat on average."""
        return sum(self.shares) / self.games / len(self.shares)

    @property
    def starter_ratio(self) -> float:
        """The starter's share by par."""
        return self.share(0) / self.par if self.par else 1.0

    # -- as JSON ----------------------------------------------------------------------------------

    def document(self) -> dict[str, Any]:
        """The tally as JSON."""
        uses = {name: [each.games, each.often, each.total] for name, each in self.uses.items()}
        histograms = {
            "decisions": _histogram(self.decisions),
            "turns": _histogram(self.turns),
            "uses": dict(sorted(uses.items())),
        }
        return {each.name: getattr(self, each.name) for each in fields(self)} | histograms


def tally_from(document: Mapping[str, Any]) -> Tally:
    """The tally of a JSON document."""
    uses = {name: Uses(*numbers) for name, numbers in document["uses"].items()}
    counters = {
        name: Counter({int(number): games for number, games in document[name].items()})
        for name in ("decisions", "turns")
    }
    plain = {each.name: document[each.name] for each in fields(Tally)}
    return Tally(**plain | counters | {"uses": uses})


def _histogram(counter: Counter[int]) -> dict[str, int]:
    return {str(number): counter[number] for number in sorted(counter)}


def median_of(counter: Counter[int]) -> int:
    """The lower median of a histogram."""
    rest = (counter.total() + 1) // 2
    for number in sorted(counter):
        rest -= counter[number]
        if rest <= 0:
            return number
    return 0

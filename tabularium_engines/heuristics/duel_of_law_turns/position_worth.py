"""The worth of a position: each seat's chance of winning, by its branches and cards,
by whose turn it is, and by whether the game can be won already. Then the branches that the next
turns can gain decide: how many is measured."""

from __future__ import annotations

from math import exp
from typing import Final

from librt.vecs import vec
from mypy_extensions import i64

from tabularium_engines.duel_of_law.game_end import WINNING_LEAD

# Near what fits 2,719 positions of 197 games of searching bots at two to four seats, before a hand
# was empty. The first cards matter: those beyond six hardly add anything.
BRANCH_WEIGHT: Final[float] = 0.5  # log-odds of a branch …
MOVER_WEIGHT: Final[float] = 0.35  # … of the next turn …
# … of each card in hand …
_CARD_WEIGHTS: Final[list[float]] = [0.45] * 3 + [0.18] * 3 + [0.02] * 6 + [0.04] * 8
JOKER_WEIGHT: Final[float] = 0.4  # … and of a joker, in addition: it fits where no other does
OPEN_BRANCH_WEIGHT: Final[float] = 0.8  # of a branch, after the turns that are looked at
OPEN_RISK_WEIGHT: Final[float] = 0.2  # of the part of a branch that may be stolen
OPEN_JOKER_WEIGHT: Final[float] = 0.5
LEAST_CHANCE: Final[float] = 0.001
TURNS_AHEAD_OF_TWO: Final[i64] = 4  # that are looked at; with more seats, one turn of each

MOST_GAIN: Final[i64] = 5  # of a turn, in branches that are new, or stolen: these count twice
MOST_CARDS_THAT_MATTER: Final[i64] = 11
_ROW_BY_CARDS: Final[vec[i64]] = vec[i64]([0, 1, 2, 3, 4, 4, 5, 5, 5, 5, 5, 6])
# The chance in percent that the best turn gains at least 1, 2 … 5, by cards in hand, against rivals
# with three branches or more (positions of greedy bots, 150 to 320 for each row but the second,
# which is estimated).
_ODDS_BY_CARDS: Final[list[list[int]]] = [
    [0, 0, 0, 0, 0, 0],  # none
    [85, 45, 10, 0, 0, 0],  # 1
    [100, 69, 26, 4, 1, 0],  # 2
    [100, 78, 68, 14, 9, 0],  # 3
    [100, 86, 79, 13, 5, 0],  # 4, 5
    [100, 94, 89, 27, 15, 0],  # 6 to 10
    [100, 98, 90, 32, 20, 0],  # more
]
_ODDS: Final[vec[i64]] = vec[i64]([odds for row in _ODDS_BY_CARDS for odds in row])
_ODDS_BY_BRANCHES: Final[list[list[int]]] = [  # the same, by branches of rivals: never more
    [100, 40, 0, 0, 0, 0],  # none
    [100, 70, 55, 0, 0, 0],  # 1
    [100, 80, 70, 3, 0, 0],  # 2
]
_MOST_ODDS: Final[vec[i64]] = vec[i64]([odds for row in _ODDS_BY_BRANCHES for odds in row])
HAND_WORTHS: Final[vec[float]] = vec[float](
    [sum(_CARD_WEIGHTS[:cards]) for cards in range(len(_CARD_WEIGHTS) + 1)]
)
_MOST_CARDS_WORTH_ANYTHING: Final[i64] = 20
_MANY_BRANCHES: Final[i64] = 3


class Standing:
    """The branches and cards of each seat at the end of a turn."""

    def __init__(
        self,
        owned: list[i64],
        strengths: list[float],
        hands: list[i64],
        jokers: list[float],
        is_open: bool,
    ) -> None:
        self.owned: list[i64] = owned  # branches
        self.strengths: list[float] = strengths  # the same, less those that may be stolen
        self.hands: list[i64] = hands  # cards
        self.jokers: list[float] = jokers  # of a rival, perhaps those to be expected
        self.is_open: bool = is_open  # whether a seat can win

    def copy(self) -> Standing:
        """An independent copy."""
        parts = self.owned[:], self.strengths[:]
        return Standing(parts[0], parts[1], self.hands[:], self.jokers[:], self.is_open)

    def chances(self, mover: i64) -> list[float]:
        """Each seat's chance of winning before the turn of `mover`."""
        odds = self._open_odds(mover) if self.is_open else self._closed_odds(mover)
        total = 0.0
        for part in odds:
            total += part
        return [part / total for part in odds]

    def _closed_odds(self, mover: i64) -> list[float]:
        found: list[float] = []
        for seat in range(len(self.owned)):
            cards = min(self.hands[seat], _MOST_CARDS_WORTH_ANYTHING)
            log_odds = BRANCH_WEIGHT * self.strengths[seat] + HAND_WORTHS[cards]
            log_odds += JOKER_WEIGHT * self.jokers[seat]
            found.append(exp(log_odds + (MOVER_WEIGHT if seat == mover else 0.0)))
        return found

    def _open_odds(self, mover: i64) -> list[float]:
        seats: i64 = len(self.owned)
        future = OpenEnd(self.hands)
        turns = TURNS_AHEAD_OF_TWO if seats == 2 else seats
        future.add_turns(self.owned, mover, turns, 1.0)
        found: list[float] = []
        for seat in range(seats):
            risk = OPEN_RISK_WEIGHT * (self.strengths[seat] - float(self.owned[seat]))
            trump = OPEN_JOKER_WEIGHT * self.jokers[seat]
            found.append((LEAST_CHANCE + future.chances[seat]) * exp(risk + trump))
        return found


class OpenEnd:
    """The next turns of a game that can be won: each gains as much as such hands can."""

    def __init__(self, hands: list[i64]) -> None:
        self.hands: list[i64] = hands
        self.chances: list[float] = [0.0] * len(hands)  # by seat, of winning

    def add_turns(self, owned: list[i64], mover: i64, turns: i64, weight: float) -> None:
        """Add the chances of so many turns, the first by `mover`."""
        if turns == 0:
            self._add_leads(owned, weight)
            return
        rival_branches = sum(owned) - owned[mover]
        for gain in range(MOST_GAIN + 1):
            odds = weight * gain_odds(self.hands[mover], rival_branches, gain)
            if odds > 0.0:
                after = owned_after(owned, mover, gain)
                leader = leader_of(after)
                if leader >= 0:
                    self.chances[leader] = self.chances[leader] + odds
                else:
                    self.add_turns(after, (mover + 1) % len(owned), turns - 1, odds)

    def _add_leads(self, owned: list[i64], weight: float) -> None:
        """Add the chances of a game that is still undecided."""
        odds = [exp(OPEN_BRANCH_WEIGHT * float(branches)) for branches in owned]
        total = 0.0
        for part in odds:
            total += part
        for seat in range(len(odds)):
            self.chances[seat] = self.chances[seat] + weight * odds[seat] / total


def leader_of(owned: list[i64]) -> i64:
    """The seat that owns at least two branches more than each other seat, or -1."""
    most = max(owned)
    leader: i64 = owned.index(most)
    for seat in range(len(owned)):
        if seat != leader and owned[seat] + WINNING_LEAD > most:
            return -1
    return leader


def gain_odds(cards: i64, rival_branches: i64, gain: i64) -> float:
    """The chance that the best turn with so many cards gains exactly this much."""
    least = 1.0 if gain == 0 else _odds_of_at_least(cards, rival_branches, gain)
    return least - _odds_of_at_least(cards, rival_branches, gain + 1)


def _odds_of_at_least(cards: i64, rival_branches: i64, gain: i64) -> float:
    row = _ROW_BY_CARDS[min(cards, MOST_CARDS_THAT_MATTER)]
    found = _ODDS[row * (MOST_GAIN + 1) + gain - 1]
    if rival_branches < _MANY_BRANCHES:
        found = min(found, _MOST_ODDS[rival_branches * (MOST_GAIN + 1) + gain - 1])
    return float(found) / 100.0


def owned_after(owned: list[i64], mover: i64, gain: i64) -> list[i64]:
    """The branches of each seat after a turn with this gain, which robs those that have most."""
    after = owned[:]
    after[mover] += gain & 1
    for _ in range(gain // 2):
        richest = (mover + 1) % len(after)
        for seat in range(len(after)):
            if seat != mover and after[seat] > after[richest]:
                richest = seat
        after[mover] += 1
        after[richest] = max(after[richest] - 1, 0)
    return after

"""The match: its variant, its current round, the points of its rounds, and its winners."""

from __future__ import annotations

from typing import Any, Final

from librt.vecs import vec
from mypy_extensions import i64

from tabularium_engines.common.bits import bit, count, first_n
from tabularium_engines.common.state_fields import fields_of
from tabularium_engines.duel_edged_sword.cards import FALSE_KIND, NO_CARD, kind_of
from tabularium_engines.duel_edged_sword.players import SEAT_COUNT, Players
from tabularium_engines.duel_edged_sword.rulings import Rulings

# How a round is played; an option may also leave it to the flipped card.
COMBATIVE: Final[i64] = 0
COLLABORATIVE: Final[i64] = 1
TEAMS: Final[i64] = 2
MODE_NAMES: Final = ("combative", "collaborative", "teams", "flipped")
DEAL_ALL: Final[i64] = 0
MAX_ROUNDS: Final[i64] = 20  # of a match with a target score


class Variant:
    """The options as numbers, and the rulings. They never change, so that clones share them."""

    def __init__(self, rulings: Rulings) -> None:
        self.mode_rule: i64 = COMBATIVE  # the index in MODE_NAMES
        self.deal: i64 = DEAL_ALL  # otherwise thirteen cards to each player
        self.rounds: i64 = 0
        self.target: i64 = 0  # points that end the match; 0: play `rounds`
        self.one_place_size: i64 = rulings.one_place_size
        self.counts_all_dealt: bool = rulings.counts_all_dealt

    def contents(self) -> list[Any]:
        """All options."""
        return [self.mode_rule, self.deal == DEAL_ALL, self.rounds, self.target]


class ChallengeTotals:
    """The totals of the collaborative rounds. They never change, so that clones share them."""

    def __init__(self, rounds: i64 = 0, met: i64 = 0, kept: i64 = 0, sought: i64 = 0) -> None:
        self.rounds = rounds
        self.met = met
        self.kept = kept  # Completes
        self.sought = sought

    def contents(self) -> list[i64]:
        """All totals."""
        return fields_of(self)

    def with_round(self, kept: i64, sought: i64) -> ChallengeTotals:
        """The totals with another round."""
        met = self.met + 1 if kept == sought else self.met
        return ChallengeTotals(self.rounds + 1, met, self.kept + kept, self.sought + sought)


class RoundResult:
    """The result of a round. It never changes, so that clones share it."""

    def __init__(self, number: i64 = 0, mode: i64 = COMBATIVE, flipped: i64 = NO_CARD) -> None:
        self.number = number
        self.mode = mode
        self.flipped = flipped
        self.sought: i64 = 0  # Completes that a collaborative round had to collect
        self.points: vec[i64] = vec[i64]()  # by seat
        self.kept: vec[i64] = vec[i64]()  # by seat: Completes that count
        self.standings: vec[i64] = vec[i64]()  # by seat

    def contents(self) -> list[i64]:
        """All fields."""
        head = [self.number, self.mode, self.flipped, self.sought]
        return [*head, *self.points, *self.kept, *self.standings]

    def points_of(self, seat: i64) -> i64:
        """The points of a player for the round, from the Completes kept."""
        if self.mode == COLLABORATIVE:
            return 0  # R17
        own = self.kept[seat]
        return own + self.kept[partner_of(self.flipped, seat)] if self.mode == TEAMS else own


class Match:
    """The current round, and the scores so far. A match changes only in a copy, between two rounds,
    so that clones of a state share it."""

    def __init__(self, points: vec[i64], challenges: ChallengeTotals) -> None:
        self.round: i64 = 0  # from 1
        self.leader: i64 = 0
        self.points = points  # by seat: replaced, never changed
        self.challenges = challenges
        self.last_result: RoundResult | None = None
        self.mode: i64 = COMBATIVE
        self.flipped: i64 = NO_CARD  # the card that decided the mode

    def clone(self) -> Match:
        """An independent copy."""
        copy = Match(self.points, self.challenges)
        copy.round = self.round
        copy.leader = self.leader
        copy.mode = self.mode
        copy.flipped = self.flipped
        copy.last_result = self.last_result
        return copy

    def contents(self) -> list[Any]:
        """All fields."""
        return fields_of(self)

    def score_round(self, players: Players, completes_in_play: i64) -> RoundResult:
        """Add the round to the scores; its result."""
        result = RoundResult(self.round, self.mode, self.flipped)
        result.kept = vec[i64]([players.scoring_completes(seat) for seat in range(SEAT_COUNT)])
        result.points = vec[i64]([result.points_of(seat) for seat in range(SEAT_COUNT)])
        result.standings = players.standings[:]
        if self.mode == COLLABORATIVE:
            result.sought = count(completes_in_play)
            self.challenges = self.challenges.with_round(sum(result.kept), result.sought)
        totals = [self.points[seat] + result.points[seat] for seat in range(SEAT_COUNT)]
        self.points = vec[i64](totals)
        self.last_result = result
        return result

    def is_over(self, variant: Variant) -> bool:
        """Whether this was the last round."""
        if variant.target == 0 or variant.mode_rule == COLLABORATIVE:
            return self.round >= variant.rounds
        return self.round >= MAX_ROUNDS or max(self.points) >= variant.target  # R19

    def is_all_collaborative(self) -> bool:
        """Whether all rounds were collaborative, so that there was no opponent (R18)."""
        return self.challenges.rounds == self.round

    def winning_seats(self) -> i64:
        """The set of winners, once the match is over."""
        if self.is_all_collaborative():
            return first_n(SEAT_COUNT)
        most = max(self.points)
        winners: i64 = 0
        for seat in range(SEAT_COUNT):
            if self.points[seat] == most:
                winners |= bit(seat)
        return winners

    def seat_return(self, seat: i64) -> float:
        """The payoff of a player at the end of the match."""
        if self.is_all_collaborative():
            return float(self.challenges.kept) / float(self.challenges.sought)
        winners = self.winning_seats()
        return 1.0 / float(count(winners)) if winners & bit(seat) != 0 else 0.0


def partner_of(flipped: i64, seat: i64) -> i64:
    """The partner of a seat: True joins North and East, False joins North and West."""
    return 3 - seat if kind_of(flipped) == FALSE_KIND else seat ^ 1

"""The progress of a match as parts of its state: the variant, the round, whose turn it is, the
points, and the results of rounds."""

from __future__ import annotations

from typing import Any, Final

from librt.vecs import vec
from mypy_extensions import i64

from games.engines.duel_edged_sword.cards import NO_CARD

# How a round is played …
COMBATIVE: Final[i64] = 0
COLLABORATIVE: Final[i64] = 1
TEAMS: Final[i64] = 2
MODE_NAMES: Final = ("combative", "collaborative", "teams", "flipped")  # … or the card decides
DEAL_ALL: Final[i64] = 0


class Variant:
    """The options as numbers. They never change, so that all clones share them."""

    def __init__(self, mode_rule: i64) -> None:
        self.mode_rule = mode_rule  # the index in MODE_NAMES
        self.deal: i64 = DEAL_ALL  # or 1: thirteen cards to each player
        self.rounds: i64 = 0
        self.target: i64 = 0

    def contents(self) -> list[Any]:
        """All options."""
        return [self.mode_rule, self.deal == DEAL_ALL, self.rounds, self.target]


class ChallengeTotals:
    """The totals of the collaborative rounds: replaced, never changed; so clones share them."""

    def __init__(self, rounds: i64 = 0, met: i64 = 0, kept: i64 = 0, sought: i64 = 0) -> None:
        self.rounds = rounds
        self.met = met
        self.kept = kept  # Completes
        self.sought = sought

    def contents(self) -> list[i64]:
        """All totals."""
        return [self.rounds, self.met, self.kept, self.sought]

    def after_round(self, kept: i64, sought: i64) -> ChallengeTotals:
        """The totals with one more round."""
        met = self.met + 1 if kept == sought else self.met
        return ChallengeTotals(self.rounds + 1, met, self.kept + kept, self.sought + sought)


class RoundResult:
    """The result of a round. It never changes, so that clones share it."""

    def __init__(self) -> None:
        self.number: i64 = 0
        self.mode: i64 = COMBATIVE
        self.flipped: i64 = NO_CARD
        self.sought: i64 = 0  # Completes that a collaborative round had to collect
        self.points: vec[i64] = vec[i64]()  # by seat
        self.kept: vec[i64] = vec[i64]()  # by seat: Completes that count
        self.standings: vec[i64] = vec[i64]()  # by seat

    def contents(self) -> list[i64]:
        """All fields."""
        round_numbers = [self.number, self.mode, self.flipped, self.sought]
        return [*round_numbers, *self.points, *self.kept, *self.standings]


class Match:
    """The current round and the scores so far."""

    def __init__(self, points: vec[i64], challenges: ChallengeTotals) -> None:
        self.round: i64 = 0  # from 1
        self.leader: i64 = 0
        self.turn: i64 = 0
        self.mode: i64 = COMBATIVE
        self.flipped: i64 = NO_CARD  # the card that decided the mode
        self.points = points  # by seat: replaced, never changed
        self.challenges = challenges
        self.last_result: RoundResult | None = None

    def clone(self) -> Match:
        """An independent copy."""
        copy = Match(self.points, self.challenges)
        copy.round = self.round
        copy.leader = self.leader
        copy.turn = self.turn
        copy.mode = self.mode
        copy.flipped = self.flipped
        copy.last_result = self.last_result
        return copy

    def contents(self) -> list[Any]:
        """All fields."""
        last_result = [] if self.last_result is None else self.last_result.contents()
        scores = [list(self.points), self.challenges.contents(), last_result]
        return [self.round, self.leader, *scores, self.mode, self.flipped, self.turn]

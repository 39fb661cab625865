"""The options as numbers, the votes, and the points and the last count."""

from __future__ import annotations

from typing import Any, Final

from librt.vecs import vec
from mypy_extensions import i64

from tabularium_engines.common.bits import bit, first_n, lowest, members
from tabularium_engines.common.state_fields import fields_of

MAX_COUNTS: Final[i64] = 200  # R24: then the points decide
VOTE: Final[i64] = 0  # chooses the suit, or else a die
HANDS_ONLY: Final[i64] = 0  # are counted …
LAWS_ONLY: Final[i64] = 1  # … or these, or else both
CALLER: Final[i64] = 0  # is on turn after a called count …
LEFT_OF_CALLER: Final[i64] = 1  # … or one of these seats
LEFT_OF_STARTER: Final[i64] = 2
WINNER: Final[i64] = 3
LOSER: Final[i64] = 4
NEXT_SEAT: Final[i64] = 0  # is on turn after the count of an empty pile, or else the same seat
FIRST_FIELDS: Final[i64] = 5  # of the scoring, those that version 1 has
NO_SEAT: Final[i64] = -1
NO_SUIT: Final[i64] = -1


class Variant:
    """The options as numbers. They never change, so that clones share them."""

    def __init__(self) -> None:
        self.suit_by: i64 = VOTE
        self.counted: i64 = HANDS_ONLY
        self.laws_kept: bool = False
        self.points_to_win: i64 = 0
        self.next_turn: i64 = CALLER  # of version 1, like the next
        self.empty_pile: i64 = NEXT_SEAT
        self.legs: i64 = 1
        self.house_rules: bool = False
        self.version: i64 = 1

    def contents(self) -> list[Any]:
        """All options."""
        zones = [self.counted != LAWS_ONLY, self.counted != HANDS_ONLY]
        return [self.points_to_win, self.suit_by != VOTE, self.laws_kept, *zones]

    def readings(self) -> list[i64]:
        """The options that version 1 does not have."""
        second = [self.next_turn, self.empty_pile, self.legs] if self.version > 1 else []
        return [*second, i64(self.house_rules)] if self.version > 2 else second

    def leg_count(self, seats: i64) -> i64:
        """The number of legs at a table of so many seats (R42)."""
        if self.legs == 0:
            return 2 if seats == 2 else 1
        return self.legs

    def keeps_laws(self) -> bool:
        """Whether laws stay after a count."""
        return self.laws_kept or self.house_rules


class Scoring:
    """The points and the last count. Clones of a state share it: each count makes a new one."""

    def __init__(self, points: vec[i64]) -> None:
        self.points = points  # by seat
        self.counts: i64 = 0  # so far
        self.suit: i64 = NO_SUIT  # of the last count
        self.counted: vec[i64] = vec[i64]()  # by seat: the cards that it found
        self.scorers: i64 = 0  # of it, a set
        self.starter: i64 = NO_SEAT  # the seat whose turn was the first since the deal
        self.opened: vec[i64] = vec[i64]()  # by seat: the latest votes, once they are opened

    def contents(self) -> list[Any]:
        """Points and count as plain numbers."""
        last_count = [self.suit, self.scorers, *self.counted] if self.counts > 0 else []
        return [self.counts, list(self.points), last_count]

    def second_contents(self) -> list[Any]:
        """The contents that version 1 does not have: all fields from `starter` on."""
        return fields_of(self)[FIRST_FIELDS:]

    def clone(self) -> Scoring:
        """An independent copy."""
        copy = Scoring(self.points[:])
        copy.counts = self.counts
        copy.suit = self.suit
        copy.counted = self.counted
        copy.scorers = self.scorers
        copy.starter = self.starter
        copy.opened = self.opened
        return copy

    def after_count(self, suit: i64, counted: vec[i64]) -> Scoring:
        """The scoring with a point more for each player with the most cards of the suit."""
        after = self.clone()
        after.counts += 1
        after.suit = suit
        after.counted = counted
        after.scorers = places_with_highest(counted)  # R21
        after.starter = NO_SEAT
        for seat in members(after.scorers):
            after.points[seat] = after.points[seat] + 1
        return after

    def with_opened_votes(self, votes: vec[i64]) -> Scoring:
        """The scoring with the votes for the next count."""
        after = self.clone()
        after.opened = votes
        return after

    def most_points(self) -> i64:
        """The points of those who have the most."""
        return self.points[lowest(self.winning_seats())]

    def ends_leg(self, points_to_win: i64) -> bool:
        """Whether the latest count was the last one of its leg."""
        return self.counts >= MAX_COUNTS or self.most_points() >= points_to_win

    def winning_seats(self) -> i64:
        """The set of seats with the most points."""
        return seats_with_most(self.points)


def no_votes(seats: i64) -> vec[i64]:
    """The votes before any is cast."""
    return vec[i64]([NO_SUIT] * seats)


def voters_left(votes: vec[i64]) -> i64:
    """The set of seats that have not voted."""
    seats: i64 = 0
    for seat in range(len(votes)):
        if votes[seat] == NO_SUIT:
            seats |= bit(seat)
    return seats


def leading_suits(votes: vec[i64]) -> i64:
    """The set of suits with the most votes."""
    cast = vec[i64]([0] * 4)
    for suit in votes:
        cast[suit] = cast[suit] + 1
    return places_with_highest(cast)


def places_with_highest(numbers: vec[i64]) -> i64:
    """The set of indexes of the highest number; empty if all are 0."""
    found: i64 = 0
    highest: i64 = 1
    for place in range(len(numbers)):
        if numbers[place] > highest:
            found = 0
            highest = numbers[place]
        if numbers[place] == highest:
            found |= bit(place)
    return found


def seats_with_most(points: vec[i64]) -> i64:
    """The set of seats with the most points: all of them if there are none."""
    return places_with_highest(points) or first_n(len(points))

"""Placement sites: which cards of a hand may be laid on an empty place, alone or with a second one.

Two facts make it fast: a line across depends on one card only, so it is checked once for each place
and card; and the clauses that all cards of a line pass one by one form a set, so another card is
another intersection. Only where that set is empty is the whole line examined.
"""

from __future__ import annotations

from typing import Final

from librt.vecs import append, vec
from mypy_extensions import i64

from tabularium_engines.duel_of_law.cards import NO_CARD, REGULAR_COUNT
from tabularium_engines.duel_of_law.laws import clauses_on_line as clauses
from tabularium_engines.duel_of_law.laws.cards_allowed_by_law import is_regular
from tabularium_engines.duel_of_law.laws.clause_catalogue import WORDS_PER_CLAUSE_SET
from tabularium_engines.duel_of_law.placement_rules import Gap, is_lawful, may_stay
from tabularium_engines.duel_of_law.tableau import NO_BRANCH, Branch, Line, Tableau

UNKNOWN_ANSWER: Final[i64] = -1
NEIGHBOUR_STEPS: Final[vec[i64]] = vec[i64]([-1, 1])


class PlacementSite:
    """An empty place, and the cards of a hand that the lines through it accept."""

    def __init__(self, tableau: Tableau, place: i64, hand: vec[i64]) -> None:
        self.tableau = tableau
        self.place: i64 = place
        self.hand: vec[i64] = hand
        self.gaps: list[Gap] = [Gap(tableau, place, 0), Gap(tableau, place, 1)]
        unknown = vec[i64]([UNKNOWN_ANSWER] * len(hand))
        self._answers: list[vec[i64]] = [unknown, unknown[:]]

    def can_take(self, axis: i64, index: i64) -> bool:
        """Whether the line along an axis would be lawful with this card of the hand."""
        answers = self._answers[axis]
        if answers[index] == UNKNOWN_ANSWER:
            answers[index] = 1 if self.gaps[axis].is_lawful(self.hand[index]) else 0
            self._answers[axis] = answers
        return answers[index] == 1

    def is_lawful(self, index: i64) -> bool:
        """Whether this card of the hand may be laid here alone."""
        if not (self.can_take(0, index) and self.can_take(1, index)):
            return False
        card = self.hand[index]
        if card < REGULAR_COUNT and not (self.gaps[0].has_joker or self.gaps[1].has_joker):
            return True
        return are_lawful_together(self.tableau, vec[i64]([card]), vec[i64]([self.place]))


class PlacePair:
    """Two empty places of a line with only cards between them, and the line they would join."""

    def __init__(self, first: PlacementSite, second: PlacementSite, axis: i64) -> None:
        self.tableau = first.tableau
        self.first = first
        self.second = second
        self.axis: i64 = axis
        self._is_first_beside: bool = self.tableau.is_beside(first.place)
        gap, across = first.gaps[axis], 1 - axis
        self._line: vec[i64] = append(gap.before[:], NO_CARD)
        for card in second.gaps[axis].line(NO_CARD):
            self._line = append(self._line, card)
        self._spot: i64 = len(gap.before)  # of the first card in the line
        self._other_spot: i64 = self._spot + 1 + len(gap.after)
        self.branch: Branch = self.tableau.branch_on(Line(axis, gap.start, self._line))
        self.has_joker_across: bool = first.gaps[across].has_joker or second.gaps[across].has_joker
        self.is_regular: bool = is_regular(self._line)
        self.common_clauses: vec[i64] = clauses.common_clauses(self._line, self.tableau.language)

    def line(self, one: i64, two: i64) -> vec[i64]:
        """The line with a card in each place."""
        cards = self._line[:]
        cards[self._spot] = one
        cards[self._other_spot] = two
        return cards

    def is_lawful(self, one: i64, two: i64) -> bool:
        """Whether the two cards may lie there, given that each line across accepts its card."""
        if self.branch is not NO_BRANCH and not self._is_lawful_along(one, two):
            return False
        if self._is_regular_with(one, two) and not self.has_joker_across:
            return True
        places = self.in_order(self.first.place, self.second.place)
        return are_lawful_together(self.tableau, self.in_order(one, two), places)

    def in_order(self, one: i64, two: i64) -> vec[i64]:
        """Two cards, or their places, in an order that the steps of a turn allow: first the one
        that touches cards already on the table."""
        return vec[i64]([one, two]) if self._is_first_beside else vec[i64]([two, one])

    def _is_regular_with(self, one: i64, two: i64) -> bool:
        """Whether there is no joker in the line that contains both."""
        return one < REGULAR_COUNT and two < REGULAR_COUNT and self.is_regular

    def _is_lawful_along(self, one: i64, two: i64) -> bool:
        """Whether the line that contains both is lawful."""
        if self.branch.level == 0 and self._is_regular_with(one, two):
            row, other = one * WORDS_PER_CLAUSE_SET, two * WORDS_PER_CLAUSE_SET
            for word in range(WORDS_PER_CLAUSE_SET):
                both = clauses.PASSED_CLAUSES[row + word] & clauses.PASSED_CLAUSES[other + word]
                if self.common_clauses[word] & both != 0:
                    return True
        tableau = self.tableau
        return may_stay(self.line(one, two), self.branch.law, tableau.wilds, tableau.language)


def are_lawful_together(tableau: Tableau, cards: vec[i64], places: vec[i64]) -> bool:
    """Whether all lines are lawful at once: a joker may lie in several of them."""
    trial = tableau.clone()
    for at in range(len(cards)):
        trial.lay(cards[at], places[at])
    return is_lawful(trial, cards)

"""The play generator: all lawful plays of one or two cards; `play_ranking` extends the best.

Two facts make it fast: a line across depends on one card only, so it is checked once for each place
and card; and the clauses that all cards of a line pass one by one form a set, so another card is
another intersection. Only where that set is empty is the whole line examined.
"""

from __future__ import annotations

from typing import Final

from librt.vecs import append, vec
from mypy_extensions import i64

from games.engines.duel_of_law.action_numbers import encode_place
from games.engines.duel_of_law.cards import NO_CARD, REGULAR_COUNT
from games.engines.duel_of_law.laws import clauses_on_line as clauses
from games.engines.duel_of_law.laws.cards_allowed_by_law import is_regular
from games.engines.duel_of_law.laws.clause_catalogue import WORDS_PER_CLAUSE_SET
from games.engines.duel_of_law.placement_rules import Gap, is_lawful, may_stay
from games.engines.duel_of_law.tableau import NO_BRANCH, Branch, Line, Tableau

NEW_BRANCH_GAIN: Final[i64] = 1  # one more branch …
STOLEN_BRANCH_GAIN: Final[i64] = 2  # … and another seat has one less
UNKNOWN_ANSWER: Final[i64] = -1
NO_SEAT: Final[i64] = -1  # the seat of a hand that belongs to no seat
NEIGHBOUR_STEPS: Final[vec[i64]] = vec[i64]([-1, 1])


class Play:
    """Cards and where to lay them, in an order that the steps of a turn allow."""

    def __init__(self, cards: vec[i64], places: vec[i64], hope: i64 = 0) -> None:
        self.cards: vec[i64] = cards
        self.places: vec[i64] = places
        self.expected_gain: i64 = hope  # in branches that are new, or stolen

    def with_card(self, card: i64, place: i64) -> Play:
        """The play with one more card."""
        return Play(append(self.cards[:], card), append(self.places[:], place), self.expected_gain)

    def steps(self) -> list[i64]:
        """The placements, one after the other."""
        return [encode_place(self.cards[at], self.places[at]) for at in range(len(self.cards))]

    def laid_on(self, tableau: Tableau) -> Tableau:
        """A copy of the tableau with the cards on it."""
        trial = tableau.clone()
        for at in range(len(self.cards)):
            trial.lay(self.cards[at], self.places[at])
        return trial


def branch_gain(branch: Branch, seat: i64) -> i64:
    """The gain for a seat that claims a branch, which may be new."""
    if branch is NO_BRANCH:
        return 0
    if branch.level == 0:
        return NEW_BRANCH_GAIN
    return 0 if branch.owner == seat else STOLEN_BRANCH_GAIN


class PlacementSite:
    """An empty place, and the cards of a hand that the lines through it accept."""

    def __init__(self, tableau: Tableau, place: i64, hand: vec[i64], seat: i64 = NO_SEAT) -> None:
        self.tableau = tableau
        self.place: i64 = place
        self.hand: vec[i64] = hand
        self.seat: i64 = seat
        self.gaps: list[Gap] = [Gap(tableau, place, 0), Gap(tableau, place, 1)]
        unknown = vec[i64]([UNKNOWN_ANSWER] * len(hand))
        self._answers: list[vec[i64]] = [unknown, unknown[:]]
        self.expected_gains: list[i64] = [branch_gain(gap.branch, seat) for gap in self.gaps]

    def can_take(self, axis: i64, index: i64) -> bool:
        """Whether the line along an axis would be lawful with this card of the hand."""
        answers = self._answers[axis]
        if answers[index] == UNKNOWN_ANSWER:
            answers[index] = 1 if self.gaps[axis].is_lawful(self.hand[index]) else 0
            self._answers[axis] = answers
        return answers[index] == 1

    def make_play(self, index: i64) -> Play | None:
        """The play that lays this card of the hand alone, if it is lawful."""
        if not (self.can_take(0, index) and self.can_take(1, index)):
            return None
        card, hope = self.hand[index], self.expected_gains[0] + self.expected_gains[1]
        play = Play(vec[i64]([card]), vec[i64]([self.place]), hope)
        is_plain = card < REGULAR_COUNT and not (self.gaps[0].has_joker or self.gaps[1].has_joker)
        return play if is_plain or is_lawful_for_all(self.tableau, play) else None


class PlacePair:
    """Two empty places of a line with only cards between them, and the line they would join."""

    def __init__(self, first: PlacementSite, second: PlacementSite, axis: i64) -> None:
        self.tableau = first.tableau
        self.first = first
        self.second = second
        self.axis: i64 = axis
        gap, across = first.gaps[axis], 1 - axis
        self._line: vec[i64] = append(gap.before[:], NO_CARD)
        for card in second.gaps[axis].line(NO_CARD):
            self._line = append(self._line, card)
        self._spot: i64 = len(gap.before)  # of the first card in the line
        self._other_spot: i64 = self._spot + 1 + len(gap.after)
        self.branch: Branch = self.tableau.branch_on(Line(axis, gap.start, self._line))
        self.expected_gain: i64 = first.expected_gains[across] + second.expected_gains[across]
        self.expected_gain += branch_gain(self.branch, first.seat)
        self.has_joker_across: bool = first.gaps[across].has_joker or second.gaps[across].has_joker
        self.is_regular: bool = is_regular(self._line)
        self.common_clauses: vec[i64] = clauses.common_clauses(self._line, self.tableau.language)

    def line(self, one: i64, two: i64) -> vec[i64]:
        """The line with a card in each place."""
        cards = self._line[:]
        cards[self._spot] = one
        cards[self._other_spot] = two
        return cards

    def collect_plays(self, hand: vec[i64], found: list[Play]) -> None:
        """Add all lawful plays on these two places."""
        across = 1 - self.axis
        for one in range(len(hand)):
            if not self.first.can_take(across, one):
                continue
            for two in range(len(hand)):
                if one == two or not self.second.can_take(across, two):
                    continue
                if self.is_lawful(hand[one], hand[two]):
                    found.append(self.make_play(hand[one], hand[two]))

    def is_lawful(self, one: i64, two: i64) -> bool:
        """Whether the two cards may lie there, given that each line across accepts its card."""
        if self.branch is not NO_BRANCH and not self.is_lawful_along(one, two):
            return False
        if self.is_regular_with(one, two) and not self.has_joker_across:
            return True
        return is_lawful_for_all(self.tableau, self.make_play(one, two))

    def is_regular_with(self, one: i64, two: i64) -> bool:
        """Whether there is no joker in the line that contains both."""
        return one < REGULAR_COUNT and two < REGULAR_COUNT and self.is_regular

    def is_lawful_along(self, one: i64, two: i64) -> bool:
        """Whether the line that contains both is lawful."""
        if self.branch.level == 0 and self.is_regular_with(one, two):
            row, other = one * WORDS_PER_CLAUSE_SET, two * WORDS_PER_CLAUSE_SET
            for word in range(WORDS_PER_CLAUSE_SET):
                both = clauses.PASSED_CLAUSES[row + word] & clauses.PASSED_CLAUSES[other + word]
                if self.common_clauses[word] & both != 0:
                    return True
        tableau = self.tableau
        return may_stay(self.line(one, two), self.branch.law, tableau.wilds, tableau.language)

    def make_play(self, one: i64, two: i64) -> Play:
        """The play, starting with the card that touches cards already on the table."""
        places = vec[i64]([self.first.place, self.second.place])
        if self.tableau.is_beside(self.first.place):
            return Play(vec[i64]([one, two]), places, self.expected_gain)
        return Play(vec[i64]([two, one]), vec[i64]([places[1], places[0]]), self.expected_gain)


def is_lawful_for_all(tableau: Tableau, play: Play) -> bool:
    """Whether all lines are lawful at once: a joker may lie in several of them."""
    return is_lawful(play.laid_on(tableau), play.cards)


class PlayGenerator:
    """The lawful plays of a hand on a tableau."""

    def __init__(self, tableau: Tableau, hand: list[i64], seat: i64 = NO_SEAT) -> None:
        self.tableau = tableau
        self.seat: i64 = seat
        self.hand: vec[i64] = vec[i64](hand)
        self.border: list[i64] = tableau.border_places()
        self._sites: dict[i64, PlacementSite] = {}

    def one_and_two_card_plays(self) -> list[Play]:
        """All plays of one card, then all of two; each set of cards and places once."""
        found = self.one_card_plays()
        for place in self.border:
            for axis in range(2):
                for step in NEIGHBOUR_STEPS:
                    self._add_two_card_plays(place, axis, step, found)
        return found

    def one_card_plays(self) -> list[Play]:
        """All plays of one card."""
        found: list[Play] = []
        for place in self.border:
            site = self.site(place)
            for index in range(len(self.hand)):
                play = site.make_play(index)
                if play is not None:
                    found.append(play)
        return found

    def _add_two_card_plays(self, place: i64, axis: i64, step: i64, found: list[Play]) -> None:
        """Add all plays on a place of the border and the next empty one in a direction."""
        other = self.tableau.end_place(place, axis, step)
        if step < 0 and self.tableau.is_beside(other):
            return  # found from there
        first, second = self.site(place), self.site(other)
        if step < 0:
            first, second = second, first
        PlacePair(first, second, axis).collect_plays(self.hand, found)

    def site(self, place: i64) -> PlacementSite:
        """The cached checks of an empty place."""
        known = self._sites.get(place)
        if known is None:
            known = PlacementSite(self.tableau, place, self.hand, self.seat)
            self._sites[place] = known
        return known

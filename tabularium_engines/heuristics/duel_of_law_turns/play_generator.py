"""The play generator: all lawful plays of one or two cards."""

from __future__ import annotations

from typing import Final

from librt.vecs import append, vec
from mypy_extensions import i64

from tabularium_engines.duel_of_law.action_numbers import encode_place
from tabularium_engines.duel_of_law.placement_sites import NEIGHBOUR_STEPS, PlacementSite, PlacePair
from tabularium_engines.duel_of_law.tableau import NO_BRANCH, Branch, Tableau

NEW_BRANCH_GAIN: Final[i64] = 1  # one more branch …
STOLEN_BRANCH_GAIN: Final[i64] = 2  # … and another seat has one less


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


def branch_gain(branch: Branch, seat: i64) -> i64:
    """The gain for a seat that claims a branch, which may be new."""
    if branch is NO_BRANCH:
        return 0
    if branch.level == 0:
        return NEW_BRANCH_GAIN
    return 0 if branch.owner == seat else STOLEN_BRANCH_GAIN


class PlayGenerator:
    """The lawful plays of a seat's hand on a tableau."""

    def __init__(self, tableau: Tableau, hand: list[i64], seat: i64) -> None:
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
            gain = self._gain_along(site, 0) + self._gain_along(site, 1)
            for index in range(len(self.hand)):
                if site.is_lawful(index):
                    cards, places = vec[i64]([self.hand[index]]), vec[i64]([place])
                    found.append(Play(cards, places, gain))
        return found

    def _gain_along(self, site: PlacementSite, axis: i64) -> i64:
        return branch_gain(site.gaps[axis].branch, self.seat)

    def _add_two_card_plays(self, place: i64, axis: i64, step: i64, found: list[Play]) -> None:
        """Add all plays on a place of the border and the next empty one in a direction."""
        other = self.tableau.end_place(place, axis, step)
        if step < 0 and self.tableau.is_beside(other):
            return  # found from there
        first, second = self.site(place), self.site(other)
        if step < 0:
            first, second = second, first
        pair, across = PlacePair(first, second, axis), 1 - axis
        gain = self._gain_along(first, across) + self._gain_along(second, across)
        gain += branch_gain(pair.branch, self.seat)
        places = pair.in_order(first.place, second.place)
        for one in range(len(self.hand)):
            if not first.can_take(across, one):
                continue
            for two in range(len(self.hand)):
                if one == two or not second.can_take(across, two):
                    continue
                if pair.is_lawful(self.hand[one], self.hand[two]):
                    cards = pair.in_order(self.hand[one], self.hand[two])
                    found.append(Play(cards, places, gain))

    def site(self, place: i64) -> PlacementSite:
        """The cached checks of an empty place."""
        known = self._sites.get(place)
        if known is None:
            known = PlacementSite(self.tableau, place, self.hand)
            self._sites[place] = known
        return known

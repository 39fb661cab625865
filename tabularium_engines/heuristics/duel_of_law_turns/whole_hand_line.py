"""The line of a whole hand: cards in the order of their numbers, ranks, letters or suits, if that
is lawful. Laid in one turn, it opens the end."""

from __future__ import annotations

from typing import Final

from librt.vecs import append, vec
from mypy_extensions import i64

from tabularium_engines.duel_of_law import action_numbers as n
from tabularium_engines.duel_of_law.cards import CARD_COUNT, NO_CARD, is_joker
from tabularium_engines.duel_of_law.laws import clause_codes as codes
from tabularium_engines.duel_of_law.laws.card_features import NUMBERS_ON_CARD
from tabularium_engines.duel_of_law.placement_rules import Gap, axes_of, is_lawful
from tabularium_engines.duel_of_law.placement_sites import NEIGHBOUR_STEPS
from tabularium_engines.duel_of_law.tableau import Tableau, place_after
from tabularium_engines.heuristics.duel_of_law_turns.play_generator import branch_gain

SORTING_FEATURES: Final[list[int]] = [
    *(int(codes.NUMBER), int(codes.RANK), int(codes.LETTER), int(codes.SUIT)),
]
MAX_HAND_LAID: Final[i64] = 30  # cards: longer ones take long
MAX_FIRST_PLACEMENTS: Final[i64] = 12  # tried …
MAX_PLAYS: Final[i64] = 3  # … until so many plays are found
_OPEN_VALUE: Final[i64] = -1  # of a joker, which goes anywhere
_LOWEST_FIRST: Final[i64] = 256


def whole_hand_plays(tableau: Tableau, hand: list[i64], seat: i64) -> list[list[i64]]:
    """Placements that lay the whole hand in one turn, for a few first ones: those that gain the
    most in the line across."""
    if not 2 <= len(hand) <= MAX_HAND_LAID:
        return []
    found: list[list[i64]] = []
    for step in _first_steps(tableau, hand, seat)[:MAX_FIRST_PLACEMENTS]:
        trial, card = tableau.clone(), n.card_in(step)
        trial.lay(card, n.place_in(step))
        rest = [other for other in hand if other != card]
        steps = whole_hand_steps(trial, vec[i64]([card]), rest)
        if len(steps) > 0:
            found.append([step, *steps])
            if len(found) == MAX_PLAYS:
                break
    return found


def _first_steps(tableau: Tableau, hand: list[i64], seat: i64) -> list[i64]:
    """First placements of a line of the whole hand, those with the highest gain first."""
    size: i64 = len(hand)
    keys: list[i64] = []
    for place in tableau.border_places():
        for axis in range(2):
            before = free_run(tableau, place, axis, -1, size)
            after = free_run(tableau, place, axis, 1, size)
            if before + after < size - 1 or _is_beside(tableau, place, axis):
                continue
            gap = Gap(tableau, place, 1 - axis)
            rank = (9 - branch_gain(gap.branch, seat)) * (CARD_COUNT * 65536)
            for card in hand:
                if _has_room(hand, card, before, after) and gap.is_lawful(card):
                    keys.append(rank + card * 65536 + place)
    keys.sort()
    return [n.encode_place(key // 65536 % CARD_COUNT, key & 0xFFFF) for key in keys]


def free_run(tableau: Tableau, place: i64, axis: i64, step: i64, most: i64) -> i64:
    """How many cards fit behind a place without touching any other, at most so many."""
    for found in range(most):
        place = place_after(place, axis, step)
        if _is_beside(tableau, place, 1 - axis):
            return found
        if tableau.card_at(place_after(place, axis, step)) != NO_CARD:
            return found
    return most


def _is_beside(tableau: Tableau, place: i64, axis: i64) -> bool:
    """Whether a card lies next to a place on an axis."""
    for step in NEIGHBOUR_STEPS:
        if tableau.card_at(place_after(place, axis, step)) != NO_CARD:
            return True
    return False


def _has_room(hand: list[i64], card: i64, before: i64, after: i64) -> bool:
    """Whether the cards below and above one, by any order, fit into the free places beside it."""
    for feature in SORTING_FEATURES:
        below: i64 = 0
        for other in hand:
            if 0 <= _sorting_value(other, feature) < _sorting_value(card, feature):
                below += 1
        above = len(hand) - 1 - below
        if (below <= before and above <= after) or (above <= before and below <= after):
            return True
    return False


def _sorting_value(card: i64, feature: i64) -> i64:
    return _OPEN_VALUE if is_joker(card) else NUMBERS_ON_CARD[feature * CARD_COUNT + card]


def whole_hand_steps(tableau: Tableau, laid: vec[i64], hand: list[i64]) -> list[i64]:
    """Placements that lay the whole hand, on from the cards laid, as one lawful line; or none."""
    if len(hand) > MAX_HAND_LAID:
        return []
    for axis in axes_of(tableau, laid):
        for feature in SORTING_FEATURES:
            for step in NEIGHBOUR_STEPS:
                steps = SortedLine(tableau, laid, axis, feature, step).steps_with(hand)
                if len(steps) > 0:
                    return steps
    return []


class SortedLine:
    """The line of the cards laid, and its values in the direction of a step."""

    def __init__(
        self, tableau: Tableau, laid: vec[i64], axis: i64, feature: i64, step: i64
    ) -> None:
        self.tableau = tableau
        self.laid: vec[i64] = laid
        self.axis: i64 = axis
        self.feature: i64 = feature
        self.step: i64 = step
        self.start: i64 = tableau.spots[laid[0]]
        self.values: list[i64] = []
        cards = list(tableau.line(self.start, axis).cards)
        if step < 0:
            cards.reverse()
        for card in cards:
            if not is_joker(card):
                self.values.append(_sorting_value(card, feature))

    def steps_with(self, hand: list[i64]) -> list[i64]:
        """The placements of all these cards in order, or none."""
        if len(hand) == 0 or self.values != sorted(self.values):
            return []
        size: i64 = len(self.values)
        low: i64 = self.values[0] if size > 0 else 0
        high: i64 = self.values[size - 1] if size > 0 else 0
        before: list[i64] = []
        after: list[i64] = []
        for card in hand:
            value = _sorting_value(card, self.feature)
            if value == _OPEN_VALUE or value >= high:
                after.append(max(value, high) * 256 + card)
            elif value <= low:
                before.append((_LOWEST_FIRST - value) * 256 + card)
            else:
                return []
        before.sort()
        after.sort()
        return self._laid_steps([key & 0xFF for key in before], [key & 0xFF for key in after])

    def _laid_steps(self, before: list[i64], after: list[i64]) -> list[i64]:
        """The placements of cards at both ends, if all may lie there."""
        trial, laid = self.tableau.clone(), self.laid[:]
        steps: list[i64] = []
        for side in range(2):
            step = self.step if side == 1 else -self.step
            for card in after if side == 1 else before:
                place = trial.end_place(self.start, self.axis, step)
                if not Gap(trial, place, 1 - self.axis).is_lawful(card):
                    return []
                if not Gap(trial, place, self.axis).is_hopeful(card):
                    return []
                trial.lay(card, place)
                laid = append(laid, card)
                steps.append(n.encode_place(card, place))
        return steps if is_lawful(trial, laid) else []

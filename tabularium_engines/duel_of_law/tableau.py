"""The tableau of the cards laid: the place of each card, the lines, and the branches with their
laws and owners."""

from __future__ import annotations

from typing import Any, Final

from librt.vecs import append, vec
from mypy_extensions import i64

from tabularium_engines.duel_of_law.cards import CARD_COUNT, NO_CARD
from tabularium_engines.duel_of_law.laws.law_language import FIRST_LANGUAGE, Language
from tabularium_engines.duel_of_law.laws.possible_joker_values import FRESH_JOKERS

ACROSS: Final[i64] = 0  # an axis: from left to right
DOWN: Final[i64] = 1  # from top to bottom
AXIS_NAMES: Final = ("across", "down")
NO_PLACE: Final[i64] = -1
ORIGIN: Final[i64] = 0x8080  # where the first card lies
MAX_LAWLESS_CARDS: Final[i64] = 2  # in a line that needs no law

# A place is its row * 256 + its column, both from 0 to 255, and both wrap around: 162 cards that
# touch each other never reach around (R40).
_SLOT_COUNT: Final[i64] = 512  # of the index from places to cards


class Branch:
    """A line with its law. Never changed: each change of a branch makes a new one."""

    def __init__(self, axis: i64, start: i64, size: i64, law: vec[i64], tokens: vec[i64]) -> None:
        self.axis: i64 = axis
        self.start: i64 = start  # the place of its first card
        self.size: i64 = size
        self.law: vec[i64] = law  # its clauses, the oldest first
        self.tokens: vec[i64] = tokens  # the seat that laid each clause's token; the last one owns

    @property
    def owner(self) -> i64:
        """The seat whose token is on top."""
        return self.tokens[len(self.tokens) - 1]

    @property
    def level(self) -> i64:
        """The number of clauses in its law."""
        return len(self.law)

    def with_clause(self, clause: i64, seat: i64) -> Branch:
        """The branch with one more clause, which makes it the seat's."""
        law, tokens = append(self.law[:], clause), append(self.tokens[:], seat)
        return Branch(self.axis, self.start, self.size, law, tokens)

    def with_line(self, start: i64, size: i64) -> Branch:
        """The same law on a longer line."""
        if start == self.start and size == self.size:
            return self
        return Branch(self.axis, start, size, self.law, self.tokens)

    def contents(self) -> list[Any]:
        """The branch as plain numbers."""
        return [self.axis, self.start, self.size, list(self.law), list(self.tokens)]


NO_BRANCH: Final = Branch(ACROSS, NO_PLACE, 0, vec[i64](), vec[i64]())  # on a line without a law


def merge_branches(older: Branch, younger: Branch) -> Branch:
    """The branch that two branches become: both laws, and one stack of tokens; of a clause that
    both have, the lower token goes back."""  # R22
    lower, upper = (older, younger) if younger.level >= older.level else (younger, older)
    law, tokens = list(upper.law), list(upper.tokens)
    kept = [index for index in range(lower.level) if lower.law[index] not in law]
    law = [lower.law[index] for index in kept] + law
    tokens = [lower.tokens[index] for index in kept] + tokens
    return Branch(upper.axis, upper.start, upper.size, vec[i64](law), vec[i64](tokens))


class Line:
    """Adjacent cards, from left to right or from top to bottom."""

    def __init__(self, axis: i64, start: i64, cards: vec[i64]) -> None:
        self.axis: i64 = axis
        self.start: i64 = start
        self.cards: vec[i64] = cards
        self.needs_law: bool = len(cards) > MAX_LAWLESS_CARDS  # R6


class Tableau:
    """Cards, branches, and the values open to jokers. Once a turn is over it is never changed:
    states share it, and a turn in progress works on a copy."""

    def __init__(
        self,
        spots: vec[i64],
        slots: vec[i64],
        branches: list[Branch],
        wilds: vec[i64],
        language: Language,
    ) -> None:
        self.spots: vec[i64] = spots  # by card: its place, or NO_PLACE
        self.branches: list[Branch] = branches  # the oldest first
        self.wilds: vec[i64] = wilds  # the values open to each joker; replaced, never changed
        self.language = language  # in which its laws are said
        self._slots: vec[i64] = slots

    def clone(self) -> Tableau:
        """An equal tableau of its own."""
        branches = self.branches[:]
        return Tableau(self.spots[:], self._slots[:], branches, self.wilds, self.language)

    # -- cards ------------------------------------------------------------------------------------

    def card_at(self, place: i64) -> i64:
        """The card at a place, or NO_CARD."""
        slot = _first_slot(place)
        while self._slots[slot] != NO_CARD:
            card = self._slots[slot]
            if self.spots[card] == place:
                return card
            slot = (slot + 1) & (_SLOT_COUNT - 1)
        return NO_CARD

    def lay(self, card: i64, place: i64) -> None:
        """Put a card on an empty place."""
        slot = _first_slot(place)
        while self._slots[slot] != NO_CARD:
            slot = (slot + 1) & (_SLOT_COUNT - 1)
        self._slots[slot] = card
        self.spots[card] = place

    def lift(self, card: i64) -> None:
        """Remove the card that was laid last."""
        slot = _first_slot(self.spots[card])
        while self._slots[slot] != card:
            slot = (slot + 1) & (_SLOT_COUNT - 1)
        self._slots[slot] = NO_CARD
        self.spots[card] = NO_PLACE

    def cards(self) -> list[i64]:
        """All cards that lie here, ascending."""
        return [card for card in range(CARD_COUNT) if self.spots[card] != NO_PLACE]

    def is_beside(self, place: i64) -> bool:
        """Whether a card lies next to this place."""
        for axis in range(2):
            for step in range(-1, 2, 2):
                if self.card_at(place_after(place, axis, step)) != NO_CARD:
                    return True
        return False

    def border_places(self) -> list[i64]:
        """The empty places next to a card, ascending, each once."""
        found: list[i64] = []
        for card in range(CARD_COUNT):
            place = self.spots[card]
            if place != NO_PLACE:
                for axis in range(2):
                    for step in range(-1, 2, 2):
                        other = place_after(place, axis, step)
                        if self.card_at(other) == NO_CARD:
                            found.append(other)
        found.sort()
        return [found[at] for at in range(len(found)) if at == 0 or found[at] != found[at - 1]]

    # -- lines ------------------------------------------------------------------------------------

    def end_place(self, place: i64, axis: i64, step: i64) -> i64:
        """The first empty place from here on, in steps of 1 or -1."""
        place = place_after(place, axis, step)
        while self.card_at(place) != NO_CARD:
            place = place_after(place, axis, step)
        return place

    def ends_of_line(self, place: i64, axis: i64) -> list[i64]:
        """The empty places at both ends of the line through a card; wrapped around, one place."""
        first, last = self.end_place(place, axis, -1), self.end_place(place, axis, 1)
        return [first] if first == last else [first, last]

    def cards_from(self, place: i64, axis: i64) -> vec[i64]:
        """The cards in a row from a place on."""
        cards = vec[i64]()
        card = self.card_at(place)
        while card != NO_CARD:
            cards = append(cards, card)
            place = place_after(place, axis, 1)
            card = self.card_at(place)
        return cards

    def line(self, place: i64, axis: i64) -> Line:
        """The line of all cards in a row with the one at this place."""
        start = place_after(self.end_place(place, axis, -1), axis, 1)
        return Line(axis, start, self.cards_from(start, axis))

    def branch_on(self, line: Line) -> Branch:
        """The branch that a line is, or becomes by bridging all on it; or one without a law."""
        if not line.needs_law:
            return NO_BRANCH
        size: i64 = len(line.cards)
        along = self.branches_along(line)
        if len(along) == 0:
            return Branch(line.axis, line.start, size, vec[i64](), vec[i64]())
        oldest = along[0]
        found = self.branches[oldest]
        for index in along[1:]:
            if index > oldest:
                found = merge_branches(found, self.branches[index])
            else:
                found, oldest = merge_branches(self.branches[index], found), index
        return found.with_line(line.start, size)

    def branches_along(self, line: Line) -> list[i64]:
        """The numbers of the branches that lie on a line, in the order of the line."""
        size: i64 = len(line.cards)
        keyed: list[i64] = []
        for index in range(len(self.branches)):
            branch = self.branches[index]
            if branch.axis == line.axis:
                offset = steps_between(line.start, branch.start, line.axis)
                if 0 <= offset < size:
                    keyed.append(offset * 256 + index)
        if len(keyed) > 1:
            keyed.sort()
        return [key & 0xFF for key in keyed]

    def put_branch(self, branch: Branch) -> None:
        """Make this the branch on its line, in place of all that lay there."""
        line = self.line(branch.start, branch.axis)
        replaced = self.branches_along(line)
        if len(replaced) == 0:
            self.branches.append(branch)
            return
        replaced.sort(reverse=True)
        self.branches[replaced.pop()] = branch  # the oldest
        for index in replaced:
            del self.branches[index]

    def branch_counts(self, seats: i64) -> list[i64]:
        """By seat, the number of branches with its token on top."""  # R29
        owned: list[i64] = [0] * seats
        for branch in self.branches:
            owned[branch.owner] += 1
        return owned

    def tokens_on_own(self) -> list[i64]:
        """The seats of all tokens in stacks that their own seats own."""
        stacks = self.branches
        return [token for stack in stacks for token in stack.tokens if token == stack.owner]

    def contents(self) -> list[Any]:
        """The tableau as plain numbers."""
        branches = [branch.contents() for branch in self.branches]
        return [list(self.spots), list(self.wilds), branches]


def empty_tableau(language: Language = FIRST_LANGUAGE) -> Tableau:
    """A tableau before the first card."""
    spots, slots = vec[i64]([NO_PLACE] * CARD_COUNT), vec[i64]([NO_CARD] * _SLOT_COUNT)
    return Tableau(spots, slots, [], FRESH_JOKERS, language)


def _first_slot(place: i64) -> i64:
    """The slot at which the index begins to look for a place."""
    return (place * 31 + (place >> 8) * 7) & (_SLOT_COUNT - 1)


def coordinates(place: i64) -> tuple[int, int]:
    """The row and the column of a place; the first card lies in 0 and 0."""
    return int((place >> 8) - 128), int((place & 0xFF) - 128)


def place_at(row: int, column: int) -> i64:
    """The place in a row and a column."""
    return (row + 128) << 8 | (column + 128)


def place_after(place: i64, axis: i64, steps: i64) -> i64:
    """The place that is this many steps further on an axis."""
    if axis == ACROSS:
        return (place & 0xFF00) | ((place + steps) & 0xFF)
    return (place + steps * 256) & 0xFFFF


def steps_between(start: i64, place: i64, axis: i64) -> i64:
    """The number of steps from `start` to a place on an axis; -1 if it is not in that line."""
    if axis == ACROSS and place >> 8 == start >> 8:
        return (place - start) & 0xFF
    if axis == DOWN and place & 0xFF == start & 0xFF:
        return ((place - start) >> 8) & 0xFF
    return NO_PLACE

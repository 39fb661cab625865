"""Placement rules: the places where a card may be laid, and whether the lines of a turn follow
their laws."""

from __future__ import annotations

from librt.vecs import append, vec
from mypy_extensions import i64

from tabularium_engines.duel_of_law.action_numbers import encode_place
from tabularium_engines.duel_of_law.cards import NO_CARD, is_joker
from tabularium_engines.duel_of_law.laws import clause_codes as codes
from tabularium_engines.duel_of_law.laws.card_features import are_legible, seen_values
from tabularium_engines.duel_of_law.laws.cards_allowed_by_law import cards_passing, is_regular
from tabularium_engines.duel_of_law.laws.claimable_clauses import has_claim
from tabularium_engines.duel_of_law.laws.clause_catalogue import is_member
from tabularium_engines.duel_of_law.laws.joker_solver import holds, settle_jokers
from tabularium_engines.duel_of_law.laws.law_language import Language
from tabularium_engines.duel_of_law.laws.value_patterns import (
    can_become_pairs,
    can_become_sequence,
)
from tabularium_engines.duel_of_law.laws.word_parts import can_become_word
from tabularium_engines.duel_of_law.tableau import (
    ACROSS,
    DOWN,
    NO_BRANCH,
    Line,
    Tableau,
    place_after,
)


class Gap:
    """An empty place and the line in which a card there would lie."""

    def __init__(self, tableau: Tableau, place: i64, axis: i64) -> None:
        self.start: i64 = place_after(tableau.end_place(place, axis, -1), axis, 1)
        self.before: vec[i64] = tableau.cards_from(self.start, axis)
        self.after: vec[i64] = tableau.cards_from(place_after(place, axis, 1), axis)
        self._line: vec[i64] = append(self.before[:], NO_CARD)
        for other in self.after:
            self._line = append(self._line, other)
        self.has_joker: bool = not is_regular(self._line)
        self.wilds: vec[i64] = tableau.wilds
        self.language = tableau.language
        self.branch = tableau.branch_on(Line(axis, self.start, self._line))
        self.needs_law: bool = self.branch is not NO_BRANCH
        self._passing_cards: vec[i64] = cards_passing(self.branch.law)
        self._whole_clauses: vec[i64] = vec[i64]()
        if tableau.language.is_narrow:  # R36
            self._whole_clauses = codes.clauses_with(codes.WHOLE_PATTERNS, self.branch.law)
        self._lasting_clauses: vec[i64] = codes.clauses_with(
            codes.LASTING_PATTERNS, self.branch.law
        )

    def line(self, card: i64) -> vec[i64]:
        """The line with a card in the gap."""
        cards = self._line[:]
        cards[len(self.before)] = card
        return cards

    def is_lawful(self, card: i64) -> bool:
        """Whether the line may stay as it is with this card."""
        if not self.needs_law:
            return True
        if not self._passes(card):
            return False
        return may_stay(self.line(card), self.branch.law, self.wilds, self.language)

    def is_hopeful(self, card: i64) -> bool:
        """Whether the line could stay with this card, and perhaps others at its ends."""
        for clause in self._whole_clauses:
            if not can_be_completed(self.line(card), clause, self.wilds):
                return False
        if len(self._lasting_clauses) == 0:
            return True
        return self._passes(card) and holds(self.line(card), self._lasting_clauses, self.wilds)

    def _passes(self, card: i64) -> bool:
        """Whether the clauses on single cards let the card pass: a quick answer for most cards."""
        return is_joker(card) or is_member(card, self._passing_cards)


def can_be_completed(line: vec[i64], clause: i64, wilds: vec[i64]) -> bool:
    """Whether cards at the ends of a line could make it follow a clause on whole lines; jokers are
    open."""
    pattern = codes.pattern_in(clause)
    if pattern == codes.WORD:
        return can_become_word(line, codes.direction_in(clause), wilds)
    if not are_legible(line, clause):  # R20
        return False
    if pattern == codes.FOLLOWS:
        return can_become_sequence(clause, seen_values(line, clause))
    return pattern == codes.PALINDROME or can_become_pairs(seen_values(line, clause))


def may_stay(cards: vec[i64], law: vec[i64], wilds: vec[i64], language: Language) -> bool:
    """Whether a line of three or more follows its law, or could be given one."""
    return holds(cards, law, wilds) if len(law) > 0 else has_claim(cards, wilds, language)


def first_place_actions(tableau: Tableau, hand: list[i64]) -> list[i64]:
    """Every way to lay a turn's first card: it may lie along either axis."""
    found: list[i64] = []
    for place in tableau.border_places():
        across, down = Gap(tableau, place, ACROSS), Gap(tableau, place, DOWN)
        is_free = not (across.needs_law or down.needs_law)
        for card in hand:
            if is_free or _is_lawful_in_gaps(across, down, card):
                found.append(encode_place(card, place))
    return found


def _is_lawful_in_gaps(across: Gap, down: Gap, card: i64) -> bool:
    """Whether one line is lawful with the card, and the other could still become so."""
    if across.is_lawful(card) and down.is_hopeful(card):
        return True
    return down.is_lawful(card) and across.is_hopeful(card)


def next_place_actions(tableau: Tableau, laid: vec[i64], hand: list[i64]) -> list[i64]:
    """Every way to go on: at the ends of the line that the cards laid so far make, if the lines
    across are in order."""
    found: list[i64] = []
    start = tableau.spots[laid[0]]
    for axis in axes_of(tableau, laid):
        if len(laid) == 1 and not is_lawful_line(tableau, tableau.line(start, 1 - axis)):
            continue
        for place in tableau.ends_of_line(start, axis):
            along, across = Gap(tableau, place, axis), Gap(tableau, place, 1 - axis)
            for card in hand:
                if across.is_lawful(card) and along.is_hopeful(card):
                    found.append(encode_place(card, place))
    found.sort()
    return found


def can_begin(tableau: Tableau, card: i64, place: i64) -> bool:
    """Whether this may be a turn's first placement."""
    if tableau.card_at(place) != NO_CARD or not tableau.is_beside(place):
        return False
    return _is_lawful_in_gaps(Gap(tableau, place, ACROSS), Gap(tableau, place, DOWN), card)


def axis_of(tableau: Tableau, laid: vec[i64]) -> i64:
    """The axis along which the cards of a turn lie; of one card alone, the first of both."""
    if len(laid) < 2 or tableau.spots[laid[0]] >> 8 == tableau.spots[laid[1]] >> 8:
        return ACROSS
    return DOWN


def axes_of(tableau: Tableau, laid: vec[i64]) -> list[i64]:
    """The axes along which the cards of a turn lie: of one card alone, both."""
    return [ACROSS, DOWN] if len(laid) < 2 else [axis_of(tableau, laid)]


def ends_of_turn(tableau: Tableau, laid: vec[i64]) -> list[i64]:
    """The empty places at the ends of the lines that a turn may make."""
    found: list[i64] = []
    for axis in axes_of(tableau, laid):
        found += tableau.ends_of_line(tableau.spots[laid[0]], axis)
    return found


def lines_of_turn(tableau: Tableau, laid: vec[i64]) -> list[Line]:
    """The lines of three or more with a card just laid: the one along, then those across."""  # R6
    along = axis_of(tableau, laid)
    lines = [tableau.line(tableau.spots[laid[0]], along)]
    lines += [tableau.line(tableau.spots[card], 1 - along) for card in laid]
    return [line for line in lines if line.needs_law]


def is_lawful_line(tableau: Tableau, line: Line) -> bool:
    """Whether a line follows its law, or could be given one."""
    law = tableau.branch_on(line).law
    return not line.needs_law or may_stay(line.cards, law, tableau.wilds, tableau.language)


class TouchedLines:
    """The lines of a turn, and the branches that they are or become."""

    def __init__(self, tableau: Tableau, laid: vec[i64]) -> None:
        self.wilds: vec[i64] = tableau.wilds
        self.language = tableau.language
        self.lines: list[Line] = lines_of_turn(tableau, laid)
        self.branches = [tableau.branch_on(line) for line in self.lines]

    def is_lawful(self) -> bool:
        """Whether the cards may stay where they are."""
        wilds = self.wilds
        for index in range(len(self.lines)):
            law = self.branches[index].law
            if len(law) > 0:
                if not holds(self.lines[index].cards, law, wilds):
                    return False
                wilds = settle_jokers(self.lines[index].cards, law, wilds)
        for index in range(len(self.lines)):
            is_new = self.branches[index].level == 0
            if is_new and not has_claim(self.lines[index].cards, wilds, self.language):
                return False
        return True


def is_lawful(tableau: Tableau, laid: vec[i64]) -> bool:
    """Whether the cards of a turn may stay where they are."""
    return TouchedLines(tableau, laid).is_lawful()


def jokers_of_turn(tableau: Tableau, laid: vec[i64]) -> list[i64]:
    """The jokers in the lines of a turn, and those just laid; ascending."""  # R26
    found = [card for card in laid if is_joker(card)]
    for line in lines_of_turn(tableau, laid):
        found += [card for card in line.cards if is_joker(card) and card not in found]
    found.sort()
    return found

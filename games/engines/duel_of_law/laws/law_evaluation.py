"""The evaluation of laws: whether a law holds on a line of cards, and the values that it leaves to
jokers."""

from __future__ import annotations

from librt.vecs import vec
from mypy_extensions import i64

from games.engines.common.bits import bit, has
from games.engines.duel_of_law.cards import REGULAR_COUNT
from games.engines.duel_of_law.laws.card_features import PRINT_COUNT, print_of
from games.engines.duel_of_law.laws.cards_allowed_by_law import is_regular
from games.engines.duel_of_law.laws.clauses_on_line import holds_without_jokers
from games.engines.duel_of_law.laws.joker_solver import JokerSolver
from games.engines.duel_of_law.laws.joker_values import pin_value, restrict_joker


def prints_of(law: vec[i64]) -> i64:
    """The set of prints that a law examines."""
    found: i64 = 0
    for clause in law:
        found |= bit(print_of(clause))
    return found


def holds(line: vec[i64], law: vec[i64], wilds: vec[i64]) -> bool:
    """Whether every clause holds, if need be with suitable values of jokers."""
    if is_regular(line):
        return holds_without_jokers(line, law)
    prints = prints_of(law)
    for which in range(PRINT_COUNT):
        if has(prints, which) and not holds_on_print(which, line, law, wilds):
            return False
    return True


def holds_on_print(which: i64, line: vec[i64], law: vec[i64], wilds: vec[i64]) -> bool:
    """Whether the clauses that examine one print hold."""
    reading = JokerSolver(line, which, wilds)
    reading.add_clauses(law)
    return reading.solve()


def settle_jokers(line: vec[i64], law: vec[i64], wilds: vec[i64]) -> vec[i64]:
    """The jokers after a law that holds: with the values left, or with the lowest that keep it."""
    if is_regular(line):
        return wilds
    prints = prints_of(law)
    for which in range(PRINT_COUNT):
        if has(prints, which):
            wilds = _settle_print(which, line, law, wilds)
    return wilds


def _settle_print(which: i64, line: vec[i64], law: vec[i64], wilds: vec[i64]) -> vec[i64]:
    reading = JokerSolver(line, which, wilds)
    reading.add_clauses(law)
    if not reading.has_only_is_clauses() and not reading.solve():
        return wilds
    for place in range(len(line)):
        card = line[place]
        if card >= REGULAR_COUNT:
            if reading.has_only_is_clauses():
                wilds = restrict_joker(wilds, card, which, law)
            else:
                wilds = pin_value(wilds, card, which, reading.values[place])
    return wilds

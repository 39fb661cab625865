"""Does a law hold on a line of cards, and what does it make of the jokers there?"""

from __future__ import annotations

from librt.vecs import vec
from mypy_extensions import i64

from games.engines.common.bits import bit, has
from games.engines.duel_of_law.cards import REGULAR
from games.engines.duel_of_law.language.catalogue import ALLOWED_HIGH, ALLOWED_LOW, key_of
from games.engines.duel_of_law.language.extent import is_regular
from games.engines.duel_of_law.language.features import PRINT_OF, PRINTS
from games.engines.duel_of_law.language.names import feature_in
from games.engines.duel_of_law.language.reading import Reading
from games.engines.duel_of_law.language.scanning import holds_plainly
from games.engines.duel_of_law.language.wilds import pinned, slot_of


def prints_of(law: vec[i64]) -> i64:
    """The set of prints that a law looks at."""
    found: i64 = 0
    for clause in law:
        found |= bit(PRINT_OF[feature_in(clause)])
    return found


def holds(line: vec[i64], law: vec[i64], wilds: vec[i64]) -> bool:
    """Is every clause kept, if need be by jokers that can be what they must?"""
    if is_regular(line):
        return holds_plainly(line, law)
    prints = prints_of(law)
    for which in range(PRINTS):
        if has(prints, which) and not holds_on(which, line, law, wilds):
            return False
    return True


def holds_on(which: i64, line: vec[i64], law: vec[i64], wilds: vec[i64]) -> bool:
    """Are the clauses kept that look at one print?"""
    reading = Reading(line, which, wilds)
    reading.demand(law)
    return reading.is_kept()


def settled(line: vec[i64], law: vec[i64], wilds: vec[i64]) -> vec[i64]:
    """The jokers after a law that holds: the values that are left, or the lowest way to keep it."""
    if is_regular(line):
        return wilds
    prints = prints_of(law)
    for which in range(PRINTS):
        if has(prints, which):
            wilds = _settled_on(which, line, law, wilds)
    return wilds


def _settled_on(which: i64, line: vec[i64], law: vec[i64], wilds: vec[i64]) -> vec[i64]:
    reading = Reading(line, which, wilds)
    reading.demand(law)
    if not reading.leaves_open() and not reading.is_kept():
        return wilds
    for place in range(len(line)):
        card = line[place]
        if card >= REGULAR:
            if reading.leaves_open():
                wilds = _shrunk(wilds, card, which, law)
            else:
                wilds = pinned(wilds, card, which, reading.row[place])
    return wilds


def _shrunk(wilds: vec[i64], card: i64, which: i64, law: vec[i64]) -> vec[i64]:
    """Only values that every clause allows are left to a joker."""
    after = wilds[:]
    slot = slot_of(card, which)
    for clause in law:
        if PRINT_OF[feature_in(clause)] == which:
            after[slot] = after[slot] & ALLOWED_LOW[key_of(clause)]
            after[slot + 1] = after[slot + 1] & ALLOWED_HIGH[key_of(clause)]
    return after

"""How does one feature go along a line of cards without jokers? Whatever breaks a pattern is mostly
found among the first cards, and then no more are looked at."""

from __future__ import annotations

from typing import Final

from librt.vecs import vec
from mypy_extensions import i64

from games.engines.duel_of_law.cards import CARDS
from games.engines.duel_of_law.language import names
from games.engines.duel_of_law.language.extent import FACES
from games.engines.duel_of_law.language.features import CIRCLE, LOOKS, PRINT_OF, PRINTED, SPAN
from games.engines.duel_of_law.language.names import clause_of
from games.engines.duel_of_law.language.sequences import member
from games.engines.duel_of_law.lexicon import DEAD, lexicon

# Ways in which a line goes on.
_RISES: Final[i64] = 1
_RISES_BACKWARD: Final[i64] = 2
_FALLS: Final[i64] = 4
_FALLS_BACKWARD: Final[i64] = 8


# -- what returns ---------------------------------------------------------------------------------


def alternates(line: vec[i64], feature: i64) -> bool:
    """Are there two different looks in turn?"""
    row = PRINT_OF[feature] * CARDS
    one, other = PRINTED[row + line[0]], PRINTED[row + line[1]]
    if one < 0 or other < 0:
        return False
    one, other = LOOKS[feature * SPAN + one], LOOKS[feature * SPAN + other]
    if one == other:
        return False
    for place in range(2, len(line)):
        value = PRINTED[row + line[place]]
        if value < 0 or LOOKS[feature * SPAN + value] != (other if place & 1 == 1 else one):
            return False
    return True


def has_turns(line: vec[i64], feature: i64) -> bool:
    """Are there even and odd numbers in turn?"""
    first = number_on(line[0], feature) & 1
    for place in range(len(line)):
        value = number_on(line[place], feature)
        if value < 0 or (value + place) & 1 != first:
            return False
    return True


def is_mirrored(line: vec[i64], feature: i64) -> bool:
    """Are the looks the same from both ends?"""
    row = PRINT_OF[feature] * CARDS
    size: i64 = len(line)
    for place in range((size + 1) // 2):
        one, other = PRINTED[row + line[place]], PRINTED[row + line[size - 1 - place]]
        if one < 0 or other < 0 or LOOKS[feature * SPAN + one] != LOOKS[feature * SPAN + other]:
            return False
    return True


# -- what goes on ---------------------------------------------------------------------------------


def number_on(card: i64, feature: i64) -> i64:
    """What a card has to count with; -1: nothing."""
    value = PRINTED[PRINT_OF[feature] * CARDS + card]
    if feature == names.RANK and value >= FACES:
        return -1
    return value


def is_counted(line: vec[i64], feature: i64) -> bool:
    """Has each card something to count with?"""
    for card in line:
        if number_on(card, feature) < 0:
            return False
    return True


def directions(line: vec[i64], feature: i64, ends: i64) -> i64:
    """The set of ways in which the line goes on: 0 if it rises, 1 if it does so backward, 2 and 3
    if it falls. At the ends of what the cards may say it begins anew."""
    kept = _RISES | _RISES_BACKWARD | _FALLS | _FALLS_BACKWARD
    one = number_on(line[0], feature)
    for place in range(1, len(line)):
        two = number_on(line[place], feature)
        if one == two or one < 0 or two < 0:
            return 0
        kept &= _ways(one, two, ends & 0xFF, ends >> 8)
        if kept == 0:
            return 0
        one = two
    return kept


def _ways(one: i64, two: i64, least: i64, most: i64) -> i64:
    """In which of them does one value stand before another?"""
    if one < two:
        found = _RISES | _FALLS_BACKWARD
        if two >= most:
            found |= _RISES_BACKWARD
        if one <= least:
            found |= _FALLS
        return found
    found = _FALLS | _RISES_BACKWARD
    if one >= most:
        found |= _RISES
    if two <= least:
        found |= _FALLS_BACKWARD
    return found


def step_of(line: vec[i64], feature: i64) -> i64:
    """By how much each card is more than the one before; 0: not by the same, or by nothing."""
    circle = CIRCLE[feature]
    if circle == 0:
        return 0
    before = number_on(line[0], feature)
    found: i64 = 0
    for place in range(1, len(line)):
        value = number_on(line[place], feature)
        step = (value - before + circle) % circle
        if value < 0 or before < 0 or step == 0 or (place > 1 and step != found):
            return 0
        found = step
        before = value
    return found


def stepping(feature: i64, step: i64) -> i64:
    """The clause that says so; one that steps by 0 is in no law."""
    circle = CIRCLE[feature]
    if 2 * step <= circle:
        return clause_of(feature, names.RISES_BY, step, 0)
    return clause_of(feature, names.FALLS_BY, circle - step, 0)


def start_of(line: vec[i64], feature: i64, direction: i64) -> i64:
    """The clause that says with what the line starts."""
    letters = names.FIRST_LETTER if feature == names.LETTER else 0
    card = line[0 if direction == 0 else len(line) - 1]
    return clause_of(feature, names.STARTS, number_on(card, feature) + letters, direction)


# -- words and sequences --------------------------------------------------------------------------


def spells(line: vec[i64], direction: i64) -> bool:
    """Do the letters, read in this direction, make a word?"""
    words = lexicon()
    node = words.roots[direction]
    for card in line:
        node = words.step(node, number_on(card, names.LETTER))
        if node == DEAD:
            return False
    return words.is_word(node)


def follows(line: vec[i64], feature: i64, sequence: i64, direction: i64) -> bool:
    """Are these the members of a sequence, read in this direction?"""
    last: i64 = len(line) - 1
    for place in range(last + 1):
        card = line[last - place if direction == 1 else place]
        if number_on(card, feature) != member(sequence, feature, place):
            return False
    return True

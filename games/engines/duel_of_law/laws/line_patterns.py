"""Detection of patterns on a line of cards without jokers: whether a feature alternates, mirrors,
rises, falls, steps, spells a word or follows a sequence along it. A broken pattern mostly shows
among the first cards, and then no more are examined."""

from __future__ import annotations

from typing import Final

from librt.vecs import vec
from mypy_extensions import i64

from games.engines.duel_of_law.cards import CARD_COUNT
from games.engines.duel_of_law.english_words import NO_NODE, load_lexicon
from games.engines.duel_of_law.laws import clause_codes
from games.engines.duel_of_law.laws.card_features import (
    CIRCLE_SIZE,
    FEATURE_VALUES,
    PRINT_OF,
    PRINTED_VALUES,
    VALUE_SPAN,
)
from games.engines.duel_of_law.laws.clause_codes import encode_clause
from games.engines.duel_of_law.laws.law_extent import FIRST_FACE_RANK
from games.engines.duel_of_law.laws.number_sets import sequence_member

# Ways in which a line goes on, as bits.
_RISES: Final[i64] = 1
_RISES_BACKWARD: Final[i64] = 2
_FALLS: Final[i64] = 4
_FALLS_BACKWARD: Final[i64] = 8


# -- patterns that return -------------------------------------------------------------------------


def is_alternating(line: vec[i64], feature: i64) -> bool:
    """Whether two different values alternate."""
    row = PRINT_OF[feature] * CARD_COUNT
    one, other = PRINTED_VALUES[row + line[0]], PRINTED_VALUES[row + line[1]]
    if one < 0 or other < 0:
        return False
    one, other = (
        FEATURE_VALUES[feature * VALUE_SPAN + one],
        FEATURE_VALUES[feature * VALUE_SPAN + other],
    )
    if one == other:
        return False
    for place in range(2, len(line)):
        value = PRINTED_VALUES[row + line[place]]
        if value < 0 or FEATURE_VALUES[feature * VALUE_SPAN + value] != (
            other if place & 1 == 1 else one
        ):
            return False
    return True


def has_alternating_parity(line: vec[i64], feature: i64) -> bool:
    """Whether even and odd numbers alternate."""
    first = number_on_card(line[0], feature) & 1
    for place in range(len(line)):
        value = number_on_card(line[place], feature)
        if value < 0 or (value + place) & 1 != first:
            return False
    return True


def is_mirrored(line: vec[i64], feature: i64) -> bool:
    """Whether the values are the same from both ends."""
    row = PRINT_OF[feature] * CARD_COUNT
    size: i64 = len(line)
    for place in range((size + 1) // 2):
        one, other = PRINTED_VALUES[row + line[place]], PRINTED_VALUES[row + line[size - 1 - place]]
        if (
            one < 0
            or other < 0
            or FEATURE_VALUES[feature * VALUE_SPAN + one]
            != FEATURE_VALUES[feature * VALUE_SPAN + other]
        ):
            return False
    return True


# -- patterns that go on --------------------------------------------------------------------------


def number_on_card(card: i64, feature: i64) -> i64:
    """The number that a card counts as; -1 if there is none."""
    value = PRINTED_VALUES[PRINT_OF[feature] * CARD_COUNT + card]
    if feature == clause_codes.RANK and value >= FIRST_FACE_RANK:
        return -1
    return value


def has_numbers(line: vec[i64], feature: i64) -> bool:
    """Whether each card counts as a number."""
    for card in line:
        if number_on_card(card, feature) < 0:
            return False
    return True


def monotone_directions(line: vec[i64], feature: i64, ends: i64) -> i64:
    """The set of ways in which the line goes on: bit 0 if it rises, bit 1 if it does so backward,
    bits 2 and 3 if it falls. At the ends of the range of values it may begin again."""
    kept = _RISES | _RISES_BACKWARD | _FALLS | _FALLS_BACKWARD
    one = number_on_card(line[0], feature)
    for place in range(1, len(line)):
        two = number_on_card(line[place], feature)
        if one == two or one < 0 or two < 0:
            return 0
        kept &= _directions_between(one, two, ends & 0xFF, ends >> 8)
        if kept == 0:
            return 0
        one = two
    return kept


def _directions_between(one: i64, two: i64, least: i64, most: i64) -> i64:
    """The ways in which one value may stand before another."""
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


def constant_step(line: vec[i64], feature: i64) -> i64:
    """The constant increase from card to card; 0 if there is none."""
    circle = CIRCLE_SIZE[feature]
    if circle == 0:
        return 0
    before = number_on_card(line[0], feature)
    found: i64 = 0
    for place in range(1, len(line)):
        value = number_on_card(line[place], feature)
        step = (value - before + circle) % circle
        if value < 0 or before < 0 or step == 0 or (place > 1 and step != found):
            return 0
        found = step
        before = value
    return found


def step_clause(feature: i64, step: i64) -> i64:
    """The clause for a constant step; a step of 0 is in no law."""
    circle = CIRCLE_SIZE[feature]
    if 2 * step <= circle:
        return encode_clause(feature, clause_codes.RISES_BY, step, 0)
    return encode_clause(feature, clause_codes.FALLS_BY, circle - step, 0)


def start_clause(line: vec[i64], feature: i64, direction: i64) -> i64:
    """The clause that states the first value of the line."""
    letters = clause_codes.FIRST_LETTER if feature == clause_codes.LETTER else 0
    card = line[0 if direction == 0 else len(line) - 1]
    return encode_clause(
        feature, clause_codes.STARTS, number_on_card(card, feature) + letters, direction
    )


# -- words and sequences --------------------------------------------------------------------------


def is_english_word(line: vec[i64], direction: i64) -> bool:
    """Whether the letters, read in this direction, make a word."""
    words = load_lexicon()
    node = words.roots[direction]
    for card in line:
        node = words.step(node, number_on_card(card, clause_codes.LETTER))
        if node == NO_NODE:
            return False
    return words.is_word(node)


def is_sequence(line: vec[i64], feature: i64, sequence: i64, direction: i64) -> bool:
    """Whether these are the members of a sequence, read in this direction."""
    last: i64 = len(line) - 1
    for place in range(last + 1):
        card = line[last - place if direction == 1 else place]
        if number_on_card(card, feature) != sequence_member(sequence, feature, place):
            return False
    return True

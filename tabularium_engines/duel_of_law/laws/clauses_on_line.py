"""The clauses that hold on a line of cards without jokers: whether a feature alternates, mirrors,
rises, falls, steps, spells a word or follows a sequence along it. A broken pattern mostly shows
among the first cards, and then no more are examined. `JokerSolver` checks the same for one clause
at a time, and handles jokers."""

from __future__ import annotations

from typing import Final

from librt.vecs import vec
from mypy_extensions import i64

from tabularium_engines.common.bits import bit, first_n, has, members
from tabularium_engines.duel_of_law.cards import CARD_COUNT, REGULAR_COUNT
from tabularium_engines.duel_of_law.laws import card_features as features
from tabularium_engines.duel_of_law.laws import cards_allowed_by_law as allowed
from tabularium_engines.duel_of_law.laws import clause_codes as codes
from tabularium_engines.duel_of_law.laws.clause_catalogue import (
    SINGLE_CARD_CLAUSES,
    WORDS_PER_CLAUSE_SET,
    set_members,
    word_mask,
)
from tabularium_engines.duel_of_law.laws.law_language import Language
from tabularium_engines.duel_of_law.laws.number_sets import (
    HIGHEST_START,
    PROPERTIES,
    SEQUENCE_LENGTH,
    place_of_property,
    sequence_member,
)
from tabularium_engines.duel_of_law.laws.value_patterns import can_show, keeps_pattern
from tabularium_engines.duel_of_law.spelling_lexicon import NO_NODE, load_lexicon

# Ways in which a line goes on, as bits.
_RISES: Final[i64] = 1
_RISES_BACKWARD: Final[i64] = 2
_FALLS: Final[i64] = 4
_FALLS_BACKWARD: Final[i64] = 8

_EMPTY_LAW: Final[vec[i64]] = vec[i64]()


def _clause_sets_by_card() -> list[i64]:
    found: list[i64] = []
    for card in range(REGULAR_COUNT):
        alone = allowed.card_set(vec[i64]([card]))
        clauses = enumerate(SINGLE_CARD_CLAUSES)
        passed = [at for at, clause in clauses if allowed.is_passed_by_all(clause, alone)]
        found += [word_mask(passed, 60 * word) for word in range(WORDS_PER_CLAUSE_SET)]
    return found


# By card, the set of the clauses on single cards that it passes, as words.
PASSED_CLAUSES: Final[vec[i64]] = vec[i64](_clause_sets_by_card())


# -- clauses on single cards ----------------------------------------------------------------------


def common_clauses(line: vec[i64], language: Language) -> vec[i64]:
    """The set of single-card clauses that all regular cards of a line pass, gaps aside."""
    found = language.single_card_words[:]
    for card in line:
        if 0 <= card < REGULAR_COUNT:
            row = card * WORDS_PER_CLAUSE_SET
            for word in range(WORDS_PER_CLAUSE_SET):
                found[word] = found[word] & PASSED_CLAUSES[row + word]
    return found


def single_card_clauses(line: vec[i64], language: Language) -> list[i64]:
    """The clauses that all regular cards of a line pass one by one."""
    return [SINGLE_CARD_CLAUSES[number] for number in set_members(common_clauses(line, language))]


def has_single_card_clause(line: vec[i64], language: Language) -> bool:
    """Whether there is any such clause for a line of regular cards."""
    for word in range(WORDS_PER_CLAUSE_SET):
        shared = language.single_card_words[word]
        for card in line:
            shared &= PASSED_CLAUSES[card * WORDS_PER_CLAUSE_SET + word]
        if shared != 0:
            return True
    return False


# -- patterns that return -------------------------------------------------------------------------


def is_alternating(line: vec[i64], feature: i64) -> bool:
    """Whether two different values alternate."""
    row = feature * CARD_COUNT
    one = features.VALUES_ON_CARD[row + line[0]]
    other = features.VALUES_ON_CARD[row + line[1]]
    if one < 0 or other < 0 or one == other:
        return False
    for place in range(2, len(line)):
        expected = other if place & 1 == 1 else one
        if features.VALUES_ON_CARD[row + line[place]] != expected:
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


def alternating_properties(line: vec[i64], feature: i64) -> i64:
    """The set of the properties that every other number has."""
    kept = features.property_set(line[0], feature)
    before = kept
    if kept < 0:
        return 0
    kept = first_n(len(PROPERTIES))
    for place in range(1, len(line)):
        properties = features.property_set(line[place], feature)
        if properties < 0:
            return 0
        kept &= before ^ properties
        before = properties
    return kept


def is_mirrored(line: vec[i64], feature: i64) -> bool:
    """Whether the values are the same from both ends."""
    row = feature * CARD_COUNT
    size: i64 = len(line)
    for place in range((size + 1) // 2):
        value = features.VALUES_ON_CARD[row + line[place]]
        if value < 0 or value != features.VALUES_ON_CARD[row + line[size - 1 - place]]:
            return False
    return True


# -- patterns that go on --------------------------------------------------------------------------


def number_on_card(card: i64, feature: i64) -> i64:
    """The number that a card counts as; -1 if there is none."""
    return features.NUMBERS_ON_CARD[feature * CARD_COUNT + card]


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
    circle = features.CIRCLE_SIZE[feature]
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
    circle = features.CIRCLE_SIZE[feature]
    if 2 * step <= circle:
        return codes.encode_clause(feature, codes.RISES_BY, step)
    return codes.encode_clause(feature, codes.FALLS_BY, circle - step)


def start_clause(line: vec[i64], feature: i64, direction: i64) -> i64:
    """The clause that states the first value of the line."""
    first = number_on_card(line[(len(line) - 1) * direction], feature)
    letters = codes.FIRST_LETTER if feature == codes.LETTER else 0
    return codes.encode_clause(feature, codes.STARTS, first + letters, direction)


# -- words and sequences --------------------------------------------------------------------------


def is_english_word(line: vec[i64], direction: i64) -> bool:
    """Whether the letters, read in this direction, make a word."""
    words = load_lexicon()
    node = words.roots[direction]
    for card in line:
        node = words.step(node, number_on_card(card, codes.LETTER))
        if node == NO_NODE:
            return False
    return words.is_word(node)


def is_sequence(line: vec[i64], feature: i64, sequence: i64, direction: i64) -> bool:
    """Whether these are the members of a sequence, read in this direction."""
    last: i64 = len(line) - 1
    if last >= SEQUENCE_LENGTH:  # a line that is only imagined
        return False
    for place in range(last + 1):
        card = line[last - place if direction == 1 else place]
        if number_on_card(card, feature) != sequence_member(sequence, feature, place):
            return False
    return True


# -- patterns on values ---------------------------------------------------------------------------


def keeps_value_pattern(line: vec[i64], clause: i64) -> bool:
    """Whether one of the patterns on values holds."""
    feature = codes.feature_in(clause)
    size: i64 = len(line)
    if not can_show(clause, size) or (codes.counts(clause) and not has_numbers(line, feature)):
        return False
    values = _printed_values(line, feature)
    for place in range(size):
        if not keeps_pattern(clause, values, place, size):
            return False
    return True


def _printed_values(line: vec[i64], feature: i64) -> vec[i64]:
    row = features.PRINT_OF[feature] * CARD_COUNT
    values = line[:]
    for place in range(len(line)):
        values[place] = features.PRINTED_VALUES[row + line[place]]
    return values


def _add_value_patterns(line: vec[i64], feature: i64, language: Language, found: list[i64]) -> None:
    """Add the patterns on values that hold, and the alternation of properties."""
    properties = alternating_properties(line, feature) if features.IS_NUMERIC[feature] == 1 else 0
    for place in members(properties & language.alternating_properties[feature]):
        found.append(codes.encode_clause(feature, codes.ALTERNATES, PROPERTIES[place]))
    for clause in language.value_patterns[feature]:
        if fits_first_cards(line, clause) and keeps_value_pattern(line, clause):
            found.append(clause)


def fits_first_cards(line: vec[i64], clause: i64) -> bool:
    """Whether the first cards of a line do not break a clause that names a sum or a period: a quick
    answer for most of these."""
    row = features.PRINT_OF[codes.feature_in(clause)] * CARD_COUNT
    first = features.PRINTED_VALUES[row + line[0]]
    value, size = codes.value_in(clause), i64(len(line))
    if codes.pattern_in(clause) == codes.ADDS_TO:
        return first + features.PRINTED_VALUES[row + line[1]] == value
    if codes.pattern_in(clause) == codes.CYCLES:
        return size > value and features.PRINTED_VALUES[row + line[value]] == first
    return True


# -- clauses on several cards ----------------------------------------------------------------------


def multi_card_clauses(line: vec[i64], law: vec[i64], language: Language) -> list[i64]:
    """The clauses that examine several cards and hold on regular ones in addition to a law."""
    found: list[i64] = []
    for feature in range(codes.FEATURE_COUNT):
        _add_multi_card_clauses(line, feature, law, language, found)
    return found


def has_multi_card_clause(line: vec[i64], language: Language) -> bool:
    """Whether a clause that examines several cards holds."""
    found: list[i64] = []
    for feature in range(codes.FEATURE_COUNT):
        _add_multi_card_clauses(line, feature, _EMPTY_LAW, language, found)
        if len(found) > 0:
            return True
    return False


def holds_without_jokers(line: vec[i64], law: vec[i64]) -> bool:
    """Whether a law holds on a line of regular cards."""
    cards = _EMPTY_LAW
    for clause in law:
        if codes.pattern_in(clause) == codes.IS:
            if len(cards) == 0:
                cards = allowed.card_set(line)
            if not allowed.is_passed_by_all(clause, cards):
                return False
    for clause in law:
        if codes.pattern_in(clause) != codes.IS and not holds_several(line, clause, law):
            return False
    return True


def holds_several(line: vec[i64], clause: i64, law: vec[i64]) -> bool:
    """Whether a clause that examines several cards holds in addition to a law."""
    if codes.pattern_in(clause) >= codes.NEVER_FALLS:
        return keeps_value_pattern(line, clause)
    return holds_clause(line, clause, law)


def holds_clause(line: vec[i64], clause: i64, law: vec[i64]) -> bool:
    """Whether such a clause holds that is in both versions."""
    feature, direction = codes.feature_in(clause), codes.direction_in(clause)
    pattern = codes.pattern_in(clause)
    if pattern == codes.PALINDROME:
        return is_mirrored(line, feature)
    if pattern == codes.ALTERNATES:
        return _holds_in_turn(line, feature, codes.value_in(clause))
    if pattern == codes.WORD:
        return is_english_word(line, direction)
    if pattern == codes.FOLLOWS:
        return is_sequence(line, feature, codes.value_in(clause), direction)
    if pattern == codes.STARTS:
        return has_numbers(line, feature) and clause == start_clause(line, feature, direction)
    if bit(pattern) & codes.MONOTONE_PATTERNS != 0:
        found = monotone_directions(line, feature, allowed.value_range(law, feature))
        return (found >> ((0 if pattern == codes.RISES else 2) + direction)) & 1 == 1
    return clause == step_clause(feature, constant_step(line, feature))


def _holds_in_turn(line: vec[i64], feature: i64, value: i64) -> bool:
    """Whether two values alternate, or even and odd, or those with a property and others."""
    if value == codes.NO_VALUE:
        return is_alternating(line, feature)
    if value == codes.PARITY:
        return has_alternating_parity(line, feature)
    return has(alternating_properties(line, feature), place_of_property(value))


def _add_multi_card_clauses(
    line: vec[i64], feature: i64, law: vec[i64], language: Language, found: list[i64]
) -> None:
    """Add the clauses on one feature. The first few cards break most of them."""
    if feature != codes.SUIT:  # its colour expresses it
        if is_alternating(line, feature):
            found.append(codes.encode_clause(feature, codes.ALTERNATES))
        if has(language.mirrored_features, feature) and is_mirrored(line, feature):
            found.append(codes.encode_clause(feature, codes.PALINDROME))
    if features.IS_NUMERIC[feature] == 1 and has_alternating_parity(line, feature):
        found.append(codes.encode_clause(feature, codes.ALTERNATES, codes.PARITY))
    if language.is_narrow:
        _add_value_patterns(line, feature, language, found)
    if features.IS_ORDERED[feature] == 1 and has_numbers(line, feature):
        _add_monotone_clauses(line, feature, law, language, found)
        _add_directed_clauses(line, feature, law, found)


def _add_monotone_clauses(
    line: vec[i64], feature: i64, law: vec[i64], language: Language, found: list[i64]
) -> None:
    kept = monotone_directions(line, feature, allowed.value_range(law, feature))
    kept &= language.monotone_ways
    for which in range(4):
        if (kept >> which) & 1 == 1:
            pattern = codes.RISES if which < 2 else codes.FALLS
            found.append(codes.encode_clause(feature, pattern, codes.NO_VALUE, which & 1))
    step = constant_step(line, feature)
    if step != 0:
        found.append(step_clause(feature, step))


def _add_directed_clauses(line: vec[i64], feature: i64, law: vec[i64], found: list[i64]) -> None:
    last: i64 = len(line) - 1
    for direction in range(2):
        first = number_on_card(line[last * direction], feature)
        if len(law) > 0:
            found.append(start_clause(line, feature, direction))
        if feature == codes.LETTER and is_english_word(line, direction):
            found.append(codes.encode_clause(feature, codes.WORD, codes.NO_VALUE, direction))
        elif first <= HIGHEST_START and (feature == codes.RANK or feature == codes.NUMBER):
            for sequence in range(codes.FIRST_SEQUENCE, codes.NO_VALUE):
                if is_sequence(line, feature, sequence, direction):
                    found.append(codes.encode_clause(feature, codes.FOLLOWS, sequence, direction))

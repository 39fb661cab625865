"""The clauses that hold on a line of cards without jokers, built from the patterns that
`line_patterns` finds. `JokerSolver` checks the same for one clause at a time, and handles
jokers."""

from __future__ import annotations

from typing import Final

from librt.vecs import vec
from mypy_extensions import i64

from games.engines.common.bits import bit, lowest
from games.engines.duel_of_law.cards import REGULAR_COUNT
from games.engines.duel_of_law.laws import clause_codes
from games.engines.duel_of_law.laws.card_features import IS_NUMERIC, IS_ORDERED
from games.engines.duel_of_law.laws.clause_catalogue import (
    ALLOWED_CARDS_HIGH,
    ALLOWED_CARDS_LOW,
    ALLOWED_CARDS_MIDDLE,
    BITS_PER_WORD,
    CATALOGUE,
    mask_index,
)
from games.engines.duel_of_law.laws.clause_codes import (
    MONOTONE_PATTERNS,
    NO_VALUE,
    direction_in,
    encode_clause,
    feature_in,
    pattern_in,
    value_in,
)
from games.engines.duel_of_law.laws.law_extent import value_range
from games.engines.duel_of_law.laws.line_patterns import (
    constant_step,
    has_alternating_parity,
    has_numbers,
    is_alternating,
    is_english_word,
    is_mirrored,
    is_sequence,
    monotone_directions,
    start_clause,
    step_clause,
)

# The clauses that examine one card, and by card the set of those that it passes, as words.
SINGLE_CARD_CLAUSES: Final[vec[i64]] = vec[i64](
    [clause for clause in CATALOGUE if pattern_in(clause) == clause_codes.IS]
)
WORDS_PER_CLAUSE_SET: Final[i64] = 5
_EMPTY_LAW: Final[vec[i64]] = vec[i64]()


def _passes_clause(clause: i64, card: i64) -> bool:
    table = (
        ALLOWED_CARDS_LOW
        if card < 60
        else ALLOWED_CARDS_MIDDLE
        if card < 120
        else ALLOWED_CARDS_HIGH
    )
    return (table[mask_index(clause)] >> card % BITS_PER_WORD) & 1 == 1


def _clause_sets_by_card() -> list[i64]:
    found: list[i64] = []
    for card in range(REGULAR_COUNT):
        words: list[i64] = [0] * WORDS_PER_CLAUSE_SET
        for at in range(len(SINGLE_CARD_CLAUSES)):
            if _passes_clause(SINGLE_CARD_CLAUSES[at], card):
                words[at // BITS_PER_WORD] += bit(at % BITS_PER_WORD)
        found += words
    return found


PASSED_CLAUSES: Final[vec[i64]] = vec[i64](_clause_sets_by_card())


def card_set(line: vec[i64]) -> vec[i64]:
    """The regular cards of a line, as a set."""
    cards = vec[i64]([0, 0, 0])
    for card in line:
        if card < REGULAR_COUNT:
            word = card // BITS_PER_WORD
            cards[word] = cards[word] | bit(card % BITS_PER_WORD)
    return cards


def is_passed_by_all(clause: i64, cards: vec[i64]) -> bool:
    """Whether a clause on single cards lets all of these pass."""
    key = mask_index(clause)
    beyond = cards[0] & ~ALLOWED_CARDS_LOW[key] | cards[1] & ~ALLOWED_CARDS_MIDDLE[key]
    return beyond == 0 and cards[2] & ~ALLOWED_CARDS_HIGH[key] == 0


def common_clauses(line: vec[i64]) -> vec[i64]:
    """The set of single-card clauses that all regular cards of a line pass."""
    found = vec[i64]([bit(60) - 1] * 5)
    found[4] = bit(len(SINGLE_CARD_CLAUSES) - 240) - 1
    for card in line:
        if card < REGULAR_COUNT:
            row = card * WORDS_PER_CLAUSE_SET
            for word in range(WORDS_PER_CLAUSE_SET):
                found[word] = found[word] & PASSED_CLAUSES[row + word]
    return found


def single_card_clauses(line: vec[i64]) -> list[i64]:
    """The clauses that all regular cards of a line pass one by one."""
    found: list[i64] = []
    shared = common_clauses(line)
    for word in range(WORDS_PER_CLAUSE_SET):
        mask = shared[word]
        while mask != 0:
            found.append(SINGLE_CARD_CLAUSES[word * BITS_PER_WORD + lowest(mask)])
            mask &= mask - 1
    return found


def has_single_card_clause(line: vec[i64]) -> bool:
    """Whether there is any such clause for a line of regular cards."""
    for word in range(WORDS_PER_CLAUSE_SET):
        shared = PASSED_CLAUSES[line[0] * WORDS_PER_CLAUSE_SET + word]
        for card in line:
            shared &= PASSED_CLAUSES[card * WORDS_PER_CLAUSE_SET + word]
        if shared != 0:
            return True
    return False


def multi_card_clauses(line: vec[i64], law: vec[i64]) -> list[i64]:
    """The clauses that examine several cards and hold on regular ones in addition to a law."""
    found: list[i64] = []
    for feature in range(clause_codes.FEATURE_COUNT):
        _add_returning_clauses(line, feature, found)
        if IS_ORDERED[feature] == 1 and has_numbers(line, feature):
            _add_monotone_clauses(line, feature, law, found)
            _add_directed_clauses(line, feature, law, found)
    return found


def has_any_clause(line: vec[i64]) -> bool:
    """Whether any clause holds on a line of regular cards that has no law."""
    return has_single_card_clause(line) or has_multi_card_clause(line)


def has_multi_card_clause(line: vec[i64]) -> bool:
    """Whether a clause that examines several cards holds. The first few cards break most of them,
    so this checks the same as `multi_card_clauses`, but stops at the first that holds."""
    for feature in range(clause_codes.FEATURE_COUNT):
        if feature != clause_codes.SUIT and (
            is_alternating(line, feature) or is_mirrored(line, feature)
        ):
            return True
        if IS_NUMERIC[feature] == 1 and has_alternating_parity(line, feature):
            return True
        if IS_ORDERED[feature] == 1 and _has_ordered_clause(line, feature):
            return True
    return False


def _has_ordered_clause(line: vec[i64], feature: i64) -> bool:
    if (
        monotone_directions(line, feature, value_range(_EMPTY_LAW, feature)) != 0
        or constant_step(line, feature) != 0
    ):
        return True
    if feature == clause_codes.LETTER:
        return is_english_word(line, 0) or is_english_word(line, 1)
    if feature == clause_codes.RANK or feature == clause_codes.NUMBER:
        for sequence in range(clause_codes.FIRST_SEQUENCE, NO_VALUE):
            if is_sequence(line, feature, sequence, 0) or is_sequence(line, feature, sequence, 1):
                return True
    return False


def holds_without_jokers(line: vec[i64], law: vec[i64]) -> bool:
    """Whether a law holds on a line of regular cards."""
    regular = card_set(line)
    for clause in law:
        if pattern_in(clause) == clause_codes.IS and not is_passed_by_all(clause, regular):
            return False
    for clause in law:
        if pattern_in(clause) != clause_codes.IS and not holds_clause(line, clause, law):
            return False
    return True


def holds_clause(line: vec[i64], clause: i64, law: vec[i64]) -> bool:
    """Whether a clause that examines several cards holds in addition to a law."""
    feature, pattern, direction = feature_in(clause), pattern_in(clause), direction_in(clause)
    if pattern == clause_codes.PALINDROME:
        return is_mirrored(line, feature)
    if pattern == clause_codes.ALTERNATES:
        is_parity = value_in(clause) == clause_codes.PARITY
        return has_alternating_parity(line, feature) if is_parity else is_alternating(line, feature)
    if pattern == clause_codes.WORD:
        return is_english_word(line, direction)
    if pattern == clause_codes.FOLLOWS:
        return is_sequence(line, feature, value_in(clause), direction)
    if pattern == clause_codes.STARTS:
        return has_numbers(line, feature) and clause == start_clause(line, feature, direction)
    if bit(pattern) & MONOTONE_PATTERNS != 0:
        found = monotone_directions(line, feature, value_range(law, feature))
        return (found >> ((0 if pattern == clause_codes.RISES else 2) + direction)) & 1 == 1
    return clause == step_clause(feature, constant_step(line, feature))


def _add_returning_clauses(line: vec[i64], feature: i64, found: list[i64]) -> None:
    if feature != clause_codes.SUIT:  # its colour expresses it
        if is_alternating(line, feature):
            found.append(encode_clause(feature, clause_codes.ALTERNATES, NO_VALUE, 0))
        if is_mirrored(line, feature):
            found.append(encode_clause(feature, clause_codes.PALINDROME, NO_VALUE, 0))
    if IS_NUMERIC[feature] == 1 and has_alternating_parity(line, feature):
        found.append(encode_clause(feature, clause_codes.ALTERNATES, clause_codes.PARITY, 0))


def _add_monotone_clauses(line: vec[i64], feature: i64, law: vec[i64], found: list[i64]) -> None:
    kept = monotone_directions(line, feature, value_range(law, feature))
    for which in range(4):
        if (kept >> which) & 1 == 1:
            pattern = clause_codes.RISES if which < 2 else clause_codes.FALLS
            found.append(encode_clause(feature, pattern, NO_VALUE, which & 1))
    step = constant_step(line, feature)
    if step != 0:
        found.append(step_clause(feature, step))


def _add_directed_clauses(line: vec[i64], feature: i64, law: vec[i64], found: list[i64]) -> None:
    for direction in range(2):
        if len(law) > 0:
            found.append(start_clause(line, feature, direction))
        if feature == clause_codes.LETTER and is_english_word(line, direction):
            found.append(encode_clause(feature, clause_codes.WORD, NO_VALUE, direction))
        elif feature == clause_codes.RANK or feature == clause_codes.NUMBER:
            for sequence in range(clause_codes.FIRST_SEQUENCE, NO_VALUE):
                if is_sequence(line, feature, sequence, direction):
                    found.append(encode_clause(feature, clause_codes.FOLLOWS, sequence, direction))

"""Which clauses hold on a line without jokers? What `courses` finds of each feature, as clauses;
`Reading` says the same of one clause at a time, and knows jokers, too."""

from __future__ import annotations

from typing import Final

from librt.vecs import vec
from mypy_extensions import i64

from games.engines.common.bits import bit, lowest
from games.engines.duel_of_law.cards import REGULAR
from games.engines.duel_of_law.language import names
from games.engines.duel_of_law.language.catalogue import (
    CARDS_HIGH,
    CARDS_LOW,
    CARDS_MIDDLE,
    CATALOGUE,
    WORD_SIZE,
    key_of,
)
from games.engines.duel_of_law.language.courses import (
    alternates,
    directions,
    follows,
    has_turns,
    is_counted,
    is_mirrored,
    spells,
    start_of,
    step_of,
    stepping,
)
from games.engines.duel_of_law.language.extent import ends_of
from games.engines.duel_of_law.language.features import IS_NUMERIC, IS_ORDERED
from games.engines.duel_of_law.language.names import (
    MONOTONE,
    NO_VALUE,
    clause_of,
    direction_in,
    feature_in,
    pattern_in,
    value_in,
)

# The clauses that look at one card, and by card the set of those that it passes, as words.
SINGLES: Final[vec[i64]] = vec[i64](
    [clause for clause in CATALOGUE if pattern_in(clause) == names.IS]
)
WORDS: Final[i64] = 5
_NO_LAW: Final[vec[i64]] = vec[i64]()  # a law of no clause


def _passes(clause: i64, card: i64) -> bool:
    table = CARDS_LOW if card < 60 else CARDS_MIDDLE if card < 120 else CARDS_HIGH
    return (table[key_of(clause)] >> card % WORD_SIZE) & 1 == 1


def _passed() -> list[i64]:
    found: list[i64] = []
    for card in range(REGULAR):
        words: list[i64] = [0] * WORDS
        for at in range(len(SINGLES)):
            if _passes(SINGLES[at], card):
                words[at // WORD_SIZE] += bit(at % WORD_SIZE)
        found += words
    return found


PASSED: Final[vec[i64]] = vec[i64](_passed())


def set_of(line: vec[i64]) -> vec[i64]:
    """The regular cards of a line, as a set."""
    cards = vec[i64]([0, 0, 0])
    for card in line:
        if card < REGULAR:
            word = card // WORD_SIZE
            cards[word] = cards[word] | bit(card % WORD_SIZE)
    return cards


def allows_all(clause: i64, cards: vec[i64]) -> bool:
    """Does a clause on single cards let all of these pass?"""
    key = key_of(clause)
    beyond = cards[0] & ~CARDS_LOW[key] | cards[1] & ~CARDS_MIDDLE[key]
    return beyond == 0 and cards[2] & ~CARDS_HIGH[key] == 0


def common(line: vec[i64]) -> vec[i64]:
    """The set of single clauses that all regular cards of a line pass."""
    found = vec[i64]([bit(60) - 1] * 5)
    found[4] = bit(len(SINGLES) - 240) - 1
    for card in line:
        if card < REGULAR:
            row = card * WORDS
            for word in range(WORDS):
                found[word] = found[word] & PASSED[row + word]
    return found


def singles(line: vec[i64]) -> list[i64]:
    """The clauses that all regular cards of a line pass one by one."""
    found: list[i64] = []
    shared = common(line)
    for word in range(WORDS):
        mask = shared[word]
        while mask != 0:
            found.append(SINGLES[word * WORD_SIZE + lowest(mask)])
            mask &= mask - 1
    return found


def has_single(line: vec[i64]) -> bool:
    """Is there any such clause for a line of regular cards?"""
    for word in range(WORDS):
        shared = PASSED[line[0] * WORDS + word]
        for card in line:
            shared &= PASSED[card * WORDS + word]
        if shared != 0:
            return True
    return False


def running(line: vec[i64], law: vec[i64]) -> list[i64]:
    """The clauses that look at more than one card and hold on regular ones next to a law."""
    found: list[i64] = []
    for feature in range(names.FEATURES):
        _say_what_returns(line, feature, found)
        if IS_ORDERED[feature] == 1 and is_counted(line, feature):
            _say_what_goes_on(line, feature, law, found)
            _say_what_is_read(line, feature, law, found)
    return found


def has_any(line: vec[i64]) -> bool:
    """Does any clause hold on a line of regular cards that has no law?"""
    return has_single(line) or has_running(line)


def has_running(line: vec[i64]) -> bool:
    """Is it one that looks at more than one card? The first few cards break most of them, so this
    asks what `running` says, but stops at the first that holds."""
    for feature in range(names.FEATURES):
        if feature != names.SUIT and (alternates(line, feature) or is_mirrored(line, feature)):
            return True
        if IS_NUMERIC[feature] == 1 and has_turns(line, feature):
            return True
        if IS_ORDERED[feature] == 1 and _goes_on(line, feature):
            return True
    return False


def _goes_on(line: vec[i64], feature: i64) -> bool:
    if directions(line, feature, ends_of(_NO_LAW, feature)) != 0 or step_of(line, feature) != 0:
        return True
    if feature == names.LETTER:
        return spells(line, 0) or spells(line, 1)
    if feature == names.RANK or feature == names.NUMBER:
        for sequence in range(names.FIRST_SEQUENCE, NO_VALUE):
            if follows(line, feature, sequence, 0) or follows(line, feature, sequence, 1):
                return True
    return False


def holds_plainly(line: vec[i64], law: vec[i64]) -> bool:
    """Does a law hold on a line of regular cards?"""
    regular = set_of(line)
    for clause in law:
        if pattern_in(clause) == names.IS and not allows_all(clause, regular):
            return False
    for clause in law:
        if pattern_in(clause) != names.IS and not keeps(line, clause, law):
            return False
    return True


def keeps(line: vec[i64], clause: i64, law: vec[i64]) -> bool:
    """Does a clause that looks at more than one card hold next to a law?"""
    feature, pattern, direction = feature_in(clause), pattern_in(clause), direction_in(clause)
    if pattern == names.PALINDROME:
        return is_mirrored(line, feature)
    if pattern == names.ALTERNATES:
        is_parity = value_in(clause) == names.PARITY
        return has_turns(line, feature) if is_parity else alternates(line, feature)
    if pattern == names.WORD:
        return spells(line, direction)
    if pattern == names.FOLLOWS:
        return follows(line, feature, value_in(clause), direction)
    if pattern == names.STARTS:
        return is_counted(line, feature) and clause == start_of(line, feature, direction)
    if bit(pattern) & MONOTONE != 0:
        found = directions(line, feature, ends_of(law, feature))
        return (found >> ((0 if pattern == names.RISES else 2) + direction)) & 1 == 1
    return clause == stepping(feature, step_of(line, feature))


def _say_what_returns(line: vec[i64], feature: i64, found: list[i64]) -> None:
    if feature != names.SUIT:  # its colour says it
        if alternates(line, feature):
            found.append(clause_of(feature, names.ALTERNATES, NO_VALUE, 0))
        if is_mirrored(line, feature):
            found.append(clause_of(feature, names.PALINDROME, NO_VALUE, 0))
    if IS_NUMERIC[feature] == 1 and has_turns(line, feature):
        found.append(clause_of(feature, names.ALTERNATES, names.PARITY, 0))


def _say_what_goes_on(line: vec[i64], feature: i64, law: vec[i64], found: list[i64]) -> None:
    kept = directions(line, feature, ends_of(law, feature))
    for which in range(4):
        if (kept >> which) & 1 == 1:
            pattern = names.RISES if which < 2 else names.FALLS
            found.append(clause_of(feature, pattern, NO_VALUE, which & 1))
    step = step_of(line, feature)
    if step != 0:
        found.append(stepping(feature, step))


def _say_what_is_read(line: vec[i64], feature: i64, law: vec[i64], found: list[i64]) -> None:
    for direction in range(2):
        if len(law) > 0:
            found.append(start_of(line, feature, direction))
        if feature == names.LETTER and spells(line, direction):
            found.append(clause_of(feature, names.WORD, NO_VALUE, direction))
        elif feature == names.RANK or feature == names.NUMBER:
            for sequence in range(names.FIRST_SEQUENCE, NO_VALUE):
                if follows(line, feature, sequence, direction):
                    found.append(clause_of(feature, names.FOLLOWS, sequence, direction))

"""Which clauses hold on a line without jokers? All are found in one pass over its cards, none is
tried; `Reading` says the same of one clause at a time, and knows jokers, too."""

from __future__ import annotations

from typing import Final

from librt.vecs import vec
from mypy_extensions import i64

from games.engines.common.bits import bit, lowest
from games.engines.duel_of_law.cards import CARDS, REGULAR
from games.engines.duel_of_law.language import names
from games.engines.duel_of_law.language.catalogue import (
    CARDS_HIGH,
    CARDS_LOW,
    CARDS_MIDDLE,
    CATALOGUE,
    WORD_SIZE,
    key_of,
)
from games.engines.duel_of_law.language.extent import FACES, ends_of
from games.engines.duel_of_law.language.features import (
    CIRCLE,
    LOOKS,
    ORDERED,
    PRINT_OF,
    PRINTED,
    SPAN,
)
from games.engines.duel_of_law.language.names import (
    MONOTONE,
    NO_VALUE,
    RETURNS,
    STEPS,
    clause_of,
    direction_in,
    feature_in,
    pattern_in,
    value_in,
)
from games.engines.duel_of_law.language.sequences import member
from games.engines.duel_of_law.lexicon import DEAD, lexicon

# The clauses that look at one card, and by card the set of those that it passes, as words.
SINGLES: Final[vec[i64]] = vec[i64](
    [clause for clause in CATALOGUE if pattern_in(clause) == names.IS]
)
WORDS: Final[i64] = 5
_NUMERIC: Final[vec[i64]] = vec[i64]([0, 1, 0, 1, 0, 0, 1, 0, 1, 0, 0, 1])  # by feature
_ORDERED: Final[vec[i64]] = vec[i64]([int(feature in ORDERED) for feature in range(12)])


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
    """Is there any such clause?"""
    shared = common(line)
    return shared[0] | shared[1] | shared[2] | shared[3] | shared[4] != 0


def scan(line: vec[i64], law: vec[i64]) -> list[i64]:
    """All clauses that hold on a line of regular cards next to a law, ascending."""
    found = singles(line)
    for feature in range(names.FEATURES):
        found += Scan(line, feature).clauses(law)
    found.sort()
    return found


def has_any(line: vec[i64]) -> bool:
    """Does any clause hold on a line of regular cards?"""
    if has_single(line):
        return True
    nothing = vec[i64]()
    for feature in range(names.FEATURES):
        if len(Scan(line, feature).clauses(nothing)) > 0:
            return True
    return False


def holds_plainly(line: vec[i64], law: vec[i64]) -> bool:
    """Does a law hold on a line of regular cards?"""
    regular = set_of(line)
    for clause in law:
        if pattern_in(clause) == names.IS and not allows_all(clause, regular):
            return False
    for clause in law:
        if pattern_in(clause) == names.IS:
            continue
        if not Scan(line, feature_in(clause)).keeps(clause, law):
            return False
    return True


class Scan:
    """One feature along a line of regular cards."""

    def __init__(self, line: vec[i64], feature: i64) -> None:
        self.feature: i64 = feature
        self.size: i64 = len(line)
        self.row: vec[i64] = vec[i64]([0] * self.size)
        self.is_whole: bool = True  # has each card this feature, …
        self.is_counted: bool = True  # … and could it be counted with?
        first = PRINT_OF[feature] * CARDS
        for place in range(self.size):
            value = PRINTED[first + line[place]]
            self.row[place] = value
            if value < 0:
                self.is_whole = False
            elif feature == names.RANK and value >= FACES:
                self.is_counted = False

    def clauses(self, law: vec[i64]) -> list[i64]:
        """What holds besides what is said of single cards."""
        found: list[i64] = []
        if not self.is_whole:
            return found
        self._repeated(found)
        if _ORDERED[self.feature] == 0 or not self.is_counted:
            return found
        self._monotone(found, ends_of(law, self.feature))
        self._step(found)
        if len(law) > 0:
            self._starts(found)
        if self.feature == names.LETTER:
            self._word(found, 0)
            self._word(found, 1)
        elif self.feature == names.RANK or self.feature == names.NUMBER:
            self._sequences(found)
        return found

    def _say(self, found: list[i64], pattern: i64, value: i64, direction: i64) -> None:
        found.append(clause_of(self.feature, pattern, value, direction))

    def keeps(self, clause: i64, law: vec[i64]) -> bool:
        """Does one of these clauses hold?"""
        if not self.is_whole:
            return False
        found: list[i64] = []
        pattern = pattern_in(clause)
        if bit(pattern) & RETURNS != 0:
            self._repeated(found)
        elif not self.is_counted:
            return False
        elif bit(pattern) & MONOTONE != 0:
            self._monotone(found, ends_of(law, self.feature))
        elif bit(pattern) & STEPS != 0:
            self._step(found)
        else:
            return self._keeps_place(clause)
        return clause in found

    def _keeps_place(self, clause: i64) -> bool:
        """Does one of these clauses hold that know what stands where?"""
        pattern, direction = pattern_in(clause), direction_in(clause)
        if pattern == names.FOLLOWS:
            return self._is_followed(value_in(clause), direction)
        found: list[i64] = []
        if pattern == names.WORD:
            self._word(found, direction)
        else:
            self._starts(found)
        return clause in found

    # -- what returns -----------------------------------------------------------------------------

    def _repeated(self, found: list[i64]) -> None:
        if self.feature != names.SUIT:
            looks = self.row[:]
            for place in range(self.size):
                looks[place] = LOOKS[self.feature * SPAN + self.row[place]]
            if is_alternating(looks):
                self._say(found, names.ALTERNATES, NO_VALUE, 0)
            if is_mirrored(looks):
                self._say(found, names.PALINDROME, NO_VALUE, 0)
        if _NUMERIC[self.feature] == 1 and self.is_counted:
            looks = self.row[:]
            for place in range(self.size):
                looks[place] = self.row[place] & 1
            if is_alternating(looks):
                self._say(found, names.ALTERNATES, names.PARITY, 0)

    # -- what goes on -----------------------------------------------------------------------------

    def _monotone(self, found: list[i64], ends: i64) -> None:
        least, most = ends & 0xFF, ends >> 8
        kept: i64 = 0xF  # rises, rises backward, falls, falls backward
        for place in range(1, self.size):
            one, two = self.row[place - 1], self.row[place]
            if one == two:
                return
            if one < two:
                kept &= 1 | (2 if two >= most else 0) | (4 if one <= least else 0) | 8
            else:
                kept &= (1 if one >= most else 0) | 2 | 4 | (8 if two <= least else 0)
        for which in range(4):
            if (kept >> which) & 1 == 1:
                pattern = names.RISES if which < 2 else names.FALLS
                self._say(found, pattern, NO_VALUE, which & 1)

    def _step(self, found: list[i64]) -> None:
        circle = CIRCLE[self.feature]
        if circle == 0:
            return
        step = (self.row[1] - self.row[0] + circle) % circle
        if step == 0:
            return
        for place in range(2, self.size):
            if (self.row[place] - self.row[place - 1] + circle) % circle != step:
                return
        if 2 * step <= circle:
            self._say(found, names.RISES_BY, step, 0)
        else:
            self._say(found, names.FALLS_BY, circle - step, 0)

    def _starts(self, found: list[i64]) -> None:
        letters = names.FIRST_LETTER if self.feature == names.LETTER else 0
        self._say(found, names.STARTS, self.row[0] + letters, 0)
        self._say(found, names.STARTS, self.row[self.size - 1] + letters, 1)

    # -- words and sequences ----------------------------------------------------------------------

    def _word(self, found: list[i64], direction: i64) -> None:
        words = lexicon()
        node = words.roots[direction]
        for letter in self.row:
            node = words.step(node, letter)
            if node == DEAD:
                return
        if words.is_word(node):
            self._say(found, names.WORD, NO_VALUE, direction)

    def _sequences(self, found: list[i64]) -> None:
        for sequence in range(names.FIRST_SEQUENCE, NO_VALUE):
            for direction in range(2):
                if self._is_followed(sequence, direction):
                    self._say(found, names.FOLLOWS, sequence, direction)

    def _is_followed(self, sequence: i64, direction: i64) -> bool:
        for place in range(self.size):
            position = self.size - 1 - place if direction == 1 else place
            if self.row[position] != member(sequence, self.feature, place):
                return False
        return True


def is_alternating(looks: vec[i64]) -> bool:
    """Are there two different looks in turn?"""
    if looks[0] == looks[1]:
        return False
    for place in range(2, len(looks)):
        if looks[place] != looks[place - 2]:
            return False
    return True


def is_mirrored(looks: vec[i64]) -> bool:
    """Are the looks the same from both ends?"""
    last: i64 = len(looks) - 1
    for place in range(last):
        if looks[place] != looks[last - place]:
            return False
    return True

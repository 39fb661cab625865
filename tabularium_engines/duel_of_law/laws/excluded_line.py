"""The decision whether a clause narrows a law: a search through all lines of regular cards that
follow the law, of any length, for one that the clause excludes.

The search goes through the product of the automata of all clauses (`ClauseReader`), so it ends, and
a line that it does not find does not exist. Lines are built from one end, the *near* one; where a
palindrome is involved, from both ends in turn. Each end then has its memory, and the last card lies
in the middle. A card may come several times: a joker can be like any card.

Laws of several long cycles have millions of memories. A search that has tried `MOST_TRIES` cards
leaves the question open, and the clause counts as one that narrows the law.
"""  # R12

from __future__ import annotations

from typing import Final

from librt.vecs import append, vec
from mypy_extensions import i64

from tabularium_engines.common.bits import bit, has
from tabularium_engines.duel_of_law.cards import CARD_COUNT
from tabularium_engines.duel_of_law.laws import card_features as features
from tabularium_engines.duel_of_law.laws import cards_allowed_by_law as allowed
from tabularium_engines.duel_of_law.laws import clause_codes as codes
from tabularium_engines.duel_of_law.laws.clause_catalogue import set_members
from tabularium_engines.duel_of_law.laws.clause_reader import BROKEN, ClauseReader, may_recur
from tabularium_engines.duel_of_law.laws.clauses_on_line import holds_several, holds_without_jokers
from tabularium_engines.duel_of_law.laws.print_outlook import PrintOutlook, outlooks

SHORTEST_LINE: Final[i64] = 3
_SHORT_WORD: Final[i64] = 4
_TRIES_OF_SHORT_WORDS: Final[i64] = 20_000
MOST_TRIES: Final[i64] = 500_000  # of cards in a search: R12
_CARDS_PER_TRY: Final[i64] = 16  # of a whole line that is judged
ANY_CLAUSE: Final[i64] = -1  # instead of a clause: any line is looked for that follows the law
NO_LINE: Final[vec[i64]] = vec[i64]()
# those that hold on a line of which no card breaks them
_KEPT_CARD_BY_CARD: Final[i64] = (
    codes.LOCAL_PATTERNS | bit(codes.SUM_OF_TWO) | bit(codes.CONSECUTIVE)
)
_MAX_CACHED_ANSWERS: Final[i64] = 50_000
_MAX_CACHED_LAWS: Final[i64] = 5_000
_MAX_KNOWN_LINES: Final[i64] = 8  # of a law
_ANSWER_CACHE: Final[dict[tuple[tuple[i64, ...], i64], bool]] = {}
_SURE_CACHE: Final[dict[tuple[tuple[i64, ...], i64], bool]] = {}


class KnownLines:
    """Some lines that follow a law: a clause that fails on one of them narrows the law, and no
    search is needed."""

    def __init__(self, law: vec[i64]) -> None:
        self.law = law
        search = search_for_excluded_line(law, ANY_CLAUSE)
        self.is_undecided: bool = search.is_undecided
        self.first: vec[i64] = search.found
        self.lines: list[vec[i64]] = [search.found] if len(search.found) > 0 else []
        self.cards = allowed.card_set(vec[i64](cards_seen(law)))

    def has_exception(self, clause: i64) -> bool:
        """Whether a clause fails on one of these lines."""
        for line in self.lines:
            if fails_on(line, clause, self.law):
                return True
        return False

    def may_have_exception(self, clause: i64) -> bool:
        """Whether any line may follow the law and break a clause, by a look at single cards."""
        if len(self.lines) == 0 and not self.is_undecided:
            return False
        is_single = codes.pattern_in(clause) == codes.IS
        return not (is_single and allowed.is_passed_by_all(clause, self.cards))

    def add(self, line: vec[i64]) -> None:
        """Keep another line; the oldest makes room."""
        self.lines.append(line)
        if len(self.lines) > _MAX_KNOWN_LINES:
            del self.lines[0]


_LAW_CACHE: Final[dict[tuple[i64, ...], KnownLines]] = {}


def excludes_a_line(law: vec[i64], clause: i64) -> bool:
    """Whether a clause narrows a law. (The order of the law does not matter.)"""
    key = (tuple(sorted(law)), clause)
    answer = _ANSWER_CACHE.get(key)
    if answer is None:
        if len(_ANSWER_CACHE) >= _MAX_CACHED_ANSWERS:
            _ANSWER_CACHE.clear()
        answer = _compute_excludes_a_line(vec[i64](sorted(law)), clause)
        _ANSWER_CACHE[key] = answer
    return answer


def surely_excludes_a_line(law: vec[i64], clause: i64) -> bool:
    """Whether a clause narrows a law, by a look at one line that follows it. Earlier questions
    make no difference."""
    key = (tuple(sorted(law)), clause)
    answer = _SURE_CACHE.get(key)
    if answer is None:
        if len(_SURE_CACHE) >= _MAX_CACHED_ANSWERS:
            _SURE_CACHE.clear()
        if len(law) == 0:
            answer = excludes_a_line(law, clause)
        else:
            first = _known_lines(vec[i64](sorted(law))).first
            answer = clause not in list(law) and len(first) > 0 and fails_on(first, clause, law)
        _SURE_CACHE[key] = answer
    return answer


def _compute_excludes_a_line(law: vec[i64], clause: i64) -> bool:
    if clause in list(law):
        return False
    known = _known_lines(law)
    if known.has_exception(clause):
        return True
    if not known.may_have_exception(clause):
        return False
    for other in codes.clauses_with(~bit(codes.IS), law):
        if not excludes_a_line(_without(law, other), clause):
            return False  # it follows from a part of the law; to find that out takes less time
    if known.is_undecided:
        return True
    search = search_for_excluded_line(law, clause)
    if len(search.found) > 0:
        known.add(search.found)
    return len(search.found) > 0 or search.is_undecided


def _known_lines(law: vec[i64]) -> KnownLines:
    key = tuple(law)
    known = _LAW_CACHE.get(key)
    if known is None:
        if len(_LAW_CACHE) >= _MAX_CACHED_LAWS:
            _LAW_CACHE.clear()
        known = KnownLines(law)
        _LAW_CACHE[key] = known
    return known


def cards_seen(law: vec[i64]) -> list[i64]:
    """The cards that pass the clauses of a law on single cards and that its others can see."""
    readers = [ClauseReader(one, law, False) for one in law]
    cards = set_members(allowed.cards_passing(law))
    for reader in readers:
        cards = [card for card in cards if reader.can_see(card)]
    return cards


def _without(law: vec[i64], clause: i64) -> vec[i64]:
    return vec[i64]([one for one in law if one != clause])


def search_for_excluded_line(law: vec[i64], clause: i64) -> LineSearch:
    """The search for a line with the law on which the clause does not hold, after it has ended."""
    patterns: i64 = 0
    for one in law:
        patterns |= bit(codes.pattern_in(one))
    if has(patterns, codes.WORD) and has(patterns, codes.PALINDROME):
        search = LineSearch(law, clause, _SHORT_WORD, _TRIES_OF_SHORT_WORDS)  # mostly succeeds
        if len(search.find()) > 0:
            return search
    search = LineSearch(law, clause)
    search.find()
    return search


def excluded_line(law: vec[i64], clause: i64) -> vec[i64]:
    """A line with the law on which the clause does not hold; no cards if none was found."""
    return search_for_excluded_line(law, clause).found


class LineSearch:
    """A line that is being built, a card at an end in each step."""

    def __init__(
        self, law: vec[i64], clause: i64, longest: i64 = 0, most_tries: i64 = MOST_TRIES
    ) -> None:
        # if not 0, only some lines up to this size are built, each from one end
        self.longest: i64 = longest
        self.most_tries: i64 = most_tries
        self.found: vec[i64] = NO_LINE
        self.is_undecided: bool = False  # whether there are lines that were not tried
        self.law: vec[i64] = law
        self.clause: i64 = clause
        self.judges: bool = clause != ANY_CLAUSE
        self.cards: vec[i64] = distinct_cards(law, clause)
        palindrome = bit(codes.PALINDROME)
        self.palindromes: vec[i64] = codes.clauses_with(palindrome, law)
        self.judges_palindrome: bool = codes.pattern_in(clause) == codes.PALINDROME
        has_palindrome = self.judges_palindrome or len(self.palindromes) > 0
        self.is_two_ended: bool = has_palindrome and longest == 0
        several = codes.clauses_with(~(palindrome | bit(codes.IS)), law)  # `cards` pass the others
        self._lawful_count: i64 = len(several)
        if self.judges and not self.judges_palindrome:  # the last reader of each end
            several = append(several, clause)
        self._begins_right: bool = _begins_right(law)
        self._near: list[ClauseReader] = [
            ClauseReader(one, law, self._begins_right) for one in several
        ]
        self._far: list[ClauseReader] = [
            ClauseReader(one, law, not self._begins_right) for one in several
        ]
        self.line: vec[i64] = vec[i64]()  # in the order of the steps
        self._breaks: list[bool] = [False]  # by steps, whether the judged palindrome is broken
        self._seen: dict[tuple[int, ...], bool] = {}
        self._outlooks: list[PrintOutlook] = []
        if not has_palindrome:
            lawful = self._near[: self._lawful_count]
            self._outlooks = outlooks(lawful, law, self.cards, self._begins_right)

    def find(self) -> vec[i64]:
        """Build all lines that differ to the clauses, until one is excluded."""
        tried: list[i64] = [0]  # by steps, the cards tried there
        size: i64 = 0
        tries: i64 = 0
        while size >= 0:
            tries += 1
            if tries + self._tries_of_outlooks() > self.most_tries:
                self.is_undecided = True
                break
            if tried[size] == len(self.cards):
                size -= 1
                continue
            card = self.cards[tried[size]]
            tried[size] += 1
            if not self._lay(size, card) or not self._is_first_such(size + 1):
                continue
            size += 1
            if size >= SHORTEST_LINE and self._may_fail(size):
                tries += size // _CARDS_PER_TRY  # or judging long lines would take minutes
                if self._is_excluded(size):
                    self.found = self._cards_in_order(size)
                    break
            if size == len(tried):
                tried.append(0)
            tried[size] = 0 if self._can_go_on(size) else len(self.cards)
        return self.found

    def _tries_of_outlooks(self) -> i64:
        tries: i64 = 0
        for outlook in self._outlooks:
            tries += outlook.tries
        return tries

    def _can_go_on(self, size: i64) -> bool:
        """Whether each print can still be one of a line that follows the law."""
        for outlook in self._outlooks:
            if not outlook.is_open(self.line, size):
                return False
        return True

    def _lay(self, size: i64, card: i64) -> bool:
        """Lay a card behind so many others; whether the law can still hold."""
        if size == len(self.line):
            self.line = append(self.line, card)
            self._breaks.append(False)
        self.line[size] = card
        is_far = self.is_two_ended and size & 1 == 1
        place = size >> 1 if self.is_two_ended else size
        for clause in self.palindromes:
            if not self._is_mirrored(clause, size, is_far):
                return False
        if self.judges_palindrome:
            is_kept = self._is_mirrored(self.clause, size, is_far)
            self._breaks[size + 1] = self._breaks[size] or not is_kept
        readers = self._far if is_far else self._near
        for index in range(len(readers)):
            if not readers[index].read(place, card) and index < self._lawful_count:
                return False
        return not self.is_two_ended or self._may_meet(size + 1)

    def _may_meet(self, size: i64) -> bool:
        """Whether the values that recur at both ends can recur in one line."""
        far = size >> 1
        for index in range(self._lawful_count):
            one, other = self._near[index], self._far[index]
            if one.period > 0 and not may_recur(one, size - far, other, far):
                return False
        return True

    def _is_mirrored(self, clause: i64, size: i64, is_far: bool) -> bool:
        """Whether the last card is legible and like the one at the other end, if there is one."""
        value = _value_seen(clause, self.line[size])
        return value >= 0 and (not is_far or value == _value_seen(clause, self.line[size - 1]))

    def _is_first_such(self, size: i64) -> bool:
        """Whether no line was built yet from which the same ones would follow."""
        if self.longest > 0:
            return size <= self.longest
        far = size >> 1 if self.is_two_ended else 0
        near = size - far
        key: list[int] = [min(size, SHORTEST_LINE)]
        if codes.pattern_in(self.clause) == codes.PAIRS:
            key.append(size & 1)
        key += [reader.memories[near] for reader in self._near]
        if self.is_two_ended:
            key += [reader.memories[far] for reader in self._far]
            key.append(int(self._breaks[size]))
            if near > far:
                key += self._values_to_mirror(size)
        known = tuple(key)
        if known in self._seen:
            return False
        self._seen[known] = True
        return True

    def _values_to_mirror(self, size: i64) -> list[int]:
        """The values of the last card for the palindromes, if it has no card opposite yet."""
        card = self.line[size - 1]
        found: list[int] = [_value_seen(clause, card) for clause in self.palindromes]
        if self.judges_palindrome:
            found.append(_value_seen(self.clause, card))
        return found

    def _cards_in_order(self, size: i64) -> vec[i64]:
        """The line from left to right."""
        found = list(self.line[:size])
        if self.is_two_ended:
            opposite = found[1::2]
            opposite.reverse()
            found = found[::2] + opposite
        if self._begins_right:
            found.reverse()
        return vec[i64](found)

    def _may_fail(self, size: i64) -> bool:
        """Whether the clause may not hold on the line, by a quick look."""
        if not self.judges:
            return True
        if self.judges_palindrome:
            return self.longest > 0 or self._breaks[size]
        if self.is_two_ended or not has(_KEPT_CARD_BY_CARD, codes.pattern_in(self.clause)):
            return True
        return self._near[self._lawful_count].memories[size] == BROKEN

    def _is_excluded(self, size: i64) -> bool:
        """Whether the law holds on the line, but not the clause."""
        line = self._cards_in_order(size)
        if not holds_without_jokers(line, self.law):
            return False
        return not self.judges or fails_on(line, self.clause, self.law)


def fails_on(line: vec[i64], clause: i64, law: vec[i64]) -> bool:
    """Whether a clause does not hold on a line with the law, and cannot on one that goes on."""
    if codes.pattern_in(clause) == codes.IS:
        return not allowed.is_passed_by_all(clause, allowed.card_set(line))
    return not _holds_or_has_begun(line, clause, law)


def _holds_or_has_begun(line: vec[i64], clause: i64, law: vec[i64]) -> bool:
    """Whether a clause holds, or the line is one that cannot break it: it has an odd number of
    cards, which are no pairs, or it goes on to a cycle."""  # R51
    if codes.pattern_in(clause) == codes.PAIRS and len(line) & 1 == 1:
        return True
    if codes.pattern_in(clause) != codes.CYCLES:
        return holds_several(line, clause, law)
    reader = ClauseReader(clause, law, False)
    for place in range(len(line)):
        if not reader.read(place, line[place]):
            return False
    return True


def _begins_right(law: vec[i64]) -> bool:
    """Whether a sequence begins at the right end: from there its values are known."""
    for clause in codes.clauses_with(bit(codes.FOLLOWS), law):
        if codes.direction_in(clause) == 1:
            return True
    return False


def _value_seen(clause: i64, card: i64) -> i64:
    """The value of a card as a clause sees it; -1 if there is none."""
    return features.VALUES_ON_CARD[codes.feature_in(clause) * CARD_COUNT + card]


def distinct_cards(law: vec[i64], clause: i64) -> vec[i64]:
    """Of the cards that pass the clauses on single cards, one of each look to the other clauses."""
    rows = [features.print_of(one) * CARD_COUNT for one in law if codes.pattern_in(one) != codes.IS]
    is_single = codes.pattern_in(clause) == codes.IS
    if clause != ANY_CLAUSE and not is_single:
        rows.append(features.print_of(clause) * CARD_COUNT)
    seen: dict[tuple[int, ...], bool] = {}
    found = vec[i64]()
    for card in cards_seen(law):
        look: list[int] = [features.PRINTED_VALUES[row + card] for row in rows]
        if is_single:
            look.append(int(allowed.is_passed_by_all(clause, allowed.card_set(vec[i64]([card])))))
        if tuple(look) not in seen:
            seen[tuple(look)] = True
            found = append(found, card)
    return found

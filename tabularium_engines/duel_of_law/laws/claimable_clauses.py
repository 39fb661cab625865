"""Legal claims: the clauses that hold on a line and say something new, so that they may be added to
its law and narrow it."""

from __future__ import annotations

from typing import Final

from librt.vecs import append, vec
from mypy_extensions import i64

from tabularium_engines.common.bits import bit
from tabularium_engines.duel_of_law.cards import REGULAR_COUNT
from tabularium_engines.duel_of_law.laws import clause_codes as codes
from tabularium_engines.duel_of_law.laws import clauses_on_line as clauses
from tabularium_engines.duel_of_law.laws import joker_solver as evaluation
from tabularium_engines.duel_of_law.laws.card_features import print_of
from tabularium_engines.duel_of_law.laws.cards_allowed_by_law import is_regular
from tabularium_engines.duel_of_law.laws.clause_catalogue import (
    SINGLE_CARD_CLAUSES,
    set_members,
)
from tabularium_engines.duel_of_law.laws.clause_implication import is_implied
from tabularium_engines.duel_of_law.laws.excluded_line import (
    excludes_a_line,
    surely_excludes_a_line,
)
from tabularium_engines.duel_of_law.laws.law_language import FIRST_LANGUAGE, Language
from tabularium_engines.duel_of_law.laws.number_sets import FIRST_ORDERED_SEQUENCE
from tabularium_engines.duel_of_law.laws.possible_joker_values import WORDS_PER_JOKER, slot_of

_UPWARD_PATTERNS: Final[i64] = bit(codes.RISES) | bit(codes.RISES_BY)
_DOWNWARD_PATTERNS: Final[i64] = bit(codes.FALLS) | bit(codes.FALLS_BY)
# Of lines with jokers: whether they could be given a law.
_HAS_CLAIM_CACHE: Final[dict[tuple[i64, ...], bool]] = {}
_MAX_CACHED_LINES: Final = 20_000


def legal_claims(
    line: vec[i64], law: vec[i64], wilds: vec[i64], language: Language = FIRST_LANGUAGE
) -> list[i64]:
    """All clauses that hold together with the law and say something new, ascending."""
    found = _sayable_clauses(line, law, wilds, language)
    return [clause for clause in found if _is_claim(line, law, clause, wilds, language)]


def is_narrowable(
    line: vec[i64], law: vec[i64], wilds: vec[i64], language: Language = FIRST_LANGUAGE
) -> bool:
    """Whether any clause can be added to a law that holds. This is faster than listing them."""
    if is_surely_narrowable(line, law, wilds, language):
        return True
    is_plain = is_regular(line)
    for number in set_members(clauses.common_clauses(line, language)):
        clause = SINGLE_CARD_CLAUSES[number]
        if adds_nothing(law, clause, language):
            continue
        if is_plain or holds_with_law(line, law, clause, wilds):
            return True
    for clause in conceivable_clauses(line, law, wilds, language):
        if _is_claim(line, law, clause, wilds, language):
            return True
    return False


def is_surely_narrowable(
    line: vec[i64], law: vec[i64], wilds: vec[i64], language: Language
) -> bool:
    """Whether any of the `sure_claims` can be added."""
    for clause in _sayable_clauses(line, law, wilds, language):
        if _is_sure_claim(line, law, clause, wilds, language):
            return True
    return False


def sure_claims(line: vec[i64], law: vec[i64], wilds: vec[i64], language: Language) -> list[i64]:
    """Of the legal claims, those that are seen to narrow the law without a search. This is fast,
    and most are among them."""
    found = _sayable_clauses(line, law, wilds, language)
    return [one for one in found if _is_sure_claim(line, law, one, wilds, language)]


def _sayable_clauses(
    line: vec[i64], law: vec[i64], wilds: vec[i64], language: Language
) -> list[i64]:
    """The clauses that the regular cards of a line do not break, ascending."""
    found = clauses.single_card_clauses(line, language)
    found += conceivable_clauses(line, law, wilds, language)
    found.sort()
    return found


def _is_sure_claim(
    line: vec[i64], law: vec[i64], clause: i64, wilds: vec[i64], language: Language
) -> bool:
    if language.is_narrow and not surely_excludes_a_line(law, clause):
        return False
    return _is_claim(line, law, clause, wilds, language)


def has_claim(line: vec[i64], wilds: vec[i64], language: Language = FIRST_LANGUAGE) -> bool:
    """Whether a line without a law could be given one. Results for lines with jokers are cached:
    they take long, and planning asks about the same lines again and again."""
    if is_regular(line):
        if clauses.has_single_card_clause(line, language):
            return True
        return clauses.has_multi_card_clause(line, language)
    key = (i64(language.is_narrow), *_line_key(line, wilds))
    answer = _HAS_CLAIM_CACHE.get(key)
    if answer is None:
        if len(_HAS_CLAIM_CACHE) >= _MAX_CACHED_LINES:
            _HAS_CLAIM_CACHE.clear()
        answer = is_narrowable(line, vec[i64](), wilds, language)
        _HAS_CLAIM_CACHE[key] = answer
    return answer


def _line_key(line: vec[i64], wilds: vec[i64]) -> tuple[i64, ...]:
    """The cards of a line, and all values open to its jokers."""
    found = list(line)
    for card in line:
        if card >= REGULAR_COUNT:
            slot = slot_of(card, 0)
            found += list(wilds[slot : slot + WORDS_PER_JOKER])
    return tuple(found)


def conceivable_clauses(
    line: vec[i64], law: vec[i64], wilds: vec[i64], language: Language
) -> list[i64]:
    """The clauses on several cards that may be said and that the regular cards of a line do not
    break: few are left for which joker values must be tried."""
    if is_regular(line):
        return clauses.multi_card_clauses(line, law, language)
    found: list[i64] = []
    several = language.multi_card_clauses if len(law) > 0 else language.first_clauses
    reading = evaluation.JokerSolver(line, print_of(several[0]), wilds, vec[i64]())
    is_legible = reading.is_legible()
    for clause in several:
        if not _has_course(law, clause, language):
            continue
        which = print_of(clause)
        if which != reading.which:
            reading = evaluation.JokerSolver(line, which, wilds, vec[i64]())
            is_legible = reading.is_legible()
        if is_legible and not reading.breaks_clause(clause, evaluation.monotone_range(law, clause)):
            found.append(clause)
    return found


def can_claim(
    line: vec[i64],
    law: vec[i64],
    clause: i64,
    wilds: vec[i64],
    language: Language = FIRST_LANGUAGE,
) -> bool:
    """Whether this clause may be added."""
    if not can_be_said(law, clause, language) or not holds_with_law(line, law, clause, wilds):
        return False
    return not adds_nothing(law, clause, language)


def adds_nothing(law: vec[i64], clause: i64, language: Language) -> bool:
    """Whether a clause follows from a law already, as a version of the rules judges it."""  # R12
    if not language.is_narrow:
        return is_implied(law, clause)
    return _only_forbids_beginning_again(law, clause) or not excludes_a_line(law, clause)


def _only_forbids_beginning_again(law: vec[i64], clause: i64) -> bool:
    """Whether values go one way by a law until they begin again, and a clause says that they do:
    that they never fall if they rise, or that they rise if they follow a sequence of numbers."""
    pattern = codes.pattern_in(clause)
    if bit(pattern) & (codes.NEVER_PATTERNS | codes.MONOTONE_PATTERNS) == 0:
        return False
    is_upward = pattern == codes.NEVER_FALLS or pattern == codes.RISES
    is_never = bit(pattern) & codes.NEVER_PATTERNS != 0
    for other in law:
        is_alike = codes.feature_in(other) == codes.feature_in(clause)
        if is_alike and _goes_one_way(other, is_upward, is_never):
            return True
    return False


def _goes_one_way(clause: i64, is_upward: bool, may_step: bool) -> bool:
    """Whether a clause says that values rise (or fall), by a sequence of numbers or, if that counts
    too, by a course or steps."""
    pattern = codes.pattern_in(clause)
    if pattern == codes.FOLLOWS or pattern == codes.CONSECUTIVE:
        is_ordered = codes.value_in(clause) >= FIRST_ORDERED_SEQUENCE
        return is_ordered and (codes.direction_in(clause) == 0) == is_upward
    ways = _UPWARD_PATTERNS if is_upward else _DOWNWARD_PATTERNS
    return may_step and bit(pattern) & ways != 0


def _is_claim(
    line: vec[i64], law: vec[i64], clause: i64, wilds: vec[i64], language: Language
) -> bool:
    """Whether a clause that the regular cards of a line do not break may be added."""
    if is_regular(line):
        return _has_course(law, clause, language) and not adds_nothing(law, clause, language)
    return can_claim(line, law, clause, wilds, language)


def can_be_said(law: vec[i64], clause: i64, language: Language = FIRST_LANGUAGE) -> bool:
    """Whether a clause may be said: a start only with a clause that goes on from there."""  # R19
    return language.has_clause(clause) and _has_course(law, clause, language)


def _has_course(law: vec[i64], clause: i64, language: Language) -> bool:
    """Whether a clause is no start, or may be one of this law."""
    if codes.pattern_in(clause) != codes.STARTS:
        return True
    if language.is_narrow and len(codes.clauses_with(bit(codes.STARTS), law)) > 0:
        return False
    for other in law:
        is_alike = codes.feature_in(other) == codes.feature_in(clause)
        if is_alike and _is_continuation(other, codes.direction_in(clause), language):
            return True
    return False


def _is_continuation(clause: i64, direction: i64, language: Language) -> bool:
    """Whether a clause states how a line read in this direction goes on. Steps are read in both;
    in the narrow language rising and falling are, too."""
    patterns = bit(codes.pattern_in(clause))
    if patterns & codes.MONOTONE_PATTERNS != 0:
        return language.is_narrow or codes.direction_in(clause) == direction
    return patterns & codes.STEP_PATTERNS != 0


def holds_with_law(line: vec[i64], law: vec[i64], clause: i64, wilds: vec[i64]) -> bool:
    """Given that the law holds, whether both hold at once."""
    both = append(law[:], clause)
    if _has_links(both):
        return evaluation.holds(line, both, wilds)
    if not evaluation.JokerSolver(line, print_of(clause), wilds, both).solve():
        return False
    monotone = codes.clauses_with(codes.MONOTONE_PATTERNS, law)
    if codes.pattern_in(clause) != codes.IS or len(monotone) == 0:
        return True
    return evaluation.holds(line, both, wilds)  # the range of values may be different


def _has_links(law: vec[i64]) -> bool:
    for clause in law:
        if codes.is_link(clause):
            return True
    return False

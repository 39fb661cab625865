"""Legal claims: the clauses that hold on a line and say something new, so that they may be added to
its law and narrow it."""

from __future__ import annotations

from typing import Final

from librt.vecs import append, vec
from mypy_extensions import i64

from games.engines.common.bits import bit
from games.engines.duel_of_law.cards import REGULAR_COUNT
from games.engines.duel_of_law.laws import clause_codes as codes
from games.engines.duel_of_law.laws import clauses_on_line as clauses
from games.engines.duel_of_law.laws import joker_solver as evaluation
from games.engines.duel_of_law.laws.card_features import PRINT_COUNT, print_of
from games.engines.duel_of_law.laws.cards_allowed_by_law import is_regular
from games.engines.duel_of_law.laws.clause_catalogue import CATALOGUE, set_members
from games.engines.duel_of_law.laws.clause_implication import is_implied
from games.engines.duel_of_law.laws.possible_joker_values import WORDS_PER_JOKER, slot_of

# The clauses that examine several cards, by print.
_MULTI_CARD_CLAUSES: Final[vec[i64]] = vec[i64](
    [
        clause
        for which in range(PRINT_COUNT)
        for clause in CATALOGUE
        if codes.pattern_in(clause) != codes.IS and print_of(clause) == which
    ]
)
# The ones that a line without a law can be given.
_MULTI_CARD_CLAUSES_BUT_STARTS: Final[vec[i64]] = vec[i64](
    [clause for clause in _MULTI_CARD_CLAUSES if codes.pattern_in(clause) != codes.STARTS]
)
# Of lines with jokers: whether they could be given a law.
_HAS_CLAIM_CACHE: Final[dict[tuple[i64, ...], bool]] = {}
_MAX_CACHED_LINES: Final = 20_000


def legal_claims(line: vec[i64], law: vec[i64], wilds: vec[i64]) -> list[i64]:
    """All clauses that hold together with the law and say something new, ascending."""
    found = clauses.single_card_clauses(line) + conceivable_clauses(line, law, wilds)
    found.sort()
    return [clause for clause in found if _is_claim(line, law, clause, wilds)]


def is_narrowable(line: vec[i64], law: vec[i64], wilds: vec[i64]) -> bool:
    """Whether any clause can be added to a law that holds. This is faster than listing them."""
    is_plain = is_regular(line)
    for number in set_members(clauses.common_clauses(line)):
        clause = clauses.SINGLE_CARD_CLAUSES[number]
        if not is_implied(law, clause) and (is_plain or holds_with_law(line, law, clause, wilds)):
            return True
    for clause in conceivable_clauses(line, law, wilds):
        if _is_claim(line, law, clause, wilds):
            return True
    return False


def has_claim(line: vec[i64], wilds: vec[i64]) -> bool:
    """Whether a line without a law could be given one. Results for lines with jokers are cached:
    they take long, and planning asks about the same lines again and again."""
    if is_regular(line):
        return clauses.has_single_card_clause(line) or clauses.has_multi_card_clause(line)
    key = _line_key(line, wilds)
    answer = _HAS_CLAIM_CACHE.get(key)
    if answer is None:
        if len(_HAS_CLAIM_CACHE) >= _MAX_CACHED_LINES:
            _HAS_CLAIM_CACHE.clear()
        answer = is_narrowable(line, vec[i64](), wilds)
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


def conceivable_clauses(line: vec[i64], law: vec[i64], wilds: vec[i64]) -> list[i64]:
    """The clauses on several cards that may be said and that the regular cards of a line do not
    break: few are left for which joker values must be tried."""
    if is_regular(line):
        return clauses.multi_card_clauses(line, law)
    found: list[i64] = []
    reading = evaluation.JokerSolver(line, print_of(_MULTI_CARD_CLAUSES[0]), wilds, vec[i64]())
    is_legible = reading.is_legible()
    for clause in _MULTI_CARD_CLAUSES if len(law) > 0 else _MULTI_CARD_CLAUSES_BUT_STARTS:
        if not can_be_said(law, clause):
            continue
        which = print_of(clause)
        if which != reading.which:
            reading = evaluation.JokerSolver(line, which, wilds, vec[i64]())
            is_legible = reading.is_legible()
        if is_legible and not reading.breaks_clause(clause, evaluation.monotone_range(law, clause)):
            found.append(clause)
    return found


def can_claim(line: vec[i64], law: vec[i64], clause: i64, wilds: vec[i64]) -> bool:
    """Whether this clause may be added."""
    if not can_be_said(law, clause) or not holds_with_law(line, law, clause, wilds):
        return False
    return not is_implied(law, clause)


def _is_claim(line: vec[i64], law: vec[i64], clause: i64, wilds: vec[i64]) -> bool:
    """Whether a clause that the regular cards of a line do not break may be added."""
    if is_regular(line):
        return can_be_said(law, clause) and not is_implied(law, clause)
    return can_claim(line, law, clause, wilds)


def can_be_said(law: vec[i64], clause: i64) -> bool:
    """Whether a clause may be said: a start only with a clause that goes on from there."""  # R19
    if codes.pattern_in(clause) != codes.STARTS:
        return True
    for other in law:
        is_alike = codes.feature_in(other) == codes.feature_in(clause)
        if is_alike and _is_continuation(other, codes.direction_in(clause)):
            return True
    return False


def _is_continuation(clause: i64, direction: i64) -> bool:
    """Whether a clause states how a line read in this direction goes on. Steps are read in both."""
    patterns = bit(codes.pattern_in(clause))
    if patterns & codes.MONOTONE_PATTERNS != 0:
        return codes.direction_in(clause) == direction
    return patterns & codes.STEP_PATTERNS != 0


def holds_with_law(line: vec[i64], law: vec[i64], clause: i64, wilds: vec[i64]) -> bool:
    """Given that the law holds, whether both hold at once."""
    both = append(law[:], clause)
    if not evaluation.JokerSolver(line, print_of(clause), wilds, both).solve():
        return False
    monotone = codes.clauses_with(codes.MONOTONE_PATTERNS, law)
    if codes.pattern_in(clause) != codes.IS or len(monotone) == 0:
        return True
    return evaluation.holds(line, both, wilds)  # the range of values may be different

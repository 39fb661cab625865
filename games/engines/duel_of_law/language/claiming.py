"""Which clauses may be added to the law of a line: those that hold there and narrow it?"""

from __future__ import annotations

from typing import Final

from librt.vecs import append, vec
from mypy_extensions import i64

from games.engines.common.bits import bit
from games.engines.duel_of_law.cards import REGULAR
from games.engines.duel_of_law.language.catalogue import CATALOGUE
from games.engines.duel_of_law.language.extent import is_regular
from games.engines.duel_of_law.language.features import PRINT_OF, PRINTS
from games.engines.duel_of_law.language.holding import holds, holds_on
from games.engines.duel_of_law.language.implying import implied
from games.engines.duel_of_law.language.names import (
    FOLLOWS,
    IS,
    MONOTONE,
    PALINDROME,
    STARTS,
    STEPS,
    WORD,
    direction_in,
    feature_in,
    pattern_in,
)
from games.engines.duel_of_law.language.reading import Reading, reach
from games.engines.duel_of_law.language.scanning import has_any, running, singles
from games.engines.duel_of_law.language.wilds import JOKER_WORDS, slot_of

# What looks at more than one card, by print, and what a card at an end can make whole again.
_RUNNING: Final[vec[i64]] = vec[i64](
    [
        clause
        for which in range(PRINTS)
        for clause in CATALOGUE
        if pattern_in(clause) != IS and PRINT_OF[feature_in(clause)] == which
    ]
)
_NOT_STARTS: Final[vec[i64]] = vec[i64](
    [clause for clause in _RUNNING if pattern_in(clause) != STARTS]  # all there is without a law
)
_MENDABLE: Final[i64] = bit(WORD) | bit(PALINDROME) | bit(STARTS) | bit(FOLLOWS)
_KNOWN: Final[dict[tuple[int, ...], bool]] = {}  # of lines with jokers: could they be given a law?
_MOST_KNOWN: Final = 20_000


def claims(line: vec[i64], law: vec[i64], wilds: vec[i64]) -> list[i64]:
    """All clauses that hold together with the law and say something new, ascending."""
    found: list[i64] = []
    if is_regular(line):
        for clause in singles(line) + running(line, law):
            if may_be_said(law, clause) and not implied(law, clause):
                found.append(clause)
        found.sort()
        return found
    for clause in singles(line):
        if may_claim(line, law, clause, wilds):
            found.append(clause)
    for clause in conceivable(line, law, wilds):
        if may_claim(line, law, clause, wilds):
            found.append(clause)
    found.sort()
    return found


def is_narrowable(line: vec[i64], law: vec[i64], wilds: vec[i64]) -> bool:
    """Is there any clause to add to a law that holds? That is told sooner than which there are."""
    if is_regular(line):
        return _is_plainly_narrowable(line, law)
    for clause in singles(line):
        if not implied(law, clause) and holds_also(line, law, clause, wilds):
            return True
    for clause in conceivable(line, law, wilds):
        if may_claim(line, law, clause, wilds):
            return True
    return False


def _is_plainly_narrowable(line: vec[i64], law: vec[i64]) -> bool:
    for clause in singles(line):
        if not implied(law, clause):
            return True
    for clause in running(line, law):
        if may_be_said(law, clause) and not implied(law, clause):
            return True
    return False


def has_claim(line: vec[i64], wilds: vec[i64]) -> bool:
    """Could a line without law be given one? What was found of jokers is remembered: it takes long,
    and whoever plans asks about the same lines again and again."""
    if is_regular(line):
        return has_any(line)
    key = _asked(line, wilds)
    answer = _KNOWN.get(key)
    if answer is None:
        if len(_KNOWN) >= _MOST_KNOWN:
            _KNOWN.clear()
        answer = _has_claim_with_jokers(line, wilds)
        _KNOWN[key] = answer
    return answer


def _asked(line: vec[i64], wilds: vec[i64]) -> tuple[int, ...]:
    """The cards of a line, and all that its jokers may be."""
    found: list[int] = []
    for card in line:
        found.append(card)
        if card >= REGULAR:
            slot = slot_of(card, 0)
            for at in range(slot, slot + JOKER_WORDS):
                found.append(wilds[at])
    return tuple(found)


def _has_claim_with_jokers(line: vec[i64], wilds: vec[i64]) -> bool:
    law = vec[i64]()
    for clause in singles(line):
        if holds_also(line, law, clause, wilds):
            return True
    for clause in conceivable(line, law, wilds):
        if holds_also(line, law, clause, wilds):
            return True
    return False


def conceivable(line: vec[i64], law: vec[i64], wilds: vec[i64]) -> list[i64]:
    """The running clauses that may be said and that the regular cards of a line do not break: few
    are left for which it must be tried what its jokers can be."""
    found: list[i64] = []
    reading = Reading(line, PRINT_OF[feature_in(_RUNNING[0])], wilds)
    is_legible = reading.is_legible()
    for clause in _RUNNING if len(law) > 0 else _NOT_STARTS:
        if not may_be_said(law, clause):
            continue
        which = PRINT_OF[feature_in(clause)]
        if which != reading.which:
            reading = Reading(line, which, wilds)
            is_legible = reading.is_legible()
        if is_legible and not reading.breaks(clause, reach(law, clause)):
            found.append(clause)
    return found


def may_claim(line: vec[i64], law: vec[i64], clause: i64, wilds: vec[i64]) -> bool:
    """May this clause be added?"""
    if not may_be_said(law, clause) or not holds_also(line, law, clause, wilds):
        return False
    return not implied(law, clause)


def may_be_said(law: vec[i64], clause: i64) -> bool:
    """A start is said of something that goes on from there; all else of any law."""  # R19
    if pattern_in(clause) != STARTS:
        return True
    for other in law:
        if feature_in(other) == feature_in(clause) and _goes_on(other, direction_in(clause)):
            return True
    return False


def _goes_on(clause: i64, direction: i64) -> bool:
    """Does it say how a line goes on that is read in this direction? Steps are read in both."""
    patterns = bit(pattern_in(clause))
    if patterns & MONOTONE != 0:
        return direction_in(clause) == direction
    return patterns & STEPS != 0


def holds_also(line: vec[i64], law: vec[i64], clause: i64, wilds: vec[i64]) -> bool:
    """Given that the law holds, do both hold at once?"""
    both = append(law[:], clause)
    if not holds_on(PRINT_OF[feature_in(clause)], line, both, wilds):
        return False
    if pattern_in(clause) == IS and _is_monotone(law):  # how far values reach may be another matter
        return holds(line, both, wilds)
    return True


def _is_monotone(law: vec[i64]) -> bool:
    for clause in law:
        if bit(pattern_in(clause)) & MONOTONE != 0:
            return True
    return False


# -- laws -----------------------------------------------------------------------------------------


def joined(lower: vec[i64], upper: vec[i64]) -> vec[i64]:
    """All clauses of both laws, each once: first those that only the lower one has."""
    found = vec[i64]()
    for clause in lower:
        if not _is_in(clause, upper):
            found = append(found, clause)
    for clause in upper:
        found = append(found, clause)
    return found


def lasting(law: vec[i64]) -> vec[i64]:
    """The clauses that no card at an end can mend once they are broken."""
    found = vec[i64]()
    for clause in law:
        if (_MENDABLE >> pattern_in(clause)) & 1 == 0:
            found = append(found, clause)
    return found


def _is_in(clause: i64, law: vec[i64]) -> bool:
    for other in law:
        if other == clause:
            return True
    return False

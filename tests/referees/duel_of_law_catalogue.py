"""The catalogue of the clauses of Duel of Law for its referee (R3)."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache
from typing import Final

from tests.referees.duel_of_law_clauses import (
    ADDS_TO,
    BASES,
    CARDS,
    CONSECUTIVE,
    COUNTS,
    COURSE_PATTERNS,
    COURSES,
    CYCLES,
    DIPS,
    DOUBLES,
    EQUALS,
    FALLS_BY,
    FEATURES,
    NEVER_PATTERNS,
    PAIRS,
    PEAKS,
    PROPERTIES,
    RISES_BY,
    SEQUENCES,
    Clause,
    Law,
    counted,
    shown,
    shown_count,
)

BOTH: Final = ("forward", "backward")
NEW_PROPERTIES: Final = {"cube", "composite", *(f"multiple of {k}" for k in range(13, 30))}


def is_clauses(version: int) -> Iterable[Clause]:
    """Those of single cards."""
    for feature in FEATURES:
        if feature != "suit":  # one names its colour
            names = {shown(feature, card[BASES[feature]]): None for card in CARDS}
            yield from (Clause(feature, "is", name) for name in names if name is not None)
    for feature, values in COUNTS.items():
        for name, test in PROPERTIES.items():
            passing = [value for value in values if test(value)]
            if version == 1 and name in NEW_PROPERTIES:
                continue
            if len(passing) > 1 and (version == 1 or not is_common(feature, passing)):  # R43
                yield Clause(feature, "is", name)


def is_common(feature: str, passing: list[int]) -> bool:
    """R45: whether more than half of the deck has a property."""
    having = [card for card in CARDS if counted(feature, card[BASES[feature]]) in passing]
    return 2 * len(having) > len(CARDS)


def course_clauses(version: int) -> Iterable[Clause]:
    """Rising and falling; R47: rising backward is said as falling."""
    ways = BOTH if version == 1 else BOTH[:1]
    for feature in COURSES:
        yield from (
            Clause(feature, pattern, "", way) for pattern in COURSE_PATTERNS for way in ways
        )


def step_clauses(version: int) -> Iterable[Clause]:
    """Steps; R43: none of more than half the circle."""
    for feature, values in COURSES.items():
        if feature != "letter_value":
            half = len(values) // 2
            yield from (Clause(feature, RISES_BY, str(step)) for step in range(1, half + 1))
            yield from (Clause(feature, FALLS_BY, str(step)) for step in range(1, half))


def start_clauses(version: int) -> Iterable[Clause]:
    """The first value."""
    for feature, values in COURSES.items():
        names = [shown_count(feature, value) for value in values]
        yield from (Clause(feature, "starts", name, way) for name in names for way in BOTH)


def alternation_clauses(version: int) -> Iterable[Clause]:
    """Two values in turn, or even and odd ones."""
    yield from (Clause(feature, "alternates") for feature in FEATURES if feature != "suit")
    yield from (Clause(feature, "alternates", "parity") for feature in COUNTS)


def palindrome_clauses(version: int) -> Iterable[Clause]:
    """The same from both ends (R46)."""
    features = FEATURES if version == 1 else ("colour", "rank", "number", "letter")
    return (Clause(feature, "palindrome") for feature in features if feature != "suit")


def word_clauses(version: int) -> Iterable[Clause]:
    """English words."""
    return (Clause("letter", "word", "", way) for way in BOTH)


def sequence_clauses(version: int) -> Iterable[Clause]:
    """Sequences from their beginning."""
    for feature in ("rank", "number"):
        yield from (Clause(feature, "follows", name, way) for name in SEQUENCES for way in BOTH)


def clauses_of_two(version: int) -> Iterable[Clause]:
    """Version 2: features that are the same number (R50)."""
    return (Clause(feature, "is", other) for feature in EQUALS for other in EQUALS[feature])


def ordered_clauses(version: int) -> Iterable[Clause]:
    """Version 2: values in some order (R45, R52)."""
    yield from (Clause("rank", pattern) for pattern in NEVER_PATTERNS)
    for feature in ("rank", "number"):
        yield from (Clause(feature, pattern) for pattern in (PEAKS, DIPS))
        yield from (
            Clause(feature, "alternates", name) for name in ("prime", "square", "multiple of 3")
        )
        for name in SEQUENCES[4:]:
            yield from (Clause(feature, CONSECUTIVE, name, way) for way in BOTH)


def sum_clauses(version: int) -> Iterable[Clause]:
    """Version 2: sums; R43: a sum of equal values only is stated as that value."""
    for feature, values in COUNTS.items():
        if feature != "number":
            sums = sorted({a + b for a in values for b in values if a != b})
            yield from (Clause(feature, ADDS_TO, str(total)) for total in sums)
        for pattern in (DOUBLES, "sum_of_two"):
            yield from (Clause(feature, pattern, "", way) for way in BOTH)


def repeating_clauses(version: int) -> Iterable[Clause]:
    """Version 2: cycles and pairs (R51)."""
    for feature in ("colour", "dice", "poker", "rank", "letter", "letter_value"):
        most = 4 if feature == "poker" else 6
        yield from (Clause(feature, CYCLES, str(size)) for size in range(3, most + 1))
    yield from (Clause(feature, PAIRS) for feature in ("colour", "dice", "rank", "letter"))


CATALOGUE: Final = (
    is_clauses,
    course_clauses,
    step_clauses,
    start_clauses,
    alternation_clauses,
    palindrome_clauses,
    word_clauses,
    sequence_clauses,
)
CATALOGUE_OF_TWO: Final = (clauses_of_two, ordered_clauses, sum_clauses, repeating_clauses)


@cache
def catalogue(version: int) -> Law:
    """All clauses of a version."""
    kinds = CATALOGUE if version == 1 else (*CATALOGUE, *CATALOGUE_OF_TWO)
    return tuple(clause for clauses in kinds for clause in clauses(version))

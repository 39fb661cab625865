"""The openness of a law: the share of the deck that can lengthen a line that follows it. The share
of each pattern is measured (`python -m bench.law_exclusion`)."""

from __future__ import annotations

from typing import Final

from librt.vecs import vec
from mypy_extensions import i64

from tabularium_engines.common.bits import count
from tabularium_engines.duel_of_law.cards import REGULAR_COUNT
from tabularium_engines.duel_of_law.laws import clause_codes as codes
from tabularium_engines.duel_of_law.laws.cards_allowed_by_law import cards_passing

# By pattern, in percent. The clauses on single cards are counted card by card. A palindrome and
# pairs go on with two cards at once, which few hands have. A line with a start has one end.
SHARES: Final[list[int]] = [
    *(100, 50, 40, 46, 12, 12, 37, 3, 9, 4),
    *(24, 22, 14, 3, 15, 24, 24, 2, 5, 7),
]
SHARE_OF_ALTERNATING_PROPERTIES: Final[i64] = 40


def law_openness(law: vec[i64]) -> float:
    """The share of the deck that could lengthen a line of this law."""
    cards = cards_passing(law)
    found = float(count(cards[0]) + count(cards[1]) + count(cards[2])) / float(REGULAR_COUNT)
    for clause in law:
        found = found * float(_share_of(clause)) / 100.0
    return found


def _share_of(clause: i64) -> i64:
    pattern = codes.pattern_in(clause)
    if pattern == codes.ALTERNATES and codes.value_in(clause) != codes.NO_VALUE:
        return SHARE_OF_ALTERNATING_PROPERTIES
    return SHARES[pattern]

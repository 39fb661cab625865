"""Laws said by the values of their line, one after another: "red, black, red, black" alternates,
"3, 1, 4, 1, 5" follows pi."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from librt.vecs import vec
from mypy_extensions import i64

from tabularium_engines.duel_of_law.cards import is_joker
from tabularium_engines.duel_of_law.laws import clause_codes as codes
from tabularium_engines.duel_of_law.laws.cards_allowed_by_law import card_set, is_passed_by_all
from tabularium_engines.duel_of_law.laws.number_sets import sequence_member
from tabularium_engines.duel_of_law.laws.spoken_words_text import COLOURS, FACES, POKER_SUITS, Words

LONGEST_PERIOD: Final = 6  # of values that recur
SHOWN_AGAIN: Final = 2  # values of the second round that are said, at least
KNOWN_BEGINNING: Final = 4  # members that name a sequence by themselves
_NAMES: Final = {name.upper().replace(" ", "_"): name for name in codes.VALUE_NAMES}
_HUE_FEATURES: Final = frozenset((codes.COLOUR, codes.SUIT))
_COUNTED: Final = (codes.RANK, codes.DICE, codes.LETTER_VALUE)
_SEQUENCED: Final = (codes.NUMBER, codes.RANK)


def listed_meanings(words: Words) -> list[list[int]]:
    """The clauses that the values of a sentence show, in tiers; none if it says more than these."""
    listed = words.listed
    if len(listed) < 3 or words.steps or words.hues or words.is_unordered or words.is_backward:
        return []
    if not words.patterns <= {"ALTERNATES", "ORDER"}:
        return []
    period = _period(listed)
    if period:
        pattern, value = ("alternates", "") if period == 2 else ("cycles", str(period))
        tiers = _recurring_features(words)
        return [[_clause(feature, pattern, value) for feature in tier] for tier in tiers]
    return _beginnings(words) if "ALTERNATES" not in words.patterns else []


def _clause(feature: int, pattern: str, value: str) -> int:
    return int(codes.clause_of_fields(codes.FEATURE_NAMES[feature], pattern, value))


def _period(listed: Sequence[str]) -> int:
    """After how many values they begin again; 0 if they do not, or repeat one within a round."""
    for period in range(2, min(LONGEST_PERIOD, len(listed) - SHOWN_AGAIN) + 1):
        is_recurring = listed[period:] == listed[:-period]
        if is_recurring and len({*listed[:period]}) == period:
            return period
    return 0


def _recurring_features(words: Words) -> list[list[int]]:
    """The features whose values are listed."""
    listed, named = {*words.listed}, frozenset(words.features)
    if listed <= {*COLOURS}:
        tiers = [[int(codes.COLOUR)]] if named <= _HUE_FEATURES else []
        is_poker = listed == {"RED", "BLACK"} and named <= {
            codes.POKER_COLOUR,
            codes.POKER,
            codes.SUIT,
        }
        return tiers + ([[int(codes.POKER_COLOUR)]] if is_poker else [])
    if listed <= {*POKER_SUITS}:
        return [[int(codes.POKER)]] if named <= {codes.POKER, codes.SUIT} else []
    if {*words.letters} == listed and not listed <= {*FACES}:
        return [[int(codes.LETTER)]] if named <= {codes.LETTER} else []
    if not listed <= {*words.numbers, *FACES}:
        return []
    features = _COUNTED if {*words.numbers} == listed else (codes.RANK,)
    return [[int(one) for one in features if named <= {one}]]


def _beginnings(words: Words) -> list[list[int]]:
    """The sequences that begin with the listed numbers."""
    named = frozenset(words.features)
    if {*words.numbers} != {*words.listed} or len(words.listed) < KNOWN_BEGINNING:
        return []
    return [
        [
            _clause(feature, "follows", codes.VALUE_NAMES[sequence])
            for sequence in range(int(codes.FIRST_SEQUENCE), int(codes.NO_VALUE))
            if begins_with(sequence, feature, words.listed)
        ]
        for feature in _SEQUENCED
        if named <= {feature}
    ]


def begins_with(sequence: int, feature: int, listed: Sequence[str]) -> bool:
    """Whether a sequence of ranks or numbers begins with these."""
    members = [sequence_member(sequence, feature, place) for place in range(len(listed))]
    return members == [int(number) for number in listed]


def is_shown(clause: int, listed: Sequence[str], cards: vec[i64]) -> bool:
    """Whether a line shows the listed values where a clause lets values recur."""
    period = {codes.ALTERNATES: 2, codes.CYCLES: codes.value_in(clause)}.get(
        codes.pattern_in(clause), 0
    )
    if len(listed) <= 2 or len({*listed}) != period:
        return True
    feature = codes.feature_in(clause)
    return any(
        all(
            _has(card, feature, listed[(place + shift) % period])
            for place, card in enumerate(cards)
        )
        for shift in range(period)
    )


def _has(card: i64, feature: int, said: str) -> bool:
    """Whether a card has a value of a feature; a joker may have any."""
    clause = _clause(feature, "is", _NAMES.get(said, said))
    return is_joker(card) or is_passed_by_all(clause, card_set(vec[i64]([card])))

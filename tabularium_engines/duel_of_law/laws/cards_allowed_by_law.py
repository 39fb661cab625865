"""The extent of a law: the set of cards that pass its clauses on single cards, and the least and
the greatest value of each feature among them."""

from __future__ import annotations

from typing import Final

from librt.vecs import vec
from mypy_extensions import i64

from tabularium_engines.common.bits import bit, first_n
from tabularium_engines.duel_of_law.cards import CARD_COUNT, REGULAR_COUNT
from tabularium_engines.duel_of_law.laws import clause_catalogue as catalogue
from tabularium_engines.duel_of_law.laws import clause_codes as codes
from tabularium_engines.duel_of_law.laws.card_features import NUMBERS_ON_CARD

WORDS_PER_CARD_SET: Final[i64] = 3
EVERY_CARD: Final[vec[i64]] = vec[i64]([first_n(60), first_n(60), first_n(36)])


def cards_passing(law: vec[i64]) -> vec[i64]:
    """The set of regular cards that pass every clause on single cards."""
    cards = EVERY_CARD[:]
    for clause in law:
        if codes.pattern_in(clause) == codes.IS:
            row = WORDS_PER_CARD_SET * catalogue.mask_index(clause)
            for word in range(WORDS_PER_CARD_SET):
                cards[word] = cards[word] & catalogue.ALLOWED_CARDS[row + word]
    return cards


def card_set(line: vec[i64]) -> vec[i64]:
    """The regular cards of a line, as a set."""
    cards = vec[i64]([0, 0, 0])
    for card in line:
        if card < REGULAR_COUNT:
            word = card // catalogue.BITS_PER_WORD
            cards[word] = cards[word] | bit(card % catalogue.BITS_PER_WORD)
    return cards


def is_passed_by_all(clause: i64, cards: vec[i64]) -> bool:
    """Whether a clause on single cards lets all of these pass."""
    row = WORDS_PER_CARD_SET * catalogue.mask_index(clause)
    for word in range(WORDS_PER_CARD_SET):
        if cards[word] & ~catalogue.ALLOWED_CARDS[row + word] != 0:
            return False
    return True


def _range_on_cards(cards: vec[i64], feature: i64) -> i64:
    """Both ends of a feature on the cards of a set, packed as in `value_range`."""
    row = feature * CARD_COUNT
    printed = [NUMBERS_ON_CARD[row + card] for card in catalogue.set_members(cards)]
    numbers = [number for number in printed if number >= 0]
    if len(numbers) == 0:  # no regular card passes: only jokers lie here
        return _range_on_cards(EVERY_CARD, feature)
    return min(numbers) | max(numbers) << 8


_FULL_RANGES: Final[vec[i64]] = vec[i64](
    [_range_on_cards(EVERY_CARD, feature) for feature in range(12)]
)
_RANGE_CACHE: Final[dict[tuple[i64, i64, i64, i64], i64]] = {}
_MAX_CACHED_RANGES: Final = 10_000


def value_range(law: vec[i64], feature: i64) -> i64:
    """Both ends of a feature on the cards that a law lets pass: the least and, above eight bits,
    the greatest value."""  # R16
    for clause in law:
        if codes.pattern_in(clause) == codes.IS:
            return _range_under_law(law, feature)
    return _FULL_RANGES[feature]


def _range_under_law(law: vec[i64], feature: i64) -> i64:
    cards = cards_passing(law)
    key = (cards[0], cards[1], cards[2], feature)
    ends = _RANGE_CACHE.get(key)
    if ends is None:
        if len(_RANGE_CACHE) >= _MAX_CACHED_RANGES:
            _RANGE_CACHE.clear()
        ends = _range_on_cards(cards, feature)
        _RANGE_CACHE[key] = ends
    return ends


def is_regular(line: vec[i64]) -> bool:
    """Whether there is no joker among these cards."""
    for card in line:
        if card >= REGULAR_COUNT:
            return False
    return True

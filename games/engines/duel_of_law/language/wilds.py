"""What may each joker still be? For every joker and every print the set of values that are open, as
two words of 60 bits. A turn that goes on makes new arrays of them; none is ever changed."""

from __future__ import annotations

from typing import Final

from librt.vecs import vec
from mypy_extensions import i64

from games.engines.common.bits import bit, lowest
from games.engines.duel_of_law.cards import DICE, JOKERS, REGULAR, SHADE
from games.engines.duel_of_law.language import names
from games.engines.duel_of_law.language.catalogue import (
    ALLOWED_HIGH,
    ALLOWED_LOW,
    WORD_SIZE,
    key_of,
)
from games.engines.duel_of_law.language.features import DOMAINS, PRINT_OF, PRINTS, exact, word_for
from games.engines.duel_of_law.language.names import clause_of, feature_in

JOKER_WORDS: Final[i64] = 16  # two for each print
# The feature that names a print's values.
NAMED_BY: Final[list[int]] = [
    *(names.COLOUR, names.SHADE, names.DICE, names.POKER),
    *(names.RANK, names.NUMBER, names.LETTER, names.LETTER_VALUE),
]


def _words(values: list[int]) -> list[int]:
    low = sum(1 << value for value in values if value < 60)
    return [low, sum(1 << (value - 60) for value in values if value >= 60)]


def _open(card: int) -> list[int]:
    """A joker on which only what is printed is certain."""  # R25
    found: list[int] = []
    for values in [DOMAINS[0], [SHADE[card]], [DICE[card]], *DOMAINS[3:]]:
        found += _words(list(values))
    return found


_FRESH: Final[vec[i64]] = vec[i64](
    [word for joker in range(int(JOKERS)) for word in _open(int(REGULAR) + joker)]
)


def fresh_wilds() -> vec[i64]:
    """Six jokers of which nothing is certain but what is printed."""
    return _FRESH[:]


def slot_of(card: i64, which: i64) -> i64:
    """Where the two words of a joker's print stand."""
    return (card - REGULAR) * JOKER_WORDS + which * 2


def reset(wilds: vec[i64], card: i64) -> vec[i64]:
    """The joker is as printed again."""
    fresh = wilds[:]
    for slot in range(slot_of(card, 0), slot_of(card, PRINTS)):
        fresh[slot] = _FRESH[slot]
    return fresh


def open_values(wilds: vec[i64], card: i64, which: i64) -> list[i64]:
    """All that a print of a joker may still say, ascending."""
    slot = slot_of(card, which)
    found: list[i64] = []
    for half in range(2):
        mask = wilds[slot + half]
        while mask != 0:
            found.append(lowest(mask) + half * WORD_SIZE)
            mask &= mask - 1
    return found


def namings(wilds: vec[i64], card: i64) -> list[i64]:
    """What a player may say that a joker is: each value still open where there are several."""
    found: list[i64] = []
    for which in range(PRINTS):
        values = open_values(wilds, card, which)
        if len(values) > 1:
            found += [_saying(which, value) for value in values]
    return found


def known(wilds: vec[i64], card: i64) -> list[i64]:
    """What is certain of a joker, as clauses."""
    found: list[i64] = []
    for which in range(PRINTS):
        values = open_values(wilds, card, which)
        if len(values) == 1:
            found.append(_saying(which, values[0]))
    return found


def named(wilds: vec[i64], card: i64, clause: i64) -> vec[i64]:
    """The jokers after it was said what one of them is."""
    key = key_of(clause)
    slot = slot_of(card, PRINT_OF[feature_in(clause)])
    after = wilds[:]
    after[slot] = wilds[slot] & ALLOWED_LOW[key]
    after[slot + 1] = wilds[slot + 1] & ALLOWED_HIGH[key]
    return after


def pinned(wilds: vec[i64], card: i64, which: i64, value: i64) -> vec[i64]:
    """The jokers after a print of one of them is certain."""
    slot = slot_of(card, which)
    after = wilds[:]
    after[slot] = bit(value) if value < WORD_SIZE else 0
    after[slot + 1] = bit(value - WORD_SIZE) if value >= WORD_SIZE else 0
    return after


def _saying(which: i64, value: i64) -> i64:
    """The clause that a print says this."""
    feature = NAMED_BY[which]
    return clause_of(feature, names.IS, _WORDS[which * 120 + value], 0)


def _word_table() -> list[int]:
    table = [0] * (8 * 120)
    for which, values in enumerate(DOMAINS):
        for value in values:
            table[which * 120 + value] = word_for(NAMED_BY[which], value)
    return table


_WORDS: Final[vec[i64]] = vec[i64](_word_table())


# -- as words, for views --------------------------------------------------------------------------


def shown_wilds(wilds: vec[i64], card: i64) -> dict[str, list[str]]:
    """What is no longer open of a joker: by feature, the values that are left."""
    found: dict[str, list[str]] = {}
    for which in range(PRINTS):
        values = open_values(wilds, card, which)
        if len(values) < len(DOMAINS[which]):
            words = [names.VALUE_NAMES[_WORDS[which * 120 + value]] for value in values]
            found[names.FEATURE_NAMES[NAMED_BY[which]]] = words
    return found


def wilds_of(wilds: vec[i64], card: i64, shown: dict[str, list[str]]) -> vec[i64]:
    """The jokers, one of which is as it was shown."""
    after = reset(wilds, card)
    for which in range(PRINTS):
        feature = NAMED_BY[which]
        words = shown.get(names.FEATURE_NAMES[feature])
        if words is not None:
            values = [exact(feature, _listed(feature, word)) for word in words]
            low, high = _words(values)
            after[slot_of(card, which)] = low
            after[slot_of(card, which) + 1] = high
    return after


def _listed(feature: int, word: str) -> int:
    """The number of a word that names a value of this feature."""
    return next(
        number
        for number, name in enumerate(names.VALUE_NAMES)
        if name == word and exact(feature, number) >= 0
    )

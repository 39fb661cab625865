"""The meanings of spoken laws: the clauses that the words of a sentence may mean, by the pattern,
the feature and the value that they name."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Final

from tabularium_engines.duel_of_law.cards import COLOUR_NAMES
from tabularium_engines.duel_of_law.laws import clause_codes as codes
from tabularium_engines.duel_of_law.laws.listed_values_text import begins_with, listed_meanings
from tabularium_engines.duel_of_law.laws.spoken_words_text import (
    COLOURS,
    FACES,
    POKER_SUITS,
    SHADES,
    Words,
)

# The clauses that a sentence may mean: those of a later tier only if none of the earlier is true.
Meanings = list[list[int]]

_NUMERIC: Final = (codes.NUMBER, codes.RANK, codes.SUIT, codes.DICE, codes.LETTER_VALUE)
_ORDERED: Final = (*_NUMERIC, codes.LETTER)
_NAMES: Final = {name.upper().replace(" ", "_"): name for name in codes.VALUE_NAMES}
_PROPERTIES: Final = [symbol for value, symbol in enumerate(_NAMES) if codes.is_property(value)]
_CYCLES: Final = {"3", "4", "5", "6"}
_DIGITS: Final = ("PI", "EULER", "SQRT2", "PHI")
_SEQUENCES: Final = {
    "PRIME": "primes",
    "SQUARE": "squares",
    "FIBONACCI": "fibonacci numbers",
    "POWER_OF_2": "powers of 2",
} | {digits: digits.lower() for digits in _DIGITS}
# Sequences that may begin anywhere; where the language has none, they begin at the first member.
_FROM_ANYWHERE: Final = ("consecutive", "follows")
# The features that have two values only, by these.
_FEATURE_OF_PAIR: Final = {
    frozenset(("DARK", "LIGHT")): codes.SHADE,
    frozenset(("BLACK", "RED")): codes.POKER_COLOUR,
    frozenset(("VOWEL", "CONSONANT")): codes.VOWEL,
    frozenset(("FACE", "NUMBER")): codes.FACE,
}
_PARITY: Final = frozenset(("EVEN", "ODD"))
# Of two features that a sentence names, the one that it means.
_MEANT_OF_TWO: Final = {
    frozenset((codes.LETTER_VALUE, codes.LETTER)): codes.LETTER_VALUE,
    frozenset((codes.LETTER_VALUE, codes.NUMBER)): codes.LETTER_VALUE,
    frozenset((codes.SUIT, codes.COLOUR)): codes.COLOUR,
    frozenset((codes.SUIT, codes.SHADE)): codes.SHADE,
    frozenset((codes.SHADE, codes.COLOUR)): codes.SHADE,
    frozenset((codes.POKER, codes.COLOUR)): codes.POKER_COLOUR,
    frozenset((codes.DICE, codes.NUMBER)): codes.DICE,
    frozenset((codes.RANK, codes.NUMBER)): codes.RANK,
}
# Meant only if it is named: black and red are colours, too.
_ASKS_FOR_NAME: Final = (codes.POKER_COLOUR,)
# The features of a palindrome, where none is named.
_MIRRORED: Final = (codes.LETTER, codes.RANK, codes.NUMBER, codes.COLOUR)
_ORDERS: Final = {"ORDER", "CONSECUTIVE"}  # they may accompany another pattern
_HUES: Final = {"green": "3", "blue": "4", "purple": "5"}  # each is both colours of a dice suit


def meanings_of(words: Words) -> Meanings:
    """The clauses that the words may mean, in tiers; none if a word is not understood."""
    if words.unknown or not words.content:
        return []
    if words.hues:
        return _hue(words)
    if listed := listed_meanings(words):
        return listed
    return _by_pattern(words)


def _by_pattern(words: Words) -> Meanings:
    """The clauses by the one pattern that the words name."""
    orders = {"ORDER"} if words.patterns else {_plain_pattern(words)}
    patterns = words.patterns - _ORDERS or orders
    if patterns == {"ALTERNATES", "OTHERS"}:
        return _others(words)
    if words.is_unordered and patterns != {"IS"}:
        return []
    return _READERS[patterns.pop()](words) if len(patterns) == 1 else []


def _hue(words: Words) -> Meanings:
    """Cards of a hue, which is dark or light: those of a dice suit."""  # R49
    is_all = len(words.hues) == 1 and not words.patterns and _has_only(words)
    if not is_all or not {*words.features} <= {codes.COLOUR, codes.SUIT}:
        return []
    return [_clause(codes.DICE, "is", _HUES[words.hues[0]])]


def _plain_pattern(words: Words) -> str:
    """The pattern of a sentence that names none."""
    said = words.all_values
    is_repeated = len(said) > 2 and said[2:] == said[:-2] and len(words.values) == 2
    if is_repeated:
        return "ALTERNATES"
    return "FOLLOWS" if words.values and words.values[0] in _DIGITS else "IS"


def _clause(feature: int, pattern: str, value: str = "", direction: str = "forward") -> list[int]:
    """The clause with these fields, if there is such a value."""
    if value not in codes.VALUE_NAMES:
        return []
    name = codes.FEATURE_NAMES[feature]
    return [int(codes.clause_of_fields(name, pattern, value, direction))]


def _clauses(features: Iterable[int], pattern: str, value: str = "") -> list[int]:
    """The clauses that differ in their feature."""
    return [clause for feature in features for clause in _clause(feature, pattern, value)]


def _directed(words: Words, features: Iterable[int], pattern: str, value: str = "") -> list[int]:
    """The clauses, read backward if the words say so. A step backward is stated forward."""  # R14
    if not words.is_backward:
        return _clauses(features, pattern, value)
    opposite = {"rises_by": "falls_by", "falls_by": "rises_by"}.get(pattern)
    if opposite is not None:
        return _clauses(features, opposite, value)
    return [one for feature in features for one in _clause(feature, pattern, value, "backward")]


def _named(words: Words) -> list[int]:
    """The one feature that the words name; none if they name none, or several."""
    named = frozenset(words.features)
    if len(named) == 2 and named in _MEANT_OF_TWO and "and" not in words.words:
        return [int(_MEANT_OF_TWO[named])]
    return words.features[:1] if len(named) == 1 else []


def _shown(words: Words) -> list[int]:
    """The one feature that the words name; the suit is shown by its colour."""
    return [int(codes.COLOUR) if one == codes.SUIT else one for one in _named(words)]


def _feature_tiers(words: Words, features: Sequence[int]) -> list[list[int]]:
    """The features that the words may mean: the one that they name, or else first the number."""
    if words.features:
        return [[feature for feature in _named(words) if feature in features]]
    return [[int(codes.NUMBER)], [int(one) for one in features if one != codes.NUMBER]]


def _has_only(words: Words, *, values: int = 0, numbers: int = 0) -> bool:
    """Whether no more is said than so many values, and so many numbers or steps."""
    counts = len(words.values) + len(words.letters), len(words.numbers) + len(words.steps)
    return counts[0] <= values and counts[1] <= numbers


def _word(words: Words) -> Meanings:
    is_of_letters = {*words.features} <= {codes.LETTER}
    return [_directed(words, [codes.LETTER], "word")] if is_of_letters and _has_only(words) else []


def _palindrome(words: Words) -> Meanings:
    if words.values:
        return _pair(words, "palindrome")
    features = _shown(words) if words.features else _MIRRORED
    return [_clauses(features, "palindrome")] if _has_only(words) else []


def _alternation(words: Words) -> Meanings:
    if len(words.values) == 1 and words.values[0] in _PROPERTIES:
        return _alternating_property(words)
    if {*words.numbers} & _CYCLES and _has_only(words, numbers=1):
        return [_clauses(_shown(words), "cycles", words.numbers[0])]
    if frozenset(words.values) == _PARITY:
        return [_clauses(tier, "alternates", "parity") for tier in _feature_tiers(words, _NUMERIC)]
    if words.values:
        return _pair(words, "alternates")
    is_plain = {*words.numbers} <= {"2"} and not words.letters
    return [_clauses(_shown(words), "alternates")] if is_plain else []


def _alternating_property(words: Words) -> Meanings:
    if not _has_only(words, values=1):
        return []
    said = _NAMES[words.values[0]]
    return [_clauses(tier, "alternates", said) for tier in _feature_tiers(words, _NUMERIC)]


def _others(words: Words) -> Meanings:
    """Every other card has a property."""
    return _alternation(words) if len(words.values) == 1 else []


def _pairs(words: Words) -> Meanings:
    """Values two by two."""
    if not _has_only(words):
        return []
    return [_clauses(_shown(words), "pairs")]


def _never(pattern: str) -> Callable[[Words], Meanings]:
    """The reader of values that never fall, or never rise. Numbers that never fall rise."""

    def read(words: Words) -> Meanings:
        opposite = "rises" if pattern == "never_falls" else "falls"
        if words.is_backward or not _has_only(words):
            return []
        return [
            _clause(feature, opposite if feature == codes.NUMBER else pattern)
            for tier in _feature_tiers(words, _ORDERED)
            for feature in tier
        ]

    return read


def _turning(pattern: str) -> Callable[[Words], Meanings]:
    """The reader of values that rise and fall."""

    def read(words: Words) -> Meanings:
        tiers = _feature_tiers(words, _ORDERED)
        return [_clauses(tier, pattern) for tier in tiers] if _has_only(words) else []

    return read


def _sum(words: Words) -> Meanings:
    """Neighbours add up to a number."""
    if len(words.numbers) != 1 or not _has_only(words, numbers=1):
        return []
    features = [feature for feature in _NUMERIC if feature != codes.NUMBER]
    named = [feature for feature in _named(words) if feature in features]
    return [_clauses(named if words.features else features, "adds_to", words.numbers[0])]


def _growth(pattern: str) -> Callable[[Words], Meanings]:
    """The reader of numbers that follow from those before."""

    def read(words: Words) -> Meanings:
        if not _has_only(words):
            return []
        return [_directed(words, tier, pattern) for tier in _feature_tiers(words, _NUMERIC)]

    return read


def _halving(words: Words) -> Meanings:
    """Each number is half the one before: they double from the other end."""
    if not _has_only(words):
        return []
    way = "forward" if words.is_backward else "backward"
    return [
        [clause for feature in tier for clause in _clause(feature, "doubles", "", way)]
        for tier in _feature_tiers(words, _NUMERIC)
    ]


def _every_other(words: Words) -> Meanings:
    """Every other card has a property, or one of two values, and those between have not."""
    if len(words.values) != 1 or not _has_only(words, values=1):
        return []
    value = words.values[0]
    if value in _PARITY:
        return [_clauses(tier, "alternates", "parity") for tier in _feature_tiers(words, _NUMERIC)]
    if value in _PROPERTIES:
        return _alternating_property(words)
    for pair, feature in _FEATURE_OF_PAIR.items():
        if value in pair and feature not in _ASKS_FOR_NAME:
            is_meant = {*words.features} <= _NAMED_WITH_PAIR[feature]
            return [_clauses([feature], "alternates")] if is_meant else []
    return []


def _equality(words: Words) -> Meanings:
    """Two features of a card are equal."""
    if not _has_only(words) or len({*words.features}) != 2:
        return []
    one, other = words.features[0], words.features[-1]
    names = codes.FEATURE_NAMES
    return [[*_clause(one, "is", names[other]), *_clause(other, "is", names[one])]]


def _pair(words: Words, pattern: str) -> Meanings:
    """A pattern of the feature that has just the two values that are said."""
    feature = _FEATURE_OF_PAIR.get(frozenset(words.values), codes.FEATURE_COUNT)
    if feature == codes.SHADE and codes.POKER in words.features:
        feature = codes.POKER_COLOUR
    named = frozenset(words.features)
    is_meant = named <= _NAMED_WITH_PAIR.get(feature, frozenset())
    if feature == codes.FEATURE_COUNT or not is_meant or (feature in _ASKS_FOR_NAME and not named):
        return []
    return [_clauses([feature], pattern)]


_NAMED_WITH_PAIR: Final[Mapping[int, frozenset[int]]] = {
    codes.SHADE: frozenset({codes.SHADE, codes.COLOUR, codes.SUIT}),
    codes.POKER_COLOUR: frozenset({codes.POKER, codes.POKER_COLOUR, codes.SUIT}),
    codes.VOWEL: frozenset({codes.LETTER}),
    codes.FACE: frozenset(),
}


def _course(pattern: str) -> Callable[[Words], Meanings]:
    """The reader of a pattern that rises or falls."""

    def read(words: Words) -> Meanings:
        steps = [*words.steps, *words.numbers] or ["1"] * ("CONSECUTIVE" in words.patterns)
        if len(steps) > 1 or not _has_only(words, numbers=1):
            return []
        tiers = _feature_tiers(words, _ORDERED)
        if steps:
            return [_directed(words, tier, f"{pattern}_by", steps[0]) for tier in tiers]
        return [_directed(words, tier, pattern) for tier in tiers]

    return read


def _order(words: Words) -> Meanings:
    """Values in order; or a sequence of them, such as the primes."""
    if words.values:
        return _sequence(words)
    features = [feature for feature in _named(words) if feature in _ORDERED]
    if not _has_only(words):
        return []
    upward = _directed(words, features, "rises_by", "1")
    if "CONSECUTIVE" in words.patterns:
        return [upward + _directed(words, features, "falls_by", "1")]
    return [_directed(words, features, "rises") + upward]


def _sequence(words: Words) -> Meanings:
    said = _SEQUENCES.get(words.values[0])
    features = _named(words) if words.features else [codes.NUMBER, codes.RANK]
    if said is None or not _has_only(words, values=1, numbers=len(words.numbers)):
        return []
    if words.numbers:
        return [_directed(words, _begun(words, features, said), "follows", said)]
    if "CONSECUTIVE" in words.patterns and words.values[0] not in _DIGITS:
        return [_directed(words, features, pattern, said) for pattern in _FROM_ANYWHERE]
    return [_directed(words, features, "follows", said)]


def _begun(words: Words, features: Iterable[int], said: str) -> list[int]:
    """The features in which a sequence begins with several numbers that are said."""
    numbers = [value for value in words.listed if value.isdecimal()]
    sequence = codes.VALUE_NAMES.index(said)
    is_told = len(numbers) > 1 and not words.steps and not words.is_backward
    return [one for one in features if is_told and begins_with(sequence, one, numbers)]


def _beginning(words: Words) -> Meanings:
    """A sequence in order, from its first member on."""
    said = _SEQUENCES.get(words.values[0]) if words.values else None
    if said is None or len(words.numbers) != 1 or not words.patterns & _ORDERS:
        return []
    is_first = begins_with(codes.VALUE_NAMES.index(said), codes.RANK, words.numbers)
    features = _named(words) if words.features else [codes.NUMBER, codes.RANK]
    is_all = is_first and _has_only(words, values=1, numbers=1)
    return [_directed(words, features, "follows", said)] if is_all else []


def _start(words: Words) -> Meanings:
    said = [*words.numbers, *words.letters]
    if len(said) != 1 or words.values or words.steps:
        return []
    features = _NUMERIC if words.numbers else (codes.LETTER,)
    tiers = _feature_tiers(words, features) if words.features or words.numbers else [[codes.LETTER]]
    return [_directed(words, tier, "starts", said[0]) for tier in tiers]


def _same(words: Words) -> Meanings:
    """All cards alike in a feature: the line shows the value."""
    features = [*_shown(words), *([codes.POKER] if codes.SUIT in words.features else [])]
    if not _has_only(words):
        return []
    exact = codes.VALUE_NAMES[: codes.EVEN]
    return [[one for value in exact for one in _clause(name, "is", value)] for name in features]


def _value(words: Words) -> Meanings:
    """Every card has the one value that is said."""
    said = [*words.values, *words.numbers, *words.letters]
    if len(said) != 1 or words.steps:
        return []
    if words.numbers:
        return _exact_number(words, said[0])
    if words.letters:
        return _letter(words, said[0])
    if said[0] in _PROPERTIES:
        tiers = _feature_tiers(words, _NUMERIC)
        return [_clauses(tier, "is", _NAMES[said[0]]) for tier in tiers]
    return [_named_value(frozenset(words.features), said[0])]


def _exact_number(words: Words, number: str) -> Meanings:
    if not words.features:
        features = (codes.RANK, codes.NUMBER, codes.DICE, codes.LETTER_VALUE)
        return [_clauses(features, "is", number)]
    if _named(words) == [codes.SUIT] and int(number) < len(COLOUR_NAMES):
        return [_clause(codes.COLOUR, "is", COLOUR_NAMES[int(number)])]
    return [_clauses(_named(words), "is", number)]


def _letter(words: Words, letter: str) -> Meanings:
    features = _named(words) if words.features else [codes.LETTER, codes.RANK]
    return [_clauses(features, "is", letter)]


def _named_value(named: frozenset[int], value: str) -> list[int]:
    """The clauses with a value that has a name, beside the features that the words name."""
    found: list[int] = []
    for feature, names, allowed in _NAMED_VALUES:
        is_allowed = named <= allowed and (bool(named) or feature not in _ASKS_FOR_NAME)
        if value in names and is_allowed:
            found += _clause(feature, "is", names[value])
    return found


def _names(symbols: Iterable[str]) -> dict[str, str]:
    return {symbol: _NAMES[symbol] for symbol in symbols}


# The values with names, each kind with its feature and the features that may be named with it.
_NAMED_VALUES: Final[Sequence[tuple[int, Mapping[str, str], frozenset[int]]]] = (
    (codes.COLOUR, _names(COLOURS), frozenset({codes.COLOUR, codes.SUIT})),
    (codes.SHADE, _names(SHADES), frozenset({codes.SHADE, codes.COLOUR, codes.SUIT})),
    (codes.POKER, _names(POKER_SUITS), frozenset({codes.POKER, codes.SUIT})),
    (
        codes.POKER_COLOUR,
        _names(("BLACK", "RED")),
        frozenset({codes.POKER, codes.POKER_COLOUR, codes.SUIT}),
    ),
    (
        codes.POKER_COLOUR,
        {"DARK": "black", "LIGHT": "red"},
        frozenset({codes.POKER, codes.POKER_COLOUR}),
    ),
    (codes.VOWEL, _names(("VOWEL", "CONSONANT")), frozenset({codes.LETTER})),
    (codes.FACE, _names(("FACE", "NUMBER")), frozenset()),
    (codes.RANK, _names(FACES), frozenset({codes.RANK})),
)
_READERS: Final[Mapping[str, Callable[[Words], Meanings]]] = {
    "IS": _value,
    "SAME": _same,
    "STARTS": _start,
    "RISES": _course("rises"),
    "FALLS": _course("falls"),
    "ORDER": _order,
    "FOLLOWS": _sequence,
    "ALTERNATES": _alternation,
    "PALINDROME": _palindrome,
    "WORD": _word,
    "NEVER_FALLS": _never("never_falls"),
    "NEVER_RISES": _never("never_rises"),
    "PEAKS": _turning("peaks"),
    "DIPS": _turning("dips"),
    "DOUBLES": _growth("doubles"),
    "SUM_OF_TWO": _growth("sum_of_two"),
    "ADDS_TO": _sum,
    "PAIRS": _pairs,
    "OTHERS": _others,
    "HALVES": _halving,
    "EVERY_OTHER": _every_other,
    "BEGINNING": _beginning,
    "EQUALS": _equality,
}

"""The words of a spoken law, sorted: features, patterns, values, and words that no law has."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Final

from tabularium_engines.duel_of_law import cards
from tabularium_engines.duel_of_law.laws import clause_codes as codes
from tabularium_engines.duel_of_law.laws import law_vocabulary_text as vocabulary
from tabularium_engines.duel_of_law.laws.law_idioms_text import UNORDERED, restated


def _symbols_of(names: Iterable[str]) -> list[str]:
    return [name.upper().replace(" ", "_") for name in names]


COLOURS: Final = _symbols_of(cards.COLOUR_NAMES)
SHADES: Final = _symbols_of(cards.SHADE_NAMES)
POKER_SUITS: Final = _symbols_of(cards.POKER_SUITS)
FACES: Final = ("J", "Q", "K")


class Words:
    """The words of a sentence, with symbols for those of the vocabulary."""

    def __init__(self, words: Sequence[str], plain: str = "") -> None:
        self.plain = plain
        self.words = words
        self.features = [
            codes.FEATURE_NAMES.index(name.lower()) for name in self._named(vocabulary.FEATURE)
        ]
        self.patterns = {*self._named(vocabulary.PATTERN)}
        self.all_values = [*self._named(vocabulary.VALUE)]
        self.values = list(dict.fromkeys(self.all_values))
        self.listed = [*_listed(words)]  # values of all kinds, as often as they are said
        self.is_unordered = UNORDERED in words
        self.hues = [hue.lower() for hue in self._named(vocabulary.HUE)]
        self.steps = list(dict.fromkeys(self._named(vocabulary.STEP)))
        self.numbers = list(dict.fromkeys(word for word in words if word.isdecimal()))
        self.letters = [word.upper() for word in words if _is_letter(word) and word not in "ai"]
        self.is_backward = vocabulary.BACKWARD in words
        self.unknown = [word for word in words if not _is_known(word)]
        if self._ends_with_letter():
            self.letters = [self._last_word().upper()]

    @classmethod
    def of(cls, sentence: str) -> Words:
        """The words of a sentence."""
        plain = vocabulary.plain_words(sentence)
        return cls(vocabulary.symbols(restated(plain)).split(), plain)

    @classmethod
    def of_the_game(cls, sentence: str) -> Words:
        """The words of a sentence of the game, which has no idioms."""
        return cls(vocabulary.symbols(vocabulary.plain_words(sentence)).split())

    @property
    def symbols(self) -> str:
        """The sentence with its symbols."""
        return " ".join(self.words)

    @property
    def content(self) -> frozenset[str]:
        """All that is said besides fillers."""
        return (frozenset(self.words) - vocabulary.FILLERS) | {*self.letters}

    @property
    def is_list(self) -> bool:
        """Whether several values are listed."""
        is_spelt_out = bool(self.unknown) and any(word.startswith("spel") for word in self.words)
        kinds = [self.numbers, self.letters, *map(self._values_in, (COLOURS, POKER_SUITS, FACES))]
        is_in_turn = "ALTERNATES" in self.patterns and len(self.values + self.hues) > 1
        return is_spelt_out or is_in_turn or any(len(kind) > 1 for kind in kinds)

    def parts(self) -> Iterator[tuple[Words, Words]]:
        """Each pattern and value: with the features that are named, and alone."""
        features = [word for word in self.words if word.startswith(vocabulary.FEATURE)]
        for word in self.words:
            if word.startswith((vocabulary.PATTERN, vocabulary.VALUE)):
                starts = self.numbers + self.letters if word.endswith("STARTS") else []
                yield Words([*features, word, *starts]), Words([word, *starts])

    def _named(self, prefix: str) -> Iterator[str]:
        return (word.removeprefix(prefix) for word in self.words if word.startswith(prefix))

    def _values_in(self, kind: Iterable[str]) -> list[str]:
        return [value for value in self.values if value in kind]

    def _ends_with_letter(self) -> bool:
        """Whether an A or I at the end is a letter, as in "every letter is a"."""
        has_value = self.values or self.numbers or self.letters or self.hues
        needs_value = self.patterns <= {"STARTS"} and codes.LETTER in self.features
        return needs_value and not has_value and self._last_word() in ("a", "i")

    def _last_word(self) -> str:
        rest = [word for word in self.words if word not in ("read", vocabulary.BACKWARD)]
        return rest[-1]


def _listed(words: Iterable[str]) -> Iterator[str]:
    """The values, numbers and letters among the words."""
    for word in words:
        if word.startswith(vocabulary.VALUE):
            yield word.removeprefix(vocabulary.VALUE)
        elif word.isdecimal() or (_is_letter(word) and word not in "ai"):
            yield word.upper()


def _is_letter(word: str) -> bool:
    return len(word) == 1 and "a" <= word <= "z"


def _is_known(word: str) -> bool:
    is_symbol = word.startswith(vocabulary.SYMBOLS) or word.isdecimal() or _is_letter(word)
    return is_symbol or word in vocabulary.FILLERS

"""The English words that a line may spell: a lexicon of two automata, for words read from left to
right and from right to left.

A node is a set of letters that may come next, with a bit above them if a word may end here; the
nodes to which these letters lead follow it. `lexicon.bin` is generated from `words.txt` by `python
-m tests.engines.duel_of_law.automaton`; another list would be another version of the rules.
"""

from __future__ import annotations

import sys
from array import array
from importlib.resources import files
from typing import Final

from librt.vecs import vec
from mypy_extensions import i64

from tabularium_engines.common.bits import bit, count

WORDS_SHA256: Final = (  # of words.txt, in version 1 of the rules
    "a558305a98c152c93edf8b915111ab26a7aff0bea583ed9bb4835dd831c88b79"
)
ALPHABET_SIZE: Final[i64] = 26
WORD_END_BIT: Final[i64] = 26  # set if a word may end here
NO_NODE: Final[i64] = -1  # no word begins with these letters


class Lexicon:
    """Both automata in one array; `roots` holds the start of each, by direction."""

    def __init__(self, numbers: vec[i64]) -> None:
        self.roots: vec[i64] = vec[i64]([numbers[0], numbers[1]])
        self.nodes: vec[i64] = numbers

    def letters(self, node: i64) -> i64:
        """The set of letters that may come next, 0 to 25."""
        return self.nodes[node] & (bit(ALPHABET_SIZE) - 1)

    def is_word(self, node: i64) -> bool:
        """Whether the letters read so far are a word."""
        return (self.nodes[node] >> WORD_END_BIT) & 1 == 1

    def step(self, node: i64, letter: i64) -> i64:
        """The node to which a letter leads; NO_NODE if there is none."""
        letters = self.nodes[node]
        if (letters >> letter) & 1 == 0:
            return NO_NODE
        return self.nodes[node + 1 + count(letters & (bit(letter) - 1))]


def _read_lexicon() -> Lexicon:
    """Read the automata from their file of 32-bit numbers, the lowest byte first."""
    numbers = array("I")
    numbers.frombytes(files("tabularium_engines.duel_of_law").joinpath("lexicon.bin").read_bytes())
    if sys.byteorder == "big":
        numbers.byteswap()
    return Lexicon(vec[i64](numbers))


_LEXICON_CACHE: Final[list[Lexicon]] = []


def load_lexicon() -> Lexicon:
    """The words of these rules, read on first use."""
    if len(_LEXICON_CACHE) == 0:
        _LEXICON_CACHE.append(_read_lexicon())
    return _LEXICON_CACHE[0]

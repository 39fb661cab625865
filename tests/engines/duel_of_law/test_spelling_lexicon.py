"""The word automaton: it accepts exactly the words of the list, forward and backward."""

from __future__ import annotations

from collections.abc import Callable
from hashlib import sha256
from random import Random

import pytest

from tabularium_engines.duel_of_law.spelling_lexicon import (
    NO_NODE,
    WORDS_SHA256,
    Lexicon,
    load_lexicon,
)
from tests.engines.duel_of_law import automaton


def letter_numbers(word: str) -> list[int]:
    """The letters as numbers from 0 to 25."""
    return [ord(letter) - ord("a") for letter in word]


def is_spelled_word(lexicon: Lexicon, letters: list[int], direction: int) -> bool:
    """Whether these letters, read in this direction, make a word."""
    node = lexicon.roots[direction]
    for letter in letters:
        node = lexicon.step(node, letter)
        if node == NO_NODE:
            return False
    return lexicon.is_word(node)


def all_words(lexicon: Lexicon, direction: int) -> list[str]:
    """All words that an automaton accepts."""
    words = []
    pending_nodes = [(int(lexicon.roots[direction]), "")]
    while pending_nodes:
        node, prefix = pending_nodes.pop()
        if lexicon.is_word(node):
            words.append(prefix)
        pending_nodes += [
            (int(lexicon.step(node, letter)), prefix + chr(ord("a") + letter))
            for letter in range(26)
            if int(lexicon.letters(node)) >> letter & 1
        ]
    return words


def test_R39_the_words_are_those_of_this_version() -> None:
    list_bytes = (automaton.FOLDER / "words.txt").read_bytes()
    assert sha256(list_bytes).hexdigest() == WORDS_SHA256
    assert len(automaton.words()) == len(set(automaton.words())) == 79_551
    assert min(map(len, automaton.words())) == 3
    assert (automaton.FOLDER / "COPYRIGHT.SCOWL").stat().st_size > 10_000


@pytest.mark.parametrize("direction", [0, 1])
def test_R39_both_automata_spell_exactly_the_list(direction: int) -> None:
    spelled_words = sorted(
        word[:: -1 if direction else 1] for word in all_words(load_lexicon(), direction)
    )
    assert spelled_words == sorted(automaton.words())


@pytest.mark.soak
def test_the_file_is_built_from_the_list() -> None:
    assert (automaton.FOLDER / "lexicon.bin").read_bytes() == automaton.lexicon()


@pytest.mark.parametrize("word", ["then", "thin", "insect", "dry", "laundry", "level", "yam"])
def test_words_of_the_printed_rules_are_accepted(word: str) -> None:
    assert is_spelled_word(load_lexicon(), letter_numbers(word), 0)
    assert is_spelled_word(load_lexicon(), letter_numbers(word[::-1]), 1)


def test_other_letters_are_not_accepted(games_count: Callable[[int, int], int]) -> None:
    random, known_words = Random(5), set(automaton.words())
    for _ in range(games_count(500, 100_000)):
        letters = "".join(random.choices("etaonirsh", k=random.randint(1, 6)))
        assert is_spelled_word(load_lexicon(), letter_numbers(letters), 0) == (
            letters in known_words
        )
        assert is_spelled_word(load_lexicon(), letter_numbers(letters), 1) == (
            letters[::-1] in known_words
        )

"""Parts of words: whether letters that lie next to each other can become an English word when more
are added at either end."""

from __future__ import annotations

from typing import Final

from librt.vecs import vec
from mypy_extensions import i64

from tabularium_engines.common.bits import bit, members
from tabularium_engines.duel_of_law.cards import LETTER_BY_CARD, REGULAR_COUNT
from tabularium_engines.duel_of_law.laws import clause_codes as codes
from tabularium_engines.duel_of_law.laws.card_features import PRINT_OF
from tabularium_engines.duel_of_law.laws.possible_joker_values import open_values
from tabularium_engines.duel_of_law.spelling_lexicon import ALPHABET_SIZE, load_lexicon

_MAX_CACHED_PARTS: Final = 50_000
_ANSWER_CACHE: Final[dict[tuple[i64, ...], bool]] = {}
# By direction and letter: the nodes to which the letter leads from anywhere in a word.
_NODE_CACHE: Final[dict[i64, list[i64]]] = {}


def can_become_word(line: vec[i64], direction: i64, wilds: vec[i64]) -> bool:
    """Whether the letters of a line are a word, or a part of one, in this direction."""
    letters = [_open_letters(card, wilds) for card in line]
    key = (direction, *letters)
    answer = _ANSWER_CACHE.get(key)
    if answer is None:
        if len(_ANSWER_CACHE) >= _MAX_CACHED_PARTS:
            _ANSWER_CACHE.clear()
        answer = _is_part_of_word(letters, direction)
        _ANSWER_CACHE[key] = answer
    return answer


def _open_letters(card: i64, wilds: vec[i64]) -> i64:
    """The set of letters that a card may be."""
    if card < REGULAR_COUNT:
        return bit(LETTER_BY_CARD[card])
    found: i64 = 0
    for letter in open_values(wilds, card, PRINT_OF[codes.LETTER]):
        found |= bit(letter)
    return found


def _is_part_of_word(letters: list[i64], direction: i64) -> bool:
    words = load_lexicon()
    nodes: dict[i64, bool] = {}
    for letter in members(letters[0]):
        nodes.update(dict.fromkeys(_nodes_after(direction, letter), True))
    for place in range(1, len(letters)):
        following: dict[i64, bool] = {}
        for node in nodes:
            for letter in members(letters[place] & words.letters(node)):
                following[words.step(node, letter)] = True
        nodes = following
    return len(nodes) > 0


def _nodes_after(direction: i64, letter: i64) -> list[i64]:
    if len(_NODE_CACHE) == 0:
        for way in range(2):
            _add_nodes(way)
    return _NODE_CACHE[direction * ALPHABET_SIZE + letter]


def _add_nodes(direction: i64) -> None:
    """Visit all nodes of an automaton, and note each by the letters that lead to it."""
    words = load_lexicon()
    found: list[dict[i64, bool]] = [{} for _ in range(ALPHABET_SIZE)]
    pending = [words.roots[direction]]
    seen: dict[i64, bool] = {words.roots[direction]: True}
    while len(pending) > 0:
        node = pending.pop()
        for letter in members(words.letters(node)):
            other = words.step(node, letter)
            found[letter][other] = True
            if other not in seen:
                seen[other] = True
                pending.append(other)
    for letter in range(ALPHABET_SIZE):
        _NODE_CACHE[direction * ALPHABET_SIZE + letter] = list(found[letter])

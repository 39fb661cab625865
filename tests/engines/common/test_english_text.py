"""Phrases that the texts of all games share."""

from __future__ import annotations

import pytest

from tabularium_engines.common.english_text import (
    card_name,
    join_words,
    pluralize,
    seats_text,
    words_of,
)


@pytest.mark.parametrize(
    ("number", "phrase"), [(0, "0 cards"), (1, "1 card"), (2, "2 cards"), (11, "11 cards")]
)
def test_one_is_singular(number: int, phrase: str) -> None:
    assert pluralize(number, "card") == phrase


@pytest.mark.parametrize(
    ("words", "phrase"),
    [([], ""), (["a"], "a"), (["a", "b"], "a and b"), (["a", "b", "c"], "a, b and c")],
)
def test_the_last_word_has_a_link(words: list[str], phrase: str) -> None:
    assert join_words(words) == phrase
    assert join_words(iter(words), "or") == phrase.replace(" and ", " or ")


def test_seats_are_listed() -> None:
    assert seats_text([1]) == "Seat 1"
    assert seats_text([0, 2]) == "Seats 0 and 2"


def test_cards_have_names_to_be_read_aloud() -> None:
    assert card_name("7S") == "7 of spades"
    assert card_name("10H") == "10 of hearts"
    assert [card_name(f"{rank}C").split()[0] for rank in "JQKA"] == ["jack", "queen", "king", "ace"]


def test_facts_are_put_into_words_by_name() -> None:
    words = words_of({"count": 2, "card": "7S"}, {"card": str.lower, "seat": str})
    assert words == {"count": 2, "card": "7s"}

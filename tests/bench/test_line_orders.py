"""The orders that the bench tries are enough: they find what all orders of a small hand find."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import permutations
from random import Random

import pytest
from librt.vecs import vec
from mypy_extensions import i64

from bench.line_orders import NO_LAW, Reading, can_follow
from tabularium_engines.duel_of_law.cards import CARD_CODES, CARD_COUNT, REGULAR_COUNT
from tabularium_engines.duel_of_law.laws import clause_codes as codes
from tabularium_engines.duel_of_law.laws.card_features import NUMBERS_ON_CARD
from tabularium_engines.duel_of_law.laws.clauses_on_line import multi_card_clauses
from tabularium_engines.duel_of_law.laws.law_language import SECOND_LANGUAGE

UNTRIED = {codes.STARTS, codes.WORD}


@pytest.mark.parametrize(("size", "seed"), [(5, n) for n in range(12)] + [(4, 12), (6, 13)])
def test_they_find_each_clause_that_some_order_of_a_hand_follows(size: int, seed: int) -> None:
    hand = Random(seed).sample(range(int(REGULAR_COUNT)), size)
    followed = {
        int(clause)
        for order in permutations(hand)
        for clause in multi_card_clauses(vec[i64](order), NO_LAW, SECOND_LANGUAGE)
        if codes.pattern_in(clause) not in UNTRIED and codes.direction_in(clause) == 0
    }
    clauses = map(int, SECOND_LANGUAGE.first_clauses)
    tried = {clause for clause in clauses if codes.direction_in(clause) == 0}
    assert {clause for clause in tried if can_follow(clause, hand)} == followed & tried


def test_a_hand_that_falls_only_because_courses_begin_again() -> None:
    codes_of_hand = ["10J", "7J", "5K", "48", "20", "14", "05", "95", "7Q", "59", "30", "1J"]
    hand = [CARD_CODES.index(code) for code in codes_of_hand]
    falls = int(codes.encode_clause(codes.SUIT, codes.FALLS))
    readings: tuple[Reading, ...] = ("any", "first", "none")
    assert [can_follow(falls, hand, reading) for reading in readings] == [True, False, False]


@pytest.mark.parametrize(
    ("dice", "readings"),
    [
        ("13623", ["any"]),
        ("12612", ["any", "first"]),  # as the print begins again
        ("12345", ["any", "first", "none"]),
        ("121", []),  # there is no six to begin again after
    ],
)
def test_the_readings_of_a_course_that_begins_again(dice: str, readings: list[Reading]) -> None:
    cards = {value: dice_cards(int(value)) for value in dice}
    hand = [next(cards[value]) for value in dice]
    rises = int(codes.encode_clause(codes.DICE, codes.RISES))
    found = [each for each in ("any", "first", "none") if can_follow(rises, hand, each)]
    assert found == readings


def dice_cards(value: int) -> Iterator[int]:
    """The cards with that die."""
    first = codes.DICE * CARD_COUNT
    return (card for card in range(int(REGULAR_COUNT)) if NUMBERS_ON_CARD[first + card] == value)

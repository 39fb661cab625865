"""The deck: it is the published one."""

from __future__ import annotations

from collections import Counter

from tabularium_engines.duel_of_law import cards
from tabularium_engines.duel_of_law.news_text import TOKEN_COLOUR_NAMES

REGULAR = range(int(cards.REGULAR_COUNT))
QUANTITIES = "A13 B2 C4 D7 E19 F3 G3 H9 I11 J1 K1 L6 M4 N10 O11 P3 Q1 R9 S10 T14 U4 V2 W4 X1 Y3 Z1"
SETS = "ACD ABCD EF EGH HIJKL IL LMNO NO PQRS RST TWX TUVWYZ"


def letter(card: int) -> str:
    return cards.ALPHABET[cards.LETTER_BY_CARD[card]]


def test_every_card_has_its_own_code() -> None:
    assert len(set(cards.CARD_CODES)) == len(cards.CARD_CODES) == cards.CARD_COUNT == 162
    assert [cards.CARD_CODES[card] for card in (0, 9, 10, 13, 155, 156, 161)] == (
        ["00", "09", "0J", "10", "11K", "*1", "*6"]
    )


def test_each_number_from_0_to_119_occurs_once() -> None:
    numbers = sorted(int(cards.NUMBER_BY_CARD[card]) for card in REGULAR)
    assert numbers == [-1] * 36 + list(range(120))
    assert all(
        cards.CARD_CODES[card] == f"{cards.NUMBER_BY_CARD[card]:02}"
        for card in REGULAR
        if rank(card) < 10
    )


def rank(card: int) -> int:
    return int(cards.RANK_BY_CARD[card])


def test_R1_each_seat_has_a_colour_of_its_own() -> None:
    assert TOKEN_COLOUR_NAMES == ("Red", "Blue", "Green", "Purple")


def test_R2_each_letter_has_its_published_quantity() -> None:
    counts = Counter(letter(card) for card in REGULAR)
    assert counts == {quantity[0]: int(quantity[1:]) for quantity in QUANTITIES.split()}
    for suit, letters in enumerate(SETS.split()):
        assert {letter(card) for card in REGULAR if cards.SUIT_BY_CARD[card] == suit} == set(
            letters
        )


def test_R2_each_pair_of_suits_has_its_part_of_the_alphabet_in_order() -> None:
    alphabet = "".join(quantity[0] * int(quantity[1:]) for quantity in QUANTITIES.split())
    for pair in range(6):
        dark, light = cards.LETTERS_BY_SUIT[2 * pair], cards.LETTERS_BY_SUIT[2 * pair + 1]
        assert dark[:9] + light[:9] + dark[9:] + light[9:] == alphabet[26 * pair : 26 * pair + 26]


def test_shade_dice_and_poker_suit_follow_from_the_suit() -> None:
    for card in REGULAR:
        suit = int(cards.SUIT_BY_CARD[card])
        assert cards.DIE_BY_CARD[card] == suit // 2 + 1
        assert cards.SHADE_NAMES[cards.SHADE_BY_CARD[card]] == ("dark", "light")[suit % 2]
        poker = cards.POKER_SUITS[cards.POKER_SUIT_BY_CARD[card]]
        assert poker in (("spades", "clubs"), ("hearts", "diamonds"))[suit % 2]
        assert cards.COLOUR_NAMES[suit].startswith("light ") <= (suit % 2 == 1)


def test_jokers_show_only_a_die_and_a_shade() -> None:
    jokers = range(156, 162)
    assert [int(cards.DIE_BY_CARD[card]) for card in jokers] == [1, 2, 3, 4, 5, 6]
    assert [int(cards.SHADE_BY_CARD[card]) for card in jokers] == [0, 1, 1, 0, 0, 1]
    for feature in (
        cards.SUIT_BY_CARD,
        cards.RANK_BY_CARD,
        cards.NUMBER_BY_CARD,
        cards.LETTER_BY_CARD,
        cards.LETTER_VALUE_BY_CARD,
        cards.POKER_SUIT_BY_CARD,
    ):
        assert all(feature[card] == cards.NO_FEATURE for card in jokers)
    assert [card for card in range(162) if cards.is_joker(card)] == list(jokers)

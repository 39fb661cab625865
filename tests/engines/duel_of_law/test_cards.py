"""Is the deck the published one?"""

from __future__ import annotations

from collections import Counter

from games.engines.duel_of_law import cards
from games.engines.duel_of_law.news import TOKENS

REGULAR = range(int(cards.REGULAR))
QUANTITIES = "A13 B2 C4 D7 E19 F3 G3 H9 I11 J1 K1 L6 M4 N10 O11 P3 Q1 R9 S10 T14 U4 V2 W4 X1 Y3 Z1"
SETS = "ACD ABCD EF EGH HIJKL IL LMNO NO PQRS RST TWX TUVWYZ"


def letter(card: int) -> str:
    return cards.ALPHABET[cards.LETTER[card]]


def test_every_card_has_a_code_of_its_own() -> None:
    assert len(set(cards.CODES)) == len(cards.CODES) == cards.CARDS == 162
    assert [cards.CODES[card] for card in (0, 9, 10, 13, 155, 156, 161)] == (
        ["00", "09", "0J", "10", "11K", "*1", "*6"]
    )


def test_the_numbers_from_0_to_119_are_there_once() -> None:
    numbers = sorted(int(cards.NUMBER[card]) for card in REGULAR)
    assert numbers == [-1] * 36 + list(range(120))
    assert all(
        cards.CODES[card] == f"{cards.NUMBER[card]:02}" for card in REGULAR if rank(card) < 10
    )


def rank(card: int) -> int:
    return int(cards.RANK[card])


def test_R1_each_seat_has_a_colour_of_its_own() -> None:
    assert TOKENS == ("Red", "Blue", "Green", "Purple")


def test_R2_letters_are_as_many_as_was_published() -> None:
    found = Counter(letter(card) for card in REGULAR)
    assert found == {one[0]: int(one[1:]) for one in QUANTITIES.split()}
    for suit, letters in enumerate(SETS.split()):
        assert {letter(card) for card in REGULAR if cards.SUIT[card] == suit} == set(letters)


def test_R2_each_pair_of_suits_has_its_part_of_the_alphabet_in_order() -> None:
    run = "".join(one[0] * int(one[1:]) for one in QUANTITIES.split())
    for pair in range(6):
        dark, light = cards.LETTERS[2 * pair], cards.LETTERS[2 * pair + 1]
        assert dark[:9] + light[:9] + dark[9:] + light[9:] == run[26 * pair : 26 * pair + 26]


def test_shade_dice_and_poker_suit_follow_from_the_suit() -> None:
    for card in REGULAR:
        suit = int(cards.SUIT[card])
        assert cards.DICE[card] == suit // 2 + 1
        assert cards.SHADES[cards.SHADE[card]] == ("dark", "light")[suit % 2]
        poker = cards.POKER_SUITS[cards.POKER[card]]
        assert poker in (("spades", "clubs"), ("hearts", "diamonds"))[suit % 2]
        assert cards.COLOURS[suit].startswith("light ") <= (suit % 2 == 1)


def test_jokers_show_a_die_and_a_shade_and_nothing_else() -> None:
    jokers = range(156, 162)
    assert [int(cards.DICE[card]) for card in jokers] == [1, 2, 3, 4, 5, 6]
    assert [int(cards.SHADE[card]) for card in jokers] == [0, 1, 1, 0, 0, 1]
    for feature in (cards.SUIT, cards.RANK, cards.NUMBER, cards.LETTER, cards.VALUE, cards.POKER):
        assert all(feature[card] == cards.NONE for card in jokers)
    assert [card for card in range(162) if cards.is_joker(card)] == list(jokers)

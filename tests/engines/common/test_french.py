"""The French deck: four suits of thirteen, each card with one code and one sign."""

from __future__ import annotations

import pytest

from games.engines.common import french_deck
from games.engines.common.bits import members


def test_fifty_two_cards_each_with_a_code_and_a_sign() -> None:
    cards = range(52)
    assert [french_deck.card_code(card) for card in cards] == list(french_deck.CARD_CODES)
    assert len(set(french_deck.CARD_CODES)) == 52
    assert len({french_deck.card_sign(card) for card in cards}) == 52
    assert members(french_deck.FULL_DECK) == list(cards)


@pytest.mark.parametrize("suit", range(4))
def test_a_suit_is_thirteen_neighbouring_cards(suit: int) -> None:
    cards = members(french_deck.suit_mask(suit))
    assert cards == list(range(13 * suit, 13 * suit + 13))
    assert {int(french_deck.suit_of(card)) for card in cards} == {suit}
    assert [french_deck.rank_of(card) for card in cards] == list(range(13))


@pytest.mark.parametrize(
    ("suit", "rank", "code", "sign"),
    [
        (french_deck.SPADES, french_deck.TWO, "2S", "2♠"),
        (french_deck.HEARTS, french_deck.TEN, "10H", "10♥"),
        (french_deck.DIAMONDS, french_deck.QUEEN, "QD", "Q♦"),
        (french_deck.CLUBS, french_deck.ACE, "AC", "A♣"),
    ],
)
def test_a_card_has_a_code_for_programs_and_a_sign_for_people(
    suit: int, rank: int, code: str, sign: str
) -> None:
    card = suit * 13 + rank
    assert (french_deck.card_code(card), french_deck.card_sign(card)) == (code, sign)
    assert french_deck.SUIT_NAMES[french_deck.suit_of(card)][0].upper() == code[-1]

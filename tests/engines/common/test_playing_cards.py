"""The French deck: four suits of thirteen, each card with one code and one sign."""

from __future__ import annotations

import pytest

from tabularium_engines.common import playing_cards
from tabularium_engines.common.bits import members


def test_fifty_two_cards_each_with_a_code_and_a_sign() -> None:
    cards = range(52)
    assert [playing_cards.card_code(card) for card in cards] == list(playing_cards.CARD_CODES)
    assert len(set(playing_cards.CARD_CODES)) == 52
    assert len({playing_cards.card_sign(card) for card in cards}) == 52
    assert members(playing_cards.FULL_DECK) == list(cards)


@pytest.mark.parametrize("suit", range(4))
def test_a_suit_is_thirteen_neighbouring_cards(suit: int) -> None:
    cards = members(playing_cards.suit_mask(suit))
    assert cards == list(range(13 * suit, 13 * suit + 13))
    assert {int(playing_cards.suit_of(card)) for card in cards} == {suit}
    assert [playing_cards.rank_of(card) for card in cards] == list(range(13))


@pytest.mark.parametrize(
    ("suit", "rank", "code", "sign"),
    [
        (playing_cards.SPADES, playing_cards.TWO, "2S", "2♠"),
        (playing_cards.HEARTS, playing_cards.TEN, "10H", "10♥"),
        (playing_cards.DIAMONDS, playing_cards.QUEEN, "QD", "Q♦"),
        (playing_cards.CLUBS, playing_cards.ACE, "AC", "A♣"),
    ],
)
def test_a_card_has_a_code_for_programs_and_a_sign_for_people(
    suit: int, rank: int, code: str, sign: str
) -> None:
    card = suit * 13 + rank
    assert (playing_cards.card_code(card), playing_cards.card_sign(card)) == (code, sign)
    assert playing_cards.SUIT_NAMES[playing_cards.suit_of(card)][0].upper() == code[-1]

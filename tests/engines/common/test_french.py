"""The French deck: four suits of thirteen, each card with one code and one sign."""

from __future__ import annotations

import pytest

from games.engines.common import french
from games.engines.common.bits import members


def test_fifty_two_cards_each_with_a_code_and_a_sign() -> None:
    cards = range(52)
    assert [french.card_code(card) for card in cards] == list(french.CARD_CODES)
    assert len(set(french.CARD_CODES)) == 52
    assert len({french.card_sign(card) for card in cards}) == 52
    assert members(french.FULL_DECK) == list(cards)


@pytest.mark.parametrize("suit", range(4))
def test_a_suit_is_thirteen_neighbouring_cards(suit: int) -> None:
    cards = members(french.suit_mask(suit))
    assert cards == list(range(13 * suit, 13 * suit + 13))
    assert {int(french.suit_of(card)) for card in cards} == {suit}
    assert [french.rank_of(card) for card in cards] == list(range(13))


@pytest.mark.parametrize(
    ("suit", "rank", "code", "sign"),
    [
        (french.SPADES, french.TWO, "2S", "2♠"),
        (french.HEARTS, french.TEN, "10H", "10♥"),
        (french.DIAMONDS, french.QUEEN, "QD", "Q♦"),
        (french.CLUBS, french.ACE, "AC", "A♣"),
    ],
)
def test_cards_are_written_as_people_and_programs_do(
    suit: int, rank: int, code: str, sign: str
) -> None:
    card = suit * 13 + rank
    assert (french.card_code(card), french.card_sign(card)) == (code, sign)
    assert french.SUIT_NAMES[french.suit_of(card)][0].upper() == code[-1]

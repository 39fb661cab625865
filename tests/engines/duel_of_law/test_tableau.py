"""The tableau: it finds the cards on it, and a lifted card leaves no trace."""

from __future__ import annotations

from random import Random

from tabularium_engines.duel_of_law.cards import CARD_COUNT, NO_CARD
from tabularium_engines.duel_of_law.tableau import ORIGIN, empty_tableau


def test_a_lifted_card_leaves_no_trace() -> None:
    chance = Random(1)
    places = chance.sample(
        [ORIGIN + 256 * row + column for row in range(14) for column in range(14)], 80
    )
    cards = chance.sample(range(CARD_COUNT), 80)
    tableau = empty_tableau()
    card_by_place: dict[int, int] = {}
    for card, place in zip(cards, places, strict=True):
        for other in chance.sample(range(CARD_COUNT), 3):  # laid on trial, and lifted again
            if other not in card_by_place.values() and other != card:
                tableau.lay(other, place)
                assert tableau.card_at(place) == other
                tableau.lift(other)
                assert tableau.card_at(place) == NO_CARD
        tableau.lay(card, place)
        card_by_place[place] = card
        assert all(
            tableau.card_at(other_place) == other_card
            for other_place, other_card in card_by_place.items()
        )
    assert [int(card) for card in tableau.cards()] == sorted(card_by_place.values())


def test_a_copy_is_independent() -> None:
    tableau = empty_tableau()
    tableau.lay(7, ORIGIN)
    copy = tableau.clone()
    copy.lay(8, ORIGIN + 1)
    assert tableau.card_at(ORIGIN + 1) == NO_CARD
    assert copy.card_at(ORIGIN) == 7

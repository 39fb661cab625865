"""The tableau: it finds the cards that lie on it, and keeps no trace of cards that are lifted."""

from __future__ import annotations

from random import Random

from librt.vecs import vec
from mypy_extensions import i64

from games.engines.duel_of_law.cards import CARD_COUNT, NO_CARD
from games.engines.duel_of_law.decision_codes import card_in, place_in
from games.engines.duel_of_law.play_selection import Trial
from games.engines.duel_of_law.tableau import ORIGIN, empty_tableau
from tests.engines.duel_of_law.tables import RED, grid, lay, table


def test_a_card_that_is_lifted_again_leaves_no_trace() -> None:
    random = Random(1)
    places = random.sample(
        [ORIGIN + 256 * row + column for row in range(14) for column in range(14)], 80
    )
    cards = random.sample(range(CARD_COUNT), 80)
    tableau = empty_tableau()
    lying: dict[int, int] = {}
    for card, place in zip(cards, places, strict=True):
        for other in random.sample(range(CARD_COUNT), 3):  # laid on trial, and lifted again
            if other not in lying.values() and other != card:
                tableau.lay(other, place)
                assert tableau.card_at(place) == other
                tableau.lift(other)
                assert tableau.card_at(place) == NO_CARD
        tableau.lay(card, place)
        lying[place] = card
        assert all(tableau.card_at(spot) == there for spot, there in lying.items())
    assert [int(card) for card in tableau.cards()] == sorted(lying.values())


def test_what_a_copy_is_given_the_other_does_not_have() -> None:
    tableau = empty_tableau()
    tableau.lay(7, ORIGIN)
    copy = tableau.clone()
    copy.lay(8, ORIGIN + 1)
    assert tableau.card_at(ORIGIN + 1) == NO_CARD
    assert copy.card_at(ORIGIN) == 7


def test_to_ask_what_a_card_would_bring_changes_nothing() -> None:
    state = table(grid("00 02 .\n20 22 ."), ("04 24 34 14", "11 12"))
    lay(state, "04", (0, 2))
    before = state.tableau.contents()
    trial = Trial(state.tableau, state.laid, RED)
    steps = trial.continuations(state.cards_in_zone(RED))
    found = [trial.gain_after(step) for step in steps]
    assert state.tableau.contents() == before
    for step, gain in zip(steps, found, strict=True):
        copy = state.tableau.clone()
        copy.lay(card_in(step), place_in(step))
        assert Trial(copy, vec[i64]([*state.laid, card_in(step)]), RED).gain == gain
    assert len({*found}) > 1

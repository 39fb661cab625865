"""Random sets of Laws: the game stays consistent under any Laws in force from the start, bound or
not."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from random import Random

import pytest

from tabularium_engines.common.bits import bit, members
from tabularium_engines.common.playing_cards import CARD_CODES, CARD_COUNT
from tabularium_engines.common.random_generators import FastRng
from tabularium_engines.law import ENGINE, card_moves, effect_chains
from tabularium_engines.law.game_logic import LawState, advance
from tabularium_engines.law.game_options import V2Options as Options
from tabularium_engines.law.laws import EVENT_CARDS, LAW_BY_CARD

STEPS = 120  # per game; the conformance suite plays whole games
STEPS_PER_VIEW_CHECK = 30
MAX_LAWS = 8


def table_under_laws(chance: Random, seats: int) -> LawState:
    """A table with hands of any size and up to eight Laws collected, some of them bound."""
    rng = FastRng(chance.randrange(2**40))
    state = ENGINE.start(Options(), seats, rng)
    for seat in range(seats):
        for _ in range(chance.randint(0, 8)):
            card = card_moves.take_top_card_seen_by(state, bit(seat), rng)
            card_moves.add_to_hand(state, seat, bit(card), bit(seat))
    law_cards = members(state.piles.rest & ~EVENT_CARDS)
    laws = chance.sample(law_cards, chance.randint(1, min(MAX_LAWS, 3 * seats)))
    for place, law in enumerate(laws):
        state.piles.rest ^= bit(law)
        effect_chains.collect_law(state, place % seats, law)
        if chance.random() < 0.15:
            bound_seat = chance.randrange(seats)
            state.bound[bound_seat] = state.bound[bound_seat] | bit(law)
    advance(state, rng)
    return state


def play_and_check(state: LawState, chance: Random, law_counts: Counter[int]) -> None:
    """Take random steps; check the state after each, and the views after some."""
    rng = FastRng(chance.randrange(2**40))
    for step in range(STEPS):
        if state.to_act == 0:
            break
        awaited = ENGINE.awaited_seats(state)
        seats = range(state.seats) if chance.random() < 0.2 else awaited
        seat = chance.choice(
            [candidate for candidate in seats if state.legal_actions(candidate)] or awaited
        )
        actions = state.legal_actions(seat)
        assert actions, f"seat {seat} can do nothing"
        assert len(set(actions)) == len(actions)
        state.apply(seat, chance.choice(actions), rng)
        check_state(state)
        law_counts.update(int(law) for law in members(state.collected_cards()))
        if step % STEPS_PER_VIEW_CHECK == 0:
            check_views(state, chance)


def check_state(state: LawState) -> None:
    """No card is lost or duplicated, and a viewer's known cards exclude its own hand and open
    cards."""
    assert state.cards() == list(range(CARD_COUNT))
    for viewer in range(state.seats + 1):
        own_hand = state.hands[viewer] if viewer < state.seats else 0
        assert state.known_cards[viewer] & (own_hand | state.open_cards()) == 0
        unplaced = state.unplaced_cards[viewer]
        assert unplaced & (state.known_cards[viewer] | ~sum(map(bit, state.piles.stack))) == 0
    for seat in range(state.seats):
        assert state.bound[seat] & ~state.collected_cards() == 0


def check_views(state: LawState, chance: Random) -> None:
    """Every viewer has the same view and legal actions in an imagined world."""
    for viewer in [*range(state.seats), None]:
        view = ENGINE.view(state, viewer)
        world = ENGINE.imagine(view, FastRng(chance.randrange(2**40)))
        assert ENGINE.view(world, viewer) == view
        if viewer is not None:
            assert world.legal_actions(viewer) == state.legal_actions(viewer)
            for action in world.legal_actions(viewer)[:40]:
                world.clone().apply(viewer, action, FastRng(1))


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_any_laws_together_make_a_consistent_game(
    seats: int, games_count: Callable[[int, int], int]
) -> None:
    law_counts: Counter[int] = Counter()
    for seed in range(games_count(25, 50_000 // 3)):
        chance = Random(seed * 10 + seats)
        play_and_check(table_under_laws(chance, seats), chance, law_counts)
    assert sum(law_counts.values()) > 0


def test_every_law_has_its_own_card() -> None:
    assert [law.code for law in LAW_BY_CARD] == list(CARD_CODES)
    assert sum(1 << card for card, law in enumerate(LAW_BY_CARD) if law.is_event) == EVENT_CARDS

"""Determinization: each hidden card is in each place as often as in a fair deal, and the true deal
is no more frequent than any other world."""

from __future__ import annotations

from math import comb, sqrt
from typing import Any

import pytest

from tabularium_engines.common.bits import members
from tabularium_engines.common.random_generators import FastRng
from tabularium_engines.installed.registry import ENGINES
from tabularium_engines.law_of_the_dice.game_logic import DiceState
from tabularium_engines.law_of_the_dice.game_options import Options
from tabularium_engines.promises.random_games import all_viewers, play, viewer_seat

ENGINE = ENGINES["law_of_the_dice"]
DEALS = 400
SIGMAS = 5
Places = list[set[int]]


def places(state: DiceState) -> Places:
    """The cards of each hand, then those of the pile."""
    return [set(map(int, members(cards))) for cards in [*state.deck.hands, state.deck.pile]]


def redeal(state: DiceState, viewer: int | None, seed: int) -> Places:
    """A world, re-dealt in place or imagined from the view."""
    if seed % 2:
        imagined: Any = ENGINE.imagine(ENGINE.view(state, viewer), FastRng(seed))
        return places(imagined)
    world = state.clone()
    world.determinize(viewer_seat(viewer), FastRng(seed))
    return places(world)


def hidden_cards(state: DiceState, viewer: int | None) -> tuple[Places, int]:
    """For each place, the cards that the viewer cannot know to be there, and their total number."""
    known_mask = int(state.deck.known_cards[state.seats if viewer is None else viewer])
    own = state.deck.hands[viewer] if viewer is not None else 0
    known = set(map(int, members(known_mask | int(own))))
    hidden = [cards - known for cards in places(state)]
    return hidden, sum(map(len, hidden))


def positions(seats: int) -> list[Any]:
    """A few positions of a few games."""
    games = (play(ENGINE, Options(), seats, seed) for seed in (1, 2))
    return [p.state for game in games for p in game.positions[:: len(game.positions) // 3]]


@pytest.mark.parametrize("seats", [2, 4, 6])
def test_hidden_cards_are_in_their_true_places_as_often_as_by_chance(seats: int) -> None:
    for state in positions(seats):
        for viewer in all_viewers(state)[-2:]:
            hidden, total = hidden_cards(state, viewer)
            deals = [redeal(state, viewer, seed) for seed in range(DEALS)]
            match_count = sum(
                len(true_cards & dealt_cards)
                for deal in deals
                for true_cards, dealt_cards in zip(hidden, deal, strict=True)
            )
            expected = sum(len(cards) ** 2 for cards in hidden) / max(total, 1) * DEALS
            assert abs(match_count - expected) <= SIGMAS * sqrt(2 * expected) + 1e-9


@pytest.mark.parametrize("seats", [2, 4])
def test_every_hidden_card_reaches_every_place(seats: int) -> None:
    state = positions(seats)[1]
    hidden, total = hidden_cards(state, None)
    deals = [redeal(state, None, seed) for seed in range(DEALS)]
    for card in set().union(*hidden):
        for place, cards in enumerate(hidden):
            share = len(cards) / total
            match_count = sum(card in deal[place] for deal in deals)
            assert (
                abs(match_count - share * DEALS)
                <= SIGMAS * sqrt(DEALS * share * (1 - share)) + 1e-9
            )


def test_the_true_deal_is_as_frequent_as_any_other() -> None:
    """With few cards in the pile there are few worlds, and each is equally frequent."""
    state: Any = ENGINE.start(Options(), 2, FastRng(3))
    seat = int(state.turn)
    hand, pile = state.deck.hands[1 - seat], members(state.deck.pile)
    for card in pile[3:]:
        state.deck.pile ^= 1 << int(card)
        state.deck.discard_pile = type(state.deck.discard_pile)([*state.deck.discard_pile, card])
    total = len(members(hand)) + 3
    worlds = comb(total, 3)
    deal_count = 60 * worlds
    match_count = 0
    truth = places(state)
    for seed in range(deal_count):
        match_count += redeal(state, seat, seed) == truth
    assert abs(match_count - 60) <= SIGMAS * sqrt(60)
    assert worlds == 56

"""Re-deals: each hidden card is in each place as often as in a fair deal, and the true deal is no
more frequent than any other world."""

from __future__ import annotations

from math import comb, sqrt
from typing import Any

import pytest

from games.engines.common.bits import members
from games.engines.common.rng import FastRng
from games.engines.law_of_the_dice.game_logic import DiceState
from games.engines.law_of_the_dice.game_options import Options
from games.registry import ENGINES
from tests.engines.random_games import all_viewers, play, viewer_seat

ENGINE = ENGINES["law_of_the_dice"]
DEALS = 400
SIGMAS = 5
Places = list[set[int]]


def places(state: DiceState) -> Places:
    """The cards of each hand, then those of the pile."""
    return [set(map(int, members(cards))) for cards in [*state.hands, state.pile]]


def dealt_again(state: DiceState, viewer: int | None, seed: int) -> Places:
    """One world, re-dealt in place or imagined from the view."""
    if seed % 2:
        imagined: Any = ENGINE.imagine(ENGINE.view(state, viewer), FastRng(seed))
        return places(imagined)
    world = state.clone()
    world.determinize(viewer_seat(viewer), FastRng(seed))
    return places(world)


def free(state: DiceState, viewer: int | None) -> tuple[Places, int]:
    """For each place, the cards that the viewer cannot know to be there, and their total number."""
    sure = int(state.known_cards[state.seats if viewer is None else viewer])
    own = state.hands[viewer] if viewer is not None else 0
    known = set(map(int, members(sure | int(own))))
    hidden = [cards - known for cards in places(state)]
    return hidden, sum(map(len, hidden))


def positions(seats: int) -> list[Any]:
    """A few positions of a few games."""
    games = (play(ENGINE, Options(), seats, seed) for seed in (1, 2))
    return [p.state for game in games for p in game.positions[:: len(game.positions) // 3]]


@pytest.mark.parametrize("seats", [2, 4, 6])
def test_hidden_cards_lie_where_they_truly_are_as_often_as_chance_says(seats: int) -> None:
    for state in positions(seats):
        for viewer in all_viewers(state)[-2:]:
            hidden, total = free(state, viewer)
            deals = [dealt_again(state, viewer, seed) for seed in range(DEALS)]
            found = sum(len(t & d) for deal in deals for t, d in zip(hidden, deal, strict=True))
            expected = sum(len(cards) ** 2 for cards in hidden) / max(total, 1) * DEALS
            assert abs(found - expected) <= SIGMAS * sqrt(2 * expected) + 1e-9


@pytest.mark.parametrize("seats", [2, 4])
def test_every_hidden_card_gets_everywhere(seats: int) -> None:
    state = positions(seats)[1]
    hidden, total = free(state, None)
    deals = [dealt_again(state, None, seed) for seed in range(DEALS)]
    for card in set().union(*hidden):
        for place, cards in enumerate(hidden):
            share = len(cards) / total
            found = sum(card in deal[place] for deal in deals)
            assert abs(found - share * DEALS) <= SIGMAS * sqrt(DEALS * share * (1 - share)) + 1e-9


def test_the_whole_truth_is_one_world_among_all() -> None:
    """Near the end of a pile few worlds are left, and each is equally frequent."""
    state: Any = ENGINE.start(Options(), 2, FastRng(3))
    seat = int(state.turn)
    hand, pile = state.hands[1 - seat], members(state.pile)
    for card in pile[3:]:
        state.pile ^= 1 << int(card)
        state.discards = type(state.discards)([*state.discards, card])
    total = len(members(hand)) + 3
    worlds = comb(total, 3)
    tries = 60 * worlds
    found = 0
    truth = places(state)
    for seed in range(tries):
        found += dealt_again(state, seat, seed) == truth
    assert abs(found - 60) <= SIGMAS * sqrt(60)
    assert worlds == 56

"""Invariants of the state: those at every decision, and those once all tasks are done."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from random import Random

import pytest

from tabularium_engines.common.bits import bit, count
from tabularium_engines.common.playing_cards import CARD_CODES
from tabularium_engines.common.random_generators import FastRng
from tabularium_engines.law import ENGINE
from tabularium_engines.law.game_logic import LawState, advance
from tabularium_engines.law.game_options import V2Options as Options
from tests.engines.law.tables import awaited_task, codes

EXTRA_LAWS = 8  # needed to win, so that games last longer
STEPS = 250


def start_under_laws(seats: int, seed: int) -> LawState:
    """A game that begins with one to eight random Laws in force, a few of them bound to one
    player."""
    chance = Random(seed)
    rng = FastRng(seed)
    state = ENGINE.start(Options(), seats, rng)
    pile = sorted(codes(state.piles.rest))
    for code in chance.sample(pile, chance.randint(1, 8)):
        card = bit(CARD_CODES.index(code))
        owner = chance.randrange(seats)
        state.piles.rest ^= card
        state.laws[owner] = state.laws[owner] | card
        if chance.random() < 0.25 and code[0] not in "QK":
            bound_seat = chance.randrange(seats)
            state.bound[bound_seat] = state.bound[bound_seat] | card
    for seat in range(seats):
        state.raised[seat] = EXTRA_LAWS
    state.has_stale_parameters = True
    advance(state, rng)
    return state


def play_steps(state: LawState, seed: int) -> Iterator[int]:
    """Play at random, often with seats that are not awaited; the number of each step."""
    rng = FastRng(seed)
    for step in range(STEPS):
        if not state.to_act:
            return
        yield step
        able_seats = [seat for seat in range(state.seats) if state.legal_actions(seat)]
        seat = able_seats[rng.below(len(able_seats))]
        state.apply(seat, state.random_action(seat, rng), rng)
    yield STEPS


def check_state(state: LawState) -> None:
    """The invariants that hold whenever a seat is awaited."""
    assert state.cards() == list(range(52))
    assert all(state.legal_actions(seat) for seat in ENGINE.awaited_seats(state))
    collected_mask = sum(state.laws)
    for bound in state.bound:
        assert bound & ~collected_mask == 0
    if awaited_task(state) == "turn":
        check_finished_tasks(state)


def check_finished_tasks(state: LawState) -> None:
    """The invariants that hold when all tasks are done."""
    has_pile = count(state.piles.rest) + len(state.piles.stack) > 0
    for seat in range(state.seats):
        assert count(state.laws[seat]) < state.laws_needed(seat)
        assert state.hands[seat] or not has_pile
        assert state.chosen[seat] == 0
    assert all(len(pile) > 0 for pile in state.piles.discarded) or not has_pile
    assert not state.chain.waiting
    assert state.bill.shape < 0


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_the_invariants_hold_at_every_step(
    seats: int, games_count: Callable[[int, int], int]
) -> None:
    for seed in range(games_count(12, 5_000)):
        state = start_under_laws(seats, seed)
        for _ in play_steps(state, seed):
            check_state(state)


@pytest.mark.soak
def test_every_Law_is_in_force_in_many_random_games() -> None:
    game_counts: Counter[str] = Counter()
    for seed in range(20_000):
        rng = FastRng(seed)
        state = ENGINE.start(Options(), 2 + seed % 3, rng)
        laws: set[str] = set()
        while state.to_act:
            able_seats = [seat for seat in range(state.seats) if state.legal_actions(seat)]
            seat = able_seats[rng.below(len(able_seats))]
            state.apply(seat, state.random_action(seat, rng), rng)
            laws |= codes(state.collected_cards())
        game_counts.update(laws)
    assert set(game_counts) == set(CARD_CODES)
    assert min(game_counts.values()) >= 200

"""Determinization: imagined tables have all known cards in place, and the others anywhere."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from random import Random

from tabularium_engines.common.agenda import kind_of, seat_of
from tabularium_engines.common.bits import bit, count, members
from tabularium_engines.common.random_generators import FastRng
from tabularium_engines.law import ENGINE
from tabularium_engines.law import actions as a
from tabularium_engines.law.action_numbers import TASK_LAY
from tabularium_engines.law.game_logic import LawState
from tabularium_engines.law.game_options import V2Options as Options
from tests.engines.law.tables import cards, codes, do, table, view_of

WORLDS = 40


def worlds(state: LawState, viewer: int | None) -> list[LawState]:
    """Imagined tables of the viewer's view."""
    view = view_of(state, viewer)
    return [ENGINE.imagine(view, FastRng(seed)) for seed in range(WORLDS)]


# -- a Bill that is being laid --------------------------------------------------------------------


def finish_bill(world: LawState, seat: int, rng: FastRng) -> None:
    """Lay all remaining cards of a Bill."""
    while world.bill.shape >= 0:
        actions = world.legal_actions(seat)
        assert actions, "this hand cannot finish its Bill"
        world.apply(seat, actions[rng.below(len(actions))], rng)


def bills_in_progress(games: int) -> Iterator[LawState]:
    """Positions of random games at which a player chooses the next card of a Bill."""
    for seed in range(games):
        rng, chance = FastRng(seed), Random(seed)
        state = ENGINE.start(Options(), 3, rng)
        while state.to_act:
            task = state.agenda.top()
            if kind_of(task) == TASK_LAY:
                yield state.clone()
            seat = chance.choice(ENGINE.awaited_seats(state))
            state.apply(seat, state.random_action(seat, rng), rng)


def test_an_imagined_hand_can_finish_the_bill_being_laid(
    games_count: Callable[[int, int], int],
) -> None:
    checks = 0
    for state in bills_in_progress(games_count(20, 1000)):
        seat = int(seat_of(state.agenda.top()))
        for viewer in (None, (seat + 1) % 3):
            world = ENGINE.imagine(view_of(state, viewer), FastRng(checks))
            finish_bill(world, seat, FastRng(checks))
            checks += 1
    assert checks > 20


def test_a_straight_with_wild_fives_and_hearts_is_imagined_completely() -> None:
    state = table(["2S", "5S 5H 7C 8C 8H 9C KD"], {0: "6S 3H"}, turn=0)
    do(state, 1, a.StraightBill("7"))
    assert state.to_act
    hands = set()
    for number, world in enumerate(worlds(state, 0)):
        hands.add(int(world.hands[1]))
        finish_bill(world, 1, FastRng(number))
    assert len(hands) > WORLDS // 2


# -- the draw pile --------------------------------------------------------------------------------


def test_known_cards_of_the_draw_pile_are_imagined_there() -> None:
    state = table(["2S 3S 4S", "9D 9C 9H", "6S"], {0: "7S"}, pile="", turn=0)
    # The trash has just been shuffled: it is the whole draw pile, and every player has seen it.
    assert state.piles.trash == 0
    for viewer in (0, 2, None):
        assert set(view_of(state, viewer).draw_known) == codes(state.piles.rest)
        assert all(world.piles.rest == state.piles.rest for world in worlds(state, viewer))


def test_after_a_hidden_draw_no_other_viewer_knows_the_pile() -> None:
    state = table(["2S 3S 4S", "9D 9C 9H"], pile="", turn=0, takes=3)
    size = count(state.piles.rest)
    do(state, 0, a.Take(0), min(codes(state.piles.rest)))
    assert view_of(state, 1).draw_known == ()
    assert len(view_of(state, 0).draw_known) == size - 1
    hands = {int(world.hands[0]) for world in worlds(state, 1)}
    assert len(hands) > WORLDS // 2
    assert all(world.piles.rest == state.piles.rest for world in worlds(state, 0))


def test_hidden_cards_can_be_anywhere() -> None:
    state = table(["2S 3S 4S", "9D 9C 9H", "6S"], turn=0)
    hold_counts = [0] * 52
    for world in worlds(state, 0):
        for card in members(world.hands[1] | world.hands[2]):
            hold_counts[card] += 1
    assert sum(count > 0 for count in hold_counts) > 30
    assert not any(
        hold_counts[card] for card in members(cards("2S 3S 4S") | bit(state.piles.discarded[0][0]))
    )

"""Imagined tables: they respect all that is publicly known, and leave everything else open."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from random import Random

from games.engines.common.agenda import kind_of, seat_of
from games.engines.common.bits import bit, count, members
from games.engines.common.rng import FastRng
from games.engines.law import ENGINE
from games.engines.law import actions as a
from games.engines.law.decision_codes import TASK_LAY
from games.engines.law.game_logic import LawState
from games.engines.law.game_options import Options
from tests.engines.law.tables import cards, codes, do, seen, table

WORLDS = 40


def worlds(state: LawState, viewer: int | None) -> list[LawState]:
    """Some tables with exactly the viewer's view."""
    view = seen(state, viewer)
    return [ENGINE.imagine(view, FastRng(seed)) for seed in range(WORLDS)]


# -- a Bill that is being laid --------------------------------------------------------------------


def finish_bill(world: LawState, seat: int, rng: FastRng) -> None:
    """Lay a Bill to its end."""
    while world.bill >= 0:
        legal = world.legal_actions(seat)
        assert legal, "this hand cannot finish its Bill"
        world.apply(seat, legal[rng.below(len(legal))], rng)


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


def test_whoever_is_imagined_to_lay_a_bill_can_finish_it(
    games_count: Callable[[int, int], int],
) -> None:
    looked_at = 0
    for state in bills_in_progress(games_count(20, 1000)):
        seat = int(seat_of(state.agenda.top()))
        for viewer in (None, (seat + 1) % 3):
            world = ENGINE.imagine(seen(state, viewer), FastRng(looked_at))
            finish_bill(world, seat, FastRng(looked_at))
            looked_at += 1
    assert looked_at > 20


def test_a_straight_with_wild_fives_and_hearts_is_imagined_whole() -> None:
    state = table(["2S", "5S 5H 7C 8C 8H 9C KD"], {0: "6S 3H"}, turn=0)
    do(state, 1, a.StraightBill("7"))
    assert state.to_act
    hands = set()
    for number, world in enumerate(worlds(state, 0)):
        hands.add(int(world.hands[1]))
        finish_bill(world, 1, FastRng(number))
    assert len(hands) > WORLDS // 2


# -- the draw pile --------------------------------------------------------------------------------


def test_what_went_into_the_draw_pile_is_imagined_there() -> None:
    state = table(["2S 3S 4S", "9D 9C 9H", "6S"], {0: "7S"}, pile="", turn=0)
    # The trash has just been shuffled: it is the whole draw pile, and every player has seen it.
    assert state.trash == 0
    for viewer in (0, 2, None):
        assert set(seen(state, viewer).draw_known) == codes(state.pile)
        assert all(world.pile == state.pile for world in worlds(state, viewer))


def test_after_a_hidden_draw_nobody_else_is_sure_of_the_pile() -> None:
    state = table(["2S 3S 4S", "9D 9C 9H"], pile="", turn=0, takes=3)
    size = count(state.pile)
    do(state, 0, a.Take(0), min(codes(state.pile)))
    assert seen(state, 1).draw_known == ()
    assert len(seen(state, 0).draw_known) == size - 1
    drawn = {int(world.hands[0]) for world in worlds(state, 1)}
    assert len(drawn) > WORLDS // 2
    assert all(world.pile == state.pile for world in worlds(state, 0))


def test_hidden_cards_can_be_anywhere() -> None:
    state = table(["2S 3S 4S", "9D 9C 9H", "6S"], turn=0)
    held = [0] * 52
    for world in worlds(state, 0):
        for card in members(world.hands[1] | world.hands[2]):
            held[card] += 1
    assert sum(times > 0 for times in held) > 30
    assert not any(held[card] for card in members(cards("2S 3S 4S") | bit(state.discards[0][0])))

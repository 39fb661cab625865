"""Hidden information: an imagined world keeps all that a seat knows (R20, R21)."""

from __future__ import annotations

from collections import Counter
from math import sqrt

import pytest

from games.engines.base import ONLOOKER_SEAT
from games.engines.common.rng import FastRng
from games.engines.duel_edged_sword import ENGINE
from games.engines.duel_edged_sword.card_counts import faces_in
from games.engines.duel_edged_sword.game_logic import SwordState
from tests.engines.duel_edged_sword.tables import PLAIN, do, drawn, right, seen, table

DEALS = 4000
SIGMAS = 5
CLOSED = ["true FRC true", "false FRS true", "false FRT false", "true PRC false"]


def worlds(state: SwordState, viewer: int, deals: int) -> list[SwordState]:
    """Worlds consistent with the viewer's knowledge: half re-dealt in place, half imagined from the
    view."""
    found = []
    for seed in range(deals):
        if seed % 2:
            seat = None if viewer == ONLOOKER_SEAT else viewer
            found.append(ENGINE.imagine(ENGINE.view(state, seat), FastRng(seed)))
        else:
            found.append(state.clone())
            found[-1].determinize(viewer, FastRng(seed))
    return found


def test_R20_a_card_that_was_turned_is_remembered_by_all() -> None:
    state = table(["red true FRC green", *PLAIN[1:]], "false", turn=3)
    do(state, right(1), "hollow")
    for viewer in (None, 0, 1, 2, 3):
        cards = seen(state, viewer).rows[0]
        assert [(laid.card, laid.is_up) for laid in cards[2:4]] == [
            ("FRC", False),
            ("green", False),
        ]
    for world in worlds(state, 1, 6):
        assert seen(world, 1).rows == seen(state, 1).rows


def test_R21_whoever_is_not_bust_with_all_ends_closed_holds_no_logical_card() -> None:
    state = table(CLOSED, "PGT", turn=2)
    assert {seen(world, 2).card for world in worlds(state, 0, 400)} & {"true", "false"} == set()
    assert {seen(world, 2).card for world in worlds(state, ONLOOKER_SEAT, 400)} & {"true"} == set()


def test_R21_elsewhere_it_may_hold_one() -> None:
    state = table(PLAIN, "PGT", turn=2)
    assert {"true", "false"} <= {seen(world, 2).card for world in worlds(state, 0, 400)}


@pytest.mark.parametrize("card", ["PGT", "red", "true"])
def test_another_seats_card_is_any_unseen_one_as_often_as_there_are_of_it(card: str) -> None:
    state = table(PLAIN, card, turn=1)
    pool = Counter([*faces_in(state.unseen_completes, state.unseen_kinds), int(state.drawn)])
    held = Counter(int(world.drawn) for world in worlds(state, 3, DEALS))
    assert set(held) <= set(pool)
    for face, number in pool.items():
        share = number / pool.total()
        assert abs(held[face] - DEALS * share) <= SIGMAS * sqrt(DEALS * share * (1 - share))


def test_the_holder_imagines_nothing_else() -> None:
    state = table(PLAIN, "true", turn=1)
    assert {drawn(world) for world in worlds(state, 1, 20)} == {"true"}
    assert {str(world.contents()) for world in worlds(state, 1, 20)} == {str(state.contents())}


def test_a_world_depends_on_no_hidden_card() -> None:
    first, second = (table(PLAIN, card, turn=1) for card in ("PGT", "true"))
    for seed in range(50):
        ends = []
        for state in (first, second):
            world = state.clone()
            world.determinize(0, FastRng(seed))
            ends.append(world.contents())
        assert ends[0] == ends[1]

"""Hidden information: an imagined world agrees with all that a seat knows (R20, R21)."""

from __future__ import annotations

from collections import Counter
from math import sqrt

import pytest

from tabularium_engines.base import ONLOOKER_SEAT
from tabularium_engines.common.random_generators import FastRng
from tabularium_engines.duel_edged_sword import ENGINE
from tabularium_engines.duel_edged_sword.card_counts import faces_in
from tabularium_engines.duel_edged_sword.game_logic import SwordState
from tests.engines.duel_edged_sword.tables import (
    PLAIN_ROWS,
    do,
    drawn_card,
    right_end,
    table,
    view_of,
)

DEALS = 4000
SIGMAS = 5
CLOSED_ROWS = ["true FRC true", "false FRS true", "false FRT false", "true PRC false"]


def worlds(state: SwordState, viewer: int, deals: int) -> list[SwordState]:
    """Worlds consistent with the viewer's knowledge, alternately re-dealt in place and imagined."""
    worlds = []
    for seed in range(deals):
        if seed % 2:
            seat = None if viewer == ONLOOKER_SEAT else viewer
            worlds.append(ENGINE.imagine(ENGINE.view(state, seat), FastRng(seed)))
        else:
            worlds.append(state.clone())
            worlds[-1].determinize(viewer, FastRng(seed))
    return worlds


def test_R20_a_turned_card_stays_known_to_all_viewers() -> None:
    state = table(["red true FRC green", *PLAIN_ROWS[1:]], "false", turn=3)
    do(state, right_end(1), "hollow")
    for viewer in (None, 0, 1, 2, 3):
        cards = view_of(state, viewer).rows[0]
        assert [(laid.card, laid.is_up) for laid in cards[2:4]] == [
            ("FRC", False),
            ("green", False),
        ]
    for world in worlds(state, 1, 6):
        assert view_of(world, 1).rows == view_of(state, 1).rows


def test_R21_a_player_not_bust_with_all_ends_closed_holds_no_logical_card() -> None:
    state = table(CLOSED_ROWS, "PGT", turn=2)
    assert {view_of(world, 2).card for world in worlds(state, 0, 400)} & {"true", "false"} == set()
    assert {view_of(world, 2).card for world in worlds(state, ONLOOKER_SEAT, 400)} & {
        "true"
    } == set()


def test_R21_with_an_open_end_a_player_may_hold_a_logical_card() -> None:
    state = table(PLAIN_ROWS, "PGT", turn=2)
    assert {"true", "false"} <= {view_of(world, 2).card for world in worlds(state, 0, 400)}


@pytest.mark.parametrize("card", ["PGT", "red", "true"])
def test_another_seats_card_is_each_unseen_card_in_proportion(card: str) -> None:
    state = table(PLAIN_ROWS, card, turn=1)
    pool = Counter(
        [*faces_in(state.players.unseen_completes, state.players.unseen_kinds), int(state.drawn)]
    )
    counts = Counter(int(world.drawn) for world in worlds(state, 3, DEALS))
    assert set(counts) <= set(pool)
    for face, number in pool.items():
        share = number / pool.total()
        assert abs(counts[face] - DEALS * share) <= SIGMAS * sqrt(DEALS * share * (1 - share))


def test_the_holder_imagines_only_the_true_state() -> None:
    state = table(PLAIN_ROWS, "true", turn=1)
    assert {drawn_card(world) for world in worlds(state, 1, 20)} == {"true"}
    assert {str(world.contents()) for world in worlds(state, 1, 20)} == {str(state.contents())}


def test_a_world_depends_on_no_hidden_card() -> None:
    first, second = (table(PLAIN_ROWS, card, turn=1) for card in ("PGT", "true"))
    for seed in range(50):
        contents = []
        for state in (first, second):
            world = state.clone()
            world.determinize(0, FastRng(seed))
            contents.append(world.contents())
        assert contents[0] == contents[1]

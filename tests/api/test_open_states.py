"""States as everything: after the end of a game all hands are open to those who may see the game,
and before it to no one."""

from __future__ import annotations

from typing import Any

import pytest

from tests.api.program import Program
from tests.api.test_matrix import assert_refused
from tests.api.world import BASE, World

STEPS = 12
DEALT = 4


def state(program: Program, game: str, seq: int, viewer: str = "everything") -> Any:
    """The response with a position."""
    return program.get(f"{BASE}/games/{game}/states/{seq}?as={viewer}")


def finished(world: World) -> str:
    """A game that is over after some actions."""
    game = world.game_after(STEPS)
    world.as_bob.send(f"{BASE}/games/{game}/resign", {"seat": 1})
    return game


def test_it_shows_the_view_of_every_seat(world: World) -> None:
    game = finished(world)
    for seq in (DEALT, DEALT + STEPS):
        document = state(world.as_nobody, game, seq).json()
        assert (document["seen_as"], document["seq"]) == ("everything", seq)
        seats = [state(world.as_eve, game, seq, f"seat:{seat}").json() for seat in (0, 1)]
        onlooker = state(world.as_eve, game, seq, "onlooker").json()
        assert document["views"] == [one["view"] for one in seats]
        assert document["view"] == onlooker["view"]
        assert onlooker["views"] is None
        hands = [view["hand"] for view in document["views"]]
        assert all(hands)
        assert hands[0] != hands[1]


def test_it_is_refused_to_all_while_the_game_is_running(world: World) -> None:
    game = world.game_after(STEPS)
    for program in (world.as_ada, world.as_bob, world.as_eve, world.as_nobody):
        assert_refused(state(program, game, DEALT), "not-over")
        assert program.get(f"{BASE}/games/{game}/states/{DEALT}").json()["views"] is None


def test_it_never_changes_and_says_so(world: World) -> None:
    game = finished(world)
    response = state(world.as_nobody, game, DEALT)
    assert response["Cache-Control"] == "public, max-age=31536000, immutable"
    assert state(world.as_eve, game, DEALT)["Cache-Control"].startswith("private")
    running = state(world.as_nobody, world.playing(), DEALT)
    assert running["Cache-Control"] == "no-store", "it may be asked again after the end"


def test_strangers_see_nothing_of_a_private_game(world: World) -> None:
    game = world.over(visibility="private")
    assert state(world.as_bob, game, DEALT).status_code == 200
    for program in (world.as_eve, world.as_nobody):
        assert_refused(state(program, game, DEALT), "not-found")


def test_there_is_nothing_before_the_deal_nor_after_the_end(world: World) -> None:
    game = finished(world)
    assert_refused(state(world.as_ada, game, DEALT - 1), "not-started")
    assert_refused(state(world.as_ada, game, 999), "unknown-entry")


@pytest.mark.parametrize("path", ["", "/log", "/picture.svg", "/picture.txt", "/export"])
def test_only_states_are_seen_so(world: World, path: str) -> None:
    response = world.as_ada.get(f"{BASE}/games/{finished(world)}{path}?as=everything")
    assert_refused(response, "invalid-parameter")

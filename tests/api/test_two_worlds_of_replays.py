"""Animated replays reveal nothing hidden. While a game goes on, every client is refused one, of any
seat; after its end, when everything is open, a frame still has no more than its viewer's view of
that time."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from itertools import product
from typing import Any, Final

import pytest
from django.db import transaction

from api.models import Replay
from api.replays import replay_drawing
from games import ids, position_cache, selectors, services
from games.services import game_creation
from tabularium_engines.common.random_generators import FastRng
from tabularium_log.projection.projection import Projection
from tabularium_log.projection.table_actions import Clock
from tests.api.program import Program
from tests.api.test_replays import ask, over_after, work
from tests.api.test_two_worlds import comparable_response
from tests.api.world import BASE, World
from tests.api.worlds_alike import WORLDS, imagined, worlds_alike
from tests.games.sitting import some_action

VIEWERS: Final = ("seat:0", "seat:1", "onlooker", None)
QUERIES: Final = tuple(
    "&".join(filter(None, (viewer and f"as={viewer}", style)))
    for viewer, style in product(VIEWERS, ("", "names=1&shape=tall", "width=64&delay=100"))
)


def forked(program: Program, game: str, **body: Any) -> str:
    """A fork of a game, for the program against a bot."""
    seats = [{"kind": "me"}, {"kind": "bot", "bot": "random"}]
    response = program.send(f"{BASE}/games/{game}/forks", {"seats": seats} | body)
    return str(response.json()["id"])


def fork_of_a_view(world: World) -> str:
    """A fork of Ada's view of a game that goes on."""
    game = world.playing()
    return forked(world.as_ada, game, seq=selectors.game_projection(game).seq, seat=0)


def is_in_first_leg(table: Projection) -> bool:
    """Whether the game is in the first of its legs."""
    state: Any = table.state
    return bool(state.legs.leg == 1)


def rated_game(world: World) -> str:
    """A rated game that goes on, after the first of its two legs."""
    clock, rng = Clock(60_000, "resign"), FastRng(1)
    game = world.playing(rated=True, clock=clock)
    while is_in_first_leg(table := selectors.game_projection(game)):
        seat, action = some_action(table, rng)
        services.append_action(game, seat, action, choice=table.choice_token(seat))
    assert table.phase == "playing"
    return game


RUNNING: Final[dict[str, Callable[[World], str]]] = {
    "not started": World.gathering,
    "inviting": lambda world: world.inviting()[0],
    "challenging": World.challenging,
    "without all seeds": World.promised,
    "dealt": World.playing,
    "private": partial(World.playing, visibility="private"),
    "unlisted": partial(World.playing, visibility="unlisted"),
    "with hints": World.awaiting_hints,
    "going on": lambda world: world.game_after(9),
    "rated, between two legs": rated_game,
    "a draw proposed": World.proposed,
    "paused": World.paused,
    "silent": World.silent,
    "a bot replaces a player": World.thinking,
    "a fork of a whole game": lambda world: forked(world.as_ada, world.over(), seq=4),
    "a fork of a view": fork_of_a_view,
}


def programs(world: World) -> list[Program]:
    """Two players, a stranger, and a client without a key."""
    return [world.as_ada, world.as_bob, world.as_eve, world.as_nobody]


@pytest.mark.lane("slow", core=4)
@pytest.mark.parametrize("name", RUNNING)
def test_nobody_gets_one_before_the_end(name: str, world: World) -> None:
    """Of no seat, in no style; and none is drawn in advance."""
    game = RUNNING[name](world)
    codes = {
        (response.status_code, response.json()["code"])
        for program, query in product(programs(world), QUERIES)
        for response in [ask(program, game, f"?{query}")]
    }
    assert codes <= {(409, "not-over"), (409, "not-started"), (403, "not-your-seat")} | {
        (404, "not-found")
    }
    assert not Replay.objects.exists()
    for seat in range(2):  # its replays are then open to all who see the game
        table = selectors.game_projection(game)
        if table.phase == "playing" and (occupant := table.occupants[seat]) and not occupant.bot:
            services.resign_seat(game, seat)
    if selectors.game_head(game).phase == "over":
        for query in QUERIES:
            Replay.objects.all().delete()
            assert ask(world.as_ada, game, f"?{query}").status_code == 202


@pytest.mark.parametrize("program", range(4))
def test_refusals_are_the_same_in_every_world(program: int, world: World) -> None:
    """For each of the programs, of each seat: also of the one whose cards differ."""
    game = world.game_after(17)
    for viewer in (0, 1, None):
        replies = [
            [
                comparable_response(ask(programs(world)[program], game, f"?{query}"))
                for query in QUERIES
            ]
            for _ in worlds_alike(game, viewer)
        ]
        assert replies[1:] == replies[:-1]


@pytest.fixture
def drawn_frames(monkeypatch: pytest.MonkeyPatch) -> list[bytes]:
    """The files that are drawn: the text of their frames."""
    files: list[bytes] = []

    def encode(frames: Any, width: int, count: Callable[[int], None]) -> bytes:
        files.append(repr((frames, width)).encode())
        return files[-1]

    monkeypatch.setattr(replay_drawing, "encode", encode)
    return files


@pytest.mark.parametrize("viewer", [0, 1, None])
def test_frames_are_the_same_in_every_world(
    viewer: int | None, world: World, drawn_frames: list[bytes], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Of the viewer's replay: those of others show that the worlds differ."""
    game, stepped = over_after(world, 17), selectors.stepped_projections
    files: dict[str, list[bytes]] = {}
    for seed in range(WORLDS):

        def step(*range_: Any, seed: int = seed) -> Iterator[Projection]:
            for table in stepped(*range_):
                is_over = table.phase == "over"
                yield table if is_over else imagined(table, viewer, seed)

        monkeypatch.setattr(selectors, "stepped_projections", step)
        for query in ("as=seat:0", "as=seat:1", "as=onlooker", "as=onlooker&names=1&shape=tall"):
            Replay.objects.all().delete()
            assert ask(world.as_eve, game, f"?{query}").status_code == 202
            work()
            files.setdefault(query, []).append(drawn_frames[-1])
    name = "onlooker" if viewer is None else f"seat:{viewer}"
    own = {query for query in files if query.partition("&")[0] == f"as={name}"}
    assert all(len(set(files[query])) == 1 for query in own)
    others = files.keys() - own - {"as=onlooker", "as=onlooker&names=1&shape=tall"}
    assert all(len(set(files[query])) > 1 for query in others)


@pytest.mark.parametrize("seat", [0, 1])
def test_a_fork_of_a_view_has_none_of_what_is_hidden(
    seat: int, world: World, drawn_frames: list[bytes], monkeypatch: pytest.MonkeyPatch
) -> None:
    """It deals the hidden cards again: with the same draws all its replays are the same in every
    world in which the view is the same, which is that of seat 0, and not that of seat 1."""
    game, program = world.game_after(9), (world.as_ada, world.as_bob)[seat]
    seq = selectors.game_projection(game).seq
    monkeypatch.setattr(game_creation, "new_secret", lambda: b"\7" * 32)
    monkeypatch.setattr(ids, "new_id", lambda kind: f"{kind}_{'7' * 32}")
    files: list[list[bytes]] = []
    for _ in worlds_alike(game, 0):
        with transaction.atomic():
            fork = forked(program, game, seq=seq, seat=seat)
            services.resign_seat(fork, 0)
            for viewer in VIEWERS[:3]:
                assert ask(program, fork, f"?as={viewer}").status_code == 202
                work()
            transaction.set_rollback(True)
        position_cache.cache.clear()
        files.append(drawn_frames[-3:])
    assert len(set(files[0])) == 3
    assert (files[1:] == files[:-1]) is (seat == 0)

"""People at one table ask for something at the same time: there is one outcome, which
docs/tables.md promises, and it is the same for both."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from threading import Barrier
from typing import Any, Final, NamedTuple

import pytest
from django.db import connections

from ai.analysis import part_dispatch
from api.keys import key_cache
from api.webhooks import webhook_dispatch
from games import services
from games.audit import stored_game_verifier
from games.services import SeatAssignment
from tabularium_log.projection.table_actions import Clock
from tests.api.contract import contract
from tests.api.program import Program
from tests.api.world import BASE, World
from tests.config.processes import PATIENCE
from tests.support.databases import Kept

pytestmark = pytest.mark.stores

TRIES, MANY_TRIES = 3, 50  # of each race; many with --soak


class Asking(NamedTuple):
    """A request to a part of a place, such as a game."""

    program: Program
    path: str
    body: dict[str, Any]


class Race(NamedTuple):
    """Two requests about a game at once, and the pairs of replies that may follow: statuses, or
    codes of problems."""

    game: Callable[[World], str]
    first: Callable[[World, str], Asking]
    second: Callable[[World, str], Asking]
    outcomes: tuple[tuple[Any, Any], ...]


def asking(program: str, path: str, **body: Any) -> Callable[[World, str], Asking]:
    """A request of one of the programs in the world."""
    return lambda world, game: Asking(getattr(world, program), path, body)


ada, bob, eve = (partial(asking, program) for program in ("as_ada", "as_bob", "as_eve"))


def act(world: World, game: str) -> Asking:
    """Ada, who is awaited, acts."""
    return Asking(world.as_ada, "actions", world.body(game))


def pause_proposed(world: World) -> str:
    """A game that waits for Ada, in which Bob has proposed a pause."""
    game = world.awaiting(clock=Clock(60_000, "bot"))
    services.make_proposal(game, 1, "pause")
    return game


def three_handed(world: World) -> str:
    """A game of three people."""
    people = (world.ada, world.bob, world.eve)
    return world.created(*(SeatAssignment(account=each) for each in people))


ONE_OF_THE_TWO: Final = ((200, "game-over"), ("game-over", 200))
RACES: Final[dict[str, Race]] = {
    "a rematch, by both": Race(
        World.over, ada("rematch"), bob("rematch"), ((200, 201), (201, 200))
    ),
    "a rematch, by one twice": Race(
        World.over, ada("rematch"), ada("rematch"), ((200, 201), (201, 200))
    ),
    "a draw, by both": Race(
        World.playing,
        ada("proposals", seat=0, of="draw"),
        bob("proposals", seat=1, of="draw"),
        ((200, 200),),
    ),
    "a draw and an end": Race(
        World.playing,
        ada("proposals", seat=0, of="draw"),
        bob("proposals", seat=1, of="end"),
        ((200, "proposal-open"), ("proposal-open", 200)),
    ),
    "a draw, accepted twice": Race(
        World.proposed,
        ada("proposals/5/accept", seat=0),
        ada("proposals/5/accept", seat=0),
        ONE_OF_THE_TWO,
    ),
    "a draw, accepted and withdrawn": Race(
        World.proposed,
        ada("proposals/5/accept", seat=0),
        bob("proposals/5/decline", seat=1),
        ((200, "game-over"), ("no-such-proposal", 200)),
    ),
    "a pause, and an action": Race(
        pause_proposed,
        act,
        ada("proposals", seat=0, of="pause"),
        (("paused", 200), (201, 200), (201, "proposed-already")),
    ),
    "the end of a pause, by both": Race(
        World.paused,
        ada("resume", seat=0),
        bob("resume", seat=1),
        ((200, "not-paused"), ("not-paused", 200)),
    ),
    "an abort and the first action": Race(
        World.awaiting, act, bob("abort", seat=1), ((201, "too-late"), ("game-over", 200))
    ),
    "resigning, by both": Race(
        World.playing, ada("resign", seat=0), bob("resign", seat=1), ONE_OF_THE_TWO
    ),
    "resigning, by two of three": Race(
        three_handed, ada("resign", seat=0), bob("resign", seat=1), ((200, 200),)
    ),
    "the last seat": Race(
        World.gathering,
        bob("join", seat=1),
        eve("join", seat=1),
        ((200, "started"), ("started", 200)),
    ),
    "a call-off and a join": Race(
        World.gathering,
        ada("call-off"),
        bob("join", seat=1),
        ((200, "game-over"), ("started", 200)),
    ),
    "a start with a bot, and a join": Race(
        World.gathering,
        ada("start", fill_with="random"),
        bob("join", seat=1),
        ((200, "started"), (200, 200)),  # in both orders it has started
    ),
    "a challenge, taken and declined": Race(
        World.challenging,
        bob("join", seat=1),
        bob("decline", seat=1),
        ((200, "not-challenged"), ("seat-kept", 200)),
    ),
    "a claim, and a resignation": Race(
        World.silent,
        ada("claim", seat=0, absent=1, then="resign"),
        bob("resign", seat=1),
        (("game-over", 200), (200, 200)),  # both resign the seat
    ),
}


@pytest.fixture
def world_here(kept_here: Kept, monkeypatch: pytest.MonkeyPatch, settings: Any) -> Iterator[World]:
    """Ada, Bob and Eve in a database that threads can share."""
    settings.OPEN_GAMES = settings.CHALLENGES_MADE = settings.CHALLENGES_RECEIVED = 1000
    for dispatch in (part_dispatch, webhook_dispatch):
        monkeypatch.setattr(dispatch.outbox, "enqueue", lambda message: None)
    contract()
    yield World()
    key_cache.clear()


def send_at_once(place: str, *askings: Asking) -> list[Any]:
    """The replies to requests about a place that are sent at the same time."""
    barrier = Barrier(len(askings), timeout=PATIENCE)

    def send(asking: Asking) -> Any:
        barrier.wait()
        try:
            return asking.program.send(f"{BASE}/{place}/{asking.path}", asking.body or None)
        finally:
            connections.close_all()

    with ThreadPoolExecutor(len(askings)) as pool:
        return list(pool.map(send, askings))


def outcome_of(reply: Any) -> Any:
    """The status of a reply, or the code of its problem."""
    return reply.status_code if reply.status_code < 400 else reply.json()["code"]


def test_a_recovery_code_works_once(world_here: World) -> None:
    for code in world_here.as_ada.send(f"{BASE}/me/recovery-codes").json()["codes"][:TRIES]:
        asked = Asking(Program(), "redeem", {"code": code})
        outcomes = map(outcome_of, send_at_once("keys", asked, asked))
        assert sorted(outcomes, key=str) == [201, "unknown-code"]


@pytest.mark.parametrize("name", RACES)
def test_there_is_one_outcome(world_here: World, name: str, pytestconfig: pytest.Config) -> None:
    race = RACES[name]
    for _ in range(MANY_TRIES if pytestconfig.getoption("--soak") else TRIES):
        game = race.game(world_here)
        asked = race.first(world_here, game), race.second(world_here, game)
        replies = send_at_once(f"games/{game}", *asked)
        outcomes = tuple(map(outcome_of, replies))
        assert outcomes in race.outcomes
        answered = {reply.json().get("id") for reply in replies if reply.status_code in (200, 201)}
        assert len(answered - {None}) <= 1
        assert stored_game_verifier.verify_game(game).is_good

"""The export of all games of an account: the exports of single games one after another, which can
be resumed after each, and show no more than those."""

from __future__ import annotations

import gzip
from typing import Any

import orjson
import pytest
from django.test import override_settings

from games import services
from games.models import Game
from tabularium_log.fairness.encryption import lock_secret
from tests.api.program import Program, program_of
from tests.api.test_matrix import assert_refused
from tests.api.world import BASE, World
from tests.docs.verifier import VERIFIER

pytestmark = pytest.mark.stores

EXPORT = f"{BASE}/me/export"


def exported(program: Program, query: str = "") -> tuple[list[bytes], str | None]:
    """The exports of the single games, and the `after` that goes on."""
    response = program.get(f"{EXPORT}{query}")
    assert response.status_code == 200
    *lines, last = response.getvalue().splitlines(keepends=True)
    files: list[bytes] = []
    for line in lines:
        if b'"tabularium":"export/' in line:
            files.append(b"")
        files[-1] += line
    next_after: str | None = orjson.loads(last)["next_after"]
    return files, next_after


def single(program: Program, game: str) -> bytes:
    """The export of one game."""
    content: bytes = program.get(f"{BASE}/games/{game}/export").getvalue()
    return content


def test_it_has_the_export_of_every_own_game(world: World) -> None:
    games = [world.over(), world.playing(visibility="private"), world.gathering(), world.joined()]
    foreign = services.create_game(
        "law", [services.SeatAssignment(bot="random")] * 2, owner=world.eve
    )
    files, next_after = exported(world.as_ada)
    assert next_after is None
    assert files == [single(world.as_ada, game) for game in sorted(games)]
    assert foreign.projection.game.encode() not in b"".join(files)
    assert exported(world.as_bob)[0] == [
        single(world.as_bob, game) for game in sorted(games) if game != games[2]
    ]
    assert exported(world.as_bob)[0][0] == files[0], "all of a finished game is open"
    assert exported(world.as_bob)[0][1] != files[1], "each seat has its own fields"


def test_each_part_verifies(world: World, tmp_path: Any) -> None:
    world.over(), world.game_after(20)
    services.abort_game(world.playing(), 0)  # its export has another format
    for content in exported(world.as_ada)[0]:
        lines = content.splitlines(keepends=True)
        assert VERIFIER.verify(lines)


def test_it_goes_on_after_any_game(world: World) -> None:
    games = sorted(world.playing() for _ in range(5))
    files, after = exported(world.as_ada, "?limit=2")
    assert after == games[1]
    more, end = exported(world.as_ada, f"?limit=3&after={after}")
    assert (len(files), len(more), end) == (2, 3, None)
    assert files + more == exported(world.as_ada)[0]
    assert exported(world.as_ada, f"?after={games[-1]}") == ([], None)


def test_a_seat_that_a_bot_took_over_is_still_exported(world: World) -> None:
    game = world.playing()
    world.as_ada.send(f"{BASE}/games/{game}/bots", {"seat": 0, "bot": "random"})
    (content,) = exported(world.as_ada)[0]
    assert orjson.loads(content.splitlines()[0])["viewer"] == "onlooker"


def test_a_game_that_cannot_be_read_is_named_and_the_others_follow(world: World) -> None:
    games = sorted((world.playing(), world.playing()))
    locked = lock_secret([bytes(32)], games[0], bytes(32))
    Game.objects.filter(pk=games[0]).update(secret=locked)
    lines = world.as_ada.get(EXPORT).getvalue().splitlines()
    assert orjson.loads(lines[0]) == {"unreadable": {"game": games[0], "code": "game-locked"}}
    assert b"\n".join(lines[1:-1]) + b"\n" == single(world.as_ada, games[1])


def test_it_is_compressed_and_kept_by_no_cache(world: World) -> None:
    world.over()
    plain = world.as_ada.get(EXPORT)
    packed = world.as_ada.get(EXPORT, headers={"Accept-Encoding": "gzip"})
    assert gzip.decompress(packed.getvalue()) == plain.getvalue()
    assert plain["Cache-Control"] == "no-store"
    assert plain["Content-Disposition"] == 'attachment; filename="games.ndjson"'


def test_it_needs_a_key_that_may_read(world: World) -> None:
    assert_refused(Program().get(EXPORT), "unauthorized")
    assert_refused(program_of(world.ada, "games:play").get(EXPORT), "insufficient-scope")


@pytest.mark.parametrize("query", ["limit=0", "limit=51", "after=game_1", "after="])
def test_its_parameters_are_checked(world: World, query: str) -> None:
    assert_refused(world.as_ada.get(f"{EXPORT}?{query}"), "invalid-parameter")


def test_an_account_may_ask_so_often(world: World) -> None:
    with override_settings(LIMITS={"exports": (2, 600), "read": (99, 60)}):
        statuses = [world.as_ada.get(EXPORT).status_code for _ in range(3)]
        assert statuses == [200, 200, 429]
        assert world.as_bob.get(EXPORT).status_code == 200

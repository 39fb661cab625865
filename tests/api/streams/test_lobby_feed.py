"""The stream of open tables mirrors the list of open games."""

from __future__ import annotations

from itertools import islice
from typing import Any

import pytest

from api.streams.lobby_feed import LobbyFeed
from games import services
from games.models import Game
from games.services import SeatAssignment
from tests.api.streams.serving import LINES, Stream, Web
from tests.api.world import BASE, World

pytestmark = pytest.mark.stores

PATH = "/games/stream?open=true"


@pytest.fixture(autouse=True)
def empty_lobby(world: World) -> None:
    """No table is left open by another test."""
    for game in Game.objects.filter(phase=Game.Phase.GATHERING):
        services.call_off_game(game.pk)


def next_tables(stream: Stream, count: int) -> dict[str | None, Any]:
    """The next items: each game with its open seats; None once it is closed."""
    return {
        item["game"]: item["table"] and item["table"]["open_seats"]
        for item in islice(stream.items(), count)
    }


def test_begins_with_the_list_of_open_games(web: Web, world: World) -> None:
    world.playing()
    world.gathering(visibility="private")
    expected = [world.gathering() for _ in range(3)][::-1]
    with web.listening(PATH, Accept=LINES) as stream:
        beginning, *items = islice(stream.items(), 4)
    assert beginning == {"game": None, "table": None}
    listed = world.as_nobody.get(f"{BASE}/games", {"open": "true"}).json()["items"]
    assert [item["game"] for item in items] == expected
    assert [item["table"] for item in items] == listed
    others = world.as_nobody.get(f"{BASE}{PATH}&rules=law", headers={"Accept": LINES})
    assert others.getvalue() == b'{"game":null,"table":null}\n'


def test_tells_of_tables_that_open_change_and_close(web: Web, world: World) -> None:
    with web.listening(PATH, Accept=LINES) as stream:
        assert next_tables(stream, 1) == {None: None}
        game = world.created(SeatAssignment(account=world.ada), *[SeatAssignment()] * 2)
        called_off, kept = world.gathering(), world.gathering()
        assert next_tables(stream, 3) == {game: [1, 2], called_off: [1], kept: [1]}
        services.join_game(game, 1, account=world.bob)
        services.call_off_game(called_off)
        status = web.ask("POST", f"/games/{kept}/invitations", world.as_ada.secret, {"seat": 1})[0]
        assert status == 201
        assert next_tables(stream, 3) == {game: [2], called_off: None, kept: None}
        services.join_game(game, 2, account=world.eve)
        assert next_tables(stream, 1) == {game: None}


def test_pages_add_up_to_the_list(world: World) -> None:
    """Also if tables open and close between two pages."""
    games = [world.gathering() for _ in range(120)]
    feed = LobbyFeed(None)
    page, held, sizes = feed.read_page(feed.start_cursor), dict[str | None, Any](), list[int]()
    while True:
        sizes.append(len(page.items))
        for item in page.items:
            held[item.shape.game] = item.shape.table
        if not page.has_more:
            break
        services.call_off_game(games.pop())
        games.append(world.gathering())
        page = feed.read_page(page.cursor)
    assert {game for game, table in held.items() if table} == {*games}
    assert max(sizes) <= 51
    assert feed.read_page(page.cursor).items == []

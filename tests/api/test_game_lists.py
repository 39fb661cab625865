"""The lists of games: their items agree with the games, in a fixed number of queries; lists
can be narrowed and ordered, and a page tells if games may have left the pages to come."""

from __future__ import annotations

from datetime import timedelta
from typing import Any, Final
from urllib.parse import urlencode

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from api.games.game_lists import SETTLING_TIME
from games import services
from games.models import Account, Game, Import
from games.services import SeatAssignment
from tabularium_log.projection.table_actions import Clock
from tests.api.program import Program
from tests.api.test_matrix import assert_refused
from tests.api.world import BASE, World
from tests.games.sitting import BOTS, SLUG

pytestmark = [pytest.mark.django_db, pytest.mark.stores]

GAMES: Final = f"{BASE}/games"
EMPTY: Final[dict[str, Any]] = {"items": [], "next_cursor": None, "changed_since": None}
UNLIKE_VIEW: Final = {"seats"}  # lists say less of a seat


def page(program: Program, path: str = GAMES, **query: Any) -> dict[str, Any]:
    """A page of a list."""
    found: dict[str, Any] = program.get(f"{path}?{urlencode(query)}").json()
    return found


def ids(program: Program, path: str = GAMES, **query: Any) -> list[str]:
    """The ids of the games on a page."""
    return [item["id"] for item in page(program, path, **query)["items"]]


def age(*games: str) -> None:
    """Let games have changed long ago, the first of them last."""
    for minutes, game in enumerate(games, 1):
        at = timezone.now() - timedelta(minutes=minutes)
        Game.objects.filter(pk=game).update(at=at)


# -- items -----------------------------------------------------------------------------------------


@pytest.mark.parametrize("phase", ["gathering", "inviting", "promised", "playing", "over", "rated"])
@pytest.mark.parametrize("viewer", ["ada", "bob", "eve", "nobody"])
def test_items_agree_with_the_games(world: World, phase: str, viewer: str) -> None:
    made: Any = getattr(world, phase)()
    game = made[0] if isinstance(made, tuple) else made
    program: Program = getattr(world, f"as_{viewer}")
    (item,) = page(program)["items"]
    view = program.get(f"{GAMES}/{game}").json()
    assert item["links"] == view["links"]
    assert {name: view[name] for name in item.keys() - UNLIKE_VIEW} == {
        name: value for name, value in item.items() if name not in UNLIKE_VIEW
    }
    for seat, seat_view in zip(item["seats"], view["seats"], strict=True):
        assert seat.items() <= seat_view.items()


def test_seats_tell_their_players(world: World) -> None:
    game = world.joined()
    services.join_game(game, 2, bot="greedy")
    services.replace_seat(game, 1, "random")
    (item,) = page(world.as_bob)["items"]
    ada: dict[str, Any] = {"kind": "account", "account": world.ada.pk, "bot": None, "name": "Ada"}
    bob: dict[str, Any] = {"kind": "bot", "account": world.bob.pk, "bot": "random", "name": "Bob"}
    greedy: dict[str, Any] = {"kind": "bot", "account": None, "bot": "greedy", "name": None}
    assert item["seats"] == [
        {"seat": seat, "is_you": False, "is_deleted": False, **player}
        for seat, player in enumerate((ada, bob, greedy))
    ]
    assert item["open_seats"] == item["your_seats"] == []


def test_a_deleted_account_leaves_a_seat_without_a_name(world: World) -> None:
    game = world.playing()
    Account.objects.filter(pk=world.bob.pk).delete()
    for seats in (page(world.as_ada)["items"][0]["seats"], seats_of(world, game)):
        assert [(seat["kind"], seat["account"], seat["name"]) for seat in seats] == [
            ("account", world.ada.pk, "Ada"),
            ("account", None, None),
        ]


def seats_of(world: World, game: str) -> Any:
    """The seats of a game, as the game itself lists them."""
    return world.as_ada.get(f"{GAMES}/{game}").json()["seats"]


def test_seats_are_open_or_reserved(world: World) -> None:
    game, _ = world.inviting()
    other = world.gathering(clock=Clock(60_000))
    later, earlier = page(world.as_eve)["items"]
    assert (earlier["id"], later["id"]) == (game, other)
    assert [seat["kind"] for seat in earlier["seats"]] == ["account", "invite"]
    assert [seat["kind"] for seat in later["seats"]] == ["account", "open"]
    assert (earlier["open_seats"], later["open_seats"]) == ([], [1])
    assert later["clock"] == {"action_ms": 60_000, "then": "bot"}


def test_imports_are_updated_when_they_are_imported(world: World) -> None:
    game = world.imported_game()
    (item,) = page(world.as_eve, imported="true")["items"]
    imported_at = item["imported"]["at"]
    assert item["updated"] == imported_at > item["at"]
    assert world.as_eve.get(f"{GAMES}/{game}").json()["updated"] == imported_at
    assert item["result"]["reason"]
    assert item["first"]
    assert ids(world.as_eve, imported="true", since=imported_at) == [game]
    assert ids(world.as_eve, imported="true", until=imported_at) == []
    Import.objects.update(at=None)  # of an early version
    (item,) = page(world.as_eve, imported="true")["items"]
    assert item["updated"] == item["at"]


@pytest.mark.parametrize("query", ["order=newest", "order=recent", "open=true", "imported=true"])
def test_more_games_need_no_more_queries(world: World, query: str) -> None:
    counts, numbers = [], iter(range(7, 20))
    for more in (1, 4):
        for _ in range(more):
            world.gathering()
            world.inviting()
            world.over()
            world.imported_game(number=next(numbers))
        page(world.as_bob)  # fills the caches of keys and limits
        with CaptureQueriesContext(connection) as queries:
            assert world.as_bob.get(f"{GAMES}?{query}").json()["items"]
        counts.append(len(queries))
    assert counts[0] == counts[1] <= 10


# -- filters ---------------------------------------------------------------------------------------


def test_filters_find_games(world: World) -> None:
    gathering, (inviting, _) = world.gathering(), world.inviting()
    playing, over = world.playing(), world.over()
    bots = world.created(*BOTS)
    age(over, bots, playing, inviting, gathering)
    middle = page(world.as_eve, phase="playing", account=world.bob.pk)["items"][0]["updated"]
    found: dict[tuple[tuple[str, str], ...], list[str]] = {
        (("open", "true"),): [gathering],
        (("open", "false"),): [bots, over, playing, inviting],
        (("account", world.bob.pk),): [over, playing],
        (("account", world.ada.pk), ("phase", "gathering")): [inviting, gathering],
        (("account", world.eve.pk),): [],
        (("bot", "greedy"),): [bots],
        (("bot", "mcts"),): [],
        (("since", middle),): [bots, over, playing],
        (("until", middle),): [inviting, gathering],
        (("since", middle), ("until", middle)): [],
        (("since", middle), ("until", "2020-01-01T00:00:00Z")): [],
        (("order", "recent"),): [over, bots, playing, inviting, gathering],
        (("order", "recent"), ("until", middle), ("rules", SLUG)): [inviting, gathering],
    }
    for query, games in found.items():
        assert ids(world.as_eve, **dict(query)) == games, query


def test_filters_find_own_games(world: World) -> None:
    mine = f"{BASE}/me/games"
    against_bot = world.created(SeatAssignment(account=world.ada), BOTS[1])
    games = [world.gathering(), world.playing(), against_bot]
    age(games[1], games[0], games[2])
    assert ids(world.as_ada, mine, order="recent") == [games[1], games[0], games[2]]
    assert ids(world.as_ada, mine, account=world.bob.pk) == [games[1]]
    assert ids(world.as_ada, mine, open="true") == [games[0]]
    assert ids(world.as_ada, mine, bot="greedy") == [against_bot]


@pytest.mark.parametrize("visibility", ["private", "unlisted"])
def test_filters_find_no_hidden_games(world: World, visibility: str) -> None:
    games = [world.playing(), world.gathering(), world.imported_game()]
    Game.objects.update(visibility=visibility)
    queries: tuple[dict[str, str], ...] = (
        *({}, {"account": world.ada.pk}, {"open": "true"}, {"order": "recent"}),
        *({"bot": "random"}, {"since": "2000-01-01T00:00:00Z"}, {"imported": "true"}),
    )
    for query in queries:
        for program in (world.as_eve, world.as_nobody):
            assert page(program, **query) == EMPTY
    assert ids(world.as_ada, order="recent", account=world.bob.pk) == games[:1]


@pytest.mark.parametrize(
    ("query", "parameter", "code"),
    [
        ("order=oldest", "order", "invalid_choice"),
        ("open=maybe", "open", "invalid"),
        ("account=Ada", "account", "invalid"),
        (f"account=account_{'0' * 31}G", "account", "invalid"),
        ("account=", "account", "blank"),
        ("bot=mcts 300", "bot", "invalid"),
        (f"bot={'a' * 41}", "bot", "max_length"),
        ("since=yesterday", "since", "malformed"),
        ("since=2026-01-31", "since", "malformed"),
        ("until=2026-01-31T12:00:00", "until", "malformed"),
        ("until=2026-01-31T12:00:00+01:00", "until", "malformed"),  # the + is a space
        ("since=0001-01-01T00:00:00%2B14:00", "since", "malformed"),
        ("order=recent&cursor=AAAA", "cursor", "invalid"),
    ],
)
def test_bad_filters_are_refused(world: World, query: str, parameter: str, code: str) -> None:
    for path in (GAMES, f"{BASE}/me/games"):
        problem = assert_refused(world.as_ada.get(f"{path}?{query}"), "invalid-parameter")
        assert [(error["parameter"], error["code"]) for error in problem["errors"]] == [
            (parameter, code)
        ]


# -- pages by recency ------------------------------------------------------------------------------


def test_recent_pages_show_each_game_once(world: World) -> None:
    games = [world.gathering() for _ in range(5)]
    age(*games)
    Game.objects.filter(pk__in=games[1:3]).update(at=Game.objects.get(pk=games[1]).at)
    expected = [games[0], *sorted(games[1:3], reverse=True), *games[3:]]
    assert recent_pages(world.as_eve) == (expected, [None] * 3)


def recent_pages(program: Program, **query: str) -> tuple[list[str], list[str | None]]:
    """All games by recency, in pages of two, and the changes that the pages tell of."""
    found: list[str] = []
    changes: list[str | None] = []
    while "cursor" not in query or query["cursor"]:
        got = page(program, order="recent", limit="2", **query)
        found += [item["id"] for item in got["items"]]
        changes.append(got["changed_since"])
        query["cursor"] = got["next_cursor"] or ""
    return found, changes


def test_recent_pages_tell_of_games_that_moved_away(world: World) -> None:
    games = [world.gathering() for _ in range(5)]
    age(*games)
    first = page(world.as_eve, order="recent", limit="2")
    assert first["changed_since"] is None
    services.join_game(games[3], 1, bot="random")  # from the next page to the beginning
    second = page(world.as_eve, order="recent", limit="2", cursor=first["next_cursor"])
    assert [item["id"] for item in second["items"]] == [games[2], games[4]]
    missed = page(world.as_eve, order="recent", since=second["changed_since"])
    assert [item["id"] for item in missed["items"]] == [games[3]]
    assert missed["items"][0]["phase"] == "playing"


def test_recent_pages_tell_of_games_beyond_the_end_of_the_time(world: World) -> None:
    games = [world.gathering() for _ in range(3)]
    age(*games)
    until = timezone.now().isoformat()
    first = page(world.as_eve, order="recent", limit="2", until=until)
    services.join_game(games[2], 1, bot="random")
    more = {"cursor": first["next_cursor"], "until": until}
    second = page(world.as_eve, order="recent", **more)
    assert second["items"] == []
    assert ids(world.as_eve, since=second["changed_since"]) == [games[2]]


def test_recent_pages_tell_of_entries_that_were_being_committed(world: World) -> None:
    games = [world.gathering() for _ in range(3)]
    age(*games)
    first = page(world.as_eve, order="recent", limit="2")
    # an entry that was stamped before the first page, and became visible after it
    Game.objects.filter(pk=games[2]).update(at=timezone.now() - SETTLING_TIME / 2)
    second = page(world.as_eve, order="recent", limit="2", cursor=first["next_cursor"])
    assert second["changed_since"]


def test_the_order_newest_is_not_moved_by_changes(world: World) -> None:
    games = [world.gathering() for _ in range(3)]
    first = page(world.as_eve, limit="2")
    services.join_game(games[0], 1, bot="random")
    second = page(world.as_eve, limit="2", cursor=first["next_cursor"])
    assert ([item["id"] for item in second["items"]], second["changed_since"]) == (games[:1], None)


def test_each_order_has_its_own_cursors(world: World) -> None:
    for _ in range(2):
        world.gathering()
    newest, recent = (
        page(world.as_eve, order=order, limit="1")["next_cursor"] for order in ("newest", "recent")
    )
    for order, cursor in (("newest", recent), ("recent", newest)):
        query = urlencode({"order": order, "cursor": cursor})
        assert_refused(world.as_eve.get(f"{GAMES}?{query}"), "invalid-parameter")


def test_lists_are_revalidated(world: World) -> None:
    game = world.gathering()
    path = f"{GAMES}?order=recent"
    tag = world.as_eve.get(path).headers["ETag"]
    assert world.as_eve.get(path, headers={"If-None-Match": tag}).status_code == 304
    services.rename_account(world.ada.pk, "Ada L.")
    renamed = world.as_eve.get(path, headers={"If-None-Match": tag})
    assert renamed.json()["items"][0]["seats"][0]["name"] == "Ada L."
    services.join_game(game, 1, bot="random")
    after = world.as_eve.get(path, headers={"If-None-Match": renamed.headers["ETag"]})
    assert after.json()["items"][0]["phase"] == "playing"

"""The profiles of accounts and bots: their ratings and public games, and nothing of hidden ones."""

from __future__ import annotations

from typing import Any, Final

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from games import services
from games.models import Account, Game
from games.ratings import rating_fold
from tests.api.test_matrix import assert_refused
from tests.api.world import BASE, World
from tests.games.sitting import SLUG

pytestmark = [pytest.mark.django_db, pytest.mark.stores]

LADDER: Final = f"{BASE}/rules/{SLUG}/ratings"


def profile(world: World, account: Account) -> dict[str, Any]:
    """The profile of an account, which is the same for all."""
    path = f"{BASE}/accounts/{account.pk}"
    bodies = [
        program.get(path).content
        for program in (world.as_nobody, world.as_ada, world.as_bob, world.as_eve)
    ]
    assert bodies[1:] == bodies[:-1]
    found: dict[str, Any] = world.as_nobody.get(path).json()
    return found


def test_accounts_are_found_by_their_whole_name(world: World) -> None:
    older, newer = (Account.objects.create(name="Zo\u00eb L.") for _ in range(2))
    Account.objects.create(name="Zo\u00eb L.2")

    def found(name: str, **query: Any) -> Any:
        return world.as_nobody.get(f"{BASE}/accounts", {"name": name, **query}).json()

    first = found("Zo\u00eb L.", limit=1)
    assert [item["id"] for item in first["items"]] == [newer.pk]
    assert first["items"][0]["links"] == profile(world, newer)["links"]
    second = found("Zo\u00eb L.", limit=1, cursor=first["next_cursor"])
    assert ([item["id"] for item in second["items"]], second["next_cursor"]) == ([older.pk], None)
    for other in ("zo\u00eb l.", "Zo\u00eb", " Zo\u00eb L."):
        assert found(other)["items"] == []
    assert found("")["code"] == found("a\0")["code"] == "invalid-parameter"


def test_an_account_has_ratings_and_public_games(world: World) -> None:
    rated = world.rated()
    games = [world.playing(), world.gathering(), rated]
    services.replace_seat(games[0], 0, "random")
    ada, bob = profile(world, world.ada), profile(world, world.bob)
    assert (ada["id"], ada["name"]) == (world.ada.pk, "Ada")
    assert ada["games"] == [{"rules": SLUG, "gathering": 1, "playing": 1, "over": 1}]
    assert bob["games"] == [{"rules": SLUG, "gathering": 0, "playing": 1, "over": 1}]
    assert ada["ratings"] == world.as_ada.get(f"{BASE}/me").json()["ratings"]
    (rating,) = ada["ratings"]
    assert (rating["rules"], rating["games"]) == (SLUG, 1)
    items = world.as_eve.get(ada["links"]["games"]).json()["items"]
    assert sorted(item["id"] for item in items) == sorted(games)
    assert ada["links"]["self"] == f"{BASE}/accounts/{world.ada.pk}"


@pytest.mark.parametrize("visibility", ["private", "unlisted"])
def test_hidden_games_leave_no_trace(world: World, visibility: str) -> None:
    before = profile(world, world.ada)
    for game in (world.gathering(), world.playing(), world.over()):
        Game.objects.filter(pk=game).update(visibility=visibility)
    assert profile(world, world.ada) == before
    assert before["games"] == before["ratings"] == []
    listed = world.as_eve.get(before["links"]["games"]).json()["items"]
    assert listed == []


def test_a_profile_tells_no_more_than_it_should(world: World) -> None:
    members = {"id", "name", "created", "ratings", "games", "links"}
    assert profile(world, world.ada).keys() == members


def test_an_unknown_player_is_not_found(world: World) -> None:
    gone = world.eve.pk
    Account.objects.filter(pk=gone).delete()
    for path in (f"accounts/{gone}", "accounts/Ada", "bots/deep", "bots/mcts-300"):
        assert_refused(world.as_ada.get(f"{BASE}/{path}"), "not-found")


def test_more_games_need_no_more_queries(world: World) -> None:
    counts = []
    for more in (1, 5):
        for _ in range(more):
            world.playing()
            world.rated()
        path = f"{BASE}/accounts/{world.ada.pk}"
        world.as_bob.get(path)
        with CaptureQueriesContext(connection) as queries:
            world.as_bob.get(path)
        counts.append(len(queries))
    assert counts[0] == counts[1]


def test_leaderboards_name_accounts(world: World) -> None:
    world.rated()
    accounts = {row["account"] for row in world.as_nobody.get(LADDER).json()["items"]}
    assert accounts == {world.ada.pk, world.bob.pk}


def test_a_bot_has_ratings_and_all_that_the_catalogue_says(world: World) -> None:
    body = {
        "rules": "duality",
        "seats": [{"kind": "me"}, {"kind": "bot", "bot": "greedy"}],
        "rated": True,
        "clock": {"action_ms": 60_000, "then": "resign"},
    }
    game = world.as_ada.send(f"{BASE}/games", body).json()["id"]
    services.resign_seat(game, 0)
    rating_fold.count_games("duality")
    bot = world.as_nobody.get(f"{BASE}/bots/greedy").json()
    listed = {each["name"]: each for each in world.as_nobody.get(f"{BASE}/bots").json()["items"]}
    assert bot.items() >= listed["greedy"].items()
    ladder = world.as_nobody.get(f"{BASE}/rules/duality/ratings").json()["items"]
    (row,) = (row for row in ladder if row["bot"] == "greedy")
    (rating,) = bot["ratings"]
    assert rating == {"rules": "duality"} | {name: row[name] for name in rating if name in row}
    assert row["account"] is None
    (item,) = world.as_nobody.get(bot["links"]["games"]).json()["items"]
    assert item["id"] == game

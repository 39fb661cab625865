"""Ratings: which games may be rated, how clients see that, and the leaderboards."""

from __future__ import annotations

from typing import Any

import pytest

from games import services
from games.audit import stored_game_verifier
from games.models import Game, Rating
from games.ratings import player_ratings, rating_fold
from games.services import SeatAssignment
from tabularium_engines.installed.registry import ENGINES
from tabularium_log.audit import export_verifier
from tabularium_log.projection.table_actions import Clock
from tests.api.calls import BOTS
from tests.api.program import Program
from tests.api.test_games import GAMES, ask, create_game
from tests.api.test_matrix import assert_refused
from tests.api.world import BASE, World
from tests.games.audit.making import new_plan, play_plan
from tests.games.sitting import SLUG

pytestmark = pytest.mark.stores

CLOCK = {"action_ms": 60_000, "then": "resign"}
OPEN = [{"kind": "me"}, {"kind": "open"}]
RATED: dict[str, Any] = {"rated": True, "clock": CLOCK, "options": {"legs": 2}}
CROWD: dict[str, Any] = RATED | {"options": {}}  # of more than two players
LADDER = f"{BASE}/rules/{SLUG}/ratings"


def rated_game(world: World) -> str:
    """A rated game of Ada and Bob that is still being played."""
    return world.playing(clock=Clock(60_000, "resign"), rated=True)


class TestRatedGames:
    def test_say_so_wherever_they_are_seen(self, world: World) -> None:
        game = create_game(world.as_ada, seats=BOTS, **RATED)
        other = create_game(world.as_ada)
        assert (game["rated"], other["rated"]) == (True, False)
        log = world.as_ada.get(game["links"]["log"]).json()
        assert log["items"][0]["action"]["rated"] is True
        assert "rated" not in world.as_ada.get(other["links"]["log"]).json()["items"][0]["action"]
        ids = {
            query: [
                item["id"] for item in world.as_eve.get(f"{GAMES}?rated={query}").json()["items"]
            ]
            for query in ("true", "false")
        }
        assert ids == {"true": [game["id"]], "false": [other["id"]]}
        (item,) = world.as_ada.get(f"{BASE}/me/games?rated=true").json()["items"]
        assert item["rated"]

    @pytest.mark.parametrize(
        ("members", "code"),
        [
            ({"clock": None}, "rated-clock"),
            ({"clock": {"action_ms": 60_000}}, "rated-clock"),
            ({"seats": [{"kind": "me"}] * 2}, "rated-twice"),
            ({"seats": [{"kind": "bot", "bot": "mcts"}] * 2}, "rated-twice"),
            ({"rated": 1}, "invalid-body"),
        ],
    )
    def test_that_nobody_could_win_fairly_are_refused(
        self, world: World, members: dict[str, Any], code: str
    ) -> None:
        body = {"rules": SLUG, "seats": OPEN} | RATED | members
        assert_refused(world.as_ada.send(GAMES, body), code)
        assert not Game.objects.exists()

    @pytest.mark.parametrize("command", ["seats", "start", "bots"])
    def test_at_which_a_bot_could_not_think_are_refused(self, world: World, command: str) -> None:
        short, bot = {"action_ms": 1000, "then": "random"}, {"kind": "bot", "bot": "mcts"}
        seats = [{"kind": "me"}, bot if command == "seats" else {"kind": "open"}]
        game_body = {"rules": SLUG, "seats": seats, **RATED, "clock": short}
        response = world.as_ada.send(GAMES, game_body)
        if command != "seats":
            game = response.json()["id"]
            body = {"fill_with": "mcts"} if command == "start" else {"seat": 1, "bot": "mcts"}
            response = world.as_ada.send(f"{GAMES}/{game}/{command}", body)
        assert "2500" in assert_refused(response, "rated-clock")["detail"]
        unrated = game_body | {"seats": [{"kind": "me"}, bot], "rated": False}
        assert world.as_ada.send(GAMES, unrated).status_code == 201
        longer = game_body | {"seats": [{"kind": "me"}, bot], "clock": short | {"action_ms": 2500}}
        assert world.as_ada.send(GAMES, longer).status_code == 201

    def test_at_which_all_win_together_are_refused(self, world: World) -> None:
        seats = [*OPEN, *OPEN[1:] * 2]
        body = {"rules": "duel_edged_sword", "seats": seats, **CROWD}
        collaborative = body | {"options": {"mode": "collaborative"}}
        assert_refused(world.as_ada.send(GAMES, collaborative), "rated-together")
        assert world.as_ada.send(GAMES, body).status_code == 201

    @pytest.mark.parametrize(
        "members",
        [
            {"options": {"legs": 1}},
            {"options": {}, "version": 1},
            {"options": {}, "version": 2},
        ],
    )
    def test_of_two_in_which_one_player_alone_begins_are_refused(
        self, world: World, members: dict[str, Any]
    ) -> None:
        """Two legs are the default of the newest version alone."""
        body = {"rules": SLUG, "seats": OPEN} | RATED | members
        problem = assert_refused(world.as_ada.send(GAMES, body), "rated-legs")
        assert "version 3 without `legs: 1`" in problem["detail"]
        assert not Game.objects.exists()
        assert world.as_ada.send(GAMES, body | {"rated": False}).status_code == 201
        three = body | {"seats": [*OPEN, OPEN[1]], "options": {}}
        assert world.as_ada.send(GAMES, three).status_code == 201
        assert world.as_ada.send(GAMES, body | RATED | {"version": 2}).status_code == 201

    def test_have_one_seat_for_each(self, world: World) -> None:
        game = create_game(world.as_ada, seats=[*OPEN, *OPEN[1:] * 2], **CROWD)["id"]
        assert_refused(ask(world.as_ada, game, "join", seat=1), "rated-twice")
        assert_refused(ask(world.as_ada, game, "start", fill_with="mcts"), "rated-twice")
        assert ask(world.as_ada, game, "bots", seat=1, bot="mcts").status_code == 200
        assert_refused(ask(world.as_ada, game, "bots", seat=2, bot="mcts"), "rated-twice")
        assert ask(world.as_bob, game, "join", seat=2).status_code == 200
        assert_refused(ask(world.as_ada, game, "start", fill_with="mcts"), "rated-twice")
        document = ask(world.as_ada, game, "start", fill_with="greedy").json()
        assert document["phase"] == "playing"

    def test_are_played_by_their_players(self, world: World) -> None:
        assert_refused(
            ask(world.as_ada, rated_game(world), "bots", seat=0, bot="mcts"), "rated-substitute"
        )

    def test_help_nobody_before_they_are_over(self, world: World) -> None:
        game = rated_game(world)
        fork = {"seq": Game.objects.get(pk=game).seq, "seats": BOTS}
        assert_refused(ask(world.as_ada, game, "forks", seat=0, **fork), "rated-running")
        assert ask(world.as_ada, world.playing(), "forks", seat=0, **fork).status_code == 201
        ask(world.as_bob, game, "resign", seat=1)
        forked = ask(world.as_eve, game, "forks", **fork).json()
        assert (forked["phase"], forked["rated"]) == ("playing", False)

    def test_that_come_from_elsewhere_count_there(self, world: World) -> None:
        clock = Clock(60_000, "resign")
        plan = new_plan(ENGINES[SLUG], 2, 7, clock=clock, rated=True, ends_at=3)
        imported_game, _ = services.import_game(
            export_verifier.load_verified_game(play_plan(plan).lines())
        )
        table = world.as_ada.get(f"{GAMES}/{imported_game.pk}").json()
        assert (table["phase"], table["rated"]) == ("over", True)
        assert rating_fold.count_games(SLUG, thoroughly=True) == 0
        assert stored_game_verifier.verify_game(imported_game.pk).is_good


class TestTheLadder:
    def items(self, program: Program, query: str = "") -> list[dict[str, Any]]:
        items: list[dict[str, Any]] = program.get(LADDER + query).json()["items"]
        return items

    def test_lists_the_best_first(self, world: World) -> None:
        world.rated()
        names = [(item["name"], item["is_you"]) for item in self.items(world.as_bob)]
        assert names == [("Ada", False), ("Bob", True)]
        (first, last) = self.items(world.as_nobody)
        assert not first["is_you"]
        assert not last["is_you"]
        assert first["ordinal"] > last["ordinal"]
        assert first["mu"] - 25 == pytest.approx(25 - last["mu"], abs=0.002)
        assert first["ordinal"] == pytest.approx(first["mu"] - 3 * first["sigma"], abs=0.01)

    def test_has_bots_by_their_names(self, world: World) -> None:
        seats = [SeatAssignment(account=world.ada), SeatAssignment(bot="greedy")]
        game = world.created(*seats, clock=Clock(60_000, "resign"), rated=True)
        ask(world.as_ada, game, "resign", seat=0)
        rating_fold.count_games(SLUG)
        bot, ada = self.items(world.as_ada)
        assert (bot["kind"], bot["bot"], bot["name"]) == ("bot", "greedy", None)
        assert (ada["kind"], ada["bot"], ada["name"]) == ("account", None, "Ada")

    def test_is_provisional_for_a_while(self, world: World) -> None:
        for _ in range(player_ratings.PROVISIONAL_GAMES - 1):
            world.rated()
        assert {item["is_provisional"] for item in self.items(world.as_ada)} == {True}
        world.rated()
        item = self.items(world.as_ada)[0]
        assert (item["games"], item["is_provisional"]) == (player_ratings.PROVISIONAL_GAMES, False)

    def test_comes_in_pages(self, world: World) -> None:
        world.rated()
        row = Rating.objects.get(player=world.bob.pk)
        for number in range(5):  # all with the same ordinal
            row.pk, row.player = None, f"bot_{number}"
            row.save()
        names, cursor = list[Any](), ""
        while cursor is not None:
            page = world.as_ada.get(f"{LADDER}?limit=2{cursor}").json()
            names += [item["name"] or item["bot"] for item in page["items"]]
            assert len(page["items"]) <= 2
            cursor = page["next_cursor"] and f"&cursor={page['next_cursor']}"
        assert names == ["Ada", "Bob", "0", "1", "2", "3", "4"]

    @pytest.mark.parametrize("cursor", ["x", "AAAA", "é", "MSBhIGI", "bmFuIGE", "MS4yLjMgYQ"])
    def test_knows_its_own_cursors_only(self, world: World, cursor: str) -> None:
        assert_refused(world.as_ada.get(f"{LADDER}?cursor={cursor}"), "invalid-parameter")

    def test_is_that_of_one_game(self, world: World) -> None:
        world.rated()
        other_ladder = world.as_ada.get(f"{BASE}/rules/duality/ratings").json()
        assert other_ladder == {"items": [], "next_cursor": None}
        assert_refused(world.as_ada.get(f"{BASE}/rules/chess/ratings"), "not-found")

    def test_follows_a_name_and_forgets_who_is_gone(self, world: World) -> None:
        world.rated()
        world.as_ada.send(f"{BASE}/me", {"name": "Ada L."}, "PATCH")
        before = self.items(world.as_bob)
        assert before[0]["name"] == "Ada L."
        world.ada.delete()
        assert self.items(world.as_bob) == before[1:]


def test_i_see_how_i_am_rated(world: World) -> None:
    assert world.as_ada.get(f"{BASE}/me").json()["ratings"] == []
    world.rated()
    (own_rating,) = world.as_ada.get(f"{BASE}/me").json()["ratings"]
    (ladder_row, _) = world.as_ada.get(LADDER).json()["items"]
    assert own_rating["rules"] == SLUG
    assert {name: ladder_row[name] for name in own_rating if name != "rules"} == {
        name: value for name, value in own_rating.items() if name != "rules"
    }

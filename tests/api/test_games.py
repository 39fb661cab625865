"""The life cycle of a game: lists, joining, leaving, invitations, bots, resigning, forks."""

from __future__ import annotations

from typing import Any

import pytest

from api.models import Invitation, Reply
from games.models import Game
from games.services import SeatAssignment
from tests.api.calls import BOTS
from tests.api.program import Program
from tests.api.test_matrix import assert_refused
from tests.api.world import BASE, World
from tests.games.sitting import SEED, SLUG, seed_hash

GAMES = f"{BASE}/games"
OPEN = [{"kind": "me"}, {"kind": "open"}]


def game_body(**members: Any) -> dict[str, Any]:
    return {"rules": SLUG, "seats": OPEN} | members


def create_game(program: Program, **members: Any) -> Any:
    """A new game."""
    response = program.send(GAMES, game_body(**members))
    assert response.status_code == 201, response.content
    return response.json()


def ask(program: Program, game: str, command: str, **body: Any) -> Any:
    """Send a command to a game."""
    return program.send(f"{GAMES}/{game}/{command}", body)


class TestCreating:
    def test_starts_at_once_if_nobody_is_missing(self, world: World) -> None:
        response = world.as_ada.send(GAMES, game_body(seats=BOTS))
        game = response.json()
        assert response["Location"] == game["links"]["self"]
        assert game["phase"] == "playing"
        assert [seat["kind"] for seat in game["seats"]] == ["account", "bot"]
        assert world.as_ada.get(response["Location"]).json() | {"invitations": []} == game

    def test_waits_for_who_is_missing(self, world: World) -> None:
        game = create_game(world.as_ada)
        assert (game["phase"], game["view"], game["choice"]) == ("gathering", None, None)
        assert [seat["kind"] for seat in game["seats"]] == ["account", "open"]

    def test_takes_options_and_a_clock(self, world: World) -> None:
        clock = {"action_ms": 60_000, "then": "bot"}
        game = create_game(world.as_ada, options={"points_to_win": 2}, clock=clock, seats=BOTS)
        assert game["options"]["points_to_win"] == 2
        assert game["clock"] == clock
        assert game["deadline"]

    def test_takes_options_with_their_type_as_it_gives_them(self, world: World) -> None:
        game = create_game(world.as_ada, options={"points_to_win": 2}, seats=BOTS)
        assert game["options"]["type"] == "law_of_the_dice.options.v3"
        again = create_game(world.as_ada, options=game["options"], seats=BOTS)
        assert again["options"] == game["options"]
        log = world.as_ada.get(again["links"]["log"]).json()
        assert "type" not in log["items"][0]["action"]["options"]

    def test_refuses_options_of_other_rules(self, world: World) -> None:
        kinds: list[Any] = ["law.options.v2", "law_of_the_dice.options.v1", None, []]
        for kind in kinds:
            body = game_body(options={"type": kind, "points_to_win": 2}, seats=BOTS)
            response = world.as_ada.send(GAMES, body)
            assert_refused(response, "invalid-options")
            assert response.json()["errors"][0]["pointer"] == "/options/type"

    @pytest.mark.parametrize(
        ("members", "code"),
        [
            ({"rules": "chess"}, "unknown-rules"),
            ({"options": {"points_to_win": "x"}}, "invalid-options"),
            ({"options": {"nix": 1}}, "invalid-options"),
            ({"options": []}, "invalid-options"),
            ({"options": {"legs": 2}, "seats": [{"kind": "open"}] * 3}, "invalid-options"),
            ({"seats": [{"kind": "me"}]}, "wrong-seats"),
            ({"seats": [{"kind": "open"}] * 99}, "wrong-seats"),
            ({"seats": [{"kind": "bot", "bot": "deep_blue"}, {"kind": "me"}]}, "unknown-bot"),
            ({"seats": [{"kind": "me", "seed_hash": "x"}, {"kind": "open"}]}, "bad-seed-hash"),
            ({"seats": [{"kind": "cat"}]}, "invalid-body"),
            ({"clock": {"action_ms": 1}}, "invalid-body"),
        ],
    )
    def test_is_refused(self, world: World, members: dict[str, Any], code: str) -> None:
        assert_refused(world.as_ada.send(GAMES, game_body(**members)), code)
        assert not Game.objects.exists()


class TestLists:
    def test_come_in_pages_that_bear_new_games(self, world: World) -> None:
        existing = [create_game(world.as_ada)["id"] for _ in range(5)]
        ids, cursor = [], ""
        while cursor is not None:
            page = world.as_ada.get(f"{GAMES}?limit=2{cursor}").json()
            ids += [item["id"] for item in page["items"]]
            cursor = page["next_cursor"] and f"&cursor={page['next_cursor']}"
            create_game(world.as_bob)
        assert ids == existing[::-1]

    def test_can_be_narrowed(self, world: World) -> None:
        gathering, playing = world.gathering(), world.playing()
        ids = {
            query: [item["id"] for item in world.as_eve.get(f"{GAMES}?{query}").json()["items"]]
            for query in ("phase=gathering", "phase=playing", "phase=over", "rules=chess")
        }
        assert list(ids.values()) == [[gathering], [playing], [], []]

    def test_show_private_games_to_those_who_play(self, world: World) -> None:
        private = world.playing(visibility="private")
        for program, sees in ((world.as_ada, True), (world.as_bob, True), (world.as_eve, False)):
            assert (private in str(program.get(GAMES).json())) == sees
        assert private not in str(world.as_nobody.get(GAMES).json())

    def test_of_mine_say_whose_turn_it_is(self, world: World) -> None:
        game = world.awaiting()
        path = f"{BASE}/me/games"
        (item,) = world.as_ada.get(path).json()["items"]
        assert (item["id"], item["your_seats"], item["to_act"]) == (game, [0], [0])
        for program, count in ((world.as_ada, 1), (world.as_bob, 0), (world.as_eve, 0)):
            assert len(program.get(f"{path}?my_turn=true").json()["items"]) == count
        empty: dict[str, Any] = {"items": [], "next_cursor": None, "changed_since": None}
        assert world.as_eve.get(path).json() == empty

    def test_know_their_own_cursors_only(self, world: World) -> None:
        for cursor in ("x", "AAAA", "é"):
            assert_refused(world.as_ada.get(f"{GAMES}?cursor={cursor}"), "invalid-parameter")
        assert_refused(world.as_ada.get(f"{GAMES}?limit=1&limit=2"), "invalid-parameter")


class TestJoining:
    def test_the_last_to_come_starts_the_game(self, world: World) -> None:
        game = ask(world.as_bob, world.gathering(), "join", seat=1).json()
        assert (game["phase"], game["your_seats"]) == ("playing", [1])
        assert game["seats"][1]["is_you"]

    def test_is_refused_where_somebody_sits(self, world: World) -> None:
        game = world.gathering()
        assert_refused(ask(world.as_bob, game, "join", seat=0), "seat-taken")
        assert_refused(ask(world.as_bob, game, "join", seat=7), "unknown-seat")
        assert_refused(ask(world.as_bob, game, "join", seat=-1), "invalid-body")
        assert_refused(ask(world.as_bob, world.playing(), "join", seat=0), "started")
        assert_refused(ask(world.as_bob, world.over(), "join", seat=0), "game-over")

    def test_and_leaving_again(self, world: World) -> None:
        game = world.joined()
        document = ask(world.as_bob, game, "leave", seat=1).json()
        assert document["seats"][1]["kind"] == "open"
        assert document["your_seats"] == []
        assert ask(world.as_eve, game, "join", seat=1).status_code == 200

    def test_cannot_be_left_once_it_has_started(self, world: World) -> None:
        assert_refused(ask(world.as_ada, world.playing(), "leave", seat=0), "started")

    def test_whoever_set_it_up_may_free_a_seat(self, world: World) -> None:
        game = world.created(SeatAssignment(), SeatAssignment(account=world.bob), SeatAssignment())
        assert ask(world.as_ada, game, "leave", seat=1).status_code == 200
        assert_refused(ask(world.as_ada, game, "leave", seat=0), "seat-free")


class TestInvitations:
    def test_keep_a_seat(self, world: World) -> None:
        game, secret = world.inviting(visibility="private")
        assert world.as_ada.get(f"{GAMES}/{game}").json()["seats"][1]["kind"] == "invite"
        assert_refused(ask(world.as_bob, game, "join", seat=1, invitation="inv_0"), "not-found")
        response = ask(world.as_bob, game, "join", seat=1, invitation=secret)
        assert response.json()["phase"] == "playing"

    def test_are_needed_in_public_too(self, world: World) -> None:
        game, secret = world.inviting()
        assert_refused(ask(world.as_bob, game, "join", seat=1), "seat-kept")
        assert ask(world.as_bob, game, "join", seat=1, invitation=secret).status_code == 200

    def test_replace_older_ones(self, world: World) -> None:
        game, old = world.inviting()
        invitation = ask(world.as_ada, game, "invitations", seat=1).json()
        assert_refused(ask(world.as_bob, game, "join", seat=1, invitation=old), "seat-kept")
        secret = invitation["secret"]
        assert ask(world.as_bob, game, "join", seat=1, invitation=secret).status_code == 200

    def test_are_for_free_seats(self, world: World) -> None:
        game = world.gathering()
        assert_refused(ask(world.as_ada, game, "invitations", seat=0), "seat-taken")
        assert_refused(ask(world.as_ada, game, "invitations", seat=2), "unknown-seat")

    def test_can_be_asked_for_with_the_game(self, world: World) -> None:
        game = create_game(world.as_ada, seats=[{"kind": "invite"}, {"kind": "me"}])
        assert [seat["kind"] for seat in game["seats"]] == ["invite", "account"]
        (invitation,) = game["invitations"]
        assert (invitation["game"], invitation["seat"]) == (game["id"], 0)
        secret = invitation["secret"]
        assert ask(world.as_bob, game["id"], "join", seat=0, invitation=secret).status_code == 200

    def test_are_told_once(self, world: World) -> None:
        game = create_game(world.as_ada, seats=[{"kind": "me"}, {"kind": "invite"}])
        secret = game["invitations"][0]["secret"]
        for path in (f"{GAMES}/{game['id']}", f"{GAMES}/{game['id']}/log", GAMES):
            assert secret not in world.as_ada.get(path).content.decode()
        assert not Invitation.objects.filter(digest=secret).exists()
        assert create_game(world.as_ada, seats=OPEN)["invitations"] == []

    def test_are_told_again_to_the_same_request(self, world: World) -> None:
        body = {"rules": SLUG, "seats": [{"kind": "me"}, {"kind": "invite"}]}
        first, again = (
            world.as_ada.send(GAMES, body, headers={"Idempotency-Key": "once"}) for _ in range(2)
        )
        assert again["Idempotent-Replayed"] == "true"
        assert again.json() == first.json()
        secret = first.json()["invitations"][0]["secret"]
        assert secret.encode() not in bytes(Reply.objects.get().sealed)


class TestSeeds:
    def test_are_promised_and_opened(self, world: World) -> None:
        seats = [{"kind": "me", "seed_hash": seed_hash()}, {"kind": "bot", "bot": "random"}]
        game = create_game(world.as_ada, seats=seats)
        assert (game["phase"], game["seats"][0]["seed"]) == ("gathering", "promised")
        assert_refused(ask(world.as_ada, game["id"], "seeds", seat=0, seed="00" * 16), "wrong-seed")
        assert_refused(ask(world.as_ada, game["id"], "seeds", seat=0, seed="no"), "bad-seed")
        document = ask(world.as_ada, game["id"], "seeds", seat=0, seed=SEED).json()
        assert (document["phase"], document["fairness_level"]) == ("playing", 2)
        assert document["seats"][0]["seed"] == "open"

    def test_are_opened_when_all_are_there(self, world: World) -> None:
        game = create_game(world.as_ada, seats=[{"kind": "me", "seed_hash": seed_hash()}, OPEN[1]])
        assert_refused(ask(world.as_ada, game["id"], "seeds", seat=0, seed=SEED), "seats-open")

    def test_are_due_where_they_were_promised(self, world: World) -> None:
        assert_refused(
            ask(world.as_bob, world.promised(), "seeds", seat=1, seed=SEED), "no-seed-due"
        )


class TestGoingOn:
    def test_bots_fill_a_table(self, world: World) -> None:
        game = world.gathering()
        document = ask(world.as_ada, game, "start", fill_with="random").json()
        assert (document["phase"], document["seats"][1]["bot"]) == ("playing", "random")
        assert_refused(ask(world.as_ada, world.gathering(), "start", fill_with="x"), "unknown-bot")

    def test_a_bot_takes_a_free_seat_or_mine(self, world: World) -> None:
        game = world.gathering()
        assert ask(world.as_ada, game, "bots", seat=1, bot="random").json()["phase"] == "playing"
        replaced = ask(world.as_ada, game, "bots", seat=0, bot="greedy").json()
        assert (replaced["your_seats"], replaced["seats"][0]["bot"]) == ([], "greedy")
        assert_refused(ask(world.as_ada, game, "bots", seat=0, bot="x"), "unknown-bot")

    def test_whoever_resigns_has_lost(self, world: World) -> None:
        over = ask(world.as_ada, world.playing(), "resign", seat=0).json()
        assert (over["phase"], over["result"]["winners"]) == ("over", [1])
        assert_refused(ask(world.as_bob, over["id"], "resign", seat=1), "game-over")

    def test_among_three_a_bot_plays_on(self, world: World) -> None:
        seating = [SeatAssignment(account=each) for each in (world.ada, world.bob, world.eve)]
        game = world.created(*seating)
        resigned = ask(world.as_ada, game, "resign", seat=0).json()
        assert (resigned["phase"], resigned["your_seats"]) == ("playing", [])
        assert resigned["seats"][0]["has_resigned"]
        assert_refused(ask(world.as_bob, game, "resign", seat=0), "not-your-seat")

    def test_before_the_start_there_is_nothing_to_resign(self, world: World) -> None:
        assert_refused(ask(world.as_ada, world.gathering(), "resign", seat=0), "not-started")


class TestForks:
    def test_go_on_from_what_a_seat_knew(self, world: World) -> None:
        game = world.playing()
        fork = ask(world.as_ada, game, "forks", seq=4, seat=0, seats=BOTS).json()
        assert fork["origin"]["game"] == game
        assert (fork["visibility"], fork["phase"]) == ("private", "playing")
        views = [world.as_ada.get(f"{GAMES}/{each}").json()["view"] for each in (game, fork["id"])]
        assert views[0] == views[1]

    def test_of_all_that_was_only_when_it_is_over(self, world: World) -> None:
        assert_refused(ask(world.as_ada, world.playing(), "forks", seq=4, seats=BOTS), "not-over")
        fork = ask(world.as_eve, world.over(), "forks", seq=4, seats=BOTS).json()
        assert (fork["visibility"], fork["origin"]["seat"]) == ("public", None)

    def test_are_as_private_as_their_game(self, world: World) -> None:
        game = world.over(visibility="private")
        fork = ask(world.as_ada, game, "forks", seq=4, seats=BOTS).json()
        assert fork["visibility"] == "private"
        assert_refused(world.as_bob.get(f"{GAMES}/{fork['id']}"), "not-found")
        assert fork["id"] not in world.as_nobody.get(GAMES).content.decode()

    def test_may_be_more_private_than_their_game_but_no_less(self, world: World) -> None:
        body = {"seq": 4, "seats": BOTS}
        fork = ask(world.as_eve, world.over(), "forks", visibility="private", **body).json()
        assert fork["visibility"] == "private"
        game = world.over(visibility="private")
        assert_refused(
            ask(world.as_ada, game, "forks", visibility="public", **body), "invalid-body"
        )

    @pytest.mark.parametrize(
        ("body", "code"),
        [
            ({"seq": 99, "seat": 0, "seats": BOTS}, "unknown-entry"),
            ({"seq": 1, "seat": 0, "seats": BOTS}, "not-started"),
            ({"seq": 4, "seat": 0, "seats": BOTS[:1]}, "wrong-seats"),
            ({"seq": 4, "seat": 0, "seats": OPEN}, "wrong-seats"),
        ],
    )
    def test_are_refused(self, world: World, body: dict[str, Any], code: str) -> None:
        assert_refused(ask(world.as_ada, world.playing(), "forks", **body), code)

    def test_have_no_end_to_begin_with(self, world: World) -> None:
        game = world.over()
        seq = Game.objects.get(pk=game).seq
        assert_refused(ask(world.as_ada, game, "forks", seq=seq, seats=BOTS), "game-over")
        assert_refused(ask(world.as_ada, game, "forks", seq=4, seat=9, seats=BOTS), "unknown-seat")

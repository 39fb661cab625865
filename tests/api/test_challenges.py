"""Challenges: a seat of a new game is kept for one account, which takes it or declines."""

from __future__ import annotations

from typing import Any

import pytest
from django.conf import LazySettings

from games import services
from games.models import Account, Challenge
from games.services import SeatAssignment
from tests.api.program import Program, program_of
from tests.api.test_game_lists import ids
from tests.api.test_games import GAMES, ask, create_game
from tests.api.test_matrix import assert_refused
from tests.api.world import BASE, World
from tests.games.sitting import SLUG

pytestmark = pytest.mark.stores

CHALLENGES = f"{BASE}/me/games?challenged=true"


def against(account: Account) -> list[dict[str, Any]]:
    """Me against an account."""
    return [{"kind": "me"}, {"kind": "account", "account": account.pk}]


def challenge(program: Program, *accounts: Account, **members: Any) -> Any:
    """The reply to a request for a game with these accounts."""
    seats = [{"kind": "me"}, *(against(account)[1] for account in accounts)]
    return program.send(GAMES, {"rules": SLUG, "seats": seats} | members)


def seat_of(program: Program, game: str, seat: int = 1) -> Any:
    """The seat as the program sees it: its kind, account and name."""
    document = program.get(f"{GAMES}/{game}").json()["seats"][seat]
    return document["kind"], document["account"], document["name"]


def challenged_in(program: Program) -> list[str]:
    """The games in which a seat waits for the program."""
    return [item["id"] for item in program.get(CHALLENGES).json()["items"]]


class TestAChallenge:
    def test_keeps_a_seat_for_one_account(self, world: World) -> None:
        game = create_game(world.as_ada, seats=against(world.bob))
        assert (game["phase"], game["open_seats"]) == ("gathering", [])
        assert_refused(ask(world.as_eve, game["id"], "join", seat=1), "seat-kept")
        assert_refused(ask(world.as_ada, game["id"], "join", seat=1), "seat-kept")
        joined = ask(world.as_bob, game["id"], "join", seat=1).json()
        assert (joined["phase"], joined["your_seats"]) == ("playing", [1])
        assert challenged_in(world.as_bob) == []

    def test_names_the_account_to_both_and_to_nobody_else(self, world: World) -> None:
        game = world.challenging()
        for program in (world.as_ada, world.as_bob):
            assert seat_of(program, game) == ("challenge", world.bob.pk, "Bob")
        for program in (world.as_eve, world.as_nobody):
            assert seat_of(program, game) == ("challenge", None, None)
            (item,) = program.get(GAMES).json()["items"]
            assert item["seats"][1]["account"] is None
            assert world.bob.pk not in program.get(f"{GAMES}/{game}/log").content.decode()

    def test_is_listed_for_the_account(self, world: World) -> None:
        game, other = world.challenging(), world.gathering()
        assert challenged_in(world.as_bob) == [game]
        assert challenged_in(world.as_ada) == challenged_in(world.as_eve) == []
        (item,) = world.as_bob.get(CHALLENGES).json()["items"]
        assert (item["seats"][1]["kind"], item["open_seats"]) == ("challenge", [])
        assert ids(world.as_eve, open="true") == [other]
        assert ids(world.as_bob, f"{BASE}/me/games", challenged="true", my_turn="true") == []
        assert ids(world.as_bob, f"{BASE}/me/games", challenged="true", rules=SLUG) == [game]
        assert ids(world.as_bob, f"{BASE}/me/games", challenged="true", rules="law") == []

    def test_shows_a_private_game_to_the_account(self, world: World) -> None:
        game = world.challenging(visibility="private")
        assert_refused(world.as_eve.get(f"{GAMES}/{game}"), "not-found")
        assert_refused(ask(world.as_eve, game, "join", seat=1), "not-found")
        assert seat_of(world.as_bob, game)[0] == "challenge"
        assert ask(world.as_bob, game, "join", seat=1).json()["phase"] == "playing"

    def test_stands_while_the_account_has_left_again(self, world: World) -> None:
        seating = SeatAssignment(challenged=world.bob), SeatAssignment(account=world.ada)
        game = world.created(*seating, SeatAssignment())
        ask(world.as_bob, game, "join", seat=0)
        ask(world.as_bob, game, "leave", seat=0)
        assert_refused(ask(world.as_eve, game, "join", seat=0), "seat-kept")
        assert challenged_in(world.as_bob) == [game]

    def test_changes_the_tag_of_the_game_when_it_is_declined(self, world: World) -> None:
        game = world.challenging()
        tag = world.as_ada.get(f"{GAMES}/{game}")["ETag"]
        ask(world.as_bob, game, "decline", seat=1)
        condition = {"If-None-Match": tag}
        assert world.as_ada.get(f"{GAMES}/{game}", headers=condition).status_code == 200


class TestDeclining:
    def test_leaves_the_seat_to_the_creator(self, world: World) -> None:
        game = world.challenging()
        document = ask(world.as_bob, game, "decline", seat=1).json()
        assert document["seats"][1]["kind"] == "declined"
        assert seat_of(world.as_ada, game) == ("declined", world.bob.pk, "Bob")
        assert seat_of(world.as_eve, game) == ("declined", None, None)
        assert challenged_in(world.as_bob) == []
        for program in (world.as_bob, world.as_eve):
            assert_refused(ask(program, game, "join", seat=1), "seat-kept")
        assert ids(world.as_eve, open="true") == []
        assert ask(world.as_ada, game, "join", seat=1).json()["phase"] == "playing"

    def test_lets_the_creator_invite_another(self, world: World) -> None:
        game = world.challenging()
        ask(world.as_bob, game, "decline", seat=1)
        secret = ask(world.as_ada, game, "invitations", seat=1).json()["secret"]
        assert seat_of(world.as_ada, game) == ("invite", None, None)
        joined = ask(world.as_eve, game, "join", seat=1, invitation=secret)
        assert joined.json()["phase"] == "playing"

    def test_lets_the_creator_seat_a_bot(self, world: World) -> None:
        game = world.challenging()
        ask(world.as_bob, game, "decline", seat=1)
        assert ask(world.as_ada, game, "bots", seat=1, bot="random").json()["phase"] == "playing"

    def test_twice_is_the_same(self, world: World) -> None:
        game = world.challenging()
        first, second = (ask(world.as_bob, game, "decline", seat=1) for _ in range(2))
        assert (first.status_code, second.json()) == (200, first.json())

    def test_hides_a_private_game(self, world: World) -> None:
        game = world.challenging(visibility="private")
        assert ask(world.as_bob, game, "decline", seat=1).json()["id"] == game
        assert_refused(world.as_bob.get(f"{GAMES}/{game}"), "not-found")

    @pytest.mark.parametrize("seat", [0, 1, 7])
    def test_is_for_the_challenged(self, world: World, seat: int) -> None:
        game = world.challenging()
        for program in (world.as_ada, world.as_eve):
            assert_refused(ask(program, game, "decline", seat=seat), "not-challenged")

    def test_is_over_once_the_seat_is_taken(self, world: World) -> None:
        game = world.challenging()
        ask(world.as_bob, game, "join", seat=1)
        assert_refused(ask(world.as_bob, game, "decline", seat=1), "not-challenged")

    def test_is_over_once_somebody_else_is_invited(self, world: World) -> None:
        game = world.challenging()
        ask(world.as_ada, game, "invitations", seat=1)
        assert_refused(ask(world.as_bob, game, "decline", seat=1), "not-challenged")
        assert_refused(ask(world.as_bob, game, "join", seat=1), "seat-kept")


class TestTheAccount:
    @pytest.mark.parametrize("name", ["account_" + "0" * 32, "", "\0", "Bob", "x" * 10_000])
    def test_has_to_exist(self, world: World, name: str) -> None:
        nobody = Account(pk=name)
        problem = assert_refused(challenge(world.as_ada, nobody), "unknown-account")
        assert problem["errors"][0]["pointer"] == "/seats/1/account"

    def test_may_not_be_deleted(self, world: World) -> None:
        services.delete_account(world.bob.pk)
        assert_refused(challenge(world.as_ada, world.bob), "unknown-account")
        assert not Challenge.objects.exists()

    def test_that_is_deleted_later_has_declined(self, world: World) -> None:
        game = world.challenging()
        services.delete_account(world.bob.pk)
        assert seat_of(world.as_ada, game) == ("declined", None, None)
        assert_refused(ask(world.as_eve, game, "join", seat=1), "seat-kept")
        assert ask(world.as_ada, game, "join", seat=1).json()["phase"] == "playing"

    @pytest.mark.parametrize(
        "seat",
        [
            {"kind": "account"},
            {"kind": "account", "account": None},
            {"kind": "open", "account": "account_0"},
            {"kind": "bot", "account": "account_0"},
        ],
        ids=str,
    )
    def test_is_named_by_its_kind_of_seat_alone(self, world: World, seat: dict[str, Any]) -> None:
        body = {"rules": SLUG, "seats": [{"kind": "me"}, seat]}
        problem = assert_refused(world.as_ada.send(GAMES, body), "unknown-account")
        assert problem["errors"][0]["pointer"] == "/seats/1/account"

    def test_cannot_be_challenged_to_a_fork(self, world: World) -> None:
        body = {"seq": 5, "seats": against(world.bob)}
        assert_refused(world.as_ada.send(f"{GAMES}/{world.over()}/forks", body), "wrong-seats")


class TestLimits:
    def test_of_the_challenger(self, world: World, settings: LazySettings) -> None:
        settings.CHALLENGES_MADE = 2
        assert_refused(
            challenge(world.as_ada, world.bob, world.eve, world.bob), "too-many-challenges"
        )
        game = challenge(world.as_ada, world.bob, world.eve).json()["id"]
        assert_refused(challenge(world.as_ada, world.bob), "too-many-challenges")
        assert challenge(world.as_bob, world.eve).status_code == 201
        ask(world.as_bob, game, "decline", seat=1)
        assert challenge(world.as_ada, world.bob).status_code == 201

    def test_of_the_challenged(self, world: World, settings: LazySettings) -> None:
        settings.CHALLENGES_RECEIVED = 1
        game = challenge(world.as_ada, world.bob).json()["id"]
        another = program_of(Account.objects.create())
        assert_refused(challenge(another, world.bob), "too-many-challenges")
        assert challenge(another, world.eve).status_code == 201
        ask(world.as_bob, game, "join", seat=1)
        assert challenge(another, world.bob).status_code == 201

    def test_a_game_that_is_called_off_counts_no_more(
        self, world: World, settings: LazySettings
    ) -> None:
        settings.CHALLENGES_MADE = 1
        game = challenge(world.as_ada, world.bob).json()["id"]
        services.call_off_game(game)
        assert challenged_in(world.as_bob) == []
        assert challenge(world.as_ada, world.bob).status_code == 201

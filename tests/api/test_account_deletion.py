"""Deletion of an account: its seats are given up by rule, its name and all that is its own are
gone, and the logs and the ratings of others stay as they are."""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier
from typing import Any

import pytest
from django.core.management import call_command
from django.db import IntegrityError, connections

from api.keys import ALL_SCOPES, key_cache
from api.models import Delivery, Handover, Key, Reply, Webhook
from games import position_cache, selectors, services
from games.models import Account, Entry, Player, Rating, Request
from games.ratings import rating_fold
from games.services import SeatAssignment, account_deletion
from tabularium_log.projection.table_actions import Clock
from tests.api.calls import HOOK
from tests.api.program import Program, program_of
from tests.api.test_accounts import KEYS, ME, new_key
from tests.api.test_matrix import assert_refused
from tests.api.world import BASE, World, rows
from tests.games.sitting import SLUG
from tests.support.databases import Kept

pytestmark = pytest.mark.stores

DELETE = f"{BASE}/me/delete"


def delete(world: World) -> None:
    """Delete Ada's account."""
    assert world.as_ada.send(DELETE, {"account": world.ada.pk}).status_code == 204
    key_cache.clear()  # as after the commit


def game_of(program: Program, game: str) -> Any:
    """A game as the program sees it."""
    return program.get(f"{BASE}/games/{game}").json()


class TestSeats:
    def test_the_last_opponent_wins(self, world: World) -> None:
        game = world.playing()
        delete(world)
        document = game_of(world.as_bob, game)
        assert document["phase"] == "over"
        assert document["result"]["winners"] == [1]
        assert document["seats"][0]["has_resigned"]

    def test_where_more_play_on_a_bot_takes_the_seat(
        self, world: World, wake_messages: list[Any]
    ) -> None:
        people = (world.ada, world.bob, world.eve)
        game = world.created(*(SeatAssignment(account=person) for person in people))
        delete(world)
        document = game_of(world.as_bob, game)
        assert document["phase"] == "playing"
        assert (document["seats"][0]["bot"], document["seats"][0]["has_resigned"]) == (
            "greedy",
            True,
        )
        kinds = [
            entry["action"]["type"]
            for entry in world.as_eve.get(f"{BASE}/games/{game}/log").json()["items"]
        ]
        assert kinds[-2:] == ["table.resign", "table.replace"]

    def test_one_who_plays_against_herself_ends_the_game(self, world: World) -> None:
        game = world.created(SeatAssignment(account=world.ada), SeatAssignment(account=world.ada))
        delete(world)
        assert game_of(world.as_bob, game)["phase"] == "over"

    def test_several_seats_are_all_given_up(self, world: World) -> None:
        people = (world.ada, world.bob, world.ada, world.eve)
        game = world.created(*(SeatAssignment(account=person) for person in people))
        delete(world)
        seats = game_of(world.as_bob, game)["seats"]
        assert [seat["bot"] for seat in seats] == ["greedy", None, "greedy", None]

    def test_a_table_that_it_opened_is_called_off(self, world: World) -> None:
        game = world.gathering()
        world.as_bob.send(f"{BASE}/games/{game}/join", {"seat": 1})
        waiting = world.created(
            SeatAssignment(account=world.ada), SeatAssignment(account=world.bob), SeatAssignment()
        )
        delete(world)
        document = game_of(world.as_bob, waiting)
        assert (document["phase"], document["result"]) == ("over", None)
        assert_refused(world.as_eve.send(f"{BASE}/games/{waiting}/join", {"seat": 2}), "game-over")

    def test_at_a_table_of_another_the_seat_is_free_again(self, world: World) -> None:
        game = world.joined()
        delete(world)
        seat = game_of(world.as_bob, game)["seats"][0]
        assert (seat["kind"], seat["name"], seat["is_deleted"]) == ("open", None, False)
        taken = world.as_eve.send(f"{BASE}/games/{game}/join", {"seat": 0})
        assert taken.status_code == 200

    def test_a_game_that_starts_meanwhile_is_resigned(
        self, world: World, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        game, call_off = world.gathering(), services.call_off_game

        def join_before(called_game: str) -> Any:
            services.join_game(game, 1, account=world.bob)
            return call_off(called_game)

        monkeypatch.setattr(account_deletion, "call_off_game", join_before)
        delete(world)
        assert game_of(world.as_bob, game)["result"]["winners"] == [1]


class TestTraces:
    def test_the_name_is_gone_from_every_reply(self, world: World) -> None:
        Account.objects.filter(pk=world.ada.pk).update(name="Countess Lovelace")
        over, running, imported = world.rated(), world.playing(), world.imported_game()
        people = (world.ada, world.bob, world.eve)
        three = world.created(*(SeatAssignment(account=person) for person in people))
        paths = [
            f"/games/{game}{part}"
            for game in (over, running, three)
            for part in ("", "/log", "/export")
        ]
        paths += ["/games", f"/rules/{SLUG}/ratings", "/me/games"]
        before = [world.as_bob.get(BASE + path).getvalue() for path in paths]
        assert b"Lovelace" in b"".join(before)
        delete(world)
        for path in paths:
            content = world.as_bob.get(BASE + path).getvalue()
            assert b"Lovelace" not in content, path
            assert world.ada.pk.encode() not in content, path
        assert not any(seat["is_deleted"] for seat in game_of(world.as_bob, imported)["seats"])
        seat = game_of(world.as_bob, over)["seats"][0]
        assert (seat["kind"], seat["name"], seat["is_deleted"]) == ("account", None, True)
        assert not game_of(world.as_bob, over)["seats"][1]["is_deleted"]
        games = world.as_bob.get(f"{BASE}/games").json()["items"]
        (listed,) = (game["seats"] for game in games if game["id"] == over)
        assert [seat["is_deleted"] for seat in listed] == [True, False]

    def test_keys_webhooks_codes_and_stored_replies_are_gone(self, world: World) -> None:
        new_key(world.as_ada)
        hook = world.as_ada.send(f"{BASE}/webhooks", HOOK).json()["webhook"]["id"]
        world.as_ada.send(f"{BASE}/webhooks/{hook}/ping")
        code = world.as_ada.send(f"{BASE}/keys/handover").json()["code"]
        world.as_ada.send(KEYS, {}, headers={"Idempotency-Key": "one"})
        kept = Key.objects.filter(account=world.bob).count()
        delete(world)
        assert not Account.objects.filter(pk=world.ada.pk).exists()
        for model in (Webhook, Delivery, Handover, Reply, Request):
            assert model.objects.count() == 0, model
        assert Key.objects.filter(account=world.bob).count() == kept
        assert not Player.objects.filter(account=world.ada.pk).exists()
        assert_refused(world.as_ada.get(ME), "unauthorized")
        assert_refused(Program().send(f"{BASE}/keys/redeem", {"code": code}), "unknown-code")

    def test_logs_exports_and_ratings_stay(self, world: World) -> None:
        over = world.rated()
        clock = Clock(60_000, "resign")
        running = world.playing(rated=True, clock=clock)
        entries = list(Entry.objects.values_list("game", "seq", "hash", "action"))
        export = world.as_bob.get(f"{BASE}/games/{over}/export").getvalue()
        delete(world)
        assert world.as_bob.get(f"{BASE}/games/{over}/export").getvalue() == export
        assert set(entries) < set(Entry.objects.values_list("game", "seq", "hash", "action"))
        position_cache.cache.clear()
        call_command("verify", over, running, verbosity=0)
        assert rating_fold.count_games(SLUG) == 1
        call_command("ratings", check=True, verbosity=0)
        assert Rating.objects.filter(player=world.ada.pk).count() == 2
        names = [
            item["name"]
            for item in world.as_bob.get(f"{BASE}/rules/{SLUG}/ratings").json()["items"]
        ]
        assert names == ["Bob"]

    def test_a_key_that_another_process_still_trusts_does_nothing(self, world: World) -> None:
        game = world.gathering()
        other = world.joined()
        assert world.as_ada.get(ME).status_code == 200
        services.delete_account(world.ada.pk)  # this process has not heard of it
        before = rows()
        for path, body in (
            (f"{BASE}/games/{other}/join", {"seat": 2}),
            (f"{BASE}/games", {"rules": SLUG, "seats": [{"kind": "me"}, {"kind": "me"}]}),
            (KEYS, {}),
            (f"{BASE}/keys/handover", {}),
            (f"{BASE}/webhooks", HOOK),
            (DELETE, {"account": world.ada.pk}),
        ):
            assert_refused(world.as_ada.send(path, body), "unauthorized")
        assert_refused(world.as_ada.get(ME), "unauthorized")
        assert_refused(world.as_ada.send(ME, {"name": "A"}, "PATCH"), "unauthorized")
        assert rows() == before
        assert game_of(world.as_bob, game)["phase"] == "over"

    def test_a_row_that_refers_to_it_comes_too_late(
        self, world: World, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """The database refuses the row at the end of the transaction."""
        game = world.joined()

        def delete_meanwhile(*_: Any, **__: Any) -> Any:
            services.delete_account(world.ada.pk)
            raise IntegrityError

        body = {"seat": 2}
        monkeypatch.setattr(services, "join_game", delete_meanwhile)
        refused = world.as_ada.send(f"{BASE}/games/{game}/join", body)
        assert assert_refused(refused, "unauthorized")["detail"] == "The account was deleted."


class TestRefusals:
    def test_it_needs_the_id_of_the_own_account(self, world: World) -> None:
        before = rows()
        for account in (world.bob.pk, "", "Ada"):
            problem = assert_refused(
                world.as_ada.send(DELETE, {"account": account}), "wrong-account"
            )
            assert problem["errors"][0]["pointer"] == "/account"
        assert_refused(world.as_ada.send(DELETE, {}), "invalid-body")
        assert rows() == before

    def test_a_key_deletes_no_key_with_more_rights(self, world: World) -> None:
        body = {"account": world.ada.pk}
        child = Program(new_key(world.as_ada, scopes=list(ALL_SCOPES))["secret"])
        manager = program_of(world.ada, "keys:manage")
        for program in (child, manager):
            assert_refused(program.send(DELETE, body), "insufficient-scope")
        assert world.as_ada.send(DELETE, body).status_code == 204, "it has created the one"

    def test_once_it_is_gone_it_stays_so(self, world: World) -> None:
        delete(world)
        before = rows()
        assert_refused(world.as_ada.send(DELETE, {"account": world.ada.pk}), "unauthorized")
        with pytest.raises(Account.DoesNotExist):
            services.delete_account(world.ada.pk)
        assert rows() == before

    @pytest.mark.parametrize("failing", [1, 2])
    def test_all_or_nothing(
        self, world: World, monkeypatch: pytest.MonkeyPatch, failing: int
    ) -> None:
        """A failure at any game leaves the account, and every game, as they were."""
        games = [world.playing() for _ in range(3)]
        calls, resign = [], services.resign_seat

        def fail_later(game: str, seat: int) -> Any:
            calls.append(game)
            if len(calls) > failing:
                raise RuntimeError("the disk is full")
            return resign(game, seat)

        monkeypatch.setattr(account_deletion, "resign_seat", fail_later)
        before = rows()
        assert_refused(world.as_ada.send(DELETE, {"account": world.ada.pk}), "internal-error")
        assert rows() == before
        monkeypatch.setattr(account_deletion, "resign_seat", resign)
        for game in games:
            assert game_of(world.as_ada, game)["phase"] == "playing"
            table, action = world.turn(game)
            services.append_action(game, 0, action, choice=table.choice_token(0))

    def test_a_game_that_never_holds_still_is_busy(
        self, world: World, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        def refuse(game: str) -> Any:
            raise services.GameRefusal("started", "The game has started.")

        world.gathering()
        monkeypatch.setattr(account_deletion, "call_off_game", refuse)
        before = rows()
        assert_refused(world.as_ada.send(DELETE, {"account": world.ada.pk}), "busy")
        assert rows() == before


@pytest.fixture
def people(kept_here: Kept) -> Iterator[list[Account]]:
    """Accounts in a database that threads can share."""
    yield [Account.objects.create(name=name) for name in ("Ada", "Bob", "Eve")]
    key_cache.clear()


def test_two_who_leave_the_same_games_do_not_wait_for_each_other(people: list[Account]) -> None:
    """Eve is left, and wins every game."""
    seating = [SeatAssignment(account=person) for person in people]
    games = [services.create_game(SLUG, seating).projection.game for _ in range(4)]
    start = Barrier(2)

    def leave(account: Account) -> None:
        start.wait()
        try:
            services.delete_account(account.pk)
        finally:
            connections.close_all()

    with ThreadPoolExecutor(2) as threads:
        assert list(threads.map(leave, people[:2])) == [None, None]
    assert [account.name for account in Account.objects.all()] == ["Eve"]
    for game in games:
        table = selectors.game_projection(game)
        assert table.outcome is not None
        assert table.outcome.winners == (2,)
        kinds = [entry.text for entry in selectors.game_log(game, None)]
        assert sum('"type":"table.resign"' in text for text in kinds) == 2

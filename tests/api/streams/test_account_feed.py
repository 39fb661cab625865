"""The stream of an account reports the state of all its games, and of no other game."""

from __future__ import annotations

from datetime import timedelta
from itertools import islice
from typing import Any

import pytest
from django.utils import timezone

from api.models import RecoveryCode
from games import selectors, services
from games.models import Game
from games.services import SeatAssignment
from tests.api.streams.serving import LINES, Stream, Web
from tests.api.world import World
from tests.games.sitting import acting

pytestmark = pytest.mark.stores


def next_updates(stream: Stream, count: int) -> list[tuple[str, int, bool]]:
    """The next items: game, seq, and whether it is the account's turn."""
    items: list[Any] = list(islice(stream.items(), count))
    return [(item["game"], item["seq"], item["my_turn"]) for item in items]


def decline(web: Web, world: World, game: str) -> int:
    """Bob declines seat 1; the status."""
    return web.ask("POST", f"/games/{game}/decline", world.as_bob.secret, {"seat": 1})[0]


class TestMyStream:
    def test_begins_with_the_games_that_are_not_over(self, web: Web, world: World) -> None:
        open_games = [world.playing(), world.gathering()]
        world.over()
        world.created(SeatAssignment(account=world.eve), SeatAssignment(account=world.bob))
        with web.listening("/me/stream", world.as_ada.secret, Accept=LINES) as stream:
            tables = [selectors.game_projection(game) for game in open_games]
            expected = [(table.game, table.seq, table.is_awaited(0)) for table in tables]
            assert next_updates(stream, 2) == sorted(expected)

    def test_tells_of_every_game_that_grows(self, web: Web, world: World) -> None:
        games = [world.playing() for _ in range(3)]
        with web.listening("/me/stream", world.as_ada.secret, Accept=LINES) as stream:
            assert {game for game, _, _ in next_updates(stream, 3)} == set(games)
            for game in games * 2:
                appended = next(acting(game))
                assert next_updates(stream, 1) == [
                    (game, appended.last_seq, appended.projection.is_awaited(0))
                ]

    def test_tells_of_new_games_and_of_the_end_of_old_ones(self, web: Web, world: World) -> None:
        with web.listening("/me/stream", world.as_ada.secret, Accept=LINES) as stream:
            game = world.playing()
            assert next_updates(stream, 1)[0][:2] == (game, 4)
            services.resign_seat(game, 1)
            (item,) = islice(stream.items(), 1)
            assert (item["game"], item["phase"], item["to_act"]) == (game, "over", [])

    def test_tells_nothing_of_the_games_of_others(self, web: Web, world: World) -> None:
        with web.listening("/me/stream", world.as_eve.secret, Accept=LINES) as stream:
            world.playing()
            game = world.created(SeatAssignment(account=world.eve), SeatAssignment(bot="random"))
            assert next_updates(stream, 1)[0][0] == game

    @pytest.mark.parametrize(("visibility", "is_told"), [("public", True), ("private", False)])
    def test_tells_of_a_game_that_a_bot_plays_on(
        self, web: Web, world: World, visibility: str, is_told: bool
    ) -> None:
        """To who may see it: Bob does not see a private game of Ada's in which he has no seat."""
        seating = [SeatAssignment(account=each) for each in (world.ada, world.bob, world.eve)]
        game = world.created(*seating, visibility=visibility)
        with web.listening("/me/stream", world.as_bob.secret, Accept=LINES) as stream:
            assert next_updates(stream, 1)[0][0] == game
            services.resign_seat(game, 1)
            other = world.playing()
            expected = [game, other] if is_told else [other]
            assert [told for told, _, _ in next_updates(stream, len(expected))] == expected
        with web.listening("/me/stream", world.as_bob.secret, Accept=LINES) as stream:
            assert {told for told, _, _ in next_updates(stream, len(expected))} == set(expected)

    def test_resumes_with_all_that_has_grown_since(self, web: Web, world: World) -> None:
        game = world.playing()
        with web.listening("/me/stream", world.as_ada.secret) as stream:
            last, _ = next(stream.events())
        services.resign_seat(game, 1)
        with web.listening("/me/stream", world.as_ada.secret, Last_Event_ID=last) as stream:
            _, item = next(stream.events())
        assert (item["game"], item["phase"]) == (game, "over")

    def test_tells_of_challenges_old_and_new(self, web: Web, world: World) -> None:
        old = world.challenging(visibility="private")
        with web.listening("/me/stream", world.as_bob.secret, Accept=LINES) as stream:
            items = stream.items()
            item: Any = next(items)
            assert (item["game"], item["challenged"], item["my_turn"]) == (old, [1], False)
            new = world.challenging()
            item = next(items)
            assert (item["game"], item["challenged"], item["phase"]) == (new, [1], "gathering")
            services.join_game(new, 1, account=world.bob)
            item = next(items)
            assert (item["game"], item["challenged"], item["phase"]) == (new, [], "playing")

    def test_tells_nobody_else_of_a_challenge(self, web: Web, world: World) -> None:
        world.challenging()
        with web.listening("/me/stream", world.as_eve.secret, Accept=LINES) as stream:
            world.challenging()
            game = world.created(SeatAssignment(account=world.eve), SeatAssignment(bot="random"))
            assert next_updates(stream, 1)[0][0] == game

    def test_tells_the_maker_that_a_challenge_was_declined(self, web: Web, world: World) -> None:
        game = world.challenging()
        with (
            web.listening("/me/stream", world.as_ada.secret, Accept=LINES) as stream,
            web.listening("/me/stream", world.as_eve.secret, Accept=LINES) as other,
        ):
            items = stream.items()
            first: Any = next(items)
            assert decline(web, world, game) == 200
            second: Any = next(items)
            assert (first["declined"], second) == ([], {**first, "declined": [1]})
            assert decline(web, world, game) == 200  # once more: nothing is new
            services.join_game(game, 1, account=world.ada)
            third: Any = next(items)
            assert (third["phase"], third["declined"]) == ("playing", [])
            of_eve = world.created(SeatAssignment(account=world.eve), SeatAssignment())
            assert next_updates(other, 1)[0][0] == of_eve

    def test_tells_a_maker_without_a_seat(self, web: Web, world: World) -> None:
        game = world.created(SeatAssignment(challenged=world.bob), SeatAssignment())
        with web.listening("/me/stream", world.as_ada.secret, Accept=LINES) as stream:
            assert web.ask("POST", f"/games/{game}/decline", world.as_bob.secret, {"seat": 0})
            items = stream.items()
            item: Any = next(items)
            assert (item["game"], item["declined"], item["my_turn"]) == (game, [0], False)
            services.call_off_game(game)
            item = next(items)
            assert (item["phase"], item["declined"]) == ("over", [])

    def test_tells_of_each_of_two_declined_seats(self, web: Web, world: World) -> None:
        """Also if an invitation has replaced the first one: the log has no entry of any of it."""
        seating = (SeatAssignment(challenged=account) for account in (world.bob, world.eve))
        game = world.created(SeatAssignment(account=world.ada), *seating)
        with web.listening("/me/stream", world.as_ada.secret, Accept=LINES) as stream:
            items = stream.items()
            next(items)
            decline(web, world, game)
            item: Any = next(items)
            assert item["declined"] == [1]
            path = f"/games/{game}/invitations"
            assert web.ask("POST", path, world.as_ada.secret, {"seat": 1})[0] == 201
            web.ask("POST", f"/games/{game}/decline", world.as_eve.secret, {"seat": 2})
            item = next(items)
            assert item["declined"] == [2]

    def test_tells_of_a_challenged_account_that_was_deleted(self, web: Web, world: World) -> None:
        game = world.challenging()
        with web.listening("/me/stream", world.as_ada.secret, Accept=LINES) as stream:
            items = stream.items()
            next(items)
            services.delete_account(world.bob.pk)
            item: Any = next(items)
            assert (item["game"], item["declined"]) == (game, [1])

    def test_resumes_with_what_was_declined_since(self, web: Web, world: World) -> None:
        """A client that was away sees it, and one without an id sees it, too."""
        game, other = world.challenging(), world.challenging()
        long_ago = timezone.now() - timedelta(hours=1)
        Game.objects.update(at=long_ago)
        with web.listening("/me/stream", world.as_ada.secret) as stream:
            events = list(islice(stream.events(), 2))
        last, _ = events[-1]
        decline(web, world, game)
        with web.listening("/me/stream", world.as_ada.secret, Last_Event_ID=last) as stream:
            _, item = next(stream.events())
            assert (item["game"], item["declined"]) == (game, [1])
        with web.listening("/me/stream", world.as_ada.secret, Accept=LINES) as stream:
            items: list[Any] = list(islice(stream.items(), 2))
            assert {item["game"]: item["declined"] for item in items} == {game: [1], other: []}

    def test_tells_of_a_recovery_if_asked(self, web: Web, world: World) -> None:
        """Also a client that was away, and no client that reads games alone, or of another."""
        key, path = world.as_ada.secret, "/me/stream?recoveries=true"
        codes = web.ask("POST", "/me/recovery-codes", key)[2]["codes"]

        def use(number: int) -> str:
            return str(web.ask("POST", "/keys/redeem", "", {"code": codes[number]})[2]["key"]["id"])

        with (
            web.listening(path, key, Accept=LINES) as stream,
            web.listening(path, world.as_bob.secret, Accept=LINES) as other,
            web.listening("/me/stream", key, Accept=LINES) as games_alone,
        ):
            first, items = use(0), stream.items()
            told: Any = next(items)
            assert told["recovery"]["key"] == first
            world.created(*(SeatAssignment(account=account) for account in (world.ada, world.bob)))
            for following in (items, other.items(), games_alone.items()):
                item: Any = next(following)
                assert "game" in item, "a use is told once"
        second = use(1)
        RecoveryCode.objects.filter(key=first).update(used=timezone.now() - timedelta(hours=1))
        since = (timezone.now() - timedelta(minutes=2)).strftime("%Y-%m-%dT%H:%M:%SZ")
        for query, expected in (("", [first, second]), (f"&after={since}", [second])):
            with web.listening(path + query, key, Accept=LINES) as stream:
                again: list[Any] = list(islice(stream.items(), len(expected)))
                assert [item["recovery"]["key"] for item in again] == expected

    def test_pages_through_many_games(self, web: Web, world: World) -> None:
        games = [world.gathering() for _ in range(110)]
        with web.listening("/me/stream", world.as_ada.secret, Accept=LINES) as stream:
            assert [game for game, _, _ in next_updates(stream, 110)] == sorted(games)

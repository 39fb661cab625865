"""The stream of an account reports the state of all its games, and of no other game."""

from __future__ import annotations

from itertools import islice
from typing import Any

from games import selectors, services
from games.services import SeatAssignment
from tests.api.streams.serving import LINES, Stream, Web
from tests.api.world import World
from tests.games.sitting import acting


def next_updates(stream: Stream, count: int) -> list[tuple[str, int, bool]]:
    """The next items: game, seq, and whether it is the account's turn."""
    items: list[Any] = list(islice(stream.items(), count))
    return [(item["game"], item["seq"], item["my_turn"]) for item in items]


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
            services.game_resign(game, 1)
            (item,) = islice(stream.items(), 1)
            assert (item["game"], item["phase"], item["to_act"]) == (game, "over", [])

    def test_tells_nothing_of_the_games_of_others(self, web: Web, world: World) -> None:
        with web.listening("/me/stream", world.as_eve.secret, Accept=LINES) as stream:
            world.playing()
            game = world.created(SeatAssignment(account=world.eve), SeatAssignment(bot="random"))
            assert next_updates(stream, 1)[0][0] == game

    def test_resumes_with_all_that_has_grown_since(self, web: Web, world: World) -> None:
        game = world.playing()
        with web.listening("/me/stream", world.as_ada.secret) as stream:
            last, _ = next(stream.events())
        services.game_resign(game, 1)
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
            services.player_join(new, 1, account=world.bob)
            item = next(items)
            assert (item["game"], item["challenged"], item["phase"]) == (new, [], "playing")

    def test_tells_nobody_else_of_a_challenge(self, web: Web, world: World) -> None:
        world.challenging()
        with web.listening("/me/stream", world.as_eve.secret, Accept=LINES) as stream:
            world.challenging()
            game = world.created(SeatAssignment(account=world.eve), SeatAssignment(bot="random"))
            assert next_updates(stream, 1)[0][0] == game

    def test_pages_through_many_games(self, web: Web, world: World) -> None:
        games = [world.gathering() for _ in range(110)]
        with web.listening("/me/stream", world.as_ada.secret, Accept=LINES) as stream:
            assert [game for game, _, _ in next_updates(stream, 110)] == sorted(games)

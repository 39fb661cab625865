"""The lists of games: their filters and orders, the facts of the games, and the cost of queries."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import timedelta
from hashlib import sha256
from typing import Any, Final

import pytest
from django.db import connection, transaction
from django.test.utils import CaptureQueriesContext

from games import selectors, services
from games.models import Account, Game, Player
from games.selectors import GameFilter, GameUnion, ListPlace, Order
from games.services import SeatAssignment
from games.services.game_creation import Visibility
from tabularium_log.projection.table_actions import Clock, Outcome
from tests.games.sitting import BOTS, NOON, SEED, SLUG, bot_game, duel, later, seed_hash
from tests.support.databases import is_on_server
from tests.support.query_costs import analyze_tables, cost

pytestmark = [pytest.mark.django_db, pytest.mark.stores]

ANY: Final = GameFilter()
MANY: Final = 3_000


def listed(games: GameUnion, order: Order = "newest", after: ListPlace | None = None) -> list[str]:
    """The ids of the listed games."""
    return [game.pk for game in games.page(order, after, 100)]


def public(**values: Any) -> list[str]:
    """The ids of the public games with these values."""
    return listed(selectors.games_visible_to(None, GameFilter(**values)))


def change(game: str, seconds: float) -> None:
    """Let the last entry of a game be that many seconds after noon."""
    Game.objects.filter(pk=game).update(at=later(seconds))


class TestFilters:
    def test_keep_the_games_with_their_values(self) -> None:
        game = bot_game()
        for fits in ({}, {"rules": SLUG}, {"phase": "playing", "rated": False}):
            assert public(**fits) == [game]
        for unfit in ({"rules": "law"}, {"phase": "over"}, {"rated": True}):
            assert public(**unfit) == []

    def test_by_player_find_seats_that_a_bot_took_over(self, ada: Account, eve: Account) -> None:
        game, other = duel(ada), services.create_game(SLUG, BOTS).projection.game
        services.replace_seat(game, 0, "mcts")
        assert public(account=ada.pk) == public(bot="mcts") == [game]
        assert public(account=eve.pk) == public(account=ada.pk, bot="greedy") == []
        assert public(bot="greedy") == [other]

    def test_by_time_include_the_first_moment_and_exclude_the_last(self) -> None:
        games = [bot_game() for _ in range(3)]
        for seconds, game in enumerate(games):
            change(game, seconds)
        assert public(since=later(1)) == games[:0:-1]
        assert public(since=later(1), until=later(2)) == [games[1]]
        assert public(until=NOON) == []

    def test_by_open_seats_leave_out_kept_seats(self, ada: Account) -> None:
        free = [SeatAssignment(account=ada), SeatAssignment(), SeatAssignment()]
        table = services.create_game(SLUG, free).projection.game
        promised = [SeatAssignment(account=ada, seed_hash=seed_hash()), BOTS[0]]
        full = services.create_game(SLUG, promised).projection.game  # waits for the seed
        assert public(is_open=True) == [table]
        assert public(is_open=False) == [full]
        # any rows with a game and a seat: one seat, and one that has a player by now, twice
        kept = Player.objects.filter(game=table)
        assert public(is_open=True, reservations=kept) == [table]
        Player.objects.create(game_id=table, seat=1, account=ada)
        assert public(is_open=True) == [table]
        Player.objects.create(game_id=table, seat=2, account=ada)
        assert public(is_open=True) == []
        services.open_seed(full, 0, SEED)
        assert public(is_open=False, phase="playing") == [full]


class TestOrders:
    def test_recent_begins_with_the_latest_change(self) -> None:
        games = [bot_game() for _ in range(4)]
        for game, seconds in zip(games, (3, 1, 2, 1), strict=True):
            change(game, seconds)
        order = [games[0], games[2], games[3], games[1]]
        union = selectors.games_visible_to(None, ANY)
        assert listed(union, "recent") == order
        for index, game in enumerate(order):
            row = Game.objects.get(pk=game)
            assert listed(union, "recent", ListPlace(game, row.at)) == order[index + 1 :]
            assert listed(union, "newest", ListPlace(game)) == games[: games.index(game)][::-1]

    @pytest.mark.parametrize("order", ["newest", "recent"])
    def test_merge_public_games_with_those_of_the_account(self, ada: Account, order: Order) -> None:
        seated = [SeatAssignment(account=ada), BOTS[0]]
        tables: list[tuple[Sequence[SeatAssignment], Account | None, Visibility]] = [
            (BOTS, ada, "private"),
            (BOTS, None, "public"),
            (seated, ada, "private"),
            (BOTS, None, "private"),  # of others
            (seated, ada, "public"),
            (seated, None, "private"),
        ]
        games = [
            services.create_game(SLUG, seating, owner=owner, visibility=visibility).projection.game
            for seating, owner, visibility in tables
        ]
        for seconds, game in enumerate(games):
            change(game, seconds)
        del games[3]
        union = selectors.games_visible_to(ada.pk, ANY)
        assert listed(union, order) == games[::-1]
        assert [game.pk for game in union.page(order, None, 2)] == games[:-3:-1]

    def test_know_whether_a_game_has_changed(self) -> None:
        change(bot_game(), 5)
        union = selectors.games_visible_to(None, ANY)
        assert union.has_changed_since(later(5))
        assert not union.has_changed_since(later(6))


def test_games_played_by_an_account(ada: Account, eve: Account) -> None:
    game = duel(ada)
    assert listed(selectors.games_played_by(ada.pk, ANY)) == [game]
    assert not listed(selectors.games_played_by(eve.pk, ANY))
    is_awaited = selectors.game_projection(game).is_awaited(0)
    awaiting = selectors.games_played_by(ada.pk, ANY, only_awaiting=["action"])
    assert bool(listed(awaiting)) == is_awaited


def test_facts_are_those_of_the_logs(ada: Account) -> None:
    waiting = services.create_game(SLUG, [SeatAssignment(account=ada), SeatAssignment()])
    options = {"legs": 2}
    clock = Clock(60_000, "resign")
    seated = [SeatAssignment(account=ada), BOTS[0]]
    played = services.create_game(SLUG, seated, options=options, clock=clock).projection
    services.resign_seat(played.game, 0)
    called_off = services.create_game(SLUG, [SeatAssignment(account=ada), SeatAssignment()])
    services.call_off_game(called_off.projection.game)
    facts = selectors.game_facts([each.projection.game for each in (waiting, called_off)])
    assert [(fact.first, fact.outcome) for fact in facts.values()] == [(None, None)] * 2
    (fact,) = selectors.game_facts([played.game]).values()
    assert fact.creation == played.creation
    assert fact.creation.clock == clock
    assert fact.first == played.first == 4
    assert fact.outcome == Outcome((1,), None, "Everybody else has resigned.")


# -- costs -----------------------------------------------------------------------------------------


def scattered_id(number: int) -> str:
    """An id that is not in the order of the numbers."""
    return f"game_{sha256(str(number).encode()).hexdigest()[:32]}"


def create_games(number: int, **values: Any) -> None:
    """Create this many games with two bots, the latest of them the newest."""
    before = Game.objects.count()
    common = {"rules": "law", "version": 1, "seats": 2, "secret": b"", "seq": 1, "hash": ""}
    common |= {"phase": "over"} | values
    games = [
        Game(id=scattered_id(second), at=NOON + timedelta(seconds=second), **common)
        for second in range(before, before + number)
    ]
    Game.objects.bulk_create(games, batch_size=500)
    players = [Player(game=game, seat=seat, bot="greedy") for game in games for seat in range(2)]
    Player.objects.bulk_create(players, batch_size=500)


FILTERS: Final[dict[str, dict[str, Any]]] = {
    "all": {},
    "rare rules": {"rules": SLUG},
    "gathering": {"phase": "gathering"},
    "open": {"is_open": True},
    "open of rules": {"is_open": True, "rules": SLUG},
    "common bot": {"bot": "greedy"},
    "player": {"account": "ada"},
    "time": {"since": NOON, "until": NOON + timedelta(seconds=10)},
}


def list_costs(ada: Account, order: Order, values: dict[str, Any]) -> list[Any]:
    """The cost of each query of a page of five, from the beginning and from a place on."""
    values = {name: ada.pk if value == "ada" else value for name, value in values.items()}
    place = ListPlace("game_8", NOON + timedelta(seconds=15))
    with CaptureQueriesContext(connection) as queries:
        for after in (None, place):
            selectors.games_visible_to(ada.pk, GameFilter(**values)).page(order, after, 5)
    return [cost(query["sql"]) for query in queries]


@pytest.mark.parametrize("order", ["newest", "recent"])
def test_lists_cost_the_same_however_many_games_there_are(ada: Account, order: Order) -> None:
    free = [SeatAssignment(account=ada), SeatAssignment()]
    visibilities: tuple[Visibility, ...] = ("public", "private")
    for visibility in visibilities:
        created = services.create_game(SLUG, free, owner=ada, visibility=visibility)
        change(created.projection.game, 0)
    create_games(20)
    create_games(MANY)
    create_games(MANY // 2, visibility="private")
    analyze_tables()
    most = 60  # rows visited for a page of five; the place is 2,000 games from the beginning
    for name, values in FILTERS.items():
        for found in list_costs(ada, order, values):
            is_bounded = found <= most if connection.vendor == "postgresql" else has_indexes(found)
            assert is_bounded, (name, found)


def has_indexes(steps: list[str]) -> bool:
    """Whether SQLite follows an index in each step that reads more than one row."""
    return all(" USING " in step for step in steps)


@pytest.mark.skipif(not is_on_server(), reason="SQLite keeps no entries of such rows")
def test_rows_that_were_rolled_back_cost_nothing() -> None:
    for _ in range(9):
        with transaction.atomic():
            create_games(100)
            transaction.set_rollback(True)
    create_games(100)
    analyze_tables()
    with connection.cursor() as cursor:
        cursor.execute("SET LOCAL enable_indexscan = off")  # the scan of a bitmap counts them
        cursor.execute("SET LOCAL enable_seqscan = off")
    early = Game.objects.filter(visibility="public", at__lt=NOON + timedelta(seconds=10))
    with CaptureQueriesContext(connection) as queries:
        assert len(early.order_by("at")) == 10
    assert cost(queries[0]["sql"]) <= 30  # the scans of the index and of the table, and the sort

"""Every entry is sent once and in order, whichever query of a stream fails."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator
from itertools import count
from threading import Thread
from typing import Any, Final

import psycopg
import pytest
from django.db import InterfaceError, OperationalError, connection

from api.streams import account_feed, feeds
from api.streams.account_feed import AccountFeed
from api.streams.feeds import NO_UPDATES, Feed, GameFeed, Page, PendingUpdates
from api.streams.formats import NdjsonFormat, ServerSentFormat
from api.streams.pubsub import database_parameters
from games import position_cache, selectors, services
from games.position_cache import UnknownGame
from tabularium_engines.common.replayable_log import BrokenLog
from tabularium_log.fairness.encryption import UnlockError
from tests.api.streams.inside import (
    Failing,
    StreamClient,
    before_queries,
    close_thread_connections,
    new_hub,
    read_stream,
)
from tests.api.world import World
from tests.config.processes import PATIENCE
from tests.support.databases import Kept, is_on_server

FORMS: Final = [NdjsonFormat, ServerSentFormat]
AWAY: Final = [
    OperationalError("gone"),
    InterfaceError("the connection is closed"),
    psycopg.OperationalError("raised outside of Django"),
    ConnectionResetError("gone"),
]
UNREADABLE: Final = [BrokenLog(2, "misfits"), UnlockError("no key"), UnknownGame("game")]


@pytest.fixture
def world(kept_here: Kept, monkeypatch: pytest.MonkeyPatch) -> Iterator[World]:
    """Games whose streams have several pages."""
    monkeypatch.setattr(feeds, "PAGE_SIZE", 2)
    monkeypatch.setattr(account_feed, "PAGE_SIZE", 2)
    close_thread_connections()
    yield World()
    close_thread_connections()


def raise_error(problem: Exception) -> Callable[[], None]:
    """A function that raises this exception."""

    def fail() -> None:
        raise problem

    return fail


def cut_connection() -> None:
    """Let the database server end this connection."""
    connection.ensure_connection()
    process = connection.connection.info.backend_pid
    with psycopg.connect(**database_parameters(), autocommit=True) as other:
        other.execute("SELECT pg_terminate_backend(%s)", [process])


FAILURES: Final = [
    pytest.param(raise_error(problem), id=type(problem).__name__) for problem in AWAY
]
if is_on_server():
    FAILURES.append(pytest.param(cut_connection, id="cut"))


# -- games ----------------------------------------------------------------------------------------


def read_with_failure(
    monkeypatch: pytest.MonkeyPatch,
    feed: Feed[Any],
    form: type[NdjsonFormat],
    failing: Failing,
    client: StreamClient | None = None,
) -> StreamClient:
    """The client of a stream, after it has ended with this query hook in place."""
    position_cache.cache.clear()
    with new_hub(monkeypatch) as watch, before_queries(monkeypatch, failing):

        async def listen() -> StreamClient:
            try:
                return await read_stream(feed, form, client or StreamClient())
            finally:
                watch.close()

        return asyncio.run(listen())


def is_whole(client: StreamClient, last: int) -> bool:
    """Whether a client has received every entry once, in order."""
    return [entry["seq"] for entry in client.items()] == list(range(1, last + 1))


class TestAGame:
    @pytest.mark.lane("slow", core=4)
    @pytest.mark.parametrize("form", FORMS)
    @pytest.mark.parametrize("fail", FAILURES)
    @pytest.mark.parametrize("viewer", [None, 0])
    def test_has_no_gap_whichever_query_fails(
        self,
        world: World,
        monkeypatch: pytest.MonkeyPatch,
        viewer: int | None,
        fail: Callable[[], None],
        form: type[NdjsonFormat],
    ) -> None:
        game = world.over()
        account = None if viewer is None else world.ada.pk
        for number in count(1):
            failing = Failing(number, fail)
            feed = GameFeed(game, account, viewer, 0)
            client = read_with_failure(monkeypatch, feed, form, failing)
            assert is_whole(client, 6)
            assert client.is_over
            if failing.query_count < number:
                break
        assert number > 10

    def test_is_told_with_gaps_by_a_feed_that_remembers_too_early(
        self, world: World, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        game = world.over()
        gaps = []
        for number in range(1, 15):
            failing = Failing(number, raise_error(AWAY[0]))
            client = read_with_failure(monkeypatch, Hasty(game), NdjsonFormat, failing)
            gaps.append(not is_whole(client, 6))
        assert any(gaps)

    @pytest.mark.parametrize("problem", UNREADABLE, ids=lambda problem: type(problem).__name__)
    def test_that_cannot_be_read_ends_the_stream_without_a_gap(
        self, world: World, monkeypatch: pytest.MonkeyPatch, problem: Exception
    ) -> None:
        game, lengths = world.over(), set()
        for number in range(1, 12):
            failing = Failing(number, raise_error(problem))
            client = read_with_failure(
                monkeypatch, GameFeed(game, None, None, 0), NdjsonFormat, failing
            )
            assert is_whole(client, len(client.items()))
            assert client.is_over
            lengths.add(len(client.items()))
        assert len(lengths) > 1

    @pytest.mark.parametrize("form", FORMS)
    def test_is_told_from_the_last_id_on_where_there_is_no_event_loop(
        self, world: World, form: type[NdjsonFormat]
    ) -> None:
        game = world.over()
        for number in count(1):
            failing = Failing(number, raise_error(AWAY[0]))
            seqs = seqs_of_resuming_client(game, failing)
            assert seqs == list(range(1, 7))
            if failing.query_count < number:
                break


class Hasty(GameFeed):
    """A faulty feed: it stores its position before it has made the page."""

    def __init__(self, game: str) -> None:
        super().__init__(game, None, None, 0)
        self._after = 0

    def read_page(self, cursor: int, heard: PendingUpdates = NO_UPDATES) -> Page[int]:
        """The page after all entries read so far, sent or not."""
        after = self._after
        lines = selectors.game_log(self.topic, None, after, feeds.PAGE_SIZE)
        self._after = lines[-1].seq if lines else after
        return super().read_page(after)


def seqs_of_resuming_client(game: str, failing: Failing) -> list[int]:
    """The seqs received by a client that reconnects when its stream is cut."""
    seqs: list[int] = []

    def execute_wrapper(execute: Any, *arguments: Any) -> Any:
        failing()
        return execute(*arguments)

    while True:
        feed = GameFeed(game, None, None, seqs[-1] if seqs else 0)
        cursor, is_last = feed.start_cursor, False
        position_cache.cache.clear()
        with connection.execute_wrapper(execute_wrapper):
            try:
                while not is_last:
                    page = feed.read_page(cursor)
                    cursor, is_last = page.cursor, page.is_last
                    seqs += [item.shape.seq for item in page.items]
            except OperationalError:
                continue
            return seqs


# -- accounts -------------------------------------------------------------------------------------


class TestAnAccount:
    @pytest.mark.lane("processes", core=1)
    @pytest.mark.parametrize("form", FORMS)
    @pytest.mark.parametrize("fail", FAILURES)
    def test_hears_of_every_game_whichever_query_fails(
        self,
        world: World,
        monkeypatch: pytest.MonkeyPatch,
        fail: Callable[[], None],
        form: type[NdjsonFormat],
    ) -> None:
        for number in count(1):
            games = [world.playing() for _ in range(3)]
            failing = Failing(number, fail)
            growing = Growing(games)
            feed = AccountFeed(world.ada.pk, None)
            client = read_with_failure(monkeypatch, feed, form, failing, StreamClient(growing))
            growing.playing.join(PATIENCE)
            check_growth(client, games)
            if failing.query_count < number:
                break
        assert number > 5


class Growing:
    """Finishes all games once the client has received each of them; the client has enough when it
    has received their ends."""

    def __init__(self, games: list[str]) -> None:
        self._games = games
        self._has_grown = False
        self.playing = Thread(target=self._play)  # its connection is never cut

    def __call__(self, client: StreamClient) -> bool:
        items = client.items()
        if not self._has_grown and {item["game"] for item in items} >= set(self._games):
            self._has_grown = True
            self.playing.start()
        over = {item["game"] for item in items if item["phase"] == "over"}
        return over >= set(self._games)

    def _play(self) -> None:
        for game in self._games:
            services.resign_seat(game, 1)
        connection.close()


def check_growth(client: StreamClient, games: list[str]) -> None:
    """Assert that the last state of each game was sent, and no state twice."""
    for game in games:
        seqs = [item["seq"] for item in client.items() if item["game"] == game]
        assert seqs == sorted(set(seqs))
        assert seqs[-1] == 6

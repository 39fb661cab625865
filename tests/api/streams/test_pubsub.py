"""A process is notified of entries that others append, and finds those of lost notifications."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import AsyncGenerator, Callable, Collection, Iterator, Sequence
from contextlib import aclosing, suppress
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any, Final

import pytest
from django.conf import settings
from django.db import OperationalError, connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from api.streams import hub, pubsub
from api.streams.account_updates import TimedUpdate, updates_of_games
from api.streams.database_threads import STREAM_THREAD_POOL, run_in_thread
from api.streams.hub import Hub
from games import selectors, services
from games.models import Game
from tests.api.streams.inside import close_thread_connections
from tests.api.world import World
from tests.config.processes import PATIENCE
from tests.support import parallel, warm_interpreter
from tests.support.databases import Kept

pytestmark = pytest.mark.stores

ROOT: Final = Path(__file__).parents[3]
RESIGN: Final = """
import django, sys
django.setup()
from games import selectors, services
from games.models import Game
services.resign_seat(sys.argv[1], 0)
"""


@pytest.fixture
def world(kept_here: Kept) -> Iterator[World]:
    """Some accounts in a database that other processes open too."""
    close_thread_connections()
    yield World()
    close_thread_connections()


@pytest.fixture
def no_own_hints(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let this process publish no hints, not even those that still wait in its outbox: the first
    hint that a test receives is of another process."""
    outbox = pubsub.outbox
    outbox.flush_and_stop()
    if outbox._thread is not None:
        outbox._thread.join(PATIENCE)
    monkeypatch.setattr(outbox, "enqueue", lambda game: None)


@pytest.fixture(params=["as it is", "without Redis"])
def redis(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> str:
    """The URL of Redis, or ""."""
    if request.param == "without Redis":
        monkeypatch.setattr(settings, "REDIS_URL", "")
    return str(settings.REDIS_URL)


async def grow_elsewhere(kept: Kept, redis: str, game: str) -> None:
    """Append to a game in another process, with that URL of Redis."""
    command = [sys.executable, "-c", RESIGN, game]
    env = {**kept.environment, "REDIS_URL": redis}
    await asyncio.to_thread(warm_interpreter.run, command, cwd=ROOT, env=env, check=True)


async def hint_from_another_process(kept: Kept, redis: str, game: str) -> Sequence[str] | None:
    """The hint received when another process appends to a game."""
    async with aclosing(pubsub.subscribe()) as hints:
        assert await anext(hints) is None
        await grow_elsewhere(kept, redis, game)
        async with asyncio.timeout(PATIENCE):
            return await anext(hints)


@pytest.mark.usefixtures("no_own_hints")
def test_another_process_is_heard(kept: Kept, world: World, redis: str) -> None:
    world.playing()
    game = world.playing()
    assert asyncio.run(hint_from_another_process(kept, redis, game)) == [game]


@pytest.mark.usefixtures("no_own_hints")
def test_another_database_of_the_same_server_is_not(kept: Kept, world: World, redis: str) -> None:
    if not redis:
        pytest.skip("runs where REDIS_URL is given")
    before, game = world.playing(), world.playing()

    async def first_hint() -> Sequence[str] | None:
        async with aclosing(pubsub.subscribe()) as hints:
            assert await anext(hints) is None
            await grow_elsewhere(kept, parallel.below(redis, parallel.LIMIT), before)
            await grow_elsewhere(kept, redis, game)
            async with asyncio.timeout(PATIENCE):
                return await anext(hints)

    assert asyncio.run(first_hint()) == [game]


async def subscribe_without_hints() -> AsyncGenerator[Sequence[str] | None, None]:
    """A subscription without hints."""
    await asyncio.Event().wait()
    yield None


async def updates_without_hints(game: str, topic: str) -> dict[str, TimedUpdate]:
    """The updates of a listener that gets no hints."""
    watch = Hub()
    try:
        with watch.listen(topic) as listener:
            await asyncio.to_thread(
                lambda: STREAM_THREAD_POOL.submit(services.resign_seat, game, 0).result()
            )
            assert await listener.wait(PATIENCE)
            return listener.take_updates()
    finally:
        watch.close()


def test_what_was_not_heard_is_found(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(hub, "HEAD_CHECK_INTERVAL_SECONDS", 0.05)
    monkeypatch.setattr(hub, "subscribe", subscribe_without_hints)
    game = world.playing()
    assert asyncio.run(updates_without_hints(game, game)) == {}
    other = world.playing()
    assert other in asyncio.run(updates_without_hints(other, world.ada.pk))


def test_a_connection_that_breaks_is_opened_again(
    world: World, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    attempts: list[bool] = []

    async def subscribe_breaking_once() -> AsyncGenerator[Sequence[str] | None, None]:
        attempts.append(True)
        if len(attempts) == 1:
            raise ConnectionError("gone")
        yield [game]
        await asyncio.Event().wait()

    async def is_woken() -> bool:
        watch = Hub()
        try:
            with watch.listen(game) as listener:
                return await listener.wait(PATIENCE)
        finally:
            watch.close()

    monkeypatch.setattr(hub, "RECONNECT_SECONDS", 0.01)
    monkeypatch.setattr(hub, "subscribe", subscribe_breaking_once)
    game = world.playing()
    assert asyncio.run(is_woken())
    assert len(attempts) == 2
    assert "The subscription to game changes failed: gone" in caplog.text


class Channel:
    """Subscriptions, the first of which are silently cut: they open, but deliver nothing."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, cut_count: int) -> None:
        self.cut_count = cut_count
        self.subscription_count = 0
        self.check_count = 0
        self.hint_queue: asyncio.Queue[str] = asyncio.Queue()
        self.may_check = asyncio.Event()
        self.may_check.set()
        monkeypatch.setattr(hub, "HEAD_CHECK_INTERVAL_SECONDS", 0.02)
        monkeypatch.setattr(hub, "subscribe", self.hints)
        monkeypatch.setattr(hub, "run_in_thread", self.in_a_thread)

    async def hints(self) -> AsyncGenerator[Sequence[str] | None, None]:
        self.subscription_count += 1
        is_cut = self.subscription_count <= self.cut_count
        yield None
        while True:
            game = await self.hint_queue.get()
            if not is_cut:
                yield [game]

    async def in_a_thread(self, act: Callable[..., Any], *arguments: Any) -> Any:
        await self.may_check.wait()
        self.check_count += act is selectors.last_changes_since
        return await run_in_thread(act, *arguments)

    async def grow(self, game: str) -> None:
        """Append to a game, and send a hint, which arrives unless the connection is cut."""
        await asyncio.to_thread(
            lambda: STREAM_THREAD_POOL.submit(services.resign_seat, game, 0).result()
        )
        self.hint_queue.put_nowait(game)

    async def until(self, is_so: Callable[[], bool]) -> None:
        """Wait for a change that the hub makes."""
        async with asyncio.timeout(PATIENCE):
            while not is_so():  # noqa: ASYNC110  # the hub has no event for this
                await asyncio.sleep(0.001)


def test_a_connection_that_is_cut_without_a_sign_is_replaced(
    world: World, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    channel = Channel(monkeypatch, cut_count=1)
    first, second = world.playing(), world.playing()

    async def scenario() -> None:
        watch = Hub()
        try:
            with watch.listen(first):
                await channel.until(lambda: channel.check_count > 1)
                await channel.grow(first)
                await channel.until(lambda: channel.subscription_count == 2)
                monkeypatch.setattr(hub, "HEAD_CHECK_INTERVAL_SECONDS", PATIENCE)
                with watch.listen(second) as listener:
                    await channel.until(lambda: watch._is_subscribed)
                    channel.hint_queue.put_nowait(second)
                    assert await listener.wait(PATIENCE)
        finally:
            watch.close()

    asyncio.run(scenario())
    assert "subscribing again" in caplog.text


def test_a_connection_on_which_hints_come_is_kept(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    channel = Channel(monkeypatch, cut_count=0)
    games = [world.playing() for _ in range(5)]

    async def scenario() -> None:
        watch = Hub()
        try:
            with watch.listen("another"):
                await channel.until(lambda: watch._is_subscribed)
                for game in games:
                    with watch.listen(game) as listener:
                        channel.may_check.clear()  # a check would find it before the hint
                        await channel.grow(game)
                        assert await listener.wait(PATIENCE)
                    channel.check_count = 0
                    channel.may_check.set()
                    await channel.until(lambda: channel.check_count > 2)
        finally:
            watch.close()

    asyncio.run(scenario())
    assert channel.subscription_count == 1


def test_whoever_hears_ends_even_if_a_library_drops_the_cancellation(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    connecting = asyncio.Event()

    async def hints() -> AsyncGenerator[Sequence[str] | None, None]:
        connecting.set()
        with suppress(asyncio.CancelledError):
            await asyncio.Event().wait()
        yield None
        await asyncio.Event().wait()

    monkeypatch.setattr(hub, "subscribe", hints)

    async def scenario() -> None:
        watch = Hub()
        with watch.listen("a game"):
            await connecting.wait()
            hearing_task = watch._tasks[0]
        watch.close()
        _, pending = await asyncio.wait([hearing_task], timeout=PATIENCE)
        assert not pending

    asyncio.run(scenario())


def test_nobody_is_told_twice_of_one_batch(monkeypatch: pytest.MonkeyPatch) -> None:
    statements: list[Any] = []

    class Server:
        def execute(self, _: str, values: list[str]) -> None:
            statements.append(values)

    monkeypatch.setattr(settings, "REDIS_URL", "")
    monkeypatch.setattr(pubsub, "connect_database", Server)
    pubsub.GrowthOutbox().publish(["game_b", "game_a", "game_b"])
    assert statements == [[pubsub.GROWTH_CHANNEL, "game_b game_a"]]


# -- when the database is away --------------------------------------------------------------------


async def updates_after_hint(account: str, game: str) -> dict[str, TimedUpdate]:
    """The updates of a listener of the account after one hint on a game."""
    watch = Hub()
    try:
        with watch.listen(account) as listener:
            watch._wake_listeners([game])
            assert await listener.wait(PATIENCE)
            return listener.take_updates()
    finally:
        watch.close()


def test_a_hint_is_not_lost_when_its_players_cannot_be_read(
    world: World, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    requested: list[object] = []

    def read_failing_once(games: Collection[str]) -> list[tuple[str, TimedUpdate]]:
        requested.append(games)
        if len(requested) == 1:
            raise OperationalError("gone")
        return updates_of_games(games)

    monkeypatch.setattr(hub, "RECONNECT_SECONDS", 0.01)
    # nothing else wakes the listener
    monkeypatch.setattr(hub, "HEAD_CHECK_INTERVAL_SECONDS", 3600.0)
    monkeypatch.setattr(hub, "subscribe", subscribe_without_hints)
    monkeypatch.setattr(hub, "updates_of_games", read_failing_once)
    game = world.playing()
    updates = asyncio.run(updates_after_hint(world.ada.pk, game))
    assert updates[game].update.seq == 4
    assert requested == [{game}, {game}]
    assert "The players of games cannot be read: gone" in caplog.text


async def is_found(game: str, before: datetime) -> bool:
    """Whether a check wakes a listener, if the check before was at that time."""
    watch = Hub()
    try:
        with watch.listen(game) as listener:
            watch._heads_checked_at = before
            await watch._compare_heads()
            return listener.wake_count > 0
    finally:
        watch.close()


def test_a_process_that_was_suspended_finds_what_it_has_slept_through(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(hub, "subscribe", subscribe_without_hints)
    game = world.playing()
    at = Game.objects.get(pk=game).at
    monkeypatch.setattr(timezone, "now", lambda: at + timedelta(hours=1))
    assert asyncio.run(is_found(game, at))
    assert not asyncio.run(is_found(game, at + timedelta(hours=1)))


def test_many_accounts_are_told_by_three_queries(world: World) -> None:
    games = [world.playing() for _ in range(10)]
    with CaptureQueriesContext(connection) as queries:
        updates = updates_of_games(games)
    assert {account for account, _ in updates} == {world.ada.pk, world.bob.pk}
    assert len(updates) == 20
    assert len(queries) == 3

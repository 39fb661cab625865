"""Does a process hear of what another has appended, and does it find what it has not heard of?"""

from __future__ import annotations

import asyncio
import subprocess
import sys
from collections.abc import AsyncGenerator, Sequence
from contextlib import aclosing
from pathlib import Path
from typing import Any, Final

import pytest
from django.conf import settings

from api.streams import hearing, telling, watching
from api.streams.reading import THREADS
from api.streams.watching import Watch
from games import services
from tests.api.world import World
from tests.config.processes import PATIENCE
from tests.databases import Kept

ROOT: Final = Path(__file__).parents[3]
RESIGN: Final = """
import django, sys
django.setup()
from games import services
services.game_resign(sys.argv[1], 0)
"""


@pytest.fixture
def world(kept_here: Kept) -> World:
    """Some accounts in a database that other processes open too."""
    return World()


@pytest.fixture(params=["as it is", "without Redis"])
def redis(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> str:
    """The address of Redis, or none."""
    if request.param == "without Redis":
        monkeypatch.setattr(settings, "REDIS_URL", "")
    return str(settings.REDIS_URL)


async def heard(kept: Kept, redis: str, game: str) -> Sequence[str] | None:
    """What is heard when another process appends to a game."""
    async with aclosing(hearing.hints()) as hints:
        assert await anext(hints) is None
        command = [sys.executable, "-c", RESIGN, game]
        env = {**kept.environment, "REDIS_URL": redis}
        done = await asyncio.to_thread(subprocess.run, command, cwd=ROOT, env=env, check=True)
        assert done.returncode == 0
        async with asyncio.timeout(PATIENCE):
            return await anext(hints)


def test_another_process_is_heard(kept: Kept, world: World, redis: str) -> None:
    world.playing()
    game = world.playing()
    assert asyncio.run(heard(kept, redis, game)) == [game]


async def silence() -> AsyncGenerator[Sequence[str] | None, None]:
    """Nothing is ever heard."""
    await asyncio.Event().wait()
    yield None


async def found(game: str, topic: str) -> set[str]:
    """What a listener is told who hears nothing."""
    watch = Watch()
    try:
        with watch.listening(topic) as listener:
            await asyncio.to_thread(lambda: THREADS.submit(services.game_resign, game, 0).result())
            assert await listener.wait(PATIENCE)
            return listener.take()
    finally:
        watch.close()


def test_what_was_not_heard_is_found(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(watching, "LOOK", 0.05)
    monkeypatch.setattr(watching, "hints", silence)
    game = world.playing()
    assert asyncio.run(found(game, game)) == set()
    other = world.playing()
    assert other in asyncio.run(found(other, world.ada.pk))


def test_a_connection_that_breaks_is_opened_again(
    world: World, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    tried: list[bool] = []

    async def breaking() -> AsyncGenerator[Sequence[str] | None, None]:
        tried.append(True)
        if len(tried) == 1:
            raise ConnectionError("gone")
        yield [game]
        await asyncio.Event().wait()

    async def woken() -> bool:
        watch = Watch()
        try:
            with watch.listening(game) as listener:
                return await listener.wait(PATIENCE)
        finally:
            watch.close()

    monkeypatch.setattr(watching, "PAUSE", 0.01)
    monkeypatch.setattr(watching, "hints", breaking)
    game = world.playing()
    assert asyncio.run(woken())
    assert len(tried) == 2
    assert "Nothing is heard of games: gone" in caplog.text


def test_nobody_is_told_twice_of_one_batch(monkeypatch: pytest.MonkeyPatch) -> None:
    said: list[Any] = []

    class Server:
        def execute(self, _: str, values: list[str]) -> None:
            said.append(values)

    monkeypatch.setattr(settings, "REDIS_URL", "")
    monkeypatch.setattr(telling, "database_server", Server)
    telling.Publisher().publish(["game_b", "game_a", "game_b"])
    assert said == [[telling.CHANNEL, "game_b game_a"]]

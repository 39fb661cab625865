"""Who is woken when a log grows? One watch in each process hears all hints, and wakes just those
who listen to that game; while nobody listens, it sleeps."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Collection, Coroutine, Iterable, Iterator
from contextlib import aclosing, contextmanager
from contextvars import Context
from datetime import datetime, timedelta
from typing import Any, Final

from django.utils import timezone

from api.streams.hearing import hints
from api.streams.reading import heads_since, in_a_thread
from api.streams.standings import Standing, standings_of

logger = logging.getLogger(__name__)

LOOK: Final = 5.0  # seconds between two looks at the heads, whatever one hears
SLOWEST: Final = timedelta(seconds=60)  # a commit is no later than that after its entry's time
PAUSE: Final = 1.0  # seconds before a broken connection is opened again


class Listener:
    """Somebody who waits for a game, or for any game of an account, to grow, until it is ended."""

    __slots__ = ("_standings", "_woken", "ended", "wakes")

    def __init__(self) -> None:
        self.wakes = 0  # how often something may have happened
        self.ended: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._standings: dict[str, Standing] = {}
        self._woken = asyncio.Event()

    def wake(self, standing: Standing | None = None) -> None:
        """Something has happened, perhaps to where a game stands."""
        self.wakes += 1
        if standing is not None:
            self._standings[standing.growth.game] = standing
        self._woken.set()

    def end(self) -> None:
        """There is nothing more to wait for."""
        if not self.ended.done():
            self.ended.set_result(None)
        self._woken.set()

    def take(self) -> dict[str, Standing]:
        """Where games stand that have grown since this was last asked."""
        standings, self._standings = self._standings, {}
        self._woken.clear()
        return standings

    async def wait(self, seconds: float) -> bool:
        """Sleep until woken, or so long; whether woken."""
        try:
            async with asyncio.timeout(seconds):
                await self._woken.wait()
        except TimeoutError:
            return False
        return True


class Watch:
    """Hears for all who listen in this process."""

    def __init__(self) -> None:
        self.is_closed = False
        self.told_until: datetime | None = None  # what has grown before was told to all listeners
        self._listeners: dict[str, set[Listener]] = {}  # by game or account
        self._tasks: list[asyncio.Task[None]] = []
        self._heads: dict[str, int] = {}  # at the last look
        self._looked: datetime | None = None  # when that was
        self._is_hearing = False  # is there a connection on which hints come?
        self._heard: set[str] = set()  # games of which a hint has come since the last look
        self._missed: set[str] = set()  # games that had grown by then, and of which none had come
        self._hinted: set[str] = set()  # games whose players are still to be woken
        self._some_hinted = asyncio.Event()

    @contextmanager
    def listening(self, topic: str) -> Iterator[Listener]:
        """Listen to a game, or to an account."""
        listener = Listener()
        if self.is_closed:
            listener.end()
        self._listeners.setdefault(topic, set()).add(listener)
        self._begin()
        try:
            yield listener
        finally:
            self._listeners[topic].discard(listener)
            if not self._listeners[topic]:
                del self._listeners[topic]

    def close(self) -> None:
        """The process is about to end: let go of everybody."""
        self.is_closed = True
        for listeners in self._listeners.values():
            for listener in listeners:
                listener.end()
        self._end()

    # -- the tasks --------------------------------------------------------------------------------

    def _begin(self) -> None:
        if not self._tasks and not self.is_closed:
            self.told_until = self._looked = None
            self._is_hearing = False
            self._tasks = [
                for_all(part) for part in (self._hear(), self._look(), self._wake_players())
            ]

    def _end(self) -> None:
        tasks, self._tasks = self._tasks, []
        for task in tasks:
            task.cancel()

    async def _hear(self) -> None:
        while True:
            try:
                async with aclosing(hints()) as heard:
                    async for games in heard:
                        if is_cancelled():
                            return
                        if games is None:
                            await self._compare()
                            self._is_hearing = True
                        else:
                            self._heard.update(games)
                            self._grown(games)
            except Exception as problem:  # noqa: BLE001  # looking goes on meanwhile
                logger.warning("Nothing is heard of games: %s", problem)
            self._is_hearing = False
            await asyncio.sleep(PAUSE)

    def _hear_again(self) -> None:
        """A connection may be cut without a sign, by a network or a machine that is gone."""
        logger.warning("Games have grown of which nothing was heard: listening anew.")
        self._is_hearing = False
        self._tasks[0].cancel()
        self._tasks[0] = for_all(self._hear())

    async def _look(self) -> None:
        """Hints may be lost: look at the heads as well. Nobody listens any more: stop."""
        while self._listeners:
            await asyncio.sleep(LOOK)
            missed, heard = self._missed, self._heard
            try:
                await self._compare()
            except Exception as problem:  # noqa: BLE001  # the database is away: look again
                logger.warning("The heads of the logs cannot be read: %s", problem)
            else:
                if self._is_hearing and missed - heard:
                    self._hear_again()
        self._end()

    async def _compare(self) -> None:
        begun = timezone.now()
        since = min(begun, self._looked or begun) - SLOWEST  # this process may have been suspended
        heard, self._heard = self._heard, set()
        try:
            heads = await in_a_thread(heads_since, since)
        except BaseException:
            self._heard |= heard
            raise
        grown = {game for game, seq in heads.items() if self._heads.get(game) != seq}
        self._looked = begun
        self._missed = grown - heard - self._heard if self._is_hearing else set()
        self._heads = heads
        self._grown(grown)

    def _grown(self, games: Iterable[str]) -> None:
        for game in games:
            for listener in self._listeners.get(game, ()):
                listener.wake()
            self._hinted.add(game)
        self._some_hinted.set()

    async def _wake_players(self) -> None:
        """Wake those who listen to all games of an account; many hints, two questions for all."""
        while True:
            await self._some_hinted.wait()
            self._some_hinted.clear()
            games, self._hinted, until = self._hinted, set(), self._looked
            try:
                await self._tell_players(games)
            except Exception as problem:  # noqa: BLE001  # the database is away: ask again
                logger.warning("The players of games cannot be read: %s", problem)
                self._hinted |= games
                await asyncio.sleep(PAUSE)
                self._some_hinted.set()
            else:
                self.told_until = until

    async def _tell_players(self, games: Collection[str]) -> None:
        if not any(topic.startswith("account") for topic in self._listeners):
            return
        for account, standing in await in_a_thread(standings_of, games):
            for listener in self._listeners.get(account, ()):
                listener.wake(standing)


def is_cancelled() -> bool:
    """Whether this task has been told to end. A library may not have passed that on: `wait_for` of
    Python 3.11 drops a cancellation that comes just as what it waits for is done."""
    task = asyncio.current_task()
    return task is not None and task.cancelling() > 0


def for_all(part: Coroutine[Any, Any, None]) -> asyncio.Task[None]:
    """A task that is not in the context of the request that happens to begin it."""
    return asyncio.create_task(part, context=Context())


watch = Watch()

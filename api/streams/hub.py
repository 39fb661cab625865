"""The hub of a process for streams, which wakes listeners when a game changes. It receives all
hints and wakes only the listeners of that game; without listeners it stops."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Collection, Coroutine, Iterable, Iterator
from contextlib import aclosing, contextmanager
from contextvars import Context
from datetime import datetime, timedelta
from typing import Any, Final

from django.utils import timezone

from api.streams.account_updates import TimedUpdate, updates_of_games
from api.streams.database_threads import run_in_thread
from api.streams.pubsub import subscribe
from games import selectors
from games.selectors import GameChange

logger = logging.getLogger(__name__)

# seconds between two checks of the log heads, even if hints arrive
HEAD_CHECK_INTERVAL_SECONDS: Final = 5.0
# a commit is visible at most this long after its entry's time
MAX_COMMIT_DELAY: Final = timedelta(seconds=60)
RECONNECT_SECONDS: Final = 1.0  # seconds before a broken connection is opened again


LOBBY: Final = "lobby"  # the topic of the open tables
LOBBY_INTERVAL_SECONDS: Final = 1.0  # between two wakes of its listeners: most growth is elsewhere


class Listener:
    """Waits for a game, or any game of an account, to grow, until it is ended."""

    __slots__ = ("_updates", "_wake_event", "end_future", "wake_count")

    def __init__(self) -> None:
        self.wake_count = 0  # the number of calls of `wake`
        self.end_future: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._updates: dict[str, TimedUpdate] = {}
        self._wake_event = asyncio.Event()

    def wake(self, timed_update: TimedUpdate | None = None) -> None:
        """Wake the listener: something has happened, perhaps with a new update of a game."""
        self.wake_count += 1
        if timed_update is not None:
            self._updates[timed_update.update.game] = timed_update
        self._wake_event.set()

    def end(self) -> None:
        """End the listener: there is nothing more to wait for."""
        if not self.end_future.done():
            self.end_future.set_result(None)
        self._wake_event.set()

    def take_updates(self) -> dict[str, TimedUpdate]:
        """The updates received since the last call."""
        updates, self._updates = self._updates, {}
        self._wake_event.clear()
        return updates

    async def wait(self, seconds: float) -> bool:
        """Sleep until woken, at most for these seconds; return whether woken."""
        try:
            async with asyncio.timeout(seconds):
                await self._wake_event.wait()
        except TimeoutError:
            return False
        return True


class Hub:
    """Receives hints for all listeners in this process."""

    def __init__(self) -> None:
        self.is_closed = False
        # earlier growth was passed to all listeners
        self.updates_complete_until: datetime | None = None
        self._listeners: dict[str, set[Listener]] = {}  # by game or account
        self._tasks: list[asyncio.Task[None]] = []
        self._checked_changes: set[GameChange] = set()  # at the last check
        self._heads_checked_at: datetime | None = None  # the time of that check
        self._is_subscribed = False  # whether a connection delivers hints
        # games with a hint since the last check
        self._hinted_since_check: set[str] = set()
        # games that had grown by the last check without a hint
        self._unhinted_games: set[str] = set()
        self._games_to_announce: set[str] = set()  # games whose players are still to be woken
        self._announce_event = asyncio.Event()
        self._next_lobby_wake: asyncio.TimerHandle | None = None

    @contextmanager
    def listen(self, topic: str) -> Iterator[Listener]:
        """Listen to a game, or to an account."""
        listener = Listener()
        if self.is_closed:
            listener.end()
        self._listeners.setdefault(topic, set()).add(listener)
        self._start()
        try:
            yield listener
        finally:
            self._listeners[topic].discard(listener)
            if not self._listeners[topic]:
                del self._listeners[topic]

    def close(self) -> None:
        """End all listeners: the process is about to exit."""
        self.is_closed = True
        for listeners in self._listeners.values():
            for listener in listeners:
                listener.end()
        self._stop()

    # -- the tasks --------------------------------------------------------------------------------

    def _start(self) -> None:
        if not self._tasks and not self.is_closed:
            self.updates_complete_until = self._heads_checked_at = None
            self._is_subscribed = False
            self._tasks = [
                create_detached_task(part)
                for part in (
                    self._receive_hints(),
                    self._check_heads_regularly(),
                    self._wake_account_listeners(),
                )
            ]

    def _stop(self) -> None:
        tasks, self._tasks = self._tasks, []
        for task in tasks:
            task.cancel()
        if self._next_lobby_wake:
            self._next_lobby_wake.cancel()
            self._next_lobby_wake = None

    async def _receive_hints(self) -> None:
        while True:
            try:
                async with aclosing(subscribe()) as hints:
                    async for games in hints:
                        if is_cancelled():
                            return
                        if games is None:
                            await self._compare_heads()
                            self._is_subscribed = True
                        else:
                            self._hinted_since_check.update(games)
                            self._wake_listeners(games)
            except Exception as problem:  # noqa: BLE001  # the check of the heads continues
                logger.warning("The subscription to game changes failed: %s", problem)
            self._is_subscribed = False
            await asyncio.sleep(RECONNECT_SECONDS)

    def _resubscribe(self) -> None:
        """Reconnect: a network or a machine that is gone may cut a connection without a sign."""
        logger.warning("Games have changed without a notification: subscribing again.")
        self._is_subscribed = False
        self._tasks[0].cancel()
        self._tasks[0] = create_detached_task(self._receive_hints())

    async def _check_heads_regularly(self) -> None:
        """Check the heads as well, as hints may be lost; stop when there are no listeners."""
        while self._listeners:
            await asyncio.sleep(HEAD_CHECK_INTERVAL_SECONDS)
            unhinted, hinted = self._unhinted_games, self._hinted_since_check
            try:
                await self._compare_heads()
            except Exception as problem:  # noqa: BLE001  # the database is away: check again
                logger.warning("The heads of the logs cannot be read: %s", problem)
            else:
                if self._is_subscribed and unhinted - hinted:
                    self._resubscribe()
        self._stop()

    async def _compare_heads(self) -> None:
        started_at = timezone.now()
        # the process may have been suspended
        since = min(started_at, self._heads_checked_at or started_at) - MAX_COMMIT_DELAY
        hinted, self._hinted_since_check = self._hinted_since_check, set()
        try:
            changes = await run_in_thread(selectors.last_changes_since, since)
        except BaseException:
            self._hinted_since_check |= hinted
            raise
        grown_games = {change.game for change in changes - self._checked_changes}
        self._heads_checked_at = started_at
        self._unhinted_games = (
            grown_games - hinted - self._hinted_since_check if self._is_subscribed else set()
        )
        self._checked_changes = changes
        self._wake_listeners(grown_games)

    def _wake_lobby_soon(self) -> None:
        """Wake the listeners of the lobby: any game may have opened or closed."""
        if LOBBY in self._listeners and self._next_lobby_wake is None:
            loop = asyncio.get_running_loop()
            self._next_lobby_wake = loop.call_later(LOBBY_INTERVAL_SECONDS, self._wake_lobby)

    def _wake_lobby(self) -> None:
        self._next_lobby_wake = None
        for listener in self._listeners.get(LOBBY, ()):
            listener.wake()

    def _wake_listeners(self, games: Iterable[str]) -> None:
        self._wake_lobby_soon()
        for game in games:
            for listener in self._listeners.get(game, ()):
                listener.wake()
            self._games_to_announce.add(game)
        self._announce_event.set()

    async def _wake_account_listeners(self) -> None:
        """Wake the listeners of accounts: a few queries for any number of hints."""
        while True:
            await self._announce_event.wait()
            self._announce_event.clear()
            games, self._games_to_announce, checked_at = (
                self._games_to_announce,
                set(),
                self._heads_checked_at,
            )
            try:
                await self._send_account_updates(games)
            except Exception as problem:  # noqa: BLE001  # the database is away: try again
                logger.warning("The players of games cannot be read: %s", problem)
                self._games_to_announce |= games
                await asyncio.sleep(RECONNECT_SECONDS)
                self._announce_event.set()
            else:
                self.updates_complete_until = checked_at

    async def _send_account_updates(self, games: Collection[str]) -> None:
        if not any(topic.startswith("account") for topic in self._listeners):
            return
        for account, timed_update in await run_in_thread(updates_of_games, games):
            for listener in self._listeners.get(account, ()):
                listener.wake(timed_update)


def is_cancelled() -> bool:
    """Whether this task has been cancelled. A library may swallow that: `wait_for` of Python 3.11
    drops a cancellation that coincides with the end of the awaited future."""
    task = asyncio.current_task()
    return task is not None and task.cancelling() > 0


def create_detached_task(part: Coroutine[Any, Any, None]) -> asyncio.Task[None]:
    """A task outside the context of the request that happens to start it."""
    return asyncio.create_task(part, context=Context())


hub = Hub()

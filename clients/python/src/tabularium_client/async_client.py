"""The asynchronous client."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncGenerator, Awaitable, Callable
from contextlib import suppress
from time import monotonic
from types import TracebackType
from typing import Any, Final, Generic, Self, TypedDict, TypeVar
from uuid import uuid4

import httpx

from tabularium_client import types
from tabularium_client.async_operations import AsyncOperations
from tabularium_client.calls import BASE, BrokenReply, Call, segment, stream_headers
from tabularium_client.keys import KeyStore
from tabularium_client.problems import (
    GameOver,
    NoReply,
    NotFound,
    StaleChoice,
    TabulariumError,
    refusal,
)
from tabularium_client.retries import FAILURES, Retries
from tabularium_client.server_sent_events import EventReader
from tabularium_client.turns import Turn, awaited_seat, turn_in
from tabularium_client.version import VERSION

TIMEOUT: Final = httpx.Timeout(10.0, read=40.0)  # longer than any wait or silence of the server
LONGEST_WAIT: Final = 25.0  # seconds that the server may hold a reply back
SHORTEST_WAIT: Final = 1.0  # if it holds back none, because too many are waiting
NO_CONTENT: Final = 204
USER_AGENT: Final = f"tabularium-client/{VERSION}"

Item = TypeVar("Item")


class Page(TypedDict, Generic[Item]):
    """A page of a list."""

    items: list[Item]
    next_cursor: str | None


class AsyncClient(AsyncOperations):
    """A client of one server: all operations of the API, and more.

    Without a `key` it takes the one that `keys` holds for the server. If there is none, the first
    call that needs a key creates a guest, whose key goes into `keys`. `http` replaces the client of
    httpx, for instance to set proxies or certificates; its owner closes it. `sleep` and `clock` are
    for tests.
    """

    def __init__(  # noqa: PLR0913  # all but the server have defaults
        self,
        server: str,
        *,
        key: str | None = None,
        keys: KeyStore | None = None,
        retries: Retries | None = None,
        http: httpx.AsyncClient | None = None,
        sleep: Callable[[float], Awaitable[None]] = asyncio.sleep,
        clock: Callable[[], float] = monotonic,
    ) -> None:
        self.server = server.rstrip("/").removesuffix(BASE)
        self.key = key or (keys.load(self.server) if keys else None)
        self._keys = keys
        self._key_lock = asyncio.Lock()
        self._retries = retries or Retries()
        self._is_owner = http is None
        self._http = http or httpx.AsyncClient()
        self._sleep = sleep
        self._clock = clock

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        value: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        await self.aclose()

    async def aclose(self) -> None:
        """Close all connections."""
        if self._is_owner:
            await self._http.aclose()

    # -- calls ------------------------------------------------------------------------------------

    async def _send(self, call: Call) -> Any:
        """Make a call, again after failures that may pass, and read its reply."""
        if call.access == "key":
            await self._ensure_key()
        headers = call.headers(self.key, uuid4().hex)  # the same for all attempts
        attempt = 0
        while True:
            attempt += 1
            try:
                return call.read(await self._attempt(call, headers))
            except FAILURES as failure:
                if attempt > 1 and call.method == "DELETE" and isinstance(failure, NotFound):
                    return None  # an earlier attempt has deleted it
                pause = self._pause(attempt, failure, call.is_repeatable)
            await self._sleep(pause)

    async def _attempt(self, call: Call, headers: dict[str, str]) -> bytes:
        """The content of the reply to one request."""
        reply = await self._http.request(**self._request(call, headers))
        if not reply.is_success:
            raise refusal(reply.status_code, reply.headers, reply.content)
        return reply.content

    def _request(self, call: Call, headers: dict[str, str]) -> dict[str, Any]:
        """The arguments of httpx for a request."""
        return {
            "method": call.method,
            "url": self.server + BASE + call.path,
            "params": call.parameters,
            "content": call.content,
            "headers": {"User-Agent": USER_AGENT, **headers},
            "timeout": TIMEOUT,
        }

    def _pause(self, attempt: int, failure: Exception, is_repeatable: bool = True) -> float:
        """The seconds until the next attempt; raises the failure if there is none."""
        pause = self._retries.pause(attempt, failure, is_repeatable)
        if pause is not None:
            return pause
        if isinstance(failure, TabulariumError):
            raise failure
        raise NoReply(str(failure) or repr(failure)) from failure

    async def _ensure_key(self) -> None:
        """Create a guest if there is no key yet."""
        async with self._key_lock:
            if self.key is None:
                key = (await self.create_guest())["secret"]
                if self._keys is not None:
                    self._keys.save(self.server, key)
                self.key = key

    # -- lists ------------------------------------------------------------------------------------

    async def every(
        self, page: Callable[[str | None], Awaitable[Page[Item]]]
    ) -> AsyncGenerator[Item, None]:
        """All items of a list, page after page: `page` is given the cursor of each."""
        cursor: str | None = None
        while True:
            reply = await page(cursor)
            for item in reply["items"]:
                yield item
            cursor = reply["next_cursor"]
            if cursor is None:
                return

    # -- turns ------------------------------------------------------------------------------------

    async def wait_for_turn(self, game: str, /, *, within: float | None = None) -> Turn | None:
        """The next turn of one of your seats, as soon as the game waits for it; None if the game is
        over. Raises `TimeoutError` after `within` seconds."""
        end = None if within is None else self._clock() + within
        while True:
            table = await self.game(game)
            if table["phase"] == "over":
                return None
            if (seat := awaited_seat(table)) is not None:
                is_shown = turn_in(table, seat) is not None
                shown = table if is_shown else await self.game(game, as_=f"seat:{seat}")
                if (turn := turn_in(shown, seat)) is not None:
                    return turn
            wait = LONGEST_WAIT if end is None else min(LONGEST_WAIT, end - self._clock())
            if wait <= 0:
                raise TimeoutError(f"{game} has not waited for your seats in time.")
            await self.wait_for_entry(game, table["seq"], wait)

    async def wait_for_entry(self, game: str, after: int, wait: float) -> None:
        """Return when there is an entry after this one, or the wait is over."""
        begun = self._clock()
        page = await self.log(game, after=after, limit=1, wait=max(wait, SHORTEST_WAIT))
        if not page["items"] and self._clock() - begun < SHORTEST_WAIT:
            await self._sleep(SHORTEST_WAIT)

    async def turns(self, game: str, /) -> AsyncGenerator[Turn, None]:
        """Each turn of your seats, until the game is over. Answer it before you ask for the next:
        the same turn comes again as long as it is open."""
        while (turn := await self.wait_for_turn(game)) is not None:
            yield turn

    async def take(
        self, turn: Turn, offer: types.Offer, /, *, wait: float = LONGEST_WAIT
    ) -> types.ActionResult:
        """Answer a turn with one of its offers. The reply comes when it is your turn again, or
        after `wait` seconds. Raises `StaleChoice` if the turn is no longer open."""
        return await self.act(
            turn.game,
            seat=turn.seat,
            choice=turn.choice["token"],
            action=offer["action"],
            wait=wait,
        )

    async def play(
        self,
        game: str,
        choose: Callable[[Turn], types.Offer],
        /,
        *,
        keep: Callable[[types.Receipt], object] | None = None,
    ) -> types.GameView:
        """Play your seats to the end of the game, each turn with the offer that `choose` returns.
        `keep` is given the receipt of each action. A turn that has passed in the meantime, because
        its time ran out, is left out."""
        async for turn in self.turns(game):
            with suppress(StaleChoice, GameOver):
                result = await self.take(turn, choose(turn))
                if keep is not None:
                    keep(result["receipt"])
        return await self.game(game)

    # -- streams ----------------------------------------------------------------------------------

    def stream_game(
        self, game: str, /, *, after: int = 0, as_: str | None = None, names: bool = False
    ) -> AsyncGenerator[types.EntryView, None]:
        """Every entry after `after`, each once and in order, as soon as it is appended, until the
        game is over. A connection that breaks is opened again where it broke."""
        path, query = f"/games/{segment(game)}/stream", {"as": as_, "names": names or None}
        return self._events(Call("GET", path, query=query, access="optional"), str(after))

    def stream_games(self, *, rules: str | None = None) -> AsyncGenerator[types.LobbyUpdate, None]:
        """Each open table, then each one that opens, changes or closes, for ever. An item without a
        game is the beginning, also after a break: all open tables follow."""
        query = {"open": "true", "rules": rules}
        return self._events(Call("GET", "/games/stream", query=query, access="optional"), None)

    def stream_me(self, *, after: str | None = None) -> AsyncGenerator[types.GameUpdate, None]:
        """The position of each of your games that is not over, then of each game that grows, for
        ever. After a break the same position may come again."""
        return self._events(Call("GET", "/me/stream", access="key"), after)

    async def _events(self, call: Call, last: str | None) -> AsyncGenerator[Any, None]:
        """The items of a stream after the one with this id, over as many connections as needed."""
        if call.access == "key":
            await self._ensure_key()
        attempt = 0  # since the last item
        while True:
            attempt += 1
            failure: Exception = BrokenReply("The stream has ended.")
            request = self._request(call, stream_headers(call, self.key, last))
            try:
                async with self._http.stream(**request) as reply:
                    if reply.status_code == NO_CONTENT:  # there is nothing after this id
                        return
                    if not reply.is_success:
                        raise refusal(reply.status_code, reply.headers, await reply.aread())
                    reader = EventReader()
                    async for piece in reply.aiter_bytes():
                        for event in reader.feed(piece):
                            last, attempt = event.id or last, 0
                            yield json.loads(event.data)
            except FAILURES as broken:
                failure = broken
            await self._sleep(self._pause(attempt, failure))

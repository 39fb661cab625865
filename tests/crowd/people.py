"""The people of a crowd: scripted clients that play by the offers, go from host to host, and repeat
a request that got no answer."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass, field
from random import Random
from time import monotonic
from typing import Any, Final, NamedTuple

from tests.chaos.http_client import NoAnswer, Reply, WrongAnswer
from tests.chaos.journal import FAIL, OK, UNKNOWN, Attempt, Call, answer_over_http
from tests.chaos.stream_check import StreamRecord
from tests.crowd.connections import TIMEOUT, Connections, Head, Origin, Request
from tests.crowd.judgement import LONG_POLL, UNANSWERED, Answer
from tests.crowd.plans import Plan

HOP_SHARE: Final = 0.2  # of the requests that go to another host than the one before
WAIT_SECONDS: Final = 20  # of a long poll
FIRST_PAUSE, LONGEST_PAUSE = 0.5, 5.0  # seconds until a request is repeated
GAME_OVER: Final = "game-over"
# the table has gone on meanwhile
NO_HURRY: Final = ("stale-choice", "not-your-turn", GAME_OVER)


@dataclass
class Records:
    """All that the people of a crowd have seen."""

    answers: list[Answer] = field(default_factory=list)
    attempts: list[Attempt] = field(default_factory=list)
    streams: list[StreamRecord] = field(default_factory=list)
    client_seats: set[tuple[str, int]] = field(default_factory=set)
    plans: dict[str, Plan] = field(default_factory=dict)  # of the games that have begun
    games_ended: set[str] = field(default_factory=set)
    resigned_games: set[str] = field(default_factory=set)
    wrong_answers: list[str] = field(default_factory=list)


class Manner(NamedTuple):
    """How people play."""

    pause: float  # seconds before an action, on average
    patience: int  # actions after which a person resigns


class Person:
    """A guest with an own key, and its connections."""

    def __init__(
        self, records: Records, origins: Sequence[Origin], rng: Random, manner: Manner
    ) -> None:
        self.records = records
        self.rng = rng
        self._manner = manner
        self._origins = origins
        self._origin = rng.choice(origins)
        self._connections = Connections()
        self._key = ""

    async def arrive(self) -> None:
        """Become a guest of the service."""
        reply = await self.ask("guest", Request("POST", "/guests", {}, self._new_name()))
        self._key = reply.document["secret"]

    def leave(self) -> None:
        """Close the connections."""
        self._connections.close()

    async def create_game(self, body: dict[str, Any]) -> Any:
        """The document of a new game."""
        headers = self._new_name() | self.authorization
        return (await self.ask("game", Request("POST", "/games", body, headers))).document

    async def join(self, game: str, seat: int) -> None:
        """Take an open seat. A repetition changes nothing."""
        path = f"/games/{game}/join"
        await self.ask("join", Request("POST", path, {"seat": seat}, self.authorization))

    @property
    def authorization(self) -> dict[str, str]:
        """The header with the key."""
        return {"Authorization": f"Bearer {self._key}"}

    def _new_name(self) -> dict[str, str]:
        return {"Idempotency-Key": f'"{self.rng.getrandbits(128):032x}"'}

    # -- requests ---------------------------------------------------------------------------------

    async def ask(self, kind: str, request: Request, but_for: str = "") -> Reply:
        """The reply, after as many repetitions as it takes; WrongAnswer for a refusal, but for the
        one with that code."""
        attempts = 0
        while True:
            try:
                reply = await self.try_once(kind, request)
            except NoAnswer as problem:
                await self.pause_to_repeat(attempts, problem)
                attempts += 1
                continue
            if reply.status >= 400 and reply.code != but_for:
                raise WrongAnswer(f"{request.method} {kind}: {reply.status} {reply.code}")
            return reply

    async def try_once(self, kind: str, request: Request) -> Reply:
        """The reply, or NoAnswer if the request must be repeated."""
        if self.rng.random() < HOP_SHARE:
            self._origin = self.rng.choice(self._origins)
        sent_at = monotonic()
        try:
            head, reply = await self._connections.send(self._origin, request)
        except NoAnswer as problem:
            self._record(kind, sent_at, UNANSWERED, str(problem))
            self._hop()
            raise
        self._record(kind, sent_at, reply.status, reply.code)
        if reply.status == 429 or reply.status >= 500:
            self._hop()
            raise NoAnswer(_retry_after(head))
        return reply

    def _hop(self) -> None:
        """Go to the host after this one."""
        index = self._origins.index(self._origin) + 1
        self._origin = self._origins[index % len(self._origins)]

    def _record(self, kind: str, sent_at: float, status: int, code: str) -> None:
        name = self._origin.name
        self.records.answers.append(Answer(kind, name, sent_at, monotonic(), status, code))

    async def pause_to_repeat(self, attempts: int, problem: NoAnswer) -> None:
        """Wait as long as `Retry-After` says, or else for a growing time."""
        stated = str(problem)
        growing = min(FIRST_PAUSE * 2**attempts, LONGEST_PAUSE)
        await asyncio.sleep(float(stated) if stated.isdigit() else growing)

    # -- the game ---------------------------------------------------------------------------------

    async def play(self, game: str) -> None:
        """Play a seat to the end of the game, or resign it when patience is at an end."""
        actions = 0
        while True:
            path = f"/games/{game}"
            table = (
                await self.ask("table", Request("GET", path, None, self.authorization))
            ).document
            if table["phase"] == "over":
                self.records.games_ended.add(game)
                return
            seq, choice = table["seq"], table["choice"]
            while choice and choice["is_awaited"]:
                await self._think()
                if (actions := actions + 1) > self._manner.patience:
                    await self._resign(game, choice["seat"])
                    break
                reply = await self._act(game, choice)
                if reply is None or reply["result"]:
                    break
                seq, choice = reply["seq"], reply["choice"]
            else:
                await self.wait_for_entry(game, seq)

    async def _think(self) -> None:
        pause = self._manner.pause
        await asyncio.sleep(self.rng.expovariate(1 / pause) if pause else 0)

    async def _resign(self, game: str, seat: int) -> None:
        """Resign a seat, unless the game has ended meanwhile. A repetition changes nothing."""
        path = f"/games/{game}/resign"
        self.records.resigned_games.add(game)
        self.records.client_seats.discard((game, seat))  # others may act for it now
        request = Request("POST", path, {"seat": seat}, self.authorization)
        await self.ask("resignation", request, GAME_OVER)

    async def _act(self, game: str, choice: Any) -> Any:
        """The document that acknowledges an action; None if the table has gone on meanwhile."""
        action = self.rng.choice(choice["offers"])["action"]
        call = Call(game, choice["seat"], choice["token"], action)
        body = {"seat": call.seat, "choice": call.choice, "action": call.action}
        request = Request("POST", f"/games/{game}/actions", body, self.authorization)
        attempts = 0
        while True:
            try:
                reply = await self.try_once("action", request)
            except NoAnswer as problem:
                self._record_attempt(call, UNKNOWN, {"reason": str(problem)})
                await self.pause_to_repeat(attempts, problem)
                attempts += 1
                continue
            if reply.status in (200, 201):
                answer = answer_over_http(reply.document, is_repeat=reply.status == 200)
                self._record_attempt(call, OK, answer)
                return reply.document
            self._record_attempt(call, FAIL, {"code": reply.code})
            if reply.code not in NO_HURRY:
                raise WrongAnswer(f"action: {reply.status} {reply.code}")
            return None

    def _record_attempt(self, call: Call, outcome: str, answer: dict[str, Any]) -> None:
        self.records.attempts.append(Attempt(call, outcome, answer))

    async def wait_for_entry(self, game: str, seq: int) -> list[Any]:
        """The entries after that one, of which there may be none yet, by a long poll."""
        path = f"/games/{game}/log?after={seq}"
        headers = {"Prefer": f"wait={WAIT_SECONDS}", **self.authorization}
        request = Request("GET", path, None, headers, WAIT_SECONDS + TIMEOUT)
        try:
            reply = await self.try_once(LONG_POLL, request)
        except NoAnswer as problem:
            await self.pause_to_repeat(0, problem)
            return []
        if reply.status >= 400:
            raise WrongAnswer(f"long poll: {reply.status} {reply.code}")
        entries: list[Any] = reply.document["items"]
        return entries


def _retry_after(head: Head) -> str:
    """The seconds that a reply asks to wait, or its status."""
    return head.headers.get("retry-after", f"status {head.status}")

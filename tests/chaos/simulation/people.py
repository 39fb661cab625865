"""The people of a simulation, who send requests again until they have a reply, and the watchers of
its streams."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from datetime import datetime
from functools import partial
from typing import Any, Final

from django.test import Client

from api.keys import ALL_SCOPES, create_key
from api.outages import is_outage
from api.streams.account_feed import AccountFeed
from api.streams.database_threads import OUTAGE_EXCEPTIONS
from api.streams.feeds import GameFeed
from config.http_server.quick_requests import read_request
from config.quick_path import QuickPath
from games import selectors
from games.models import Account
from tabularium_engines.common.random_generators import FastRng
from tests.api.program import loaded_handler
from tests.chaos.journal import FAIL, OK, UNKNOWN, Attempt, Call, answer_over_http
from tests.chaos.stream_check import AccountStreamRecord, GameState, StreamedEntry, StreamRecord

BASE: Final = "/api/v1"
CREATED: Final = 201


@dataclass
class Request:
    """A request that is sent until it is answered."""

    path: str
    body: Any
    key: str  # of idempotency; "": none
    call: Call | None = None  # if it is an action of the game


class Reply:
    """A status, and a body."""

    def __init__(self, status: int, content: bytes, *, is_repeat: bool = False) -> None:
        self.status = status
        self.body = json.loads(content)
        self.is_repeat = is_repeat


@dataclass
class Person:
    """An account that plays a seat."""

    account: Account
    seat: int
    actions_left: int  # before it resigns
    chance: FastRng
    pending: Request | None = None
    attempts: list[Attempt] = field(default_factory=list)
    problems: list[str] = field(default_factory=list)  # replies that no client should get
    has_resigned: bool = False
    key_count: int = 0

    def __post_init__(self) -> None:
        self.secret = create_key(self.account, "simulation", ALL_SCOPES, None)[1]
        self._client = Client(
            raise_request_exception=False, headers={"Authorization": f"Bearer {self.secret}"}
        )
        self._client.handler = loaded_handler()
        QuickPath()  # the first one of this process prepares itself

    def new_key(self) -> str:
        """Another idempotency key."""
        self.key_count += 1
        return f"{self.account.pk}-{self.key_count}"

    # -- a decision -------------------------------------------------------------------------------

    def decide(self, game: str) -> bool:
        """Whether this person has something to request; then it is `pending`."""
        if self.pending is not None:
            return True
        table = selectors.game_projection(game)
        if table.phase != "playing":
            return False
        if self.has_resigned:
            return False
        if not self.actions_left and table.creation.seats == 2:  # else a bot plays on
            self.has_resigned = True
            self.pending = Request(f"/games/{game}/resign", {"seat": self.seat}, self.new_key())
            return True
        choice = selectors.seat_choice(table, self.seat)
        if choice is None or not choice.is_awaited:
            return False
        action = choice.offers[int(self.chance.below(len(choice.offers)))].action
        key = self.new_key() if self.chance.below(2) else ""
        body = {"seat": self.seat, "choice": choice.token, "action": action}
        call = Call(game, self.seat, choice.token, action)
        self.pending = Request(f"/games/{game}/actions", body, key, call)
        self.actions_left = max(self.actions_left - 1, 0)
        return True

    # -- a request --------------------------------------------------------------------------------

    def send(self) -> Reply | None:
        """Send the pending request; None: the connection broke off."""
        assert self.pending is not None
        if self.pending.call is not None:
            self.attempts.append(Attempt(self.pending.call, UNKNOWN, {}))
        if self.pending.call is not None and not self.pending.key:
            reply = self._send_quickly(self.pending)
            if reply is not None:
                return reply
        headers = {"Idempotency-Key": self.pending.key} if self.pending.key else {}
        generic: Any = self._client.generic
        response = generic(
            "POST",
            BASE + self.pending.path,
            json.dumps(self.pending.body),
            "application/json",
            headers=headers,
        )
        is_repeat = response.headers.get("Idempotent-Replayed") == "true"
        return Reply(response.status_code, response.content, is_repeat=is_repeat)

    def _send_quickly(self, request: Request) -> Reply | None:
        """The reply of the event loop, or the one that its failure becomes; None: the endpoint is
        to answer."""
        content = json.dumps(request.body).encode()
        head = (
            f"POST {BASE}{request.path} HTTP/1.1",
            "Host: testserver",
            f"Authorization: Bearer {self.secret}",
            "Content-Type: application/json",
            f"Content-Length: {len(content)}",
        )
        quick = read_request("\r\n".join(head).encode() + b"\r\n\r\n" + content)
        assert quick is not None
        answers: list[tuple[bytes | None, BaseException | None]] = []
        if not QuickPath().begin(quick, lambda *answer: answers.append(answer)):
            return None
        ((sent, failure),) = answers
        if failure is not None:
            status = 503 if is_outage(failure) else 500
            return Reply(status, json.dumps(str(failure)).encode())
        return None if sent is None else Reply(CREATED, sent.partition(b"\r\n\r\n")[2])

    def receive(self, reply: Reply | None) -> None:
        """Note a reply, if there was one; after another outage the request is sent again."""
        request = self.pending
        assert request is not None
        if reply is None or reply.status == 503:
            return
        self.pending = None
        if reply.status >= 500:
            self.problems.append(f"{request.path} was answered with {reply.status}: {reply.body}")
        is_done = reply.status in (200, CREATED)
        if request.path == "/games":
            assert is_done, f"{request.path} was refused: {reply.body}"
        if request.call is not None:
            answer = (
                answer_over_http(reply.body, is_repeat=reply.is_repeat)
                if is_done
                else {"code": reply.body["code"]}
            )
            self.attempts[-1] = Attempt(request.call, OK if is_done else FAIL, answer)


# -- streams ---------------------------------------------------------------------------------------


class GameWatcher:
    """A stream of a game, from page to page."""

    def __init__(self, game: str, account: str | None, seat: int | None) -> None:
        self._follow = partial(GameFeed, game, account, seat)
        self.record = StreamRecord(f"seat {seat}", game)
        self.reconnect()

    def reconnect(self) -> None:
        """Go on after the last entry received, in another process."""
        self._feed = self._follow(self.record.last_seq)
        self._cursor = self._feed.start_cursor

    def read(self) -> None:
        """Read a page; one that fails is read again."""
        if self.record.is_ended:
            return
        try:
            page = self._feed.read_page(self._cursor)
        except OUTAGE_EXCEPTIONS:
            return
        self._cursor = page.cursor
        for item in page.items:
            entry: Any = item.shape
            self.record.entries.append(StreamedEntry(entry.seq, entry.hash))
        self.record.is_ended = page.is_last


class AccountWatcher:
    """The stream of an account, which is resumed for each page."""

    def __init__(self, account: str) -> None:
        self._account = account
        self._last_id: str | None = None
        self.record = AccountStreamRecord(f"account {account}")

    def reconnect(self) -> None:
        """As for each page."""

    def read(self) -> None:
        """Read the games that have grown since the last item."""
        since = datetime.fromisoformat(self._last_id) if self._last_id else None
        try:
            feed = AccountFeed(self._account, since)
            page = feed.read_page(feed.start_cursor)
        except OUTAGE_EXCEPTIONS:
            return
        for item in page.items:
            update: Any = item.shape
            state = GameState(update.seq, update.phase, update.my_turn)
            self.record.states_by_game.setdefault(update.game, []).append(state)
            self._last_id = item.id or self._last_id

"""Calls of the Python client: retries, idempotency keys, problems, guests and lists, against a
server that answers from a list."""

from __future__ import annotations

import asyncio
import stat
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from threading import Barrier, Event
from typing import Any, Final

import httpx
import pytest

from tabularium_client import (
    AsyncClient,
    BrokenReply,
    GameOver,
    IllegalAction,
    KeyFile,
    NoReply,
    NotFound,
    ProblemReply,
    Retries,
    ServerFailure,
    StaleChoice,
    TabulariumError,
    TooManyRequests,
    Unauthorized,
    UnexpectedReply,
)
from tests.clients.python.mocking import (
    KEY,
    SERVER,
    Answer,
    Server,
    Time,
    client_of,
    good,
    problem,
)

LOST: Final = httpx.ReadError("lost")
UNSENT: Final = httpx.ConnectError("unsent")
GUEST: Final = {"secret": "tab_new", "account": {}, "key": {}}


@pytest.fixture
def time() -> Time:
    """Time that passes only in sleeps."""
    return Time()


class TestRetries:
    def test_a_post_is_repeated_under_one_idempotency_key(self, time: Time) -> None:
        failures: list[Answer] = [LOST, problem(503, "unavailable"), problem(500, "internal-error")]
        server = Server([*failures, good({"id": "game_1"}, 201)])
        game = client_of(server, time).create_game(rules="law", seats=[{"kind": "me"}])
        assert game["id"] == "game_1"
        assert len(set(server.sent("Idempotency-Key"))) == 1
        assert len(server.sent("Idempotency-Key")[0] or "") >= 16
        assert {request.content for request in server.requests} == {
            b'{"rules": "law", "seats": [{"kind": "me"}]}'
        }
        assert time.pauses == [0.5, 1.0, 2.0]

    def test_each_call_has_an_idempotency_key_of_its_own(self, time: Time) -> None:
        server = Server([good(GUEST, 201), good(GUEST, 201), good(GUEST, 201)])
        client = client_of(server, time)
        client.create_guest()
        client.create_guest()
        client.create_guest(idempotency_key="a-key-that-I-have-kept")
        first, second, third = server.sent("Idempotency-Key")
        assert first != second
        assert third == '"a-key-that-I-have-kept"'

    def test_the_async_client_repeats_alike(self, time: Time) -> None:
        server = Server([LOST, problem(429, "too-many-requests", 3), good(GUEST, 201)])

        async def run() -> None:
            http = httpx.AsyncClient(transport=httpx.MockTransport(server.later))
            async with http, AsyncClient(SERVER, http=http, sleep=time.sleep_later) as client:
                await client.create_guest()

        asyncio.run(run())
        assert len(set(server.sent("Idempotency-Key"))) == 1
        assert time.pauses[1:] == [3.0]

    def test_retry_after_replaces_the_pause(self, time: Time) -> None:
        server = Server([problem(429, "too-many-requests", 7), good({"name": "x"})])
        assert client_of(server, time).rename_me(name="x")
        assert time.pauses == [7.0]

    def test_a_long_retry_after_is_left_to_the_caller(self, time: Time) -> None:
        server = Server([problem(429, "too-many-requests", 1800)])
        with pytest.raises(TooManyRequests) as caught:
            client_of(server, time).me()
        assert caught.value.retry_after == 1800
        assert time.pauses == []

    @pytest.mark.parametrize("failure", [LOST, problem(503, "unavailable"), httpx.Response(502)])
    def test_a_change_without_idempotency_key_is_not_repeated(
        self, time: Time, failure: Answer
    ) -> None:
        server = Server([failure])
        with pytest.raises(TabulariumError):
            client_of(server, time).rename_me(name="x")
        assert time.pauses == []

    @pytest.mark.parametrize("failure", [UNSENT, problem(503, "overloaded"), problem(503, "busy")])
    def test_but_it_is_if_it_was_certainly_not_done(self, time: Time, failure: Answer) -> None:
        server = Server([failure, good({})])
        client_of(server, time).rename_me(name="x")
        assert len(server.requests) == 2

    @pytest.mark.parametrize(
        "failure", [problem(500, "log-broken"), problem(501, "not-implemented"), problem(404, "no")]
    )
    def test_permanent_failures_are_not_repeated(self, time: Time, failure: Answer) -> None:
        with pytest.raises(ProblemReply):
            client_of(Server([failure]), time).me()

    def test_it_gives_up_in_the_end(self, time: Time) -> None:
        server = Server([LOST] * 6)
        with pytest.raises(NoReply) as caught:
            client_of(server, time).me()
        assert caught.value.__cause__ is LOST
        assert time.pauses == [0.5, 1.0, 2.0, 4.0, 8.0]

    def test_pauses_have_jitter_and_a_limit(self) -> None:
        retries = Retries(attempts=99, chance=lambda: 1.0)
        assert retries.pause(1, LOST, is_repeatable=True) == 0.25
        assert retries.pause(50, LOST, is_repeatable=True) == 5.0

    def test_a_reply_that_is_cut_short_is_repeated(self, time: Time) -> None:
        server = Server([httpx.Response(200, content=b'{"na'), good({"name": "x"})])
        assert client_of(server, time).me()["name"] == "x"
        with pytest.raises(BrokenReply):
            client_of(Server([httpx.Response(200, content=b"<html>")] * 6), time).me()

    def test_what_is_deleted_already_is_deleted(self, time: Time) -> None:
        client_of(Server([LOST, problem(404, "not-found")]), time).delete_key("key_1")
        with pytest.raises(NotFound):
            client_of(Server([problem(404, "not-found")]), time).delete_key("key_1")


class TestProblems:
    @pytest.mark.parametrize(
        ("status", "code", "kind"),
        [
            (401, "unauthorized", Unauthorized),
            (409, "stale-choice", StaleChoice),
            (409, "game-over", GameOver),
            (422, "illegal-action", IllegalAction),
            (500, "log-broken", ServerFailure),
            (428, "no-precondition", ProblemReply),
        ],
    )
    def test_each_has_its_exception(
        self, time: Time, status: int, code: str, kind: type[ProblemReply]
    ) -> None:
        with pytest.raises(kind) as caught:
            client_of(Server([problem(status, code)]), time).game("game_1")
        assert type(caught.value) is kind
        assert (caught.value.status, caught.value.code) == (status, code)
        assert caught.value.request_id == "req_1"

    def test_they_have_their_members(self, time: Time) -> None:
        answers = [
            problem(409, "stale-choice", choice={"token": "a"}, entries=[{"seq": 1}]),
            problem(422, "illegal-action", rule="too-late", errors=[{"code": "malformed"}]),
        ]
        client = client_of(Server(answers), time)
        with pytest.raises(StaleChoice) as stale:
            client.act("game_1", seat=0)
        members: list[Any] = [stale.value.choice, stale.value.entries]
        assert members == [{"token": "a"}, [{"seq": 1}]]
        with pytest.raises(IllegalAction) as illegal:
            client.act("game_1", seat=0)
        assert illegal.value.rule == "too-late"
        assert illegal.value.errors == [{"code": "malformed"}]

    @pytest.mark.parametrize("content", [b"<html>", b"[]", b'{"error": "x"}'])
    def test_a_reply_of_a_proxy_is_none(self, time: Time, content: bytes) -> None:
        with pytest.raises(UnexpectedReply) as caught:
            client_of(Server([httpx.Response(403, content=content)]), time).me()
        assert (caught.value.status, caught.value.text) == (403, content.decode())


class TestRequests:
    def test_parameters_paths_and_waits(self, time: Time) -> None:
        server = Server([good({"items": []}), good({})])
        client = client_of(server, time)
        client.my_games(my_turn=True, limit=5)
        client.log("../x y", as_="seat:1", wait=25.7)
        first, second = server.requests
        assert first.url.query == b"limit=5&my_turn=true"
        assert second.url.raw_path == b"/api/v1/games/..%2Fx%20y/log?as=seat%3A1"
        assert second.headers["Prefer"] == "wait=25"
        assert second.headers["Authorization"] == f"Bearer {KEY}"
        assert second.headers["User-Agent"].startswith("tabularium-client/")

    def test_replies_of_all_forms(self, time: Time) -> None:
        answers = [
            httpx.Response(200, text="<svg/>"),
            httpx.Response(200, content=b"{}\n"),
            good({}),
        ]
        server = Server(answers)
        client = client_of(server, time)
        assert client.picture("game_1") == "<svg/>"
        assert client.export("game_1") == b"{}\n"
        client.verify_export(b"{}\n")
        assert server.requests[2].headers["Content-Type"] == "application/x-ndjson"
        assert server.requests[2].content == b"{}\n"

    def test_every_item_of_a_list(self, time: Time) -> None:
        pages = [{"items": [1, 2], "next_cursor": "b"}, {"items": [3], "next_cursor": None}]
        server = Server(map(good, pages))
        client = client_of(server, time)
        games = client.every(lambda cursor: client.list_games(rules="law", cursor=cursor))
        found: list[Any] = list(games)
        assert found == [1, 2, 3]
        assert [request.url.query for request in server.requests] == [
            b"rules=law",
            b"cursor=b&rules=law",
        ]


class TestGuests:
    def test_a_guest_is_created_when_a_key_is_needed(self, time: Time, tmp_path: Path) -> None:
        keys = KeyFile(tmp_path / "keys.json")
        server = Server([good({}), good(GUEST, 201), good({}), good({}), good({})])
        client = client_of(server, time, key=None, keys=keys)
        client.game("game_1")  # open to all
        client.me()
        client.game("game_1")
        assert server.sent("Authorization") == [None, None, "Bearer tab_new", "Bearer tab_new"]
        assert stat.S_IMODE((tmp_path / "keys.json").stat().st_mode) == 0o600

    def test_its_key_is_found_again_and_sent_to_no_other_server(
        self, time: Time, tmp_path: Path
    ) -> None:
        keys = KeyFile(tmp_path / "keys.json")
        keys.save("http://other.test", "tab_other")
        keys.save(SERVER, "tab_kept")
        server = Server([good({})])
        client_of(server, time, key=None, keys=keys).game("game_1")
        assert server.sent("Authorization") == ["Bearer tab_kept"]
        assert keys.load("http://other.test") == "tab_other"
        assert keys.load("http://third.test") is None

    def test_threads_create_one_guest(self, time: Time) -> None:
        """The server answers the first guest late: a second one would come in the meantime."""
        together, second_guest = Barrier(4), Event()

        class Slow(Server):
            def __call__(self, request: httpx.Request) -> httpx.Response:
                if request.url.path.endswith("/guests") and self.requests:
                    second_guest.set()
                answer = super().__call__(request)
                if request.url.path.endswith("/guests"):
                    second_guest.wait(0.2)
                return answer

        server = Slow([good(GUEST, 201), *[good(GUEST)] * 4])
        client = client_of(server, time, key=None)

        def ask(_: int) -> Any:
            together.wait()
            return client.me()

        with ThreadPoolExecutor(4) as pool:
            list(pool.map(ask, range(4)))
        assert server.sent("Authorization") == [None, *["Bearer tab_new"] * 4]

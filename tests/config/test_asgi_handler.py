"""Requests reach synchronous views and replies return whole, and no waiting client holds a
thread."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from threading import Event
from typing import Any, Final

import orjson
import pytest
from django.db import OperationalError
from django.http import HttpRequest, HttpResponse, StreamingHttpResponse
from django.urls import path
from pytest_django.fixtures import Settings

from api.errors import Refusal
from config.asgi_handler import PIECE_BYTES, ThreadPoolHandler

pytestmark = pytest.mark.urls(__name__)
LIMIT: Final = 1000  # bytes of a body that are kept in memory
called: list[str] = []


def echo(request: HttpRequest) -> HttpResponse:
    """Return the body, with a header and a cookie."""
    called.append(request.path)
    response = HttpResponse(b"".join(request), headers={"X-Said": request.headers["X-Say"]})
    response.set_cookie("kept", "yes")
    return response


def count(request: HttpRequest) -> StreamingHttpResponse:
    """Stream three pieces, recording when each is made."""

    def pieces() -> Iterator[bytes]:
        for number in range(3):
            called.append(f"made {number}")
            yield b"%d" % number

    return StreamingHttpResponse(pieces())


def fail_late(request: HttpRequest) -> StreamingHttpResponse:
    """A reply whose second piece fails."""

    def pieces() -> Iterator[bytes]:
        yield b"half of it"
        raise OSError("the disk has gone")

    return StreamingHttpResponse(pieces())


def long(request: HttpRequest) -> StreamingHttpResponse:
    """A reply of many pieces."""
    return StreamingHttpResponse(bytes([65 + number % 26]) * 1000 for number in range(700))


urlpatterns = [
    path("echo", echo),
    path("count", count),
    path("fails-late", fail_late),
    path("long", long),
]
handler500 = "api.errors.internal_error"


def let_pass(scope: Any) -> None:
    """A gate that admits bodies of every size."""


def closed(scope: Any) -> None:
    """A gate that admits none."""
    called.append("gate")
    raise Refusal("too-large", "Not here.")


class Client:
    """The server's side of one request: the messages that it passes in and receives."""

    headers: Final = [(b"x-say", b"hello"), (b"host", b"localhost")]

    def __init__(
        self, *body: bytes, target: str = "/echo", hangs_up: bool = False, declared: int = 0
    ) -> None:
        self.scope = {
            "type": "http",
            "method": "POST",
            "path": target,
            "query_string": b"",
            "headers": self.headers,
        }
        if declared:
            self.scope["headers"] = [*self.headers, (b"content-length", b"%d" % declared)]
        self.sent: list[Any] = []
        self.silence = asyncio.Event()
        self.is_read = asyncio.Event()  # all pieces so far are read, or the reply has begun
        last = len(body) - 1
        self.coming: list[Any] = [
            {"type": "http.request", "body": piece, "more_body": hangs_up or index < last}
            for index, piece in enumerate(body)
        ]
        if hangs_up:
            self.coming.append({"type": "http.disconnect"})

    async def receive(self) -> Any:
        """The next piece of the body; if there is none, wait until the silence ends."""
        if not self.coming:
            self.is_read.set()
            await self.silence.wait()
        return self.coming.pop(0)

    async def send(self, message: Any) -> None:
        """Record a message of the reply, slowly."""
        await asyncio.sleep(0.01)
        self.sent.append(message)
        self.is_read.set()
        called.append("heard")

    @property
    def heard(self) -> bytes:
        """The content of the reply."""
        return b"".join(message.get("body", b"") for message in self.sent)


@pytest.fixture(autouse=True)
def small(settings: Settings) -> Iterator[None]:
    """Keep little in memory, and start with no recorded calls."""
    settings.DATA_UPLOAD_MAX_MEMORY_SIZE = LIMIT
    settings.ALLOWED_HOSTS = ["localhost"]
    yield
    called.clear()


def answered(client: Client, threads: int = 1, gate: Any = let_pass) -> Client:
    """Run the request to its reply."""
    asyncio.run(ThreadPoolHandler(threads, gate)(client.scope, client.receive, client.send))
    return client


def test_an_answer_is_whole() -> None:
    start, body = answered(Client(b"{}")).sent
    assert (start["type"], start["status"]) == ("http.response.start", 200)
    headers = dict(start["headers"])
    assert headers[b"x-said"] == b"hello"
    assert headers[b"set-cookie"].startswith(b"kept=yes")
    assert body == {"type": "http.response.body", "body": b"{}", "more_body": False}


@pytest.mark.parametrize("size", [1, LIMIT // 3, LIMIT, 5 * LIMIT])
def test_a_body_in_pieces_arrives_whole(size: int) -> None:
    pieces = [bytes([97 + number]) * size for number in range(4)]
    assert answered(Client(*pieces, b"")).heard == b"".join(pieces)


def test_who_hangs_up_amidst_a_body_has_done_nothing() -> None:
    assert answered(Client(b"half", hangs_up=True)).sent == []
    assert called == []


@pytest.mark.parametrize("begun", [b"", b"b" * 5 * LIMIT], ids=["small", "large"])
def test_who_sends_slowly_keeps_no_thread(begun: bytes) -> None:
    slow, quick = Client(), Client(b"quick")
    slow.coming = [{"type": "http.request", "body": begun, "more_body": True}]

    async def both() -> None:
        application = ThreadPoolHandler(1, let_pass)
        waiting = asyncio.create_task(application(slow.scope, slow.receive, slow.send))
        await slow.is_read.wait()
        await application(quick.scope, quick.receive, quick.send)
        slow.coming.append({"type": "http.request", "body": b"slow"})
        slow.silence.set()
        await waiting

    asyncio.run(both())
    assert (quick.heard, slow.heard) == (b"quick", begun + b"slow")


def test_who_reads_slowly_keeps_no_thread() -> None:
    slow, quick = Client(b"", target="/long"), Client(b"quick")

    async def never(message: Any) -> None:
        slow.sent.append(message)
        slow.is_read.set()
        await slow.silence.wait()

    async def both() -> None:
        application = ThreadPoolHandler(1)
        reading = asyncio.create_task(application(slow.scope, slow.receive, never))
        await slow.is_read.wait()
        await application(quick.scope, quick.receive, quick.send)
        slow.silence.set()
        await reading

    asyncio.run(both())
    assert quick.heard == b"quick"
    assert len(slow.heard) == 700_000
    assert max(len(message.get("body", b"")) for message in slow.sent) == PIECE_BYTES
    assert dict(slow.sent[0]["headers"])[b"content-length"] == b"700000"


def test_a_long_answer_is_whole_before_anything_of_it_is_sent() -> None:
    assert answered(Client(b"", target="/count")).heard == b"012"
    assert called == ["made 0", "made 1", "made 2", "heard", "heard"]


def test_a_long_answer_that_fails_is_no_half_answer() -> None:
    client = answered(Client(b"", target="/fails-late"))
    headers = dict(client.sent[0]["headers"])
    assert client.sent[0]["status"] == 500
    assert orjson.loads(client.heard)["code"] == "internal-error"
    assert headers[b"request-id"].startswith(b"req_")
    assert headers[b"cache-control"] == b"no-store"


class TestALargeBody:
    def test_is_refused_before_it_is_asked_for(self) -> None:
        client = Client(declared=5 * LIMIT)  # whose body never comes
        answered(client, gate=closed)
        assert client.sent[0]["status"] == 413
        assert dict(client.sent[0]["headers"])[b"connection"] == b"close"
        assert called == ["gate", "heard", "heard"]

    def test_of_no_declared_length_is_refused_as_soon_as_it_is_large(self) -> None:
        client = Client(b"a" * LIMIT, b"a", b"never asked for")
        answered(client, gate=closed)
        assert client.sent[0]["status"] == 413
        assert [message["body"] for message in client.coming] == [b"never asked for"]

    def test_counts_until_it_is_answered(self, settings: Settings) -> None:
        settings.BODIES_EACH, settings.BODIES_IN_ALL = 6 * LIMIT, 10 * LIMIT
        application = ThreadPoolHandler(1, let_pass)
        codes = asyncio.run(crowd(application, [1, 1, 2, 3]))
        assert codes == [200, 429, 200, 503]
        ledger = application._body_reader.quota
        assert (ledger.total_bytes, dict(ledger.bytes_by_address)) == (0, {})

    def test_is_refused_when_it_is_encoded(self) -> None:
        client = Client(b"x", declared=1)
        client.scope["headers"] = [*client.scope["headers"], (b"content-encoding", b"gzip")]
        assert answered(client).sent[0]["status"] == 415

    def test_is_refused_while_the_database_is_away(self) -> None:
        def away(scope: Any) -> None:
            raise OperationalError("no database")

        client = answered(Client(declared=5 * LIMIT), gate=away)
        assert client.sent[0]["status"] == 503
        assert orjson.loads(client.heard)["code"] == "not-ready"

    def test_is_looked_at_by_no_request_thread(self) -> None:
        looking = Event()

        def look(scope: Any) -> None:
            looking.wait()

        stuck, quick = Client(declared=5 * LIMIT), Client(b"quick")

        async def both() -> None:
            application = ThreadPoolHandler(1, look)
            waiting = asyncio.create_task(application(stuck.scope, stuck.receive, stuck.send))
            await application(quick.scope, quick.receive, quick.send)
            assert stuck.sent == []
            looking.set()
            stuck.coming = [{"type": "http.request", "body": b"stuck", "more_body": False}]
            stuck.silence.set()
            await waiting

        asyncio.run(both())
        assert (quick.heard, stuck.heard) == (b"quick", b"stuck")

    def test_leaves_nothing_behind_when_its_client_hangs_up(self) -> None:
        application = ThreadPoolHandler(1, let_pass)
        client = Client(b"b" * 5 * LIMIT, hangs_up=True)
        asyncio.run(application(client.scope, client.receive, client.send))
        assert client.sent == []
        assert application._body_reader.quota.total_bytes == 0

    def test_that_no_disk_takes_is_refused(self, monkeypatch: pytest.MonkeyPatch) -> None:
        def full(*_: Any) -> None:
            raise OSError("No space left on device")

        monkeypatch.setattr("config.http_server.request_bodies.TemporaryFile", full)
        client = answered(Client(b"b" * 5 * LIMIT, b""))
        assert client.sent[0]["status"] == 503
        assert dict(client.sent[0]["headers"])[b"retry-after"] == b"1"


async def crowd(application: ThreadPoolHandler, places: list[int]) -> list[int]:
    """Send large bodies from these addresses at once; each ends only when all have sent the rest.
    The statuses of the replies."""
    clients = [Client() for _ in places]
    tasks = []
    for client, place in zip(clients, places, strict=True):
        client.scope["client"] = (f"203.0.113.{place}", 1)
        client.coming = [{"type": "http.request", "body": b"b" * 4 * LIMIT, "more_body": True}]
        call = application(client.scope, client.receive, client.send)
        tasks.append(asyncio.create_task(call))
        await client.is_read.wait()
    for client in clients:
        client.coming.append({"type": "http.request", "body": b"", "more_body": False})
        client.silence.set()
    await asyncio.gather(*tasks)
    return [client.sent[0]["status"] for client in clients]


def test_a_view_that_fails_is_answered_for(settings: Settings) -> None:
    settings.DEBUG_PROPAGATE_EXCEPTIONS = False
    client = Client(b"")
    client.scope["headers"] = [(b"host", b"localhost")]  # the header that the view reads is missing
    assert answered(client).sent[0]["status"] == 500

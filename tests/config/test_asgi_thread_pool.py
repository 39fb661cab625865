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
from config.asgi_thread_pool import PIECE_BYTES, ThreadPoolHandler

pytestmark = pytest.mark.urls(__name__)
LIMIT: Final = 1000  # bytes of a body that are kept in memory
events: list[str] = []


def echo(request: HttpRequest) -> HttpResponse:
    """Return the body, with a header and a cookie."""
    events.append(request.path)
    response = HttpResponse(b"".join(request), headers={"X-Said": request.headers["X-Say"]})
    response.set_cookie("kept", "yes")
    return response


def count(request: HttpRequest) -> StreamingHttpResponse:
    """Stream three pieces, recording when each is made."""

    def pieces() -> Iterator[bytes]:
        for number in range(3):
            events.append(f"made {number}")
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


def admit_all(scope: Any) -> None:
    """A gate that admits bodies of every size."""


def admit_none(scope: Any) -> None:
    """A gate that admits none."""
    events.append("gate")
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
        self.messages_sent: list[Any] = []
        self.end_of_silence = asyncio.Event()
        self.has_progressed = asyncio.Event()  # all pieces so far are read, or the reply has begun
        last = len(body) - 1
        self.messages_to_come: list[Any] = [
            {"type": "http.request", "body": piece, "more_body": hangs_up or index < last}
            for index, piece in enumerate(body)
        ]
        if hangs_up:
            self.messages_to_come.append({"type": "http.disconnect"})

    async def receive(self) -> Any:
        """The next piece of the body; if there is none, wait until the silence ends."""
        if not self.messages_to_come:
            self.has_progressed.set()
            await self.end_of_silence.wait()
        return self.messages_to_come.pop(0)

    async def send(self, message: Any) -> None:
        """Record a message of the reply, slowly."""
        await asyncio.sleep(0.01)
        self.messages_sent.append(message)
        self.has_progressed.set()
        events.append("sent")

    @property
    def reply_body(self) -> bytes:
        """The content of the reply."""
        return b"".join(message.get("body", b"") for message in self.messages_sent)


@pytest.fixture(autouse=True)
def small_memory_limit(settings: Settings) -> Iterator[None]:
    """Keep little in memory, and start with no recorded calls."""
    settings.DATA_UPLOAD_MAX_MEMORY_SIZE = LIMIT
    settings.ALLOWED_HOSTS = ["localhost"]
    yield
    events.clear()


def run_request(client: Client, threads: int = 1, gate: Any = admit_all) -> Client:
    """Run the request to its reply."""
    asyncio.run(ThreadPoolHandler(threads, gate)(client.scope, client.receive, client.send))
    return client


def test_an_answer_is_whole() -> None:
    start, body = run_request(Client(b"{}")).messages_sent
    assert (start["type"], start["status"]) == ("http.response.start", 200)
    headers = dict(start["headers"])
    assert headers[b"x-said"] == b"hello"
    assert headers[b"set-cookie"].startswith(b"kept=yes")
    assert body == {"type": "http.response.body", "body": b"{}", "more_body": False}


@pytest.mark.parametrize("size", [1, LIMIT // 3, LIMIT, 5 * LIMIT])
def test_a_body_in_pieces_arrives_whole(size: int) -> None:
    pieces = [bytes([97 + number]) * size for number in range(4)]
    assert run_request(Client(*pieces, b"")).reply_body == b"".join(pieces)


def test_who_hangs_up_amidst_a_body_has_done_nothing() -> None:
    assert run_request(Client(b"half", hangs_up=True)).messages_sent == []
    assert events == []


@pytest.mark.parametrize("first_piece", [b"", b"b" * 5 * LIMIT], ids=["small", "large"])
def test_who_sends_slowly_keeps_no_thread(first_piece: bytes) -> None:
    slow, quick = Client(), Client(b"quick")
    slow.messages_to_come = [{"type": "http.request", "body": first_piece, "more_body": True}]

    async def run_both() -> None:
        application = ThreadPoolHandler(1, admit_all)
        slow_request = asyncio.create_task(application(slow.scope, slow.receive, slow.send))
        await slow.has_progressed.wait()
        await application(quick.scope, quick.receive, quick.send)
        slow.messages_to_come.append({"type": "http.request", "body": b"slow"})
        slow.end_of_silence.set()
        await slow_request

    asyncio.run(run_both())
    assert (quick.reply_body, slow.reply_body) == (b"quick", first_piece + b"slow")


def test_who_reads_slowly_keeps_no_thread() -> None:
    slow, quick = Client(b"", target="/long"), Client(b"quick")

    async def send_without_end(message: Any) -> None:
        slow.messages_sent.append(message)
        slow.has_progressed.set()
        await slow.end_of_silence.wait()

    async def run_both() -> None:
        application = ThreadPoolHandler(1)
        slow_request = asyncio.create_task(application(slow.scope, slow.receive, send_without_end))
        await slow.has_progressed.wait()
        await application(quick.scope, quick.receive, quick.send)
        slow.end_of_silence.set()
        await slow_request

    asyncio.run(run_both())
    assert quick.reply_body == b"quick"
    assert len(slow.reply_body) == 700_000
    assert max(len(message.get("body", b"")) for message in slow.messages_sent) == PIECE_BYTES
    assert dict(slow.messages_sent[0]["headers"])[b"content-length"] == b"700000"


def test_a_long_answer_is_whole_before_anything_of_it_is_sent() -> None:
    assert run_request(Client(b"", target="/count")).reply_body == b"012"
    assert events == ["made 0", "made 1", "made 2", "sent", "sent"]


def test_a_long_answer_that_fails_is_no_half_answer() -> None:
    client = run_request(Client(b"", target="/fails-late"))
    headers = dict(client.messages_sent[0]["headers"])
    assert client.messages_sent[0]["status"] == 500
    assert orjson.loads(client.reply_body)["code"] == "internal-error"
    assert headers[b"request-id"].startswith(b"req_")
    assert headers[b"cache-control"] == b"no-store"


class TestALargeBody:
    def test_is_refused_before_it_is_asked_for(self) -> None:
        client = Client(declared=5 * LIMIT)  # whose body never comes
        run_request(client, gate=admit_none)
        assert client.messages_sent[0]["status"] == 413
        assert dict(client.messages_sent[0]["headers"])[b"connection"] == b"close"
        assert events == ["gate", "sent", "sent"]

    def test_of_no_declared_length_is_refused_as_soon_as_it_is_large(self) -> None:
        client = Client(b"a" * LIMIT, b"a", b"never asked for")
        run_request(client, gate=admit_none)
        assert client.messages_sent[0]["status"] == 413
        assert [message["body"] for message in client.messages_to_come] == [b"never asked for"]

    def test_counts_until_it_is_answered(self, settings: Settings) -> None:
        settings.BODIES_EACH, settings.BODIES_IN_ALL = 6 * LIMIT, 10 * LIMIT
        application = ThreadPoolHandler(1, admit_all)
        codes = asyncio.run(send_large_bodies(application, [1, 1, 2, 3]))
        assert codes == [200, 429, 200, 503]
        quota = application._body_reader.quota
        assert (quota.total_bytes, dict(quota.bytes_by_address)) == (0, {})

    def test_is_refused_when_it_is_encoded(self) -> None:
        client = Client(b"x", declared=1)
        client.scope["headers"] = [*client.scope["headers"], (b"content-encoding", b"gzip")]
        assert run_request(client).messages_sent[0]["status"] == 415

    def test_is_refused_while_the_database_is_away(self) -> None:
        def raise_outage(scope: Any) -> None:
            raise OperationalError("no database")

        client = run_request(Client(declared=5 * LIMIT), gate=raise_outage)
        assert client.messages_sent[0]["status"] == 503
        assert orjson.loads(client.reply_body)["code"] == "not-ready"

    def test_is_checked_by_no_request_thread(self) -> None:
        gate_opens = Event()

        def wait_at_gate(scope: Any) -> None:
            gate_opens.wait()

        stuck, quick = Client(declared=5 * LIMIT), Client(b"quick")

        async def run_both() -> None:
            application = ThreadPoolHandler(1, wait_at_gate)
            stuck_request = asyncio.create_task(application(stuck.scope, stuck.receive, stuck.send))
            await application(quick.scope, quick.receive, quick.send)
            assert stuck.messages_sent == []
            gate_opens.set()
            stuck.messages_to_come = [
                {"type": "http.request", "body": b"stuck", "more_body": False}
            ]
            stuck.end_of_silence.set()
            await stuck_request

        asyncio.run(run_both())
        assert (quick.reply_body, stuck.reply_body) == (b"quick", b"stuck")

    def test_leaves_nothing_behind_when_its_client_hangs_up(self) -> None:
        application = ThreadPoolHandler(1, admit_all)
        client = Client(b"b" * 5 * LIMIT, hangs_up=True)
        asyncio.run(application(client.scope, client.receive, client.send))
        assert client.messages_sent == []
        assert application._body_reader.quota.total_bytes == 0

    def test_that_no_disk_takes_is_refused(self, monkeypatch: pytest.MonkeyPatch) -> None:
        def raise_disk_full(*_: Any) -> None:
            raise OSError("No space left on device")

        monkeypatch.setattr("config.http_server.request_bodies.TemporaryFile", raise_disk_full)
        client = run_request(Client(b"b" * 5 * LIMIT, b""))
        assert client.messages_sent[0]["status"] == 503
        assert dict(client.messages_sent[0]["headers"])[b"retry-after"] == b"1"


async def send_large_bodies(application: ThreadPoolHandler, places: list[int]) -> list[int]:
    """Send large bodies from these addresses at once; each ends only when all have sent the rest.
    The statuses of the replies."""
    clients = [Client() for _ in places]
    tasks = []
    for client, place in zip(clients, places, strict=True):
        client.scope["client"] = (f"203.0.113.{place}", 1)
        client.messages_to_come = [
            {"type": "http.request", "body": b"b" * 4 * LIMIT, "more_body": True}
        ]
        call = application(client.scope, client.receive, client.send)
        tasks.append(asyncio.create_task(call))
        await client.has_progressed.wait()
    for client in clients:
        client.messages_to_come.append({"type": "http.request", "body": b"", "more_body": False})
        client.end_of_silence.set()
    await asyncio.gather(*tasks)
    return [client.messages_sent[0]["status"] for client in clients]


def test_a_view_that_fails_is_answered_for(settings: Settings) -> None:
    settings.DEBUG_PROPAGATE_EXCEPTIONS = False
    client = Client(b"")
    client.scope["headers"] = [(b"host", b"localhost")]  # the header that the view reads is missing
    assert run_request(client).messages_sent[0]["status"] == 500

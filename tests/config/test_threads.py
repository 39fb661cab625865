"""Do requests get to synchronous views and back whole, and does nobody keep a thread in vain?"""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from typing import Any, Final

import pytest
from django.http import HttpRequest, HttpResponse, StreamingHttpResponse
from django.urls import path
from pytest_django.fixtures import Settings

from config.threads import InThreads

pytestmark = pytest.mark.urls(__name__)
LIMIT: Final = 1000  # bytes of a body that are kept in memory
called: list[str] = []


def echo(request: HttpRequest) -> HttpResponse:
    """The body again, with a header and a cookie."""
    called.append(request.path)
    response = HttpResponse(b"".join(request), headers={"X-Said": request.headers["X-Say"]})
    response.set_cookie("kept", "yes")
    return response


def count(request: HttpRequest) -> StreamingHttpResponse:
    """Three pieces, each noted when it is made."""

    def pieces() -> Iterator[bytes]:
        for number in range(3):
            called.append(f"made {number}")
            yield b"%d" % number

    return StreamingHttpResponse(pieces())


urlpatterns = [path("echo", echo), path("count", count)]


class Client:
    """What the server would hand over and be handed, written down."""

    def __init__(self, *body: bytes, target: str = "/echo", hangs_up: bool = False) -> None:
        self.scope = {
            "type": "http",
            "method": "POST",
            "path": target,
            "query_string": b"",
            "headers": [(b"x-say", b"hello"), (b"host", b"localhost")],
        }
        self.sent: list[Any] = []
        self.silence = asyncio.Event()
        last = len(body) - 1
        self.coming: list[Any] = [
            {"type": "http.request", "body": piece, "more_body": hangs_up or index < last}
            for index, piece in enumerate(body)
        ]
        if hangs_up:
            self.coming.append({"type": "http.disconnect"})

    async def receive(self) -> Any:
        """The next piece of the body; if there is none, nothing for ever."""
        if not self.coming:
            await self.silence.wait()
        return self.coming.pop(0)

    async def send(self, message: Any) -> None:
        """Hear an answer, slowly."""
        await asyncio.sleep(0.01)
        self.sent.append(message)
        called.append("heard")

    @property
    def heard(self) -> bytes:
        """The content of the answer."""
        return b"".join(message.get("body", b"") for message in self.sent)


@pytest.fixture(autouse=True)
def small(settings: Settings) -> Iterator[None]:
    """Little is kept in memory, and nothing was called yet."""
    settings.DATA_UPLOAD_MAX_MEMORY_SIZE = LIMIT
    settings.ALLOWED_HOSTS = ["localhost"]
    yield
    called.clear()


def answered(client: Client, threads: int = 1) -> Client:
    """Let the request be answered."""
    asyncio.run(InThreads(threads)(client.scope, client.receive, client.send))
    return client


def test_an_answer_is_whole() -> None:
    start, body = answered(Client(b"{}")).sent
    assert (start["type"], start["status"]) == ("http.response.start", 200)
    headers = dict(start["headers"])
    assert headers[b"x-said"] == b"hello"
    assert headers[b"set-cookie"].startswith(b"kept=yes")
    assert body == {"type": "http.response.body", "body": b"{}"}


@pytest.mark.parametrize("size", [1, LIMIT // 3, LIMIT, 5 * LIMIT])
def test_a_body_in_pieces_arrives_whole(size: int) -> None:
    pieces = [bytes([97 + number]) * size for number in range(4)]
    assert answered(Client(*pieces, b"")).heard == b"".join(pieces)


def test_who_hangs_up_amidst_a_body_has_done_nothing() -> None:
    assert answered(Client(b"half", hangs_up=True)).sent == []
    assert called == []


def test_who_sends_slowly_keeps_no_thread() -> None:
    slow, quick = Client(), Client(b"quick")

    async def both() -> None:
        application = InThreads(1)
        waiting = asyncio.create_task(application(slow.scope, slow.receive, slow.send))
        await asyncio.sleep(0)
        await application(quick.scope, quick.receive, quick.send)
        slow.coming.append({"type": "http.request", "body": b"slow"})
        slow.silence.set()
        await waiting

    asyncio.run(both())
    assert (quick.heard, slow.heard) == (b"quick", b"slow")


def test_a_long_answer_is_made_no_faster_than_it_is_heard() -> None:
    assert answered(Client(b"", target="/count")).heard == b"012"
    made = ["heard", "made 0", "heard", "made 1", "heard", "made 2", "heard", "heard"]
    assert called == made


def test_a_view_that_fails_is_answered_for(settings: Settings) -> None:
    settings.DEBUG_PROPAGATE_EXCEPTIONS = False
    client = Client(b"")
    client.scope["headers"] = [(b"host", b"localhost")]  # the header that the view reads is missing
    assert answered(client).sent[0]["status"] == 500

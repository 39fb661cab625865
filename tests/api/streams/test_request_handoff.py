"""Stream limits, clients that disconnect, and a server that stops while streams are open."""

from __future__ import annotations

import re
import socket
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack

import pytest

from tests.api.streams.serving import LINES, Stream, Web, open_response
from tests.api.world import World
from tests.config.processes import PATIENCE, soon
from tests.support.databases import Kept

pytestmark = pytest.mark.stores

MANY = 200


@pytest.fixture
def web_without_stream_limit(kept: Kept) -> Iterator[Web]:
    """A server that allows a caller any number of streams."""
    served = Web(kept, TABULARIUM_STREAMS_EACH="1000")
    yield served
    served.close()


def open_streams_of(
    stack: ExitStack, web: Web, path: str, count: int, secret: str = ""
) -> list[Stream]:
    """This many streams, all of which have begun."""
    streams = [stack.enter_context(web.listening(path, secret, Accept=LINES)) for _ in range(count)]
    assert [stream.status for stream in streams] == [200] * count
    return streams


class TestTooMany:
    def test_are_refused_until_one_is_closed(self, web: Web, world: World) -> None:
        path, secret = f"/games/{world.playing()}/stream", world.as_ada.secret
        with ExitStack() as stack:
            open_streams_of(stack, web, path, 4, secret)
            with web.listening(path, secret) as last:
                assert last.status == 200
                status, _, problem = web.ask("GET", "/me/stream", secret)
                assert (status, problem["code"]) == (429, "too-many-streams")
                with web.listening(path, world.as_bob.secret) as other:
                    assert other.status == 200
            assert soon(lambda: web_accepts(web, path, secret))

    def test_in_all_are_refused(self, kept: Kept, world: World) -> None:
        web = Web(kept, TABULARIUM_STREAMS_IN_ALL="3")
        path = f"/games/{world.playing()}/stream"
        try:
            with ExitStack() as stack:
                for secret in ("", world.as_ada.secret, world.as_bob.secret):
                    open_streams_of(stack, web, path, 1, secret)
                assert web.ask("GET", path, world.as_eve.secret)[0] == 429
        finally:
            web.close()

    def test_a_refused_request_takes_no_place(self, web: Web, world: World) -> None:
        path = f"/games/{world.over()}/stream?after=1000"
        for _ in range(20):
            assert web.ask("GET", path)[0] == 204
            assert web.ask("GET", f"/games/{world.playing()}/stream?as=seat:0")[0] == 403
            assert web.ask("HEAD", f"/games/{world.playing()}/stream")[0] == 200


def web_accepts(web: Web, path: str, secret: str) -> bool:
    """Whether a stream can be opened again."""
    with web.listening(path, secret) as stream:
        return stream.status == 200


class TestClientsThatGo:
    def test_leave_their_places_however_they_go(self, web: Web, world: World) -> None:
        game = world.playing()
        for _ in range(4):
            for _ in range(5):
                hang_up_at_once(web, f"/api/v1/games/{game}/stream")
            assert soon(lambda: web_accepts(web, f"/games/{game}/stream", ""))
        assert web.errors.read_text() == ""


def hang_up_at_once(web: Web, path: str) -> None:
    """Send a request, and reset the connection without reading the response."""
    with socket.create_connection(("127.0.0.1", web.port), PATIENCE) as client:
        client.sendall(f"GET {path} HTTP/1.1\r\nHost: localhost\r\n\r\n".encode())
        reset = b"\x01\x00\x00\x00\x00\x00\x00\x00"  # on, with a timeout of 0
        client.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, reset)


class TestAServerThatStops:
    @pytest.mark.lane("processes")
    def test_ends_all_streams_and_then_itself(
        self, web_without_stream_limit: Web, world: World
    ) -> None:
        game = world.playing()
        with ExitStack() as stack:
            streams = open_streams_of(
                stack, web_without_stream_limit, f"/games/{game}/stream?after=4", MANY
            )
            streams += open_streams_of(
                stack, web_without_stream_limit, "/me/stream", 1, world.as_ada.secret
            )
            web_without_stream_limit.stop()
            for stream in streams[:MANY]:
                heartbeats = set(stream.lines())  # as many as the time until the end allows
                assert heartbeats <= {"\n"}
        assert web_without_stream_limit.errors.read_text() == ""  # nothing had to be cancelled

    def test_answers_those_who_wait(self, web_without_stream_limit: Web, world: World) -> None:
        path = f"/games/{world.playing()}/log?after=4"
        with ThreadPoolExecutor(1) as threads:
            pending = threads.submit(web_without_stream_limit.ask, "GET", path, Prefer="wait=25")
            assert soon(lambda: open_stream_count(web_without_stream_limit) == 1)
            web_without_stream_limit.stop()
            status, _, page = pending.result(PATIENCE)
        assert (status, page["items"]) == (200, [])
        assert web_without_stream_limit.errors.read_text() == ""


def open_stream_count(web: Web) -> float:
    """The number of streams and waiting requests, from the server's metrics."""
    with open_response(web.port, "GET", "/metrics") as response:
        figures = response.read().decode()
    (value,) = re.findall(r"^tabularium_streams_open (\S+)$", figures, re.MULTILINE)
    return float(value)


def test_a_stream_ends_before_its_key_is_too_old_to_be_known(kept: Kept, world: World) -> None:
    web = Web(kept, TABULARIUM_STREAM_LIFE="1", TABULARIUM_STREAM_HEARTBEAT="1")
    try:
        with web.listening("/me/stream", world.as_ada.secret, Accept=LINES) as stream:
            assert set(stream.lines()) == {"\n"}
    finally:
        web.close()

"""A running server withstands clients that send too slowly, too much, or invalid HTTP."""

from __future__ import annotations

import resource
import socket
from collections.abc import Iterator
from contextlib import ExitStack, closing
from http.client import HTTPResponse
from pathlib import Path
from select import select
from time import monotonic
from typing import Any

import orjson
import pytest

from tests.api.contract import BASE, contract
from tests.api.streams.serving import Web
from tests.api.world import World
from tests.config.processes import PATIENCE, soon
from tests.support.databases import Kept

pytestmark = pytest.mark.stores

THREADS = 16  # of the web server, for requests
LARGE = 70_000  # bytes: more than is kept of a body in memory
MOST = b"x" * 1_400_000  # of a body of 1,500,000
LINES = "Content-Type: application/x-ndjson"


@pytest.fixture
def world(kept_here: Kept) -> World:
    """Some accounts in the server's database."""
    return World()


@pytest.fixture
def web(kept: Kept) -> Iterator[Web]:
    """A server with little patience for heads, much for bodies, and little room for bodies."""
    served = Web(
        kept,
        TABULARIUM_HEAD_SECONDS="2",
        TABULARIUM_BODY_SECONDS="250",
        TABULARIUM_BODIES_MB="3",
        TABULARIUM_BODIES_EACH_MB="2",
        TABULARIUM_CONNECTIONS_EACH="60",
    )
    yield served
    served.close()


def connect(web: Web, *pieces: bytes, source: str = "127.0.0.1") -> socket.socket:
    """A client connection on which these bytes have been sent."""
    client = socket.create_connection(("127.0.0.1", web.port), PATIENCE, (source, 0))
    for piece in pieces:
        client.sendall(piece)
    return client


def head(method: str, path: str, *lines: str) -> bytes:
    """The head of a request."""
    return "\r\n".join(
        [f"{method} {BASE}{path} HTTP/1.1", "Host: localhost", *lines, "", ""]
    ).encode()


def reply(client: socket.socket, method: str = "POST", path: str = "/verifications") -> Any:
    """The status and the document of the next reply, which must be described."""
    response = HTTPResponse(client, method=method)
    response.begin()
    content = response.read()
    contract().check(method, BASE + path, response.status, response.headers, content)
    return response.status, orjson.loads(content) if content else None


@pytest.mark.lane("processes")
def test_stalled_uploads_take_no_thread(web: Web, world: World) -> None:
    key = f"Authorization: Bearer {world.as_ada.secret}"
    upload_head = head("POST", "/verifications", LINES, key, f"Content-Length: {LARGE + 10}")
    with ExitStack() as open_:
        clients = [
            open_.enter_context(connect(web, upload_head + b"x" * LARGE))
            for _ in range(THREADS + 4)
        ]
        assert web.ask("GET", "/healthz")[0] == 200
        assert web.ask("GET", "/me", world.as_ada.secret)[0] == 200
        assert not select(clients, [], [], 0)[0]  # none was refused: all may go on
        for client in clients[THREADS:]:
            client.sendall(b"x" * 10)
            assert reply(client)[0] == 200


def test_unread_exports_take_no_thread(web: Web, world: World) -> None:
    game = world.over()
    with ExitStack() as open_:
        for _ in range(THREADS + 4):
            client = open_.enter_context(closing(socket.socket()))
            client.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 2048)
            client.connect(("127.0.0.1", web.port))
            client.sendall(head("GET", f"/games/{game}/export") * 20)
        assert web.ask("GET", f"/games/{game}", world.as_ada.secret)[0] == 200


class TestAVerdictComesBeforeTheEnd:
    def test_that_a_body_is_refused(self, web: Web) -> None:
        size = 30_000_000
        for path, lines, code in (
            ("/verifications", [LINES], "unauthorized"),
            ("/verifications", ["Content-Type: application/json"], "unsupported-media-type"),
            ("/verifications", [LINES, "Content-Encoding: gzip"], "unsupported-media-type"),
            ("/guests", [LINES], "too-large"),
            ("/nowhere", [LINES], "not-found"),
            ("/verifications", [LINES, "Authorization: Bearer tab_x"], "unauthorized"),
        ):
            request_head = head("POST", path, *lines, f"Content-Length: {size}")
            with connect(web, request_head, b"x" * size) as client:  # all, before the reply is read
                assert reply(client, path=path)[1]["code"] == code
        request_head = head(
            "POST", "/guests", LINES, "Content-Length: 99999", "Expect: 100-continue"
        )
        with connect(web, request_head) as client:
            assert reply(client, path="/guests")[0] == 413  # instead of 100
        request_head = head("POST", "/guests", LINES, "Transfer-Encoding: chunked")
        chunk = b"10000\r\n" + b"x" * 0x10000 + b"\r\n"
        with connect(web, request_head, *[chunk] * 40) as client:
            assert reply(client, path="/guests")[0] == 413

    def test_that_too_much_is_sent_at_once(self, web: Web, world: World) -> None:
        key = f"Authorization: Bearer {world.as_ada.secret}"
        upload_head = head("POST", "/verifications", LINES, key, "Content-Length: 1500000")
        with ExitStack() as open_:
            clients = [open_.enter_context(connect(web, upload_head, MOST)) for _ in range(2)]
            refused_client, document = first_refused(clients)
            assert document["code"] == "too-many-uploads"  # an address may use 2 MB
            sources = [clients[1 - clients.index(refused_client)]]
            for source in ("127.0.0.2", "127.0.0.3"):
                client = connect(web, upload_head, MOST, source=source)
                sources.append(open_.enter_context(client))
            assert first_refused(sources)[1]["code"] == "overloaded"  # all together may use 3 MB
            assert web.ask("GET", "/healthz")[0] == 200


def first_refused(clients: list[socket.socket]) -> tuple[socket.socket, Any]:
    """The first client that gets a response, and the document of its reply."""
    (client, *_), _, _ = select(clients, [], [], PATIENCE)
    return client, reply(client)[1]


def test_heads_are_refused_as_problems(web: Web) -> None:
    for lines, code in (
        (["Expect: a-miracle"], "expectation-failed"),
        (["X-A: " + "b" * 20_000], "head-too-large"),
        (["Transfer-Encoding: gzip"], "not-implemented"),
        (["Content-Length: 5", "Transfer-Encoding: chunked"], "bad-request"),
    ):
        with connect(web, head("POST", "/guests", *lines)) as client:
            assert reply(client, path="/guests")[1]["code"] == code
            assert client.recv(1) == b""


@pytest.mark.lane("hostile")
def test_half_a_head_is_told_that_it_comes_too_slowly(web: Web) -> None:
    with connect(web, head("GET", "/me")[:-1]) as client:
        assert reply(client, "GET", "/me")[1]["code"] == "request-timeout"
        assert client.recv(1) == b""


def test_an_address_has_so_many_connections(web: Web) -> None:
    with ExitStack() as open_:
        for _ in range(60):
            open_.enter_context(connect(web, b"GET ", source="127.0.0.9"))
        client = open_.enter_context(connect(web, source="127.0.0.9"))
        assert reply(client, "GET", "/me")[1]["code"] == "too-many-connections"
        assert web.ask("GET", "/healthz")[0] == 200  # from another address

    def is_served() -> bool:  # once some are closed again
        with connect(web, head("GET", "/healthz"), source="127.0.0.9") as client:
            return bool(reply(client, "GET", "/healthz")[0] == 200)

    assert soon(is_served)


@pytest.mark.lane("hostile")
def test_descriptors_that_run_out_cost_a_line_a_second(web: Web) -> None:
    pid = web.process.pid
    soft, hard = resource.prlimit(pid, resource.RLIMIT_NOFILE)
    open_descriptors = len(list(Path(f"/proc/{pid}/fd").iterdir()))
    started_at = monotonic()
    resource.prlimit(pid, resource.RLIMIT_NOFILE, (open_descriptors + 10, hard))
    try:
        with ExitStack() as open_:
            for _ in range(25):
                open_.enter_context(connect(web, b"GET ", source="127.0.0.9"))
            assert soon(lambda: "No connections can be accepted" in web.errors.read_text())
            assert web.ask("GET", "/healthz")[0] == 200  # once the first heads time out
    finally:
        resource.prlimit(pid, resource.RLIMIT_NOFILE, (soft, hard))
    lines = web.errors.read_text().splitlines()
    assert len(lines) <= monotonic() - started_at + 1
    assert all("No connections can be accepted" in line for line in lines)

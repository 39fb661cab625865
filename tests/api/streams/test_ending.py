"""A reply without a body is marked as such, and its connection stays fit for the next request."""

from __future__ import annotations

from http.client import HTTPConnection, HTTPResponse

import pytest

from api.keys import ALL_SCOPES, create_key
from tests.api.contract import BASE
from tests.api.streams.serving import EVENTS, LINES, Web
from tests.api.world import World
from tests.config.processes import PATIENCE

pytestmark = pytest.mark.stores

Request = tuple[str, str, dict[str, str]]
OF_A_BODY = ("Content-Type", "Content-Length", "Transfer-Encoding")


def responses(web: Web, *requests: Request) -> list[HTTPResponse]:
    """The replies to successive requests on one connection."""
    connection = HTTPConnection("127.0.0.1", web.port, timeout=PATIENCE)
    connection.connect()
    socket, replies = connection.sock, []
    for method, path, headers in requests:
        connection.request(method, BASE + path, headers=headers)
        reply = connection.getresponse()
        assert reply.read() == b""
        assert connection.sock is socket  # http.client would silently open another
        replies.append(reply)
    connection.close()
    return replies


def assert_no_body(web: Web, status: int, *requests: Request) -> None:
    """Assert that each request gets that status and no header of a body, and nothing is logged."""
    for reply in responses(web, *requests):
        assert reply.status == status
        assert not [name for name in OF_A_BODY if reply.headers[name]]
    assert web.errors.read_text() == ""


@pytest.mark.parametrize("accept", [EVENTS, LINES, "*/*"])
@pytest.mark.parametrize("method", ["GET", "HEAD"])
def test_the_end_of_a_stream(web: Web, world: World, method: str, accept: str) -> None:
    path = f"/games/{world.over()}/stream?after=1000"
    assert_no_body(web, 204, *[(method, path, {"Accept": accept})] * 3)


@pytest.mark.parametrize("method", ["GET", "HEAD"])
def test_a_game_that_one_has(web: Web, world: World, method: str) -> None:
    path = f"/games/{world.over()}"
    tag = web.ask("GET", path)[1]["ETag"]
    assert_no_body(web, 304, *[(method, path, {"If-None-Match": tag})] * 2)


def test_what_is_deleted(web: Web, world: World) -> None:
    keys = [create_key(world.ada, "", ALL_SCOPES, None)[0].pk for _ in range(2)]
    authorization = {"Authorization": f"Bearer {world.as_ada.secret}"}
    assert_no_body(web, 204, *[("DELETE", f"/me/keys/{key}", authorization) for key in keys])


def test_the_head_of_a_stream_is_that_of_the_stream(web: Web, world: World) -> None:
    path = f"/games/{world.playing()}/stream"
    request: Request = ("HEAD", path, {"Accept": LINES})
    for reply in responses(web, request, request):
        assert (reply.status, reply.headers["Content-Type"]) == (200, LINES)
        assert reply.headers["Content-Length"] is None
    assert web.errors.read_text() == ""

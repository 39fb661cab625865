"""Several web processes are one server: its limits, keys and figures hold for all of them."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from contextlib import ExitStack, suppress
from http.client import HTTPException
from typing import Any, Final

import pytest
from django.core.management import CommandParser
from django.core.management.base import CommandError

from config.management.commands import serve
from config.supervisor.process_specs import SERVER_PARTS
from tests.api.streams.serving import LINES, Stream, open_response
from tests.api.world import World
from tests.config.callers import OWN_SEATS, Caller, Follower, doubled, stop_all
from tests.config.processes import soon
from tests.config.server import Server
from tests.support.databases import Kept

WEB_PROCESSES: Final = 4
STREAMS_EACH: Final = 8

pytestmark = [
    pytest.mark.lane("processes"),
    pytest.mark.skipif(sys.platform != "linux", reason="processes are read from /proc"),
]


@pytest.fixture
def server(kept: Kept, broker: str) -> Iterator[Server]:
    """A server of four web processes, which all answer."""
    options = ("--only=web", f"--web={WEB_PROCESSES}")
    server = Server(
        kept,
        broker,
        *options,
        TABULARIUM_STREAMS_EACH=str(STREAMS_EACH),
        TABULARIUM_STREAM_HEARTBEAT="1",
    )
    try:
        assert soon(lambda: is_answering(server)), server.log_path.read_text()
        assert soon(lambda: server.sharing() == WEB_PROCESSES or not is_answering(server))
        yield server
    finally:
        server.stop()


@pytest.fixture
def world(kept_here: Kept) -> World:
    """Some accounts in the database of the server."""
    return World()


def is_answering(server: Server) -> bool:
    """Whether a process answers a new connection."""
    with suppress(OSError, HTTPException):
        return status_of(server, "/healthz") == 200
    return False


def status_of(server: Server, path: str, secret: str = "", method: str = "GET") -> int:
    """The status of a reply over a new connection, which any of the processes accepts."""
    with open_response(server.port, method, path, secret) as response:
        response.read()
        return response.status


def requests_counted(server: Server, route: str) -> float:
    """The number of requests in the figures."""
    with open_response(server.port, "GET", "/metrics") as response:
        text = response.read().decode()
    pattern = rf'tabularium_http_request_seconds_count\{{[^}}]*route="{route}"[^}}]*\}} (\S+)'
    return sum(map(float, re.findall(pattern, text)))


def test_all_of_them_answer_and_their_figures_are_added_up(server: Server) -> None:
    titles = sorted(title for title in server.titles().values() if "tabularium: web" in title)
    assert titles == [f"tabularium: web-{number}" for number in range(1, WEB_PROCESSES + 1)]
    before = requests_counted(server, "health")
    for _ in range(5 * WEB_PROCESSES):
        assert status_of(server, "/healthz") == 200
    assert requests_counted(server, "health") == before + 5 * WEB_PROCESSES
    server.kill(server.web_processes()[0])
    assert requests_counted(server, "health") == before + 5 * WEB_PROCESSES
    assert soon(lambda: requests_counted(server, "metrics") >= 2 * WEB_PROCESSES)


def test_streams_of_all_processes_are_limited_together(
    server: Server, kept_here: Kept, world: World
) -> None:
    path, secret = f"/games/{world.playing()}/stream", world.as_ada.secret
    with ExitStack() as stack:
        streams = open_streams(stack, server, path, secret)
        assert len(streams) == STREAMS_EACH
        assert status_of(server, path, secret) == 429
        assert status_of(server, "/me", world.as_bob.secret) == 200
        server.kill(server.web_processes()[0])
        assert soon(lambda: streams_open(server) < STREAMS_EACH), "they are forgotten"
        cut = STREAMS_EACH - streams_open(server)
        assert len(open_streams(stack, server, path, secret)) == cut < STREAMS_EACH
        assert status_of(server, path, secret) == 429


def open_streams(stack: ExitStack, server: Server, path: str, secret: str) -> list[Stream]:
    """As many streams as the server opens, over connections that all processes accept."""
    streams: list[Stream] = []
    while True:
        response = stack.enter_context(
            open_response(server.port, "GET", path, secret, Accept=LINES)
        )
        if response.status == 429:
            return streams
        streams.append(Stream(response))


def streams_open(server: Server) -> int:
    """The number of open streams in the figures."""
    with open_response(server.port, "GET", "/metrics") as response:
        text = response.read().decode()
    return int(float(re.findall(r"(?m)^tabularium_streams_open (\S+)", text)[0]))


def test_a_revoked_key_is_revoked_in_all_processes_at_once(
    server: Server, kept_here: Kept, world: World
) -> None:
    secret = world.as_ada.secret
    for _ in range(3 * WEB_PROCESSES):  # all of them remember it
        assert status_of(server, "/me", secret) == 200
    with open_response(server.port, "GET", "/me/keys", secret) as response:
        assert response.status == 200
        key = secret_id(response.read())
    assert status_of(server, f"/me/keys/{key}", secret, "DELETE") == 204
    assert {status_of(server, "/me", secret) for _ in range(3 * WEB_PROCESSES)} == {401}


def secret_id(document: Any) -> str:
    """The id of the only key."""
    (key,) = re.findall(rb"key_[0-9a-f-]+", document)[:1]
    return str(key.decode())


def test_clients_and_streams_that_hop_lose_nothing_when_processes_are_killed(
    server: Server,
) -> None:
    callers = [Caller(server.port, False, repeats=True, seats=OWN_SEATS) for _ in range(2)]
    followers = [Follower(caller) for caller in callers]
    for thread in (*callers, *followers):
        thread.start()
    try:
        for kills in (0, 1, 2):
            games = [follower.followed for follower in followers]
            assert soon(lambda: is_further(followers, games) or has_failed(callers, followers))  # noqa: B023
            if kills < 2:
                server.kill(server.web_processes()[kills])
    finally:
        stop_all([*callers, *followers])
    assert not has_failed(callers, followers)
    assert [doubled(caller) for caller in callers] == [[]] * 2
    assert all(caller.acknowledged for caller in callers)


def is_further(followers: list[Follower], games: list[int]) -> bool:
    """Whether each has followed another whole game."""
    return all(follower.followed > count for follower, count in zip(followers, games, strict=True))


def has_failed(callers: list[Caller], followers: list[Follower]) -> bool:
    """Whether any of them has failed."""
    threads: list[Caller | Follower] = [*callers, *followers]
    return any(thread.failures for thread in threads)


@pytest.mark.parametrize(
    ("parts", "concurrency", "cores", "count"),
    [
        (SERVER_PARTS, 8, 8, 1),
        (SERVER_PARTS, 2, 8, 6),
        (SERVER_PARTS, 9, 8, 1),
        (("web",), 8, 8, 8),
        (("web", "sweeper"), 8, 4, 4),
        (("web",), 1, 500, serve.MAX_WEB_PROCESSES),
    ],
)
def test_by_default_there_are_as_many_as_bots_leave_cores(
    parts: tuple[str, ...],
    concurrency: int,
    cores: int,
    count: int,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("os.cpu_count", lambda: cores)
    assert serve.default_web_processes(parts, concurrency) == count


@pytest.mark.parametrize("text", ["0", "-1", "two", "33", ""])
def test_a_number_that_cannot_be_is_refused(text: str) -> None:
    parser = CommandParser()
    serve.Command().add_arguments(parser)
    with pytest.raises((CommandError, SystemExit)):
        parser.parse_args([f"--web={text}"])

"""Nothing that a client sends, or breaks off, makes a served instance log more than INFO, or answer
with an error of its own."""

from __future__ import annotations

import re
import socket
from collections.abc import Iterator
from contextlib import suppress
from itertools import product
from pathlib import Path
from typing import Final

import pytest

from tests.chaos.instance import Instance
from tests.config.processes import PATIENCE, soon

pytestmark = pytest.mark.lane("hostile")

HOST: Final = b"Host: localhost\r\n"
JSON: Final = b"Content-Type: application/json\r\n"
FLOOD: Final = "&".join(f"a{number}=1" for number in range(1_200)).encode()
LINES: Final = [
    *(
        b"get / HTTP/1.1",
        b"GET / HTTP/2.0",
        b"GET / HTTP/3.7",
        b"GET / HTTP/0.9",
        b"GET /",
        b"FOO / X",
    ),
    *(b"PRI * HTTP/2.0", b"OPTIONS * HTTP/1.1", b"TRACE / HTTP/1.1", b"CONNECT a:1 HTTP/1.1"),
    *(b"GET http://evil.example/ HTTP/1.1", b"GET //evil.example HTTP/1.1", b"BREW /pot HTTP/1.1"),
    *(b"GET /%2e%2e/etc/passwd HTTP/1.1", b"GET /%00 HTTP/1.1", b"GET /%ff%fe HTTP/1.1"),
    *(b"GET /t/%0d%0aX:1 HTTP/1.1", b"GET /api/v1/rules/law%2ftext HTTP/1.1", b"GET /% HTTP/1.1"),
    b"GET /api/v1/games?" + FLOOD + b" HTTP/1.1",
    b"GET /api/v1/games/game_1/stream?after=x HTTP/1.1",
    b"GET /api/v1/games?cursor=%00&limit=-1 HTTP/1.1",
    b"GET /api/v1/rules/law/picture.svg?" + FLOOD + b" HTTP/1.1",
    b"GET /record/tile/0/x999/999 HTTP/1.1",
    b"GET /?" + FLOOD + b" HTTP/1.1",
    b"GET /guides/..%5c..%5cetc HTTP/1.1",
    b"GET /static/../../manage.py HTTP/1.1",
]
HEADS: Final = [
    b"",
    b"Authorization: Bearer \xff\xfe\r\n",
    b"Authorization: Basic eDp5\r\n",
    b"Accept: */*;q=x, text/html;q=\xe9\r\n",
    b"Range: bytes=9-1\r\n",
    b"If-None-Match: \xff\r\nAccept-Encoding: br;q=nan\r\n",
    b"X-Forwarded-For: " + b"1, " * 999 + b"\r\n",
    b"Request-Id: " + b"a" * 500 + b"\r\nCookie: a=b; \xff\r\n",
]
BODIES: Final = {
    b"application/json; charset=utf-7": b"+AHs-",
    b"application/json": b"\xff\xfe{}",
    b"application/json;;=": b"[" * 9_000,
    b"application/x-www-form-urlencoded": FLOOD,
    b"multipart/form-data; boundary=": b"--",
    b"text/plain": b"x" * 70_000,
    b"application/x-ndjson": b"{}\n",
}
TARGETS: Final = (
    b"/api/v1/guests",
    b"/api/v1/games",
    b"/api/v1/verifications",
    b"/api/v1/me",
    b"/",
)


def requests() -> Iterator[bytes]:
    """All probes."""
    for line in LINES:
        yield line + b"\r\n" + HOST + b"\r\n"
    for head, target in product(HEADS, (b"/", b"/api/v1/me", b"/api/v1/games")):
        yield b"GET " + target + b" HTTP/1.1\r\n" + HOST + head + b"\r\n"
    for (kind, body), target in product(BODIES.items(), TARGETS):
        size = b"Content-Length: %d\r\n" % len(body)
        lines = HOST + b"Content-Type: " + kind + b"\r\n" + size
        yield b"POST " + target + b" HTTP/1.1\r\n" + lines + b"\r\n" + body
    yield b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n" + b"\0\0\0\4\0\0\0\0\0"
    yield b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03" + bytes(200)
    yield bytes(range(256)) * 40


def send(port: int, probe: bytes, ending: str) -> bytes:
    """Send a probe, in an untidy way; the first line of the answer, if it is read."""
    with socket.create_connection(("127.0.0.1", port), PATIENCE) as client, suppress(OSError):
        client.sendall(probe if ending != "half" else probe[: len(probe) // 2])
        if ending == "read":
            return client.makefile("rb").readline()
        if ending == "reset":
            linger = b"\1\0\0\0\0\0\0\0"
            client.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, linger)
    return b""


@pytest.fixture
def instance(tmp_path: Path) -> Iterator[Instance]:
    """A running instance, whose log is kept."""
    instance = Instance(tmp_path, {})
    instance.data_folder.mkdir()
    instance.start()
    try:
        assert soon(instance.is_writing)
        yield instance
    finally:
        instance.stop()


def test_odd_requests_are_refused_without_a_word(instance: Instance) -> None:
    probes = list(requests())
    assert len(probes) > 80
    answers = {probe: send(instance.port, probe, "read") for probe in probes}
    assert not [
        (probe[:200], answer)
        for probe, answer in answers.items()
        if not re.match(rb"HTTP/1.1 (?:[234]\d\d|501)", answer)
    ]
    for probe, ending in product(probes, ("half", "close", "reset")):
        send(instance.port, probe, ending)
    assert instance.is_writing()
    assert not instance.alarms()

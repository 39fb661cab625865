"""Free ports: a server that is about to start can rely on the port that it was given."""

from __future__ import annotations

import socket
from typing import Final

import pytest

from bench import ports
from bench.ports import free_port

LENT: Final = 32_768  # the first port that Linux assigns to outgoing connections


def test_nobody_listens_there() -> None:
    with socket.create_server(("127.0.0.1", free_port())):
        pass


def test_a_port_that_is_taken_is_passed_over(monkeypatch: pytest.MonkeyPatch) -> None:
    occupied = free_port()
    with socket.create_server(("127.0.0.1", occupied)):
        free = free_port()
        draws = [occupied - ports.FIRST_PORT, occupied - ports.FIRST_PORT, free - ports.FIRST_PORT]
        monkeypatch.setattr(ports, "randbelow", lambda count: draws.pop(0))
        assert free_port() == free
    assert draws == []


def test_no_connection_that_goes_out_is_given_it() -> None:
    assert ports.FIRST_PORT + ports.PORT_COUNT <= LENT

"""Where does a name lead? Asked in a thread of its own, for a bounded time.

getaddrinfo has no time limit of its own that could be relied on, and cannot be interrupted. It is
called only where something is delivered, in the errands worker, never in a request.
"""

from __future__ import annotations

import socket
from concurrent.futures import Future
from ipaddress import IPv4Address, IPv6Address, ip_address
from threading import BoundedSemaphore, Thread
from typing import Final, TypeAlias

Address: TypeAlias = IPv4Address | IPv6Address
LOOKUP_TIMEOUT_SECONDS: Final = 5.0  # seconds for an answer
MAX_CONCURRENT_LOOKUPS: Final = 8  # look-ups that may hang; further ones are not begun

_lookup_slots: Final = BoundedSemaphore(MAX_CONCURRENT_LOOKUPS)


def resolve_host(host: str, port: int, seconds: float = LOOKUP_TIMEOUT_SECONDS) -> list[Address]:
    """The addresses of a name, each once; none if it is not known. TimeoutError, if no name server
    answers in time."""
    if not _lookup_slots.acquire(timeout=seconds):
        raise TimeoutError
    found: Future[list[Address]] = Future()
    Thread(target=_look_up, args=(host, port, found), daemon=True).start()
    return found.result(seconds)


def _look_up(host: str, port: int, found: Future[list[Address]]) -> None:
    """In a thread, which may outlive the question by as long as the system asks."""
    try:
        rows = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
        found.set_result(list(dict.fromkeys(ip_address(row[4][0]) for row in rows)))
    except (OSError, UnicodeError, ValueError):
        found.set_result([])
    finally:
        _lookup_slots.release()

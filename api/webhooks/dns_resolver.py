"""DNS look-ups with a time limit, each in its own thread.

getaddrinfo has no reliable time limit of its own and cannot be interrupted. It is called only
during deliveries, in the errands worker, never in a request.
"""

from __future__ import annotations

import socket
from concurrent.futures import Future
from ipaddress import IPv4Address, IPv6Address, ip_address
from threading import BoundedSemaphore, Thread
from typing import Final, TypeAlias

Address: TypeAlias = IPv4Address | IPv6Address
LOOKUP_TIMEOUT_SECONDS: Final = 5.0  # seconds for an answer
MAX_CONCURRENT_LOOKUPS: Final = 8  # look-ups that may hang; further ones are not started

_lookup_slots: Final = BoundedSemaphore(MAX_CONCURRENT_LOOKUPS)


def resolve_host(host: str, port: int, seconds: float = LOOKUP_TIMEOUT_SECONDS) -> list[Address]:
    """The distinct addresses of a host name; none if it is unknown. Raises TimeoutError if no name
    server answers in time."""
    if not _lookup_slots.acquire(timeout=seconds):
        raise TimeoutError
    found: Future[list[Address]] = Future()
    Thread(target=_look_up, args=(host, port, found), daemon=True).start()
    return found.result(seconds)


def _look_up(host: str, port: int, found: Future[list[Address]]) -> None:
    """Runs in a thread, which may outlive the caller's wait until the system gives up."""
    try:
        rows = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
        found.set_result(list(dict.fromkeys(ip_address(row[4][0]) for row in rows)))
    except (OSError, UnicodeError, ValueError):
        found.set_result([])
    finally:
        _lookup_slots.release()

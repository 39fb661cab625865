"""The target URLs of webhooks: their validation, and the addresses that they lead to: public ones
only, so that the server reaches nothing for callers that they could not reach themselves. Hosts
that the operator allows may lead anywhere.

Names are looked up with a time limit. getaddrinfo has no reliable one of its own and cannot be
interrupted: it is called only during deliveries, in the errands worker, never in a request.
"""

from __future__ import annotations

import re
import socket
from concurrent.futures import Future
from dataclasses import dataclass
from ipaddress import IPv4Address, IPv6Address, ip_address, ip_network
from threading import BoundedSemaphore, Thread
from typing import Final, TypeAlias
from urllib.parse import SplitResult, urlsplit

from django.conf import settings

DEFAULT_PORTS: Final = {"http": 80, "https": 443}
FIRST_UNPRIVILEGED_PORT: Final = 1024  # the ports below belong to services other than HTTP
NOT_PUBLIC_DETAIL: Final = "The host must resolve to public addresses only."
MAX_URL_LENGTH: Final = 500  # characters
# visible ASCII except the backslash, which some parsers treat as /
URL_PATTERN: Final = re.compile(r"[!-\[\]-~]+")
HOST_NAME_PATTERN: Final = re.compile(
    r"([a-z0-9_]([a-z0-9_-]{0,61}[a-z0-9_])?\.)*[a-z]([a-z0-9-]{0,61}[a-z0-9])?"
)
PUBLIC_IPV6_NETWORK: Final = ip_network("2000::/3")
# Not public although this Python may say so, or with another address embedded.
NON_PUBLIC_NETWORKS: Final = tuple(
    map(
        ip_network,
        ("192.0.0.0/24", "192.88.99.0/24", "2001::/23", "2001:db8::/32", "2002::/16", "3fff::/20"),
    )
)

Address: TypeAlias = IPv4Address | IPv6Address
LOOKUP_TIMEOUT_SECONDS: Final = 5.0  # seconds for an answer
MAX_CONCURRENT_LOOKUPS: Final = 8  # look-ups that may hang; further ones are not started

_lookup_slots: Final = BoundedSemaphore(MAX_CONCURRENT_LOOKUPS)


class ForbiddenTarget(ValueError):
    """Nothing is sent to this URL; the message states why."""


@dataclass(frozen=True)
class Target:
    """The target of a post, as written in the URL."""

    scheme: str
    host: str
    port: int
    path: str

    @property
    def is_allowed(self) -> bool:
        """Whether the operator allows the host to lead anywhere."""
        return self.host in settings.WEBHOOK_HOSTS

    @property
    def host_header(self) -> str:
        """The value of the Host header."""
        host = f"[{self.host}]" if ":" in self.host else self.host
        return host if self.port == DEFAULT_PORTS[self.scheme] else f"{host}:{self.port}"


def parse_target(url: str) -> Target:
    """The target of a URL; raises ForbiddenTarget if it is not allowed."""
    if len(url) > MAX_URL_LENGTH or not URL_PATTERN.fullmatch(url):
        raise ForbiddenTarget(
            f"The URL must have at most {MAX_URL_LENGTH} visible ASCII characters."
        )
    try:
        parts = urlsplit(url)
        port = parts.port
    except ValueError as broken:
        raise ForbiddenTarget("The URL is malformed.") from broken
    if parts.scheme not in DEFAULT_PORTS or not parts.hostname:
        raise ForbiddenTarget("The URL must begin with https:// or http:// and a host.")
    if "[" in parts.netloc and ":" not in parts.hostname:
        raise ForbiddenTarget("Brackets must contain an IPv6 address.")
    if "@" in parts.netloc or parts.fragment:
        raise ForbiddenTarget("The URL must have no user, password or fragment.")
    number = DEFAULT_PORTS[parts.scheme] if port is None else port
    target = Target(parts.scheme, parts.hostname, number, _request_path(parts))
    if not target.is_allowed:
        _check_host_and_port(target)
    return target


def _request_path(parts: SplitResult) -> str:
    return (parts.path or "/") + (f"?{parts.query}" if parts.query else "")


def _check_host_and_port(target: Target) -> None:
    """Refuse targets that need no look-up: privileged ports other than 80 and 443, and non-public
    or oddly written IP addresses."""
    if target.port < FIRST_UNPRIVILEGED_PORT and target.port not in DEFAULT_PORTS.values():
        raise ForbiddenTarget(f"Port {target.port} is not allowed for webhooks.")
    try:
        address = ip_address(target.host)
    except ValueError as problem:  # a host name, then; 0x7f.1 and 2130706433 are none
        if not HOST_NAME_PATTERN.fullmatch(target.host):
            raise ForbiddenTarget(f"{target.host} is not a valid host name.") from problem
    else:
        if not is_public(address):
            raise ForbiddenTarget(NOT_PUBLIC_DETAIL)


def resolve_target(target: Target) -> list[Address]:
    """The current addresses of the target, looked up once; raises ForbiddenTarget if any is not
    public. Only these addresses are connected to; the name is not looked up again. Unknown names
    and names of internal hosts give the same error, so that a webhook cannot probe our network's
    names."""
    addresses = resolve_host(target.host, target.port)
    if not addresses or not (target.is_allowed or all(map(is_public, addresses))):
        raise ForbiddenTarget(NOT_PUBLIC_DETAIL)
    return addresses


def is_public(address: Address) -> bool:
    """Whether the address is public."""
    if isinstance(address, IPv6Address) and address not in PUBLIC_IPV6_NETWORK:
        return False  # this includes every IPv4 address written as IPv6
    if any(
        address in network for network in NON_PUBLIC_NETWORKS if network.version == address.version
    ):
        return False
    return address.is_global and not address.is_multicast and not address.is_reserved


# -- DNS look-ups with a time limit, each in its own thread ---------------------------------------


def resolve_host(host: str, port: int, seconds: float = LOOKUP_TIMEOUT_SECONDS) -> list[Address]:
    """The distinct addresses of a host name; none if it is unknown. Raises TimeoutError if no name
    server answers in time."""
    if not _lookup_slots.acquire(timeout=seconds):
        raise TimeoutError
    future: Future[list[Address]] = Future()
    Thread(target=_look_up, args=(host, port, future), daemon=True).start()
    return future.result(seconds)


def _look_up(host: str, port: int, future: Future[list[Address]]) -> None:
    """Runs in a thread, which may outlive the caller's wait until the system gives up."""
    try:
        rows = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
        future.set_result(list(dict.fromkeys(ip_address(row[4][0]) for row in rows)))
    except (OSError, UnicodeError, ValueError):
        future.set_result([])
    finally:
        _lookup_slots.release()

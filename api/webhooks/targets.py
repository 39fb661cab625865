"""Where may a webhook lead? To public addresses only: what a caller cannot reach for himself, this
server does not reach for him. Names that the operator allows may lead anywhere."""

from __future__ import annotations

import re
from dataclasses import dataclass
from ipaddress import IPv6Address, ip_address, ip_network
from typing import Final
from urllib.parse import SplitResult, urlsplit

from django.conf import settings

from api.webhooks import dns_resolver
from api.webhooks.dns_resolver import Address

DEFAULT_PORTS: Final = {"http": 80, "https": 443}
FIRST_UNPRIVILEGED_PORT: Final = 1024  # the ports below belong to services that are no web
NOT_PUBLIC_DETAIL: Final = "The host does not lead to a public address."
MAX_URL_LENGTH: Final = 500  # characters of a URL
# visible ASCII but the backslash, which some take for /
URL_PATTERN: Final = re.compile(r"[!-\[\]-~]+")
HOST_NAME_PATTERN: Final = re.compile(
    r"([a-z0-9_]([a-z0-9_-]{0,61}[a-z0-9_])?\.)*[a-z]([a-z0-9-]{0,61}[a-z0-9])?"
)
PUBLIC_IPV6_NETWORK: Final = ip_network("2000::/3")
# Not public, though this Python may think so, or a wrapping in which another address travels.
NON_PUBLIC_NETWORKS: Final = tuple(
    map(
        ip_network,
        ("192.0.0.0/24", "192.88.99.0/24", "2001::/23", "2001:db8::/32", "2002::/16", "3fff::/20"),
    )
)


class ForbiddenTarget(ValueError):
    """Nothing is sent there; says why."""


@dataclass(frozen=True)
class Target:
    """An address to post to, as it is written."""

    scheme: str
    host: str
    port: int
    path: str

    @property
    def is_allowed(self) -> bool:
        """Does the operator let it lead anywhere?"""
        return self.host in settings.WEBHOOK_HOSTS

    @property
    def host_header(self) -> str:
        """The host as the header Host has it."""
        host = f"[{self.host}]" if ":" in self.host else self.host
        return host if self.port == DEFAULT_PORTS[self.scheme] else f"{host}:{self.port}"


def parse_target(url: str) -> Target:
    """What a URL says, or Forbidden."""
    if len(url) > MAX_URL_LENGTH or not URL_PATTERN.fullmatch(url):
        raise ForbiddenTarget(f"A URL here is at most {MAX_URL_LENGTH} visible ASCII characters.")
    try:
        split = urlsplit(url)
        port = split.port
    except ValueError as broken:
        raise ForbiddenTarget("That is no URL.") from broken
    if split.scheme not in DEFAULT_PORTS or not split.hostname:
        raise ForbiddenTarget("The URL begins with https:// or http:// and a host.")
    if "[" in split.netloc and ":" not in split.hostname:
        raise ForbiddenTarget("In brackets stands an address of IPv6.")
    if "@" in split.netloc or split.fragment:
        raise ForbiddenTarget("The URL has no user, no password and no fragment.")
    number = DEFAULT_PORTS[split.scheme] if port is None else port
    found = Target(split.scheme, split.hostname, number, _request_path(split))
    if not found.is_allowed:
        _check_host_and_port(found)
    return found


def _request_path(split: SplitResult) -> str:
    return (split.path or "/") + (f"?{split.query}" if split.query else "")


def _check_host_and_port(found: Target) -> None:
    """Refuse what need not be looked up: other ports, and numbers in all their spellings."""
    if found.port < FIRST_UNPRIVILEGED_PORT and found.port not in DEFAULT_PORTS.values():
        raise ForbiddenTarget(f"Port {found.port} is not for webhooks.")
    try:
        address = ip_address(found.host)
    except ValueError as problem:  # a name, then; 0x7f.1 and 2130706433 are none
        if not HOST_NAME_PATTERN.fullmatch(found.host):
            raise ForbiddenTarget(f"{found.host} is no name of a host.") from problem
    else:
        if not is_public(address):
            raise ForbiddenTarget(NOT_PUBLIC_DETAIL)


def resolve_target(found: Target) -> list[Address]:
    """Where the target is now, asked once; Forbidden if any of its addresses is not public. What is
    connected to are these addresses, never the name again. An unknown name and one that leads
    inside are told alike: else a webhook would be a way to ask for the names of our network."""
    listed = dns_resolver.resolve_host(found.host, found.port)
    if not listed or not (found.is_allowed or all(map(is_public, listed))):
        raise ForbiddenTarget(NOT_PUBLIC_DETAIL)
    return listed


def is_public(address: Address) -> bool:
    """Is this an address that anybody could reach?"""
    if isinstance(address, IPv6Address) and address not in PUBLIC_IPV6_NETWORK:
        return False  # so is each IPv4 address that is written as one of IPv6
    if any(
        address in network for network in NON_PUBLIC_NETWORKS if network.version == address.version
    ):
        return False
    return address.is_global and not address.is_multicast and not address.is_reserved

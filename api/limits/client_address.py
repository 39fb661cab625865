"""The IP address of a client, from forwarding headers only as far as trusted proxies vouch for
them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from ipaddress import IPv4Address, IPv6Address, IPv6Network, ip_address, ip_network
from typing import Any, Final

from django.conf import settings

IPV6_HOUSEHOLD_PREFIX_BITS: Final = 64  # bits of an IPv6 address that identify one household

PRIVATE_NETWORKS: Final = tuple(
    map(
        ip_network,
        (
            "127.0.0.0/8",
            "10.0.0.0/8",
            "172.16.0.0/12",
            "192.168.0.0/16",
            "169.254.0.0/16",
            "::1/128",
            "fc00::/7",
            "fe80::/10",
        ),
    )
)
FORWARDING_HEADERS: Final = ("HTTP_X_FORWARDED_FOR", "HTTP_FORWARDED", "HTTP_X_REAL_IP")


def is_private_peer(meta: Mapping[str, Any]) -> bool:
    """Whether the request comes from a private address and was not forwarded."""
    peer = _parse_address(str(meta.get("REMOTE_ADDR", "")))
    if peer is None or any(name in meta for name in FORWARDING_HEADERS):
        return False
    return any(peer in network for network in PRIVATE_NETWORKS)


def client_address_of(meta: Mapping[str, Any]) -> str:
    """The nearest address that is not a trusted proxy's: the client may have forged the addresses
    before it. For IPv6 the network, as a client has any number of addresses in it."""
    address = _parse_address(str(meta.get("REMOTE_ADDR", "")))
    forwarded: Sequence[str] = str(meta.get("HTTP_X_FORWARDED_FOR", "")).split(",")
    for text in reversed(forwarded):
        previous = _parse_address(text.strip())
        if previous is None or not _is_trusted_proxy(address):
            break
        address = previous
    return _household_address(address)


def client_address_in(scope: Mapping[str, Any]) -> str:
    """The same from an ASGI scope, as for a request that has not reached Django."""
    client = scope.get("client") or ("", 0)
    forwarded = (value for name, value in scope["headers"] if name == b"x-forwarded-for")
    forwarded_for = b",".join(forwarded).decode("latin1")
    return client_address_of({"REMOTE_ADDR": client[0], "HTTP_X_FORWARDED_FOR": forwarded_for})


def _parse_address(text: str) -> IPv4Address | IPv6Address | None:
    try:
        address = ip_address(text)
    except ValueError:
        return None
    return getattr(address, "ipv4_mapped", None) or address


def _is_trusted_proxy(address: IPv4Address | IPv6Address | None) -> bool:
    return address is not None and any(address in network for network in settings.PROXIES)


def _household_address(address: IPv4Address | IPv6Address | None) -> str:
    if isinstance(address, IPv6Address):
        return str(
            IPv6Network((int(address), IPV6_HOUSEHOLD_PREFIX_BITS), strict=False).network_address
        )
    return str(address or "nowhere")

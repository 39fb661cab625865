"""From which address does somebody ask, as far as those are to be believed who say so?"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from ipaddress import IPv4Address, IPv6Address, IPv6Network, ip_address
from typing import Any, Final

from django.conf import settings

HOME: Final = 64  # bits of an IPv6 address that a household has to itself


def address(meta: Mapping[str, Any]) -> str:
    """The nearest address that is none of our proxies': all before it anybody could have written.
    Of IPv6 the network, for a caller has any number of addresses in it."""
    asking = _read(str(meta.get("REMOTE_ADDR", "")))
    said: Sequence[str] = str(meta.get("HTTP_X_FORWARDED_FOR", "")).split(",")
    for text in reversed(said):
        before = _read(text.strip())
        if before is None or not _is_proxy(asking):
            break
        asking = before
    return _home(asking)


def _read(text: str) -> IPv4Address | IPv6Address | None:
    try:
        read = ip_address(text)
    except ValueError:
        return None
    return getattr(read, "ipv4_mapped", None) or read


def _is_proxy(asking: IPv4Address | IPv6Address | None) -> bool:
    return asking is not None and any(asking in network for network in settings.PROXIES)


def _home(asking: IPv4Address | IPv6Address | None) -> str:
    if isinstance(asking, IPv6Address):
        return str(IPv6Network((int(asking), HOME), strict=False).network_address)
    return str(asking or "nowhere")

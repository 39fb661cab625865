"""How much does this machine let one caller ask, and whom does it believe about addresses?"""

from __future__ import annotations

import re
from collections.abc import Mapping
from ipaddress import IPv4Network, IPv6Network, ip_network
from typing import Final, TypeAlias

from config import environment
from config.environment import Misconfigured

Network: TypeAlias = IPv4Network | IPv6Network
LIMITS: Final = "LIMITS"
PROXIES: Final = "PROXIES"
OFF: Final = "off"
DEFAULTS: Final[Mapping[str, tuple[int, int]]] = {  # requests, in so many seconds
    "read": (1200, 60),
    "write": (1200, 60),
    "create": (120, 60),
    "guests": (60, 3600),
}
ONE: Final = re.compile(r"([a-z]+)=([1-9][0-9]{0,8})/([1-9][0-9]{0,5})")


def limits() -> dict[str, tuple[int, int]]:
    """TABULARIUM_LIMITS: `read=1200/60, guests=60/3600`, the rest as always; or `off`."""
    said = environment.names(LIMITS, "")
    if said == [OFF]:
        return {}
    return {**DEFAULTS, **dict(map(_limit, said))}


def _limit(said: str) -> tuple[str, tuple[int, int]]:
    meant = ONE.fullmatch(said)
    if meant is None or meant[1] not in DEFAULTS:
        known = ", ".join(DEFAULTS)
        raise Misconfigured(
            f"{environment.PREFIX}{LIMITS} is {OFF}, or a list like read=1200/60 (requests in so"
            f" many seconds) for some of {known}; not {said!r}."
        )
    return meant[1], (int(meant[2]), int(meant[3]))


def number(name: str, default: int) -> int:
    """A variable that is a number."""
    said = environment.text(name, str(default))
    if not said.isascii() or not said.isdigit():
        raise Misconfigured(f"{environment.PREFIX}{name} is a number, not {said!r}.")
    return int(said)


def proxies() -> list[Network]:
    """TABULARIUM_PROXIES: the addresses and networks of those who may say for whom they ask."""
    try:
        return [ip_network(each) for each in environment.names(PROXIES, "")]
    except ValueError as broken:
        raise Misconfigured(f"{environment.PREFIX}{PROXIES}: {broken}.") from broken

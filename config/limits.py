"""Rate limits, quotas and trusted proxies, from the environment."""

from __future__ import annotations

import re
from collections.abc import Mapping
from ipaddress import IPv4Network, IPv6Network, ip_network
from typing import Final, TypeAlias

from config import environment
from config.environment import ConfigurationError

Network: TypeAlias = IPv4Network | IPv6Network
LIMITS_VARIABLE: Final = "LIMITS"
PROXIES_VARIABLE: Final = "PROXIES"
NO_LIMITS: Final = "off"
DEFAULT_RATE_LIMITS: Final[Mapping[str, tuple[int, int]]] = {  # requests, seconds
    "read": (1200, 60),
    "write": (1200, 60),
    "create": (120, 60),
    "guests": (60, 3600),
}
RATE_LIMIT_PATTERN: Final = re.compile(r"([a-z]+)=([1-9][0-9]{0,8})/([1-9][0-9]{0,5})")


def read_rate_limits() -> dict[str, tuple[int, int]]:
    """TABULARIUM_LIMITS: `read=1200/60, guests=60/3600`, defaults for the rest; or `off`."""
    said = environment.read_list(LIMITS_VARIABLE, "")
    if said == [NO_LIMITS]:
        return {}
    return {**DEFAULT_RATE_LIMITS, **dict(map(_parse_rate_limit, said))}


def _parse_rate_limit(said: str) -> tuple[str, tuple[int, int]]:
    meant = RATE_LIMIT_PATTERN.fullmatch(said)
    if meant is None or meant[1] not in DEFAULT_RATE_LIMITS:
        known = ", ".join(DEFAULT_RATE_LIMITS)
        raise ConfigurationError(
            f"{environment.VARIABLE_PREFIX}{LIMITS_VARIABLE} must be {NO_LIMITS} or a list "
            f"such as read=1200/60 (requests per seconds) for some of {known}, not "
            f"{said!r}."
        )
    return meant[1], (int(meant[2]), int(meant[3]))


def read_integer(name: str, default: int) -> int:
    """A variable that is a number."""
    said = environment.read_text(name, str(default))
    if not said.isascii() or not said.isdigit():
        raise ConfigurationError(
            f"{environment.VARIABLE_PREFIX}{name} must be a number, not {said!r}."
        )
    return int(said)


def read_proxies() -> list[Network]:
    """TABULARIUM_PROXIES: addresses and networks of proxies with trusted forwarding headers."""
    try:
        return [ip_network(each) for each in environment.read_list(PROXIES_VARIABLE, "")]
    except ValueError as broken:
        raise ConfigurationError(
            f"{environment.VARIABLE_PREFIX}{PROXIES_VARIABLE}: {broken}."
        ) from broken

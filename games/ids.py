"""Ids of games, accounts and other things: a prefix that names the kind of thing, and a UUID in
order of time."""

from __future__ import annotations

import secrets
import time
from datetime import datetime
from typing import Final

TIME_BITS: Final = 48
RANDOM_BITS: Final = 80


def first_id(prefix: str, moment: datetime) -> str:
    """An id that sorts before all those made at a time or later, and after all earlier ones."""
    return f"{prefix}_{int(1000 * moment.timestamp()) << RANDOM_BITS:032x}"


def new_id(prefix: str) -> str:
    """A new id: a UUIDv7 (RFC 9562) in hexadecimal digits after the prefix."""
    milliseconds = time.time_ns() // 1_000_000 & (1 << TIME_BITS) - 1
    value = milliseconds << RANDOM_BITS | secrets.randbits(RANDOM_BITS)
    value = value & ~(0xF << 76) | 0x7 << 76  # the version
    value = value & ~(0x3 << 62) | 0x2 << 62  # the variant
    return f"{prefix}_{value:032x}"

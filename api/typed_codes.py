"""One-time codes that people type: random symbols in groups, and how they are read."""

from __future__ import annotations

import secrets
from typing import Final

# Crockford's base 32: no letter is mistaken for a digit, or read as a word
SYMBOLS: Final = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"
LIKELY_MISTAKES: Final = str.maketrans("OIL", "011", " -")


def random_code(groups: int, length: int) -> str:
    """A random code of groups of this length, such as `7KQ2-M9XD`: five bits a symbol."""
    count = groups * length
    number = int.from_bytes(secrets.token_bytes(-(-5 * count // 8)), "big")
    symbols = "".join(SYMBOLS[number >> 5 * place & 31] for place in range(count))
    return "-".join(symbols[start : start + length] for start in range(0, count, length))


def as_typed(code: str) -> bytes:
    """The symbols of a code, in either case, with or without its dashes."""
    return code.upper().translate(LIKELY_MISTAKES).encode("utf-8", "replace")

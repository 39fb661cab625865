"""How many exports are checked at once: one of each account, and a few of all in this process, so
that most of its threads are always free for those who play."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from threading import Lock
from typing import Final

from api.errors import Refusal

AT_ONCE: Final = 2  # of 16 threads (config/asgi.py), and as many times the memory of a child

_lock: Final = Lock()
_checking: Final[set[str]] = set()  # accounts


@contextmanager
def turn(account: str) -> Iterator[None]:
    """A turn to have an export checked, or a refusal at once: waiting would hold a thread."""
    with _lock:
        if account in _checking:
            raise Refusal("too-many-checks", "An export of yours is being checked: wait for it.")
        if len(_checking) >= AT_ONCE:
            raise Refusal("checks-busy", "Other exports are being checked: try again soon.")
        _checking.add(account)
    try:
        yield
    finally:
        with _lock:
            _checking.remove(account)

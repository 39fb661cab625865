"""How many exports are checked at once: one of each account, and a few of all in this process, so
that most of its threads are always free for those who play."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from threading import Lock
from typing import Final

from api.errors import Refusal

# of 16 threads (config/asgi.py), and as many times the memory of a child
MAX_CONCURRENT_CHECKS: Final = 2

_lock: Final = Lock()
_accounts_in_check: Final[set[str]] = set()  # accounts


@contextmanager
def check_slot(account: str) -> Iterator[None]:
    """A turn to have an export checked, or a refusal at once: waiting would hold a thread."""
    with _lock:
        if account in _accounts_in_check:
            raise Refusal("too-many-checks", "An export of yours is being checked: wait for it.")
        if len(_accounts_in_check) >= MAX_CONCURRENT_CHECKS:
            raise Refusal("checks-busy", "Other exports are being checked: try again soon.")
        _accounts_in_check.add(account)
    try:
        yield
    finally:
        with _lock:
            _accounts_in_check.remove(account)

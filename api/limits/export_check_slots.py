"""Limits on concurrent export checks: one per account and a few per process, so that most threads
stay free for players."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from threading import Lock
from typing import Final

from api.errors import Refusal

# few of the request threads (config/asgi.py); each check takes the memory of a child process
MAX_CONCURRENT_CHECKS: Final = 2

_lock: Final = Lock()
_accounts_in_check: Final[set[str]] = set()


@contextmanager
def check_slot(account: str) -> Iterator[None]:
    """A slot for checking an export, or an immediate refusal: waiting would occupy a thread."""
    with _lock:
        if account in _accounts_in_check:
            raise Refusal(
                "too-many-checks",
                "One of your exports is being checked: wait until it is finished.",
            )
        if len(_accounts_in_check) >= MAX_CONCURRENT_CHECKS:
            raise Refusal("checks-busy", "Other exports are being checked: try again later.")
        _accounts_in_check.add(account)
    try:
        yield
    finally:
        with _lock:
            _accounts_in_check.remove(account)

"""Key revocation in open connections: ends streams and long polls whose key is revoked or expires,
or whose account is banned.
All keys in use in a process are looked up in one query every second, and at once when this process
has deleted or rotated one."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Collection, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from typing import Any, Final

from django.db import transaction
from django.db.models import Q
from django.db.models.signals import post_delete, post_save
from django.dispatch import receiver
from django.utils import timezone

from api.keys import key_cache
from api.models import Key
from api.streams.database_threads import run_in_thread

logger = logging.getLogger(__name__)

KEY_CHECK_INTERVAL_SECONDS: Final = 1.0  # seconds between two look-ups
KEY_CHECK_THREAD_POOL: Final = ThreadPoolExecutor(1, "keys")  # separate: pages may be slow

EndCallback = Callable[[], None]


class RevocationWatcher:
    """The keys with open connections in this process, and how to end these."""

    def __init__(self) -> None:
        self._end_callbacks: dict[str, set[EndCallback]] = {}  # by key
        self._task: asyncio.Task[None] | None = None
        self._loop: asyncio.AbstractEventLoop | None = None
        self._check_requested = asyncio.Event()

    @contextmanager
    def end_when_revoked(self, key: str | None, end: EndCallback) -> Iterator[None]:
        """While this context is open, `end` is called when the key becomes invalid. Connections
        without a key are never ended this way."""
        if key is None:
            yield
            return
        self._end_callbacks.setdefault(key, set()).add(end)
        self._start()
        try:
            yield
        finally:
            self._end_callbacks[key].discard(end)
            if not self._end_callbacks[key]:
                del self._end_callbacks[key]

    def check_now(self) -> None:
        """Look the keys up at once; may be called from any thread."""
        loop = self._loop
        if loop is not None and not loop.is_closed():
            loop.call_soon_threadsafe(self._check_requested.set)

    def is_watching(self, key: str) -> bool:
        """Whether this key has open connections."""
        return key in self._end_callbacks

    def _start(self) -> None:
        if self._task is None or self._task.done():
            self._loop = asyncio.get_running_loop()
            self._check_requested = asyncio.Event()
            self._task = asyncio.create_task(self._check_regularly())

    async def _check_regularly(self) -> None:
        while self._end_callbacks:
            try:
                await self._end_revoked()
            except Exception as problem:  # noqa: BLE001  # the database is away: look again
                logger.warning("The keys of the open streams cannot be read: %s", problem)
            try:
                async with asyncio.timeout(KEY_CHECK_INTERVAL_SECONDS):
                    await self._check_requested.wait()
            except TimeoutError:
                pass
            self._check_requested.clear()

    async def _end_revoked(self) -> None:
        keys = set(self._end_callbacks)
        revoked_keys = keys - await run_in_thread(_valid_keys, keys, pool=KEY_CHECK_THREAD_POOL)
        if revoked_keys:
            key_cache.clear()  # other requests must not use them, either
        for key in revoked_keys:
            for end in self._end_callbacks.get(key, ()):
                end()


def _valid_keys(keys: Collection[str]) -> set[str]:
    """Those of these keys that are valid."""
    unexpired = Q(expires__isnull=True) | Q(expires__gt=timezone.now())
    valid = Key.objects.filter(unexpired, pk__in=keys, account__banned=None)
    return set(valid.values_list("pk", flat=True))


revocation_watcher = RevocationWatcher()


@receiver([post_delete, post_save], sender=Key)
def _check_changed_key(instance: Key, **_: Any) -> None:
    if revocation_watcher.is_watching(instance.pk):
        transaction.on_commit(revocation_watcher.check_now)

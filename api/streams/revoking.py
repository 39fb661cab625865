"""The end of what lasts when its key opens no more. All keys of a process are looked up in one
query every second, and at once when this process has deleted or rotated one."""

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

from api.keys import keyring
from api.models import Key
from api.streams.reading import in_a_thread

logger = logging.getLogger(__name__)

LOOK: Final = 1.0  # seconds between two looks at the keys
THREAD: Final = ThreadPoolExecutor(1, "keys")  # its own: pages may take long

End = Callable[[], None]


class Revocations:
    """The keys with which something lasts in this process, and how to end it."""

    def __init__(self) -> None:
        self._ends: dict[str, set[End]] = {}  # by key
        self._task: asyncio.Task[None] | None = None
        self._loop: asyncio.AbstractEventLoop | None = None
        self._is_due = asyncio.Event()

    @contextmanager
    def ending(self, key: str | None, end: End) -> Iterator[None]:
        """While this lasts, `end` is called when the key opens no more. Strangers have none."""
        if key is None:
            yield
            return
        self._ends.setdefault(key, set()).add(end)
        self._begin()
        try:
            yield
        finally:
            self._ends[key].discard(end)
            if not self._ends[key]:
                del self._ends[key]

    def look_now(self) -> None:
        """Look the keys up at once; called from any thread."""
        loop = self._loop
        if loop is not None and not loop.is_closed():
            loop.call_soon_threadsafe(self._is_due.set)

    def has(self, key: str) -> bool:
        """Whether something lasts with this key."""
        return key in self._ends

    def _begin(self) -> None:
        if self._task is None or self._task.done():
            self._loop = asyncio.get_running_loop()
            self._is_due = asyncio.Event()
            self._task = asyncio.create_task(self._look())

    async def _look(self) -> None:
        while self._ends:
            try:
                await self._end_revoked()
            except Exception as problem:  # noqa: BLE001  # the database is away: look again
                logger.warning("The keys of streams cannot be looked up: %s", problem)
            try:
                async with asyncio.timeout(LOOK):
                    await self._is_due.wait()
            except TimeoutError:
                pass
            self._is_due.clear()

    async def _end_revoked(self) -> None:
        keys = set(self._ends)
        revoked = keys - await in_a_thread(_good, keys, pool=THREAD)
        if revoked:
            keyring.forget()  # they open nothing else, either
        for key in revoked:
            for end in self._ends.get(key, ()):
                end()


def _good(keys: Collection[str]) -> set[str]:
    """Those of these keys that open."""
    lasting = Q(expires__isnull=True) | Q(expires__gt=timezone.now())
    return set(Key.objects.filter(lasting, pk__in=keys).values_list("pk", flat=True))


revocations = Revocations()


@receiver([post_delete, post_save], sender=Key)
def _look(instance: Key, **_: Any) -> None:
    if revocations.has(instance.pk):
        transaction.on_commit(revocations.look_now)

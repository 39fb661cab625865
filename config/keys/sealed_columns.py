"""What is locked under the sealing keys, and how is it locked anew under another of them?"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from typing import Any, Final, NamedTuple

from django.db import transaction
from django.db.models import QuerySet
from django.utils import timezone

from api.models import Reply, Webhook
from games.fairness.vault import (
    KEY_LABEL_BYTES,
    KEY_LABEL_PREFIX,
    KEY_NAME_BYTES,
    UnlockError,
    find_key_and_unlock,
    fingerprint,
    key_label,
    lock_secret,
)
from games.models import Game

RESEAL_BATCH_SIZE: Final = 100  # rows locked anew in one transaction
FINGERPRINT_DIGITS_SHOWN: Final = 2 * KEY_NAME_BYTES  # digits of a fingerprint
SAMPLE_SIZE: Final = 100  # running games that are tried at each end
UNKNOWN_KEY: Final = ""  # the key of what opens with none of those that were tried


class SealedColumn(NamedTuple):
    """A column that holds what is locked under a sealing key; each row is locked by its own id."""

    name: str  # of one of its rows
    queryset: Callable[[], QuerySet[Any]]  # as long as they are needed
    column: str
    context_template: str = "{}"  # to what a row is bound, given its id

    def sealed_values(self) -> Iterator[tuple[Any, bytes]]:
        """Every id with what is locked there."""
        rows = self.queryset().values_list("pk", self.column).order_by("pk")
        return ((pk, bytes(locked)) for pk, locked in rows.iterator(chunk_size=2_000))


def running_games() -> QuerySet[Game]:
    """The games that are not over: the end of a log tells its own secret."""
    return Game.objects.exclude(phase=Game.Phase.OVER)


def webhooks_with_old_secret() -> QuerySet[Webhook]:
    """The webhooks whose secret before still signs."""
    return Webhook.objects.filter(old_secret__isnull=False, old_until__gt=timezone.now())


SEALED_COLUMNS: Final = (
    SealedColumn("running game", running_games, "secret"),
    SealedColumn("webhook", Webhook.objects.all, "secret"),
    SealedColumn("webhook's old secret", webhooks_with_old_secret, "old_secret"),
    SealedColumn("kept reply", Reply.objects.all, "sealed", "reply {}"),
)


def count_uses_by_key(keys: Sequence[bytes]) -> dict[str, Counter[str]]:
    """By the name of what is locked: how many are under which key, named by the beginning of its
    fingerprint."""
    return {
        place.name: Counter(
            _sealing_key_name(keys, place.context_template.format(pk), locked)
            for pk, locked in place.sealed_values()
        )
        for place in SEALED_COLUMNS
    }


def _sealing_key_name(keys: Sequence[bytes], name: str, locked: bytes) -> str:
    try:
        return fingerprint(find_key_and_unlock(keys, name, locked)[0])[:FINGERPRINT_DIGITS_SHOWN]
    except UnlockError:
        return (
            locked[len(KEY_LABEL_PREFIX) : KEY_LABEL_BYTES].hex()
            if locked.startswith(KEY_LABEL_PREFIX)
            else UNKNOWN_KEY
        )


def count_unopenable_games(keys: Sequence[bytes]) -> tuple[int, int]:
    """How many running games open with none of these keys, of how many that were tried: the oldest
    and the newest."""
    games = running_games().values_list("pk", "secret")
    sample = {
        **dict(games.order_by("pk")[:SAMPLE_SIZE]),
        **dict(games.order_by("-pk")[:SAMPLE_SIZE]),
    }
    return sum(not _can_open(keys, pk, bytes(locked)) for pk, locked in sample.items()), len(sample)


def _can_open(keys: Sequence[bytes], name: str, locked: bytes) -> bool:
    try:
        find_key_and_unlock(keys, name, locked)
    except UnlockError:
        return False
    return True


# -- locking anew ---------------------------------------------------------------------------------


def reseal(keys: Sequence[bytes]) -> dict[str, int]:
    """Lock everything under the first key, while servers go on: how many of each, by its name.
    What none of the keys opens stays as it is."""
    return {place.name: _reseal_column(place, keys) for place in SEALED_COLUMNS}


def _reseal_column(place: SealedColumn, keys: Sequence[bytes]) -> int:
    first = key_label(keys[0])
    old = [(name, locked) for name, locked in place.sealed_values() if not locked.startswith(first)]
    return sum(
        _reseal_rows(place, keys, old[start : start + RESEAL_BATCH_SIZE])
        for start in range(0, len(old), RESEAL_BATCH_SIZE)
    )


@transaction.atomic
def _reseal_rows(
    place: SealedColumn, keys: Sequence[bytes], rows: Sequence[tuple[Any, bytes]]
) -> int:
    """Lock rows anew that are still as they were, all in one transaction."""
    done = 0
    for pk, locked in rows:
        name = place.context_template.format(pk)
        with suppress(UnlockError):
            anew = lock_secret(keys, name, find_key_and_unlock(keys, name, locked)[1])
            same = place.queryset().filter(pk=pk, **{place.column: locked})
            done += same.update(**{place.column: anew})
    return done

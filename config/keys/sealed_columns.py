"""Sealed columns of the database, encrypted under the sealing keys, and their re-encryption under
another key."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from typing import Any, Final, NamedTuple

from django.db import transaction
from django.db.models import QuerySet
from django.utils import timezone

from api.models import Reply, Webhook
from games.models import Game
from tabularium_log.fairness.encryption import (
    KEY_LABEL_BYTES,
    KEY_LABEL_PREFIX,
    KEY_NAME_BYTES,
    UnlockError,
    find_key_and_unlock,
    fingerprint,
    key_label,
    lock_secret,
)

RESEAL_BATCH_SIZE: Final = 100  # rows re-encrypted in one transaction
FINGERPRINT_DIGITS_SHOWN: Final = 2 * KEY_NAME_BYTES  # of a fingerprint
SAMPLE_SIZE: Final = 100  # running games checked at each end
UNKNOWN_KEY: Final = ""  # stands for an unnamed key that was not among those tried


class SealedColumn(NamedTuple):
    """A column encrypted under a sealing key; each row is bound to its own id."""

    name: str  # of one of its rows
    queryset: Callable[[], QuerySet[Any]]  # the rows still needed
    column: str
    context_template: str = "{}"  # the context that a row is bound to, given its id

    def sealed_values(self) -> Iterator[tuple[Any, bytes]]:
        """Every id with its encrypted value."""
        rows = self.queryset().values_list("pk", self.column).order_by("pk")
        return ((pk, bytes(ciphertext)) for pk, ciphertext in rows.iterator(chunk_size=2_000))


def running_games() -> QuerySet[Game]:
    """The games that are not over; the end of a log reveals its secret."""
    return Game.objects.exclude(phase=Game.Phase.OVER)


def webhooks_with_old_secret() -> QuerySet[Webhook]:
    """The webhooks whose previous secret still signs."""
    return Webhook.objects.filter(old_secret__isnull=False, old_until__gt=timezone.now())


SEALED_COLUMNS: Final = (
    SealedColumn("running game", running_games, "secret"),
    SealedColumn("webhook", Webhook.objects.all, "secret"),
    SealedColumn("webhook's old secret", webhooks_with_old_secret, "old_secret"),
    SealedColumn("stored reply", Reply.objects.all, "sealed", "reply {}"),
)


def count_uses_by_key(keys: Sequence[bytes]) -> dict[str, Counter[str]]:
    """By kind of row: the number of rows per key, named by the beginning of its fingerprint."""
    return {
        column.name: Counter(
            _sealing_key_name(keys, column.context_template.format(pk), ciphertext)
            for pk, ciphertext in column.sealed_values()
        )
        for column in SEALED_COLUMNS
    }


def _sealing_key_name(keys: Sequence[bytes], name: str, ciphertext: bytes) -> str:
    try:
        return fingerprint(find_key_and_unlock(keys, name, ciphertext)[0])[
            :FINGERPRINT_DIGITS_SHOWN
        ]
    except UnlockError:
        return (
            ciphertext[len(KEY_LABEL_PREFIX) : KEY_LABEL_BYTES].hex()
            if ciphertext.startswith(KEY_LABEL_PREFIX)
            else UNKNOWN_KEY
        )


def count_unopenable_games(keys: Sequence[bytes]) -> tuple[int, int]:
    """The number of running games that none of these keys opens, and the number of those tried
    (the oldest and newest)."""
    games = running_games().values_list("pk", "secret")
    sample = {
        **dict(games.order_by("pk")[:SAMPLE_SIZE]),
        **dict(games.order_by("-pk")[:SAMPLE_SIZE]),
    }
    return sum(
        not _can_open(keys, pk, bytes(ciphertext)) for pk, ciphertext in sample.items()
    ), len(sample)


def _can_open(keys: Sequence[bytes], name: str, ciphertext: bytes) -> bool:
    try:
        find_key_and_unlock(keys, name, ciphertext)
    except UnlockError:
        return False
    return True


# -- resealing ------------------------------------------------------------------------------------


def reseal(keys: Sequence[bytes]) -> dict[str, int]:
    """Re-encrypt everything under the first key while servers run; returns the number of rows by
    kind. Rows that none of the keys opens stay as they are."""
    return {place.name: _reseal_column(place, keys) for place in SEALED_COLUMNS}


def _reseal_column(column: SealedColumn, keys: Sequence[bytes]) -> int:
    first = key_label(keys[0])
    rows = [
        (name, ciphertext)
        for name, ciphertext in column.sealed_values()
        if not ciphertext.startswith(first)
    ]
    return sum(
        _reseal_rows(column, keys, rows[start : start + RESEAL_BATCH_SIZE])
        for start in range(0, len(rows), RESEAL_BATCH_SIZE)
    )


@transaction.atomic
def _reseal_rows(
    column: SealedColumn, keys: Sequence[bytes], rows: Sequence[tuple[Any, bytes]]
) -> int:
    """Re-encrypt those rows that are unchanged since they were read, all in one transaction."""
    count = 0
    for pk, ciphertext in rows:
        name = column.context_template.format(pk)
        with suppress(UnlockError):
            new_ciphertext = lock_secret(keys, name, find_key_and_unlock(keys, name, ciphertext)[1])
            unchanged = column.queryset().filter(pk=pk, **{column.column: ciphertext})
            count += unchanged.update(**{column.column: new_ciphertext})
    return count

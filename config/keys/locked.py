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
    LABEL,
    MARK,
    NAME,
    Locked,
    fingerprint,
    label,
    lock_secret,
    opened_by,
)
from games.models import Game

BATCH: Final = 100  # rows locked anew in one transaction
SHOWN: Final = 2 * NAME  # digits of a fingerprint
SAMPLE: Final = 100  # running games that are tried at each end
UNKNOWN: Final = ""  # the key of what opens with none of those that were tried


class Place(NamedTuple):
    """A column that holds what is locked under a sealing key; each row is locked by its own id."""

    name: str  # of one of its rows
    rows: Callable[[], QuerySet[Any]]  # as long as they are needed
    column: str
    bound: str = "{}"  # to what a row is bound, given its id

    def all(self) -> Iterator[tuple[Any, bytes]]:
        """Every id with what is locked there."""
        rows = self.rows().values_list("pk", self.column).order_by("pk")
        return ((pk, bytes(locked)) for pk, locked in rows.iterator(chunk_size=2_000))


def running() -> QuerySet[Game]:
    """The games that are not over: the end of a log tells its own secret."""
    return Game.objects.exclude(phase=Game.Phase.OVER)


def overlapping() -> QuerySet[Webhook]:
    """The webhooks whose secret before still signs."""
    return Webhook.objects.filter(old_secret__isnull=False, old_until__gt=timezone.now())


PLACES: Final = (
    Place("running game", running, "secret"),
    Place("webhook", Webhook.objects.all, "secret"),
    Place("webhook's old secret", overlapping, "old_secret"),
    Place("kept reply", Reply.objects.all, "sealed", "reply {}"),
)


def uses(keys: Sequence[bytes]) -> dict[str, Counter[str]]:
    """By the name of what is locked: how many are under which key, named by the beginning of its
    fingerprint."""
    return {
        place.name: Counter(
            _key_of(keys, place.bound.format(pk), locked) for pk, locked in place.all()
        )
        for place in PLACES
    }


def _key_of(keys: Sequence[bytes], name: str, locked: bytes) -> str:
    try:
        return fingerprint(opened_by(keys, name, locked)[0])[:SHOWN]
    except Locked:
        return locked[len(MARK) : LABEL].hex() if locked.startswith(MARK) else UNKNOWN


def closed(keys: Sequence[bytes]) -> tuple[int, int]:
    """How many running games open with none of these keys, of how many that were tried: the oldest
    and the newest."""
    games = running().values_list("pk", "secret")
    sample = {**dict(games.order_by("pk")[:SAMPLE]), **dict(games.order_by("-pk")[:SAMPLE])}
    return sum(not _opens(keys, pk, bytes(locked)) for pk, locked in sample.items()), len(sample)


def _opens(keys: Sequence[bytes], name: str, locked: bytes) -> bool:
    try:
        opened_by(keys, name, locked)
    except Locked:
        return False
    return True


# -- locking anew ---------------------------------------------------------------------------------


def reseal(keys: Sequence[bytes]) -> dict[str, int]:
    """Lock everything under the first key, while servers go on: how many of each, by its name.
    What none of the keys opens stays as it is."""
    return {place.name: _reseal(place, keys) for place in PLACES}


def _reseal(place: Place, keys: Sequence[bytes]) -> int:
    first = label(keys[0])
    old = [(name, locked) for name, locked in place.all() if not locked.startswith(first)]
    return sum(
        _lock_anew(place, keys, old[start : start + BATCH]) for start in range(0, len(old), BATCH)
    )


@transaction.atomic
def _lock_anew(place: Place, keys: Sequence[bytes], rows: Sequence[tuple[Any, bytes]]) -> int:
    """Lock rows anew that are still as they were, all in one transaction."""
    done = 0
    for pk, locked in rows:
        name = place.bound.format(pk)
        with suppress(Locked):
            anew = lock_secret(keys, name, opened_by(keys, name, locked)[1])
            same = place.rows().filter(pk=pk, **{place.column: locked})
            done += same.update(**{place.column: anew})
    return done

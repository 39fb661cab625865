"""Heartbeats of worker and sweeper processes, stored in the database. Each shows real work: a
worker takes canaries out of its queue, a sweeper makes its rounds."""

from __future__ import annotations

import logging
import socket
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import timedelta
from threading import Lock
from time import monotonic
from typing import Final

from django.db import Error, connection
from django.utils import timezone

from jobs.models import ProcessHeartbeat

logger = logging.getLogger(__name__)

BOT_WORKER: Final = "worker"  # serves the bots
ANALYSIS_WORKER: Final = "analysts"
ERRAND_WORKER: Final = "errands"
RATING_WORKER: Final = "raters"
OTHER_WORKERS: Final = (ANALYSIS_WORKER, ERRAND_WORKER, RATING_WORKER)
SWEEPER: Final = "sweeper"
BEAT_INTERVAL_SECONDS: Final = 3.0  # between two heartbeats
DEAD_AFTER: Final = timedelta(seconds=15)  # a process silent for longer counts as dead …
# … also where tasks are long and canaries wait for them to end
LONG_TASKS_DEAD_AFTER: Final = timedelta(seconds=90)
DEAD_AFTER_BY_KIND: Final[Mapping[str, timedelta]] = {
    ANALYSIS_WORKER: LONG_TASKS_DEAD_AFTER,
    ERRAND_WORKER: LONG_TASKS_DEAD_AFTER,
    RATING_WORKER: LONG_TASKS_DEAD_AFTER,
}
GONE_AFTER: Final = timedelta(minutes=10)  # a process silent for longer was removed
TABLE: Final = ProcessHeartbeat._meta.db_table
UPSERT: Final = (
    f"INSERT INTO {TABLE} AS old (name, kind, at, beats) VALUES (%(name)s, %(kind)s, %(at)s, 1)"
    " ON CONFLICT (name) DO UPDATE SET kind = excluded.kind, at = excluded.at,"
    " beats = old.beats + 1"
)

_last_beat_times: dict[str, float] = {}


def beat(kind: str, name: str = "") -> None:
    """Store a heartbeat, unless the last is too recent. A database error is logged, not raised."""
    name = name or f"{kind}@{socket.gethostname()}"
    now = monotonic()
    if now - _last_beat_times.get(name, -BEAT_INTERVAL_SECONDS) < BEAT_INTERVAL_SECONDS:
        return
    _last_beat_times[name] = now
    try:
        _save_beat(kind, name)
    except Error as problem:
        logger.warning("The heartbeat of the %s could not be stored: %s", kind, problem)


def _save_beat(kind: str, name: str) -> None:
    """In one statement: the processes of a pool share a name, and may store their first at once."""
    at = connection.ops.adapt_datetimefield_value(timezone.now())
    with connection.cursor() as cursor:
        cursor.execute(UPSERT, {"name": name, "kind": kind, "at": at})


def retire(name: str) -> None:
    """Delete the heartbeat of a process that ends in an orderly way."""
    try:
        ProcessHeartbeat.objects.filter(name=name).delete()
    except Error as problem:
        logger.warning("The heartbeat of %s could not be deleted: %s", name, problem)


# -- reading --------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Heartbeat:
    """The last heartbeat of a process."""

    kind: str
    name: str
    age: timedelta

    @property
    def is_fresh(self) -> bool:
        """Whether it is recent enough for a working process."""
        return self.age < DEAD_AFTER_BY_KIND.get(self.kind, DEAD_AFTER)


@dataclass
class _ObservedBeat:
    """A reader's memory of a row."""

    beats: int
    age: float  # in seconds, when this number of beats was first seen
    first_seen: float  # on the reader's monotonic clock
    last_read: float


class HeartbeatReader:
    """Ages by the reader's own monotonic clock: a heartbeat is young because the reader saw its
    count change, not because of a time that another clock wrote or that was set back since."""

    def __init__(self) -> None:
        self._observed_beats: dict[str, _ObservedBeat] = {}
        self._lock = Lock()

    def latest_heartbeats(self) -> list[Heartbeat]:
        """All stored heartbeats, the youngest first."""
        rows = list(ProcessHeartbeat.objects.all())
        with self._lock:
            signs = [
                Heartbeat(row.kind, row.name, timedelta(seconds=self._age(row))) for row in rows
            ]
        return sorted(signs, key=lambda sign: sign.age)

    def _age(self, row: ProcessHeartbeat) -> float:
        now, observed = monotonic(), self._observed_beats.get(row.name)
        if observed is None or observed.beats != row.beats:
            # a time in the future is not young
            age = abs((timezone.now() - row.at).total_seconds())
            if observed is not None:
                age = min(age, now - observed.last_read)
            observed = self._observed_beats[row.name] = _ObservedBeat(row.beats, age, now, now)
        observed.last_read = now
        return observed.age + now - observed.first_seen


reader = HeartbeatReader()


def ages_by_kind() -> dict[str, timedelta | None]:
    """The age of the youngest heartbeat of each kind; None: there is none."""
    ages: dict[str, timedelta | None] = {BOT_WORKER: None, SWEEPER: None}
    for sign in reversed(reader.latest_heartbeats()):
        ages[sign.kind] = sign.age
    return ages


def expected_heartbeats(signs: list[Heartbeat], kind: str) -> list[Heartbeat]:
    """The heartbeats of the processes that should be running. Those silent for long were removed on
    purpose; if all are, the youngest counts."""
    candidates = [sign for sign in signs if sign.kind == kind]
    return [sign for sign in candidates if sign.age < GONE_AFTER] or candidates[:1]


def is_alive(age: timedelta | None) -> bool:
    """Whether a process whose last heartbeat has that age counts as alive."""
    return age is not None and age < DEAD_AFTER


def delete_old_heartbeats() -> int:
    """Delete the heartbeats of removed processes; returns their number."""
    names = [sign.name for sign in reader.latest_heartbeats() if sign.age > 6 * GONE_AFTER]
    return ProcessHeartbeat.objects.filter(name__in=names).delete()[0]

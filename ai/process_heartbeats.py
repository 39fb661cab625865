"""Do workers and sweepers still work? Each leaves a sign of what it has really done, where all can
see it: a worker has taken a canary out of its queue, a sweeper has made a round."""

from __future__ import annotations

import logging
import socket
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import timedelta
from threading import Lock
from time import monotonic
from typing import Final

from django.db import Error
from django.db.models import F
from django.utils import timezone

from ai.models import Pulse

logger = logging.getLogger(__name__)

BOT_WORKER: Final = "worker"  # for bots
ANALYSIS_WORKER: Final = "analysts"
ERRAND_WORKER: Final = "errands"
SWEEPER: Final = "sweeper"
BEAT_INTERVAL_SECONDS: Final = 3.0  # seconds between two signs
DEAD_AFTER: Final = timedelta(seconds=15)  # after that, a process is taken for dead …
# … where tasks are long, and canaries wait for their end
LONG_TASKS_DEAD_AFTER: Final = timedelta(seconds=90)
DEAD_AFTER_BY_KIND: Final[Mapping[str, timedelta]] = {
    ANALYSIS_WORKER: LONG_TASKS_DEAD_AFTER,
    ERRAND_WORKER: LONG_TASKS_DEAD_AFTER,
}
GONE_AFTER: Final = timedelta(minutes=10)  # a process that is silent for so long was taken away

_last_beat_times: dict[str, float] = {}


def beat(kind: str, name: str = "") -> None:
    """Leave a sign, if the last is long enough ago; not to be able to is no reason to stop."""
    name = name or f"{kind}@{socket.gethostname()}"
    now = monotonic()
    if now - _last_beat_times.get(name, -BEAT_INTERVAL_SECONDS) < BEAT_INTERVAL_SECONDS:
        return
    _last_beat_times[name] = now
    try:
        _save_beat(kind, name)
    except Error as problem:
        logger.warning("The %s leaves no sign of life: %s", kind, problem)


def _save_beat(kind: str, name: str) -> None:
    now = timezone.now()
    if not Pulse.objects.filter(name=name).update(kind=kind, at=now, beats=F("beats") + 1):
        Pulse.objects.create(name=name, kind=kind, at=now, beats=1)


def retire(name: str) -> None:
    """A process that ends in order is not missed."""
    try:
        Pulse.objects.filter(name=name).delete()
    except Error as problem:
        logger.warning("%s is missed for a while: %s", name, problem)


# -- reading --------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Heartbeat:
    """The last sign of a process."""

    kind: str
    name: str
    age: timedelta

    @property
    def is_fresh(self) -> bool:
        """Is it young enough for a process that works?"""
        return self.age < DEAD_AFTER_BY_KIND.get(self.kind, DEAD_AFTER)


@dataclass
class _ObservedBeat:
    """What a reader remembers of a row."""

    beats: int
    age: float  # seconds, when this number of beats was first seen
    first_seen: float  # on the reader's monotonic clock
    last_read: float


class HeartbeatReader:
    """Ages by the reader's own monotonic clock: a sign is young because it was seen to change, not
    because of a time of day that another clock wrote, or that was set back since."""

    def __init__(self) -> None:
        self._observed: dict[str, _ObservedBeat] = {}
        self._lock = Lock()

    def latest_heartbeats(self) -> list[Heartbeat]:
        """All that are remembered, the youngest first."""
        rows = list(Pulse.objects.all())
        with self._lock:
            signs = [
                Heartbeat(row.kind, row.name, timedelta(seconds=self._age(row))) for row in rows
            ]
        return sorted(signs, key=lambda sign: sign.age)

    def _age(self, row: Pulse) -> float:
        now, known = monotonic(), self._observed.get(row.name)
        if known is None or known.beats != row.beats:
            age = abs((timezone.now() - row.at).total_seconds())  # a future time is no good sign
            if known is not None:
                age = min(age, now - known.last_read)
            known = self._observed[row.name] = _ObservedBeat(row.beats, age, now, now)
        known.last_read = now
        return known.age + now - known.first_seen


reader = HeartbeatReader()


def ages_by_kind() -> dict[str, timedelta | None]:
    """How long ago the youngest sign of each kind was left; None: never."""
    found: dict[str, timedelta | None] = {BOT_WORKER: None, SWEEPER: None}
    for sign in reversed(reader.latest_heartbeats()):
        found[sign.kind] = sign.age
    return found


def expected_heartbeats(signs: list[Heartbeat], kind: str) -> list[Heartbeat]:
    """The last signs of those who should be there: who was silent for long was taken away, unless
    there is no other."""
    of_kind = [sign for sign in signs if sign.kind == kind]
    return [sign for sign in of_kind if sign.age < GONE_AFTER] or of_kind[:1]


def is_alive(age: timedelta | None) -> bool:
    """Is a process of which that is the last sign still there?"""
    return age is not None and age < DEAD_AFTER


def delete_old_heartbeats() -> int:
    """Drop what is left of processes that were taken away; how many."""
    old = [sign.name for sign in reader.latest_heartbeats() if sign.age > 6 * GONE_AFTER]
    return Pulse.objects.filter(name__in=old).delete()[0]

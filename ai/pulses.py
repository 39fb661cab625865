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

WORKER: Final = "worker"  # for bots
ANALYSTS: Final = "analysts"
ERRANDS: Final = "errands"
SWEEPER: Final = "sweeper"
PAUSE: Final = 3.0  # seconds between two signs
SILENCE: Final = timedelta(seconds=15)  # after that, a process is taken for dead …
LONG: Final = timedelta(seconds=90)  # … where tasks are long, and canaries wait for their end
SILENCES: Final[Mapping[str, timedelta]] = {ANALYSTS: LONG, ERRANDS: LONG}
FORGOTTEN: Final = timedelta(minutes=10)  # a process that is silent for so long was taken away

_last: dict[str, float] = {}


def beat(kind: str, name: str = "") -> None:
    """Leave a sign, if the last is long enough ago; not to be able to is no reason to stop."""
    name = name or f"{kind}@{socket.gethostname()}"
    now = monotonic()
    if now - _last.get(name, -PAUSE) < PAUSE:
        return
    _last[name] = now
    try:
        _beat(kind, name)
    except Error as problem:
        logger.warning("The %s leaves no sign of life: %s", kind, problem)


def _beat(kind: str, name: str) -> None:
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
class Sign:
    """The last sign of a process."""

    kind: str
    name: str
    age: timedelta

    @property
    def is_fresh(self) -> bool:
        """Is it young enough for a process that works?"""
        return self.age < SILENCES.get(self.kind, SILENCE)


@dataclass
class _Known:
    """What a reader remembers of a row."""

    beats: int
    age: float  # seconds, when this number of beats was first seen
    since: float  # on the reader's monotonic clock
    looked: float


class Reader:
    """Ages by the reader's own monotonic clock: a sign is young because it was seen to change, not
    because of a time of day that another clock wrote, or that was set back since."""

    def __init__(self) -> None:
        self._known: dict[str, _Known] = {}
        self._lock = Lock()

    def signs(self) -> list[Sign]:
        """All that are remembered, the youngest first."""
        rows = list(Pulse.objects.all())
        with self._lock:
            signs = [Sign(row.kind, row.name, timedelta(seconds=self._age(row))) for row in rows]
        return sorted(signs, key=lambda sign: sign.age)

    def _age(self, row: Pulse) -> float:
        now, known = monotonic(), self._known.get(row.name)
        if known is None or known.beats != row.beats:
            age = abs((timezone.now() - row.at).total_seconds())  # a future time is no good sign
            if known is not None:
                age = min(age, now - known.looked)
            known = self._known[row.name] = _Known(row.beats, age, now, now)
        known.looked = now
        return known.age + now - known.since


reader = Reader()


def ages() -> dict[str, timedelta | None]:
    """How long ago the youngest sign of each kind was left; None: never."""
    found: dict[str, timedelta | None] = {WORKER: None, SWEEPER: None}
    for sign in reversed(reader.signs()):
        found[sign.kind] = sign.age
    return found


def expected(signs: list[Sign], kind: str) -> list[Sign]:
    """The last signs of those who should be there: who was silent for long was taken away, unless
    there is no other."""
    of_kind = [sign for sign in signs if sign.kind == kind]
    return [sign for sign in of_kind if sign.age < FORGOTTEN] or of_kind[:1]


def is_alive(age: timedelta | None) -> bool:
    """Is a process of which that is the last sign still there?"""
    return age is not None and age < SILENCE


def forget() -> int:
    """Drop what is left of processes that were taken away; how many."""
    old = [sign.name for sign in reader.signs() if sign.age > 6 * FORGOTTEN]
    return Pulse.objects.filter(name__in=old).delete()[0]

"""Are workers and sweeper alive? Each leaves a sign every few seconds, where all can see it."""

from __future__ import annotations

import logging
from datetime import timedelta
from threading import Thread
from time import monotonic, sleep
from typing import Final

from django.db import Error, close_old_connections
from django.utils import timezone

from ai.models import Pulse

logger = logging.getLogger(__name__)

WORKER: Final = "worker"
SWEEPER: Final = "sweeper"
PAUSE: Final = 5.0  # seconds between two signs
SILENCE: Final = timedelta(seconds=30)  # after that, somebody is taken for dead

_last: dict[str, float] = {}


def beat(name: str) -> None:
    """Leave a sign, if the last is long enough ago; not to be able to is no reason to stop."""
    now = monotonic()
    if now - _last.get(name, -PAUSE) < PAUSE:
        return
    _last[name] = now
    try:
        Pulse.objects.update_or_create(name=name, defaults={"at": timezone.now()})
    except Error as problem:
        logger.warning("The %s leaves no sign of life: %s", name, problem)


def beat_on(name: str) -> None:
    """Leave signs in a thread, until the process ends."""

    def run() -> None:
        while True:
            sleep(PAUSE)
            close_old_connections()
            beat(name)

    beat(name)
    Thread(target=run, daemon=True, name=f"pulse of the {name}").start()


def ages() -> dict[str, timedelta | None]:
    """How long ago each left its last sign; None: never."""
    now = timezone.now()
    signs = dict(Pulse.objects.values_list("name", "at"))
    return {name: now - signs[name] if name in signs else None for name in (WORKER, SWEEPER)}


def is_alive(age: timedelta | None) -> bool:
    """Is somebody of whom that is the last sign still there?"""
    return age is not None and age < SILENCE

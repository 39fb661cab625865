"""The examinations of `manage.py doctor`: the keys, the database, the broker, the processes, the
games that are stuck, and the machine."""

from __future__ import annotations

import shutil
import socket
from collections.abc import Callable, Iterator, Mapping
from datetime import timedelta
from enum import StrEnum
from pathlib import Path
from typing import Any, Final, NamedTuple

from django.conf import settings
from django.db import Error, connection
from django.db.models import QuerySet
from django.utils import timezone

from ai import clock_budget
from ai.models import BotFailure
from api import metrics, readiness
from api.webhooks import delivery_attempts
from config.keys import fingerprint_check
from config.keys.fingerprint_check import WrongKeysError
from config.keys.key_files import MissingKeysError
from games import selectors
from games.models import Game
from jobs import heartbeats
from tabularium_engines.builds.compiled_engines import engine_mode

MOST_NAMED: Final = 10  # games in one finding
LATE: Final = timedelta(seconds=60)  # until a clock that ran out, or a webhook, counts as stuck
LONG_QUEUE: Final = 100  # tasks
LITTLE_SPACE: Final = 0.1  # of a disk
PROCESSES_BY_PART: Final[Mapping[str, tuple[str, ...]]] = {
    "worker": (heartbeats.BOT_WORKER, *heartbeats.OTHER_WORKERS),
    "sweeper": (heartbeats.SWEEPER,),
}
CLOCK_TOLERANCE: Final = timedelta(seconds=5)


class State(StrEnum):
    """How bad a finding is."""

    GOOD = "good"
    WARNING = "warning"  # it is worth a look
    BAD = "bad"  # games or clients suffer from it


class Finding(NamedTuple):
    """The outcome of one examination; a remedy names the command that helps."""

    name: str
    state: State
    detail: str
    remedy: str = ""


def examine_here(part: str) -> Finding:
    """Whether each process of a part gives signs of life on this machine or in this container."""
    kinds = PROCESSES_BY_PART[part]
    here = f"@{socket.gethostname()}"
    try:
        signs = heartbeats.reader.latest_heartbeats()
    except Error as problem:
        return Finding(part, State.BAD, f"the database does not answer: {problem}".strip())
    fresh = {sign.kind for sign in signs if sign.name.endswith(here) and sign.is_fresh}
    if missing := [kind for kind in kinds if kind not in fresh]:
        return Finding(part, State.BAD, f"no sign of life{here}: {', '.join(missing)}")
    return Finding(part, State.GOOD, f"seen{here}: {', '.join(kinds)}")


def examine() -> Iterator[Finding]:
    """All findings. One examination that fails does not hide the others."""
    for name, examination in EXAMINATIONS.items():
        try:
            yield examination()
        except Error as problem:
            yield Finding(name, State.BAD, f"the database does not answer: {problem}".strip())


def _keys() -> Finding:
    try:
        fingerprint_check.confirm_keys()
    except (MissingKeysError, WrongKeysError) as problem:
        return Finding("keys", State.BAD, str(problem), "manage.py keys")
    return Finding("keys", State.GOOD, "they are those of the database")


def _database() -> Finding:
    connection.ensure_connection()
    check = readiness.check_migrations()
    detail = f"{connection.vendor}, migrations: {check.detail}"
    if not check.is_ok:
        return Finding("database", State.BAD, detail, "manage.py migrate")
    return Finding("database", State.GOOD, detail)


def _engines() -> Finding:
    mode = engine_mode()
    if mode == "interpreted":
        return Finding("engines", State.WARNING, "they run interpreted", "make compile")
    return Finding("engines", State.GOOD, f"they run {mode}")


def _broker() -> Finding:
    try:
        check = readiness.broker_probe(readiness.BROKER_TIMEOUT_SECONDS)
        sizes = metrics.queue_sizes() if check.is_ok else {}
    except Exception as problem:  # noqa: BLE001  # its type depends on the broker
        return Finding("broker", State.BAD, f"{type(problem).__name__}: no answer")
    waiting = ", ".join(f"{name} {size}" for name, size in sizes.items())
    if not check.is_ok:
        return Finding("broker", State.BAD, check.detail)
    is_long = any(size > LONG_QUEUE for size in sizes.values())
    return Finding("broker", State.WARNING if is_long else State.GOOD, f"tasks waiting: {waiting}")


def _processes() -> Finding:
    """The workers and the sweeper, without which games stand still."""
    signs = heartbeats.reader.latest_heartbeats()
    worker, sweeper = readiness.check_workers(signs), readiness.check_sweeper(signs)
    detail = f"worker: {worker.detail}; sweeper: {sweeper.detail}"
    if worker.is_ok and sweeper.is_ok:
        return Finding("processes", State.GOOD, detail)
    return Finding("processes", State.BAD, detail, "manage.py serve")


def _stalled_games() -> Finding:
    stalled = selectors.games_stalled(timezone.now(), clock_budget.STALLED_AFTER)
    return _named_games(
        "stalled games",
        stalled.values_list("pk", flat=True),
        "wait for a bot",
        "manage.py game poke",
    )


def _overdue_games() -> Finding:
    overdue = selectors.games_past_deadline(timezone.now() - LATE)
    names = overdue.values_list("pk", flat=True)
    return _named_games(
        "overdue games", names, "have a clock that ran out", "manage.py sweep --once"
    )


def _failing_bots() -> Finding:
    failures = BotFailure.objects.filter(attempts__gt=1)
    games = Game.objects.filter(pk__in=failures.values("game"), phase=Game.Phase.PLAYING)
    return _named_games(
        "failing bots",
        games.values_list("pk", flat=True),
        "have a bot that failed repeatedly",
        "manage.py game show",
        State.WARNING,
    )


def _missing_rules() -> Finding:
    """Games that cannot go on, because the package with their rules is gone."""
    unfinished = Game.objects.filter(phase__in=(Game.Phase.GATHERING, Game.Phase.PLAYING))
    names = unfinished.exclude(selectors.has_installed_rules()).values_list("pk", flat=True)
    return _named_games(
        "missing rules", names, "have rules that are not installed", "manage.py game show"
    )


def _webhooks() -> Finding:
    lag = delivery_attempts.delivery_lag()
    state = State.WARNING if lag > LATE else State.GOOD
    return Finding(
        "webhooks", state, f"the oldest due delivery waits {max(0.0, lag.total_seconds()):.0f} s"
    )


def _disk() -> Finding:
    """The disk with the data folder: on SQLite the database, and without Redis the spool."""
    folder = next(place for place in (settings.DATA, *settings.DATA.parents) if place.is_dir())
    usage = shutil.disk_usage(Path(folder))
    is_little = usage.free < LITTLE_SPACE * usage.total
    detail = f"{usage.free / 1e9:.1f} of {usage.total / 1e9:.1f} GB are free"
    return Finding("disk", State.WARNING if is_little else State.GOOD, detail)


def _clock() -> Finding:
    """Entries from the future: the clock of this machine was set back, or another one is ahead."""
    # the phases are all that there are: their index has the times
    ahead = Game.objects.filter(
        phase__in=Game.Phase.values, at__gt=timezone.now() + CLOCK_TOLERANCE
    )
    names = ahead.values_list("pk", flat=True)
    return _named_games(
        "clock", names, "have entries from the future", "set the clock", State.WARNING
    )


def _named_games(
    name: str, games: QuerySet[Any, str], what: str, remedy: str, state: State = State.BAD
) -> Finding:
    """A finding about games: good if there are none."""
    found = list(games[: MOST_NAMED + 1])
    if not found:
        return Finding(name, State.GOOD, "none")
    more = ", …" if len(found) > MOST_NAMED else ""
    return Finding(name, state, f"{', '.join(found[:MOST_NAMED])}{more} {what}", remedy)


EXAMINATIONS: Final[dict[str, Callable[[], Finding]]] = {
    "keys": _keys,
    "database": _database,
    "engines": _engines,
    "broker": _broker,
    "processes": _processes,
    "stalled games": _stalled_games,
    "overdue games": _overdue_games,
    "failing bots": _failing_bots,
    "missing rules": _missing_rules,
    "webhooks": _webhooks,
    "disk": _disk,
    "clock": _clock,
}

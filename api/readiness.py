"""Readiness checks of the service and their endpoint: whether clients may be sent to it, judged by
real events instead of trials.

The events are canaries that arrived, rounds of the sweeper, writes of this process, and games that
wait for a bot.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from concurrent.futures import Future
from contextlib import contextmanager
from datetime import timedelta
from queue import SimpleQueue
from threading import Lock, Thread
from time import monotonic
from typing import Any, Final, Generic, TypeVar

from celery import current_app
from django.db import Error, close_old_connections, connection
from django.db.migrations.loader import MigrationLoader
from django.db.migrations.recorder import MigrationRecorder
from django.utils import timezone
from rest_framework.request import Request
from rest_framework.response import Response

from ai import clock_budget
from api.base_endpoint import Endpoint
from api.errors import Refusal
from api.schema import operation, refused_with
from api.shape_responses import reply
from api.shapes.readiness import Check, Readiness
from games import selectors
from games.write_health import write_health
from jobs import heartbeats
from jobs.heartbeats import Heartbeat

T = TypeVar("T")

DATABASE_TIMEOUT_SECONDS: Final = 5.0  # then the database counts as away
BROKER_CHECK_CACHE_SECONDS: Final = 5.0  # for which a result is reused
NEVER_SEEN: Final = "never seen"
MOST_NAMED: Final = 3  # stalled games
MAX_STALLED_GAMES: Final = 1_000  # rows read at most

BROKER_TIMEOUT_SECONDS: Final = 2.0
CANARY_MISSED_AFTER: Final = timedelta(seconds=2 * heartbeats.BEAT_INTERVAL_SECONDS)


class SharedProbe(Generic[T]):
    """Runs a check in its own thread, so that a hanging check blocks no caller; all callers
    meanwhile share one run."""

    def __init__(self, probe: Callable[[], T]) -> None:
        self._probe = probe
        self._requests: SimpleQueue[Future[T]] = SimpleQueue()
        self._thread: Thread | None = None
        self._future: Future[T] | None = None
        self._lock = Lock()

    def __call__(self, limit: float) -> T:
        """The result of the check; TimeoutError if there is none within `limit` seconds."""
        return self._pending_result().result(limit)

    def _pending_result(self) -> Future[T]:
        with self._lock:
            if self._thread is None:
                self._thread = Thread(target=self._run, daemon=True, name="readiness")
                self._thread.start()
            if self._future is None or self._future.done():
                self._future = Future()
                self._requests.put(self._future)
            return self._future

    def _run(self) -> None:
        while True:
            future = self._requests.get()
            try:
                close_old_connections()
                future.set_result(self._probe())
            except BaseException as problem:  # noqa: BLE001  # the caller receives it
                future.set_exception(problem)


def current_readiness() -> Readiness:
    """The readiness of the service; Refusal if it is not ready, or does not answer in time."""
    try:
        return readiness_probe(DATABASE_TIMEOUT_SECONDS)
    except TimeoutError as problem:
        raise Refusal(
            "not-ready", f"database: no answer for {DATABASE_TIMEOUT_SECONDS:.0f} s."
        ) from problem


def probe_readiness() -> Readiness:
    """The readiness of the service; Refusal if it is not ready."""
    signs, database = _load_heartbeats()
    migrations = check_migrations() if database.is_ok else Check(False, "unknown")
    vital_checks = {"database": database, "migrations": migrations, "writes": _check_writes(signs)}
    if not all(check.is_ok for check in vital_checks.values()):
        details = "; ".join(f"{name}: {check.detail}" for name, check in vital_checks.items())
        raise Refusal("not-ready", f"{details}.")
    worker, sweeper = check_workers(signs), check_sweeper(signs)
    broker = _check_broker(worker, signs)
    tables = _check_stalled_games()
    is_fully_ok = all(check.is_ok for check in (broker, worker, sweeper, tables))
    return Readiness(
        "ready" if is_fully_ok else "degraded",
        **vital_checks,
        broker=broker,
        worker=worker,
        sweeper=sweeper,
        tables=tables,
    )


readiness_probe: Final = SharedProbe(probe_readiness)


# -- vital checks ---------------------------------------------------------------------------------


def _load_heartbeats() -> tuple[list[Heartbeat], Check]:
    """All heartbeats; reading them also checks that the database answers."""
    try:
        return heartbeats.reader.latest_heartbeats(), Check(True, connection.vendor)
    except Error as problem:
        return [], Check(False, f"{type(problem).__name__}: no answer")


class _MigrationsCheck:
    """Whether all migrations are applied. Once they are, it does not look again: a migration
    reverted while the process runs goes unnoticed."""

    def __init__(self) -> None:
        self.is_complete = False

    def __call__(self) -> Check:
        if not self.is_complete:
            try:
                missing = self._missing_migrations()
            except Error as problem:
                return Check(False, f"{type(problem).__name__}: unknown")
            if missing:
                return Check(False, f"missing: {', '.join(missing)}")
            self.is_complete = True
        return Check(True, "all applied")

    @staticmethod
    def _missing_migrations() -> list[str]:
        expected = set(MigrationLoader(None, ignore_no_migrations=True).graph.nodes)
        applied = MigrationRecorder(connection).applied_migrations()
        return sorted(f"{app}.{name}" for app, name in expected - set(applied))


check_migrations: Final = _MigrationsCheck()


def _check_writes(signs: list[Heartbeat]) -> Check:
    """The last write of this process; a failure is outdated by a later heartbeat of any process."""
    failure = write_health.last_failure
    if failure is None or any(sign.age.total_seconds() < failure.age for sign in signs):
        return Check(True, "the last write succeeded")
    return Check(False, f"the last write failed {failure.age:.0f} s ago: {failure.sentence}")


# -- checks that only degrade ---------------------------------------------------------------------


def check_workers(signs: list[Heartbeat]) -> Check:
    """The bot workers, and all other workers that should be running."""
    bots = _check_heartbeats(heartbeats.expected_heartbeats(signs, heartbeats.BOT_WORKER))
    other_checks = [
        _check_heartbeats(heartbeats.expected_heartbeats(signs, kind))
        for kind in heartbeats.OTHER_WORKERS
    ]
    seen_checks = [check for check in other_checks if check.detail != NEVER_SEEN]
    return next((check for check in (bots, *seen_checks) if not check.is_ok), bots)


def check_sweeper(signs: list[Heartbeat]) -> Check:
    """The sweeper."""
    return _check_heartbeats(heartbeats.expected_heartbeats(signs, heartbeats.SWEEPER))


def _check_heartbeats(signs: list[Heartbeat]) -> Check:
    """Whether all heartbeats are fresh; the detail names the oldest one."""
    if not signs:
        return Check(False, NEVER_SEEN)
    fresh_count = sum(sign.is_fresh for sign in signs)
    last = signs[-1]
    detail = f"{last.name} was seen {last.age.total_seconds():.0f} s ago"
    detail += f", the last of {len(signs)}" if len(signs) > 1 else ""
    return Check(fresh_count == len(signs), detail)


class _StalledGamesCheck:
    """Games that wait for a bot longer than any bot thinks. If the system clock was set back after
    the last entry, the time of the entry is meaningless: such a game waits since this process first
    saw it, and one found by the first check counts as stalled."""

    def __init__(self) -> None:
        self._first_seen: dict[tuple[str, int], float] = {}
        self._has_looked = False

    def __call__(self) -> Check:
        now = timezone.now()
        known_games = [game for game, _ in self._first_seen]
        stalled_games = selectors.games_stalled(now, clock_budget.STALLED_AFTER, known_games)
        rows = list(
            stalled_games.values_list("pk", "seq", "at")[:MAX_STALLED_GAMES]
        )  # the oldest first
        undated_entries = (
            (game, seq) for game, seq, at in rows if at > now or (game, seq) in self._first_seen
        )
        wait = self._longest_wait(list(undated_entries))
        if rows:
            wait = max(wait, (now - rows[0][2]).total_seconds())
        if wait < clock_budget.STALLED_AFTER.total_seconds():
            return Check(True, "no game waits too long for a bot")
        # readiness is public, so it names only games that the lists name
        listed = stalled_games.filter(selectors.PUBLIC).values_list("pk", flat=True)[:MOST_NAMED]
        names = f": {', '.join(listed)}" if listed else ""
        return Check(False, f"a game has waited for a bot for {wait:.0f} s{names}")

    def _longest_wait(self, entries: list[tuple[str, int]]) -> float:
        """The seconds since the earliest of these entries was first seen."""
        now = monotonic()
        first_seen = now if self._has_looked else now - clock_budget.STALLED_AFTER.total_seconds()
        self._first_seen = {entry: self._first_seen.get(entry, first_seen) for entry in entries}
        self._has_looked = True
        return now - min(self._first_seen.values(), default=now)


_check_stalled_games: Final = _StalledGamesCheck()


class _BrokerCheck:
    """The broker, which is queried at intervals only while no canaries arrive."""

    def __init__(self) -> None:
        self.checked_at = -BROKER_CHECK_CACHE_SECONDS
        self.last_check = Check(False, NEVER_SEEN)

    def __call__(self, worker: Check, signs: list[Heartbeat]) -> Check:
        if worker.is_ok and has_recent_canary(signs):
            return Check(True, "canaries arrive")
        if monotonic() - self.checked_at >= BROKER_CHECK_CACHE_SECONDS:
            self.last_check, self.checked_at = self._query_broker(), monotonic()
        return self.last_check

    @staticmethod
    def _query_broker() -> Check:
        try:
            return broker_probe(BROKER_TIMEOUT_SECONDS)
        except TimeoutError:
            return Check(False, f"no answer for {BROKER_TIMEOUT_SECONDS:.0f} s")


def has_recent_canary(signs: list[Heartbeat]) -> bool:
    """Whether the broker has lately carried a canary to a worker. A hang of the broker is found
    before its workers count as dead."""
    return any(sign.age < CANARY_MISSED_AFTER for sign in signs if sign.kind != heartbeats.SWEEPER)


_check_broker: Final = _BrokerCheck()


@contextmanager
def broker_connection() -> Iterator[Any]:
    """A connection to the broker that answers, with short timeouts; the exception raised otherwise
    depends on the broker."""
    with current_app.connection_for_write(connect_timeout=BROKER_TIMEOUT_SECONDS) as broker:
        broker.ensure_connection(max_retries=1, timeout=BROKER_TIMEOUT_SECONDS)
        yield broker


def _probe_broker() -> Check:
    try:
        with broker_connection() as broker:
            return Check(True, str(broker.transport_cls))
    except Exception as problem:  # noqa: BLE001  # its type depends on the broker
        return Check(False, f"{type(problem).__name__}: no answer")


broker_probe: Final = SharedProbe(_probe_broker)


# -- the endpoint ---------------------------------------------------------------------------------


class ReadinessEndpoint(Endpoint):
    """The readiness of the service."""

    @operation("ready", reply=Readiness)
    @refused_with("not-ready")
    def get(self, request: Request) -> Response:
        """Check whether the service is ready. It is not (503) without its database, all migrations
        and working writes. While the broker, a worker or the sweeper is away, or games have waited
        too long for a bot, the service is degraded: games can be played, but bots answer late or
        not at all."""
        return reply(current_readiness())

"""May callers be sent here? Told from what has really happened, and nothing is tried out for it.

That is: canaries that arrived, rounds of the sweeper, writes of this process, tables that wait.
"""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import Future
from queue import SimpleQueue
from threading import Lock, Thread
from time import monotonic
from typing import Final, Generic, TypeVar

from django.db import Error, close_old_connections, connection
from django.db.migrations.loader import MigrationLoader
from django.db.migrations.recorder import MigrationRecorder
from django.utils import timezone

from ai import pulses, sweeping
from ai.pulses import Sign
from api import broker as brokers
from api.errors import Refusal
from api.shapes.vitals import Check, Readiness
from games import selectors
from games.writes import writes

T = TypeVar("T")

LIMIT: Final = 5.0  # seconds, after which the database is taken for away
KEPT: Final = 5.0  # seconds for which the broker is not asked again
NEVER: Final = "never seen"
MOST: Final = 1_000  # tables that are looked at


class Looker(Generic[T]):
    """Looks in a thread of its own, so that no caller waits for what hangs: all who ask meanwhile
    share one look."""

    def __init__(self, look: Callable[[], T]) -> None:
        self._look = look
        self._asked: SimpleQueue[Future[T]] = SimpleQueue()
        self._thread: Thread | None = None
        self._future: Future[T] | None = None
        self._lock = Lock()

    def __call__(self, limit: float) -> T:
        """What it sees; TimeoutError if it sees nothing within so many seconds."""
        return self._asked_for().result(limit)

    def _asked_for(self) -> Future[T]:
        with self._lock:
            if self._thread is None:
                self._thread = Thread(target=self._run, daemon=True, name="readiness")
                self._thread.start()
            if self._future is None or self._future.done():
                self._future = Future()
                self._asked.put(self._future)
            return self._future

    def _run(self) -> None:
        while True:
            future = self._asked.get()
            try:
                close_old_connections()
                future.set_result(self._look())
            except BaseException as problem:  # noqa: BLE001  # whoever asked has it
                future.set_exception(problem)


def readiness() -> Readiness:
    """How the service is; Refusal if it is not ready, or does not say in time."""
    try:
        return looker(LIMIT)
    except TimeoutError as problem:
        raise Refusal("not-ready", f"database: no answer for {LIMIT:.0f} s.") from problem


def look() -> Readiness:
    """How the service is; Refusal if it is not ready."""
    signs, database = _signs()
    migrations = missing() if database.is_ok else Check(False, "not to be known")
    vital = {"database": database, "migrations": migrations, "writes": _writes(signs)}
    if not all(check.is_ok for check in vital.values()):
        said = "; ".join(f"{name}: {check.detail}" for name, check in vital.items())
        raise Refusal("not-ready", f"{said}.")
    worker, sweeper = _worker(signs), _seen(pulses.expected(signs, pulses.SWEEPER))
    broker = _broker(worker, signs)
    tables = _tables()
    is_whole = all(check.is_ok for check in (broker, worker, sweeper, tables))
    return Readiness(
        "ready" if is_whole else "degraded",
        **vital,
        broker=broker,
        worker=worker,
        sweeper=sweeper,
        tables=tables,
    )


looker: Final = Looker(look)


# -- what decides ---------------------------------------------------------------------------------


def _signs() -> tuple[list[Sign], Check]:
    """All signs of life: to read them is also how the database shows that it answers."""
    try:
        return pulses.reader.signs(), Check(True, connection.vendor)
    except Error as problem:
        return [], Check(False, f"{type(problem).__name__}: it does not answer")


class _Migrations:
    """What this code expects of the database. Once all is there, that stays so: what is taken back
    while the process runs is not looked for."""

    def __init__(self) -> None:
        self.is_complete = False

    def __call__(self) -> Check:
        if not self.is_complete:
            try:
                lacking = self._lacking()
            except Error as problem:
                return Check(False, f"{type(problem).__name__}: not to be known")
            if lacking:
                return Check(False, f"missing: {', '.join(lacking)}")
            self.is_complete = True
        return Check(True, "all are there")

    @staticmethod
    def _lacking() -> list[str]:
        expected = set(MigrationLoader(None, ignore_no_migrations=True).graph.nodes)
        applied = MigrationRecorder(connection).applied_migrations()
        return sorted(f"{app}.{name}" for app, name in expected - set(applied))


missing: Final = _Migrations()


def _writes(signs: list[Sign]) -> Check:
    """The last write of this process; or a later one of another, that left a sign of life."""
    failure = writes.failure
    if failure is None or any(sign.age.total_seconds() < failure.age for sign in signs):
        return Check(True, "the last one is kept")
    return Check(False, f"the last one failed {failure.age:.0f} s ago: {failure.sentence}")


# -- what helps -----------------------------------------------------------------------------------


def _worker(signs: list[Sign]) -> Check:
    """Those who think for bots; and all others that should take work."""
    bots = _seen(pulses.expected(signs, pulses.WORKER))
    others = [_seen(pulses.expected(signs, kind)) for kind in (pulses.ANALYSTS, pulses.ERRANDS)]
    known = [check for check in others if check.detail != NEVER]
    return next((check for check in (bots, *known) if not check.is_ok), bots)


def _seen(signs: list[Sign]) -> Check:
    """Are all of them fresh? The one that was silent longest is told."""
    if not signs:
        return Check(False, NEVER)
    fresh = sum(sign.is_fresh for sign in signs)
    last = signs[-1]
    told = f"{last.name} was seen {last.age.total_seconds():.0f} s ago"
    told += f", the last of {len(signs)}" if len(signs) > 1 else ""
    return Check(fresh == len(signs), told)


class _Tables:
    """Tables that wait for a bot longer than any thinks. Where an entry was made by a clock that
    has been set back since, its time says nothing: such a table waits since it was first seen, and
    one that a process sees at its first look may have waited for long."""

    def __init__(self) -> None:
        self._seen: dict[tuple[str, int], float] = {}
        self._has_looked = False

    def __call__(self) -> Check:
        now = timezone.now()
        known = [game for game, _ in self._seen]
        stalled = selectors.games_stalled(now, sweeping.PATIENCE, known)
        rows = list(stalled.values_list("pk", "seq", "at")[:MOST])  # the oldest first
        ahead = ((game, seq) for game, seq, at in rows if at > now or (game, seq) in self._seen)
        wait = self._wait_of(list(ahead))
        if rows:
            wait = max(wait, (now - rows[0][2]).total_seconds())
        if wait < sweeping.PATIENCE.total_seconds():
            return Check(True, "no table waits too long for a bot")
        return Check(False, f"a table waits for a bot since {wait:.0f} s")

    def _wait_of(self, found: list[tuple[str, int]]) -> float:
        """For how long the one of them has been known that has been known for longest."""
        now = monotonic()
        first = now if self._has_looked else now - sweeping.PATIENCE.total_seconds()
        self._seen = {one: self._seen.get(one, first) for one in found}
        self._has_looked = True
        return now - min(self._seen.values(), default=now)


_tables: Final = _Tables()


class _Broker:
    """The broker, asked now and then where no canary tells."""

    def __init__(self) -> None:
        self.asked_at = -KEPT
        self.known = Check(False, NEVER)

    def __call__(self, worker: Check, signs: list[Sign]) -> Check:
        if worker.is_ok and signs:
            return Check(True, "canaries arrive")
        if monotonic() - self.asked_at >= KEPT:
            self.known, self.asked_at = self._answer(), monotonic()
        return self.known

    @staticmethod
    def _answer() -> Check:
        try:
            return broker_looker(brokers.PATIENCE)
        except TimeoutError:
            return Check(False, f"no answer for {brokers.PATIENCE:.0f} s")


_broker: Final = _Broker()


def _asked() -> Check:
    try:
        with brokers.connected() as reached:
            return Check(True, str(reached.transport_cls))
    except Exception as problem:  # noqa: BLE001  # of whichever broker it is
        return Check(False, f"{type(problem).__name__}: it does not answer")


broker_looker: Final = Looker(_asked)

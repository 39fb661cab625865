"""A storm with watchers: clients play, 32 streams are followed and readiness is polled while faults
are injected one after another; then everything received is checked against the logs."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from random import Random
from threading import Event
from time import monotonic, sleep
from typing import Any, Final

from tests.chaos.faults.kinds import KINDS
from tests.chaos.http_client import Unanswered
from tests.chaos.instance import Instance
from tests.chaos.readiness_check import Progress, ReadinessPolls
from tests.chaos.stores import Store
from tests.chaos.tables import Table, start_players
from tests.chaos.watchers import GameWatcher, Watcher, start_watchers

TABLE_COUNT: Final = 8  # each with four streams
RECOVERY_TIMEOUT: Final = 30.0  # seconds after a fault in which every table must go on
START_TIMEOUT: Final = 90.0  # seconds that a loaded machine may take to start
EFFECT_TIMEOUT: Final = 15.0  # seconds in which a fault must be seen
ACTIONS_BETWEEN_FAULTS: Final = 3  # actions of each player between two faults
REST_SECONDS: Final = 1.5  # seconds without a new entry: longer than the clock of an absent player
POLL_INTERVAL: Final = 0.1


class NoStorm(Exception):
    """The storm proves nothing: it did not begin, or a fault did not take effect."""


@dataclass
class Injection:
    """An injected fault, and its effects."""

    kind: str
    seconds: float
    started_at: float  # by the monotonic clock
    took_effect: bool = False
    healed_at: float = 0.0
    recovery_seconds: dict[int, float | None] = field(default_factory=dict)  # seconds, by table

    def document(self) -> dict[str, Any]:
        """The injection as JSON."""
        return {**asdict(self), "lasted": round(self.healed_at - self.started_at, 1)}


class Storm:
    """Everything that runs in a storm, from its first table to its last stream."""

    def __init__(self, folder: Path, stores: Mapping[str, Store], rng: Random) -> None:
        self.instance = Instance(folder, stores)
        self.rng = rng
        self.stopped = Event()
        self.tables: list[Table] = []
        self.watchers: list[Watcher] = []
        self.injections: list[Injection] = []
        self.stuck_tables: set[int] = set()  # tables that did not go on after an earlier fault
        self.began_at = monotonic()
        self.ended_at = 0.0
        self.progress = Progress(self.instance.database_url, self.instance.database_file)
        self.polls = ReadinessPolls(self.instance.caller(address="127.0.1.2"))

    # -- the beginning ----------------------------------------------------------------------------

    def begin(self) -> None:
        """Start everything, and wait until every table has grown and every stream has sent
        something."""
        self.instance.start()
        self._wait(self.instance.is_answering, START_TIMEOUT, "the server does not answer")
        self.tables = [self._table(number) for number in range(TABLE_COUNT)]
        self._threads = start_players(self.tables, self.stopped)
        self.progress.start()
        onlooker = self.instance.caller(address="127.0.1.3")
        self.watchers = start_watchers(self.tables, onlooker, self.instance.folder)
        self.polls.start()
        self._wait(self._is_under_way, START_TIMEOUT, "not every table and stream is under way")
        self.play_on()
        self.began_at = monotonic()

    def _table(self, number: int) -> Table:
        address = f"127.0.2.{number + 1}"
        guest = self._retry_until_answered(
            lambda: self.instance.caller().demand("POST", "/guests", {})
        )
        caller = self.instance.caller(guest["secret"], address)
        journal = self.instance.folder / f"player-{number}.jsonl"
        rng = Random(self.rng.getrandbits(64))
        return Table(number, guest["account"]["id"], caller, journal, rng)

    @staticmethod
    def _retry_until_answered(request: Callable[[], Any]) -> Any:
        end = monotonic() + START_TIMEOUT
        while True:
            try:
                return request()
            except Unanswered:
                if monotonic() > end:
                    raise
                sleep(POLL_INTERVAL)

    def _is_under_way(self) -> bool:
        have_sent = all(
            any(record.entries for record in watcher.records)
            for watcher in self.watchers
            if isinstance(watcher, GameWatcher)
        )
        return have_sent and all(table.games for table in self.tables)

    @staticmethod
    def _wait(condition: Callable[[], bool], timeout: float, message: str) -> None:
        end = monotonic() + timeout
        while not condition():
            if monotonic() > end:
                raise NoStorm(message)
            sleep(POLL_INTERVAL)

    # -- the faults -------------------------------------------------------------------------------

    def inject_fault(self, kind: str, seconds: float) -> None:
        """Inject a fault, prove that it takes effect, let it last, end it, and wait until all
        tables have gone on; then let them play on. CannotInject if the machine does not allow the
        fault."""
        fault = KINDS[kind].fault(self.instance, seconds)
        injection = Injection(kind, seconds, monotonic())
        self.injections.append(injection)
        try:
            fault.inject()
            self._wait(fault.is_in_effect, EFFECT_TIMEOUT, f"{kind} does not take effect")
            injection.took_effect = True
            fault.sustain()
        finally:
            fault.heal()
            injection.healed_at = monotonic()
        self._recover(injection)
        self.play_on()

    def play_on(self) -> None:
        """Wait, for a limited time, until each player has some more actions acknowledged."""
        players = [
            table
            for table in self.tables
            if not (table.is_absent or table.number in self.stuck_tables)
        ]
        targets = [table.acknowledged_count + ACTIONS_BETWEEN_FAULTS for table in players]
        end = monotonic() + RECOVERY_TIMEOUT
        while monotonic() < end and any(
            table.acknowledged_count < target
            for table, target in zip(players, targets, strict=True)
        ):
            sleep(POLL_INTERVAL)

    def _recover(self, injection: Injection) -> None:
        """Wait until each table has gone on, and record when; None: it has not."""
        tables = [table for table in self.tables if table.number not in self.stuck_tables]
        injection.recovery_seconds = {table.number: None for table in tables}
        while (
            None in injection.recovery_seconds.values()
            and monotonic() < injection.healed_at + RECOVERY_TIMEOUT
        ):
            for table in tables:
                moment = self.progress.first_growth(table.games, injection.healed_at)
                if moment is not None and injection.recovery_seconds[table.number] is None:
                    injection.recovery_seconds[table.number] = round(
                        moment - injection.healed_at, 1
                    )
            sleep(POLL_INTERVAL)
        self.stuck_tables |= {
            number for number, seconds in injection.recovery_seconds.items() if seconds is None
        }

    # -- the end ----------------------------------------------------------------------------------

    def end(self) -> None:
        """Stop the players, let the bots finish and the streams catch up; then stop all."""
        self.stopped.set()
        self.ended_at = monotonic()
        for thread in self._threads:
            thread.join()
        end = monotonic() + RECOVERY_TIMEOUT
        while monotonic() < end and not all(table.settle() for table in self.tables):
            sleep(POLL_INTERVAL)
        while monotonic() < end and not (self._is_at_rest() and self._have_sent_all()):
            sleep(POLL_INTERVAL)
        self.polls.stop()
        for watcher in self.watchers:
            watcher.stop()
        for watcher in self.watchers:
            watcher.thread.join()
        self.progress.stop()

    def _is_at_rest(self) -> bool:
        """Whether every game is over or waits for a player who has left."""
        return not any(
            observations[-1].owes_action
            for observations in list(self.progress.observations.values())
        ) and (self.progress.quiet_for() > REST_SECONDS)

    def _have_sent_all(self) -> bool:
        return all(
            record.is_ended or record.last >= self.progress.seq(record.game)
            for watcher in self.watchers
            if isinstance(watcher, GameWatcher)
            for record in watcher.records
        )

    def close(self) -> None:
        """Stop the server."""
        self.stopped.set()
        self.instance.stop()


def schedule_faults(
    names: Sequence[str], seconds: float | None, rng: Random
) -> list[tuple[str, float]]:
    """The kinds and their durations, in an order that the seed decides."""
    order = list(names)
    rng.shuffle(order)
    return [(name, KINDS[name].short if seconds is None else seconds) for name in order]


def injection_counts(injections: Sequence[Injection]) -> dict[str, int]:
    """How often each kind was injected and took effect."""
    return dict(Counter(injection.kind for injection in injections if injection.took_effect))

"""A fault storm: clients play, follow 32 streams and poll `readyz` while faults are injected, one
after another."""

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
from tests.chaos.http_client import NoAnswer
from tests.chaos.instance import Instance
from tests.chaos.readiness_check import ProgressObserver, ReadinessPoller
from tests.chaos.stores import Store
from tests.chaos.tables import Table, start_players
from tests.chaos.watchers import GameWatcher, Watcher, start_watchers
from tests.config.processes import PATIENCE

TABLE_COUNT: Final = 8  # each with four streams
ACTING_SECONDS: Final = 30.0  # in which players act between two faults, if they can
ACTIONS_BETWEEN_FAULTS: Final = 3  # of each player
REST_SECONDS: Final = 1.5  # without a new entry: longer than the clock of an absent player
POLL_INTERVAL: Final = 0.1


class InconclusiveStorm(Exception):
    """A storm that proves nothing: it did not begin, or a fault did not take effect."""


@dataclass
class Injection:
    """An injected fault, and its effects."""

    kind: str
    seconds: float
    started_at: float  # by the monotonic clock
    has_taken_effect: bool = False
    healed_at: float = 0.0
    recovery_seconds: dict[int, float | None] = field(default_factory=dict)  # seconds, by table

    def document(self) -> dict[str, Any]:
        """The injection as JSON."""
        return {**asdict(self), "lasted": round(self.healed_at - self.started_at, 1)}


class FaultStorm:
    """The instance of a storm, its tables, watchers and observers, and the injected faults."""

    def __init__(self, folder: Path, stores: Mapping[str, Store], rng: Random) -> None:
        self.instance = Instance(folder, stores)
        self.rng = rng
        self.stop_event = Event()
        self.tables: list[Table] = []
        self.watchers: list[Watcher] = []
        self.injections: list[Injection] = []
        self.stuck_tables: set[int] = set()  # tables that did not grow after an earlier fault
        self.ended_at = 0.0
        self.observer = ProgressObserver(self.instance.database_url, self.instance.database_file)
        self.readiness_poller = ReadinessPoller(self.instance.client(address="127.0.1.2"))

    # -- the beginning ----------------------------------------------------------------------------

    def begin(self) -> None:
        """Start everything, and wait until every table has a game, every watcher of games has an
        entry, and every player has acted."""
        self.instance.start()
        self._wait_for(self.instance.is_answering, "the server does not answer")
        self.tables = [self._create_table(number) for number in range(TABLE_COUNT)]
        self._threads = start_players(self.tables, self.stop_event)
        self.observer.start()
        onlooker = self.instance.client(address="127.0.1.3")
        self.watchers = start_watchers(self.tables, onlooker, self.instance.folder)
        self.readiness_poller.start()
        self._wait_for(self._has_begun, "not every table and stream has begun")
        self.wait_for_actions()

    def _create_table(self, number: int) -> Table:
        address = f"127.0.2.{number + 1}"
        guest = self._retry_until_answered(
            lambda: self.instance.client().request_document("POST", "/guests", {})
        )
        client = self.instance.client(guest["secret"], address)
        journal = self.instance.folder / f"player-{number}.jsonl"
        rng = Random(self.rng.getrandbits(64))
        return Table(number, guest["account"]["id"], client, journal, rng)

    @staticmethod
    def _retry_until_answered(request: Callable[[], Any]) -> Any:
        deadline = monotonic() + PATIENCE
        while True:
            try:
                return request()
            except NoAnswer:
                if monotonic() > deadline:
                    raise
                sleep(POLL_INTERVAL)

    def _has_begun(self) -> bool:
        has_every_stream_begun = all(
            any(record.entries for record in watcher.records)
            for watcher in self.watchers
            if isinstance(watcher, GameWatcher)
        )
        return has_every_stream_begun and all(table.games for table in self.tables)

    @staticmethod
    def _wait_for(condition: Callable[[], bool], message: str) -> None:
        deadline = monotonic() + PATIENCE
        while not condition():
            if monotonic() > deadline:
                raise InconclusiveStorm(message)
            sleep(POLL_INTERVAL)

    # -- the faults -------------------------------------------------------------------------------

    def inject_fault(self, kind: str, seconds: float) -> None:
        """Inject a fault, prove that it takes effect, sustain it, end it, and wait until all tables
        have grown and the players have acted. CannotInject if the machine does not allow it."""
        fault = KINDS[kind].fault(self.instance, seconds)
        injection = Injection(kind, seconds, monotonic())
        self.injections.append(injection)
        try:
            fault.inject()
            self._wait_for(fault.is_in_effect, f"{kind} does not take effect")
            injection.has_taken_effect = True
            fault.sustain()
        finally:
            fault.heal()
            injection.healed_at = monotonic()
        self._wait_for_recovery(injection)
        self.wait_for_actions()

    def wait_for_actions(self) -> None:
        """Wait, for a limited time, until ACTIONS_BETWEEN_FAULTS more actions of each player are
        acknowledged."""
        players = [
            table
            for table in self.tables
            if not (table.is_absent or table.number in self.stuck_tables)
        ]
        targets = [table.acknowledged_count + ACTIONS_BETWEEN_FAULTS for table in players]
        deadline = monotonic() + ACTING_SECONDS
        while monotonic() < deadline and any(
            table.acknowledged_count < target
            for table, target in zip(players, targets, strict=True)
        ):
            sleep(POLL_INTERVAL)

    def _wait_for_recovery(self, injection: Injection) -> None:
        """Wait until each table has grown, and record the seconds; None: it has not."""
        tables = [table for table in self.tables if table.number not in self.stuck_tables]
        injection.recovery_seconds = {table.number: None for table in tables}
        while (
            None in injection.recovery_seconds.values()
            and monotonic() < injection.healed_at + PATIENCE
        ):
            for table in tables:
                time = self.observer.first_growth(table.games, injection.healed_at)
                if time is not None and injection.recovery_seconds[table.number] is None:
                    injection.recovery_seconds[table.number] = round(time - injection.healed_at, 1)
            sleep(POLL_INTERVAL)
        self.stuck_tables |= {
            number for number, seconds in injection.recovery_seconds.items() if seconds is None
        }

    # -- the end ----------------------------------------------------------------------------------

    def end(self) -> None:
        """Stop the players, wait for the bots and the streams, then stop the watchers."""
        self.stop_event.set()
        self.ended_at = monotonic()
        for thread in self._threads:
            thread.join()
        deadline = monotonic() + PATIENCE
        while monotonic() < deadline and not all(table.finish() for table in self.tables):
            sleep(POLL_INTERVAL)
        while monotonic() < deadline and not (self._is_at_rest() and self._is_every_stream_done()):
            sleep(POLL_INTERVAL)
        self.readiness_poller.stop()
        for watcher in self.watchers:
            watcher.stop()
        for watcher in self.watchers:
            watcher.thread.join()
        self.observer.stop()

    def _is_at_rest(self) -> bool:
        """Whether no game awaits a bot, and none has grown for REST_SECONDS."""
        return not any(
            observations[-1].is_bot_awaited
            for observations in list(self.observer.observations.values())
        ) and (self.observer.seconds_since_growth() > REST_SECONDS)

    def _is_every_stream_done(self) -> bool:
        return all(
            record.is_ended or record.last_seq >= self.observer.seq(record.game)
            for watcher in self.watchers
            if isinstance(watcher, GameWatcher)
            for record in watcher.records
        )

    def close(self) -> None:
        """Stop the server."""
        self.stop_event.set()
        self.instance.stop()


def schedule_faults(
    names: Sequence[str], seconds: float | None, rng: Random
) -> list[tuple[str, float]]:
    """The kinds and their durations, in an order that the seed decides."""
    kinds = list(names)
    rng.shuffle(kinds)
    return [(name, KINDS[name].short_seconds if seconds is None else seconds) for name in kinds]


def injection_counts(injections: Sequence[Injection]) -> dict[str, int]:
    """How often each kind was injected and took effect."""
    return dict(Counter(injection.kind for injection in injections if injection.has_taken_effect))

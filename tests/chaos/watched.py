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

from tests.chaos.asking import Unanswered
from tests.chaos.faults.kinds import KINDS
from tests.chaos.instance import Instance
from tests.chaos.stillness import Polls, Progress
from tests.chaos.stores import Store
from tests.chaos.tables import Table, playing
from tests.chaos.watchers import GameWatcher, Watcher, watching

TABLES: Final = 8  # each with four streams
AGAIN: Final = 30.0  # seconds after a fault in which every table must go on
START: Final = 90.0  # seconds that a loaded machine may take to start
BITE: Final = 15.0  # seconds in which a fault must be seen
CALM: Final = 3  # actions of each player between two faults
REST: Final = 1.5  # seconds without a new entry: longer than the clock of an absent player
TICK: Final = 0.1


class NoStorm(Exception):
    """The storm proves nothing: it did not begin, or a fault did not take effect."""


@dataclass
class Blow:
    """An injected fault, and its effects."""

    kind: str
    seconds: float
    begun: float  # by the monotonic clock
    bit: bool = False
    healed: float = 0.0
    again: dict[int, float | None] = field(default_factory=dict)  # seconds, by table

    def document(self) -> dict[str, Any]:
        """The blow as JSON."""
        return {**asdict(self), "raged": round(self.healed - self.begun, 1)}


class Storm:
    """Everything that runs in a storm, from its first table to its last stream."""

    def __init__(self, folder: Path, stores: Mapping[str, Store], rng: Random) -> None:
        self.instance = Instance(folder, stores)
        self.rng = rng
        self.stopped = Event()
        self.tables: list[Table] = []
        self.watchers: list[Watcher] = []
        self.blows: list[Blow] = []
        self.stuck: set[int] = set()  # tables that did not go on after an earlier fault
        self.began = monotonic()
        self.ended = 0.0
        self.progress = Progress(self.instance.database, self.instance.file)
        self.polls = Polls(self.instance.caller(address="127.0.1.2"))

    # -- the beginning ----------------------------------------------------------------------------

    def begin(self) -> None:
        """Start everything, and wait until every table has grown and every stream has sent
        something."""
        self.instance.start()
        self._wait(self.instance.is_answering, START, "the server does not answer")
        self.tables = [self._table(number) for number in range(TABLES)]
        self._threads = playing(self.tables, self.stopped)
        self.progress.start()
        onlooker = self.instance.caller(address="127.0.1.3")
        self.watchers = watching(self.tables, onlooker, self.instance.folder)
        self.polls.start()
        self._wait(self._is_under_way, START, "not every table and stream is under way")
        self.play_on()
        self.began = monotonic()

    def _table(self, number: int) -> Table:
        address = f"127.0.2.{number + 1}"
        guest = self._asked(lambda: self.instance.caller().demand("POST", "/guests", {}))
        caller = self.instance.caller(guest["secret"], address)
        journal = self.instance.folder / f"player-{number}.jsonl"
        rng = Random(self.rng.getrandbits(64))
        return Table(number, guest["account"]["id"], caller, journal, rng)

    @staticmethod
    def _asked(request: Callable[[], Any]) -> Any:
        end = monotonic() + START
        while True:
            try:
                return request()
            except Unanswered:
                if monotonic() > end:
                    raise
                sleep(TICK)

    def _is_under_way(self) -> bool:
        have_told = all(
            any(heard.told for heard in watcher.heard)
            for watcher in self.watchers
            if isinstance(watcher, GameWatcher)
        )
        return have_told and all(table.games for table in self.tables)

    @staticmethod
    def _wait(is_so: Callable[[], bool], patience: float, otherwise: str) -> None:
        end = monotonic() + patience
        while not is_so():
            if monotonic() > end:
                raise NoStorm(otherwise)
            sleep(TICK)

    # -- the faults -------------------------------------------------------------------------------

    def strike(self, kind: str, seconds: float) -> None:
        """Inject a fault, prove that it takes effect, let it last, end it, and wait until all
        tables have gone on; then let them play on. CannotInject if the machine does not allow the
        fault."""
        fault = KINDS[kind].fault(self.instance, seconds)
        blow = Blow(kind, seconds, monotonic())
        self.blows.append(blow)
        try:
            fault.inject()
            self._wait(fault.bites, BITE, f"{kind} does not bite")
            blow.bit = True
            fault.rage()
        finally:
            fault.heal()
            blow.healed = monotonic()
        self._recover(blow)
        self.play_on()

    def play_on(self) -> None:
        """Wait, for a limited time, until each player has some more actions acknowledged."""
        players = [
            table for table in self.tables if not (table.is_absent or table.number in self.stuck)
        ]
        wanted = [table.acknowledged + CALM for table in players]
        end = monotonic() + AGAIN
        while monotonic() < end and any(
            table.acknowledged < want for table, want in zip(players, wanted, strict=True)
        ):
            sleep(TICK)

    def _recover(self, blow: Blow) -> None:
        """Wait until each table has gone on, and record when; None: it has not."""
        going = [table for table in self.tables if table.number not in self.stuck]
        blow.again = {table.number: None for table in going}
        while None in blow.again.values() and monotonic() < blow.healed + AGAIN:
            for table in going:
                grown = self.progress.grown_at(table.games, blow.healed)
                if grown is not None and blow.again[table.number] is None:
                    blow.again[table.number] = round(grown - blow.healed, 1)
            sleep(TICK)
        self.stuck |= {number for number, after in blow.again.items() if after is None}

    # -- the end ----------------------------------------------------------------------------------

    def end(self) -> None:
        """Stop the players, let the bots finish and the streams catch up; then stop all."""
        self.stopped.set()
        self.ended = monotonic()
        for thread in self._threads:
            thread.join()
        end = monotonic() + AGAIN
        while monotonic() < end and not all(table.settle() for table in self.tables):
            sleep(TICK)
        while monotonic() < end and not (self._is_at_rest() and self._have_told_all()):
            sleep(TICK)
        self.polls.stop()
        for watcher in self.watchers:
            watcher.stop()
        for watcher in self.watchers:
            watcher.thread.join()
        self.progress.stop()

    def _is_at_rest(self) -> bool:
        """Whether every game is over or waits for a player who has left."""
        return not any(looks[-1].owes for looks in list(self.progress.looks.values())) and (
            self.progress.quiet_for() > REST
        )

    def _have_told_all(self) -> bool:
        return all(
            heard.is_ended or heard.last >= self.progress.seq(heard.game)
            for watcher in self.watchers
            if isinstance(watcher, GameWatcher)
            for heard in watcher.heard
        )

    def close(self) -> None:
        """Stop the server."""
        self.stopped.set()
        self.instance.stop()


def forecast(names: Sequence[str], seconds: float | None, rng: Random) -> list[tuple[str, float]]:
    """The kinds and their durations, in an order that the seed decides."""
    order = list(names)
    rng.shuffle(order)
    return [(name, KINDS[name].short if seconds is None else seconds) for name in order]


def injected(blows: Sequence[Blow]) -> dict[str, int]:
    """How often each kind was injected and took effect."""
    return dict(Counter(blow.kind for blow in blows if blow.bit))

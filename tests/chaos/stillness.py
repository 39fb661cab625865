"""The check of readiness: no "ready" reply while bots or writes stand still.

The progress of all games is read four times a second from the database itself, past the service,
the proxies and the served processes' clock. A table stands still while it owes a bot's action; the
writes stand still while some player's request is unanswered and none of them is acknowledged.
"""

from __future__ import annotations

import sqlite3
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from contextlib import suppress
from pathlib import Path
from threading import Event, Thread
from time import monotonic
from typing import Any, Final, NamedTuple

import psycopg

from tests.chaos.asking import Caller, Unanswered

LIMIT: Final = 15.0  # seconds for which bots or writes may stand still behind a "ready"
THINKING: Final = 1.0  # seconds, at most, of the slowest bot that plays here
SLACK: Final = 1.0  # seconds: twice the pause between two looks, plus the reply's latency
RESUMING: Final = 3.0  # seconds in which a recovering server may answer a poll before an action
LOOKS: Final = 0.25
POLLS: Final = 0.5
QUERY: Final = "SELECT id, seq, awaited & bots, phase FROM games_game"


class Interval(NamedTuple):
    """The begin and end, by the monotonic clock, and the subject."""

    begin: float
    end: float
    what: str


class Look(NamedTuple):
    """An observation of a game: its seq, and whether it owed a bot's action."""

    at: float
    seq: int
    owes: bool
    is_over: bool


class Ready(NamedTuple):
    """A reply of `readyz`: when it was requested, when it came, and its content."""

    asked: float
    answered: float
    said: str  # "ready", "degraded", or the status of a refusal


class Progress:
    """Observes all games, in its own thread."""

    def __init__(self, url: str, file: Path) -> None:
        self.looks: dict[str, list[Look]] = {}
        self._url, self._file = url, file
        self._connection: Any = None
        self._stopped = Event()
        self._thread = Thread(target=self._run, daemon=True, name="progress")

    def start(self) -> None:
        """Start observing."""
        self._thread.start()

    def stop(self) -> None:
        """Stop observing."""
        self._stopped.set()
        self._thread.join()

    def seq(self, game: str) -> int:
        """The seq of a game at the last look."""
        looks = self.looks.get(game, [])
        return looks[-1].seq if looks else 0

    def quiet_for(self) -> float:
        """The seconds since any game last grew, as far as observed."""
        last = [next(_same(looks[::-1]))[1].at for looks in list(self.looks.values())]
        return monotonic() - max(last, default=0.0)

    def grown_at(self, games: Sequence[str], since: float) -> float | None:
        """The moment when one of these games first grew, or began, after `since`."""
        moments = [self._grown(self.looks.get(game, []), since) for game in list(games)]
        return min((moment for moment in moments if moment is not None), default=None)

    @staticmethod
    def _grown(looks: list[Look], since: float) -> float | None:
        after = bisect_right(looks, since, key=lambda look: look.at)
        before = looks[after - 1].seq if after else 0
        return next((look.at for look in looks[after:] if look.seq > before), None)

    def _run(self) -> None:
        while not self._stopped.wait(LOOKS):
            try:
                rows = self._rows()
            except (psycopg.Error, sqlite3.Error):
                with suppress(Exception):
                    self._connection.close()
                self._connection = None
                continue
            now = monotonic()
            for game, seq, owed, phase in rows:
                look = Look(now, seq, bool(owed) and phase == "playing", phase == "over")
                self.looks.setdefault(game, []).append(look)

    def _rows(self) -> list[Any]:
        if self._connection is None:
            self._connection = self._connected()
        return list(self._connection.execute(QUERY).fetchall())

    def _connected(self) -> Any:
        if self._url:
            return psycopg.connect(self._url, autocommit=True, connect_timeout=2)
        address = f"file:{self._file}?mode=ro"
        return sqlite3.connect(address, uri=True, isolation_level=None, check_same_thread=False)


class Polls:
    """Polls `readyz`, in its own thread."""

    def __init__(self, caller: Caller) -> None:
        self.replies: list[Ready] = []
        self._caller = caller
        self._stopped = Event()
        self._thread = Thread(target=self._run, daemon=True, name="readiness")

    def start(self) -> None:
        """Start polling."""
        self._thread.start()

    def stop(self) -> None:
        """Stop polling."""
        self._stopped.set()
        self._thread.join()

    def _run(self) -> None:
        while not self._stopped.wait(POLLS):
            asked = monotonic()
            with suppress(Unanswered):
                reply = self._caller.ask("GET", "/readyz")
                said = reply.document["status"] if reply.status == 200 else str(reply.status)
                self.replies.append(Ready(asked, monotonic(), said))


# -- the check -------------------------------------------------------------------------------------


def idle_bots(looks: dict[str, list[Look]], limit: float = LIMIT + THINKING) -> list[Interval]:
    """The intervals in which a table had owed a bot's action for longer than it may."""
    found = []
    for game, seen in looks.items():
        for first, last in _same(seen):
            if first.owes and last.at - first.at > limit:
                what = f"{game} owes a bot's action after entry {first.seq}"
                found.append(Interval(first.at + limit, last.at, what))
    return found


def _same(looks: Sequence[Look]) -> Iterator[tuple[Look, Look]]:
    """The first and the last look at each state of a game."""
    first = last = None
    for look in looks:
        if first is None or look.seq != first.seq:
            if first and last:
                yield first, last
            first = look
        last = look
    if first and last:
        yield first, last


def idle_writes(
    waits: Sequence[tuple[float, float | None]], end: float, limit: float = LIMIT
) -> list[Interval]:
    """The intervals in which no action of a player had been acknowledged for longer than allowed;
    each wait is from the first request to the acknowledgement."""
    done = sorted(stop for _, stop in waits if stop is not None)
    found = []
    for before, after in zip([0.0, *done], [*done, end], strict=True):
        open_ = [max(begin, before) for begin, stop in waits if begin < after <= (stop or end)]
        if open_ and after - min(open_) > limit:
            found.append(Interval(min(open_) + limit, after, "no action is acknowledged"))
    return found


def false_ready(polls: Sequence[Ready], idle: Sequence[Interval]) -> list[str]:
    """The "ready" replies during these intervals, reported once for each interval."""
    found = []
    for interval in idle:
        begin, end = interval.begin + SLACK, interval.end - RESUMING
        said = [poll for poll in polls if begin < poll.asked and poll.answered < end]
        if times := sum(poll.said == "ready" for poll in said):
            lasted = interval.end - interval.begin
            found.append(f"ready {times} times in the {lasted:.0f} s in which {interval.what}")
    return found

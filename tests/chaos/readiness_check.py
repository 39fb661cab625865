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

from tests.chaos.http_client import Caller, Unanswered

MAX_STANDSTILL: Final = 15.0  # seconds for which bots or writes may stand still behind a "ready"
MAX_THINKING: Final = 1.0  # seconds, at most, of the slowest bot that plays here
LATENCY_SLACK: Final = 1.0  # seconds: twice the observation interval, plus the latency of a reply
RESUMING_SLACK: Final = 3.0  # seconds; a recovering server may answer a poll before an action
OBSERVATION_INTERVAL: Final = 0.25
POLL_INTERVAL: Final = 0.5
QUERY: Final = "SELECT id, seq, awaited & bots, phase FROM games_game"


class Interval(NamedTuple):
    """The begin and end, by the monotonic clock, and a description of the standstill."""

    begin: float
    end: float
    description: str


class Observation(NamedTuple):
    """An observation of a game: its seq, and whether it owed a bot's action."""

    at: float
    seq: int
    owes_action: bool
    is_over: bool


class ReadinessReply(NamedTuple):
    """A reply of `readyz`: when it was requested, when it came, and its content."""

    requested_at: float
    answered_at: float
    status: str  # "ready", "degraded", or the status of a refusal


class Progress:
    """Observes all games, in its own thread."""

    def __init__(self, url: str, file: Path) -> None:
        self.observations: dict[str, list[Observation]] = {}
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
        """The seq of a game at the last observation."""
        observations = self.observations.get(game, [])
        return observations[-1].seq if observations else 0

    def quiet_for(self) -> float:
        """The seconds since any game last grew, as far as observed."""
        last = [
            next(_states(observations[::-1]))[1].at
            for observations in list(self.observations.values())
        ]
        return monotonic() - max(last, default=0.0)

    def first_growth(self, games: Sequence[str], since: float) -> float | None:
        """The moment when one of these games first grew, or began, after `since`."""
        moments = [
            self._first_growth(self.observations.get(game, []), since) for game in list(games)
        ]
        return min((moment for moment in moments if moment is not None), default=None)

    @staticmethod
    def _first_growth(observations: list[Observation], since: float) -> float | None:
        first_index = bisect_right(observations, since, key=lambda observation: observation.at)
        seq_before = observations[first_index - 1].seq if first_index else 0
        return next(
            (
                observation.at
                for observation in observations[first_index:]
                if observation.seq > seq_before
            ),
            None,
        )

    def _run(self) -> None:
        while not self._stopped.wait(OBSERVATION_INTERVAL):
            try:
                rows = self._rows()
            except (psycopg.Error, sqlite3.Error):
                with suppress(Exception):
                    self._connection.close()
                self._connection = None
                continue
            now = monotonic()
            for game, seq, is_bot_awaited, phase in rows:
                observation = Observation(
                    now, seq, bool(is_bot_awaited) and phase == "playing", phase == "over"
                )
                self.observations.setdefault(game, []).append(observation)

    def _rows(self) -> list[Any]:
        if self._connection is None:
            self._connection = self._connect()
        return list(self._connection.execute(QUERY).fetchall())

    def _connect(self) -> Any:
        if self._url:
            return psycopg.connect(self._url, autocommit=True, connect_timeout=2)
        address = f"file:{self._file}?mode=ro"
        return sqlite3.connect(address, uri=True, isolation_level=None, check_same_thread=False)


class ReadinessPolls:
    """Polls `readyz`, in its own thread."""

    def __init__(self, caller: Caller) -> None:
        self.replies: list[ReadinessReply] = []
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
        while not self._stopped.wait(POLL_INTERVAL):
            requested_at = monotonic()
            with suppress(Unanswered):
                reply = self._caller.ask("GET", "/readyz")
                status = reply.document["status"] if reply.status == 200 else str(reply.status)
                self.replies.append(ReadinessReply(requested_at, monotonic(), status))


# -- the check -------------------------------------------------------------------------------------


def idle_bots(
    observations: dict[str, list[Observation]], limit: float = MAX_STANDSTILL + MAX_THINKING
) -> list[Interval]:
    """The intervals in which a table had owed a bot's action for longer than it may."""
    intervals = []
    for game, observations_of_game in observations.items():
        for first, last in _states(observations_of_game):
            if first.owes_action and last.at - first.at > limit:
                description = f"{game} owes a bot's action after entry {first.seq}"
                intervals.append(Interval(first.at + limit, last.at, description))
    return intervals


def _states(observations: Sequence[Observation]) -> Iterator[tuple[Observation, Observation]]:
    """The first and the last observation of each state of a game."""
    first = last = None
    for observation in observations:
        if first is None or observation.seq != first.seq:
            if first and last:
                yield first, last
            first = observation
        last = observation
    if first and last:
        yield first, last


def idle_writes(
    waits: Sequence[tuple[float, float | None]], end: float, limit: float = MAX_STANDSTILL
) -> list[Interval]:
    """The intervals in which no action of a player had been acknowledged for longer than allowed;
    each wait is from the first request to the acknowledgement."""
    acknowledged_at = sorted(stop for _, stop in waits if stop is not None)
    intervals = []
    for previous, following in zip([0.0, *acknowledged_at], [*acknowledged_at, end], strict=True):
        starts_of_open_waits = [
            max(begin, previous) for begin, stop in waits if begin < following <= (stop or end)
        ]
        if starts_of_open_waits and following - min(starts_of_open_waits) > limit:
            intervals.append(
                Interval(min(starts_of_open_waits) + limit, following, "no action is acknowledged")
            )
    return intervals


def false_ready(polls: Sequence[ReadinessReply], idle: Sequence[Interval]) -> list[str]:
    """The "ready" replies during these intervals, reported once for each interval."""
    faults = []
    for interval in idle:
        begin, end = interval.begin + LATENCY_SLACK, interval.end - RESUMING_SLACK
        replies = [
            reply for reply in polls if begin < reply.requested_at and reply.answered_at < end
        ]
        if times := sum(reply.status == "ready" for reply in replies):
            duration = interval.end - interval.begin
            faults.append(
                f"ready {times} times in the {duration:.0f} s in which {interval.description}"
            )
    return faults

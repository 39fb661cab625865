"""The check that `readyz` never answers "ready" while bots or writes are idle.

The seqs of all games are read four times a second from the database itself, past the service, the
proxies and the served processes' clock. Bots are idle while a game awaits one of them and does not
grow; writes are idle while a player's request waits for its answer and no action is acknowledged.
"""

from __future__ import annotations

import sqlite3
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from contextlib import suppress
from itertools import pairwise
from pathlib import Path
from threading import Event, Thread
from time import monotonic
from typing import Any, Final, NamedTuple

import psycopg

from tests.chaos.http_client import HttpClient, NoAnswer

MAX_IDLE_SECONDS: Final = 15.0  # for which bots or writes may be idle under a "ready"
MAX_THINKING_SECONDS: Final = 1.0  # at most, of the slowest bot in these games
LATENCY_SLACK: Final = 1.0  # seconds: twice the observation interval, plus the latency of a reply
RECOVERY_SLACK: Final = 3.0  # seconds; a recovering server may answer a poll before an action
OBSERVATION_INTERVAL: Final = 0.25
POLL_INTERVAL: Final = 0.5
READY: Final = "ready"
NO_ANSWER: Final = "no answer"
QUERY: Final = "SELECT id, seq, awaited & bots, phase FROM games_game"


class Interval(NamedTuple):
    """An idle interval: its begin and end by the monotonic clock, and its description."""

    begin: float
    end: float
    description: str


class Observation(NamedTuple):
    """An observation of a game: its seq, whether it awaits a bot, and whether it is over."""

    at: float
    seq: int
    is_bot_awaited: bool
    is_over: bool


class ReadinessReply(NamedTuple):
    """A reply of `readyz`: when it was requested, when it came, and its content."""

    requested_at: float
    answered_at: float
    status: str  # "ready", "degraded", the status of a refusal, or NO_ANSWER


class ProgressObserver:
    """Observes the seqs of all games, in its own thread."""

    def __init__(self, url: str, file: Path) -> None:
        self.observations: dict[str, list[Observation]] = {}
        self._url, self._file = url, file
        self._connection: Any = None
        self._stop_event = Event()
        self._thread = Thread(target=self._run, daemon=True, name="progress")

    def start(self) -> None:
        """Start observing."""
        self._thread.start()

    def stop(self) -> None:
        """Stop observing."""
        self._stop_event.set()
        self._thread.join()

    def seq(self, game: str) -> int:
        """The seq of a game at the last observation."""
        observations = self.observations.get(game, [])
        return observations[-1].seq if observations else 0

    def seconds_since_growth(self) -> float:
        """The seconds since the last observation of a new entry in any game."""
        growth_times = [
            next(_unchanged_spans(observations[::-1]))[1].at
            for observations in list(self.observations.values())
        ]
        return monotonic() - max(growth_times, default=0.0)

    def first_growth(self, games: Sequence[str], since: float) -> float | None:
        """The first moment after `since` at which one of these games grew or began."""
        times = [self._first_growth(self.observations.get(game, []), since) for game in list(games)]
        return min((time for time in times if time is not None), default=None)

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
        while not self._stop_event.wait(OBSERVATION_INTERVAL):
            try:
                rows = self._rows()
            except (psycopg.Error, sqlite3.Error):
                with suppress(Exception):
                    self._connection.close()
                self._connection = None
                continue
            now = monotonic()
            for game, seq, awaited_bots, phase in rows:
                observation = Observation(
                    now, seq, bool(awaited_bots) and phase == "playing", phase == "over"
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


class ReadinessPoller:
    """Polls `readyz`, in its own thread."""

    def __init__(self, client: HttpClient) -> None:
        self.replies: list[ReadinessReply] = []
        self._client = client
        self._stop_event = Event()
        self._thread = Thread(target=self._run, daemon=True, name="readiness")

    def start(self) -> None:
        """Start polling."""
        self._thread.start()

    def stop(self) -> None:
        """Stop polling."""
        self._stop_event.set()
        self._thread.join()

    def _run(self) -> None:
        while not self._stop_event.wait(POLL_INTERVAL):
            requested_at = monotonic()
            try:
                reply = self._client.request("GET", "/readyz")
                status = reply.document["status"] if reply.status == 200 else str(reply.status)
            except NoAnswer:
                status = NO_ANSWER
            self.replies.append(ReadinessReply(requested_at, monotonic(), status))


# -- the check -------------------------------------------------------------------------------------


def idle_bots(
    observations: dict[str, list[Observation]],
    limit: float = MAX_IDLE_SECONDS + MAX_THINKING_SECONDS,
) -> list[Interval]:
    """The intervals in which a game had awaited a bot for longer than `limit` seconds."""
    intervals = []
    for game, observations_of_game in observations.items():
        for first, last in _unchanged_spans(observations_of_game):
            if first.is_bot_awaited and last.at - first.at > limit:
                description = f"{game} awaits a bot after entry {first.seq}"
                intervals.append(Interval(first.at + limit, last.at, description))
    return intervals


def _unchanged_spans(
    observations: Sequence[Observation],
) -> Iterator[tuple[Observation, Observation]]:
    """The first and the last observation of each span in which a game has the same seq."""
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
    waits: Sequence[tuple[float, float | None]], end: float, limit: float = MAX_IDLE_SECONDS
) -> list[Interval]:
    """The intervals in which no action of a player had been acknowledged for longer than `limit`
    seconds. A wait is the time of the first request and that of the acknowledgement."""
    acknowledgements = sorted(stop for _, stop in waits if stop is not None)
    intervals = []
    for previous, following in pairwise([0.0, *acknowledgements, end]):
        starts = [
            max(begin, previous) for begin, stop in waits if begin < following <= (stop or end)
        ]
        if starts and following - min(starts) > limit:
            description = "no action is acknowledged"
            intervals.append(Interval(min(starts) + limit, following, description))
    return intervals


def false_ready_faults(
    replies: Sequence[ReadinessReply], idle_intervals: Sequence[Interval]
) -> list[str]:
    """The intervals in which `readyz` answered "ready", with the number of these replies."""
    faults = []
    for interval in idle_intervals:
        begin, end = interval.begin + LATENCY_SLACK, interval.end - RECOVERY_SLACK
        count = sum(
            reply.status == READY and begin < reply.requested_at and reply.answered_at < end
            for reply in replies
        )
        if count:
            duration = interval.end - interval.begin
            faults.append(
                f"ready {count} times in the {duration:.0f} s in which {interval.description}"
            )
    return faults

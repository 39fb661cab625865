"""The report of a crowd: its figures, and everything that is wrong."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass
from typing import Any

from tests.chaos import log_check, stream_check
from tests.chaos.journal import OK
from tests.chaos.log_check import OVER, Log
from tests.chaos.stream_check import StreamedEntry
from tests.crowd import judgement
from tests.crowd.crowd import Crowd
from tests.crowd.judgement import Times


@dataclass(frozen=True)
class CrowdReport:
    """The figures of one run."""

    hosts: int
    games_begun: int
    games_ended: int
    games_resigned: int
    seconds: float
    entries: int
    actions: int  # of people, acknowledged
    bot_moves: dict[str, dict[str, int]]  # by ruleset and bot
    requests: int
    kinds: dict[str, int]  # of the requests
    statuses_outside: dict[str, int]  # of the replies outside the windows of faults
    statuses_inside: dict[str, int]
    times: dict[str, Times]  # of the replies outside the windows, by kind of request
    windows: list[dict[str, Any]]
    streams: int
    streamed_entries: int
    processor_seconds: dict[str, float]  # by kind of process
    faults: list[str]

    def document(self) -> dict[str, Any]:
        """The report as JSON."""
        times = {kind: each._asdict() for kind, each in self.times.items()}
        return {**asdict(self), "times": times}

    def __str__(self) -> str:
        return "\n".join([*self._play(), *self._windows(), *self._times(), *self._costs()])

    def _play(self) -> Iterator[str]:
        moves = ", ".join(f"{count} of {name}" for name, count in self._moves.items())
        games = (
            f"{self.games_ended} ended of {self.games_begun} begun, {self.games_resigned} resigned"
        )
        yield f"games: {games}, on {self.hosts} hosts"
        yield f"entries: {self.entries} in {self.seconds:.0f} s, {self._rate(self.entries)}"
        yield f"actions of people: {self.actions}, {self._rate(self.actions)}"
        yield f"moves of bots: {moves}"
        yield f"requests: {self.requests}, {self._rate(self.requests)}"
        yield f"statuses outside the windows: {self.statuses_outside}"
        yield f"statuses inside the windows: {self.statuses_inside}"
        yield f"followers: {self.streams}, with {self.streamed_entries} entries"

    @property
    def _moves(self) -> Counter[str]:
        """The moves of bots, by bot."""
        return sum(map(Counter, self.bot_moves.values()), Counter())

    def _rate(self, count: int) -> str:
        return f"{count / self.seconds:.1f} a second"

    def _windows(self) -> Iterator[str]:
        for window in self.windows:
            reported, recovery = window["reported_seconds"], window["recovery_seconds"]
            delays = [
                f"reported by host {host} after {seconds:.1f} s"
                for host, seconds in reported.items()
                if seconds is not None
            ]
            delays += [
                f"host {host} ready again after {seconds:.1f} s"
                for host, seconds in recovery.items()
                if seconds is not None
            ]
            place = window["host"] or "of all hosts"
            yield f"{window['kind']} {place} for {window['lasted']} s: {', '.join(delays)}"

    def _times(self) -> Iterator[str]:
        for kind, each in self.times.items():
            p50, p99 = 1000 * each.p50, 1000 * each.p99
            yield f"{kind}: {each.replies} replies, p50 {p50:.1f} ms, p99 {p99:.1f} ms"

    def _costs(self) -> Iterator[str]:
        moves = self._moves.total()
        for kind, seconds in self.processor_seconds.items():
            shares = [
                f"{1000 * seconds / count:.2f} ms per {name}"
                for name, count in (
                    ("entry", self.entries),
                    ("action", self.actions),
                    ("bot move", moves),
                )
                if count
            ]
            yield f"processor time, {kind}: {seconds:.1f} s, {', '.join(shares)}"


def build_report(
    crowd: Crowd, processor_seconds: Mapping[str, float], max_ratio: float
) -> CrowdReport:
    """The figures, and everything that is wrong; a ratio of 0 judges no times."""
    records, windows = crowd.records, crowd.windows
    logs, log_faults = log_check.readable_logs()
    times = judgement.times_by_kind(records.answers, windows)
    answers = records.answers
    acknowledged = {str(each.call) for each in records.attempts if each.outcome == OK}
    return CrowdReport(
        hosts=len(crowd.hosts),
        games_begun=len(records.plans),
        games_ended=sum(log.phase == OVER for log in logs.values()),
        games_resigned=len(records.resigned_games),
        seconds=round(crowd.seconds, 1),
        entries=sum(len(log.entries) for log in logs.values()),
        actions=len(acknowledged),
        bot_moves=_bot_moves(crowd, logs),
        requests=len(answers),
        kinds=dict(Counter(answer.kind for answer in answers)),
        statuses_outside=judgement.statuses(answers, windows, is_inside=False),
        statuses_inside=judgement.statuses(answers, windows, is_inside=True),
        times=times,
        windows=[window.document() for window in windows],
        streams=len(records.streams),
        streamed_entries=sum(len(record.entries) for record in records.streams),
        processor_seconds=dict(processor_seconds),
        faults=[
            *log_faults,
            *_log_faults(crowd, logs),
            *_stream_faults(crowd, logs),
            *judgement.answer_faults(answers, windows),
            *judgement.readiness_faults(windows),
            *(judgement.late_kinds(times, max_ratio) if max_ratio else ()),
            *_run_faults(crowd),
        ],
    )


def _log_faults(crowd: Crowd, logs: dict[str, Log]) -> list[str]:
    records = crowd.records
    if missing := records.plans.keys() - logs.keys():
        return [f"{game}: was acknowledged, and is not there" for game in sorted(missing)]
    arguments = (logs, records.attempts, records.client_seats)
    return [*log_check.faults(*arguments), *log_check.detection_faults(*arguments)]


def _stream_faults(crowd: Crowd, logs: Mapping[str, Log]) -> Iterator[str]:
    for record in crowd.records.streams:
        if log := logs.get(record.game):
            entries = [StreamedEntry(entry.seq, entry.hash) for entry in log.entries]
            yield from stream_check.faults(record, entries, is_over=log.phase == OVER)


def _run_faults(crowd: Crowd) -> Iterator[str]:
    yield from crowd.records.wrong_answers
    yield from judgement.unended_games(crowd.records.plans.keys(), crowd.records.games_ended)
    yield from (f"{kind} was not injected: the games were over" for kind in crowd.kinds_left)
    for host in crowd.hosts:
        yield from (f"host {host.name}: {leftover}" for leftover in host.leftovers)


def _bot_moves(crowd: Crowd, logs: Mapping[str, Log]) -> dict[str, dict[str, int]]:
    """The actions of bots in the logs, by ruleset and bot."""
    moves: defaultdict[str, Counter[str]] = defaultdict(Counter)
    for game, plan in crowd.records.plans.items():
        for entry in logs[game].entries if game in logs else ():
            if entry.choice is not None and entry.seat is not None:
                bot = plan.seats[entry.seat]
                moves[plan.rules][bot] += bot not in ("me", "open")
    return {rules: dict(+counts) for rules, counts in moves.items()}

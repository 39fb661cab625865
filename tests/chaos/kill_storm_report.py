"""The report of a kill storm: its figures, and everything that is wrong."""

from __future__ import annotations

from argparse import Namespace
from bisect import bisect_right
from collections import Counter
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from datetime import datetime
from statistics import median
from typing import Any

from ai.bot_turn import MAX_ATTEMPTS
from ai.models import BotFailure
from tests.chaos import log_check
from tests.chaos.journal import FAIL, OK, UNKNOWN, Attempt, attempts
from tests.chaos.kill_storm import Client, Kill, KillStorm
from tests.chaos.log_check import GameSeat, Log


@dataclass(frozen=True)
class KillStormReport:
    """The figures of one kill storm."""

    stores: str
    games: int
    entries: int
    kills: dict[str, int]
    acknowledged: int
    repeated: int  # of these: repeated requests, answered with the first result
    refused: dict[str, int]  # by code
    unknown: int  # calls without an answer to the client
    unanswered: dict[str, int]  # of these attempts, by error; "death": the client was killed
    settled: int  # of these: resolved in the end
    bot_recovery: float  # seconds from a kill to the next action of a bot, median
    bot_recovery_longest: float
    web_recovery: float  # seconds from a kill of the web server to its next answer, median
    web_recovery_longest: float
    seconds_to_the_end: float  # from the last kill until all games were over
    bot_failures: int  # decisions that were requested of a bot more than once
    at_random: int  # of these: requested so often that any legal action was played
    faults: list[str]

    def document(self) -> dict[str, Any]:
        """The report as JSON."""
        return asdict(self)

    def __str__(self) -> str:
        lines = (f"{name.replace('_', ' ')}: {value}" for name, value in asdict(self).items())
        return "\n".join(lines)


def build_report(
    args: Namespace, storm: KillStorm, clients: list[Client], seconds_to_end: float
) -> KillStormReport:
    """The figures, and everything that is wrong."""
    all_attempts = [attempt for client in clients for attempt in attempts(client.journal)]
    client_seats = {game_seat for client in clients for game_seat in client.game_seats}
    logs, faults = log_check.readable_logs()
    faults += [
        *log_check.faults(logs, all_attempts, client_seats),
        *storm.orphans,
        *log_check.detection_faults(logs, all_attempts, client_seats),
    ]
    bot_seconds = bot_recovery_seconds(storm.kills, list(logs.values()), client_seats)
    web_kills = [kill.at for kill in storm.kills if kill.victim in ("web", "supervisor")]
    web_seconds = seconds_to_next(web_kills, storm.answer_times)
    return KillStormReport(
        stores=args.stores,
        games=len(logs),
        entries=sum(len(log.entries) for log in logs.values()),
        kills=dict(Counter(kill.victim for kill in storm.kills)),
        **call_counts(all_attempts),
        bot_recovery=median_or_zero(bot_seconds),
        bot_recovery_longest=max(bot_seconds, default=0.0),
        web_recovery=median_or_zero(web_seconds),
        web_recovery_longest=max(web_seconds, default=0.0),
        seconds_to_the_end=seconds_to_end,
        bot_failures=BotFailure.objects.count(),
        at_random=BotFailure.objects.filter(attempts__gte=MAX_ATTEMPTS).count(),
        faults=faults,
    )


def call_counts(all_attempts: Sequence[Attempt]) -> dict[str, Any]:
    """The number of the clients' calls, by outcome."""
    acknowledged_attempts = [attempt for attempt in all_attempts if attempt.outcome == OK]
    refusals = Counter(
        attempt.answer["code"] for attempt in all_attempts if attempt.outcome == FAIL
    )
    failure_reasons = Counter(filter(None, map(_failure_reason, all_attempts)))
    unknown_calls = {str(attempt.call) for attempt in all_attempts if attempt.outcome == UNKNOWN}
    resolved_calls = {str(attempt.call) for attempt in all_attempts if attempt.outcome != UNKNOWN}
    return {
        "acknowledged": len(acknowledged_attempts),
        "repeated": sum(attempt.answer["repeated"] for attempt in acknowledged_attempts),
        "refused": dict(refusals),
        "unknown": len(unknown_calls),
        "unanswered": dict(failure_reasons),
        "settled": len(unknown_calls & resolved_calls),
    }


def _failure_reason(attempt: Attempt) -> str:
    """The reason why there was no answer; "" if there was one."""
    if attempt.outcome != UNKNOWN:
        return ""
    return str(attempt.answer.get("reason", "death")).partition("\n")[0]


def bot_recovery_seconds(
    kills: Sequence[Kill], logs: Sequence[Log], client_seats: set[GameSeat]
) -> list[float]:
    """Seconds from each kill to the next action of a bot."""
    times = [
        datetime.fromisoformat(entry.at).timestamp()
        for log in logs
        for entry in log.entries
        if entry.choice is not None and (log.game, entry.seat) not in client_seats
    ]
    return seconds_to_next([kill.at for kill in kills if kill.victim != "client"], times)


def seconds_to_next(kills: Sequence[float], times: Sequence[float]) -> list[float]:
    """Seconds from each kill to the first moment after it."""
    sorted_times = sorted(times)
    indexes = ((kill, bisect_right(sorted_times, kill)) for kill in kills)
    return [
        round(sorted_times[index] - kill, 3) for kill, index in indexes if index < len(sorted_times)
    ]


def median_or_zero(seconds: Sequence[float]) -> float:
    """The median, or 0 if there is none."""
    return round(median(seconds), 2) if seconds else 0.0

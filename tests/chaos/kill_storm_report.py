"""The outcome of a storm: its figures, and everything that is wrong."""

from __future__ import annotations

from bisect import bisect_right
from collections import Counter
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from datetime import datetime
from statistics import median
from typing import Any

from tests.chaos.journal import FAIL, OK, UNKNOWN, Attempt
from tests.chaos.kill_storm import Kill
from tests.chaos.log_check import Log


@dataclass(frozen=True)
class Outcome:
    """The figures of one storm."""

    stores: str
    games: int
    entries: int
    kills: dict[str, int]
    acknowledged: int
    repeated: int  # of these: repeated requests, answered with the first result
    refused: dict[str, int]  # by code
    unknown: int  # calls without an answer to the client
    unanswered: dict[str, int]  # of these attempts: an error, or (death) the client was killed
    settled: int  # of these: resolved in the end
    bot_recovery: float  # seconds from a kill to the next action of a bot, median
    bot_recovery_longest: float
    web_recovery: float  # seconds from a kill of the web server to its next answer, median
    web_recovery_longest: float
    seconds_to_the_end: float  # from the last kill until all games were over
    troubles: int  # decisions that were requested of a bot more than once
    at_random: int  # of these: requested so often that any legal action was played
    faults: list[str]

    def document(self) -> dict[str, Any]:
        """The outcome as JSON."""
        return asdict(self)

    def __str__(self) -> str:
        lines = (f"{name.replace('_', ' ')}: {value}" for name, value in asdict(self).items())
        return "\n".join(lines)


def call_counts(attempts: Sequence[Attempt]) -> dict[str, Any]:
    """The number of the clients' calls, by outcome."""
    acknowledged = [attempt for attempt in attempts if attempt.outcome == OK]
    refused = Counter(attempt.answer["code"] for attempt in attempts if attempt.outcome == FAIL)
    unknown = {str(attempt.call) for attempt in attempts if attempt.outcome == UNKNOWN}
    settled = {str(attempt.call) for attempt in attempts if attempt.outcome != UNKNOWN}
    return {
        "acknowledged": len(acknowledged),
        "repeated": sum(attempt.answer["repeated"] for attempt in acknowledged),
        "refused": dict(refused),
        "unknown": len(unknown),
        "unanswered": dict(Counter(map(_reason, attempts)) - Counter({"": len(attempts)})),
        "settled": len(unknown & settled),
    }


def _reason(attempt: Attempt) -> str:
    """The reason why there was no answer; "" if there was one."""
    if attempt.outcome != UNKNOWN:
        return ""
    return str(attempt.answer.get("reason", "death")).partition("\n")[0]


def bot_recovery_seconds(
    kills: Sequence[Kill], logs: Sequence[Log], client_seats: set[Any]
) -> list[float]:
    """Seconds from each kill to the next action of a bot."""
    times = [
        datetime.fromisoformat(line.at).timestamp()
        for log in logs
        for line in log.lines
        if line.choice is not None and (log.game, line.seat) not in client_seats
    ]
    return seconds_to_next([kill.at for kill in kills if kill.victim != "client"], times)


def seconds_to_next(kills: Sequence[float], times: Sequence[float]) -> list[float]:
    """Seconds from each kill to the first moment after it."""
    ordered = sorted(times)
    indexes = ((kill, bisect_right(ordered, kill)) for kill in kills)
    return [round(ordered[index] - kill, 3) for kill, index in indexes if index < len(ordered)]


def median_or_zero(seconds: Sequence[float]) -> float:
    """The median, or 0 if there is none."""
    return round(median(seconds), 2) if seconds else 0.0

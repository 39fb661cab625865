"""A linear model of the processor time of each part of a server: so much for each action, read,
game and so on, by non-negative least squares over the crowds it is fitted to."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final, NamedTuple

ROUNDS: Final = 20_000  # of the descent, which converges long before

# By part, all that costs it processor time.
CAUSES: Final[Mapping[str, Sequence[str]]] = {
    "web": ("second", "game", "action", "read", "wait", "streamed entry"),
    "bots": ("second", "bot move", "second of thinking"),
    "PostgreSQL": ("second", "game", "entry", "read", "wait"),
    "Redis": ("second", "entry", "bot move"),
    "the rest": ("second", "game", "entry"),
}
READS: Final = ("table", "guest", "join", "resignation")  # kinds of requests but for actions

Costs = dict[str, dict[str, float]]  # seconds by part and cause


class Observation(NamedTuple):
    """A crowd: how often each cause was seen, and the processor seconds of each part."""

    name: str
    causes: dict[str, float]
    seconds: dict[str, float]


def observe(
    name: str, report: Mapping[str, Any], decisions: Mapping[str, Mapping[str, float]]
) -> Observation:
    """The report of a crowd as the model sees it."""
    kinds, moves = report["kinds"], report["bot_moves"]
    causes = {
        "second": report["seconds"],
        "game": report["games_begun"],
        "action": kinds["action"],
        "read": sum(kinds.get(kind, 0) for kind in READS),
        "wait": kinds.get("long poll", 0),
        "streamed entry": report["streamed_entries"],
        "entry": report["entries"],
        "bot move": sum(sum(counts.values()) for counts in moves.values()),
        "second of thinking": sum(
            count * decisions[rules][bot]
            for rules, counts in moves.items()
            for bot, count in counts.items()
        ),
    }
    return Observation(name, causes, _seconds_of_parts(report["processor_seconds"]))


def _seconds_of_parts(seconds: Mapping[str, float]) -> dict[str, float]:
    parts = {part: seconds.get(part, 0.0) for part in CAUSES if part != "the rest"}
    rest = sum(each for kind, each in seconds.items() if kind not in parts)
    return {**parts, "the rest": rest}


def fit(observations: Sequence[Observation]) -> Costs:
    """The costs with the least relative errors."""
    return {
        part: dict(zip(causes, _fit_part(part, causes, observations), strict=True))
        for part, causes in CAUSES.items()
    }


def _fit_part(part: str, causes: Sequence[str], observations: Sequence[Observation]) -> list[float]:
    rows = [[each.causes[cause] / each.seconds[part] for cause in causes] for each in observations]
    return least_squares(rows, [1.0] * len(rows))


def least_squares(rows: Sequence[Sequence[float]], values: Sequence[float]) -> list[float]:
    """The numbers, none of them negative, whose products with the rows are nearest to the values;
    by descent along one coordinate after another."""
    columns = list(zip(*rows, strict=True))
    lengths = [sum(each * each for each in column) for column in columns]
    found, errors = [0.0] * len(columns), list(values)
    for _ in range(ROUNDS):
        for place, (column, length) in enumerate(zip(columns, lengths, strict=True)):
            if not length:
                continue
            slope = sum(map(float.__mul__, map(float, column), errors)) / length
            step = max(-found[place], slope)
            found[place] += step
            errors = [error - step * each for error, each in zip(errors, column, strict=True)]
    return found


def predict(costs: Costs, causes: Mapping[str, float]) -> dict[str, float]:
    """The processor seconds of each part."""
    return {
        part: sum(cost * causes[cause] for cause, cost in each.items())
        for part, each in costs.items()
    }

"""The needs of so many games a day, by the costs of the model: the tables of docs/scale.md."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Final

from bench.scale import model
from bench.scale.model import Costs, Observation

GAMES_A_DAY: Final = (10_000, 1_000_000, 100_000_000)
PEAK: Final = 2.5  # the busiest hour, as a multiple of the mean
MAX_SHARE: Final = 0.6  # of its cores that a part may use in that hour
SECONDS_A_DAY: Final = 86_400
ENTRY_BYTES: Final = 320  # on PostgreSQL, its primary key included: `python -m tests.size`
GAME_BYTES: Final = 2_100  # all rows of a game beside its entries: the game, players, thoughts


def game_causes(crowd: Observation) -> dict[str, float]:
    """The causes of one game of a crowd; the costs of passing time are left out."""
    games = crowd.causes["game"]
    return {**{name: count / games for name, count in crowd.causes.items()}, "second": 0.0}


def cores(costs: Costs, crowd: Observation, games_a_day: int) -> dict[str, float]:
    """The cores of each part in the busiest hour."""
    rate = PEAK * games_a_day / SECONDS_A_DAY / MAX_SHARE
    predicted = model.predict(costs, game_causes(crowd))
    return {part: rate * seconds for part, seconds in predicted.items()}


def disk_bytes(crowd: Observation, games_a_day: int) -> float:
    """The bytes on PostgreSQL's disk that a day adds."""
    return games_a_day * (ENTRY_BYTES * game_causes(crowd)["entry"] + GAME_BYTES)


def game_table(crowd: Observation) -> Iterator[str]:
    """The lines of the table with the causes of a game."""
    yield "| In one game | |"
    yield "|---|---|"
    for cause, count in game_causes(crowd).items():
        if cause not in ("second", "game"):
            yield f"| {cause} | {count:.3g} |"


def cost_table(costs: Costs) -> Iterator[str]:
    """The lines of the table with the costs."""
    yield "| Part | Milliseconds of processor time |"
    yield "|---|---|"
    for part, causes in costs.items():
        shown = [f"{1000 * cost:.2f} per {cause}" for cause, cost in causes.items() if cost > 0]
        yield f"| {part} | {', '.join(shown)} |"


def need_table(costs: Costs, crowd: Observation) -> Iterator[str]:
    """The lines of the table of needs."""
    columns = [_column(costs, crowd, games) for games in GAMES_A_DAY]
    yield "| Games a day | " + " | ".join(f"{games:,}" for games in GAMES_A_DAY) + " |"
    yield "|---|" + "---|" * len(columns)
    for name in columns[0]:
        yield f"| {name} | " + " | ".join(column[name] for column in columns) + " |"


def _column(costs: Costs, crowd: Observation, games: int) -> Mapping[str, str]:
    peak = PEAK * games / SECONDS_A_DAY
    entries = peak * game_causes(crowd)["entry"]
    return {
        "entries a second in the busiest hour": _short(entries),
        **{
            f"cores of {'all other processes' if part == 'the rest' else part}": _short(count)
            for part, count in cores(costs, crowd, games).items()
        },
        "disk a day, GB": _short(disk_bytes(crowd, games) / 1e9),
    }


def _short(number: float) -> str:
    return f"{number:,.0f}" if number >= 10 else f"{number:.2g}"

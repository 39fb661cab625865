"""The merging of search results: those of several searches of one decision are summed, independent
of their order."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from math import fsum
from typing import Any, Final

import orjson

from ai.analysis.decision_search import ActionStats, LineStep, SearchResult
from tabularium_engines.common.json_codec import to_json

VALUE_SCALE: Final = 1000  # the value of a win


@dataclass(frozen=True)
class CombinedStats:
    """The statistics of an action, summed over all searches."""

    code: int
    visits: int
    reward: float
    line: tuple[LineStep, ...]  # of the search with the most visits

    @property
    def mean(self) -> float:
        """The mean reward."""
        return self.reward / self.visits if self.visits else 0.0

    @property
    def value(self) -> int | None:
        """The mean in thousandths; None, if it was never tried."""
        return round(VALUE_SCALE * self.mean) if self.visits else None


def combine_results(findings: Iterable[SearchResult]) -> list[CombinedStats]:
    """All actions, the most visited first; ties go to the lower number."""
    stats_by_code: defaultdict[int, list[ActionStats]] = defaultdict(list)
    for result in findings:
        for stats in result.actions:
            stats_by_code[stats.code].append(stats)
    sums = [_combine_action(code, stats) for code, stats in stats_by_code.items()]
    return sorted(sums, key=lambda combined: (-combined.visits, combined.code))


def _combine_action(code: int, stats: Sequence[ActionStats]) -> CombinedStats:
    best = max(stats, key=lambda item: (item.visits, item.line))
    visits = sum(item.visits for item in stats)
    return CombinedStats(code, visits, fsum(item.reward for item in stats), best.line)


def total_simulations(findings: Iterable[SearchResult]) -> int:
    """The number of simulations in all."""
    return sum(result.simulations for result in findings)


# -- stored results -------------------------------------------------------------------------------


def result_to_json(result: SearchResult) -> str:
    """A search result as JSON."""
    return orjson.dumps(to_json(result)).decode()


def result_from_json(text: str) -> SearchResult:
    """A stored search result."""
    simulations, stats = orjson.loads(text)
    return SearchResult(simulations, tuple(map(_action_stats, stats)))


def _action_stats(values: Any) -> ActionStats:
    code, visits, reward, line = values
    return ActionStats(code, visits, reward, tuple(LineStep(*step) for step in line))

"""Combining the results of several searches of one decision: sums, independent of their order."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from math import fsum
from typing import Any, Final

import orjson

from ai.analysis.decision_search import ActionStats, LineStep, SearchResult
from games.engines.common.codec import to_json

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
    by_code: defaultdict[int, list[ActionStats]] = defaultdict(list)
    for found in findings:
        for weighed in found.actions:
            by_code[weighed.code].append(weighed)
    sums = [_combine_action(code, found) for code, found in by_code.items()]
    return sorted(sums, key=lambda one: (-one.visits, one.code))


def _combine_action(code: int, found: Sequence[ActionStats]) -> CombinedStats:
    fullest = max(found, key=lambda one: (one.visits, one.line))
    visits = sum(one.visits for one in found)
    return CombinedStats(code, visits, fsum(one.reward for one in found), fullest.line)


def total_simulations(findings: Iterable[SearchResult]) -> int:
    """The number of simulations in all."""
    return sum(found.simulations for found in findings)


# -- stored results -------------------------------------------------------------------------------


def result_to_json(found: SearchResult) -> str:
    """A search result as JSON."""
    return orjson.dumps(to_json(found)).decode()


def result_from_json(text: str) -> SearchResult:
    """A stored search result."""
    done, weighed = orjson.loads(text)
    return SearchResult(done, tuple(map(_action_stats, weighed)))


def _action_stats(values: Any) -> ActionStats:
    code, visits, reward, line = values
    return ActionStats(code, visits, reward, tuple(LineStep(*step) for step in line))

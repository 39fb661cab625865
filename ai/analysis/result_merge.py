"""What do several searches of one decision say together? Sums: in whichever order they come, the
same."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from math import fsum
from typing import Any, Final

import orjson

from ai.analysis.decision_search import ActionStats, LineStep, SearchResult
from games.engines.common.codec import to_json

VALUE_SCALE: Final = 1000  # what is worth most


@dataclass(frozen=True)
class CombinedStats:
    """What all searches together found out about an action."""

    code: int
    visits: int
    reward: float
    line: tuple[LineStep, ...]  # of the search that tried it most often

    @property
    def mean(self) -> float:
        """What it was worth on average."""
        return self.reward / self.visits if self.visits else 0.0

    @property
    def value(self) -> int | None:
        """The same in thousandths; None, if it was never tried."""
        return round(VALUE_SCALE * self.mean) if self.visits else None


def combine_results(findings: Iterable[SearchResult]) -> list[CombinedStats]:
    """All actions, those tried most often first; of equals, the one with the lower number."""
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
    """How many there were in all."""
    return sum(found.simulations for found in findings)


# -- as they are kept -----------------------------------------------------------------------------


def result_to_json(found: SearchResult) -> str:
    """What a search found, as JSON."""
    return orjson.dumps(to_json(found)).decode()


def result_from_json(text: str) -> SearchResult:
    """What was kept."""
    done, weighed = orjson.loads(text)
    return SearchResult(done, tuple(map(_action_stats, weighed)))


def _action_stats(values: Any) -> ActionStats:
    code, visits, reward, line = values
    return ActionStats(code, visits, reward, tuple(LineStep(*step) for step in line))

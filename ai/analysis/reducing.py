"""What do several searches of one decision say together? Sums: in whichever order they come, the
same."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from math import fsum
from typing import Any, Final

import orjson

from ai.analysis.searching import Found, Step, Weighed
from games.engines.common.codec import to_json

WHOLE: Final = 1000  # what is worth most


@dataclass(frozen=True)
class Summed:
    """What all searches together found out about an action."""

    code: int
    visits: int
    reward: float
    line: tuple[Step, ...]  # of the search that tried it most often

    @property
    def mean(self) -> float:
        """What it was worth on average."""
        return self.reward / self.visits if self.visits else 0.0

    @property
    def value(self) -> int | None:
        """The same in thousandths; None, if it was never tried."""
        return round(WHOLE * self.mean) if self.visits else None


def summed(findings: Iterable[Found]) -> list[Summed]:
    """All actions, those tried most often first; of equals, the one with the lower number."""
    by_code: defaultdict[int, list[Weighed]] = defaultdict(list)
    for found in findings:
        for weighed in found.weighed:
            by_code[weighed.code].append(weighed)
    sums = [_sum(code, found) for code, found in by_code.items()]
    return sorted(sums, key=lambda one: (-one.visits, one.code))


def _sum(code: int, found: Sequence[Weighed]) -> Summed:
    fullest = max(found, key=lambda one: (one.visits, one.line))
    visits = sum(one.visits for one in found)
    return Summed(code, visits, fsum(one.reward for one in found), fullest.line)


def simulations(findings: Iterable[Found]) -> int:
    """How many there were in all."""
    return sum(found.simulations for found in findings)


# -- as they are kept -----------------------------------------------------------------------------


def kept(found: Found) -> str:
    """What a search found, as JSON."""
    return orjson.dumps(to_json(found)).decode()


def read(text: str) -> Found:
    """What was kept."""
    done, weighed = orjson.loads(text)
    return Found(done, tuple(map(_weighed, weighed)))


def _weighed(values: Any) -> Weighed:
    code, visits, reward, line = values
    return Weighed(code, visits, reward, tuple(Step(*step) for step in line))

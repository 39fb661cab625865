"""The work on one part of an analysis: a worker searches its decision and stores the result.

The worker that finishes the last part combines the results; at the deadline the sweeper combines
those found so far. A lost, duplicate or late message does no harm: the part's row shows whether it
is still needed.
"""

from __future__ import annotations

from time import monotonic
from typing import Final

from django.utils import timezone

from ai.analysis import (
    analysis_completion,
    decision_search,
    part_dispatch,
    repeated_decision,
    result_merge,
)
from ai.analysis.decision_search import SearchResult, decision_seed, part_seed
from ai.bot_kinds import Budget
from ai.models import Analysis, Part
from games import selectors
from games.selectors import DecisionPoint
from tabularium_engines.common.json_codec import Json

INTEREST_CHECK_SECONDS: Final = 1.0  # between two checks that the result is still wanted
# kept free before the deadline for saving the result
WRITE_RESERVE_SECONDS: Final = 0.2
WAITING: Final = Analysis.State.WAITING


def work_on_part(name: str, number: int, *, again: bool = False) -> None:
    """Work on a part, unless it is done or another worker has claimed it (`again`: that worker is
    dead)."""
    part = Part.objects.select_related("analysis").filter(analysis=name, number=number).first()
    if part is None or part.analysis.state != WAITING or not _claim_part(part, again):
        return
    seconds = _part_seconds(part.analysis)
    if seconds <= 0:
        return
    result = _search(part, Budget(seconds, part.simulations))
    Part.objects.filter(pk=part.pk).update(
        done=result.simulations, found=result_merge.result_to_json(result)
    )
    _send_next_or_end(part.analysis, number)


def _search(part: Part, budget: Budget) -> SearchResult:
    """The search of a part."""
    analysis, is_wanted = part.analysis, InterestCheck(part.analysis_id)
    if analysis.entry is not None:
        return repeated_decision.repeat_search(analysis, part.spread, budget, is_wanted)
    decision, action = _part_decision(part)
    seed = decision_seed(decision) if analysis.seed is None else analysis.seed
    return decision_search.search_decision(
        decision, part_seed(seed, part.spread), budget, action, is_wanted
    )


def _part_decision(part: Part) -> tuple[DecisionPoint, Json]:
    """The decision to search; and, in a game that is over, the action that was taken."""
    place = (part.analysis.game_id, part.seat, part.seq)
    if part.analysis.seq is not None:
        return selectors.game_decision(*place), None
    taken = selectors.taken_decision(*place)
    return taken.decision, taken.action


def _claim_part(part: Part, again: bool) -> bool:
    """Claim a part by compare-and-set, so that no other worker searches it."""
    claimable = Part.objects.filter(pk=part.pk, done=None)
    if not again:
        claimable = claimable.filter(part_dispatch.without_live_worker())
    return bool(claimable.update(begun=timezone.now()))


def _part_seconds(analysis: Analysis) -> float:
    """The time left for a part."""
    seconds_left = (analysis.deadline - timezone.now()).total_seconds()
    return min(
        analysis.seconds or part_dispatch.MAX_PART_SECONDS, seconds_left - WRITE_RESERVE_SECONDS
    )


class InterestCheck:
    """Whether the analysis is still waited for; queries the database only now and then."""

    def __init__(self, name: str) -> None:
        self._unfinished = Analysis.objects.filter(pk=name, state=WAITING)
        self._checked_at = monotonic()

    def __call__(self) -> bool:
        if (now := monotonic()) < self._checked_at + INTEREST_CHECK_SECONDS:
            return True
        self._checked_at = now
        return self._unfinished.exists()


def _send_next_or_end(analysis: Analysis, number: int) -> None:
    """Send the next part, within the limit of parallel ones; after the last, end the analysis."""
    open_parts = Part.objects.filter(analysis=analysis, done=None)
    if not open_parts.exists():
        analysis_completion.end_analysis(analysis.pk)
        return
    next_number = number + part_dispatch.max_parallel_parts(analysis)
    if open_parts.filter(number=next_number).exists():
        part_dispatch.send_parts(analysis, [next_number])

"""Working on the parts of an analysis: the worker that finishes the last part combines the results;
at the deadline the sweeper combines those found so far. A lost, duplicate or late message does no
harm: the part's row says whether it is still wanted."""

from __future__ import annotations

import logging
from datetime import timedelta
from time import monotonic
from typing import Final

from django.db import Error
from django.db.models import Q
from django.utils import timezone

from ai.analysis import completion, decision_search, part_dispatch, result_merge
from ai.analysis.decision_search import decision_seed, part_seed
from ai.bot_types import Budget
from ai.models import Analysis, Part
from games import selectors
from games.engines.common.codec import Json
from games.selectors import DecisionPoint

logger = logging.getLogger(__name__)

INTEREST_CHECK_SECONDS: Final = 1.0  # between two checks that the result is still wanted
PART_LEASE: Final = timedelta(seconds=60)  # a worker that takes longer must be dead
# kept free before the deadline for saving the result
WRITE_RESERVE_SECONDS: Final = 0.2
WAITING: Final = Analysis.State.WAITING


# -- in a worker ----------------------------------------------------------------------------------


def work_on_part(name: str, number: int, *, again: bool = False) -> None:
    """Work on a part, unless it is done or another worker has claimed it (`again`: that worker is
    dead)."""
    part = Part.objects.select_related("analysis").filter(analysis=name, number=number).first()
    if part is None or part.analysis.state != WAITING or not _claim_part(part, again):
        return
    seconds = _part_seconds(part.analysis)
    if seconds <= 0:
        return
    decision, did = _part_decision(part)
    seed = decision_seed(decision) if part.analysis.seed is None else part.analysis.seed
    budget = Budget(seconds, part.simulations)
    found = decision_search.search_decision(
        decision, part_seed(seed, part.spread), budget, did, InterestCheck(name)
    )
    Part.objects.filter(pk=part.pk).update(
        done=found.simulations, found=result_merge.result_to_json(found)
    )
    _send_next_or_end(part.analysis, number)


def _part_decision(part: Part) -> tuple[DecisionPoint, Json]:
    """The decision to search; and, in a game that is over, the action that was taken."""
    place = (part.analysis.game_id, part.seat, part.seq)
    if part.analysis.seq is not None:
        return selectors.game_decision(*place), None
    taken = selectors.taken_decision(*place)
    return taken.decision, taken.action


def _claim_part(part: Part, again: bool) -> bool:
    """Claim a part by compare-and-set, so that no other worker searches it."""
    now = timezone.now()
    free = Part.objects.filter(pk=part.pk, done=None)
    if not again:
        free = free.filter(Q(begun=None) | Q(begun__lt=now - PART_LEASE))
    return bool(free.update(begun=now))


def _part_seconds(analysis: Analysis) -> float:
    """The time left for a part."""
    left = (analysis.deadline - timezone.now()).total_seconds()
    return min(analysis.seconds or part_dispatch.MAX_PART_SECONDS, left - WRITE_RESERVE_SECONDS)


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
    missing = Part.objects.filter(analysis=analysis, done=None)
    if not missing.exists():
        completion.end_analysis(analysis.pk)
        return
    following = number + part_dispatch.max_parallel_parts(analysis)
    if missing.filter(number=following).exists():
        part_dispatch.send_parts(analysis, [following])


# -- in the sweeper -------------------------------------------------------------------------------


def end_overdue_analyses() -> int:
    """End the analyses past their deadline; how many. One that cannot end does not block others."""
    overdue = Analysis.objects.filter(state=WAITING, deadline__lte=timezone.now())
    ended = 0
    for name in overdue.values_list("pk", flat=True):
        try:
            ended += completion.end_analysis(name)
        except Error:  # a database error: the next round will try again
            raise
        except Exception:  # a game that cannot be read
            logger.exception("The results of analysis %s cannot be merged", name)
            completion.fail_analysis(name)
    return ended


def resend_parts() -> None:
    """Send parts again that no worker began, or whose worker died: each time after about twice as
    long, because they may still be queued."""
    now = timezone.now()
    for analysis in Analysis.objects.filter(state=WAITING, due__lte=now):
        due = now + max(part_dispatch.MIN_RESEND_INTERVAL, now - analysis.created)
        if Analysis.objects.filter(pk=analysis.pk, due=analysis.due).update(due=due):
            part_dispatch.send_parts(analysis, _idle_parts(analysis))


def _idle_parts(analysis: Analysis) -> list[int]:
    """The parts that no live worker has claimed."""
    idle = Q(begun=None) | Q(begun__lt=timezone.now() - PART_LEASE)
    missing = Part.objects.filter(idle, analysis=analysis, done=None).order_by("number")
    return list(
        missing.values_list("number", flat=True)[: part_dispatch.max_parallel_parts(analysis)]
    )

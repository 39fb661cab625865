"""Rebasing analyses that began while the time of day was ahead: once it is set back, their times
move back with it, so that none waits for hours because a clock was wrong."""

from __future__ import annotations

import logging
from datetime import datetime, timedelta
from typing import Final

from django.utils import timezone

from ai.models import Analysis, Part

logger = logging.getLogger(__name__)

CLOCK_TOLERANCE: Final = timedelta(seconds=5)  # how far the clocks of several machines may differ


def rebase_analyses() -> int:
    """Move unfinished analyses that began in the future to the present; returns their number."""
    now = timezone.now()
    future_analyses = Analysis.objects.filter(
        state=Analysis.State.WAITING, created__gt=now + CLOCK_TOLERANCE
    )
    count = sum(_rebase_analysis(analysis, now) for analysis in future_analyses)
    if count:
        logger.warning(
            "The system clock was set back: the deadlines of %d analyses restart now", count
        )
    return count


def _rebase_analysis(analysis: Analysis, now: datetime) -> int:
    shift = analysis.created - now
    rows = Analysis.objects.filter(pk=analysis.pk, created=analysis.created)
    Part.objects.filter(analysis=analysis, begun__gt=now).update(begun=now)
    return rows.update(
        created=now, deadline=analysis.deadline - shift, due=max(analysis.due - shift, now)
    )

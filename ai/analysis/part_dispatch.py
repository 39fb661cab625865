"""The dispatch of an analysis's parts to the workers: an outbox sends one task for each, which only
names its row. The sweeper sends lost ones again, ends analyses at their deadline, and corrects the
times of those that began before the system clock was set back."""

from __future__ import annotations

import logging
from collections.abc import Iterator, Sequence
from datetime import datetime, timedelta
from typing import Final, NamedTuple

from django.conf import settings
from django.db import transaction
from django.db.models import Q
from django.utils import timezone

from ai.analysis import analysis_completion
from ai.models import Analysis, Part
from jobs.background_publisher import register
from jobs.celery_task_publisher import TaskCall, TaskOutbox

logger = logging.getLogger(__name__)

STUDY_TASK_NAME: Final = "ai.tasks.study"
BOTS_QUEUE: Final = "bots"  # parts for which a table waits
ANALYSES_QUEUE: Final = "analyses"
MAX_PART_SECONDS: Final = 20.0
MIN_RESEND_INTERVAL: Final = timedelta(seconds=30)  # minimum time before parts are sent again
PART_LEASE: Final = timedelta(seconds=60)  # a worker that takes longer must be dead
MAX_PARTS: Final = 64  # of one decision
CLOCK_TOLERANCE: Final = timedelta(seconds=5)  # how far the clocks of several machines may differ


class PartMessage(NamedTuple):
    """A part to be worked on."""

    analysis: str
    number: int
    queue: str


class PartOutbox(TaskOutbox[PartMessage]):
    """Sends parts to the workers."""

    name = "parts"
    loss_message = "%d parts of analyses were not published: %s"

    def task_call(self, message: PartMessage) -> TaskCall:
        """The part as a task of its queue."""
        arguments = [message.analysis, message.number]
        return TaskCall(STUDY_TASK_NAME, arguments, {"queue": message.queue})

    def find_lost(self) -> Iterator[PartMessage]:
        """The parts that no worker began, or whose worker died: each time after about twice as
        long, because they may still be queued. An analysis past its deadline ends without them."""
        rebase_analyses()
        analysis_completion.end_overdue_analyses()
        now = timezone.now()
        for analysis in Analysis.objects.filter(state=Analysis.State.WAITING, due__lte=now):
            due = now + max(MIN_RESEND_INTERVAL, now - analysis.created)
            if Analysis.objects.filter(pk=analysis.pk, due=analysis.due).update(due=due):
                yield from part_messages(analysis, _idle_parts(analysis))


outbox: Final = register(PartOutbox())


def without_live_worker() -> Q:
    """Filter: parts that no live worker has claimed."""
    return Q(begun=None) | Q(begun__lt=timezone.now() - PART_LEASE)


def _idle_parts(analysis: Analysis) -> list[int]:
    """The next parts to be worked on, as many as may be at once."""
    open_parts = Part.objects.filter(without_live_worker(), analysis=analysis, done=None)
    numbers = open_parts.order_by("number").values_list("number", flat=True)
    return list(numbers[: max_parallel_parts(analysis)])


def start_analysis(analysis: Analysis, searches: Sequence[tuple[int, int, int]]) -> None:
    """Save a new analysis with its searches, each (seq, seat, simulations), and let workers begin
    after the commit. The searches of one position get different seeds."""
    parts = [
        Part(
            analysis=analysis,
            number=number,
            spread=0 if analysis.seq is None else number,
            seq=seq,
            seat=seat,
            simulations=simulations,
        )
        for number, (seq, seat, simulations) in enumerate(searches)
    ]
    with transaction.atomic():
        analysis.save(force_insert=True)
        Part.objects.bulk_create(parts, batch_size=500)
    first = [part.number for part in parts[: max_parallel_parts(analysis)]]
    transaction.on_commit(lambda: send_parts(analysis, first), robust=True)


def send_parts(analysis: Analysis, numbers: Sequence[int]) -> None:
    """Send these parts to the workers."""
    for message in part_messages(analysis, numbers):
        outbox.enqueue(message)


def part_messages(analysis: Analysis, numbers: Sequence[int]) -> Iterator[PartMessage]:
    """The messages for these parts."""
    queue = BOTS_QUEUE if analysis.bot else ANALYSES_QUEUE
    return (PartMessage(analysis.pk, number, queue) for number in numbers)


def max_parallel_parts(analysis: Analysis) -> int:
    """How many parts may be worked on at once: all of them while a table waits."""
    return MAX_PARTS if analysis.bot else int(settings.PARTS)


# -- a system clock that was set back ------------------------------------------------------------


def rebase_analyses() -> int:
    """Move unfinished analyses that began in the future to the present, so that none waits for
    hours because a clock was wrong; returns their number."""
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

"""Sending the parts of an analysis to the workers: one task each that only names its row, published
asynchronously. The sweeper sends lost ones again."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import timedelta
from typing import Final, NamedTuple

from celery import current_app
from django.conf import settings
from django.db import transaction

from ai.models import Analysis, Part
from jobs.outbox import Outbox

STUDY_TASK_NAME: Final = "ai.tasks.study"
BOTS_QUEUE: Final = "bots"  # parts for which a table waits
ANALYSES_QUEUE: Final = "analyses"
MAX_PART_SECONDS: Final = 20.0
MIN_RESEND_INTERVAL: Final = timedelta(seconds=30)  # minimum time before parts are sent again
MAX_PARTS: Final = 64  # of one decision


class PartMessage(NamedTuple):
    """A part to be worked on."""

    analysis: str
    number: int
    queue: str


class PartOutbox(Outbox[PartMessage]):
    """Sends parts to the workers; the sweeper makes up for lost ones."""

    loss_message = "%d parts of analyses were not published: %s"

    def publish(self, batch: list[PartMessage]) -> None:
        """Send them to the broker."""
        with current_app.producer_pool.acquire(block=True) as producer:
            for message in batch:
                with self.use_trace_of(message):
                    current_app.send_task(
                        STUDY_TASK_NAME,
                        args=[message.analysis, message.number],
                        producer=producer,
                        queue=message.queue,
                    )


outbox = PartOutbox()


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
    queue = BOTS_QUEUE if analysis.bot else ANALYSES_QUEUE
    for number in numbers:
        outbox.enqueue(PartMessage(analysis.pk, number, queue))


def max_parallel_parts(analysis: Analysis) -> int:
    """How many parts may be worked on at once: all of them while a table waits."""
    return MAX_PARTS if analysis.bot else int(settings.PARTS)

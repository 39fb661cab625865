"""How do parts of an analysis reach the workers? Each as a task that names its row and no more,
published behind the back of whoever asked; what is lost on the way the sweeper sends again."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import timedelta
from typing import Final, NamedTuple

from celery import current_app
from django.conf import settings
from django.db import transaction

from ai.models import Analysis, Part
from games import background_publisher

STUDY_TASK_NAME: Final = "ai.tasks.study"
BOTS_QUEUE: Final = "bots"  # the queue of those for whom a table waits
ANALYSES_QUEUE: Final = "analyses"
MAX_PART_SECONDS: Final = 20.0  # seconds that a part may take
MIN_RESEND_INTERVAL: Final = timedelta(seconds=30)  # at least, before parts are sent once more
MAX_PARTS: Final = 64  # parts of one decision


class PartMessage(NamedTuple):
    """A part that is to be worked on."""

    analysis: str
    number: int
    queue: str


class PartPublisher(background_publisher.BackgroundPublisher[PartMessage]):
    """What hands parts to the workers; those it cannot hand over the sweeper sends again."""

    loss_message = "%d parts of analyses were not sent: %s"

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


publisher = PartPublisher()


def start_analysis(analysis: Analysis, searches: Sequence[tuple[int, int, int]]) -> None:
    """Keep a new analysis with its searches, each (seq, seat, simulations), and let workers begin
    once it is kept. Those of one position are spread: each imagines other worlds."""
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
    """Let workers work on these parts."""
    queue = BOTS_QUEUE if analysis.bot else ANALYSES_QUEUE
    for number in numbers:
        publisher.enqueue(PartMessage(analysis.pk, number, queue))


def max_parallel_parts(analysis: Analysis) -> int:
    """How many parts may be worked on at once: all, while a table waits."""
    return MAX_PARTS if analysis.bot else int(settings.PARTS)

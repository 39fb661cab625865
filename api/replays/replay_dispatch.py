"""The dispatch of replays to workers: an outbox sends one task for each, to the queue of analyses,
whose workers leave the processor to bots. The sweeper sends lost ones again."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

from django.db import transaction
from django.dispatch import receiver

from api.models import Replay
from api.replays import replay_rows
from api.replays.replay_rows import Style
from jobs.background_publisher import register
from jobs.celery_task_publisher import TaskCall, TaskOutbox
from jobs.sweeper_hooks import cleanup_due
from tabularium_log.projection.projection import Projection

DRAW_TASK: Final = "api.tasks.draw_replay"


class ReplayOutbox(TaskOutbox[str]):
    """Lets workers draw replays."""

    name = "replays"
    loss_message = "%d replays were not published: %s"

    def task_call(self, message: str) -> TaskCall:
        """The replay as a task."""
        return TaskCall(DRAW_TASK, [message])

    def find_lost(self) -> Iterator[str]:
        """The replays that no worker draws."""
        yield from replay_rows.take_overdue()


outbox: Final = register(ReplayOutbox())


def begin(name: str, caller: str, table: Projection, style: Style) -> Replay:
    """Let a worker draw a replay."""
    replay = replay_rows.begin(name, caller, table, style)
    transaction.on_commit(lambda: outbox.enqueue(name), robust=True)
    return replay


@receiver(cleanup_due)
def clean_up_replays(**_: Any) -> None:
    """Delete old replays."""
    replay_rows.delete_old()

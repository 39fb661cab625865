"""What do Celery's workers do? They let bots answer, think about parts of analyses, look after
games that wait too long, and count those that are rated.

A message names a decision and carries no state; lost or doubled, it does no harm: the choice's
token makes a second answer stale, and the sweeper wakes whoever was forgotten.
"""

from __future__ import annotations

from typing import Any, Final

from celery import Task, shared_task

from ai import pulses, sweeping, thinking
from ai.analysis import studying
from ai.analysis.sending import STUDY
from ai.rating import RATE
from ai.waking import AGAIN, THINK
from games import tracing
from games.ratings import folding
from games.services import UnknownGame

CANARY: Final = "ai.tasks.canary"


@shared_task(bind=True, name=THINK)  # type: ignore[untyped-decorator]
def think(task: Task[Any, Any], game: str, seat: int, choice: str) -> None:
    """Let the bot on this seat decide."""
    request = task.request
    tracing.note(game=game)
    again = request.delivery_info.get("redelivered") or (request.headers or {}).get(AGAIN)
    try:
        thinking.answer(game, seat, choice, again=bool(again))
    except UnknownGame:  # of a database that is not there any more
        return


@shared_task(bind=True, name=STUDY)  # type: ignore[untyped-decorator]
def study(task: Task[Any, Any], analysis: str, number: int) -> None:
    """Work on a part of an analysis."""
    again = task.request.delivery_info.get("redelivered")
    studying.study(analysis, number, again=bool(again))


@shared_task(name="ai.tasks.wake_stalled")  # type: ignore[untyped-decorator]
def wake_stalled() -> int:
    """Wake all bots for whom a table has waited too long."""
    return sweeping.wake_stalled()


@shared_task(name=RATE)  # type: ignore[untyped-decorator]
def rate(rules: str, thoroughly: bool) -> int:
    """Count the rated games of these rules that have not been."""
    return folding.count_games(rules, thoroughly=thoroughly)


@shared_task(name=CANARY)  # type: ignore[untyped-decorator]
def canary(kind: str, node: str) -> None:
    """Show that this worker takes work: the message has come all the way."""
    pulses.beat(kind, node)

"""Celery tasks of the bots: `think` lets a bot decide, `study` works on a part of an analysis.

A message names a decision and carries no state. A lost or duplicate message does no harm: the
choice token makes a second answer stale, and the sweeper wakes forgotten bots.
"""

from __future__ import annotations

from typing import Any

from celery import Task, shared_task

from ai import bot_turn, reactions
from ai.analysis import part_worker
from ai.analysis.part_dispatch import STUDY_TASK_NAME
from ai.bot_dispatch import AGAIN_HEADER, THINK_TASK_NAME
from games import request_trace
from games.services import UnknownGame
from tabularium_engines.installed.registry import RulesetNotInstalled


@shared_task(bind=True, name=THINK_TASK_NAME)  # type: ignore[untyped-decorator]
def think(task: Task[Any, Any], game: str, seat: int, choice: str) -> None:
    """Let bots react while this seat has the choice, then its own bot decide, if it has one. If an
    earlier message went unanswered, a reaction may be to blame: then no bot is asked."""
    request = task.request
    request_trace.add_to_trace(game=game)
    is_redelivered = request.delivery_info.get("redelivered") or (request.headers or {}).get(
        AGAIN_HEADER
    )
    try:
        if is_redelivered or not reactions.ask_bots(game, seat, choice):
            bot_turn.take_turn(game, seat, choice, again=bool(is_redelivered))
    except (UnknownGame, RulesetNotInstalled):  # the database or the package is no longer there
        return


@shared_task(bind=True, name=STUDY_TASK_NAME)  # type: ignore[untyped-decorator]
def study(task: Task[Any, Any], analysis: str, number: int) -> None:
    """Work on a part of an analysis."""
    is_redelivered = task.request.delivery_info.get("redelivered")
    part_worker.work_on_part(analysis, number, again=bool(is_redelivered))

"""Receivers of Django signals for the bots: waking bots when a log has grown, and deleting old
rows."""

from __future__ import annotations

from datetime import timedelta
from typing import Any, Final

from django.dispatch import receiver
from django.utils import timezone

from ai import bot_dispatch, old_thoughts
from ai.analysis import analysis_requests
from ai.models import BotFailure
from games import selectors
from games.signals import entries_appended
from jobs.sweeper_hooks import cleanup_due
from tabularium_log.projection.projection import Projection
from tabularium_log.projection.table_actions import TYPE_PREFIX

BOT_FAILURES_KEPT_FOR: Final = timedelta(days=2)


@receiver(entries_appended)
def wake_bots(table: Projection, first: int, **_: Any) -> None:
    """Wake the bots that have a new decision, or have taken over a seat; if only bots that may
    react have one, wake them with the decision of the awaited player."""
    is_table_action = table.entry.action["type"].startswith(TYPE_PREFIX)
    seats = selectors.awaited_bot_seats(table)
    if not seats and selectors.reacting_bot_seats(table):
        seats = table.engine.awaited_seats(table.state)[:1]
    for seat in seats:
        if is_table_action or table.choice_since[seat].seq >= first:
            bot_dispatch.wake_bot(table, seat)


@receiver(cleanup_due)
def clean_up(**_: Any) -> None:
    """Delete old analyses, thoughts and bot failures, and forget when bots were woken."""
    bot_dispatch.outbox.reset_wake_times()
    analysis_requests.delete_old_analyses()
    old_thoughts.walk.go_on()
    BotFailure.objects.filter(at__lt=timezone.now() - BOT_FAILURES_KEPT_FOR).delete()

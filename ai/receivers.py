"""Signal receivers: waking bots when a log has grown."""

from __future__ import annotations

from typing import Any

from django.dispatch import receiver

from ai import bot_dispatch
from games import selectors
from games.projection.projection import Projection
from games.projection.table_actions import TYPE_PREFIX
from games.signals import entries_appended


@receiver(entries_appended)
def wake_bots(table: Projection, first: int, **_: Any) -> None:
    """Wake the bots that have a new decision, or have taken over a seat."""
    by_the_table = table.entry.action["type"].startswith(TYPE_PREFIX)
    for seat in selectors.awaited_bot_seats(table):
        if by_the_table or table.choice_since[seat].seq >= first:
            bot_dispatch.wake_bot(table, seat)

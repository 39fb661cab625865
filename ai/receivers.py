"""When a log has grown: whose turn is it to think?"""

from __future__ import annotations

from typing import Any

from django.dispatch import receiver

from ai import waking
from games import selectors
from games.signals import entries_appended
from games.table.actions import PREFIX
from games.table.table import Table


@receiver(entries_appended)
def wake_bots(table: Table, first: int, **_: Any) -> None:
    """Wake the bots that have a new decision, or a seat that somebody else had."""
    by_the_table = table.entry.action["type"].startswith(PREFIX)
    for seat in selectors.bots_awaited(table):
        if by_the_table or table.since[seat].seq >= first:
            waking.wake(table, seat)

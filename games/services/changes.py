"""How is any change made? Written on a copy, appended in one short transaction, told after it."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import nullcontext
from dataclasses import dataclass
from datetime import datetime
from functools import cached_property
from typing import Any, Final

from django.conf import settings
from django.db import transaction
from django.utils import timezone

from games import figures, positions, tracing
from games.appending import Head, LostRace, append
from games.engines.base import IllegalAction
from games.fairness import receipts
from games.positions import Position
from games.signals import entries_appended
from games.table.scribe import Scribe, Step
from games.table.table import Refused, Table
from games.writes import writes

ATTEMPTS: Final = 100  # to win the race for the next entry; whoever loses one, another has won

Write = Callable[[Scribe, datetime], None]
Also = Callable[[int, Table], Any]  # given the seq of the first entry, and the table after all


class Busy(Refused):
    """So many append to this game at once that this one never got through."""

    def __init__(self) -> None:
        super().__init__("busy", "Too many act at this table at once; nothing was done. Try again.")


@dataclass(frozen=True)
class Appended:
    """What has become of a request: the entries it made, now or when it was first made."""

    position: Position  # after them
    first: int
    last: int
    repeated: bool = False
    steps: tuple[Step, ...] = ()  # each of them, if just made

    @property
    def table(self) -> Table:
        """The game after them."""
        return self.position.table

    @cached_property
    def receipt(self) -> receipts.Receipt:
        """The server's signed word that the log has this head."""
        table, keys = self.position.table, settings.SIGNING_KEYS
        key = receipts.signer(keys, table.create.key) or keys[0]
        return receipts.sign(key, table.game, table.seq, self.position.hash)


def change(game: str, write: Write, also: Also | None = None) -> Appended:
    """Let `write` write on the game's table and append what it wrote, with the start or the end
    that follows from it; `also` changes other rows in the same transaction."""
    tracing.note(game=game)
    for attempt in range(ATTEMPTS):
        known = positions.memory.latest(game) if attempt == 0 else None
        position = known or positions.current(game)
        scribe = Scribe(position.secret, position.table, position.hash)
        now = timezone.now()
        try:
            write(scribe, now)
            scribe.start_if_complete(now)
            scribe.end_if_due(now)
        except (Refused, IllegalAction):
            if known is None:
                raise
            continue  # what was remembered may be out of date: refuse only what is refused today
        try:
            return _append(position, scribe, also)
        except LostRace:
            figures.counts.add(figures.LOST_RACES)
            continue
    raise Busy


def _append(before: Position, scribe: Scribe, also: Also | None) -> Appended:
    table, first = scribe.table, before.table.seq + 1
    if not scribe.steps:
        return Appended(before, first, first - 1)
    with transaction.atomic() if also else nullcontext():
        append(table.game, before.table.seq, scribe.rows, Head(scribe.hash, table))
        if also:
            also(first, table)
    figures.counts.add(figures.APPENDS)
    figures.counts.add(figures.ENTRIES, len(scribe.steps))
    position = Position(table, scribe.hash, scribe.secret)
    announce(position, first)
    return Appended(position, first, table.seq, steps=tuple(scribe.steps))


def announce(position: Position, first: int) -> None:
    """Once it is kept, remember the position and tell whoever listens. A listener that fails is
    logged: what is appended is appended."""

    def tell() -> None:
        writes.succeed()
        positions.memory.keep(position)
        entries_appended.send_robust(sender=Table, table=position.table, first=first)

    transaction.on_commit(tell, robust=True)

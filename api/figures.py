"""How figures are kept: what each process counts is carried into the database every few seconds,
and the tally of games is summed up by the sweeper."""

from __future__ import annotations

import logging
import os
from collections import Counter
from importlib import import_module
from threading import Lock, Thread
from time import monotonic, sleep
from typing import Any, Final

from django.db import Error, connection, connections, transaction
from django.db.models import F, Sum
from django.db.models.signals import post_migrate
from django.dispatch import receiver

from ai.signals import swept
from api.models import Figure, Tally
from games.figures import counts

logger = logging.getLogger(__name__)

PAUSE: Final = 5.0  # seconds: so late are the counts of other processes, and so many are lost
MOST: Final = 1_000  # rows of the tally that are summed up at once
AT_ONCE: Final = 10  # times in one round of the sweeper

_carrying: dict[int, Lock] = {}  # by process: a lock may be held while another is forked
_carried_at = -PAUSE


def carry() -> None:
    """Add what this process has counted to the figures of the server. What the database does not
    take is counted later."""
    with _one_at_a_time():
        counted, found = counts.take()
        try:
            for name in sorted(counted):
                _add(name, counted[name])
                del counted[name]
            for name, value in found.items():
                Figure.objects.update_or_create(name=name, defaults={"value": value})
        except Error as problem:
            logger.warning("Figures are carried later: %s", problem)
            for name, number in counted.items():
                counts.add(name, number)


def _one_at_a_time() -> Lock:
    """The lock of this process."""
    return _carrying.setdefault(os.getpid(), Lock())


def _add(name: str, number: float) -> None:
    figure = Figure.objects.filter(name=name)
    if not figure.update(value=F("value") + number):
        Figure.objects.bulk_create([Figure(name=name)], ignore_conflicts=True)
        figure.update(value=F("value") + number)


def carry_on() -> None:
    """Carry counts in a thread, until the process ends. It keeps no connection while it rests."""

    def run() -> None:
        while True:
            sleep(PAUSE)
            try:
                carry()
            except Exception:
                logger.exception("Figures are not carried")
            finally:
                connections.close_all()

    Thread(target=run, daemon=True, name="figures").start()


def figures() -> dict[str, float]:
    """All that is kept."""
    return dict(Figure.objects.values_list("name", "value"))


# -- the tally of games ---------------------------------------------------------------------------


def games() -> list[tuple[str, str, int]]:
    """How many games there are, by rules and phase. What is read are the sums, and the rows that
    were added since the last round of the sweeper."""
    told = Tally.objects.values_list("rules", "phase").annotate(total=Sum("number"))
    return [(rules, phase, number) for rules, phase, number in told.order_by("rules", "phase")]


def sum_up() -> int:
    """Replace the oldest rows by their sums; how many there were, 0 if that would be no fewer."""
    with transaction.atomic():
        oldest = Tally.objects.order_by("pk")
        if connection.vendor == "postgresql":
            oldest = oldest.select_for_update(skip_locked=True)  # another sweeper has others
        rows = list(oldest[:MOST])
        sums = Counter[tuple[str, str]]()
        for row in rows:
            sums[row.rules, row.phase] += row.number
        if len(rows) <= len(sums):
            return 0
        Tally.objects.filter(pk__in=[row.pk for row in rows]).delete()
        Tally.objects.bulk_create(
            Tally(rules=rules, phase=phase, number=number)
            for (rules, phase), number in sums.items()
        )
        return len(rows)


@receiver(swept)
def carry_now_and_then(**_: Any) -> None:
    """The sweeper has no thread for its figures: it comes by often enough."""
    global _carried_at  # noqa: PLW0603  a process has one
    if monotonic() - _carried_at >= PAUSE:
        _carried_at = monotonic()
        carry()


@receiver(swept)
def sum_up_all(**_: Any) -> None:
    """After each round of the sweeper: a bounded number of rows."""
    for _time in range(AT_ONCE):
        if sum_up() < MOST:
            return


@receiver(post_migrate)
def lay_again(sender: Any, using: str, **_: Any) -> None:
    """SQLite forgets who keeps the tally when a migration makes the table of games anew."""
    database = connections[using]
    if getattr(sender, "name", "") != "api" or database.vendor != "sqlite":
        return
    keeping: Any = import_module("api.migrations.0004_figures")
    with database.cursor() as cursor:
        tables = set(database.introspection.table_names(cursor))
        if {Tally._meta.db_table, "games_game"} <= tables:
            for statement in keeping.laying("sqlite", ""):
                cursor.execute(statement)

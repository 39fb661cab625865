"""The rows of server-wide metrics in the database: each process adds its counts every few seconds,
and the sweeper compacts the counts of games."""

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

from api.models import GameCount, ServerMetric
from games.fork_guard import no_fork
from games.process_metrics import metrics
from jobs.sweeper_hooks import sweep_finished

logger = logging.getLogger(__name__)

# The counts of other processes lag by this interval, and a crash loses as much.
FLUSH_INTERVAL_SECONDS: Final = 5.0
GAME_COUNT_BATCH_ROWS: Final = 1_000  # rows compacted in one transaction
GAME_COUNT_BATCHES_PER_ROUND: Final = 10  # per round of the sweeper

_flush_lock_by_process: dict[
    int, Lock
] = {}  # by process id: a lock may be held when a process forks
_flushed_at = -FLUSH_INTERVAL_SECONDS


def flush_counts() -> None:
    """Add the counts of this process to the stored metrics. Counts that the database does not take
    are kept for the next flush."""
    with _flush_lock():
        counts, values = metrics.drain()
        try:
            for name in sorted(counts):
                _add_to_metric(name, counts[name])
                del counts[name]
            for name, value in values.items():
                ServerMetric.objects.update_or_create(name=name, defaults={"value": value})
        except Error as problem:
            logger.warning("The counters are flushed later: %s", problem)
            for name, number in counts.items():
                metrics.increment(name, number)


def _flush_lock() -> Lock:
    """The lock of this process."""
    return _flush_lock_by_process.setdefault(os.getpid(), Lock())


def _add_to_metric(name: str, number: float) -> None:
    metric = ServerMetric.objects.filter(name=name)
    if not metric.update(value=F("value") + number):
        ServerMetric.objects.bulk_create([ServerMetric(name=name)], ignore_conflicts=True)
        metric.update(value=F("value") + number)


def start_flush_thread() -> None:
    """Flush counts in a daemon thread, which holds no connection while it sleeps."""

    def run() -> None:
        while True:
            sleep(FLUSH_INTERVAL_SECONDS)
            flush_and_disconnect()

    Thread(target=run, daemon=True, name="metrics").start()


def flush_and_disconnect() -> None:
    """Flush counts, and leave no connection to a child of this process."""
    with no_fork():
        try:
            flush_counts()
        except Exception:
            logger.exception("Flushing the counters failed")
        finally:
            connections.close_all()


def stored_metrics() -> dict[str, float]:
    """All stored metrics by name."""
    return dict(ServerMetric.objects.values_list("name", "value"))


# -- the counts of games --------------------------------------------------------------------------


def game_counts() -> list[tuple[str, str, int]]:
    """The number of games by ruleset and phase, read from the compacted sums and the rows added
    since the last round of the sweeper."""
    totals = GameCount.objects.values_list("rules", "phase").annotate(total=Sum("number"))
    return [(rules, phase, number) for rules, phase, number in totals.order_by("rules", "phase")]


def compact_game_counts() -> int:
    """Replace the oldest rows by their sums; return how many there were, 0 if that saves none."""
    with transaction.atomic():
        oldest = GameCount.objects.order_by("pk")
        if connection.vendor == "postgresql":
            oldest = oldest.select_for_update(skip_locked=True)  # another sweeper takes other rows
        rows = list(oldest[:GAME_COUNT_BATCH_ROWS])
        sums = Counter[tuple[str, str]]()
        for row in rows:
            sums[row.rules, row.phase] += row.number
        if len(rows) <= len(sums):
            return 0
        GameCount.objects.filter(pk__in=[row.pk for row in rows]).delete()
        GameCount.objects.bulk_create(
            GameCount(rules=rules, phase=phase, number=number)
            for (rules, phase), number in sums.items()
        )
        return len(rows)


@receiver(sweep_finished)
def flush_after_sweep(**_: Any) -> None:
    """Flush the sweeper's counts: its rounds are frequent enough to need no thread."""
    global _flushed_at  # noqa: PLW0603  a process has one
    if monotonic() - _flushed_at >= FLUSH_INTERVAL_SECONDS:
        _flushed_at = monotonic()
        flush_counts()


@receiver(sweep_finished)
def compact_game_counts_after_sweep(**_: Any) -> None:
    """Compact a bounded number of rows after each round of the sweeper."""
    for _time in range(GAME_COUNT_BATCHES_PER_ROUND):
        if compact_game_counts() < GAME_COUNT_BATCH_ROWS:
            return


@receiver(post_migrate)
def recreate_game_count_triggers(sender: Any, using: str, **_: Any) -> None:
    """Recreate the triggers that SQLite drops when a migration rebuilds the games table."""
    database = connections[using]
    if getattr(sender, "name", "") != "api" or database.vendor != "sqlite":
        return
    migration: Any = import_module("api.migrations.0004_figures")
    with database.cursor() as cursor:
        tables = set(database.introspection.table_names(cursor))
        if {GameCount._meta.db_table, "games_game"} <= tables:
            for statement in migration.laying("sqlite", ""):
                cursor.execute(statement)

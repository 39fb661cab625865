"""Are the keys of this server those of its database? A server with others does not start."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from django.db import OperationalError, ProgrammingError, connection, transaction
from django.utils import timezone

from config.keys.locked import SHOWN
from config.keys.rings import Ring, rings
from games.models import Game, ServerKey

CONFIRMING: Final = 0x7AB1F  # the number of a lock in PostgreSQL
ADOPT: Final = "accept what is lost with `manage.py keys adopt`"


class WrongKeys(RuntimeError):
    """This server has not the keys that its database needs."""


def confirm() -> bool:
    """WrongKeys, if these are not the keys of the database. One that knows none yet learns them;
    False, if it is not migrated that far."""
    rows = known()
    if rows is None:
        check_unmigrated()
        return False
    ours = rings()
    if not all(is_settled(ring, rows) for ring in ours):
        with transaction.atomic():
            lock()
            rows = list(ServerKey.objects.all())
            for ring in ours:
                check(ring, rows)
            for ring in ours:
                learn(ring, rows)
    return True


def known() -> list[ServerKey] | None:
    """What the database knows of keys; None, if it has no place for that yet."""
    try:
        return list(ServerKey.objects.all())
    except (OperationalError, ProgrammingError) as problem:
        if ServerKey._meta.db_table not in connection.introspection.table_names():
            return None
        if isinstance(problem, ProgrammingError):
            raise WrongKeys(f"{str(problem).strip()}: run `manage.py grants` again.") from problem
        raise


def check_unmigrated() -> None:
    """The same for a database of an older version, which is about to be migrated."""
    if Game._meta.db_table in connection.introspection.table_names():
        for ring in rings():
            check(ring, [])


def lock() -> None:
    """Of several servers that start at once, let one after another do the rest; SQLite has but one
    writer anyway."""
    if connection.vendor == "postgresql":
        with connection.cursor() as cursor:
            cursor.execute("SELECT pg_advisory_xact_lock(%s)", [CONFIRMING])


# -- one kind of keys -----------------------------------------------------------------------------


def of(ring: Ring, rows: Sequence[ServerKey]) -> list[ServerKey]:
    """What the database knows of keys of this kind."""
    return [row for row in rows if row.kind == ring.kind]


def missing(ring: Ring, rows: Sequence[ServerKey]) -> list[ServerKey]:
    """The keys that may still be needed and are not here."""
    return [row for row in of(ring, rows) if not row.retired and row.fingerprint not in ring.held]


def is_settled(ring: Ring, rows: Sequence[ServerKey]) -> bool:
    """Is all as it was at the last start?"""
    current = [row.fingerprint for row in of(ring, rows) if row.is_current]
    return current == ring.held[:1] and not missing(ring, rows)


def check(ring: Ring, rows: Sequence[ServerKey]) -> None:
    """Refuse other keys, and the loss of one that is still needed."""
    if not of(ring, rows):
        if reason := ring.strangers():
            raise WrongKeys(f"{mismatch(ring)}: {reason}; {remedy(ring)}.")
        return
    for row in missing(ring, rows):
        if row.is_current:
            since = f"{row.fingerprint[:SHOWN]}, since {row.since:%Y-%m-%d}"
            raise WrongKeys(f"{mismatch(ring)} ({since}): {remedy(ring)}.")
        if needed := ring.missed(row.fingerprint):
            raise WrongKeys(f"{dropped(ring, row, needed)}.")


def mismatch(ring: Ring) -> str:
    """The beginning of a refusal."""
    held = ", ".join(each[:SHOWN] for each in ring.held)
    return f"The {ring.kind} keys of this server ({held}) are not those of its database"


def remedy(ring: Ring) -> str:
    """What to do."""
    place = f"set TABULARIUM_DATA or {ring.variable}"
    return f"{place} to the keys of the other servers or of the back-up, or {ADOPT}"


def dropped(ring: Ring, row: ServerKey, needed: str) -> str:
    """The refusal of a server that has dropped an old key too early."""
    name = f"The {ring.kind} key {row.fingerprint[:SHOWN]}"
    again = f"put it behind the first in {ring.variable} again"
    until = "run `manage.py keys reseal`" if ring.kind == "sealing" else "wait until they are over"
    return f"{name} was dropped too early, {needed} need it: {again} and {until}, or {ADOPT}"


def learn(ring: Ring, rows: Sequence[ServerKey]) -> None:
    """Let the database know that these keys are the ones, and that others are needed no more."""
    gone = [row.pk for row in missing(ring, rows)]
    ServerKey.objects.filter(pk__in=gone).update(retired=timezone.now())
    ours = ServerKey.objects.filter(kind=ring.kind)
    ours.filter(is_current=True).exclude(fingerprint=ring.held[0]).update(is_current=False)
    is_first_time = not of(ring, rows)
    for place, fingerprint in enumerate(ring.held if is_first_time else ring.held[:1]):
        state = {"is_current": place == 0, "retired": None}
        ours.update_or_create(state, kind=ring.kind, fingerprint=fingerprint)

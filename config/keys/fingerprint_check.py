"""The check of key fingerprints: that this server's keys are those of its database; otherwise it
does not start."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from django.db import OperationalError, ProgrammingError, connection, transaction
from django.utils import timezone

from config.keys.keyrings import Keyring, server_keyrings
from config.keys.sealed_columns import FINGERPRINT_DIGITS_SHOWN
from games.models import Game, ServerKey

KEY_CHECK_LOCK_ID: Final = 0x7AB1F  # advisory lock of PostgreSQL
ADOPT_ADVICE: Final = "accept the loss with `manage.py keys adopt`"


class WrongKeysError(RuntimeError):
    """This server lacks keys that its database needs."""


def confirm_keys() -> bool:
    """Raise WrongKeysError if these are not the keys of the database. A database without
    fingerprints records them; False if it is not migrated that far."""
    rows = recorded_keys()
    if rows is None:
        check_unmigrated_database()
        return False
    rings = server_keyrings()
    if not all(is_unchanged(ring, rows) for ring in rings):
        with transaction.atomic():
            lock_key_check()
            rows = list(ServerKey.objects.all())
            for ring in rings:
                check_keyring(ring, rows)
            for ring in rings:
                record_keys(ring, rows)
    return True


def recorded_keys() -> list[ServerKey] | None:
    """The keys recorded in the database; None if it has no table for them yet."""
    try:
        return list(ServerKey.objects.all())
    except (OperationalError, ProgrammingError) as problem:
        if ServerKey._meta.db_table not in connection.introspection.table_names():
            return None
        if isinstance(problem, ProgrammingError):
            raise WrongKeysError(
                f"{str(problem).strip()}: run `manage.py grants` again."
            ) from problem
        raise


def check_unmigrated_database() -> None:
    """The check for a database of an older version, which is about to be migrated."""
    if Game._meta.db_table in connection.introspection.table_names():
        for ring in server_keyrings():
            check_keyring(ring, [])


def lock_key_check() -> None:
    """Let servers that start at once proceed one after another; SQLite has only one writer
    anyway."""
    if connection.vendor == "postgresql":
        with connection.cursor() as cursor:
            cursor.execute("SELECT pg_advisory_xact_lock(%s)", [KEY_CHECK_LOCK_ID])


# -- keys of one kind -----------------------------------------------------------------------------


def rows_of_kind(ring: Keyring, rows: Sequence[ServerKey]) -> list[ServerKey]:
    """The recorded keys of this kind."""
    return [row for row in rows if row.kind == ring.kind]


def missing_rows(ring: Keyring, rows: Sequence[ServerKey]) -> list[ServerKey]:
    """The keys that may still be needed and are missing here."""
    return [
        row
        for row in rows_of_kind(ring, rows)
        if not row.retired and row.fingerprint not in ring.fingerprints
    ]


def is_unchanged(ring: Keyring, rows: Sequence[ServerKey]) -> bool:
    """Whether nothing has changed since the last start."""
    current = [row.fingerprint for row in rows_of_kind(ring, rows) if row.is_current]
    return current == ring.fingerprints[:1] and not missing_rows(ring, rows)


def check_keyring(ring: Keyring, rows: Sequence[ServerKey]) -> None:
    """Refuse other keys, and the loss of one that is still needed."""
    if not rows_of_kind(ring, rows):
        if reason := ring.mismatch_reason():
            raise WrongKeysError(f"{mismatch_phrase(ring)}: {reason}; {remedy_phrase(ring)}.")
        return
    for row in missing_rows(ring, rows):
        if row.is_current:
            key_text = f"{row.fingerprint[:FINGERPRINT_DIGITS_SHOWN]}, since {row.since:%Y-%m-%d}"
            raise WrongKeysError(f"{mismatch_phrase(ring)} ({key_text}): {remedy_phrase(ring)}.")
        if uses := ring.describe_uses_of(row.fingerprint):
            raise WrongKeysError(f"{dropped_key_sentence(ring, row, uses)}.")


def mismatch_phrase(ring: Keyring) -> str:
    """The beginning of a refusal."""
    digits = ", ".join(fingerprint[:FINGERPRINT_DIGITS_SHOWN] for fingerprint in ring.fingerprints)
    return f"The {ring.kind} keys of this server ({digits}) are not those of its database"


def remedy_phrase(ring: Keyring) -> str:
    """The remedies for a refusal."""
    remedy = f"set TABULARIUM_DATA or {ring.variable}"
    return f"{remedy} to the keys of the other servers or of the back-up, or {ADOPT_ADVICE}"


def dropped_key_sentence(ring: Keyring, row: ServerKey, uses: str) -> str:
    """The refusal if an old key was dropped too early."""
    name = f"The {ring.kind} key {row.fingerprint[:FINGERPRINT_DIGITS_SHOWN]}"
    remedy = f"append it to {ring.variable} again"
    next_step = (
        "run `manage.py keys reseal`" if ring.kind == "sealing" else "wait until they are over"
    )
    return (
        f"{name} was removed too early, {uses} need it: {remedy} and {next_step}, or {ADOPT_ADVICE}"
    )


def record_keys(ring: Keyring, rows: Sequence[ServerKey]) -> None:
    """Record these keys in the database as current, and missing ones as retired."""
    missing_ids = [row.pk for row in missing_rows(ring, rows)]
    ServerKey.objects.filter(pk__in=missing_ids).update(retired=timezone.now())
    records = ServerKey.objects.filter(kind=ring.kind)
    records.filter(is_current=True).exclude(fingerprint=ring.fingerprints[0]).update(
        is_current=False
    )
    is_first_time = not rows_of_kind(ring, rows)
    for index, fingerprint in enumerate(
        ring.fingerprints if is_first_time else ring.fingerprints[:1]
    ):
        state = {"is_current": index == 0, "retired": None}
        records.update_or_create(state, kind=ring.kind, fingerprint=fingerprint)

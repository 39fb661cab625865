"""The beginning of signing: the record's name, key and guard; and the move of its guard to another
machine."""

from __future__ import annotations

import os
from typing import Final

from django.conf import settings
from django.db import transaction

from record.growth import lock_tree
from record.guard_file import Guard, read_guard, write_guard
from record.models import ORIGIN_LENGTH, Tree
from tabularium_log.record.checkpoint import Checkpoint
from tabularium_log.record.errors import MalformedError, RecordError
from tabularium_log.record.hashes import EMPTY_ROOT
from tabularium_log.record.note import check_key_name

TOKEN_BYTES: Final = 16


def new_token() -> str:
    """A new token of a guard."""
    return os.urandom(TOKEN_BYTES).hex()


def check_origin(origin: str) -> None:
    """Refuse a name that no checkpoint or key can have."""
    check_key_name(origin)
    Checkpoint(origin, 0, EMPTY_ROOT)
    if len(origin) > ORIGIN_LENGTH or origin != origin.strip("/"):
        raise MalformedError(
            f"The name of the record is a host and a path, such as games.example/record, with at "
            f"most {ORIGIN_LENGTH} characters; {origin[:ORIGIN_LENGTH]!r} is not."
        )


def begin(origin: str) -> None:
    """Let this machine sign the record under this name from now on."""
    check_origin(origin)
    if read_guard(settings.RECORD_GUARD) is not None:
        raise RecordError(f"There is a guard already: {settings.RECORD_GUARD}.")
    settings.RECORD_KEYS.load(may_create=True)
    with transaction.atomic():
        tree = lock_tree()
        if tree.guard:
            raise RecordError(
                f"The record is signed as {tree.origin!r} already. If the database is no older "
                "dump, --adopt lets this machine sign it; otherwise run `manage.py record recover`."
            )
        tree.origin = origin
        guard = _name_guard(tree)
    write_guard(settings.RECORD_GUARD, guard)


def adopt() -> None:
    """Let this machine sign the record in the place of another, or with a new guard. The operator
    knows that the database is no older dump."""
    if read_guard(settings.RECORD_GUARD) is not None:
        raise RecordError(f"There is a guard already: {settings.RECORD_GUARD}.")
    with transaction.atomic():
        tree = lock_tree()
        if not tree.guard:
            raise RecordError("The record is not signed yet: run `manage.py record init ORIGIN`.")
        guard = _name_guard(tree)
    write_guard(settings.RECORD_GUARD, guard)


def _name_guard(tree: Tree) -> Guard:
    """A new guard of the locked tree, which names it. It is written after the commit: a crash
    before that leaves a tree that no machine signs, and --adopt is the remedy."""
    tree.guard = new_token()
    tree.save(update_fields=["origin", "guard"])
    return Guard(tree.guard, tree.origin, tree.size, bytes(tree.root).hex())

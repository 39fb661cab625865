"""The signing of checkpoints, at most every ten seconds, of a tree that is on the disk.

The order keeps a signature from ever being about a tree that the guard does not know: the leaves
are committed, the guard is moved to the size and root of the tree, and then the checkpoint is
signed and stored. A crash between any two steps is mended by the next round, since the same tree is
signed with the same bytes.
"""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime, timedelta
from typing import Final

from django.conf import settings
from django.db import connection, transaction
from django.utils import timezone

from record.announced_keys import announce_keys, has_unannounced_keys, signers_of
from record.database_tiles import DatabaseTiles
from record.growth import lock_tree, read_tree
from record.guard_file import Guard, write_guard
from record.models import SignedCheckpoint, Tree
from record.standing import Stand, standing_towards
from record.tree import tree_root
from tabularium_log.record.checkpoint import Checkpoint
from tabularium_log.record.errors import RecordError
from tabularium_log.record.note import sign_note

SIGNED_EVERY: Final = timedelta(seconds=10)
FULL_SYNCHRONOUS: Final = 2  # of SQLite


class UnsignedError(RecordError):
    """The tree is not signed, for the reason in the message."""


def latest_checkpoint() -> SignedCheckpoint | None:
    """The checkpoint that is served."""
    return SignedCheckpoint.objects.order_by("-pk").first()


def sign_due(now: datetime | None = None) -> SignedCheckpoint | None:
    """Sign the tree if it has grown since the last checkpoint; UnsignedError if it must not be
    signed."""
    tree = read_tree()
    standing = standing_towards(tree)
    if standing.stand is Stand.REFUSED:
        raise UnsignedError(standing.reason)
    if standing.stand is not Stand.SIGNS:
        return None
    if has_unannounced_keys(tree.origin):
        with transaction.atomic():
            announce_keys(_tree_to_sign()[0])
    elif not is_due(tree, latest_checkpoint(), now or timezone.now()):
        return None
    return sign(now or timezone.now())


def is_due(tree: Tree, latest: SignedCheckpoint | None, now: datetime) -> bool:
    """Whether the tree has leaves that no checkpoint has, the last of which is old enough."""
    if latest is None:
        return True
    has_grown = tree.size != latest.size
    return has_grown and not timedelta(0) <= now - latest.at < SIGNED_EVERY


def sign(now: datetime) -> SignedCheckpoint | None:
    """Move the guard to the tree, sign it, and store the checkpoint."""
    with transaction.atomic():
        tree, guard = _tree_to_sign()
        if not is_due(tree, latest_checkpoint(), now):
            return None  # another process was faster
        check_durability()
        root = tree_root(DatabaseTiles(), tree.size)
        if root != bytes(tree.root):
            raise UnsignedError("The tiles of the tree do not lead to its root.")
        checkpoint = Checkpoint(tree.origin, tree.size, root)
        signers = signers_of(tree.origin)
        write_guard(settings.RECORD_GUARD, replace(guard, size=tree.size, root=root.hex()))
        note = sign_note(checkpoint.text, signers).encode().decode()
        return SignedCheckpoint.objects.create(size=tree.size, at=now, note=note)


def _tree_to_sign() -> tuple[Tree, Guard]:
    """The locked tree, and its guard; UnsignedError if it does not fit."""
    tree = lock_tree()
    standing = standing_towards(tree)
    if standing.guard is None or standing.stand is not Stand.SIGNS:
        raise UnsignedError(standing.reason or "The guard is not here any more.")
    return tree, standing.guard


def check_durability() -> None:
    """Refuse to sign if the database is set up to confirm leaves that it may still lose."""
    is_sqlite = connection.vendor == "sqlite"
    question = "PRAGMA synchronous" if is_sqlite else "SHOW synchronous_commit"
    with connection.cursor() as cursor:
        cursor.execute(question)
        (value,) = cursor.fetchone()
    if value == "off" or (is_sqlite and value < FULL_SYNCHRONOUS):
        raise UnsignedError(
            f"The database may lose leaves that it has confirmed ({question}: {value}), so that "
            "nothing is signed."
        )

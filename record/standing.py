"""The standing of this machine towards the tree: whether it may let it grow, and sign it.

Until `manage.py record init`, every machine adds leaves, and none signs. From then on the tree
names one guard, and only the machine that has it adds leaves and signs, provided that the tree
continues the one of the guard.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

from django.conf import settings

from record.database_tiles import DatabaseTiles
from record.guard_file import Guard, read_guard
from record.models import Tree
from record.tree import tree_root
from tabularium_log.record.errors import RecordError


class Stand(Enum):
    """The four standings."""

    UNSIGNED = "unsigned"  # the record has no name and no guard yet
    SIGNS = "signs"
    ELSEWHERE = "elsewhere"  # another machine has the guard
    REFUSED = "refused"


@dataclass(frozen=True)
class Standing:
    """A standing, with the guard that is here, or the reason of a refusal."""

    stand: Stand
    guard: Guard | None = None
    reason: str = ""


def standing_towards(tree: Tree) -> Standing:
    """The standing of this machine towards the tree."""
    try:
        guard = read_guard(settings.RECORD_GUARD)
    except (RecordError, OSError) as problem:
        return Standing(Stand.REFUSED, reason=str(problem))
    if guard is None:
        return Standing(Stand.ELSEWHERE if tree.guard else Stand.UNSIGNED)
    reason = mismatch(tree, guard)
    return Standing(Stand.REFUSED if reason else Stand.SIGNS, guard, reason)


def mismatch(tree: Tree, guard: Guard) -> str:
    """The reason why this guard does not let the tree be signed; empty if it does."""
    if not tree.guard:
        return "The guard has a signed tree, and the database is from before that."
    if guard.token != tree.guard:
        return "The database names another guard."
    if guard.origin != tree.origin:
        return f"The guard is of {guard.origin!r}, and the database of {tree.origin!r}."
    if tree.size < guard.size:
        return f"{guard.size} leaves were signed, and the database has {tree.size}: it went back."
    try:
        root = tree_root(DatabaseTiles(), guard.size)
    except RecordError as problem:
        return str(problem)
    if root.hex() != guard.root:
        return f"The first {guard.size} leaves are not those that were signed."
    return ""


def may_grow(tree: Tree) -> bool:
    """Whether this machine may add leaves."""
    return standing_towards(tree).stand in (Stand.UNSIGNED, Stand.SIGNS)

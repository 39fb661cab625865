"""The integrator: it adds the leaves of games that are over to the tree.

A game that is over and has no leaf is due: nothing else is stored, and appending to logs
knows nothing of the record. The leaves, the tree and the games' references are written in one
transaction under the tree's lock, so that a crash loses none and adds none twice.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, field

from django.db import transaction
from django.db.models import QuerySet

from games.models import Game
from record.growth import NewLeaf, append_to_tree, lock_tree, read_tree
from record.models import Leaf, Tree
from record.standing import may_grow
from record.stored_games import stored_game_leaves
from tabularium_log.record.hashes import leaf_hash


@dataclass(frozen=True)
class Integration:
    """The outcome of a round: how many games were found due, and why some have no leaf yet."""

    found: int = 0
    added: int = 0
    failures: dict[str, Exception] = field(default_factory=dict)


@dataclass(frozen=True)
class DueGame:
    """A game that is over, and the two texts of which one is its leaf; the first, if it is new."""

    row: Game
    texts: tuple[str, str]

    @property
    def hashes(self) -> tuple[bytes, bytes]:
        """The hashes of the two leaves."""
        first, second = self.texts
        return leaf_hash(first.encode()), leaf_hash(second.encode())


def due_games() -> QuerySet[Game]:
    """The games that are over and have no leaf, the earliest end first; an index has just them."""
    return Game.objects.filter(phase=Game.Phase.OVER, leaf__isnull=True).order_by("at", "pk")


def integrate(limit: int, excluded: Collection[str] = ()) -> Integration:
    """Give up to `limit` of the games that are due their leaves; the excluded ones wait."""
    rows = list(due_games().exclude(pk__in=excluded)[:limit])
    if not rows or not may_grow(read_tree()):
        return Integration()
    due, failures = prepare(rows)
    with transaction.atomic():
        tree = lock_tree()
        if not may_grow(tree):
            return Integration()
        added = add_leaves(tree, due)
    return Integration(len(rows), added, failures)


def prepare(rows: Sequence[Game]) -> tuple[list[DueGame], dict[str, Exception]]:
    """The leaves of these games, and the reasons why some cannot be made."""
    due, failures = [], {}
    for row in rows:
        try:
            due.append(DueGame(row, stored_game_leaves(row)))
        except Exception as problem:  # noqa: BLE001  # the caller logs it; other games follow
            failures[row.pk] = problem
    return due, failures


def add_leaves(tree: Tree, due: Sequence[DueGame]) -> int:
    """Add the leaves of those games that have none to the locked tree; returns their number. A game
    whose leaf is in the tree, since it was restored, refers to that one."""
    still_due = set(due_games().filter(pk__in=[each.row.pk for each in due]).values_list("pk"))
    due = [each for each in due if (each.row.pk,) in still_due]
    known = known_leaves(due)
    new = [each for each in due if each.row.pk not in known]
    numbers = known | {each.row.pk: number for number, each in enumerate(new, tree.size)}
    append_to_tree(tree, (NewLeaf(each.texts[0], each.row.pk) for each in new))
    for each in due:
        each.row.leaf = numbers[each.row.pk]
    Game.objects.bulk_update([each.row for each in due], ["leaf"])
    return len(new)


def known_leaves(due: Sequence[DueGame]) -> dict[str, int]:
    """The numbers of the leaves that are in the tree already, by game."""
    games = [each.row.pk for each in due]
    named = Leaf.objects.filter(game__in=games).values_list("game", "number")
    known = {str(game): number for game, number in named}
    by_hash = {hash_: each.row.pk for each in due for hash_ in each.hashes}
    nameless = Leaf.objects.filter(game__isnull=True, hash__in=by_hash)
    for number, raw in nameless.values_list("number", "hash"):
        game = by_hash[bytes(raw)]
        if game not in known:
            known[game] = number
            Leaf.objects.filter(pk=number).update(game=game)
    return known

"""The growth of the tree in the database: leaves, tiles, size and root in one transaction."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from record.database_tiles import DatabaseTiles
from record.models import Leaf, Tree
from record.tree import append_leaves, tree_root
from tabularium_log.record.hashes import EMPTY_ROOT, leaf_hash


class NewLeaf(NamedTuple):
    """The text of a leaf, and the game that it is about, if it is about one."""

    text: str
    game: str | None = None


def read_tree() -> Tree:
    """The tree as it is now, without a lock; an empty one if there is no row yet."""
    return Tree.objects.filter(pk=Tree.ONLY).first() or Tree(root=EMPTY_ROOT)


def lock_tree() -> Tree:
    """The tree, which no other transaction changes before this one ends."""
    locked = Tree.objects.select_for_update()
    tree, _ = locked.get_or_create(pk=Tree.ONLY, defaults={"root": EMPTY_ROOT})
    return tree


def append_to_tree(tree: Tree, leaves: Iterable[NewLeaf]) -> None:
    """Append leaves to the locked tree."""
    leaves = list(leaves)
    if not leaves:
        return
    hashes = [leaf_hash(leaf.text.encode()) for leaf in leaves]
    Leaf.objects.bulk_create(
        Leaf(number=number, hash=hash_, game=leaf.game, text=leaf.text)
        for number, (leaf, hash_) in enumerate(zip(leaves, hashes, strict=True), tree.size)
    )
    tiles = DatabaseTiles()
    tree.size = append_leaves(tiles, tree.size, hashes)
    tree.root = tree_root(tiles, tree.size)
    tree.save(update_fields=["size", "root"])

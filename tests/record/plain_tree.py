"""A Merkle tree as RFC 6962 defines it, by recursion over lists of leaves: the reference of the
tests; and stores of tiles that only tests need."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from hashlib import sha256

from record.tiles import TILE_HEIGHT, TILE_WIDTH, Growth, MemoryTiles, Place
from record.tree import append_leaves
from tabularium_log.record.hashes import HASH_BYTES, leaf_hash


def leaves_of(count: int) -> list[bytes]:
    """Different leaves, with lengths from 0."""
    return [
        b"leaf " * (number % 3) + str(number).encode() * (number > 0) for number in range(count)
    ]


def split(count: int) -> int:
    """The largest power of two below `count`."""
    power = 1
    while power * 2 < count:
        power *= 2
    return power


class PlainTree:
    """The definitions of RFC 6962, section 2.1, over the first leaves of a list."""

    def __init__(self, leaves: Sequence[bytes]) -> None:
        self.leaves = leaves
        self.root = cache(self._root)

    def _root(self, start: int, end: int) -> bytes:
        if end - start == 0:
            return sha256().digest()
        if end - start == 1:
            return sha256(b"\x00" + self.leaves[start]).digest()
        middle = start + split(end - start)
        return sha256(b"\x01" + self.root(start, middle) + self.root(middle, end)).digest()

    def path(self, index: int, start: int, end: int) -> list[bytes]:
        """PATH(m, D[n])."""
        if end - start == 1:
            return []
        middle = start + split(end - start)
        if index < middle:
            return [*self.path(index, start, middle), self.root(middle, end)]
        return [*self.path(index, middle, end), self.root(start, middle)]

    def proof(self, old_end: int, start: int, end: int, is_known: bool = True) -> list[bytes]:
        """SUBPROOF(m, D[n], b), where the old tree ends at `old_end`."""
        if old_end == end:
            return [] if is_known else [self.root(start, end)]
        middle = start + split(end - start)
        if old_end <= middle:
            return [*self.proof(old_end, start, middle, is_known), self.root(middle, end)]
        return [*self.proof(old_end, middle, end, False), self.root(start, middle)]


class CountingTiles(MemoryTiles):
    """A store that counts how often it was read."""

    def __init__(self) -> None:
        super().__init__()
        self.reads = 0

    def read(self, places: Iterable[Place]) -> Mapping[Place, bytes]:
        self.reads += 1
        return super().read(places)


class UniformTiles:
    """The tiles of a tree of any size whose leaves are all equal: on one level, all hashes are."""

    def __init__(self, leaf: bytes) -> None:
        self._hashes = [leaf_hash(leaf)]
        for _ in range(64):
            self._hashes.append(sha256(b"\x01" + self._hashes[-1] * 2).digest())

    def read(self, places: Iterable[Place]) -> Mapping[Place, bytes]:
        """Full tiles: a tree of some size uses their first hashes."""
        return {place: self._hashes[place.level * TILE_HEIGHT] * TILE_WIDTH for place in places}

    def grow(self, growths: Iterable[Growth]) -> None:
        """It has all tiles already."""
        raise NotImplementedError

    def root(self, size: int) -> bytes:
        """The root, by the binary digits of the size."""
        root = b""
        for height in range(size.bit_length()):
            if size >> height & 1:
                node = self._hashes[height]
                root = sha256(b"\x01" + node + root).digest() if root else node
        return root


def filled(leaves: Sequence[bytes], store: MemoryTiles | None = None) -> MemoryTiles:
    """A store with the tree of these leaves."""
    store = MemoryTiles() if store is None else store
    assert append_leaves(store, 0, [*map(leaf_hash, leaves)]) == len(leaves)
    return store


def cut(hashes: bytes) -> list[bytes]:
    """The hashes of a tile."""
    return [hashes[at : at + HASH_BYTES] for at in range(0, len(hashes), HASH_BYTES)]

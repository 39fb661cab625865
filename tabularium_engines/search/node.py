"""The nodes of the search tree, keyed by seat, action and observation."""

from __future__ import annotations

from math import log, sqrt
from typing import Final

from librt.vecs import vec
from mypy_extensions import i64

from tabularium_engines.heuristics.base import Plan

_TABULATED_LIMIT: Final[i64] = 4096
_EXPLORATION_TABLE: Final = vec[float](
    [0.0] + [sqrt(log(float(n))) for n in range(1, _TABULATED_LIMIT)]
)
# 2^26 divided by the golden ratio: neighbours land far apart
_LOW_HASH_FACTOR: Final[i64] = 0x278DDE5
_ACTION_MASK: Final[i64] = 0xFFFFFFFFFF  # 40 bits
WAIT: Final[i64] = _ACTION_MASK  # the decision of a seat that is not awaited to do nothing
_LOW_BITS_MASK: Final[i64] = 0xFFFFFFFFF  # 36 bits, so that a product stays below 2^62 …
_HIGH_HASH_FACTOR: Final[i64] = 0x9E3779B97F4D  # … and the factor that spreads the bits above them


def exploration_term(available: i64) -> float:
    """The weight of uncertainty for an action that was available that often."""
    return (
        _EXPLORATION_TABLE[available]
        if available < _TABULATED_LIMIT
        else sqrt(log(float(available)))
    )


def key_of(seat: i64, action: i64, occasion: i64) -> i64:
    """Seat, action and observation key as one number below 2^60."""
    return occasion << 44 | action << 4 | seat


def action_of(key: i64) -> i64:
    """The action in a key."""
    return key >> 4 & _ACTION_MASK


class Node:
    """The statistics of one decision at one place in the tree.

    The children are in a hash table of our own, because a dict would box each key: looking up the
    child of every legal action is the search's most frequent operation. There are no cycles, but
    the class must not be declared acyclic to mypyc: that frees a deep tree by the mechanism for
    garbage-collected objects and corrupts memory.
    """

    def __init__(self, key: i64) -> None:
        self.key: i64 = key
        self.plan: Plan | None = None  # that it stands for, if it does
        self.seat: i64 = key & 0xF
        self.visits: i64 = 0
        self.available: i64 = 0
        self.reward: float = 0.0
        self.mean: float = 0.0
        self.uncertainty: float = 0.0  # falls with every visit
        self._child_count: i64 = 0
        self._table: list[Node | None] = _EMPTY_TABLE

    def add_reward(self, reward: float) -> None:
        """Count one more visit and its reward."""
        self.visits += 1
        self.reward += reward
        visits = float(self.visits)
        self.mean = self.reward / visits
        self.uncertainty = 1.0 / sqrt(visits)

    def find_child(self, key: i64) -> Node | None:
        """The child of this key, if it was ever tried here."""
        return self._table[self._slot_of(key)]

    def add_child(self, key: i64) -> Node:
        """Add the child of a decision that is tried here for the first time."""
        if 2 * self._child_count >= len(self._table) - 1:
            self._grow()
        child = Node(key)
        self._table[self._slot_of(key)] = child
        self._child_count += 1
        return child

    def children(self) -> list[Node]:
        """All children, in no particular order."""
        return [child for child in self._table if child is not None]

    def _slot_of(self, key: i64) -> i64:
        """The index of the child's slot, or of the empty slot for it: the table is never full."""
        last: i64 = len(self._table) - 1
        place = (
            (key & _LOW_BITS_MASK) * _LOW_HASH_FACTOR + (key >> 36) * _HIGH_HASH_FACTOR >> 26
        ) & last
        while True:
            child = self._table[place]
            if child is None or child.key == key:
                return place
            place = (place + 1) & last

    def _grow(self) -> None:
        """Move into a table twice as large."""
        old = self._table
        self._table = [None] * max(8, 2 * len(old))
        for child in old:
            if child is not None:
                self._table[self._slot_of(child.key)] = child


_EMPTY_TABLE: Final[list[Node | None]] = [None]  # shared by all leaves

"""The Merkle tree over tiles: appending, roots of any size, inclusion and consistency proofs.

Each function reads all tiles that it needs in one call of the store. The hash of a span of leaves
that is no power of two is folded from those that are, which lie in tiles.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Final, NamedTuple

from record.tiles import (
    TILE_HEIGHT,
    TILE_WIDTH,
    Growth,
    MissingHashesError,
    Place,
    TileStore,
    tile_path,
)
from tabularium_log.record.errors import RecordError
from tabularium_log.record.hashes import EMPTY_ROOT, HASH_BYTES, node_hash, perfect_root

TILE_BYTES: Final = TILE_WIDTH * HASH_BYTES


class Span(NamedTuple):
    """The leaves `start` … `end`-1, below one hash of the tree."""

    start: int
    end: int


class Node(NamedTuple):
    """The root over 2^`height` leaves, whose first is `number` * 2^`height`."""

    height: int
    number: int

    @property
    def place(self) -> Place:
        """The tile that has the hashes from which the node follows."""
        level, height = divmod(self.height, TILE_HEIGHT)
        return Place(level, (self.number << height) // TILE_WIDTH)


# -- appending ------------------------------------------------------------------------------------


def append_leaves(store: TileStore, size: int, leaf_hashes: Sequence[bytes]) -> int:
    """Append the hashes of leaves to a tree of `size` leaves; returns its new size."""
    if any(len(each) != HASH_BYTES for each in leaf_hashes):
        raise RecordError(f"The hash of a leaf has {HASH_BYTES} bytes.")
    tails = _read_tails(store, size)
    growths: list[Growth] = []
    level, hashes = 0, b"".join(leaf_hashes)
    while hashes:
        position = size >> (TILE_HEIGHT * level)
        row = _row_growths(level, position, hashes)
        growths += row
        hashes = b"".join(
            perfect_root(tails.get(place, b"") + added)
            for place, width, added in row
            if width * HASH_BYTES + len(added) == TILE_BYTES
        )
        level += 1
    store.grow(growths)
    return size + len(leaf_hashes)


def _read_tails(store: TileStore, size: int) -> Mapping[Place, bytes]:
    """The last tile of each level, if it is partial."""
    widths = {}
    level = 0
    while hashes_of_level := size >> (TILE_HEIGHT * level):
        number, width = divmod(hashes_of_level, TILE_WIDTH)
        if width:
            widths[Place(level, number)] = width
        level += 1
    tails = store.read(widths) if widths else {}
    for place, width in widths.items():
        _check_width(place, tails.get(place, b""), width)
    return tails


def _row_growths(level: int, position: int, hashes: bytes) -> list[Growth]:
    """The growth of the tiles of one level by hashes that begin at a position of the level."""
    growths = []
    start = 0
    while start < len(hashes):
        number, width = divmod(position, TILE_WIDTH)
        added = hashes[start : start + TILE_BYTES - width * HASH_BYTES]
        growths.append(Growth(Place(level, number), width, added))
        position += len(added) // HASH_BYTES
        start += len(added)
    return growths


# -- roots and proofs -----------------------------------------------------------------------------


def tree_root(store: TileStore, size: int) -> bytes:
    """The root of the tree of the first `size` leaves."""
    if size < 0:
        raise RecordError(f"{size} is not the size of a tree.")
    return span_hashes(store, [Span(0, size)])[0] if size else EMPTY_ROOT


def inclusion_proof(store: TileStore, index: int, size: int) -> list[bytes]:
    """The hashes that lead from leaf `index` to the root of the tree of `size` leaves."""
    if not 0 <= index < size:
        raise RecordError(f"A tree of {size} leaves has no leaf {index}.")
    spans, _ = _siblings(size, lambda start, middle: index < middle)
    return span_hashes(store, spans)


def consistency_proof(store: TileStore, old_size: int, size: int) -> list[bytes]:
    """The hashes that show that the tree of `old_size` leaves is a beginning of that of `size`."""
    if not 0 <= old_size <= size:
        raise RecordError(f"A tree of {size} leaves does not contain one of {old_size}.")
    if old_size in (0, size):
        return []
    spans, rest = _siblings(size, lambda start, middle: old_size <= middle, old_size)
    if rest.start:  # otherwise it is the old tree, whose root the verifier has
        spans.insert(0, rest)
    return span_hashes(store, spans)


def _siblings(
    size: int, is_left: Callable[[int, int], bool], end: int = 0
) -> tuple[list[Span], Span]:
    """The spans beside a descent from the root, lowest first, and the span where it ends: at a
    leaf, or at the span that ends at `end`."""
    span, spans = Span(0, size), []
    while span.end - span.start > 1 and span.end != end:
        middle = span.start + (1 << (span.end - span.start - 1).bit_length() - 1)
        left, right = Span(span.start, middle), Span(middle, span.end)
        goes_left = is_left(span.start, middle)
        span, sibling = (left, right) if goes_left else (right, left)
        spans.append(sibling)
    return spans[::-1], span


def span_hashes(store: TileStore, spans: Sequence[Span]) -> list[bytes]:
    """The hashes of spans, all tiles for them being read at once."""
    nodes = [_nodes_of(span) for span in spans]
    places = dict.fromkeys(node.place for row in nodes for node in row)
    tiles = store.read(places) if places else {}
    return [_fold(tiles, row) for row in nodes]


def _nodes_of(span: Span) -> list[Node]:
    """The largest nodes that a span consists of, from the left."""
    nodes = []
    start, end = span
    while start < end:
        height = (end - start).bit_length() - 1
        nodes.append(Node(height, start >> height))
        start += 1 << height
    return nodes


def _fold(tiles: Mapping[Place, bytes], nodes: Sequence[Node]) -> bytes:
    root = _node_root(tiles, nodes[-1])
    for node in nodes[-2::-1]:
        root = node_hash(_node_root(tiles, node), root)
    return root


def _node_root(tiles: Mapping[Place, bytes], node: Node) -> bytes:
    """The hash of a node, made from its tile."""
    count = 1 << node.height % TILE_HEIGHT
    first = node.number * count % TILE_WIDTH
    tile = tiles.get(node.place, b"")
    _check_width(node.place, tile, first + count)
    return perfect_root(tile[first * HASH_BYTES : (first + count) * HASH_BYTES])


def _check_width(place: Place, tile: bytes, width: int) -> None:
    if len(tile) < width * HASH_BYTES:
        raise MissingHashesError(
            f"The tile {tile_path(place)} has {len(tile) // HASH_BYTES} hashes, and {width} of "
            "them are needed."
        )

"""Tiles of a Merkle tree as in C2SP tlog-tiles: their places and paths, and a store of them.

A tile has up to 256 hashes of one level. On level 0 they are those of leaves; on each level above,
a hash is the root of a full tile of the level below. A tile only grows at its end, so the first
hashes of a tile are the tile of every smaller tree.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import Final, NamedTuple, Protocol

from tabularium_log.record.errors import MalformedError, RecordError
from tabularium_log.record.hashes import HASH_BYTES

TILE_HEIGHT: Final = 8
TILE_WIDTH: Final = 2**TILE_HEIGHT  # hashes
LEVEL_LIMIT: Final = 64
ENTRY_BYTES_LIMIT: Final = 2**16
PATH: Final = re.compile(
    r"tile/(entries|0|[1-9][0-9]?)/((?:x[0-9]{3}/){0,5})([0-9]{3})(?:\.p/([1-9][0-9]{0,2}))?"
)


class MissingHashesError(RecordError):
    """The store lacks hashes that a tree of this size has."""


class Place(NamedTuple):
    """Where a tile is: its level, and its number on that level, from 0."""

    level: int
    number: int


class Growth(NamedTuple):
    """Hashes for the end of a tile, which has `width` hashes until then."""

    place: Place
    width: int
    hashes: bytes


class TileStore(Protocol):
    """Where tiles are kept."""

    def read(self, places: Iterable[Place]) -> Mapping[Place, bytes]:
        """The tiles of these places that exist, each with all hashes that it has by now."""

    def grow(self, growths: Iterable[Growth]) -> None:
        """Append to tiles, all or nothing; refuse if one does not have the width that is stated."""


class MemoryTiles:
    """A store of tiles in memory."""

    def __init__(self) -> None:
        self._tiles: dict[Place, bytes] = {}

    def read(self, places: Iterable[Place]) -> Mapping[Place, bytes]:
        """The tiles of these places that exist."""
        return {place: self._tiles[place] for place in places if place in self._tiles}

    def grow(self, growths: Iterable[Growth]) -> None:
        """Append to tiles, all or nothing."""
        changed = {}
        for place, width, hashes in growths:
            tile = self._tiles.get(place, b"")
            if len(tile) != width * HASH_BYTES:
                count = len(tile) // HASH_BYTES
                raise RecordError(f"The tile {tile_path(place)} has {count} hashes, not {width}.")
            changed[place] = tile + hashes
        self._tiles.update(changed)


def width_in_tree(place: Place, size: int) -> int:
    """The number of hashes of a tile in a tree of `size` leaves: 0 … 256."""
    hashes_of_level = size >> (TILE_HEIGHT * place.level)
    return max(0, min(TILE_WIDTH, hashes_of_level - place.number * TILE_WIDTH))


def tiles_of_growth(old_size: int, size: int) -> list[tuple[Place, int]]:
    """The tiles that a tree of `size` leaves has and one of `old_size` has not, with their widths;
    from nothing, these are all tiles of the tree."""
    tiles = []
    level = 0
    while hashes_of_level := size >> (TILE_HEIGHT * level):
        first = (old_size >> (TILE_HEIGHT * level)) // TILE_WIDTH
        for number in range(first, -(-hashes_of_level // TILE_WIDTH)):
            place = Place(level, number)
            width = width_in_tree(place, size)
            if width > width_in_tree(place, old_size):
                tiles.append((place, width))
        level += 1
    return tiles


# -- paths ----------------------------------------------------------------------------------------


def tile_path(place: Place, width: int = TILE_WIDTH) -> str:
    """The path of a tile below the prefix of a log."""
    return f"tile/{place.level}/{_number_path(place.number, width)}"


def bundle_path(number: int, width: int = TILE_WIDTH) -> str:
    """The path of the leaves of a tile of level 0."""
    return f"tile/entries/{_number_path(number, width)}"


def _number_path(number: int, width: int) -> str:
    groups = [f"{number % 1000:03}"]
    while number := number // 1000:
        groups.insert(0, f"x{number % 1000:03}")
    return "/".join(groups) + (f".p/{width}" if width < TILE_WIDTH else "")


class TilePath(NamedTuple):
    """A parsed path of a tile, or of a bundle of leaves, whose level is None."""

    level: int | None
    number: int
    width: int


def parse_tile_path(path: str) -> TilePath:
    """Read the path of a tile or bundle; any spelling but that of `tile_path` is refused."""
    if not (found := PATH.fullmatch(path)):
        raise MalformedError(f"{path[:100]!r} is not the path of a tile.")
    level_text, groups, last_group, width_text = found.groups()
    number = int(groups.replace("x", "").replace("/", "") + last_group)
    width = int(width_text or TILE_WIDTH)
    level = None if level_text == "entries" else int(level_text)
    place = Place(level or 0, number)
    own_path = bundle_path(number, width) if level is None else tile_path(place, width)
    if own_path != path or place.level >= LEVEL_LIMIT:  # groups of zeroes, a width above 255
        raise MalformedError(f"{path[:100]!r} is not the path of a tile.")
    return TilePath(level, number, width)


# -- bundles of leaves ----------------------------------------------------------------------------


def write_bundle(leaves: Iterable[bytes]) -> bytes:
    """The leaves of a tile of level 0 as one file: each after its length in two bytes."""
    pieces = []
    for leaf in leaves:
        if len(leaf) >= ENTRY_BYTES_LIMIT:
            raise MalformedError(f"A leaf has {len(leaf)} bytes; a bundle takes up to 65,535.")
        pieces.append(len(leaf).to_bytes(2, "big") + leaf)
    if not 0 < len(pieces) <= TILE_WIDTH:
        raise MalformedError(f"A bundle has 1 to {TILE_WIDTH} leaves, not {len(pieces)}.")
    return b"".join(pieces)


def read_bundle(raw: bytes, width: int) -> list[bytes]:
    """The leaves of a bundle, of which there must be `width`."""
    leaves: list[bytes] = []
    at = 0
    while at < len(raw) and len(leaves) < width:
        end = at + 2 + int.from_bytes(raw[at : at + 2], "big")
        if end > len(raw):
            raise MalformedError(f"The bundle ends within leaf {len(leaves)}.")
        leaves.append(raw[at + 2 : end])
        at = end
    if at < len(raw):
        raise MalformedError(f"The bundle has bytes after its {width} leaves.")
    if len(leaves) != width:
        raise MalformedError(f"The bundle has {len(leaves)} leaves, not {width}.")
    return leaves

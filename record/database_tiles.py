"""The store of tiles in the database."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping

from record.models import Tile
from record.tiles import Growth, Place, tile_path
from tabularium_log.record.errors import RecordError
from tabularium_log.record.hashes import HASH_BYTES


class DatabaseTiles:
    """Tiles as rows; growing them needs the lock of the tree (record/growth.py)."""

    def read(self, places: Iterable[Place]) -> Mapping[Place, bytes]:
        """The tiles of these places that exist."""
        numbers = defaultdict(list)
        for place in places:
            numbers[place.level].append(place.number)
        return {
            Place(level, number): bytes(hashes)
            for level, wanted in numbers.items()
            for number, hashes in Tile.objects.filter(level=level, number__in=wanted).values_list(
                "number", "hashes"
            )
        }

    def grow(self, growths: Iterable[Growth]) -> None:
        """Append to tiles."""
        growths = list(growths)
        tiles = self.read(growth.place for growth in growths if growth.width)
        new_rows = []
        for place, width, added in growths:
            tile = tiles.get(place, b"")
            if len(tile) != width * HASH_BYTES:
                count = len(tile) // HASH_BYTES
                raise RecordError(f"The tile {tile_path(place)} has {count} hashes, not {width}.")
            if width:
                rows = Tile.objects.filter(level=place.level, number=place.number)
                rows.update(hashes=tile + added)
            else:
                new_rows.append(Tile(level=place.level, number=place.number, hashes=added))
        Tile.objects.bulk_create(new_rows)

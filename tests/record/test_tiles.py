"""Paths of tiles, the tiles of a size, and bundles of leaves."""

from __future__ import annotations

import re

import pytest

from record.tiles import (
    Place,
    TilePath,
    bundle_path,
    parse_tile_path,
    read_bundle,
    tile_path,
    tiles_of_growth,
    width_in_tree,
    write_bundle,
)
from tabularium_log.record.errors import MalformedError

PATHS = [
    (Place(0, 0), 256, "tile/0/000"),
    (Place(0, 0), 255, "tile/0/000.p/255"),
    (Place(1, 999), 1, "tile/1/999.p/1"),
    (Place(2, 1000), 256, "tile/2/x001/000"),
    (Place(63, 1_234_067), 17, "tile/63/x001/x234/067.p/17"),
]


class TestPaths:
    @pytest.mark.parametrize(("place", "width", "path"), PATHS)
    def test_a_tile(self, place: Place, width: int, path: str) -> None:
        assert tile_path(place, width) == path
        assert parse_tile_path(path) == TilePath(place.level, place.number, width)

    @pytest.mark.parametrize(("place", "width", "path"), PATHS)
    def test_a_bundle(self, place: Place, width: int, path: str) -> None:
        own_path = re.sub(r"^tile/\d+", "tile/entries", path)
        assert bundle_path(place.number, width) == own_path
        assert parse_tile_path(own_path) == TilePath(None, place.number, width)

    @pytest.mark.parametrize(
        "path",
        [
            "",
            "tile/0/0",
            "tile/0/0000",
            "tile/00/000",
            "tile/64/000",
            "tile/-1/000",
            "tile/0/x000/000",
            "tile/0/x000/x001/000",
            "tile/0/001/000",
            "tile/0/x001/x000",
            "tile/0/000.p/0",
            "tile/0/000.p/01",
            "tile/0/000.p/256",
            "tile/0/000.p/999",
            "tile/0/000.p/",
            "tile/0/000/",
            "tile/0/000\n",
            "/tile/0/000",
            "tile/8/0/000",
            "tile/0/٠٠٠",
            "tile/entries/00",
            "tile/Entries/000",
            "tile/0/" + "x001/" * 6 + "000",
            "tile/0/" + "x001/" * 5000 + "000",
        ],
    )
    def test_any_other_spelling_is_refused(self, path: str) -> None:
        with pytest.raises(MalformedError, match="not the path of a tile"):
            parse_tile_path(path)


class TestTilesOfASize:
    def test_the_tree_of_70_000_leaves(self) -> None:
        """The example of the specification."""
        tiles = tiles_of_growth(0, 70_000)
        partial = [(place, width) for place, width in tiles if width < 256]
        assert partial == [(Place(0, 273), 112), (Place(1, 1), 17), (Place(2, 0), 1)]
        assert sum(place.level == 0 for place, _ in tiles) == 274
        assert sum(place.level == 1 for place, _ in tiles) == 2

    def test_a_full_tile_begins_the_next_level(self) -> None:
        assert tiles_of_growth(0, 256) == [(Place(0, 0), 256), (Place(1, 0), 1)]
        assert tiles_of_growth(0, 255) == [(Place(0, 0), 255)]
        assert tiles_of_growth(0, 0) == []

    @pytest.mark.parametrize("size", [1, 255, 256, 257, 65_535, 65_536, 66_000])
    def test_growth_has_the_tiles_that_changed(self, size: int) -> None:
        whole = dict(tiles_of_growth(0, size))
        for old_size in (0, 1, 254, 256, size - 1, size):
            old = dict(tiles_of_growth(0, min(old_size, size)))
            changed = {place: width for place, width in whole.items() if old.get(place) != width}
            assert dict(tiles_of_growth(min(old_size, size), size)) == changed

    def test_the_width_of_a_tile_is_that_of_the_specification(self) -> None:
        for size in (1, 255, 256, 257, 70_000, 65_536):
            for level in range(3):
                hashes = size // 256**level
                assert width_in_tree(Place(level, hashes // 256), size) == hashes % 256
                assert width_in_tree(Place(level, hashes // 256 + 1), size) == 0


class TestBundles:
    LEAVES = (b"", b"a", b"\x00\x01", bytes(65_535))

    def test_leaves_are_read_as_they_were_written(self) -> None:
        raw = write_bundle(self.LEAVES)
        assert raw.startswith(b"\x00\x00\x00\x01a\x00\x02\x00\x01\xff\xff")
        assert read_bundle(raw, 4) == [*self.LEAVES]

    def test_a_bundle_has_1_to_256_leaves_of_up_to_65_535_bytes(self) -> None:
        assert len(read_bundle(write_bundle([b""] * 256), 256)) == 256
        for leaves in ([], [b""] * 257):
            with pytest.raises(MalformedError, match="1 to 256 leaves"):
                write_bundle(leaves)
        with pytest.raises(MalformedError, match="65536 bytes"):
            write_bundle([bytes(65_536)])

    def test_every_cut_and_every_other_number_is_refused(self) -> None:
        raw = write_bundle([b"one", b"", b"three"])
        for end in range(len(raw)):
            with pytest.raises(MalformedError, match=r"ends within leaf|has \d leaves, not 3"):
                read_bundle(raw[:end], 3)
        with pytest.raises(MalformedError, match="bytes after its 2 leaves"):
            read_bundle(raw, 2)
        with pytest.raises(MalformedError, match="3 leaves, not 4"):
            read_bundle(raw, 4)
        with pytest.raises(MalformedError, match="bytes after its 3 leaves"):
            read_bundle(raw + b"\x00", 3)

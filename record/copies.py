"""Copies of the record: the same paths as over HTTP, as files in a folder or at a URL. A copy is
written from the database, and read by a recovery."""

from __future__ import annotations

from pathlib import Path
from typing import Final, Protocol
from urllib.error import URLError
from urllib.request import urlopen

from record.asking import served_note
from record.database_tiles import DatabaseTiles
from record.models import Leaf, SignedCheckpoint
from record.tiles import (
    TILE_WIDTH,
    Place,
    bundle_path,
    read_bundle,
    tile_path,
    tiles_of_growth,
    write_bundle,
)
from tabularium_log.record.checkpoint import parse_checkpoint
from tabularium_log.record.errors import MalformedError, RecordError
from tabularium_log.record.hashes import HASH_BYTES
from tabularium_log.record.note import parse_note

CHECKPOINT_PATH: Final = "checkpoint"
FETCH_SECONDS: Final = 60.0
FILE_BYTES_LIMIT: Final = 2**24


class Source(Protocol):
    """Where the files of a record are read."""

    def read(self, path: str) -> bytes:
        """The file at a path below the record's; RecordError if there is none."""


class FolderSource:
    """The files in a folder."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def read(self, path: str) -> bytes:
        """The content of a file."""
        try:
            return (self._folder / path).read_bytes()
        except OSError as problem:
            raise RecordError(f"The copy lacks {path}: {problem}.") from problem


class UrlSource:
    """The files below a URL, such as `https://games.example/record`."""

    def __init__(self, url: str) -> None:
        self._url = url.rstrip("/")

    def read(self, path: str) -> bytes:
        """The body of a reply."""
        try:
            with urlopen(f"{self._url}/{path}", timeout=FETCH_SECONDS) as reply:
                raw: bytes = reply.read(FILE_BYTES_LIMIT + 1)
        except (URLError, OSError, ValueError) as problem:
            raise RecordError(f"{self._url}/{path} cannot be read: {problem}.") from problem
        if len(raw) > FILE_BYTES_LIMIT:
            raise MalformedError(f"{self._url}/{path} has more than {FILE_BYTES_LIMIT} bytes.")
        return raw


def source_of(text: str) -> Source:
    """The copy at a URL or in a folder."""
    is_url = text.startswith(("https://", "http://"))
    return UrlSource(text) if is_url else FolderSource(Path(text))


def read_leaves(source: Source, start: int, size: int) -> list[bytes]:
    """The leaves `start` … `size`-1 of a copy of a tree of `size` leaves."""
    leaves: list[bytes] = []
    for number in range(start // TILE_WIDTH, -(-size // TILE_WIDTH)):
        width = min(TILE_WIDTH, size - number * TILE_WIDTH)
        bundle = read_bundle(source.read(bundle_path(number, width)), width)
        leaves += bundle[max(0, start - number * TILE_WIDTH) :]
    return leaves


# -- writing --------------------------------------------------------------------------------------


def bundle_bytes(number: int, width: int) -> bytes:
    """The first leaves of a bundle, from the database."""
    first = number * TILE_WIDTH
    rows = Leaf.objects.filter(number__gte=first, number__lt=first + width).order_by("number")
    texts = list(rows.values_list("text", flat=True))
    if len(texts) != width:
        raise RecordError(f"The database lacks leaves of bundle {number}.")
    return write_bundle(text.encode() for text in texts)


def tile_bytes(place: Place, width: int) -> bytes:
    """The first hashes of a tile, from the database."""
    tile = DatabaseTiles().read([place]).get(place, b"")[: width * HASH_BYTES]
    if len(tile) != width * HASH_BYTES:
        raise RecordError(f"The database lacks hashes of {tile_path(place)}.")
    return tile


def write_copy(folder: Path, checkpoint: SignedCheckpoint) -> int:
    """Write the files of this checkpoint's tree that a copy lacks, the checkpoint last; returns
    the number of files."""
    check_not_ahead(folder, checkpoint)
    files = 0
    for place, width in tiles_of_growth(0, checkpoint.size):
        files += _write(folder, tile_path(place, width), place, width)
    _put(folder / CHECKPOINT_PATH, served_note(checkpoint).encode())
    return files + 1


def check_not_ahead(folder: Path, checkpoint: SignedCheckpoint) -> None:
    """Refuse to put a checkpoint in the place of a later one, from which a recovery may begin."""
    path = folder / CHECKPOINT_PATH
    if not path.exists():
        return
    there = parse_checkpoint(parse_note(path.read_bytes()).text)
    here = parse_checkpoint(parse_note(checkpoint.note.encode()).text)
    if there.origin != here.origin or there.size > here.size:
        raise RecordError(
            f"The copy has {there.size} leaves of {there.origin!r}, and the last checkpoint here "
            f"{here.size} of {here.origin!r}: recover the record, or choose another folder."
        )


def _write(folder: Path, path: str, place: Place, width: int) -> int:
    """Write a tile, and its leaves, unless they are there: they never change."""
    files = 0
    if not (folder / path).exists():
        _put(folder / path, tile_bytes(place, width))
        files += 1
    bundle = folder / bundle_path(place.number, width)
    if place.level == 0 and not bundle.exists():
        _put(bundle, bundle_bytes(place.number, width))
        files += 1
    return files


def _put(path: Path, content: bytes) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    draft = path.with_name(f"{path.name}.part")
    draft.write_bytes(content)
    draft.replace(path)

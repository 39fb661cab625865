"""The format of export files: the lines of an exported game besides its entries. See
docs/fairness.md."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Annotated, Any, Final, Literal

from tabularium_engines.common import json_codec
from tabularium_engines.common.json_codec import Between, Json
from tabularium_log.fairness.canonical_json import INTEGER_LIMIT, encode_canonical
from tabularium_log.fairness.signed_hash_chain import Receipt

MAX_LINE_BYTES: Final = 8 << 20
ENTRIES_PER_REVEAL_LINE: Final = 1_000  # entries whose sealed fields share one line
SIGNATURE_INTERVAL: Final = 100  # in entries; the last one is signed as well
VIEWER_EVERYTHING: Final = "everything"
VIEWER_ONLOOKER: Final = "onlooker"

WITH_RECORD: Final = "export/3"
# 2: with entries or members that 1 has not; 3: with a proof from the record
ExportFormat = Literal["export/1", "export/2", "export/3"]
LeafKind = Literal["game/1", "blind/1"]
EntryCount = Annotated[int, Between(1, INTEGER_LIMIT - 1)]


@dataclass(frozen=True)
class Header:
    """The first line: the game, and the viewer who may read the reveal."""

    tabularium: ExportFormat
    game: str
    rules: str
    version: int
    seats: int
    viewer: str
    key: str  # the public key of its receipts


@dataclass(frozen=True)
class Reveal:
    """The sealed fields of up to a thousand entries, by seq and path; while the game is running,
    with their salts. After the end the salts follow from the secret."""

    fields: Any
    salts: Any = None


@dataclass(frozen=True)
class Trailer:
    """The line after the reveal: the length of the log, and the receipts that the server has
    signed."""

    count: EntryCount
    head: str
    receipts: tuple[Receipt, ...]


@dataclass(frozen=True)
class Record:
    """The line after the trailer, if the export has a proof: that the leaf of the game is in a
    public record (docs/record.md)."""

    leaf: LeafKind
    proof: str


@dataclass(frozen=True)
class RevealLine:
    """The form of a line of the reveal."""

    reveal: Reveal


@dataclass(frozen=True)
class TrailerLine:
    """The form of the trailer's line."""

    trailer: Trailer


@dataclass(frozen=True)
class RecordLine:
    """The form of the line with the proof."""

    record: Record


def format_line(part: Header | RevealLine | TrailerLine | RecordLine) -> str:
    """The text of a line that is not an entry."""
    return encode_canonical(json_codec.to_json(part))


def viewer_seat(viewer: str) -> int | None:
    """The seat of a viewer, None for an onlooker and for everything; or raises ValueError."""
    if viewer in (VIEWER_EVERYTHING, VIEWER_ONLOOKER):
        return None
    seat = int(viewer.removeprefix("seat:"))
    if viewer != f"seat:{seat}" or seat < 0:
        raise ValueError(f"{viewer} is not a viewer")
    return seat


def signed_seqs(count: int) -> list[int]:
    """The seqs at which a log of that length is signed."""
    return sorted({*range(SIGNATURE_INTERVAL, count + 1, SIGNATURE_INTERVAL), count})


def reveal_ranges(count: int) -> list[range]:
    """The seqs of the entries in each line of the reveal."""
    return [
        range(first, min(first + ENTRIES_PER_REVEAL_LINE, count + 1))
        for first in range(1, count + 1, ENTRIES_PER_REVEAL_LINE)
    ]


def keyed_by_seq(parts: Iterable[tuple[int, dict[str, Json]]]) -> dict[str, Json]:
    """The fields or salts of some entries, keyed by seq; entries without any are left out."""
    return {str(seq): values for seq, values in parts if values}

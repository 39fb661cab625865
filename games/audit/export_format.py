"""Which lines does an exported game have, besides its entries? See docs/fairness.md."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Annotated, Any, Final, Literal

from games.engines.common import codec
from games.engines.common.codec import Between, Json
from games.fairness.canonical_json import INTEGER_LIMIT, encode_canonical
from games.fairness.receipts import Receipt

MAX_LINE_BYTES: Final = 8 << 20  # bytes
ENTRIES_PER_REVEAL_LINE: Final = 1_000  # entries whose sealed fields stand in one line
SIGNATURE_INTERVAL: Final = 100  # every so many entries, and at the last, the head is signed
VIEWER_EVERYTHING: Final = "everything"
VIEWER_ONLOOKER: Final = "onlooker"

EntryCount = Annotated[int, Between(1, INTEGER_LIMIT - 1)]


@dataclass(frozen=True)
class Header:
    """The first line: which game, and who may read the reveal."""

    tabularium: Literal["export/1"]
    game: str
    rules: str
    version: int
    seats: int
    viewer: str
    key: str  # with which receipts are signed


@dataclass(frozen=True)
class Reveal:
    """The sealed fields of up to a thousand entries, by seq and path; while the game goes on, with
    their salts. After the end the salts follow from the secret."""

    fields: Any
    salts: Any = None


@dataclass(frozen=True)
class Trailer:
    """The last line: how long the log is, and what the server has signed of it."""

    count: EntryCount
    head: str
    receipts: tuple[Receipt, ...]


@dataclass(frozen=True)
class RevealLine:
    """A line of the reveal."""

    reveal: Reveal


@dataclass(frozen=True)
class TrailerLine:
    """The line of the trailer."""

    trailer: Trailer


def format_line(part: Header | RevealLine | TrailerLine) -> str:
    """The line of a part that is no entry."""
    return encode_canonical(codec.to_json(part))


def viewer_seat(viewer: str) -> int | None:
    """The seat of a viewer; None for an onlooker and for everything; else ValueError."""
    if viewer in (VIEWER_EVERYTHING, VIEWER_ONLOOKER):
        return None
    seat = int(viewer.removeprefix("seat:"))
    if viewer != f"seat:{seat}" or seat < 0:
        raise ValueError(f"{viewer} is no viewer")
    return seat


def signed_seqs(count: int) -> list[int]:
    """At which entries a log of that length is signed."""
    return sorted({*range(SIGNATURE_INTERVAL, count + 1, SIGNATURE_INTERVAL), count})


def reveal_ranges(count: int) -> list[range]:
    """The entries that stand in each line of the reveal."""
    return [
        range(first, min(first + ENTRIES_PER_REVEAL_LINE, count + 1))
        for first in range(1, count + 1, ENTRIES_PER_REVEAL_LINE)
    ]


def keyed_by_seq(parts: Iterable[tuple[int, dict[str, Json]]]) -> dict[str, Json]:
    """What is told of some entries; nothing is not told."""
    return {str(seq): values for seq, values in parts if values}

"""Which lines does an exported game have, besides its entries? See docs/fairness.md."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Annotated, Any, Final, Literal

from games.engines.common import codec
from games.engines.common.codec import Between, Json
from games.fairness.canonical import LARGEST, canonical
from games.fairness.receipts import Receipt

LONGEST_LINE: Final = 8 << 20  # bytes
REVEALED: Final = 1_000  # entries whose sealed fields stand in one line
SIGNED: Final = 100  # every so many entries, and at the last, the head is signed
EVERYTHING: Final = "everything"
ONLOOKER: Final = "onlooker"

Count = Annotated[int, Between(1, LARGEST - 1)]


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

    count: Count
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


def line(part: Header | RevealLine | TrailerLine) -> str:
    """The line of a part that is no entry."""
    return canonical(codec.to_json(part))


def seat_of(viewer: str) -> int | None:
    """The seat of a viewer; None for an onlooker and for everything; else ValueError."""
    if viewer in (EVERYTHING, ONLOOKER):
        return None
    seat = int(viewer.removeprefix("seat:"))
    if viewer != f"seat:{seat}" or seat < 0:
        raise ValueError(f"{viewer} is no viewer")
    return seat


def signed_at(count: int) -> list[int]:
    """At which entries a log of that length is signed."""
    return sorted({*range(SIGNED, count + 1, SIGNED), count})


def stretches(count: int) -> list[range]:
    """The entries that stand in each line of the reveal."""
    return [
        range(first, min(first + REVEALED, count + 1)) for first in range(1, count + 1, REVEALED)
    ]


def by_seq(parts: Iterable[tuple[int, dict[str, Json]]]) -> dict[str, Json]:
    """What is told of some entries; nothing is not told."""
    return {str(seq): values for seq, values in parts if values}

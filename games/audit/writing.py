"""How is a game carried off? Line by line: its entries as they are hashed, and beside them what the
one who asks may read of what is sealed in them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import NamedTuple

from games.audit.format import (
    ONLOOKER,
    Header,
    Reveal,
    RevealLine,
    Trailer,
    TrailerLine,
    by_seq,
    line,
    seat_of,
    signed_at,
    stretches,
)
from games.engines.common.codec import Json
from games.fairness import receipts
from games.fairness import secret as secrets
from games.fairness.canonical import parsed
from games.fairness.receipts import Receipt
from games.fairness.vault import Box
from games.table.actions import Create
from games.table.entry import DRAWS, Row, hidden_fields, open_fields, opened
from games.table.table import Refused, Table


class Piece(NamedTuple):
    """An entry with what is sealed in it, and who may read that while the game goes on."""

    row: Row
    hidden: Mapping[str, Json]
    readers: Mapping[str, int]


def piece(row: Row, table: Table) -> Piece:
    """A piece of any game, given the table after the entry."""
    return Piece(row, hidden_fields(table.entry, tuple(table.readers)), table.readers)


def piece_of_old(row: Row, box: Box) -> Piece:
    """A piece of a game that is over: what is sealed, the text says, and everybody may read it."""
    paths = [path for path in parsed(row.text)["sealed"] if path != DRAWS]
    return Piece(row, hidden_fields(opened(box, row.seq, row.box), paths), {})


@dataclass(frozen=True)
class Log:
    """A game to be written down."""

    game: str
    create: Create
    is_over: bool
    secret: bytes = field(repr=False)
    pieces: Iterable[Piece]
    receipts: tuple[Receipt, ...] | None = None  # those it came with; None: it was played here


def lines(log: Log, viewer: str, signing_key: bytes) -> Iterator[str]:
    """The export of a game for a viewer, without line feeds; Refused if it may not be had."""
    seat = _viewer(log, viewer)
    yield line(_header(log, viewer))
    told: list[tuple[int, dict[str, Json]]] = []
    hashes: list[str] = []
    for row, hidden, readers in log.pieces:
        yield row.text
        hashes.append(row.hash)
        told.append((row.seq, dict(hidden) if log.is_over else open_fields(hidden, readers, seat)))
    yield from _reveal(log, told)
    yield _trailer(log, hashes, signing_key)


def _header(log: Log, viewer: str) -> Header:
    create = log.create
    played = create.rules, create.version, create.seats
    return Header("export/1", log.game, *played, viewer, create.key)


def _viewer(log: Log, viewer: str) -> int | None:
    try:
        seat = seat_of(viewer)
    except ValueError:
        seat = -1
    if seat is not None and not 0 <= seat < log.create.seats:
        raise Refused("unknown-seat", f"Nobody at this table is called {viewer}.")
    if seat is None and viewer != ONLOOKER and not log.is_over:
        raise Refused("not-over", "Everything can be read only when the game is over.")
    return seat


def _reveal(log: Log, told: list[tuple[int, dict[str, Json]]]) -> Iterator[str]:
    for stretch in stretches(len(told)):
        part = told[stretch.start - 1 : stretch.stop - 1]
        salts = None if log.is_over else by_seq((seq, _salts(log, seq, them)) for seq, them in part)
        yield line(RevealLine(Reveal(by_seq(part), salts)))


def _salts(log: Log, seq: int, told: Mapping[str, Json]) -> dict[str, Json]:
    return {path: secrets.salt(log.secret, log.game, seq, path).hex() for path in told}


def _trailer(log: Log, hashes: list[str], signing_key: bytes) -> str:
    """A server signs only what was played on it; what came from another keeps its receipts."""
    signed = log.receipts
    if signed is None:
        is_ours = receipts.public_key(signing_key) == log.create.key
        signed = tuple(
            receipts.sign(signing_key, log.game, seq, hashes[seq - 1])
            for seq in (signed_at(len(hashes)) if is_ours else ())
        )
    return line(TrailerLine(Trailer(len(hashes), hashes[-1], signed)))

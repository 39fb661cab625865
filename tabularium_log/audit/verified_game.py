"""A verified game from another server, ready to be imported: a dataclass of the values to be
stored, and its serialization as the lines in which one process passes it to another."""

from __future__ import annotations

from base64 import b64decode, b64encode
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, fields
from typing import Any

import orjson

from tabularium_log.fairness.signed_hash_chain import Receipt
from tabularium_log.projection.entry import StoredColumns, StoredEntry
from tabularium_log.projection.projection import Projection


@dataclass(frozen=True)
class VerifiedGame:
    """A verified game that is over."""

    game: str
    rules: str
    version: int
    seats: int
    rated: bool
    key: str  # of the server that played it
    at: str  # of its end
    bots: int  # bit mask of seats
    players: tuple[str | None, ...]  # by seat: the bot, "" for an account, None for an empty seat
    secret: str = field(repr=False)  # hex
    receipts: tuple[Receipt, ...]  # as they came
    rows: tuple[StoredEntry, ...] = field(repr=False)

    @property
    def head_hash(self) -> str:
        """The hash of the last entry."""
        return self.rows[-1].hash

    def to_lines(self) -> Iterator[bytes]:
        """The game as lines for another process."""
        members = {
            member.name: getattr(self, member.name)
            for member in fields(self)
            if member.name != "rows"
        }
        yield orjson.dumps(members) + b"\n"
        for row in self.rows:
            columns = [_to_json(value) for value in row.columns]
            yield orjson.dumps([row.text, columns]) + b"\n"


def verified_game(
    table: Projection, secret: bytes, rows: Sequence[StoredEntry], receipts: Sequence[Receipt]
) -> VerifiedGame:
    """The verified game of a projection after the end."""
    create = table.creation
    players = [None if occupant is None else occupant.bot or "" for occupant in table.occupants]
    return VerifiedGame(
        table.game,
        create.rules,
        create.version,
        create.seats,
        create.rated,
        create.key,
        table.entry.at,
        table.bot_seats,
        tuple(players),
        secret.hex(),
        tuple(receipts),
        tuple(rows),
    )


def read_verified_game(lines: Iterable[bytes]) -> VerifiedGame:
    """The game that another process has written as lines."""
    line_iterator = iter(lines)
    members: dict[str, Any] = orjson.loads(next(line_iterator))
    receipts = tuple(Receipt(**receipt) for receipt in members.pop("receipts"))
    players = tuple(members.pop("players"))
    return VerifiedGame(
        **members, players=players, receipts=receipts, rows=tuple(map(_parse_row, line_iterator))
    )


def _parse_row(line: bytes) -> StoredEntry:
    text, (*values, seals, hash_, box) = orjson.loads(line)
    columns = StoredColumns(*values, *map(b64decode, (seals, hash_, box)))
    return StoredEntry(columns.seq, text, columns.hash.hex(), columns)


def _to_json(value: Any) -> Any:
    return b64encode(value).decode() if isinstance(value, bytes) else value

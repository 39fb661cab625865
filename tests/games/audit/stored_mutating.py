"""Mutations of stored logs: one value altered, or a forgery by a server that knows every secret and
seals all that follows anew."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from random import Random
from typing import Any, Final

import orjson

from games.audit.log_pass import LogPass
from games.audit.stored_game_verifier import replay_rows
from tabularium_log.fairness.encryption import GameCipher, game_cipher
from tabularium_log.fairness.signed_hash_chain import GENESIS_HASH, entry_hash
from tabularium_log.projection.entry import (
    Entry,
    EntryPlace,
    LogRow,
    OldBox,
    OldRow,
    StoredColumns,
    StoredEntry,
    milliseconds_of,
    old_box,
    public_text,
    seal_entry,
    stored_entry,
    time_text,
)
from tests.games.audit.making import GameBuilder
from tests.games.audit.mutating import changes

Log = list[LogRow] | list[OldRow]
Pair = tuple[Entry, tuple[str, ...]]  # a complete entry, and the paths of its sealed fields
STRANGE: Final[tuple[Any, ...]] = (
    None,
    True,
    0,
    1,
    -1,
    1.0,
    2**53,
    "",
    "1",
    "table.end",
    [],
    {},
    b"",
    b"\0",
)


@dataclass(frozen=True)
class SecretGame:
    """A game as the server knows it that played it."""

    game: str
    secret: bytes
    pairs: tuple[Pair, ...]

    @property
    def cipher(self) -> GameCipher:
        """The cipher of its boxes."""
        return game_cipher(self.secret, self.game)

    def rows(self, pairs: Sequence[Pair] | None = None) -> list[LogRow]:
        """The log, or one of other entries, as the table of entries holds it."""
        rows, hash_ = list[LogRow](), GENESIS_HASH
        for seq, (entry, paths) in enumerate(pairs or self.pairs, start=1):
            stored = seal_entry(entry, EntryPlace(self.game, seq, hash_, self.secret), paths)
            columns, hash_ = stored.columns, stored.hash
            assert isinstance(columns, StoredColumns)
            rows.append(row_of(self.game, columns))
        return rows

    def old_rows(self, pairs: Sequence[Pair] | None = None) -> list[OldRow]:
        """The same as the old table holds it."""
        rows, hash_ = list[OldRow](), GENESIS_HASH
        for seq, (entry, paths) in enumerate(pairs or self.pairs, start=1):
            text = public_text(entry, EntryPlace(self.game, seq, hash_, self.secret), paths)
            hash_ = entry_hash(text)
            rows.append(OldRow(self.game, seq, text, hash_, old_box(self.cipher, seq, entry)))
        return rows

    def passes(self, log: Log) -> bool:
        """Whether the quick pass calls a log good."""
        try:
            table, _ = LogPass(self.game, self.secret).replay(log)
        except Exception:  # noqa: BLE001  # a mutation may fail in any way
            return False
        return table.seq == len(log)

    def is_good(self, log: Log) -> bool:
        """Whether the replay calls a log good."""
        try:
            replay_rows(self.game, self.secret, list(stored_entries(log)))
        except Exception:  # noqa: BLE001  # Flaw, or what only a mutation causes
            return False
        return True


def secret_game(builder: GameBuilder) -> SecretGame:
    """What the server knows of a game."""
    pairs = tuple((table.entry, tuple(table.field_readers)) for table in builder.tables)
    return SecretGame(builder.plan.game, builder.plan.secret, pairs)


def row_of(game: str, columns: StoredColumns) -> LogRow:
    """The row of these columns."""
    return LogRow(game, **columns._asdict())


def stored_entries(log: Log) -> Iterator[StoredEntry]:
    """The entries as the log store reads them."""
    hash_ = GENESIS_HASH
    for row in log:
        if isinstance(row, OldRow):
            yield StoredEntry(row.seq, row.text, row.hash, OldBox(row.seq, row.box))
            continue
        columns = StoredColumns(**{name: getattr(row, name) for name in StoredColumns._fields})
        yield stored_entry(row.game, hash_, columns)
        hash_ = columns.hash.hex()


# -- a single value --------------------------------------------------------------------------------


def altered(game: SecretGame, log: Log, chance: Random) -> Log:
    """The log with one row altered, doubled, dropped or moved."""
    rows: list[Any] = list(log)
    index = chance.randrange(len(rows))
    kind = chance.randrange(10)
    if kind == 0:
        del rows[index]
    elif kind == 1:
        rows.insert(index, rows[index])
    elif kind == 2:
        other = chance.randrange(len(rows))
        rows[index], rows[other] = rows[other], rows[index]
    elif kind == 3:
        rows[index] = other_box(game, rows[index], chance)
    else:
        name = chance.choice(rows[index]._fields[1:])
        value = other_value(getattr(rows[index], name), rows, name, chance)
        rows[index] = rows[index]._replace(**{name: value})
    return rows


def other_value(value: Any, rows: Sequence[Any], name: str, chance: Random) -> Any:
    """Another value of a column: that of another row, a strange one, or one that is similar."""
    kind = chance.randrange(4)
    if kind == 0:
        return getattr(chance.choice(rows), name)
    if kind == 1:
        return chance.choice(STRANGE)
    if isinstance(value, bytes) and value:
        place = chance.randrange(len(value))
        return value[:place] + bytes([value[place] ^ 1 << chance.randrange(8)]) + value[place + 1 :]
    if isinstance(value, str):
        return other_text(value, chance)
    return value + chance.choice((-1, 1, 60_000)) if isinstance(value, int) else 0


def other_text(text: str, chance: Random) -> str:
    """A similar text: a character altered, or the same JSON written in another way."""
    place = chance.randrange(len(text) + 1)
    if chance.randrange(2) and text.startswith("{"):
        return json.dumps(dict(reversed(json.loads(text).items())))
    return text[:place] + chance.choice(('"', " ", "0", "a", "é", "\\", "")) + text[place + 1 :]


def other_box(game: SecretGame, row: Any, chance: Random) -> Any:
    """The row with a box of another content, encrypted as by the server."""
    cipher = game.cipher.old if isinstance(row, OldRow) else game.cipher
    content = orjson.loads(cipher.decrypt(row.seq, row.box)) if row.box else [[]]
    names, change = zip(*changes(content, ()), strict=True)
    change[chance.randrange(len(names))](content)
    return row._replace(box=cipher.encrypt(row.seq, orjson.dumps(content)))


# -- forgeries -------------------------------------------------------------------------------------


def forged(game: SecretGame, chance: Random) -> list[Pair]:
    """The entries of a forgery: one altered, dropped, doubled or moved, or all from one on left
    out."""
    pairs = list(game.pairs)
    index = chance.randrange(len(pairs))
    kind = chance.randrange(12)
    if kind == 0:
        del pairs[index]
    elif kind == 1:
        pairs.insert(index, pairs[index])
    elif kind == 2 and index:
        pairs[index - 1], pairs[index] = pairs[index], pairs[index - 1]
    elif kind == 3:
        del pairs[index + 1 :]
    elif kind in (4, 5, 6):
        index = chance.choice([place for place, pair in enumerate(pairs) if pair[0].draws])
        entry, paths = pairs[index]
        pairs[index] = entry._replace(draws=other_draws(entry.draws, chance)), paths
    elif kind == 7:
        pairs[index] = pairs[index][0], chance.choice(game.pairs)[1]
    else:
        entry, paths = pairs[index]
        pairs[index] = other_entry(entry, chance), paths
    return pairs


def other_entry(entry: Entry, chance: Random) -> Entry:
    """Another entry: another seat, time, action or draws."""
    kind = chance.randrange(6)
    if kind == 0:
        return entry._replace(seat=chance.choice((None, True, False, 0, 1, 2, -1, 63)))
    if kind == 1:
        return entry._replace(
            at=time_text(milliseconds_of(entry.at) + chance.choice((-1, 1, -1500)))
        )
    if kind in (2, 3):
        return entry._replace(draws=other_draws(entry.draws, chance))
    action = json.loads(json.dumps(entry.action))
    _, change = chance.choice(list(changes(action, ())))
    change(action)
    return entry._replace(action=action)


def other_draws(draws: Any, chance: Random) -> Any:
    """Other draws: one altered, dropped or added, or none at all."""
    if not draws or not chance.randrange(6):
        return chance.choice((None, (), ((0, 1),), ((0, 2),), ((True, 2),)))
    small = [index for index, (value, _) in enumerate(draws) if value in (0, 1)]
    index = chance.choice(small or range(len(draws)))
    value, limit = draws[index]
    others: tuple[tuple[Any, ...], ...] = (
        (),
        (draws[index], draws[index]),
        ((value + 1, limit),),
        (((value + 1) % limit, limit),),
        ((value, limit + 1),),
        ((bool(value), limit),),
        ((float(value), limit),),
        ((value, float(limit)),),
    )
    return (*draws[:index], *chance.choice(others), *draws[index + 1 :])

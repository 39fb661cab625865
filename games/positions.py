"""Where does a game stand? This process remembers some positions and replays only what is new: the
log is the truth, and forgetting them all changes nothing but time."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Iterator
from contextlib import contextmanager
from threading import Lock, local
from typing import Any, Final, NamedTuple

from games.engines.common.log import BrokenLog
from games.executing import executed
from games.fairness.secret import box_key
from games.fairness.vault import Box
from games.opening import secret_of
from games.table.entry import all_opened, entry_of
from games.table.fold import created
from games.table.run import MISFITS, replayed
from games.table.table import Table

KEPT: Final = 2_000  # positions, of some kilobytes each


class UnknownGame(LookupError):
    """There is no such game."""


class Position(NamedTuple):
    """A table with what it takes to go on: the head of its log, and its secret."""

    table: Table
    hash: str
    secret: bytes

    def __repr__(self) -> str:
        return f"Position({self.table.game}, {self.table.seq})"  # may stand in a log: no secrets


class Memory:
    """The positions used most recently, by game and seq, and the latest known of each game."""

    def __init__(self, size: int) -> None:
        self._size = size
        self._positions: OrderedDict[tuple[str, int], Position] = OrderedDict()
        self._latest: dict[str, int] = {}
        self._lock = Lock()
        self._thread = local()

    @contextmanager
    def unchanged(self) -> Iterator[None]:
        """Remember nothing of what this thread reads meanwhile: it reads what its transaction has
        appended, and that may yet be rolled back."""
        self._thread.is_unsure = True
        try:
            yield
        finally:
            self._thread.is_unsure = False

    def keep(self, position: Position) -> None:
        """Remember a position, and forget what was not used for longest."""
        if getattr(self._thread, "is_unsure", False):
            return
        game, seq = position.table.game, position.table.seq
        with self._lock:
            self._positions[game, seq] = position
            self._positions.move_to_end((game, seq))
            if seq >= self._latest.get(game, 0):
                self._latest[game] = seq
            while len(self._positions) > self._size:
                (old_game, old_seq), _ = self._positions.popitem(last=False)
                if self._latest.get(old_game) == old_seq:
                    del self._latest[old_game]

    def at(self, game: str, seq: int) -> Position | None:
        """A position, if it is remembered."""
        with self._lock:
            position = self._positions.get((game, seq))
            if position is not None:
                self._positions.move_to_end((game, seq))
            return position

    def latest(self, game: str) -> Position | None:
        """The latest position of a game that this process has seen."""
        with self._lock:
            seq = self._latest.get(game)
        return None if seq is None else self.at(game, seq)

    def clear(self) -> None:
        """Forget everything."""
        with self._lock:
            self._positions.clear()
            self._latest.clear()


memory = Memory(KEPT)


def current(game: str) -> Position:
    """Where the game stands now; UnknownGame, or BrokenLog at the first entry that misfits."""
    head = _row("SELECT seq, hash, secret FROM games_game WHERE id = %s", [game])
    if head is None:
        raise UnknownGame(game)
    seq, hash_, locked = head
    known = memory.latest(game)
    if known is not None and known.table.seq == seq:
        return known
    if known is not None and known.table.seq > seq:
        known = None  # a database that was put back to an earlier day
    secret = known.secret if known else secret_of(game, bytes(locked))
    position = Position(_table(game, secret, known.table if known else None, seq), hash_, secret)
    memory.keep(position)
    return position


def at(game: str, seq: int, now: Position | None = None) -> Position:
    """Where the game stood after entry `seq`, which must not be beyond its head; `now` is where it
    stands, if that is known."""
    now = now or current(game)
    if seq == now.table.seq:
        return now
    known = memory.at(game, seq)
    if known is None:
        table = _table(game, now.secret, None, seq)
        known = Position(table, _hash(game, seq), now.secret)
        memory.keep(known)
    return known


def _table(game: str, secret: bytes, known: Table | None, seq: int) -> Table:
    """The table after entry `seq`, given an earlier one or none."""
    box = Box(box_key(secret, game))
    # one by one: none is kept longer than it is needed
    contents = all_opened(box, _boxes(game, known.seq if known else 0, seq))
    if known is None:
        first = next(contents, None)
        if first is None:
            raise BrokenLog(1, "is missing")
        try:
            known = created(game, entry_of(first))
        except MISFITS as problem:
            raise BrokenLog(1, f"cannot have happened: {problem}") from problem
    table = replayed(known, contents)
    if table.seq != seq:
        raise BrokenLog(table.seq + 1, "is missing")
    return table


def _boxes(game: str, after: int, last: int) -> list[tuple[int, bytes]]:
    query = (
        "SELECT seq, box FROM games_entry WHERE game_id = %s AND seq > %s AND seq <= %s"
        " ORDER BY seq"
    )
    with executed(query, [game, after, last]) as cursor:
        rows: list[tuple[int, bytes]] = cursor.fetchall()
    return rows


def _hash(game: str, seq: int) -> str:
    row = _row("SELECT hash FROM games_entry WHERE game_id = %s AND seq = %s", [game, seq])
    assert row is not None
    hash_: str = row[0]
    return hash_


def _row(query: str, values: list[Any]) -> tuple[Any, ...] | None:
    with executed(query, values) as cursor:
        row: tuple[Any, ...] | None = cursor.fetchone()
    return row

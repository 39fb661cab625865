"""The cache of game positions in memory: a process remembers those of recent games, and replays
only new entries. The log is the truth; losing the cache costs only time."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from itertools import chain, groupby
from operator import attrgetter
from threading import Lock, local
from typing import Final, NamedTuple

from games.log_store import (
    LaterEntry,
    read_contents,
    read_hash,
    read_head,
    read_later_entries,
)
from games.memory_budget import MemoryBudget
from games.secret_lookup import load_game_secret
from tabularium_engines.common.replayable_log import BrokenLog
from tabularium_log.fairness.encryption import game_cipher
from tabularium_log.projection.entry import (
    decrypt_contents,
    decrypt_old_contents,
    entry_from_content,
)
from tabularium_log.projection.fold import create_projection
from tabularium_log.projection.log_replay import REPLAY_ERRORS, replay_contents
from tabularium_log.projection.projection import Projection

MIN_CACHED_POSITIONS: Final = 500  # of some kilobytes; beyond them memory decides


EVICTIONS_PER_STORE: Final = 2  # while this process may not grow


class UnknownGame(LookupError):
    """No game has this id."""


class Position(NamedTuple):
    """A projection with the values needed to continue it: the head of its log, and its secret."""

    projection: Projection
    hash: str
    secret: bytes

    def __repr__(self) -> str:
        # may be printed in a server log: no secrets
        return f"Position({self.projection.game}, {self.projection.seq})"


class PositionCache:
    """The positions used most recently, by game and seq, and the latest known of each game. Beyond
    its smallest size it grows as long as this process may use more memory."""

    def __init__(self, min_size: int, may_grow: Callable[[], bool]) -> None:
        self._min_size = min_size
        self._may_grow = may_grow
        self._positions: OrderedDict[tuple[str, int], Position] = OrderedDict()
        self._latest: dict[str, int] = {}
        self._lock = Lock()
        self._thread = local()

    @contextmanager
    def suspend_storing(self) -> Iterator[None]:
        """Store nothing that this thread reads meanwhile: it reads entries that its own transaction
        has appended, and that may yet be rolled back."""
        self._thread.is_unsure = True
        try:
            yield
        finally:
            self._thread.is_unsure = False

    def store(self, position: Position) -> None:
        """Store a position, and evict the least recently used."""
        if getattr(self._thread, "is_unsure", False):
            return
        game, seq = position.projection.game, position.projection.seq
        with self._lock:
            self._positions[game, seq] = position
            self._positions.move_to_end((game, seq))
            if seq >= self._latest.get(game, 0):
                self._latest[game] = seq
            if len(self._positions) > self._min_size and not self._may_grow():
                self._evict(EVICTIONS_PER_STORE)

    def _evict(self, most: int) -> None:
        """Forget the positions least recently used: more than come, so that the cache shrinks while
        memory is short."""
        for _ in range(min(most, len(self._positions) - self._min_size)):
            (old_game, old_seq), _position = self._positions.popitem(last=False)
            if self._latest.get(old_game) == old_seq:
                del self._latest[old_game]

    def get(self, game: str, seq: int) -> Position | None:
        """A position, if it is cached."""
        with self._lock:
            position = self._positions.get((game, seq))
            if position is not None:
                self._positions.move_to_end((game, seq))
            return position

    def get_latest(self, game: str) -> Position | None:
        """The latest position of a game that this process has seen."""
        with self._lock:
            seq = self._latest.get(game)
        return None if seq is None else self.get(game, seq)

    def clear(self) -> None:
        """Forget all positions."""
        with self._lock:
            self._positions.clear()
            self._latest.clear()


cache = PositionCache(MIN_CACHED_POSITIONS, MemoryBudget().may_grow)


def current_position(game: str) -> Position:
    """The game's present position; raises UnknownGame, or BrokenLog at the first bad entry."""
    head = read_head(game)
    if head is None:
        raise UnknownGame(game)
    seq, hash_, ciphertext = head
    cached = cache.get_latest(game)
    if cached is not None and cached.projection.seq == seq:
        return cached
    if cached is not None and cached.projection.seq > seq:
        cached = None  # the database was restored to an earlier state
    secret = cached.secret if cached else load_game_secret(game, bytes(ciphertext))
    position = Position(
        _replay_to(game, secret, cached.projection if cached else None, seq), hash_, secret
    )
    cache.store(position)
    return position


def catch_up(games: Iterable[str]) -> None:
    """Bring the newest cached positions of these games up to date, with one statement. A game whose
    log cannot be replayed keeps its position."""
    positions = {game: cache.get_latest(game) for game in games}
    known = {game: each.projection.seq for game, each in positions.items() if each is not None}
    later = read_later_entries(known) if known else []
    for game, entries in groupby(later, attrgetter("game")):
        position = positions[game]
        assert position is not None
        with suppress(BrokenLog, ValueError):
            cache.store(_continue_position(position, list(entries)))


def _continue_position(position: Position, entries: Sequence[LaterEntry]) -> Position:
    """The position after these entries, which follow it."""
    cipher = game_cipher(position.secret, position.projection.game)
    contents = decrypt_contents(cipher, (each.content for each in entries))
    table, last = replay_contents(position.projection, contents), entries[-1]
    if table.seq != last.content[0]:
        raise BrokenLog(table.seq + 1, "is missing")
    return Position(table, last.hash.hex(), position.secret)


def cached_position(game: str, seq: int, now: Position) -> Position | None:
    """The game's position after entry `seq`, if it is at hand; `now` is the present one."""
    return now if seq == now.projection.seq else cache.get(game, seq)


def position_at(game: str, seq: int, now: Position | None = None) -> Position:
    """The game's position after entry `seq`, which must not be beyond its head; `now` is the
    present position, if that is known."""
    now = now or current_position(game)
    position = cached_position(game, seq, now)
    if position is None:
        table = _replay_to(game, now.secret, None, seq)
        position = Position(table, read_hash(game, seq), now.secret)
        cache.store(position)
    return position


def _replay_to(game: str, secret: bytes, base: Projection | None, seq: int) -> Projection:
    """The projection after entry `seq`, given an earlier one or none."""
    cipher = game_cipher(secret, game)
    rows, old_boxes = read_contents(game, base.seq if base else 0, seq)
    # one by one: none stays in memory longer than needed
    contents = chain(decrypt_contents(cipher, rows), decrypt_old_contents(cipher, old_boxes))
    if base is None:
        first = next(contents, None)
        if first is None:
            raise BrokenLog(1, "is missing")
        try:
            base = create_projection(game, entry_from_content(first))
        except REPLAY_ERRORS as problem:
            raise BrokenLog(1, f"cannot be replayed: {problem}") from problem
    table = replay_contents(base, contents)
    if table.seq != seq:
        raise BrokenLog(table.seq + 1, "is missing")
    return table

"""The cache of game positions in memory: a process remembers those of recent games, and replays
only new entries. The log is the truth; losing the cache costs only time."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Iterator
from contextlib import contextmanager
from threading import Lock, local
from typing import Final, NamedTuple

from games.engines.common.replayable_log import BrokenLog
from games.fairness.encryption import game_cipher
from games.log_store import read_boxes, read_hash, read_head
from games.projection.entry import decrypt_contents, entry_from_content
from games.projection.fold import create_projection
from games.projection.log_replay import REPLAY_ERRORS, replay_contents
from games.projection.projection import Projection
from games.secret_lookup import load_game_secret

MAX_CACHED_POSITIONS: Final = 2_000  # some kilobytes each


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
    """The positions used most recently, by game and seq, and the latest known of each game."""

    def __init__(self, size: int) -> None:
        self._size = size
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
            while len(self._positions) > self._size:
                (old_game, old_seq), _ = self._positions.popitem(last=False)
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


cache = PositionCache(MAX_CACHED_POSITIONS)


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
    # one by one: none stays in memory longer than needed
    contents = decrypt_contents(cipher, read_boxes(game, base.seq if base else 0, seq))
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

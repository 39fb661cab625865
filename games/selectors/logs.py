"""Logs: the entries of a game as a viewer may read them, and the projection after each. Where the
rules of a game are not installed, its entries can still be read, without their news."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import chain

from games import position_cache
from games.log_store import read_entries
from games.models import Game
from games.position_cache import Position
from games.secret_lookup import load_game_secret
from tabularium_engines.common.english_text import TITLES_ONLY, seats_called
from tabularium_engines.common.json_codec import Json
from tabularium_engines.installed.registry import RulesetNotInstalled
from tabularium_log.fairness.encryption import game_cipher
from tabularium_log.projection.entry import (
    StoredEntry,
    decrypt_entry,
    finished_fields,
    readable_fields,
    sealed_fields,
)
from tabularium_log.projection.log_replay import replay_entry
from tabularium_log.projection.projection import Projection


@dataclass(frozen=True)
class VisibleEntry:
    """An entry as a viewer may read it."""

    seq: int
    hash: str
    text: str  # the public text, exactly as it is hashed
    readable_fields: dict[str, Json]  # the sealed fields this viewer may read, by path
    rules: str  # the slug of the ruleset
    news: tuple[dict[str, Json], ...] | None  # None: the rules are not installed


def game_projections(game: str, after: int = 0) -> Iterator[Projection]:
    """The projection after each entry, from entry `after` (or the first) on, with its news."""
    now = position_cache.current_position(game)
    start = position_cache.position_at(game, max(after, 1), now).projection
    yield start
    yield from (table for _, table in _replay_steps(start, now.secret, now.projection.seq))


def stepped_projections(game: str, first: int, last: int) -> Iterator[Projection]:
    """The projections after the entries from `first` to `last`, each made from the one before it.
    The last one is cached, so that the next range goes on from there."""
    now = position_cache.current_position(game)
    position = position_cache.cached_position(game, first, now)
    before = position_cache.cached_position(game, first - 1, now)
    if position is None and before is not None:
        start, hash_ = before.projection, before.hash
    else:
        position = position or position_cache.position_at(game, first, now)
        start, hash_ = position.projection, position.hash
        yield start
    for row, table in _replay_steps(start, now.secret, last):
        start, hash_ = table, row.hash
        yield table
    if position_cache.cached_position(game, start.seq, now) is None:
        position_cache.cache.store(Position(start, hash_, now.secret))


def game_log(
    game: str,
    viewer: int | None,
    after: int = 0,
    limit: int = 100,
    *,
    over: bool | None = None,
    names: Mapping[int, str] = TITLES_ONLY,
) -> list[VisibleEntry]:
    """The entries after entry `after`, as the viewer may read them now or, with `over=False`, could
    read them while the game was running; with these names of seats in their news."""
    return list(game_log_entries(game, viewer, after, after + limit, over=over, names=names))


def game_log_entries(
    game: str,
    viewer: int | None,
    after: int,
    last: int,
    *,
    over: bool | None = None,
    names: Mapping[int, str] = TITLES_ONLY,
) -> Iterator[VisibleEntry]:
    """The same, one by one, up to entry `last` or the end of the log."""
    try:
        now = position_cache.current_position(game)
    except RulesetNotInstalled:
        yield from _log_without_rules(game, after, last, over)
        return
    last = min(now.projection.seq, last)
    if last <= after:
        return
    over = now.projection.phase == "over" if over is None else over
    start = position_cache.position_at(game, max(after, 1), now).projection
    steps = _replay_steps(start, now.secret, last)
    if after == 0:
        steps = chain(zip(read_entries(game, 0, 1), [start], strict=True), steps)
    yield from (visible_entry(row, table, viewer, over, names) for row, table in steps)


def _log_without_rules(
    game: str, after: int, last: int, over: bool | None
) -> Iterator[VisibleEntry]:
    """The same, read from the stored rows alone. The readers of a running game's sealed fields are
    known only to its rules, so these stay sealed."""
    row = Game.objects.get(pk=game)
    is_sealed = row.phase != Game.Phase.OVER or over is False
    cipher = None if is_sealed else game_cipher(load_game_secret(game, bytes(row.secret)), game)
    for entry in read_entries(game, after, min(row.seq, last)):
        fields = {} if cipher is None else finished_fields(entry, cipher)
        yield VisibleEntry(entry.seq, entry.hash, entry.text, fields, row.rules, None)


def visible_entry(
    row: StoredEntry,
    table: Projection,
    viewer: int | None,
    over: bool,
    names: Mapping[int, str] = TITLES_ONLY,
) -> VisibleEntry:
    """An entry as the viewer may read it, given the projection after it; all of it if `over`. Only
    its news have the names: the log was folded without them."""
    sealed_values = sealed_fields(table.entry, tuple(table.field_readers))
    fields = sealed_values if over else readable_fields(sealed_values, table.field_readers, viewer)
    with seats_called(names):
        news = tuple(table.news(viewer))
    return VisibleEntry(row.seq, row.hash, row.text, fields, table.creation.rules, news)


def _replay_steps(
    table: Projection, secret: bytes, last: int
) -> Iterator[tuple[StoredEntry, Projection]]:
    """The entries after this projection up to entry `last`, each with the projection after it."""
    cipher = game_cipher(secret, table.game)
    for row in read_entries(table.game, table.seq, last):
        table = replay_entry(table, decrypt_entry(cipher, row))
        yield row, table

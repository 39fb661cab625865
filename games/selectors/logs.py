"""Selectors of logs: the entries of a game as a viewer may read them, and the projection after
each."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import dataclass
from itertools import chain

from games import position_cache
from games.engines.common.codec import Json
from games.fairness.encryption import game_cipher
from games.models import Entry as EntryRow
from games.projection.entry import StoredEntry, decrypt_entry, readable_fields, sealed_fields
from games.projection.log_replay import replay_entry
from games.projection.projection import Projection


@dataclass(frozen=True)
class VisibleEntry:
    """An entry as a viewer may read it."""

    seq: int
    hash: str
    text: str  # the public text, exactly as it is hashed
    readable_fields: dict[str, Json]  # the sealed fields this viewer may read, by path
    news: tuple[dict[str, Json], ...]


def game_projections(game: str, after: int = 0) -> Iterator[Projection]:
    """The projection after each entry, from entry `after` (or the first) on, with its news."""
    now = position_cache.current_position(game)
    start = position_cache.position_at(game, max(after, 1), now).projection
    yield start
    yield from (table for _, table in _replay_steps(start, now.secret, now.projection.seq))


def game_log(
    game: str, viewer: int | None, after: int = 0, limit: int = 100, *, over: bool | None = None
) -> list[VisibleEntry]:
    """The entries after entry `after`, as the viewer may read them now or, with `over=False`, could
    read them while the game was running."""
    now = position_cache.current_position(game)
    last = min(now.projection.seq, after + limit)
    if last <= after:
        return []
    over = now.projection.phase == "over" if over is None else over
    start = position_cache.position_at(game, max(after, 1), now).projection
    steps = _replay_steps(start, now.secret, last)
    if after == 0:
        steps = chain(zip(_entry_rows(game, 0, 1), [start], strict=True), steps)
    return [visible_entry(row, table, viewer, over) for row, table in steps]


def entry_hashes(game: str, seqs: Collection[int]) -> dict[int, str]:
    """The hashes of these entries by seq, in order."""
    entries = EntryRow.objects.filter(game=game, seq__in=seqs).order_by("seq")
    return dict(entries.values_list("seq", "hash"))


def visible_entry(
    row: EntryRow | StoredEntry, table: Projection, viewer: int | None, over: bool
) -> VisibleEntry:
    """An entry as the viewer may read it, given the projection after it; all of it if `over`."""
    sealed_values = sealed_fields(table.entry, tuple(table.field_readers))
    fields = sealed_values if over else readable_fields(sealed_values, table.field_readers, viewer)
    return VisibleEntry(row.seq, row.hash, row.text, fields, tuple(table.news(viewer)))


def _replay_steps(
    table: Projection, secret: bytes, last: int
) -> Iterator[tuple[EntryRow, Projection]]:
    """The entries after this projection up to entry `last`, each with the projection after it."""
    box = game_cipher(secret, table.game)
    for row in _entry_rows(table.game, table.seq, last):
        table = replay_entry(table, decrypt_entry(box, row.seq, bytes(row.box)))
        yield row, table


def _entry_rows(game: str, after: int, last: int) -> Iterator[EntryRow]:
    rows = EntryRow.objects.filter(game=game, seq__gt=after, seq__lte=last).order_by("seq")
    return rows.iterator(chunk_size=1_000)

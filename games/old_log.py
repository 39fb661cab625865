"""Logs in the old table, which holds whole texts. A game is read there until it is moved to the
table of entries; nothing is written there any more."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Final

from django.db import connection
from django.db.models import Max

from games.models import OldEntry
from tabularium_log.projection.entry import OldBox, OldRow, StoredEntry


def read_boxes(game: str, after: int, last: int) -> list[OldBox]:
    """The boxes of these entries."""
    rows = OldEntry.objects.filter(game=game, seq__gt=after, seq__lte=last).order_by("seq")
    return [OldBox(seq, bytes(box)) for seq, box in rows.values_list("seq", "box")]


def read_entries(game: str, after: int, last: int) -> list[StoredEntry]:
    """The entries after entry `after` up to entry `last`."""
    rows = OldEntry.objects.filter(game=game, seq__gt=after, seq__lte=last).order_by("seq")
    return [
        StoredEntry(row.seq, row.text, row.hash, OldBox(row.seq, bytes(row.box))) for row in rows
    ]


def read_hashes(game: str, seqs: Collection[int]) -> dict[int, str]:
    """The hashes of these entries by seq, in order."""
    rows = OldEntry.objects.filter(game=game, seq__in=seqs).order_by("seq")
    return dict(rows.values_list("seq", "hash"))


_SELECT_LOGS: Final = (
    f"SELECT {', '.join(('game_id', *OldRow._fields[1:]))} FROM games_oldentry"
    " WHERE game_id IN ({}) ORDER BY game_id, seq"
)


def last_seqs(games: Sequence[str]) -> dict[str, int]:
    """The last seq in the old table of each of these games that is there."""
    rows = OldEntry.objects.filter(game__in=games).values_list("game")
    return dict(rows.annotate(Max("seq")).order_by())


def read_logs(games: Sequence[str]) -> list[OldRow]:
    """All entries of these games in the old table, game by game, in one statement."""
    if not games:
        return []
    with connection.cursor() as cursor:
        cursor.execute(_SELECT_LOGS.format(", ".join(["%s"] * len(games))), games)
        return [OldRow(*row) for row in cursor.fetchall()]

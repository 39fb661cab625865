"""The reader of logs beyond their replay: the actions of entries, their hashes and the first
actions of many games, in whichever table a game is."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from itertools import chain
from typing import Any, Final, NamedTuple

import orjson
from django.db.models import Exists, OuterRef, Q, QuerySet

from games import old_log
from games.models import Entry, Game, OldEntry
from tabularium_engines.common.json_codec import Json
from tabularium_log.projection.entry import remove_sealed_fields

CHUNK: Final = 20  # actions: often only the first are read


class PublicAction(NamedTuple):
    """The public part of an entry's action; None if it is sealed as a whole."""

    seq: int
    seat: int | None
    action: Json


def read_actions(
    game: str, containing: str = "", *, newest_first: bool = False
) -> Iterator[PublicAction]:
    """The public actions of a log, in order or the latest first; only those whose JSON text
    contains a piece."""
    is_wanted = Q(action__contains=containing) | Q(seq=1) if containing else Q()
    rows = Entry.objects.filter(is_wanted, game=game).order_by("-seq" if newest_first else "seq")
    found = rows.values_list("seq", "seat", "action", "paths").iterator(chunk_size=CHUNK)
    first = next(found, None)
    if first is None:
        return _old_actions(game, containing, newest_first)
    return (
        PublicAction(seq, seat, public_action(action, paths))
        for seq, seat, action, paths in chain([first], found)
        if containing in action
    )


def _old_actions(game: str, containing: str, newest_first: bool) -> Iterator[PublicAction]:
    rows = OldEntry.objects.filter(game=game, text__contains=containing)
    texts = rows.order_by("-seq" if newest_first else "seq").values_list("text", flat=True)
    for text in texts.iterator(chunk_size=CHUNK):
        entry = orjson.loads(text)
        yield PublicAction(entry["seq"], entry["seat"], entry["action"])


def public_action(action: str, paths: str) -> Json:
    """The public part of an action, given its columns."""
    return remove_sealed_fields(orjson.loads(action), paths.split())


def entry_hashes(game: str, seqs: Collection[int]) -> dict[int, str]:
    """The hashes of these entries by seq, in order."""
    rows = Entry.objects.filter(game=game, seq__in=seqs).order_by("seq")
    found = {seq: bytes(hash_).hex() for seq, hash_ in rows.values_list("seq", "hash")}
    return found or old_log.read_hashes(game, seqs)


def has_entries_after(game: str, seq: int) -> bool:
    """Whether a log goes on after this entry."""
    tables: list[QuerySet[Any]] = [
        model.objects.filter(game=game, seq__gt=seq).values("seq") for model in (Entry, OldEntry)
    ]
    return tables[0].union(tables[1], all=True).exists()


def first_actions(games: QuerySet[Game]) -> Iterator[Json]:
    """The first action of each of these games."""
    rows = Entry.objects.filter(seq=1, game__in=games)
    yield from map(orjson.loads, rows.values_list("action", flat=True).iterator())
    moved = Entry.objects.filter(game=OuterRef("game"), seq=1)
    old_rows = OldEntry.objects.filter(~Exists(moved), seq=1, game__in=games)
    for text in old_rows.values_list("text", flat=True).iterator():
        yield orjson.loads(text)["action"]

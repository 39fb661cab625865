"""How is an entry kept? As the text that everybody may read, which is hashed, and as a box that
holds all of it, with what is sealed in that text and every draw."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final, NamedTuple, TypeAlias

import orjson

from games.engines.common.codec import Json
from games.fairness import chain
from games.fairness import secret as secrets
from games.fairness.canonical import canonical
from games.fairness.vault import Box

DRAWS: Final = "/draws"
Content: TypeAlias = Sequence[Any]  # of an entry: seat, at, its action as JSON text, draws


class Entry(NamedTuple):
    """One line of a log, complete: who did what when, and what chance had to say to it."""

    seat: int | None  # None: the table itself
    at: str
    action: Json
    draws: tuple[tuple[int, int], ...] | None = None  # None: a table's action, without chance


@dataclass(frozen=True, slots=True)
class Row:
    """An entry as it is kept."""

    seq: int
    text: str  # canonical: exactly the bytes that are hashed
    hash: str
    box: bytes


@dataclass(frozen=True, slots=True)
class Place:
    """Where an entry goes, and the secret that seals it."""

    game: str
    seq: int
    previous: str  # hash
    secret: bytes = field(repr=False)


def row(entry: Entry, place: Place, sealed: Sequence[str]) -> Row:
    """The entry as it is kept there; `sealed` are the paths of the action not all may read."""
    text = open_text(entry, place, sealed)
    box = Box(secrets.box_key(place.secret, place.game))
    closed = box.close(place.seq, orjson.dumps(content_of(entry)))
    return Row(place.seq, text, chain.entry_hash(text), closed)


def open_text(entry: Entry, place: Place, sealed: Sequence[str]) -> str:
    """What everybody may read of an entry, in canonical form."""
    fields = hidden_fields(entry, sealed)
    return canonical(
        {
            "action": without(entry.action, sealed),
            "at": entry.at,
            "game": place.game,
            "prev": place.previous,
            "sealed": {
                path: chain.seal(
                    secrets.salt(place.secret, place.game, place.seq, path), path, value
                )
                for path, value in fields.items()
            },
            "seat": entry.seat,
            "seq": place.seq,
        }
    )


def hidden_fields(entry: Entry, sealed: Sequence[str]) -> dict[str, Json]:
    """What is sealed of an entry: the draws, wherever chance might have spoken, and fields of the
    action; a path is a JSON pointer into the entry."""
    fields = {path: value_at(entry.action, path) for path in sealed}
    if entry.draws is not None:
        fields[DRAWS] = [list(draw) for draw in entry.draws]
    return fields


def open_fields(
    hidden: Mapping[str, Json], readers: Mapping[str, int], viewer: int | None
) -> dict[str, Json]:
    """What of the sealed fields a viewer may read, given the readers of each as a bit mask."""
    mask = 0 if viewer is None else 1 << viewer
    return {path: value for path, value in hidden.items() if readers.get(path, 0) & mask}


def opened(box: Box, seq: int, closed: bytes) -> Entry:
    """The entry that was closed in a box."""
    return entry_of(orjson.loads(box.open(seq, closed)))


def all_opened(box: Box, closed: Iterable[tuple[int, bytes]]) -> Iterator[Content]:
    """The entries that were closed in these boxes: bare, for to name each takes its time."""
    return map(orjson.loads, box.open_all(closed))


def content_of(entry: Entry) -> Content:
    """What is closed in a box. The action is text: its number is found faster by it."""
    return entry.seat, entry.at, orjson.dumps(entry.action).decode(), entry.draws


def entry_of(content: Content) -> Entry:
    """The entry with this content."""
    seat, at, text, draws = content
    return Entry(seat, at, orjson.loads(text), None if draws is None else tuple(map(tuple, draws)))


def pointer(field: str) -> str:
    """Where a field of the action is in its entry; "" is the whole action."""
    return f"/action/{field}" if field else "/action"


def value_at(action: Json, path: str) -> Json:
    """The value of a sealed path."""
    field = path.removeprefix("/action").removeprefix("/")
    return action[field] if field else action


def without(action: Json, sealed: Sequence[str]) -> Any:
    """The action without its sealed fields; null if all of it is sealed."""
    if pointer("") in sealed:
        return None
    return {name: value for name, value in action.items() if pointer(name) not in sealed}

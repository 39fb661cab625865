"""How is an entry kept? As the text that everybody may read, which is hashed, and as a box that
holds all of it, with what is sealed in that text and every draw."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final, NamedTuple, TypeAlias

import orjson

from games.engines.common.codec import Json
from games.fairness import hash_chain
from games.fairness import secret as secrets
from games.fairness.canonical_json import encode_canonical
from games.fairness.vault import EntryCipher

DRAWS_POINTER: Final = "/draws"
EntryContent: TypeAlias = Sequence[Any]  # of an entry: seat, at, its action as JSON text, draws


class Entry(NamedTuple):
    """One line of a log, complete: who did what when, and what chance had to say to it."""

    seat: int | None  # None: the table itself
    at: str
    action: Json
    draws: tuple[tuple[int, int], ...] | None = None  # None: a table's action, without chance


@dataclass(frozen=True, slots=True)
class StoredEntry:
    """An entry as it is kept."""

    seq: int
    text: str  # canonical: exactly the bytes that are hashed
    hash: str
    box: bytes


@dataclass(frozen=True, slots=True)
class EntryPlace:
    """Where an entry goes, and the secret that seals it."""

    game: str
    seq: int
    previous_hash: str  # hash
    secret: bytes = field(repr=False)


def seal_entry(entry: Entry, place: EntryPlace, sealed: Sequence[str]) -> StoredEntry:
    """The entry as it is kept there; `sealed` are the paths of the action not all may read."""
    text = public_text(entry, place, sealed)
    box = EntryCipher(secrets.box_key(place.secret, place.game))
    closed = box.encrypt(place.seq, orjson.dumps(entry_content(entry)))
    return StoredEntry(place.seq, text, hash_chain.entry_hash(text), closed)


def public_text(entry: Entry, place: EntryPlace, sealed: Sequence[str]) -> str:
    """What everybody may read of an entry, in canonical form."""
    fields = sealed_fields(entry, sealed)
    return encode_canonical(
        {
            "action": remove_sealed_fields(entry.action, sealed),
            "at": entry.at,
            "game": place.game,
            "prev": place.previous_hash,
            "sealed": {
                path: hash_chain.seal_hash(
                    secrets.field_salt(place.secret, place.game, place.seq, path), path, value
                )
                for path, value in fields.items()
            },
            "seat": entry.seat,
            "seq": place.seq,
        }
    )


def sealed_fields(entry: Entry, sealed: Sequence[str]) -> dict[str, Json]:
    """What is sealed of an entry: the draws, wherever chance might have spoken, and fields of the
    action; a path is a JSON pointer into the entry."""
    fields = {path: sealed_value(entry.action, path) for path in sealed}
    if entry.draws is not None:
        fields[DRAWS_POINTER] = [list(draw) for draw in entry.draws]
    return fields


def readable_fields(
    hidden: Mapping[str, Json], readers: Mapping[str, int], viewer: int | None
) -> dict[str, Json]:
    """What of the sealed fields a viewer may read, given the readers of each as a bit mask."""
    mask = 0 if viewer is None else 1 << viewer
    return {path: value for path, value in hidden.items() if readers.get(path, 0) & mask}


def decrypt_entry(box: EntryCipher, seq: int, closed: bytes) -> Entry:
    """The entry that was closed in a box."""
    return entry_from_content(orjson.loads(box.decrypt(seq, closed)))


def decrypt_contents(
    box: EntryCipher, closed: Iterable[tuple[int, bytes]]
) -> Iterator[EntryContent]:
    """The entries that were closed in these boxes: bare, for to name each takes its time."""
    return map(orjson.loads, box.decrypt_all(closed))


def entry_content(entry: Entry) -> EntryContent:
    """What is closed in a box. The action is text: its number is found faster by it."""
    return entry.seat, entry.at, orjson.dumps(entry.action).decode(), entry.draws


def entry_from_content(content: EntryContent) -> Entry:
    """The entry with this content."""
    seat, at, text, draws = content
    return Entry(seat, at, orjson.loads(text), None if draws is None else tuple(map(tuple, draws)))


def action_pointer(field: str) -> str:
    """Where a field of the action is in its entry; "" is the whole action."""
    return f"/action/{field}" if field else "/action"


def sealed_value(action: Json, path: str) -> Json:
    """The value of a sealed path."""
    field = path.removeprefix("/action").removeprefix("/")
    return action[field] if field else action


def remove_sealed_fields(action: Json, sealed: Sequence[str]) -> Any:
    """The action without its sealed fields; null if all of it is sealed."""
    if action_pointer("") in sealed:
        return None
    return {name: value for name, value in action.items() if action_pointer(name) not in sealed}

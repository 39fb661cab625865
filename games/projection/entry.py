"""The entry of a log, complete and as it is stored: a public text, which is hashed, with seals of
the hidden fields, and an encrypted box with the complete entry, including these fields and every
draw."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final, NamedTuple, TypeAlias

import orjson

from games.engines.common.json_codec import Json
from games.fairness.canonical_json import encode_canonical
from games.fairness.committed_draws import field_salt
from games.fairness.encryption import EntryCipher, game_cipher
from games.fairness.signed_hash_chain import entry_hash, seal_hash

DRAWS_POINTER: Final = "/draws"
EntryContent: TypeAlias = Sequence[Any]  # seat, at, the action as JSON text, draws


class Entry(NamedTuple):
    """One line of a log, complete: the seat, the time, the action, and the draws made with it."""

    seat: int | None  # None: the table itself
    at: str
    action: Json
    draws: tuple[tuple[int, int], ...] | None = None  # None: a table action without chance


@dataclass(frozen=True, slots=True)
class StoredEntry:
    """An entry as it is stored."""

    seq: int
    text: str  # canonical: exactly the bytes that are hashed
    hash: str
    box: bytes


@dataclass(frozen=True, slots=True)
class EntryPlace:
    """The place of an entry in a log, and the secret that seals it."""

    game: str
    seq: int
    previous_hash: str
    secret: bytes = field(repr=False)


def seal_entry(entry: Entry, place: EntryPlace, sealed_paths: Sequence[str]) -> StoredEntry:
    """The entry as it is stored there; `sealed_paths` name the fields of its action that are not
    public."""
    text = public_text(entry, place, sealed_paths)
    cipher = game_cipher(place.secret, place.game)
    ciphertext = cipher.encrypt(place.seq, orjson.dumps(entry_content(entry)))
    return StoredEntry(place.seq, text, entry_hash(text), ciphertext)


def public_text(entry: Entry, place: EntryPlace, sealed_paths: Sequence[str]) -> str:
    """The public text of an entry, in canonical form."""
    fields = sealed_fields(entry, sealed_paths)
    return encode_canonical(
        {
            "action": remove_sealed_fields(entry.action, sealed_paths),
            "at": entry.at,
            "game": place.game,
            "prev": place.previous_hash,
            "sealed": {
                path: seal_hash(field_salt(place.secret, place.game, place.seq, path), path, value)
                for path, value in fields.items()
            },
            "seat": entry.seat,
            "seq": place.seq,
        }
    )


def sealed_fields(entry: Entry, sealed_paths: Sequence[str]) -> dict[str, Json]:
    """The sealed fields of an entry: the draws, wherever the rules might draw, and fields of the
    action; a path is a JSON pointer into the entry."""
    fields = {path: sealed_value(entry.action, path) for path in sealed_paths}
    if entry.draws is not None:
        fields[DRAWS_POINTER] = [list(draw) for draw in entry.draws]
    return fields


def finished_fields(row: StoredEntry, cipher: EntryCipher) -> dict[str, Json]:
    """The sealed fields of an entry of a finished game: its text lists them, and all may read
    them, so no rules are needed."""
    paths = [path for path in orjson.loads(row.text)["sealed"] if path != DRAWS_POINTER]
    return sealed_fields(decrypt_entry(cipher, row.seq, row.box), paths)


def readable_fields(
    sealed_values: Mapping[str, Json], readers: Mapping[str, int], viewer: int | None
) -> dict[str, Json]:
    """The sealed fields that a viewer may read, given the readers of each as a bit mask."""
    mask = 0 if viewer is None else 1 << viewer
    return {path: value for path, value in sealed_values.items() if readers.get(path, 0) & mask}


def decrypt_entry(cipher: EntryCipher, seq: int, ciphertext: bytes) -> Entry:
    """The entry whose content is this ciphertext."""
    return entry_from_content(orjson.loads(cipher.decrypt(seq, ciphertext)))


def decrypt_contents(
    cipher: EntryCipher, boxes: Iterable[tuple[int, bytes]]
) -> Iterator[EntryContent]:
    """The contents of these boxes, as plain sequences: named tuples are slower to build."""
    return map(orjson.loads, cipher.decrypt_all(boxes))


def entry_content(entry: Entry) -> EntryContent:
    """The plaintext of a box. The action is text: its code is found faster by it."""
    return entry.seat, entry.at, orjson.dumps(entry.action).decode(), entry.draws


def entry_from_content(content: EntryContent) -> Entry:
    """The entry with this content."""
    seat, at, text, draws = content
    return Entry(seat, at, orjson.loads(text), None if draws is None else tuple(map(tuple, draws)))


def action_pointer(field: str) -> str:
    """The pointer to a field of the action in its entry; "" is the whole action."""
    return f"/action/{field}" if field else "/action"


def sealed_value(action: Json, path: str) -> Json:
    """The value of a sealed path."""
    field = path.removeprefix("/action").removeprefix("/")
    return action[field] if field else action


def remove_sealed_fields(action: Json, sealed_paths: Sequence[str]) -> Any:
    """The action without its sealed fields; null if all of it is sealed."""
    if action_pointer("") in sealed_paths:
        return None
    return {
        name: value for name, value in action.items() if action_pointer(name) not in sealed_paths
    }

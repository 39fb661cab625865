"""The entry of a log, complete and as it is stored: its public text, which is hashed, with seals of
the hidden fields; the columns, from which this text is made again; and in an encrypted box the
hidden fields and the draws."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from functools import lru_cache
from typing import Any, Final, NamedTuple, TypeAlias

import orjson

from tabularium_engines.common.json_codec import Json
from tabularium_log.fairness.canonical_json import OPTIONS, encode_canonical
from tabularium_log.fairness.committed_draws import SECRET_BYTES, field_salt
from tabularium_log.fairness.encryption import EntryCipher, GameCipher, game_cipher
from tabularium_log.fairness.signed_hash_chain import entry_hash, seal_hash

DRAWS_POINTER: Final = "/draws"
# seat, milliseconds since 1970, the action as JSON text, draws
EntryContent: TypeAlias = Sequence[Any]
ContentColumns: TypeAlias = tuple[int, int | None, int, str, str, bytes]  # without seals and hash

EPOCH: Final = datetime(1970, 1, 1, tzinfo=UTC)
MILLISECOND: Final = timedelta(milliseconds=1)
MINUTE_MS: Final = 60_000
CACHED_MINUTES: Final = 1_000
CACHED_ACTIONS: Final = 1 << 14
MAX_CACHED_ACTION: Final = 200  # characters


class Entry(NamedTuple):
    """One line of a log, complete: the seat, the time, the action, and the draws made with it."""

    seat: int | None  # None: the table itself
    at: str
    action: Json
    draws: tuple[tuple[int, int], ...] | None = None  # None: a table action without chance


class StoredColumns(NamedTuple):
    """The columns of an entry. Those that its game and the entry before it give are not among
    them."""

    seq: int
    seat: int | None
    at: int  # milliseconds since 1970
    action: str  # JSON, as the rules write it, with null for each sealed field
    paths: str  # of the sealed fields, sorted, a space between two
    seals: bytes  # of these fields, in this order
    hash: bytes
    box: bytes  # the encrypted draws and sealed fields; empty without any


class OldBox(NamedTuple):
    """The encrypted complete content of an entry in the old table."""

    seq: int
    box: bytes


class LogRow(NamedTuple):
    """The columns of an entry with its game; those of its content come together."""

    game: str
    seq: int
    seat: int | None
    at: int
    action: str
    paths: str
    box: bytes
    seals: bytes
    hash: bytes


class OldRow(NamedTuple):
    """The columns of an entry in the old table."""

    game: str
    seq: int
    text: str
    hash: str
    box: bytes


@dataclass(frozen=True, slots=True)
class StoredEntry:
    """An entry as it is stored, with the text that its columns stand for."""

    seq: int
    text: str  # canonical: exactly the bytes that are hashed
    hash: str
    columns: StoredColumns | OldBox


@dataclass(frozen=True, slots=True)
class EntryPlace:
    """The place of an entry in a log, and the secret that seals it."""

    game: str
    seq: int
    previous_hash: str
    secret: bytes = field(repr=False)


# -- sealing ---------------------------------------------------------------------------------------


def seal_entry(entry: Entry, place: EntryPlace, sealed_paths: Sequence[str]) -> StoredEntry:
    """The entry as it is stored there; `sealed_paths` name the fields of its action that are not
    public."""
    fields = sealed_fields(entry, sealed_paths)
    seals = _field_seals(fields, place)
    text = _canonical_text(entry, place, sealed_paths, seals)
    hash_, paths = entry_hash(text), sorted(fields)
    columns = StoredColumns(
        place.seq,
        entry.seat,
        milliseconds_of(entry.at),
        _action_without_values(entry.action, sealed_paths),
        " ".join(paths),
        bytes.fromhex("".join([seals[path] for path in paths])),
        bytes.fromhex(hash_),
        _encrypted_box(entry, fields, place),
    )
    if stored_text(columns, place.game, place.previous_hash) != text:
        raise ValueError(f"Entry {place.seq} of {place.game} cannot be made again from its columns")
    return StoredEntry(place.seq, text, hash_, columns)


def public_text(entry: Entry, place: EntryPlace, sealed_paths: Sequence[str]) -> str:
    """The public text of an entry, in canonical form."""
    seals = _field_seals(sealed_fields(entry, sealed_paths), place)
    return _canonical_text(entry, place, sealed_paths, seals)


def _canonical_text(
    entry: Entry, place: EntryPlace, sealed_paths: Sequence[str], seals: Mapping[str, str]
) -> str:
    return encode_canonical(
        {
            "action": remove_sealed_fields(entry.action, sealed_paths),
            "at": entry.at,
            "game": place.game,
            "prev": place.previous_hash,
            "sealed": seals,
            "seat": entry.seat,
            "seq": place.seq,
        }
    )


def _field_seals(fields: Mapping[str, Json], place: EntryPlace) -> dict[str, str]:
    return {
        path: seal_hash(field_salt(place.secret, place.game, place.seq, path), path, value)
        for path, value in fields.items()
    }


def _action_without_values(action: Json, sealed_paths: Sequence[str]) -> str:
    """The action as JSON text, with null in the place of each sealed value."""
    if action_pointer("") in sealed_paths:
        return "null"
    if sealed_paths:
        action = action | dict.fromkeys(map(_field_name, sealed_paths))
    return orjson.dumps(action).decode()


def _encrypted_box(entry: Entry, fields: Mapping[str, Json], place: EntryPlace) -> bytes:
    """The draws and the values of the sealed fields, encrypted; empty if there are none."""
    values = [fields[path] for path in sorted(fields) if path != DRAWS_POINTER]
    if not values and not entry.draws:
        return b""
    content = orjson.dumps([entry.draws, *values])
    return game_cipher(place.secret, place.game).encrypt(place.seq, content)


# -- the text of stored columns --------------------------------------------------------------------


def stored_entry(game: str, previous_hash: str, columns: StoredColumns) -> StoredEntry:
    """The entry whose columns these are, given the hash of the entry before it."""
    text = stored_text(columns, game, previous_hash)
    return StoredEntry(columns.seq, text, columns.hash.hex(), columns)


def stored_text(columns: StoredColumns, game: str, previous_hash: str) -> str:
    """The text that was hashed when these columns were stored. Columns that were altered since give
    another text, or one that is no entry's."""
    seq, seat, at, action, paths, *_ = columns
    seals = ",".join([f'"{path}":"{seal}"' for path, seal in _seals_of(columns)])
    return compose_text(
        public_action_text(action, paths), at, seals, seat, (game, seq, previous_hash)
    )


def compose_text(
    action: str, at: int, seals: str, seat: int | None, place: tuple[str, int, str]
) -> str:
    """The text of an entry from the texts of its parts; its place is the game, the seq and the hash
    before it."""
    game, seq, previous_hash = place
    return (
        f'{{"action":{action},"at":"{time_text(at)}","game":"{game}","prev":"{previous_hash}",'
        f'"sealed":{{{seals}}},"seat":{"null" if seat is None else seat},"seq":{seq}}}'
    )


def _seals_of(columns: StoredColumns) -> list[tuple[str, str]]:
    """Each sealed path with its seal; all under no path if there are too few or too many."""
    paths, digits = columns.paths.split(), columns.seals.hex()
    if len(columns.seals) != len(paths) * SECRET_BYTES:
        return [("", digits)]
    width = 2 * SECRET_BYTES
    return [(path, digits[n * width : (n + 1) * width]) for n, path in enumerate(paths)]


def public_action_text(action: str, paths: str) -> str:
    """The public part of a stored action in canonical form, given the paths of its sealed fields
    with a space between two; a damaged one as it is."""
    is_cached = len(action) <= MAX_CACHED_ACTION
    return (_cached_action if is_cached else _canonical_action)(action, paths)


def _canonical_action(action: str, paths: str) -> str:
    """The public part of a stored action in canonical form; a damaged one as it is."""
    try:
        public = remove_sealed_fields(orjson.loads(action), paths.split())
        return orjson.dumps(public, option=OPTIONS).decode()
    except (ValueError, AttributeError):
        return action


_cached_action: Final = lru_cache(CACHED_ACTIONS)(_canonical_action)


def milliseconds_of(at: str) -> int:
    """The milliseconds since 1970 of a time in the format of entries."""
    return (datetime.fromisoformat(at) - EPOCH) // MILLISECOND


def time_text(milliseconds: int) -> str:
    """The time of an entry in the format of entries."""
    minute, rest = divmod(milliseconds, MINUTE_MS)
    return f"{_minute_text(minute)}{rest // 1000:02}.{rest % 1000:03}Z"


@lru_cache(CACHED_MINUTES)
def _minute_text(minute: int) -> str:
    """The beginning of the times of a minute."""
    try:
        return (EPOCH + timedelta(minutes=minute)).isoformat()[:17]
    except OverflowError:  # a damaged number: the text is no time
        return f"minute {minute}:"


# -- the hidden fields -----------------------------------------------------------------------------


def sealed_fields(entry: Entry, sealed_paths: Sequence[str]) -> dict[str, Json]:
    """The sealed fields of an entry: the draws, wherever the rules might draw, and fields of the
    action; a path is a JSON pointer into the entry."""
    fields = {path: sealed_value(entry.action, path) for path in sealed_paths}
    if entry.draws is not None:
        fields[DRAWS_POINTER] = [list(draw) for draw in entry.draws]
    return fields


def finished_fields(row: StoredEntry, cipher: GameCipher) -> dict[str, Json]:
    """The sealed fields of an entry of a finished game: its text lists them, and all may read
    them, so no rules are needed."""
    paths = [path for path in orjson.loads(row.text)["sealed"] if path != DRAWS_POINTER]
    return sealed_fields(decrypt_entry(cipher, row), paths)


def readable_fields(
    sealed_values: Mapping[str, Json], readers: Mapping[str, int], viewer: int | None
) -> dict[str, Json]:
    """The sealed fields that a viewer may read, given the readers of each as a bit mask."""
    mask = 0 if viewer is None else 1 << viewer
    return {path: value for path, value in sealed_values.items() if readers.get(path, 0) & mask}


def decrypt_entry(cipher: GameCipher, row: StoredEntry) -> Entry:
    """The complete entry whose stored form this is."""
    columns = row.columns
    if isinstance(columns, OldBox):
        (content,) = decrypt_old_contents(cipher, [columns])
    else:
        seq, seat, at, action, paths, _seals, _hash, box = columns
        (content,) = decrypt_contents(cipher, [(seq, seat, at, action, paths, box)])
    return entry_from_content(content)


def decrypt_contents(cipher: EntryCipher, rows: Iterable[ContentColumns]) -> Iterator[EntryContent]:
    """The contents of these rows, as plain sequences: named tuples are slower to build."""
    for seq, seat, at, action, paths, box in rows:
        if box or paths not in ("", DRAWS_POINTER):
            values = orjson.loads(cipher.decrypt(seq, box))
            yield seat, at, *_complete_content(action, paths.split(), values)
        else:
            yield seat, at, action, () if paths else None


def _complete_content(action: str, paths: Sequence[str], values: Sequence[Json]) -> tuple[str, Any]:
    """The action as JSON text with its sealed values, and the draws."""
    draws, *field_values = values
    fields = [path for path in paths if path != DRAWS_POINTER]
    if fields:
        document = orjson.loads(action)
        for path, value in zip(fields, field_values, strict=True):
            if path == action_pointer(""):
                document = value
            else:
                document[_field_name(path)] = value
        action = orjson.dumps(document).decode()
    return action, draws


def decrypt_old_contents(cipher: GameCipher, boxes: Iterable[OldBox]) -> Iterator[EntryContent]:
    """The contents of boxes of the old table."""
    for seat, at, action, draws in map(orjson.loads, cipher.old.decrypt_all(boxes)):
        yield seat, milliseconds_of(at), action, draws


def old_box(cipher: GameCipher, seq: int, entry: Entry) -> bytes:
    """The box that an entry has in the old table."""
    seat, _, action, draws = entry_content(entry)
    return cipher.old.encrypt(seq, orjson.dumps([seat, entry.at, action, draws]))


def entry_content(entry: Entry) -> EntryContent:
    """The content of an entry. The action is text: its code is found faster by it."""
    action = orjson.dumps(entry.action).decode()
    return entry.seat, milliseconds_of(entry.at), action, entry.draws


def entry_from_content(content: EntryContent) -> Entry:
    """The entry with this content."""
    seat, at, text, draws = content
    pairs = None if draws is None else tuple(map(tuple, draws))
    return Entry(seat, time_text(at), orjson.loads(text), pairs)


def action_pointer(field: str) -> str:
    """The pointer to a field of the action in its entry; "" is the whole action."""
    return f"/action/{field}" if field else "/action"


def sealed_value(action: Json, path: str) -> Json:
    """The value of a sealed path."""
    name = _field_name(path)
    return action[name] if name else action


def _field_name(path: str) -> str:
    """The field of the action that a path names; "" is the whole action."""
    return path.removeprefix("/action").removeprefix("/")


def remove_sealed_fields(action: Json, sealed_paths: Sequence[str]) -> Any:
    """The action without its sealed fields; null if all of it is sealed."""
    if action_pointer("") in sealed_paths:
        return None
    return {
        name: value for name, value in action.items() if action_pointer(name) not in sealed_paths
    }

#!/usr/bin/env python3
"""A monitor of a public record: `python3 docs/monitor.py https://games.example --state DIR`.

It needs nothing but Python 3.9, and follows docs/record.md, not the server's own code. Each round
reads the checkpoint, checks its signature, computes from the tiles and from the hashes that are
held that the tree has only grown, reads the new leaves, and keeps them in DIR. A finding is printed
with its name, its evidence is kept in DIR/evidence, and the exit code is that of CODES. The state
never goes beyond a finding about the tree: while the server shows it, each round finds it again.
"""

from __future__ import annotations

import argparse
import hmac
import io
import json
import os
import random
import re
import shutil
import socket
import ssl
import sys
import time
from array import array
from base64 import b64decode, b64encode
from collections.abc import Callable, Iterable, Iterator
from contextlib import closing
from datetime import datetime, timedelta, timezone
from hashlib import sha256, sha512
from http.client import HTTPException, HTTPResponse
from pathlib import Path
from typing import Any, NamedTuple
from urllib.parse import quote, urlsplit

try:
    import fcntl
except ImportError:  # not on Windows, where two monitors of one folder are not noticed
    fcntl = None  # type: ignore[assignment]

CODES = {  # of each finding; 0: none, 2: it cannot run, 3: the server cannot be reached
    "fork": 10,
    "rollback": 11,
    "wrong-key": 12,
    "unannounced-key": 13,
    "stale": 14,
    "malformed-checkpoint": 15,
    "tile": 16,
    "bundle": 17,
    "gap": 18,
    "malformed-leaf": 19,
    "second-leaf": 20,
    "missing-game": 21,
    "split-view": 22,
    "other-record": 23,
    "refused-reply": 24,
}
UNUSABLE, UNREACHABLE = 2, 3

HASH = 32  # bytes
WIDTH = 256  # hashes of a full tile
LEAF_LIMIT = 1024  # bytes
NOTE_LIMIT = 1 << 20
BUNDLE_LIMIT = WIDTH * (2 + LEAF_LIMIT)
LIST_LIMIT = 8 << 20
EXPORT_LIMIT = 64 << 20
SECONDS = 30.0  # for a reply, from the first byte sent to the last one received
EXPORT_SECONDS = 300.0
PATIENCE = 900.0  # seconds of waiting in a round, when the server asks for it
LONGEST_WAIT = 660.0
LONGEST_PAUSE = 3600.0
ROUND = 4 * 3600.0  # seconds of a round at most; with --all it has as many days
PROMISE = 300 * 1000  # milliseconds from the end of a game to its leaf
BACKLOG = 3600 * 1000  # for the games that were over before the first round
DAY = 24 * 3600 * 1000
PAGES, PAGES_OF_ALL, PAGE = 20, 10_000, 200  # of the lists of games, in a round
SUSPECTS = 20  # games whose logs are read since they seem to have no leaf
MOST_LEAVES = 1_000_000  # that a round reads, unless --most says so
FREE = 256 << 20  # bytes of the disk that are left free
FINDINGS = 100  # of a round
EVIDENCE_FOLDERS, EVIDENCE_BYTES = 500, 4 << 20


class Finding(Exception):
    """A broken promise, by its name in CODES, and the files that show it."""

    def __init__(
        self, name: str, sentence: str, files: dict[str, bytes] | None = None, about: str = ""
    ) -> None:
        super().__init__(sentence)
        self.name, self.sentence, self.files = name, sentence, files or {}
        self.about = about or sentence  # its evidence is kept once


class Unreachable(Exception):
    """Why the server did not answer: no finding."""


class Unusable(Exception):
    """Why the monitor cannot run."""


class Refusal(Exception):
    """A reply that refuses a request."""

    def __init__(self, status: int, body: bytes) -> None:
        super().__init__(f"The server answers with status {status}.")
        self.status, self.body = status, body


def need(condition: object, sentence: str) -> None:
    """Raise ValueError with this sentence unless the condition holds."""
    if not condition:
        raise ValueError(sentence)


def now() -> int:
    """The time, in milliseconds since 1970."""
    return time.time_ns() // 1_000_000


def canonical(document: Any) -> str:
    """The canonical text of a document."""
    return json.dumps(document, sort_keys=True, separators=(",", ":"), ensure_ascii=False)


def document_of(raw: bytes) -> Any:
    """The document of JSON that others have written. A number of a million digits would take a
    Python before 3.11 hours."""
    return json.loads(raw.decode("utf-8"), parse_int=short(int), parse_float=short(float))


def short(kind: Callable[[str], Any]) -> Callable[[str], Any]:
    """Reads numbers of so few digits that they are numbers in every language."""

    def read(digits: str) -> Any:
        need(len(digits) <= 25, "It has a number with too many digits.")
        return kind(digits)

    return read


def printable(text: str) -> str:
    """The text without characters that steer a terminal."""
    letters = (c if c.isprintable() or c == "\n" else ascii(c)[1:-1] for c in text)
    return "".join(letters)


TIME = re.compile(r"\d{4}-\d\d-\d\dT([01]\d|2[0-3]):\d\d:\d\d\.\d{3}Z", re.ASCII)
MILLISECOND = timedelta(milliseconds=1)
BEGINNING = datetime(1970, 1, 1)  # noqa: DTZ001  # all times are in UTC


def moment(text: str) -> int:
    """A time as the server writes it, in milliseconds since 1970."""
    need(isinstance(text, str) and TIME.fullmatch(text), f"{text!r} is no time.")
    return (datetime.fromisoformat(text[:-1]) - BEGINNING) // MILLISECOND


# -- Ed25519 (RFC 8032) ----------------------------------------------------------------------------

P = 2**255 - 19
ORDER = 2**252 + 27742317777372353535851937790883648493
D = -121665 * pow(121666, P - 2, P) % P
ROOT_OF_MINUS_1 = pow(2, (P - 1) // 4, P)
Point = tuple[int, int, int, int]  # extended coordinates: x = X/Z, y = Y/Z, xy = T/Z


def plus(first: Point, second: Point) -> Point:
    """The sum of two points."""
    a = (first[1] - first[0]) * (second[1] - second[0]) % P
    b = (first[1] + first[0]) * (second[1] + second[0]) % P
    c = 2 * first[3] * second[3] * D % P
    d = 2 * first[2] * second[2] % P
    e, f, g, h = b - a, d - c, d + c, b + a
    return e * f % P, g * h % P, f * g % P, e * h % P


def times(number: int, point: Point) -> Point:
    """The multiple of a point."""
    product = (0, 1, 1, 0)
    while number:
        if number & 1:
            product = plus(product, point)
        point = plus(point, point)
        number >>= 1
    return product


def decoded(raw: bytes) -> Point:
    """The point of 32 bytes."""
    y = int.from_bytes(raw, "little")
    sign, y = y >> 255, y & (1 << 255) - 1
    need(y < P, "This is no point of the curve.")
    square = (y * y - 1) * pow(D * y * y + 1, P - 2, P) % P
    x = pow(square, (P + 3) // 8, P)
    if (x * x - square) % P:
        x = x * ROOT_OF_MINUS_1 % P
    need((x * x - square) % P == 0 and (x or not sign), "This is no point of the curve.")
    if x & 1 != sign:
        x = P - x
    return x, y, 1, x * y % P


def encoded(point: Point) -> bytes:
    """The 32 bytes of a point."""
    inverse = pow(point[2], P - 2, P)
    x, y = point[0] * inverse % P, point[1] * inverse % P
    return (y | (x & 1) << 255).to_bytes(32, "little")


BASE = decoded(bytes([0x58]) + bytes([0x66]) * 31)


def has_signed(public: bytes, message: bytes, signature: bytes) -> bool:
    """Whether a signature is genuine."""
    if len(public) != 32 or len(signature) != 64:
        return False
    scalar = int.from_bytes(signature[32:], "little")
    if scalar >= ORDER:
        return False
    try:
        x, y, z, t = decoded(public)
    except ValueError:
        return False
    challenge = int.from_bytes(sha512(signature[:32] + public + message).digest(), "little") % ORDER
    commitment = plus(times(scalar, BASE), times(challenge, (P - x, y, z, P - t)))
    return encoded(commitment) == signature[:32]


# -- signed notes and checkpoints ------------------------------------------------------------------

ED25519 = 0x01
KEY_ID = 4  # bytes
SIGNATURES = 100  # of a note at most


def debased(text: str) -> bytes:
    """The bytes of base64 in its one valid form."""
    raw = b64decode(text, validate=True)
    need(b64encode(raw).decode() == text, f"{text[:100]!r} is not the one valid form of base64.")
    return raw


def is_name(name: str) -> bool:
    """Whether a key may have this name."""
    return bool(name) and not any(c == "+" or c.isspace() or c < " " for c in name)


class Key(NamedTuple):
    """A verifier key, which is written `name+hash+key`."""

    name: str
    kind: int
    public: bytes

    @property
    def id(self) -> bytes:
        typed = bytes([self.kind]) + self.public
        return sha256(self.name.encode() + b"\n" + typed).digest()[:KEY_ID]

    @property
    def text(self) -> str:
        typed = b64encode(bytes([self.kind]) + self.public).decode()
        return f"{self.name}+{self.id.hex()}+{typed}"


def key_of(text: str) -> Key:
    """Read a verifier key."""
    parts = text.split("+", 2)
    need(len(parts) == 3 and is_name(parts[0]), f"{text[:200]!r} is no verifier key.")
    raw = debased(parts[2])
    need(raw, f"{text[:200]!r} is no verifier key.")
    key = Key(parts[0], raw[0], raw[1:])
    need(key.id.hex() == parts[1], f"The hash of the key {key.name} is {key.id.hex()}.")
    need(key.kind != ED25519 or len(key.public) == 32, f"The key {key.name} has not 32 bytes.")
    return key


class Note(NamedTuple):
    """A checkpoint that nothing has verified: its text, its signatures, and its tree."""

    raw: bytes
    text: str
    signatures: list[tuple[str, bytes, bytes]]  # name, id of the key, value
    origin: str
    size: int
    root: bytes


def note_of(raw: bytes) -> Note:
    """Read a checkpoint; every text has one valid spelling."""
    need(len(raw) <= NOTE_LIMIT, "The checkpoint is too long.")
    whole = raw.decode("utf-8")
    need(not re.search(r"[\x00-\x09\x0b-\x1f]", whole), "The checkpoint has a control character.")
    text, separator, block = whole.rpartition("\n\n")
    need(separator and block.endswith("\n"), "The checkpoint is no signed note.")
    lines = block[:-1].split("\n")
    need(len(lines) <= SIGNATURES, f"The checkpoint has more than {SIGNATURES} signatures.")
    text += "\n"
    stated = text.split("\n")
    need(len(stated) >= 4 and all(stated[:-1]), "The checkpoint lacks origin, size or root.")
    digits, root = stated[1], debased(stated[2])
    need(re.fullmatch(r"0|[1-9][0-9]{0,18}", digits), "The size of the checkpoint is no number.")
    size = int(digits)
    need(size < 2**63 and len(root) == HASH, "The checkpoint states no tree.")
    need(size or root == sha256().digest(), "The root is not that of a tree without leaves.")
    return Note(raw, text, [*map(signature_of, lines)], stated[0], size, root)


def signature_of(line: str) -> tuple[str, bytes, bytes]:
    """Read a signature line."""
    name, separator, value = line[2:].partition(" ")
    need(line.startswith("— ") and separator and is_name(name), f"{line[:200]!r} is no signature.")
    raw = debased(value)
    need(len(raw) > KEY_ID, f"The signature by {name} is too short.")
    return name, raw[:KEY_ID], raw[KEY_ID:]


def signers(note: Note, keys: Iterable[Key]) -> list[Key]:
    """Those of these keys that have signed a note. A false signature in the name of one is an
    error; the lines of other keys are left out."""
    known = {(key.name, key.id): key for key in keys if key.kind == ED25519}
    found = []
    for name, id_, value in note.signatures:
        key = known.get((name, id_))
        if key is None or key in found:
            continue
        if not has_signed(key.public, note.text.encode(), value):
            raise Finding("wrong-key", f"The signature in the name of {key.text} is false.")
        found.append(key)
    return found


# -- the tree (RFC 6962) and its tiles -------------------------------------------------------------

Rows = list[bytearray]  # of each level of tiles, all hashes; a hash has 256 of the level below


def leaf_hash(leaf: bytes) -> bytes:
    """The hash of a leaf."""
    return sha256(b"\x00" + leaf).digest()


def node_hash(left: bytes, right: bytes) -> bytes:
    """The hash of a node."""
    return sha256(b"\x01" + left + right).digest()


def perfect(hashes: bytes) -> bytes:
    """The root over 1, 2, 4, 8 … hashes."""
    row = [hashes[at : at + HASH] for at in range(0, len(hashes), HASH)]
    while len(row) > 1:
        row = [*map(node_hash, row[::2], row[1::2])]
    return row[0]


def append(rows: Rows, hashes: bytes) -> None:
    """Append the hashes of leaves."""
    rows[0] += hashes
    for level in range(64):
        full = len(rows[level]) // (WIDTH * HASH)
        if not full:
            return
        if level + 1 == len(rows):
            rows.append(bytearray())
        for number in range(len(rows[level + 1]) // HASH, full):
            rows[level + 1] += perfect(tile_of(rows, level, number))


def tile_of(rows: Rows, level: int, number: int) -> bytes:
    """The hashes of a tile."""
    return bytes(rows[level][number * WIDTH * HASH : (number + 1) * WIDTH * HASH])


def root_of(rows: Rows, size: int) -> bytes:
    """The root of the first leaves."""
    nodes, start = [], 0
    while start < size:
        height = (size - start).bit_length() - 1
        level, rest = divmod(height, 8)
        first = (start >> 8 * level) * HASH
        hashes = bytes(rows[level][first : first + (HASH << rest)]) if level < len(rows) else b""
        need(len(hashes) == HASH << rest, "The tiles lack hashes of the tree.")
        nodes.append(perfect(hashes))
        start += 1 << height
    if not nodes:
        return sha256().digest()
    root = nodes.pop()
    while nodes:
        root = node_hash(nodes.pop(), root)
    return root


def width_of(level: int, number: int, size: int) -> int:
    """The number of hashes of a tile in a tree of this size."""
    return max(0, min(WIDTH, (size >> 8 * level) - number * WIDTH))


def grown_tiles(old: int, size: int) -> Iterator[tuple[int, int, int]]:
    """Level, number and width of the tiles that a tree has and the older one has not."""
    level = 0
    while size >> 8 * level:
        for number in range((old >> 8 * level) // WIDTH, -(-(size >> 8 * level) // WIDTH)):
            width = width_of(level, number, size)
            if width > width_of(level, number, old):
                yield level, number, width
        level += 1


def last_tiles(size: int) -> Iterator[tuple[int, int, int]]:
    """The last tile of each level, from which the root follows."""
    level = 0
    while size >> 8 * level:
        number = (size >> 8 * level) // WIDTH
        if width := width_of(level, number, size):
            yield level, number, width
        level += 1


def tile_path(level: Any, number: int, width: int) -> str:
    """The path of a tile, or of the leaves under it, whose level is `entries`."""
    groups = [f"{number % 1000:03}"]
    while number := number // 1000:
        groups.insert(0, f"x{number % 1000:03}")
    return f"tile/{level}/{'/'.join(groups)}" + (f".p/{width}" if width < WIDTH else "")


def leaves_of_bundle(raw: bytes) -> list[bytes]:
    """The leaves of a bundle."""
    leaves: list[bytes] = []
    at = 0
    while at < len(raw):
        end = at + 2 + int.from_bytes(raw[at : at + 2], "big")
        need(end <= len(raw), f"The bundle ends within its leaf {len(leaves)}.")
        leaves.append(raw[at + 2 : end])
        at = end
    return leaves


# -- leaves ----------------------------------------------------------------------------------------

PATTERNS = {
    "game": "game_[0-9a-f]{32}",
    "hash": "[0-9a-f]{64}",
    "slug": "[a-z][a-z0-9_]*",
    "text": "(?s:.+)",
    "use": "record|receipts|witness",
}
MEMBERS = {
    "game/1": "at:time entries:count game:game hash:hash key:hash rules:slug version:count",
    "blind/1": "blind:hash",
    "key/1": "use:use vkey:vkey",
    "ledger/1": "bytes:count sha256:hash",
    "lost/1": "because:text count:count sha256:hash",
    "origin/1": "origin:text root:hash size:size",
}
OPTIONAL = {"key/1": {"retired": "time"}}


def fits(value: Any, kind: str) -> bool:
    """Whether a value is of this kind."""
    if kind in ("count", "size"):
        return type(value) is int and (kind == "count") <= value < 2**53
    if type(value) is not str:
        return False
    try:
        if kind == "time":
            return moment(value) is not None
        if kind == "vkey":
            return bool(key_of(value))
    except ValueError:
        return False
    return bool(re.fullmatch(PATTERNS[kind], value, re.ASCII))


def members_of(leaf: bytes) -> Any:
    """The members of a leaf. Kinds that this program does not know may have any."""
    need(len(leaf) <= LEAF_LIMIT, f"It has more than {LEAF_LIMIT} bytes.")
    try:
        document = document_of(leaf)
        need(canonical(document).encode() == leaf, "It is not canonical JSON.")
    except RecursionError as problem:
        raise ValueError("It is nested too deeply.") from problem
    need(isinstance(document, dict), "It is no object.")
    kind = document.get("leaf")
    known = isinstance(kind, str) and re.fullmatch(r"[a-z]+/[1-9][0-9]{0,5}", kind, re.ASCII)
    need(known, "It does not name its kind.")
    if kind in MEMBERS:
        due = dict(pair.split(":") for pair in MEMBERS[kind].split())
        due.update({n: of for n, of in OPTIONAL.get(kind, {}).items() if n in document})
        named = document.keys() == {*due, "leaf"}
        need(named, f"A {kind} leaf has other members.")
        for name, of in due.items():
            need(fits(document[name], of), f"Its member {name} is malformed.")
    return document


class Record:
    """The facts in the leaves that were read."""

    def __init__(self) -> None:
        self.rows: Rows = [bytearray()]
        self.ends = array("Q", [0])  # in the file of leaves: the place behind each leaf
        self.games = array("Q")  # the numbers of the leaves of public games
        self.seen: set[bytes] = set()  # games, and blinds of games
        self.keys: dict[str, int] = {}  # those of records, with the leaf that announced each
        self.retired: set[str] = set()
        self.lost: list[tuple[int, int]] = []  # number of the leaf, number of lost games
        self.origins: list[dict[str, Any]] = []
        self.latest = 0  # the last end of a game that has a leaf

    @property
    def size(self) -> int:
        """The number of leaves."""
        return len(self.ends) - 1

    def announced(self, origin: str) -> dict[tuple[str, bytes], Key]:
        """The keys that may sign a record, by name and id."""
        keys = [key_of(text) for text in self.keys if text not in self.retired]
        return {(key.name, key.id): key for key in keys if key.name == origin}

    def add(self, leaf: bytes, document: dict[str, Any]) -> None:
        """Add a leaf, but for its hash."""
        number = self.size
        kind = document["leaf"]
        if kind in ("game/1", "blind/1"):
            name = document["game"][5:] if kind == "game/1" else document["blind"]
            subject = bytes.fromhex(name)
            if subject in self.seen:
                whose = document.get("game", "a game that is not public")
                raise Finding("second-leaf", f"Leaf {number} is another one of {whose}.")
            self.seen.add(subject)
        if kind == "game/1":
            self.games.append(number)
            ended = moment(document["at"])
            if self.latest < ended <= now():  # the clock of another server may be wrong
                self.latest = ended
        elif kind == "key/1" and document["use"] == "record":
            self.add_key(number, document)
        elif kind == "lost/1":
            self.lost.append((number, document["count"]))
        elif kind == "origin/1":
            self.origins.append(document)
        self.ends.append(self.ends[-1] + len(leaf) + 1)

    def add_key(self, number: int, document: dict[str, Any]) -> None:
        """A key of a record begins, or is retired."""
        if "retired" in document:
            self.retired.add(document["vkey"])
        else:
            self.keys.setdefault(document["vkey"], number)

    def has(self, hash_: bytes) -> bool:
        """Whether there is a leaf with this hash."""
        row, at = self.rows[0], -1
        while (at := row.find(hash_, at + 1)) >= 0:
            if at % HASH == 0:
                return True
        return False


# -- the state -------------------------------------------------------------------------------------


BINARY = getattr(os, "O_BINARY", 0)  # of Windows


def write_all(descriptor: int, content: bytes) -> None:
    """Write bytes, and wait until they are on the disk."""
    view = memoryview(content)
    while view:
        view = view[os.write(descriptor, view) :]
    os.fsync(descriptor)


def put(path: Path, content: bytes) -> None:
    """Put a file in the place of the one before it: at any moment one of the two is there."""
    draft = path.with_name(path.name + ".part")
    descriptor = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_TRUNC | BINARY, 0o644)
    try:
        write_all(descriptor, content)
    finally:
        os.close(descriptor)
    os.replace(draft, path)
    sync_folder(path.parent)


def sync_folder(folder: Path) -> None:
    """Wait until the names in a folder are on the disk."""
    if os.name != "nt":
        descriptor = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)


class State:
    """The folder of a monitor. `state.json` decides: leaves beyond the bytes that it counts are of
    a round that did not end, and are cut off."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        folder.mkdir(parents=True, exist_ok=True)
        self.lock = (folder / "lock").open("a")
        try:
            self.take_lock()
            self.load()
        except BaseException:
            self.close()
            raise

    def take_lock(self) -> None:
        """Refuse a folder that another monitor uses."""
        if fcntl is not None:
            try:
                fcntl.flock(self.lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except OSError as problem:
                raise Unusable(f"Another monitor uses {self.folder}.") from problem

    def close(self) -> None:
        """Let another monitor use the folder."""
        self.lock.close()

    def load(self) -> None:
        """Read the files that are there."""
        self.note: Note | None = None
        self.record = Record()
        self.file = "leaves"
        self.trusted: list[str] = []
        self.since = now()
        self.excused: list[int] = []
        path = self.folder / "state.json"
        if not path.exists():
            if (self.folder / "checkpoint").exists():
                raise Unusable(f"The state in {self.folder} is damaged: state.json is gone.")
            self.cut(0)
            return
        try:
            kept = json.loads(path.read_bytes())
            self.file, self.trusted = kept["leaves"], kept["trusted"]
            self.since, self.excused = kept["since"], kept["excused"]
            self.note = note_of(kept["checkpoint"].encode())
            self.read_leaves(kept["bytes"])
            need(self.record.size == self.note.size, "There are more or fewer leaves.")
            root = root_of(self.record.rows, self.note.size)
            need(root == self.note.root, "The leaves are not those of the checkpoint.")
            self.cut(kept["bytes"])
        except (ValueError, KeyError, TypeError, AttributeError, Finding) as problem:
            raise Unusable(f"The state in {self.folder} is damaged: {problem}") from problem
        if read_or_nothing(self.folder / "checkpoint") != self.note.raw:
            put(self.folder / "checkpoint", self.note.raw)

    def cut(self, length: int) -> None:
        """Cut off the leaves of a round that did not end."""
        descriptor = os.open(self.folder / self.file, os.O_RDWR | os.O_CREAT | BINARY, 0o644)
        try:
            if os.fstat(descriptor).st_size > length:
                os.ftruncate(descriptor, length)
                os.fsync(descriptor)
        finally:
            os.close(descriptor)

    def read_leaves(self, length: int) -> None:
        """Read the leaves in so many bytes."""
        hashes = bytearray()
        with (self.folder / self.file).open("rb") as lines:
            for line in lines:
                if self.record.ends[-1] >= length:
                    break
                self.record.add(line[:-1], json.loads(line))
                hashes += leaf_hash(line[:-1])
        need(self.record.ends[-1] == length, "Leaves are missing.")
        append(self.record.rows, bytes(hashes))

    def leaf(self, number: int) -> bytes:
        """A leaf."""
        start, end = self.record.ends[number], self.record.ends[number + 1]
        with (self.folder / self.file).open("rb") as file:
            file.seek(start)
            return file.read(end - start)[:-1]

    def commit(self) -> None:
        """Let this be the state, once it is on the disk."""
        assert self.note is not None
        kept = {
            "bytes": self.record.ends[-1],
            "checkpoint": self.note.raw.decode(),
            "excused": self.excused,
            "leaves": self.file,
            "since": self.since,
            "trusted": self.trusted,
        }
        put(self.folder / "state.json", (json.dumps(kept, indent=1) + "\n").encode())
        put(self.folder / "checkpoint", self.note.raw)

    def keep(self, finding: Finding) -> str:
        """Keep the evidence of a finding, once; returns the folder."""
        files = {name: raw[:EVIDENCE_BYTES] for name, raw in finding.files.items()}
        files["finding"] = f"{finding.name}: {finding.sentence}\n".encode()
        digest = sha256(finding.about.encode()).hexdigest()
        folder = self.folder / "evidence" / f"{finding.name}-{digest[:16]}"
        if folder.exists():
            return str(folder)
        folder.parent.mkdir(exist_ok=True)
        if sum(1 for _ in folder.parent.iterdir()) >= EVIDENCE_FOLDERS:
            return f"not kept: {folder.parent} has {EVIDENCE_FOLDERS} folders"
        draft = folder.with_name("draft")
        shutil.rmtree(draft, ignore_errors=True)
        draft.mkdir()
        for name, raw in files.items():
            put(draft / name, raw)
        os.replace(draft, folder)
        sync_folder(folder.parent)
        return str(folder)


def read_or_nothing(path: Path) -> bytes:
    """The content of a file; nothing if there is none."""
    return path.read_bytes() if path.exists() else b""


# -- replies ---------------------------------------------------------------------------------------


class Reply(NamedTuple):
    """A reply."""

    status: int
    wait: str  # its Retry-After
    body: bytes


class BoundedReader(io.RawIOBase):
    """Reads a connection until a moment, however slowly its bytes come."""

    def __init__(self, connection: socket.socket, end: float) -> None:
        super().__init__()
        self.connection, self.end = connection, end

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        left = self.end - time.monotonic()
        if left <= 0:
            raise TimeoutError("The reply takes too long.")
        self.connection.settimeout(left)
        return self.connection.recv_into(buffer)

    def makefile(self, *_: Any) -> io.BufferedReader:
        """A buffered file, which is all that an HTTPResponse asks of a connection."""
        return io.BufferedReader(self)


class Web:
    """Files below a URL. A reply is read within a limit of bytes and of seconds; one that leads
    elsewhere, is compressed or is a page for people is refused."""

    def __init__(self, url: str, seconds: float) -> None:
        parts = urlsplit(url)
        plain = parts.scheme in ("http", "https") and parts.hostname and "@" not in parts.netloc
        is_plain = re.fullmatch("[!-~]+", url) and not parts.query and not parts.fragment
        need(plain and is_plain, f"{url!r} is no URL of a server.")
        self.host, self.netloc, self.base = (
            str(parts.hostname),
            parts.netloc,
            parts.path.rstrip("/"),
        )
        self.port = parts.port or (443 if parts.scheme == "https" else 80)
        self.tls = ssl.create_default_context() if parts.scheme == "https" else None
        self.url, self.seconds = url.rstrip("/"), seconds
        self.begin()

    def begin(self, times: int = 1) -> None:
        """Begin a round, which may take so many times as long as it may by default."""
        self.patience = times * PATIENCE
        self.end = time.monotonic() + times * ROUND

    def get(self, path: str, limit: int, seconds: float | None = None) -> bytes:
        """The body of a reply with status 200."""
        while True:
            if time.monotonic() > self.end:
                raise Unreachable(f"{self.url} takes too long to answer all that a round asks.")
            try:
                reply = self.ask(f"{self.base}/{path}", limit, seconds or self.seconds)
            except (OSError, HTTPException, ValueError) as problem:
                raise Unreachable(f"{self.url}/{path}: {problem or type(problem)}") from problem
            if reply.status == 200:
                return reply.body
            if reply.status not in (429, 503) or not self.waits(reply.wait):
                break
        if reply.status in (408, 429) or reply.status >= 500:
            raise Unreachable(f"{self.url}/{path} answers with status {reply.status}.")
        raise Refusal(reply.status, reply.body)

    def waits(self, wait: str) -> bool:
        """Wait as long as the server asks, if that is not too long; whether it was waited."""
        seconds = float(wait) if re.fullmatch("[0-9]{1,4}", wait, re.ASCII) else LONGEST_WAIT + 1
        seconds = max(1.0, seconds)
        if seconds > min(LONGEST_WAIT, self.patience):
            return False
        self.patience -= seconds
        time.sleep(seconds)
        return True

    def ask(self, path: str, limit: int, seconds: float) -> Reply:
        """Send a request and read the reply."""
        end = time.monotonic() + seconds
        connection = socket.create_connection((self.host, self.port), timeout=seconds)
        try:
            if self.tls:
                connection.settimeout(max(0.001, end - time.monotonic()))
                connection = self.tls.wrap_socket(connection, server_hostname=self.host)
            head = f"GET {path} HTTP/1.1\r\nHost: {self.netloc}\r\nAccept-Encoding: identity\r\n"
            head += "Connection: close\r\nUser-Agent: tabularium-monitor/1\r\n\r\n"
            connection.sendall(head.encode("ascii"))
            reader: Any = BoundedReader(connection, end)
            response = HTTPResponse(reader)
            response.begin()
            self.check_head(path, response)
            return self.read(path, response, limit)
        finally:
            connection.close()

    def check_head(self, path: str, response: HTTPResponse) -> None:
        """Refuse a reply that is none of this address."""
        place = f"{self.netloc}{path}"
        head = {"reply": f"{response.status} {response.reason}\n{response.headers}".encode()}
        if response.status < 400 and response.status != 200:
            to = str(response.headers.get("Location", "nowhere"))[:200]
            sentence = f"{place} answers with status {response.status}, to {to!r}."
            raise Finding("refused-reply", sentence, head)
        coding = response.headers.get("Content-Encoding", "identity").strip().lower()
        transfer = response.headers.get("Transfer-Encoding", "chunked").strip().lower()
        if coding != "identity" or transfer != "chunked":
            sentence = f"{place} answers in a coding that was not asked for: {coding}, {transfer}."
            raise Finding("refused-reply", sentence[:300], head)
        kind = response.headers.get("Content-Type", "").partition(";")[0].strip().lower()
        if response.status == 200 and kind in ("text/html", "application/xhtml+xml"):
            raise Finding("refused-reply", f"{place} answers with a page for people.", head)

    def read(self, path: str, response: HTTPResponse, limit: int) -> Reply:
        """The reply with its body, which may have so many bytes."""
        is_good = response.status == 200
        limit = limit if is_good else 1 << 16
        pieces, length = [], 0
        while length <= limit and (piece := response.read(min(1 << 16, limit + 1 - length))):
            pieces.append(piece)
            length += len(piece)
        body = b"".join(pieces)
        if is_good and length > limit:
            sentence = f"{self.netloc}{path} answers with more than {limit} bytes."
            raise Finding("refused-reply", sentence, {"reply": body[: 1 << 16]})
        if is_good and response.length:
            raise HTTPException("the reply was cut off")
        return Reply(response.status, response.headers.get("Retry-After", ""), body)


class Folder:
    """Files in a folder: a copy of a record."""

    def __init__(self, folder: Path) -> None:
        self.folder, self.url = folder, str(folder)

    def get(self, path: str, limit: int, seconds: float | None = None) -> bytes:
        """The content of a file."""
        try:
            with (self.folder / path.removeprefix("record/")).open("rb") as file:
                raw = file.read(limit + 1)
        except OSError as problem:
            raise Unreachable(f"{self.folder / path} cannot be read: {problem}") from problem
        if len(raw) > limit:
            raise Unreachable(f"{self.folder / path} has more than {limit} bytes.")
        return raw


# -- the growth of the tree ------------------------------------------------------------------------


def file_of(source: Any, path: str, limit: int) -> bytes:
    """A file that the checkpoint covers."""
    try:
        raw: bytes = source.get(path, limit)
    except Refusal as refusal:
        sentence = f"{path} is covered by the checkpoint, and answers with {refusal.status}."
        raise Finding("gap", sentence, {"reply": refusal.body}) from refusal
    return raw


def shown_tiles(source: Any, held: Rows, old: int, note: Note) -> tuple[Rows, dict[str, bytes]]:
    """The tree of a checkpoint, from the hashes that are held and the tiles that are shown, with
    these. Each hash is that of its tile below, and they lead to the root."""
    rows = [bytearray(row) for row in held]
    tiles: dict[str, bytes] = {}
    grown = [*grown_tiles(old, note.size)]
    for place in grown:
        lay_tile(source, rows, place, tiles)
    if root_of(rows, note.size) != note.root:  # a tile that has not grown may be another one
        for place in last_tiles(note.size):
            lay_tile(source, rows, place, tiles)
    evidence = {**last_of(tiles), "shown": note.raw}
    for level, number, width in grown:
        above = slice(number * HASH, (number + 1) * HASH)
        if width == WIDTH and perfect(tile_of(rows, level, number)) != rows[level + 1][above]:
            path = tile_path(level, number, width)
            raise Finding("tile", f"{path} is not the one whose hash is above it.", evidence)
    if root_of(rows, note.size) != note.root:
        raise Finding("tile", "The tiles do not lead to the root that is signed.", evidence)
    return rows, evidence


def lay_tile(source: Any, rows: Rows, place: tuple[int, int, int], tiles: dict[str, bytes]) -> None:
    """Read a tile, once, and put its hashes in their place."""
    level, number, width = place
    path = tile_path(level, number, width)
    name = path.replace("/", "-")
    if name in tiles:
        return
    tile = file_of(source, f"record/{path}", width * HASH)
    if len(tile) != width * HASH:
        sentence = f"{path} has {len(tile)} bytes, not {width * HASH}."
        raise Finding("tile", sentence, {"tile": tile})
    while len(rows) <= level:
        rows.append(bytearray())
    at = number * WIDTH * HASH
    rows[level][at : at + len(tile)] = tile
    tiles[name] = tile


def last_of(tiles: dict[str, bytes]) -> dict[str, bytes]:
    """As many of the tiles, the last ones, as evidence may have."""
    return dict([*tiles.items()][-EVIDENCE_BYTES // (WIDTH * HASH) :])


def check_beginning(
    held: Rows, shown: tuple[Rows, dict[str, bytes]], old: Note, note: Note, name: str
) -> None:
    """The tree that is held must be the beginning of the one that is shown."""
    rows, files = shown
    for level, row in enumerate(held):
        other = rows[level][: len(row)]
        if other != row:
            places = range(0, len(row), HASH)
            at = next(at for at in places if row[at : at + HASH] != other[at : at + HASH])
            first = at // HASH << 8 * level
            sentence = f"The trees of {old.size} and {note.size} leaves, which are both signed,"
            sentence = f"{sentence} differ from leaf {first} on."
            raise Finding(name, sentence, {**files, "shown": note.raw, "held": old.raw})


def read_bundle(source: Any, number: int, width: int, shown: Rows) -> list[bytes]:
    """The leaves of a bundle, whose hashes must be those of its tile."""
    path = tile_path("entries", number, width)
    raw = file_of(source, f"record/{path}", BUNDLE_LIMIT)
    try:
        leaves = leaves_of_bundle(raw)
    except ValueError as problem:
        raise Finding("bundle", f"{path}: {problem}", {"bundle": raw}) from problem
    if len(leaves) < width:
        sentence = f"{path} lacks leaves: it has {len(leaves)}, not {width}."
        raise Finding("gap", sentence, {"bundle": raw})
    need_bundle(len(leaves) == width, f"{path} has {len(leaves)} leaves, not {width}.", raw)
    for place, leaf in enumerate(leaves):
        at = (number * WIDTH + place) * HASH
        sentence = f"{path}: leaf {number * WIDTH + place} is not the one of its tile."
        need_bundle(shown[0][at : at + HASH] == leaf_hash(leaf), sentence, raw)
    return leaves


def need_bundle(condition: bool, sentence: str, raw: bytes) -> None:
    """Raise a finding about a bundle unless the condition holds."""
    if not condition:
        raise Finding("bundle", sentence, {"bundle": raw})


class Growth:
    """The new leaves of a checkpoint, which are read into a record and a file."""

    def __init__(self, source: Any, state: State, record: Record, file: str) -> None:
        self.source, self.state, self.record, self.file = source, state, record, file

    def read(self, note: Note, old: Note | None) -> None:
        """Read the growth up to a checkpoint. The commit makes the leaves count."""
        start = self.record.size
        room = shutil.disk_usage(self.state.folder).free - FREE
        if (note.size - start) * (LEAF_LIMIT + 1) > room:
            raise Unusable(f"There is no room for {note.size - start} leaves.")
        shown, tiles = shown_tiles(self.source, self.record.rows, start, note)
        if old:
            check_beginning(self.record.rows, (shown, tiles), old, note, "fork")
        flags = os.O_WRONLY | os.O_CREAT | os.O_APPEND | BINARY
        descriptor = os.open(self.state.folder / self.file, flags, 0o644)
        try:
            for number in range(start // WIDTH, -(-note.size // WIDTH)):
                width = width_of(0, number, note.size)
                leaves = read_bundle(self.source, number, width, shown)
                new = leaves[self.record.size - number * WIDTH :]
                self.add(new, note)
                write_all(descriptor, b"".join(leaf + b"\n" for leaf in new))
        finally:
            os.close(descriptor)

    def add(self, leaves: list[bytes], note: Note) -> None:
        """Add leaves to the record."""
        for leaf in leaves:
            try:
                self.record.add(leaf, members_of(leaf))
            except ValueError as problem:
                number = self.record.size
                files = {"leaf": leaf, "shown": note.raw}
                sentence = f"Leaf {number} is malformed. {problem}"
                raise Finding("malformed-leaf", sentence, files) from problem
            except Finding as finding:
                finding.files.update({"leaf": leaf, "shown": note.raw})
                raise
        append(self.record.rows, b"".join(map(leaf_hash, leaves)))


# -- exports ---------------------------------------------------------------------------------------


def leaves_of_export(raw: bytes) -> tuple[str, list[bytes], int]:
    """The game of an export, the two leaves that it may have, and the time of its end."""
    lines = raw.split(b"\n")
    header = document_of(lines[0])
    need(isinstance(header, dict), "It has no header.")
    game, last, hash_, count = header.get("game"), {}, "0" * 64, 0
    first: dict[str, Any] = {}
    for line in lines[1:]:
        entry = document_of(line) if line else None
        if not isinstance(entry, dict) or "seq" not in entry:
            break
        count += 1
        need(entry["seq"] == count and entry["game"] == game, f"Entry {count} is missing.")
        need(entry["prev"] == hash_, f"`prev` is not the hash of entry {count - 1}.")
        hash_ = sha256(b"tabularium/entry/1" + line).hexdigest()
        first, last = first or entry, entry
    need(count and last["action"]["type"] == "table.end", "It is of a game that is not over.")
    facts = {name: first["action"][name] for name in ("key", "rules", "version")}
    facts.update(at=last["at"], entries=count, game=game, hash=hash_, leaf="game/1")
    public = canonical(facts).encode()
    label = canonical(["tabularium/blind/1", game]).encode()
    secret = bytes.fromhex(last["action"]["secret"])
    key = hmac.new(secret, label, sha256).digest()
    blind = hmac.new(key, public, sha256).hexdigest()
    return (
        game,
        [public, canonical({"blind": blind, "leaf": "blind/1"}).encode()],
        moment(last["at"]),
    )


def read_export(server: Web, game: str) -> tuple[list[bytes], int, bytes]:
    """The leaves that a game may have, by its export, and the time of its end."""
    path = f"api/v1/games/{game}/export"
    raw = server.get(path, EXPORT_LIMIT, max(server.seconds, EXPORT_SECONDS))
    try:
        named, leaves, ended = leaves_of_export(raw)
        need(named == game, "It is of another game.")
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError) as problem:
        sentence = f"The export of {game} is none. {problem}"
        raise Finding("missing-game", sentence, {"export": raw}) from problem
    return leaves, ended, raw


# -- rounds ----------------------------------------------------------------------------------------


class Report:
    """The outcome of a round."""

    def __init__(self) -> None:
        self.findings: list[Finding] = []
        self.evidence: list[str] = []
        self.unreachable = ""
        self.sentences: list[str] = []
        self.figures: dict[str, Any] = {}

    def add(self, finding: Finding) -> None:
        """Add a finding; of many, the first ones are enough."""
        if len(self.findings) < FINDINGS:
            self.findings.append(finding)

    @property
    def code(self) -> int:
        """The exit code: that of the first finding."""
        if self.findings:
            return CODES[self.findings[0].name]
        return UNREACHABLE if self.unreachable else 0


class Monitor:
    """The rounds of a monitor."""

    def __init__(self, asked: argparse.Namespace) -> None:
        self.asked = asked
        try:
            self.server = Web(asked.url, asked.timeout)
            self.given = key_of(asked.record) if asked.record else None
        except ValueError as problem:
            raise Unusable(str(problem)) from problem
        self.state = State(Path(asked.state))
        self.rounds = 0
        self.asked_at = 0  # when the last checkpoint was asked for
        self.blinded: set[bytes] = set()  # public games with a blinded leaf

    def close(self) -> None:
        """Let another monitor use the folder."""
        self.state.close()

    def round(self) -> Report:
        """One round."""
        report = Report()
        self.rounds += 1
        self.server.begin(24 if self.asked.all else 1)
        steps: list[Callable[[Report], None]] = [self.follow, self.find_late, self.find_missing]
        if self.asked.peer:
            steps.append(self.compare)
        for step in steps:
            try:
                step(report)
            except Finding as finding:
                report.add(finding)
            except Unreachable as problem:
                report.unreachable = report.unreachable or str(problem)
            if step == self.follow and report.code:
                self.state.load()
                break
        report.evidence = [self.state.keep(finding) for finding in report.findings]
        return report

    # -- the tree

    def follow(self, report: Report) -> None:
        """Follow the server to its checkpoint."""
        self.asked_at = now()
        note, held = self.read_checkpoint(), self.state.note
        report.figures = {"origin": note.origin, "size": note.size, "root": note.root.hex()}
        if held and held.origin != note.origin:
            self.follow_name(note, held, report)
        else:
            self.follow_tree(note, held, report)
        report.figures["signed_by"] = self.state.trusted
        for leaf, count in self.state.record.lost:
            if leaf >= note.size - report.figures["new"]:
                report.sentences.append(f"Leaf {leaf} says that {count} games were lost.")

    def follow_tree(self, note: Note, held: Note | None, report: Report) -> None:
        """Follow the tree that is held, or begin with one."""
        known = self.known_keys(note.origin)
        if known:
            self.check_signed(note, known)
        size = held.size if held else 0
        if held and note.size <= size:
            self.check_not_older(note, held)
        else:
            self.check_most(note, size)
            Growth(self.server, self.state, self.state.record, self.state.file).read(note, held)
        self.check_announced(note, self.state.record)
        if self.given:
            self.state.trusted = [self.given.text]
        elif not self.state.trusted:
            self.trust(note)
            report.sentences.append(f"Trusted on first use: {', '.join(self.state.trusted)}.")
        self.state.note = note
        self.state.commit()
        report.figures["new"] = note.size - size

    def read_checkpoint(self) -> Note:
        """The checkpoint that the server shows."""
        try:
            raw = self.server.get("record/checkpoint", NOTE_LIMIT)
        except Refusal as refusal:
            held = self.state.note
            if held and refusal.status in (404, 410):
                sentence = f"There was a checkpoint of {held.size} leaves, and now there is none."
                files = {"held": held.raw, "reply": refusal.body}
                raise Finding("rollback", sentence, files) from refusal
            raise Unreachable(f"The server has no checkpoint: {refusal}") from refusal
        try:
            return note_of(raw)
        except ValueError as problem:
            raise Finding("malformed-checkpoint", str(problem), {"shown": raw}) from problem

    def known_keys(self, origin: str) -> list[Key]:
        """The keys that may sign: those that were trusted, and those that the tree announced."""
        texts = [self.given.text] if self.given else self.state.trusted
        announced = self.state.record.announced(origin) if self.state.note else {}
        keys = [key_of(text) for text in texts if text not in self.state.record.retired]
        return [*{*keys, *announced.values()}]

    def check_signed(self, note: Note, keys: list[Key]) -> None:
        """One of the known keys must have signed."""
        if self.given and self.given.name != note.origin:
            sentence = f"The record is {note.origin}, and the key of {self.given.name}."
            raise Finding("wrong-key", sentence, {"shown": note.raw})
        try:
            found = signers(note, keys)
        except Finding as finding:
            finding.files["shown"] = note.raw
            raise
        if not found:
            texts = ", ".join(key.text for key in keys) or "there is none"
            sentence = f"No key of {note.origin} that is known has signed ({texts})."
            raise Finding("wrong-key", sentence, {"shown": note.raw})

    def check_not_older(self, note: Note, held: Note) -> None:
        """A checkpoint of fewer leaves is a step back, or of another tree."""
        files = {"shown": note.raw, "held": held.raw}
        if root_of(self.state.record.rows, note.size) != note.root:
            sentence = f"The checkpoint of {note.size} leaves is not about those that are held."
            raise Finding("fork", sentence, files)
        if note.size < held.size:
            sentence = f"The checkpoint has {note.size} leaves, after one of {held.size}."
            raise Finding("rollback", sentence, files)

    def check_most(self, note: Note, old: int) -> None:
        """Refuse more leaves than a round may read."""
        if note.size - old > self.asked.most:
            sentence = f"The checkpoint has {note.size - old} more leaves (see --most)."
            raise Finding("refused-reply", sentence, {"shown": note.raw})

    def check_announced(self, note: Note, record: Record) -> None:
        """Each key that signs in the name of the record must be announced, and not be retired."""
        announced = record.announced(note.origin)
        for name, id_, _ in note.signatures:
            if name == note.origin and (name, id_) not in announced:
                sentence = f"The key {name}+{id_.hex()} signs, and no leaf announces it."
                raise Finding("unannounced-key", sentence, {"shown": note.raw})
        self.check_signed(note, [*announced.values()])

    def trust(self, note: Note) -> None:
        """Keep the keys with which the record is followed from now on."""
        found = signers(note, self.state.record.announced(note.origin).values())
        self.state.trusted = [key.text for key in found]

    def follow_name(self, note: Note, held: Note, report: Report) -> None:
        """Follow the record to a new name, under the same key or one that was given."""
        keys = [key._replace(name=note.origin) for key in self.known_keys(held.origin)]
        self.check_signed(note, [self.given] if self.given else keys)
        self.check_most(note, 0)
        number = int(self.state.file.partition("-")[2] or 1) + 1  # of the names so far
        record, file = Record(), f"leaves-{number}"
        (self.state.folder / file).unlink(missing_ok=True)
        Growth(self.server, self.state, record, file).read(note, None)
        self.check_announced(note, record)
        self.check_last_tree(note, held, record)
        put(self.state.folder / f"checkpoint-{number - 1}", held.raw)
        gone = len(self.state.record.seen - record.seen)
        sentence = f"The record goes on as {note.origin}, after {held.size} leaves of"
        report.sentences.append(f"{sentence} {held.origin}: it lacks {gone} of their games.")
        self.state.record, self.state.file, self.state.note = record, file, note
        self.state.excused = []
        self.trust(note)
        self.state.commit()
        report.figures["new"] = note.size

    def check_last_tree(self, note: Note, held: Note, record: Record) -> None:
        """A record under a new name must state the last tree of the old one."""
        files = {"shown": note.raw, "held": held.raw}
        stated = [leaf for leaf in record.origins if leaf["origin"] == held.origin]
        if not stated:
            sentence = f"The record is {note.origin}, and no leaf says how {held.origin} ended."
            raise Finding("other-record", sentence, files)
        size, root = stated[-1]["size"], bytes.fromhex(stated[-1]["root"])
        if size <= held.size and root_of(self.state.record.rows, size) != root:
            sentence = f"The last tree of {held.origin} is said to be another one than was signed."
            raise Finding("fork", sentence, files)

    # -- games without a leaf

    def find_late(self, report: Report) -> None:
        """Find games that ended before the promised time and have no leaf."""
        suspects, count = [], 0
        for game, ended in self.games_over():
            count += 1
            raw = bytes.fromhex(game[5:])
            is_seen = raw in self.state.record.seen or raw in self.blinded
            if not is_seen and self.is_late(ended):
                suspects.append((game, ended))
        report.figures["lately"] = count
        for game, ended in suspects[:SUSPECTS]:
            self.check_late(game, ended, report)

    def is_late(self, ended: int) -> bool:
        """Whether a game that ended then must have its leaf. Of the games that were over before the
        first round, those with later ends come later."""
        if ended >= self.state.since:
            return ended + PROMISE < self.asked_at
        is_passed = self.state.record.latest > ended + PROMISE
        return is_passed or self.state.since + BACKLOG < self.asked_at

    def check_late(self, game: str, ended: int, report: Report) -> None:
        """Read the log of such a game, which may have a blinded leaf."""
        seconds = (self.asked_at - ended) // 1000
        sentence = f"{game} has been over for {seconds} s and has no leaf"
        files = {"shown": self.state.note.raw if self.state.note else b""}
        try:
            leaves, _, raw = read_export(self.server, game)
        except Refusal as refusal:
            files["reply"] = refusal.body
            sentence += f"; its export answers with {refusal.status}."
            report.add(Finding("stale", sentence, files, game))
            return
        if any(self.state.record.has(leaf_hash(leaf)) for leaf in leaves):
            self.blinded.add(bytes.fromhex(game[5:]))
        else:
            files["export"] = raw
            report.add(Finding("stale", f"{sentence}.", files, game))

    def games_over(self) -> Iterator[tuple[str, int]]:
        """The games that the server lists as over, and when they ended or were imported."""
        for query in ("phase=over&order=recent", "phase=over&imported=true"):
            cursor = ""
            for _ in range(PAGES_OF_ALL if self.asked.all else PAGES):
                items, cursor = self.page(query, cursor)
                yield from items
                oldest = min((ended for _, ended in items), default=0)
                is_enough = oldest < self.asked_at - DAY and not self.asked.all
                if not cursor or is_enough:
                    break

    def page(self, query: str, cursor: str) -> tuple[list[tuple[str, int]], str]:
        """A page of a list of games, and the place of the next one."""
        path = f"api/v1/games?{query}&limit={PAGE}" + (
            f"&cursor={quote(cursor, '')}" if cursor else ""
        )
        try:
            raw = self.server.get(path, LIST_LIMIT)
        except Refusal as refusal:
            files = {"reply": refusal.body}
            raise Finding(
                "refused-reply", f"The games are not listed: {refusal}", files
            ) from refusal
        try:
            document = document_of(raw)
            items = [(item["id"], moment(item["updated"])) for item in document["items"]]
            need(len(items) <= PAGE, "There are too many games on a page.")
            need(all(fits(game, "game") for game, _ in items), "A game has no id.")
            following = document["next_cursor"] or ""
            need(isinstance(following, str), "The place of the next page is no text.")
            need(items or not following, "A page without games has a next one.")
            return items, following
        except (ValueError, KeyError, TypeError, AttributeError, RecursionError) as problem:
            sentence = f"The list of games is malformed. {problem}"
            raise Finding("refused-reply", sentence, {"reply": raw[: 1 << 16]}) from problem

    # -- leaves without a game

    def find_missing(self, report: Report) -> None:
        """Read the exports of games that have leaves: of all, or of a sample."""
        games = self.state.record.games
        seed = f"{self.asked.seed}/{self.rounds}"
        count = len(games) if self.asked.all else min(self.asked.sample, len(games))
        chosen = random.Random(seed).sample(range(len(games)), count)
        report.figures.update(games=len(games), sample=count, seed=seed, checked=0)
        refused: dict[int, bytes] = {}  # the replies, by leaf
        try:
            for number in sorted(games[place] for place in chosen):
                try:
                    self.check_game(number, report)
                except Refusal as refusal:
                    body = f"{refusal}\n".encode() + refusal.body
                    refused[number] = body if len(refused) < FINDINGS else b""
                report.figures["checked"] += 1
        finally:
            self.excuse(refused, report)

    def check_game(self, number: int, report: Report) -> None:
        """Compare the export of a game with its leaf."""
        leaf = self.state.leaf(number)
        game = json.loads(leaf)["game"]
        files = {"leaf": leaf, "shown": self.state.note.raw if self.state.note else b""}
        try:
            leaves, _, raw = read_export(self.server, game)
        except Finding as finding:
            finding.files.update(files)
            report.add(finding)
            return
        if leaf != leaves[0]:
            files["export"] = raw
            sentence = f"The export of {game} is of another log than leaf {number}."
            report.add(Finding("missing-game", sentence, files))

    def excuse(self, refused: dict[int, bytes], report: Report) -> None:
        """Excuse as many games as `lost/1` leaves after them count; the others are missing. The
        excused ones are kept, so that over all rounds no more are excused than were lost."""
        lost = [*self.state.record.lost]
        excused, room = [], 0
        for number in sorted({*self.state.excused, *refused}, reverse=True):
            while lost and lost[-1][0] > number:
                room += lost.pop()[1]
            if room:
                room -= 1
                excused.append(number)
            else:
                leaf = self.state.leaf(number)
                sentence = (
                    f"The export of {json.loads(leaf)['game']}, of leaf {number}, is refused."
                )
                files = {"leaf": leaf, "reply": refused.get(number, b"")}
                report.add(Finding("missing-game", sentence, files))
        if {*excused} != {*self.state.excused}:
            self.state.excused = sorted(excused)
            self.state.commit()

    # -- the same record elsewhere

    def compare(self, report: Report) -> None:
        """Compare with the checkpoint of another reader, or of another address of the server."""
        note, rows = self.state.note, self.state.record.rows
        assert note is not None
        source = peer_of(self.asked.peer, self.asked.timeout)
        try:
            peer = note_of(source.get("record/checkpoint", NOTE_LIMIT))
            need(peer.origin == note.origin, f"It is of {peer.origin[:200]!r}.")
            is_signed = signers(peer, self.state.record.announced(note.origin).values())
            need(is_signed, "It is not signed by a key of this record.")
            need(peer.size - note.size <= self.asked.most, "It has too many more leaves.")
            shown, tiles = rows, dict[str, bytes]()
            if peer.size > note.size:
                shown, tiles = peer_rows(source, rows, note, peer)
        except (ValueError, KeyError, Refusal, Finding) as problem:
            raise Unreachable(f"{source.url} is not compared. {problem}") from problem
        report.figures["peer"] = peer.size
        check_beginning(rows, (shown, tiles), note, peer, "split-view")
        if root_of(shown, peer.size) != peer.root:
            sentence = f"Two readers are shown different trees of {peer.size} leaves, both signed."
            raise Finding("split-view", sentence, {"shown": note.raw, "peer": peer.raw})


def peer_of(text: str, seconds: float) -> Any:
    """The files of a peer."""
    if not text.startswith(("http://", "https://")):
        return Folder(Path(text))
    try:
        return Web(text, seconds)
    except ValueError as problem:
        raise Unusable(str(problem)) from problem


def peer_rows(source: Any, rows: Rows, note: Note, peer: Note) -> tuple[Rows, dict[str, bytes]]:
    """The tree of a peer that has more leaves: of a monitor's folder, or of tiles."""
    if not isinstance(source, Folder) or not (source.folder / "state.json").exists():
        return shown_tiles(source, rows, note.size, peer)
    kept = json.loads((source.folder / "state.json").read_bytes())
    shown: Rows = [bytearray()]
    with (source.folder / Path(kept["leaves"]).name).open("rb") as lines:
        append(shown, b"".join(leaf_hash(line[:-1]) for line, _ in zip(lines, range(peer.size))))  # noqa: B905
    need(root_of(shown, peer.size) == peer.root, "Its leaves are not those of its checkpoint.")
    return shown, {}


# -- the command -----------------------------------------------------------------------------------


def text_of(report: Report) -> str:
    """A report, as lines for people."""
    figures, lines = report.figures, []
    if "new" in figures:
        growth = f"{figures['size']} leaves, {figures['new']} of them new"
        lines.append(f"{figures['origin']}: {growth}, root {figures['root']}.")
        lines.append(f"Signed by {', '.join(figures['signed_by'])}.")
    if "checked" in figures:
        checked = f"{figures['checked']} of {figures['games']} games with leaves were checked"
        lines.append(f"{checked} (seed {figures['seed']}).")
    if "lately" in figures:
        lines.append(f"{figures['lately']} games that are over were looked for in the record.")
    if "peer" in figures:
        lines.append(f"Compared with a checkpoint of {figures['peer']} leaves.")
    lines += report.sentences
    for finding, folder in zip(report.findings, report.evidence):  # noqa: B905
        lines.append(f"{finding.name.upper()}: {finding.sentence} Evidence: {folder}")
    if report.unreachable:
        lines.append(f"NOT checked: {report.unreachable}")
    if not report.code:
        lines.append("OK: nothing was found.")
    return printable("\n".join(lines)) + "\n"


def json_of(report: Report) -> str:
    """A report, as a line for programs."""
    findings = [
        {
            "name": finding.name,
            "code": CODES[finding.name],
            "sentence": finding.sentence,
            "evidence": folder,
        }
        for finding, folder in zip(report.findings, report.evidence)  # noqa: B905
    ]
    document = {
        **report.figures,
        "code": report.code,
        "findings": findings,
        "not_checked": report.unreachable or None,
        "notices": report.sentences,
        "time": datetime.fromtimestamp(now() // 1000, timezone.utc).isoformat(),  # noqa: UP017
    }
    return json.dumps(document, sort_keys=True) + "\n"


def arguments(words: list[str] | None) -> argparse.Namespace:
    """The arguments of the command."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("url", help="the address of the server, such as https://games.example")
    parser.add_argument("--state", metavar="DIR", required=True, help="the folder of the monitor")
    parser.add_argument("--record", metavar="VKEY", help="the verifier key of the record")
    parser.add_argument("--peer", metavar="URL|DIR", help="a server, a monitor's folder or a copy")
    games = parser.add_mutually_exclusive_group()
    games.add_argument("--all", action="store_true", help="read the exports of all games")
    games.add_argument("--sample", type=int, default=20, metavar="N", help="of so many (20)")
    seed = int.from_bytes(os.urandom(4), "big")
    parser.add_argument("--seed", type=int, default=seed, help="chooses the sample (by chance)")
    rounds = parser.add_mutually_exclusive_group()
    rounds.add_argument("--once", action="store_true", help="one round (the default)")
    rounds.add_argument("--every", type=float, metavar="SECONDS", help="a round so often")
    parser.add_argument("--most", type=int, default=MOST_LEAVES, help="new leaves in a round")
    parser.add_argument("--timeout", type=float, default=SECONDS, help="seconds for a reply")
    parser.add_argument("--json", action="store_true", help="print a line of JSON for each round")
    asked = parser.parse_args(words)
    if asked.sample < 0 or asked.most < 0 or asked.timeout <= 0 or (asked.every or 1) <= 0:
        parser.error("--sample, --most, --timeout and --every are no negative numbers")
    return asked


def pause_of(every: float, failures: int) -> float:
    """The seconds until the next round: longer while the server cannot be reached."""
    return max(every, min(LONGEST_PAUSE, every * 2.0 ** min(failures, 20)))


def watch(monitor: Monitor, every: float | None, show: Callable[[Report], str]) -> int:
    """The rounds; the exit code is that of the first finding."""
    failures, code = 0, 0
    try:
        while True:
            report = monitor.round()
            sys.stdout.write(show(report))
            sys.stdout.flush()
            code = report.code if code in (0, UNREACHABLE) else code
            if every is None:
                return code
            failures = failures + 1 if report.unreachable else 0
            time.sleep(pause_of(every, failures))
    except KeyboardInterrupt:
        return code


def main(words: list[str] | None = None) -> int:
    """Watch; the exit code."""
    asked = arguments(words)
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(errors="backslashreplace")
    try:
        with closing(Monitor(asked)) as monitor:
            return watch(monitor, asked.every, json_of if asked.json else text_of)
    except (Unusable, OSError) as problem:
        sys.stderr.write(printable(f"{problem}\n"))
        return UNUSABLE


if __name__ == "__main__":
    sys.exit(main())

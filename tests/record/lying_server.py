"""A server of a record over HTTP for tests of its monitor: it can lie in every reply.

Trees, tiles, bundles and signatures are made by `record`, so that all that a test does not change
is as the service makes it.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from hashlib import sha256
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Event, Thread
from typing import Any, Final
from urllib.parse import parse_qs, urlsplit

from record.tiles import MemoryTiles, Place, parse_tile_path, write_bundle
from record.tree import tree_root
from tabularium_log.fairness.canonical_json import encode_canonical
from tabularium_log.record.checkpoint import Checkpoint
from tabularium_log.record.game_leaves import GameLeaf, leaf_text
from tabularium_log.record.hashes import HASH_BYTES
from tabularium_log.record.note import Signer, sign_note
from tests.record.plain_tree import filled
from tests.record.recording import KEY, ORIGIN, OTHER_KEY

RECEIPTS_KEY: Final = "7" * 64
BEFORE: Final = datetime(2026, 1, 1, tzinfo=UTC)  # long before any test
ENDLESS: Final = b"endless"
DRIPPED_SECONDS: Final = 0.02  # between two bytes


def time_text(moment: datetime) -> str:
    """A time as the service writes it."""
    return moment.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%S.") + (
        f"{moment.microsecond // 1000:03}Z"
    )


class PlayedGame:
    """A game that is over, with as few entries as a log has."""

    def __init__(self, number: int, ended: datetime = BEFORE, reason: str = "") -> None:
        self.id = f"game_{number:032x}"
        self.secret = sha256(self.id.encode()).digest()
        self.ended = time_text(ended + timedelta(seconds=number))
        create = {
            "type": "table.create",
            "rules": "law",
            "version": 2,
            "seats": 2,
            "key": RECEIPTS_KEY,
            "reason": reason,
        }
        end = {"type": "table.end", "secret": self.secret.hex(), "result": None}
        self.texts: list[str] = []
        self.hash = "0" * 64
        for action in (create, end):
            self._add(action)

    def _add(self, action: dict[str, Any]) -> None:
        entry = {
            "action": action,
            "at": self.ended,
            "game": self.id,
            "prev": self.hash,
            "seat": None,
            "sealed": {},
            "seq": len(self.texts) + 1,
        }
        self.texts.append(encode_canonical(entry))
        self.hash = sha256(b"tabularium/entry/1" + self.texts[-1].encode()).hexdigest()

    @property
    def facts(self) -> GameLeaf:
        """The facts of its leaf."""
        count = len(self.texts)
        return GameLeaf(self.ended, count, self.id, self.hash, RECEIPTS_KEY, "law", 2)

    @property
    def leaf(self) -> bytes:
        """Its leaf."""
        return self.facts.text.encode()

    @property
    def blind(self) -> bytes:
        """Its leaf, if it is not public."""
        return self.facts.blinded(self.secret).encode()

    @property
    def export(self) -> bytes:
        """Its export."""
        header = {"game": self.id, "tabularium": "export/1"}
        rest = [{"reveal": {"fields": {}, "salts": None}}, {"trailer": {"head": self.hash}}]
        return "".join(
            f"{line}\n"
            for line in [encode_canonical(header), *self.texts, *map(encode_canonical, rest)]
        ).encode()


@dataclass
class Answer:
    """A reply."""

    body: bytes
    status: int = 200
    headers: dict[str, str] = field(default_factory=dict)
    seconds_a_byte: float = 0.0  # if the body comes drop by drop
    has_length: bool = True
    raw: bytes | None = None  # in the place of all that
    hangs: bool = False


Lie = Callable[[Answer], Answer]


def key_leaf(signer: Signer, use: str = "record", **more: str) -> bytes:
    """The leaf that announces a key, or retires it."""
    return leaf_text("key/1", {"use": use, "vkey": signer.key.text, **more}).encode()


class World:
    """The record of a server and its games, and the lies that it has for some addresses."""

    def __init__(self, games: int = 6) -> None:
        self.signers = [Signer(ORIGIN, KEY)]
        self.origin = ORIGIN
        self.games: dict[str, PlayedGame] = {}
        self.listed: list[tuple[str, str]] = []  # ids and times of games that are over
        self.imported: list[tuple[str, str]] = []
        self.lies: dict[str, Lie] = {}  # by path
        self.asked: list[str] = []
        self._filled: tuple[list[bytes], MemoryTiles] = [], MemoryTiles()
        self.leaves: list[bytes] = [
            key_leaf(self.signers[0]),
            key_leaf(Signer(f"{ORIGIN}/receipts", OTHER_KEY), "receipts"),
        ]
        self.grow(games)

    def new_games(self, count: int) -> list[PlayedGame]:
        """Games that are over and have no leaf yet."""
        first = len(self.games) + 1
        new = [PlayedGame(number) for number in range(first, first + count)]
        self.games.update({game.id: game for game in new})
        self.listed += [(game.id, game.ended) for game in new]
        return new

    def grow(self, count: int) -> None:
        """Games end and get their leaves; every third one is not public."""
        for number, game in enumerate(self.new_games(count), 1):
            self.leaves.append(game.leaf if number % 3 else game.blind)
            if not number % 3:
                self.listed.remove((game.id, game.ended))

    def game_of(self, number: int) -> PlayedGame:
        """The game of a leaf."""
        return self.games[json.loads(self.leaves[number])["game"]]

    @property
    def tiles(self) -> MemoryTiles:
        """The tiles of all leaves."""
        if self._filled[0] != self.leaves:
            self._filled = [*self.leaves], filled(self.leaves)
        return self._filled[1]

    def note(self, size: int | None = None) -> bytes:
        """The checkpoint."""
        count = len(self.leaves) if size is None else size
        checkpoint = Checkpoint(self.origin, count, tree_root(self.tiles, count))
        return sign_note(checkpoint.text, self.signers).encode()

    # -- replies

    def answer(self, address: str) -> Answer:
        """The reply to a GET."""
        parts = urlsplit(address)
        self.asked.append(parts.path)
        answer = self._truth(parts.path, parse_qs(parts.query))
        lie = self.lies.get(parts.path)
        return lie(answer) if lie else answer

    def _truth(self, path: str, query: dict[str, list[str]]) -> Answer:
        if path == "/record/checkpoint":
            return Answer(self.note())
        if path.startswith("/record/tile/"):
            return Answer(self._file(path.removeprefix("/record/")))
        if path == "/api/v1/games":
            return Answer(self._list(query))
        game = self.games.get(path.removeprefix("/api/v1/games/").removesuffix("/export"))
        return Answer(game.export) if game else Answer(b"{}", 404)

    def _file(self, path: str) -> bytes:
        parsed = parse_tile_path(path)
        if parsed.level is None:
            first = parsed.number * 256
            return write_bundle(self.leaves[first : first + parsed.width])
        place = Place(parsed.level, parsed.number)
        return self.tiles.read([place])[place][: parsed.width * HASH_BYTES]

    def _list(self, query: dict[str, list[str]]) -> bytes:
        games = self.imported if "imported" in query else self.listed
        games = sorted(games, key=lambda game: game[1], reverse=True)
        start, limit = int(query.get("cursor", ["0"])[0]), int(query["limit"][0])
        items = [{"id": game, "updated": at} for game, at in games[start : start + limit]]
        following = str(start + limit) if start + limit < len(games) else None
        return json.dumps({"items": items, "next_cursor": following}).encode()


# -- lies ------------------------------------------------------------------------------------------


def body(change: Callable[[bytes], bytes]) -> Lie:
    """A lie about the body."""
    return lambda answer: Answer(change(answer.body))


def status(code: int, **headers: str) -> Lie:
    """Another status in the place of the reply."""
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    return lambda _: Answer(b"{}", code, named)


def headed(**headers: str) -> Lie:
    """More headers."""
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    return lambda answer: Answer(answer.body, 200, named)


def always(content: bytes) -> Lie:
    """Other bytes in the place of the body."""
    return body(lambda _: content)


# -- the server ------------------------------------------------------------------------------------


class Handler(BaseHTTPRequestHandler):
    """Answers for the world of its server."""

    server: WorldServer

    def do_GET(self) -> None:
        answer = self.server.world.answer(self.path)
        with suppress(OSError):  # the monitor may hang up
            if answer.hangs:
                self.server.is_over.wait()
            elif answer.raw is not None:
                self._drip(answer.raw, answer.seconds_a_byte)
            else:
                self._head(answer)
                self._drip(answer.body, answer.seconds_a_byte)

    def _head(self, answer: Answer) -> None:
        self.send_response(answer.status)
        for name, value in answer.headers.items():
            self.send_header(name, value)
        if answer.has_length:
            self.send_header("Content-Length", str(len(answer.body)))
        self.end_headers()

    def _drip(self, content: bytes, seconds: float) -> None:
        if content == ENDLESS:
            while not self.server.is_over.is_set():
                self.wfile.write(bytes(1 << 16))
        if not seconds:
            self.wfile.write(content)
            return
        for at in range(len(content)):
            self.wfile.write(content[at : at + 1])
            self.wfile.flush()
            if self.server.is_over.wait(seconds):
                return

    def log_message(self, *_: Any) -> None:
        """Print nothing."""


class WorldServer(ThreadingHTTPServer):
    """Serves a world, which a test may exchange."""

    daemon_threads = True

    def __init__(self, world: World) -> None:
        super().__init__(("127.0.0.1", 0), Handler)
        self.world = world
        self.is_over = Event()

    @property
    def url(self) -> str:
        """Its address."""
        return f"http://127.0.0.1:{self.server_address[1]}"


@contextmanager
def serving_world(world: World) -> Iterator[WorldServer]:
    """Serve a world within the block."""
    server = WorldServer(world)
    thread = Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True)
    thread.start()
    try:
        yield server
    finally:
        server.is_over.set()
        server.shutdown()
        server.server_close()
        thread.join()


def changed(leaves: Sequence[bytes], number: int, leaf: bytes) -> list[bytes]:
    """The leaves with another one in this place."""
    return [*leaves[:number], leaf, *leaves[number + 1 :]]

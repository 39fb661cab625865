"""Kinds of tampering with a record: the change of the server's world, and the name of the finding
for a monitor that begins now, for one that has followed the record before, and for one that begins
with that one as its peer."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass

from tabularium_log.record.game_leaves import leaf_text
from tabularium_log.record.note import Signer
from tests.record.lying_server import (
    ENDLESS,
    Answer,
    Lie,
    World,
    always,
    body,
    changed,
    headed,
    key_leaf,
    status,
)
from tests.record.monitoring import MONITOR
from tests.record.recording import KEY, ORIGIN, OTHER_KEY

CHECKPOINT = "/record/checkpoint"
NOTHING = ""
OTHER = Signer(ORIGIN, OTHER_KEY)
Change = Callable[[World], None]


@dataclass(frozen=True)
class Case:
    """A kind of tampering, and its name for each monitor; the third is that of the second, unless
    it is given."""

    name: str
    change: Change
    beginner: str
    follower: str
    with_peer: str | None = None
    games: int = 6

    @property
    def peer(self) -> str:
        """The finding of a beginner that compares with the follower."""
        return self.beginner if self.with_peer is None else self.with_peer


def lying(path: str, lie: Lie) -> Change:
    """A change that lies about one address, after five more games."""

    def change(world: World) -> None:
        world.grow(5)
        world.lies[path] = lie

    return change


def with_leaf(leaf: bytes) -> Change:
    """A change that adds this leaf."""
    return lambda world: world.leaves.append(leaf)


def game_leaf(**members: object) -> Change:
    """A change that adds the leaf of a game with other members; None takes one away."""

    def change(world: World) -> None:
        (game,) = world.new_games(1)
        document = {**json.loads(game.leaf), **members}
        document = {name: value for name, value in document.items() if value is not None}
        world.leaves.append(
            json.dumps(document, sort_keys=True, separators=(",", ":"), ensure_ascii=False).encode()
        )

    return change


# -- forks -----------------------------------------------------------------------------------------


def fork(number: int, grown: int = 0, cut: int = 0) -> Change:
    """Another leaf in the place of one that was signed, in a tree that may be longer or shorter."""

    def change(world: World) -> None:
        world.grow(grown)
        world.leaves = world.leaves[: len(world.leaves) - cut]
        world.leaves = changed(world.leaves, number, leaf_of_another_game(world))
        world.listed = []

    return change


def leaf_of_another_game(world: World) -> bytes:
    """The leaf of one more game."""
    (game,) = world.new_games(1)
    return game.leaf


def without_leaf(world: World) -> None:
    """A leaf that was signed is gone, and others have come."""
    del world.leaves[4]
    world.listed = []
    world.grow(5)


def with_one_between(world: World) -> None:
    """A leaf has come between others."""
    world.leaves.insert(4, leaf_of_another_game(world))


def in_another_order(world: World) -> None:
    """Two leaves have changed places."""
    world.leaves[3], world.leaves[2] = world.leaves[2], world.leaves[3]
    world.grow(1)


def shorter(count: int) -> Change:
    """A change that shows an earlier tree."""

    def change(world: World) -> None:
        world.leaves = world.leaves[: len(world.leaves) - count]
        world.listed = []

    return change


FORKS = [
    Case("another leaf, same size", fork(3), NOTHING, "fork", "split-view"),
    Case("another leaf, longer", fork(3, grown=5), NOTHING, "fork", "split-view"),
    Case("another last leaf, longer", fork(7, grown=5), NOTHING, "fork", "split-view"),
    Case("another leaf, shorter", fork(3, cut=2), NOTHING, "fork", "split-view"),
    Case("another leaf, one more", fork(2, grown=1), NOTHING, "fork", "split-view"),
    Case("in an old tile", fork(5, grown=5), NOTHING, "fork", "split-view", games=600),
    Case("in an old tile, same size", fork(300), NOTHING, "fork", "split-view", games=600),
    Case("in a tile that fills up", fork(90, grown=300), NOTHING, "fork", "split-view", games=100),
    Case("a leaf is gone", without_leaf, NOTHING, "fork", "split-view"),
    Case("a leaf between", with_one_between, NOTHING, "fork", "split-view"),
    Case("another order", in_another_order, NOTHING, "fork", "split-view"),
    Case("one leaf less", shorter(1), NOTHING, "rollback"),
    Case("five leaves less", shorter(5), NOTHING, "rollback"),
    Case("a tile less", shorter(300), NOTHING, "rollback", games=600),
    Case("no leaf any more", shorter(8), "unannounced-key", "rollback"),
    Case("no checkpoint any more", lying(CHECKPOINT, status(404)), "unreachable", "rollback"),
]


# -- keys and signatures ---------------------------------------------------------------------------


def signed_by(*keys: bytes) -> Change:
    """A change that signs with these keys."""

    def change(world: World) -> None:
        world.grow(5)
        world.signers = [Signer(ORIGIN, key) for key in keys]

    return change


def named(origin: str, *leaves: bytes) -> Change:
    """A change of the name of the record, under the same key."""

    def change(world: World) -> None:
        world.origin = origin
        world.signers = [Signer(origin, KEY)]
        world.leaves += [*leaves]

    return change


def other_text(note: bytes) -> bytes:
    """Another root over the same signature."""
    lines = note.split(b"\n")
    lines[2] = b"A" * 43 + b"="
    return b"\n".join(lines)


def other_signature(note: bytes) -> bytes:
    """Another signature under the same text."""
    text, _, line = note.rpartition(b" ")
    return text + b" " + line[:20] + (b"B" if line[20:21] != b"B" else b"C") + line[21:]


def witness_alone(world: World) -> None:
    """Only another key under another name signs."""
    world.grow(5)
    world.signers = [Signer("witness.example/w", OTHER_KEY)]


def retired(world: World) -> None:
    """A key signs on after the leaf that retires it."""
    world.leaves += [key_leaf(OTHER), key_leaf(OTHER, retired="2026-02-01T00:00:00.000Z")]
    world.signers.append(OTHER)


def also_announced(leaf: bytes) -> Change:
    """Another key signs too, and this is its announcement."""

    def change(world: World) -> None:
        world.leaves.append(leaf)
        world.signers.append(OTHER)

    return change


def last_tree(origin: str, size: int, root: str) -> bytes:
    """The leaf with the last tree of an old name."""
    return leaf_text("origin/1", {"origin": origin, "size": size, "root": root}).encode()


NEW_NAME = f"{ORIGIN}/2"
NEW_KEY = key_leaf(Signer(NEW_NAME, KEY))
WRONG_LAST_TREE = last_tree(ORIGIN, 8, "0" * 64)
WRONG_NAME = last_tree("elsewhere.example/record", 8, "0" * 64)
RECEIPTS_USE = key_leaf(OTHER, "receipts")
OTHER_NAME = key_leaf(Signer(NEW_NAME, OTHER_KEY))
KEYS = [
    Case("another key", signed_by(OTHER_KEY), "unannounced-key", "wrong-key"),
    Case("a second key", signed_by(KEY, OTHER_KEY), "unannounced-key", "unannounced-key"),
    Case("another text", lying(CHECKPOINT, body(other_text)), "tile", "wrong-key"),
    Case("another signature", lying(CHECKPOINT, body(other_signature)), "wrong-key", "wrong-key"),
    Case("a witness alone", witness_alone, "wrong-key", "wrong-key"),
    Case("a retired key", retired, "unannounced-key", "unannounced-key"),
    Case("a key of receipts", also_announced(RECEIPTS_USE), "unannounced-key", "unannounced-key"),
    Case("another record's key", also_announced(OTHER_NAME), "unannounced-key", "unannounced-key"),
    Case("another name", named(NEW_NAME, NEW_KEY), NOTHING, "other-record", "unreachable"),
    Case("its key unknown", named(NEW_NAME), "unannounced-key", "unannounced-key"),
    Case(
        "a wrong last tree",
        named(NEW_NAME, NEW_KEY, WRONG_LAST_TREE),
        NOTHING,
        "fork",
        "unreachable",
    ),
    Case(
        "another last name",
        named(NEW_NAME, NEW_KEY, WRONG_NAME),
        NOTHING,
        "other-record",
        "unreachable",
    ),
]


# -- checkpoints that are none ---------------------------------------------------------------------


def stating(number: int, line: bytes) -> Change:
    """A checkpoint with another line."""

    def change(note: bytes) -> bytes:
        lines = note.split(b"\n")
        lines[number] = line
        return b"\n".join(lines)

    return lying(CHECKPOINT, body(change))


def malformed(name: str, change: Change) -> Case:
    """A checkpoint that cannot be read."""
    return Case(name, change, "malformed-checkpoint", "malformed-checkpoint")


MALFORMED = [
    malformed("nothing", lying(CHECKPOINT, always(b""))),
    malformed("JSON", lying(CHECKPOINT, always(b"{}"))),
    malformed("no signature", lying(CHECKPOINT, body(lambda note: note.partition(b"\n\n")[0]))),
    malformed("an empty signature", lying(CHECKPOINT, body(lambda note: note + "— x \n".encode()))),
    malformed("cut off", lying(CHECKPOINT, body(lambda note: note[:-1]))),
    malformed("a control character", stating(0, b"games.example\x07/record")),
    malformed("no UTF-8", stating(0, b"games.example\xff/record")),
    malformed("a size with a zero before it", stating(1, b"08")),
    malformed("a size that is none", stating(1, b"eight")),
    malformed("a size beyond all", stating(1, b"9" * 19)),
    malformed("a short root", stating(2, b"AAAA")),
    malformed("a root with another spelling", stating(2, b"A" * 42 + b"B=")),
    malformed("an empty name", stating(0, b"")),
    malformed(
        "101 signatures",
        lying(CHECKPOINT, body(lambda note: note + 100 * (note.rpartition(b"\n\n")[2]))),
    ),
    Case(
        "too long",
        lying(CHECKPOINT, always(bytes(1 << 20) + b"x")),
        "refused-reply",
        "refused-reply",
    ),
]


# -- tiles and bundles -----------------------------------------------------------------------------

TILE, BUNDLE = "/record/tile/0/000.p/13", "/record/tile/entries/000.p/13"
LOW, HIGH = "/record/tile/0/002.p/95", "/record/tile/1/000.p/2"  # of 607 leaves
GROWN = "/record/tile/0/001"  # of 607 leaves, from 302


def flipped(at: int) -> Lie:
    """Another byte."""
    return body(lambda raw: raw[:at] + bytes([raw[at] ^ 1]) + raw[at + 1 :])


def both(name: str, change: Change, finding: str, games: int = 6) -> Case:
    """A case that both monitors see alike."""
    return Case(name, change, finding, finding, games=games)


def large(path: str, lie: Lie) -> Change:
    """A lie about a record that grows beyond a tile."""

    def change(world: World) -> None:
        world.grow(305)
        world.lies[path] = lie

    return change


def without_last(raw: bytes) -> bytes:
    """A bundle without its last leaf."""
    leaves = MONITOR.leaves_of_bundle(raw)
    return raw[: -2 - len(leaves[-1])]


TILES = [
    both("a bit of a new hash", lying(TILE, flipped(12 * 32)), "tile"),
    both("a bit of an old hash", lying(TILE, flipped(0)), "tile"),
    both("a short tile", lying(TILE, body(lambda raw: raw[:-32])), "tile"),
    both("no hash", lying(TILE, always(b"")), "tile"),
    both("a long tile", lying(TILE, body(lambda raw: raw + raw[:32])), "refused-reply"),
    both(
        "two hashes exchanged",
        lying(TILE, body(lambda raw: raw[32:64] + raw[:32] + raw[64:])),
        "tile",
    ),
    both("a bit of a hash of tiles", large(HIGH, flipped(40)), "tile", games=300),
    both("a full tile that no root needs", large(GROWN, flipped(32 * 200)), "tile", games=300),
    both("no tile", lying(TILE, status(404)), "gap"),
    both("a tile that is gone", lying(TILE, status(410)), "gap"),
    both("a tile that is forbidden", lying(TILE, status(403)), "gap"),
    both("no hashes of tiles", large(HIGH, status(404)), "gap", games=300),
    both("no last tile", large(LOW, status(404)), "gap", games=300),
    both("a bit of a leaf", lying(BUNDLE, flipped(-1 + 100)), "bundle"),
    both("a bit of the last leaf", lying(BUNDLE, flipped(-1)), "bundle"),
    both("a leaf less", lying(BUNDLE, body(without_last)), "gap"),
    both("no leaf", lying(BUNDLE, always(b"")), "gap"),
    both("a leaf more", lying(BUNDLE, body(lambda raw: raw + b"\0\x01x")), "bundle"),
    both("a leaf that is cut off", lying(BUNDLE, body(lambda raw: raw[:-1])), "bundle"),
    both("half a length", lying(BUNDLE, body(lambda raw: raw + b"\0")), "bundle"),
    both("no bundle", lying(BUNDLE, status(404)), "gap"),
    both("too many leaves", lying(BUNDLE, always(bytes(300_000))), "refused-reply"),
]


# -- leaves ----------------------------------------------------------------------------------------


def leaf_case(name: str, change: Change) -> Case:
    """A leaf that must not be."""
    return both(name, change, "malformed-leaf")


ZEROS = b"0" * 64
GAME = "game_" + "0" * 31
LEAVES = [
    leaf_case("no JSON", with_leaf(b"leaf")),
    leaf_case("an empty leaf", with_leaf(b"")),
    leaf_case("blanks", with_leaf(b'{"leaf": "heads/1"}')),
    leaf_case("a line feed", with_leaf(b'{"leaf":"heads/1"}\n')),
    leaf_case("members in another order", with_leaf(b'{"leaf":"heads/1","at":"x"}')),
    leaf_case("a member twice", with_leaf(b'{"leaf":"heads/1","leaf":"heads/1"}')),
    leaf_case("no UTF-8", with_leaf(b'{"leaf":"heads/\xff"}')),
    leaf_case("a list", with_leaf(b'["leaf"]')),
    leaf_case("no kind", with_leaf(b'{"at":"x"}')),
    leaf_case("a kind without a number", with_leaf(b'{"leaf":"heads"}')),
    leaf_case("1,025 bytes", with_leaf(b'{"leaf":"heads/1","x":"' + b"x" * 1000 + b'"}')),
    leaf_case("nested deeply", with_leaf(b'{"leaf":' + b"[" * 500 + b"]" * 500 + b"}")),
    leaf_case("a large number", with_leaf(b'{"leaf":"heads/1","x":' + b"9" * 900 + b"}")),
    leaf_case("a name of a player", game_leaf(name="Ada")),
    leaf_case("no time", game_leaf(at=None)),
    leaf_case("30 February", game_leaf(at="2026-02-30T00:00:00.000Z")),
    leaf_case("a time without a zone", game_leaf(at="2026-02-03T00:00:00.000")),
    leaf_case("no entry", game_leaf(entries=0)),
    leaf_case("half an entry", game_leaf(entries=1.5)),
    leaf_case("true entries", game_leaf(entries=True)),
    leaf_case("a game that is none", game_leaf(game=GAME)),
    leaf_case("a hash that is none", game_leaf(hash="0" * 63)),
    leaf_case("rules in capitals", game_leaf(rules="Law")),
    leaf_case(
        "an empty ledger", with_leaf(b'{"bytes":0,"leaf":"ledger/1","sha256":"' + ZEROS + b'"}')
    ),
    leaf_case("a blind that is none", with_leaf(b'{"blind":"0","leaf":"blind/1"}')),
    leaf_case("a key that is none", with_leaf(b'{"leaf":"key/1","use":"record","vkey":"a+b+c"}')),
    leaf_case(
        "a key of an unknown use", with_leaf(key_leaf(OTHER).replace(b'"record","vk', b'"all","vk'))
    ),
    leaf_case("a key retired some day", with_leaf(key_leaf(OTHER, retired="soon"))),
    leaf_case(
        "no game lost",
        with_leaf(leaf_text("lost/1", {"because": "x", "count": 0, "sha256": "0" * 64}).encode()),
    ),
    both("the same leaf twice", lambda world: world.leaves.append(world.leaves[2]), "second-leaf"),
    both(
        "two leaves of a game", lambda world: world.leaves.append(second_leaf(world)), "second-leaf"
    ),
    both("a blinded leaf twice", lambda world: world.leaves.append(world.leaves[4]), "second-leaf"),
]


def second_leaf(world: World) -> bytes:
    """Another leaf of a game that has one."""
    document = {**json.loads(world.leaves[2]), "hash": "0" * 64}
    return json.dumps(document, sort_keys=True, separators=(",", ":")).encode()


# -- games -----------------------------------------------------------------------------------------


def export_of(number: int, lie: Lie) -> Change:
    """A lie about the export of the game of a leaf."""

    def change(world: World) -> None:
        world.lies[f"/api/v1/games/{world.game_of(number).id}/export"] = lie

    return change


def without(line: int) -> Lie:
    """An export without a line."""
    return body(
        lambda raw: b"".join(part for at, part in enumerate(raw.splitlines(True)) if at != line)
    )


def replaced(old: bytes, new: bytes) -> Lie:
    """Other bytes in an export."""

    def change(raw: bytes) -> bytes:
        assert old in raw
        return raw.replace(old, new)

    return body(change)


def later_loss(world: World) -> None:
    """A game is gone that has its leaf after the leaf about lost games."""
    world.leaves.append(lost_leaf(1))
    world.grow(1)
    export_of(len(world.leaves) - 1, status(404))(world)


def more_lost(world: World) -> None:
    """Two games are gone, and one was said to be lost."""
    world.leaves.append(lost_leaf(1))
    export_of(2, status(404))(world)
    export_of(3, status(404))(world)


def lost_leaf(count: int) -> bytes:
    """The leaf about lost games."""
    return leaf_text("lost/1", {"because": "x", "count": count, "sha256": "0" * 64}).encode()


def missing(name: str, change: Change) -> Case:
    """A game that does not fit its leaf."""
    return both(name, change, "missing-game")


GAMES = [
    missing("the game is gone", export_of(2, status(404))),
    missing("the game is hidden", export_of(2, status(403))),
    missing("the game was removed", export_of(2, status(410))),
    missing("another log", export_of(2, replaced(b'"seat":null', b'"seat":0'))),
    missing("another end", export_of(2, replaced(b"T00:00:01.000Z", b"T00:00:01.001Z"))),
    missing("no end", export_of(2, without(2))),
    missing("no beginning", export_of(2, without(1))),
    missing("no entry", export_of(2, always(b"{}\n"))),
    missing("no export", export_of(2, always(b"<html>"))),
    missing("an empty export", export_of(2, always(b""))),
    missing("another game", lambda world: export_of(2, always(world.game_of(3).export))(world)),
    missing("a broken chain", export_of(2, replaced(b'"prev":"', b'"prev":"0'))),
    missing("more lost games than were said", more_lost),
    missing("lost later than was said", later_loss),
]


# -- other replies ---------------------------------------------------------------------------------

LIST = "/api/v1/games"


def refused(name: str, change: Change) -> Case:
    """A reply that is refused."""
    return both(name, change, "refused-reply")


def away(name: str, change: Change) -> Case:
    """A reply that does not come."""
    return both(name, change, "unreachable")


def raw(content: bytes) -> Lie:
    """Bytes in the place of the whole reply."""
    return lambda _: Answer(b"", raw=content)


REPLIES = [
    refused("elsewhere", lying(CHECKPOINT, status(302, Location="http://127.0.0.1:1/"))),
    refused("a tile elsewhere", lying(TILE, status(301, Location=f"http://127.0.0.1:1{TILE}"))),
    refused("an export elsewhere", export_of(2, status(307, Location="/"))),
    refused("gzip", lying(BUNDLE, headed(Content_Encoding="gzip"))),
    refused("brotli", lying(CHECKPOINT, headed(Content_Encoding="br"))),
    refused("a coding of the transfer", lying(TILE, headed(Transfer_Encoding="gzip, chunked"))),
    refused("a page", lying(CHECKPOINT, headed(Content_Type="text/html; charset=utf-8"))),
    refused("no content", lying(CHECKPOINT, status(204))),
    refused("a part", lying(TILE, status(206))),
    refused("a tile without an end", lying(TILE, lambda _: Answer(ENDLESS, has_length=False))),
    refused("a list that is none", lying(LIST, always(b"[]"))),
    refused(
        "a list of no games", lying(LIST, always(b'{"items":[{"id":"x"}],"next_cursor":null}'))
    ),
    refused("a list without an end", lying(LIST, always(b'{"items":[],"next_cursor":"x"}'))),
    refused("a list that is refused", lying(LIST, status(403))),
    refused("more leaves than there can be", lambda world: signed_size(world, 2**62)),
    away("an error", lying(CHECKPOINT, status(500))),
    away("an error for a tile", lying(TILE, status(502))),
    away("an error for an export", export_of(2, status(503))),
    away("a limit without an end", lying(CHECKPOINT, status(429, Retry_After="86400"))),
    away("no HTTP", lying(CHECKPOINT, raw(b"games.example\n"))),
    away("nothing", lying(CHECKPOINT, raw(b""))),
    away(
        "a reply that is cut off",
        lying(CHECKPOINT, raw(b"HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nx")),
    ),
    away(
        "a chunk that is none",
        lying(CHECKPOINT, raw(b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n")),
    ),
    away(
        "101 headers", lying(CHECKPOINT, raw(b"HTTP/1.1 200 OK\r\n" + b"A: b\r\n" * 101 + b"\r\n"))
    ),
    away(
        "a long header",
        lying(CHECKPOINT, raw(b"HTTP/1.1 200 OK\r\nA: " + b"b" * 70_000 + b"\r\n\r\n")),
    ),
]


def signed_size(world: World, size: int) -> None:
    """A signed checkpoint of a tree that nothing can hold."""
    from tabularium_log.record.checkpoint import Checkpoint
    from tabularium_log.record.note import sign_note

    checkpoint = Checkpoint(ORIGIN, size, bytes(32))
    world.lies[CHECKPOINT] = always(sign_note(checkpoint.text, world.signers).encode())


CASES = [*FORKS, *KEYS, *MALFORMED, *TILES, *LEAVES, *GAMES, *REPLIES]

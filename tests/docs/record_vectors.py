"""The vectors about proofs from the public record: a good one for each kind of leaf, and one for
each way in which a proof, a checkpoint, a leaf, an export or a key can be wrong."""

from __future__ import annotations

import json
from base64 import b64encode
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from hashlib import sha256
from typing import Any, Final

from record.tiles import MemoryTiles
from record.tree import append_leaves, inclusion_proof, tree_root
from tabularium_log.audit import export_record
from tabularium_log.audit.export_format import LeafKind, Record
from tabularium_log.audit.export_reader import read_export
from tabularium_log.fairness.canonical_json import encode_canonical
from tabularium_log.record.checkpoint import Checkpoint
from tabularium_log.record.game_leaves import exported_game, exported_secret
from tabularium_log.record.hashes import leaf_hash
from tabularium_log.record.note import Signer, sign_note
from tabularium_log.record.proof import LeafProof
from tests.docs.short_game import AT, export

ORIGIN: Final = "games.example/record"
SIGNER: Final = Signer(ORIGIN, sha256(b"a record key for the vectors").digest())
OTHER_SIGNER: Final = Signer(ORIGIN, sha256(b"another record key").digest())
STRANGER: Final = Signer("elsewhere.example/record", sha256(b"a stranger's key").digest())
SIZE: Final = 7
PLACES: Final[dict[LeafKind, int]] = {"game/1": 2, "blind/1": 6}
LATER: Final = "2026-01-02T03:04:05.679Z"
CUT: Final = "The file is truncated: the proof from the record is missing."
NO_LINE: Final = "This is not a line with a proof from the record."
FOLLOWING: Final = "Nothing may follow the trailer."


@cache
def leaf(kind: LeafKind, at: str = AT) -> str:
    """The leaf of the short game."""
    game = read_export([f"{line}\n".encode() for line in export(at=at)])
    facts = exported_game(game)
    return facts.text if kind == "game/1" else facts.blinded(exported_secret(game))


@cache
def tree() -> tuple[MemoryTiles, Checkpoint]:
    """A tree with both leaves of the short game among others."""
    leaves = [f"leaf {number}" for number in range(SIZE)]
    for kind, place in PLACES.items():
        leaves[place] = leaf(kind)
    tiles = MemoryTiles()
    append_leaves(tiles, 0, [leaf_hash(text.encode()) for text in leaves])
    return tiles, Checkpoint(ORIGIN, SIZE, tree_root(tiles, SIZE))


def record(kind: LeafKind = "game/1", *signers: Signer) -> Record:
    """The proof of a leaf, under a checkpoint with these signatures."""
    tiles, checkpoint = tree()
    index = PLACES[kind]
    note = sign_note(checkpoint.text, signers or (SIGNER,))
    proof = LeafProof(index, tuple(inclusion_proof(tiles, index, SIZE)), note)
    return Record(kind, proof.encode().decode())


def proven(lines: list[bytes], kind: LeafKind = "game/1") -> list[bytes]:
    """The export of any game that is over, with a proof from a record of two leaves."""
    facts = exported_game(read_export(lines))
    text = facts.text if kind == "game/1" else facts.blinded(exported_secret(read_export(lines)))
    tiles = MemoryTiles()
    append_leaves(tiles, 0, [leaf_hash(b"another leaf"), leaf_hash(text.encode())])
    note = sign_note(Checkpoint(ORIGIN, 2, tree_root(tiles, 2)).text, [SIGNER])
    proof = LeafProof(1, tuple(inclusion_proof(tiles, 1, 2)), note)
    header = json.loads(lines[0]) | {"tabularium": "export/3"}
    last = {"record": {"leaf": kind, "proof": proof.encode().decode()}}
    return [in_line(header), *lines[1:], in_line(last)]


def in_line(document: Any) -> bytes:
    """A document as a line of an export."""
    return encode_canonical(document).encode() + b"\n"


@dataclass(frozen=True)
class Refusal:
    """A wrong file, and the sentence with which it is refused."""

    reason: str  # of the verifier in the page
    sentence: str
    lines: list[str]
    vkey: str | None = None

    def to_json(self, good: list[str]) -> dict[str, Any]:
        """The refusal as it stands in the file: a line of the good export is its number there."""
        lines = [good.index(each) if each in good else each for each in self.lines]
        members = {"reason": self.reason, "sentence": self.sentence}
        return {**members, "verifier key": self.vkey, "lines": lines}


def wrong(reason: str, sentence: str, change: Callable[[str], str], **how: Any) -> Refusal:
    """The refusal of a good proof after a change of its text; `how` has the kind of the leaf, the
    key, and who signs."""
    good = record(how.get("kind", "game/1"), *how.get("signers", ()))
    changed = change(good.proof)
    assert changed != good.proof or how.get("is_unchanged")
    lines = export(Record(good.leaf, changed))
    return Refusal(reason, sentence, lines, how.get("vkey"))


def replacing(old: str, new: str) -> Callable[[str], str]:
    """A change of a part of the text, which is there once."""

    def change(text: str) -> str:
        assert text.count(old) == 1, old
        return text.replace(old, new)

    return change


def line(number: int, new: str | None) -> Callable[[str], str]:
    """A change of a line of the text; None takes it out."""

    def change(text: str) -> str:
        lines = text.split("\n")
        lines[number : number + 1] = [] if new is None else [new]
        return "\n".join(lines)

    return change


def same(text: str) -> str:
    """No change."""
    return text


HASHES: Final = slice(2, 5)  # the lines of the three hashes of leaf 2
NOTE: Final = 6  # the line of the origin; size, root, an empty line and the signature follow
ZEROES: Final = b64encode(bytes(32)).decode()


def refusals() -> list[Refusal]:
    """All of them: at least one for each sentence."""
    return [*of_lines(), *of_forms(), *of_checkpoints(), *of_trees(), *of_keys()]


def of_lines() -> list[Refusal]:
    """The line of the record is missing, is none, or is where it may not be."""
    lines = export(record())
    plain = export()
    document = json.loads(lines[-1])["record"]
    others: list[Any] = [
        {"record": {**document, "leaf": "game/2"}},
        {"record": {"leaf": "game/1"}},
        {"record": {**document, "more": 1}},
        {"record": document, "trailer": 1},
        {"record": {**document, "proof": None}},
        {"reveal": {"fields": {}, "salts": None}},
    ]
    shaped = [
        Refusal("not a record", NO_LINE, [*lines[:-1], encode_canonical(other)]) for other in others
    ]
    return [
        Refusal("no record line", CUT, lines[:-1]),
        *shaped,
        Refusal("misplaced line", FOLLOWING, [*lines, lines[-1]]),
        Refusal("misplaced line", FOLLOWING, [*plain, lines[-1]]),
        Refusal("no proof", export_record.NO_PROOF, plain, SIGNER.key.text),
    ]


def of_forms() -> list[Refusal]:
    """The text is not that of a proof."""
    changes = [
        lambda text: "",
        line(0, "c2sp.org/tlog-proof@v2"),
        line(0, None),
        line(1, "index 02"),
        line(1, "index -1"),
        line(1, "index 9223372036854775808"),
        line(1, "Index 2"),
        line(1, None),
        line(1, "extra \nindex 2"),
        line(1, "index 2\nextra eA=="),
        line(2, ZEROES[:-1]),
        line(2, ZEROES[:-2] + "B="),  # bits that no byte has
        line(2, b64encode(bytes(31)).decode()),
        line(2, "\t" + ZEROES),
        line(2, "\n".join([ZEROES] * 62)),  # one more than the highest tree has
        lambda text: text.replace("\n\n", "\n"),
    ]
    return [wrong("not a proof", export_record.NOT_A_PROOF, change) for change in changes]


def of_checkpoints() -> list[Refusal]:
    """The checkpoint has not the form of one."""
    changes = [
        line(NOTE, ""),
        line(NOTE + 1, "07"),
        line(NOTE + 1, "9223372036854775808"),
        line(NOTE + 2, ZEROES[:-1]),
        line(NOTE + 2, b64encode(bytes(31)).decode()),
        line(NOTE + 2, None),
        line(NOTE + 1, "0"),  # the root is not that of the empty tree
        line(NOTE + 3, "\n"),  # an extension without a text
        line(NOTE + 4, None),
        line(NOTE + 4, f"- {ORIGIN} {ZEROES}"),
        line(NOTE + 4, f"— {ORIGIN}  {ZEROES}"),
        line(NOTE + 4, f"— games+example {ZEROES}"),
        line(NOTE + 4, f"— games\u00a0example {ZEROES}"),
        line(NOTE + 4, f"— games\u0085example {ZEROES}"),
        line(NOTE + 4, f"—  {ZEROES}"),
        line(NOTE + 4, f"— {ORIGIN} AAAAAA=="),
        line(NOTE + 4, f"— {ORIGIN} {ZEROES[:-1]}"),
        line(NOTE + 4, "\n".join([f"— {ORIGIN} {ZEROES}"] * 101)),
        replacing("\n7\n", "\n7\n\x01"),
        lambda text: text[:-1],
        lambda text: text + "\n",
    ]
    return [wrong("not a checkpoint", export_record.NOT_A_CHECKPOINT, each) for each in changes]


def of_trees() -> list[Refusal]:
    """The proof is of another leaf, or leads to another root."""
    other, beyond = export_record.OTHER_TREE, "The proof is of leaf {} in a tree of 7 leaves."
    count = "The proof has {} hashes, and must have {}."
    as_blinded = export(Record("blind/1", record().proof))
    as_public = export(Record("game/1", record("blind/1").proof))
    rewritten = export(record(), at=LATER)
    return [
        wrong("beyond the tree", beyond.format(7), line(1, "index 7")),
        wrong("beyond the tree", beyond.format(2**63 - 1), line(1, f"index {2**63 - 1}")),
        wrong("wrong number of hashes", count.format(2, 3), line(HASHES.start, None)),
        wrong(
            "wrong number of hashes",
            count.format(4, 3),
            line(HASHES.start, f"{ZEROES}\n{ZEROES}"),
        ),
        wrong("wrong number of hashes", count.format(3, 2), line(1, "index 6")),
        *(wrong("another root", other, line(2 + number, ZEROES)) for number in range(3)),
        wrong("another root", other, line(1, "index 3")),
        wrong("another root", other, line(NOTE + 2, ZEROES)),
        Refusal("another root", other, as_public),
        Refusal("another root", other, as_blinded),
        Refusal("another root", other, rewritten),
    ]


def of_keys() -> list[Refusal]:
    """The checkpoint is not signed as it has to be by the key that is given."""
    vkey = SIGNER.key.text
    false = f"— {ORIGIN} {b64encode(SIGNER.key.id + bytes(64)).decode()}"
    short = f"— {ORIGIN} {b64encode(SIGNER.key.id + bytes(63)).decode()}"
    other, unsigned = export_record.OTHER_RECORD, export_record.UNSIGNED
    invalid = export_record.FALSE_SIGNATURE
    return [
        wrong("another record", other, same, vkey=STRANGER.key.text, is_unchanged=True),
        wrong("another record", other, line(NOTE, "games.example/record/2"), vkey=vkey),
        wrong("unsigned", unsigned, same, vkey=OTHER_SIGNER.key.text, is_unchanged=True),
        wrong("unsigned", unsigned, same, vkey=vkey, signers=[OTHER_SIGNER], is_unchanged=True),
        wrong("false signature", invalid, line(NOTE + 4, false), vkey=vkey),
        wrong("false signature", invalid, line(NOTE + 4, short), vkey=vkey),
        wrong("false signature", invalid, line(NOTE + 5, f"{false}\n"), vkey=vkey),
        wrong("false signature", invalid, line(NOTE + 1, "8"), vkey=vkey),
        wrong("false signature", invalid, line(NOTE + 3, "an extension\n"), vkey=vkey),
    ]


def of_the_record() -> dict[str, Any]:
    """The leaves of the short game, and the proof of the public one."""
    return {
        "leaf": leaf("game/1"),
        "hash of the leaf": leaf_hash(leaf("game/1").encode()).hex(),
        "blinded leaf": leaf("blind/1"),
        "verifier key": SIGNER.key.text,
        "line": export(record())[-1],
    }


def recorded() -> dict[str, Any]:
    """Whole exports with proofs, good ones and wrong ones."""
    both = [OTHER_SIGNER, SIGNER, STRANGER]
    good = [record(), record("blind/1"), record("game/1", *both)]
    lines = [export(one) for one in good]
    return {
        "good": [
            {"index": PLACES[one.leaf], "lines": each}
            for one, each in zip(good, lines, strict=True)
        ],
        "refused": [one.to_json(lines[0]) for one in refusals()],
    }

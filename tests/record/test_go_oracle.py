"""Trees, tiles, proofs and notes against Go's own sumdb packages: each side checks those of the
other, and both refuse what is wrong."""

from __future__ import annotations

from base64 import b64decode, b64encode
from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import product
from pathlib import Path
from random import Random
from typing import Any

import pytest

from record.cosignature import Cosigner
from record.tiles import Place, TileStore, tile_path, tiles_of_growth
from record.tree import consistency_proof, inclusion_proof, tree_root
from tabularium_log.record.checkpoint import Checkpoint
from tabularium_log.record.errors import MalformedError, RecordError
from tabularium_log.record.hashes import EMPTY_ROOT, HASH_BYTES, leaf_hash
from tabularium_log.record.note import Note, Signer, VerifierKey, parse_note, sign_note, verify_note
from tabularium_log.record.tree_verifier import verify_consistency, verify_inclusion
from tests.record.go_oracle import Oracle, compiled_oracle, hashes_of
from tests.record.plain_tree import UniformTiles, filled, leaves_of

pytestmark = pytest.mark.lane("slow")

SMALL = range(1, 601)
EDGES = [65_535, 65_536, 65_537, 65_792, 66_000]
LARGE = [2**24 - 1, 2**24, 2**24 + 1, 2**32 + 257, 2**40 - 255, 2**62 - 1]
LEAVES = leaves_of(max(EDGES))
HASHES = [*map(leaf_hash, LEAVES)]
TILES = filled(LEAVES)
UNIFORM = UniformTiles(b"the same")
SEEDS = {"example.com/record": bytes(range(32)), "witness.example/ω": bytes(32)}
SIGNERS = [Signer(name, seed) for name, seed in SEEDS.items()]
KEYS = [signer.key for signer in SIGNERS]
TEXT = "example.com/record\n5\n\nlast line — after an empty one\n"


@pytest.fixture(scope="module")
def program() -> Path:
    """The compiled oracle."""
    return compiled_oracle()


@pytest.fixture
def oracle(program: Path) -> Oracle:
    """A run of the oracle."""
    return Oracle(program)


def private_key_text(signer: Signer) -> str:
    """A private key as Go reads it."""
    typed_seed = b"\x01" + SEEDS[signer.key.name]
    key_id = signer.key.id.hex()
    return f"PRIVATE+KEY+{signer.key.name}+{key_id}+{b64encode(typed_seed).decode()}"


def places_of(size: int) -> list[int]:
    """Leaves at the edges of a tree, and others."""
    chance = Random(size)
    return sorted({0, size - 1, size // 2, chance.randrange(size), chance.randrange(size)})


@pytest.fixture
def grown(oracle: Oracle) -> Oracle:
    """A run of the oracle that has the tree of all leaves."""
    for start in range(0, len(HASHES), 5000):
        oracle.ask("add", hashes=HASHES[start : start + 5000])
    return oracle


def answers_to(grown: Oracle, count: int) -> list[dict[str, Any]]:
    """The last answers, none of which is an error."""
    answers = grown.answers()
    assert not [answer["error"] for answer in answers if answer["error"]]
    assert answers[-count - 1]["number"] == len(HASHES)
    return answers[-count:]


class TestTrees:
    def test_go_makes_the_same_roots(self, grown: Oracle) -> None:
        sizes = [*SMALL, *EDGES]
        for size in sizes:
            grown.ask("root", size=size)
        roots = [b64decode(answer["root"]) for answer in answers_to(grown, len(sizes))]
        assert roots == [tree_root(TILES, size) for size in sizes]

    def test_go_makes_the_same_proofs(self, grown: Oracle) -> None:
        own_proofs = []
        for size in [*SMALL, *EDGES]:
            for index in places_of(size):
                grown.ask("inclusion", size=size, index=index)
                grown.ask("consistency", size=size, index=index + 1)
                own_proofs += [
                    inclusion_proof(TILES, index, size),
                    consistency_proof(TILES, index + 1, size),
                ]
        answers = answers_to(grown, len(own_proofs))
        assert [hashes_of(answer["proof"]) for answer in answers] == own_proofs

    def test_go_makes_the_same_tiles(self, grown: Oracle) -> None:
        tiles = [
            tile for size in (1, 255, 256, 600, *EDGES) for tile in tiles_of_growth(0, size)[-20:]
        ]
        for place, width in tiles:
            grown.ask("tile", level=place.level, index=place.number, size=width)
        for (place, width), answer in zip(tiles, answers_to(grown, len(tiles)), strict=True):
            assert b64decode(answer["raw"]) == TILES.read([place])[place][: width * HASH_BYTES]

    def test_paths_of_tiles_are_those_of_go(self, oracle: Oracle) -> None:
        numbers = [0, 1, 999, 1000, 1001, 999_999, 1_000_000, 1_234_067, 10**12 + 1, 10**18 - 1]
        places = [*product((0, 5, 62), numbers, (1, 255, 256))]
        for level, number, width in places:
            oracle.ask("path", level=level, index=number, size=width)
        for (level, number, width), answer in zip(places, oracle.answers(), strict=True):
            own_path = tile_path(Place(level, number), width)
            assert answer["text"].replace("tile/8/", "tile/", 1) == own_path  # 8 is the height

    def test_go_and_we_judge_proofs_alike(self, oracle: Oracle) -> None:
        cases = [
            case
            for store, sizes in ((TILES, [*SMALL[:130], *SMALL[130::5], *EDGES]), (UNIFORM, LARGE))
            for size in sizes
            for index in places_of(size)
            for case in (
                *inclusion_cases(store, index, size),
                *consistency_cases(store, index, size),
            )
        ]
        for case in cases:
            oracle.ask(case.kind, **case.members())
        verdicts = [is_proven(case) for case in cases]
        assert [not answer["error"] for answer in oracle.answers()] == verdicts
        assert verdicts.count(True) > 2000
        assert verdicts.count(False) > 10_000


@dataclass(frozen=True)
class Case:
    """A proof, right or wrong. For consistency, `index` and `leaf` are the old size and root."""

    kind: str
    size: int
    index: int
    leaf: bytes
    proof: list[bytes]
    root: bytes

    def members(self) -> dict[str, Any]:
        """The question's members."""
        return {name: value for name, value in vars(self).items() if name != "kind"}


def is_proven(case: Case) -> bool:
    """Our own verdict."""
    try:
        if case.kind == "check-inclusion":
            verify_inclusion(case.leaf, case.index, case.size, case.proof, case.root)
        else:
            verify_consistency(case.index, case.leaf, case.size, case.proof, case.root)
    except RecordError:
        return False
    return True


def inclusion_cases(store: TileStore, index: int, size: int) -> Iterator[Case]:
    """The proof of a leaf, and wrong ones."""
    leaf = HASHES[index] if store is TILES else leaf_hash(b"the same")
    right = Case(
        "check-inclusion",
        size,
        index,
        leaf,
        inclusion_proof(store, index, size),
        tree_root(store, size),
    )
    yield right
    yield from wrong_cases(right)
    yield replace(right, index=index ^ 1)
    yield replace(right, size=size + 1)


def consistency_cases(store: TileStore, index: int, size: int) -> Iterator[Case]:
    """The proof that a tree of up to `index` + 1 leaves has grown to `size`, and wrong ones."""
    for old_size in {index + 1, 1 << index.bit_length() >> 1} - {0}:  # a power of two as well
        right = Case(
            "check-consistency",
            size,
            old_size,
            tree_root(store, old_size),
            consistency_proof(store, old_size, size),
            tree_root(store, size),
        )
        yield right
        yield from wrong_cases(right)
        yield replace(right, index=old_size + 1)
        yield replace(right, size=size + 1)


def wrong_cases(case: Case) -> Iterator[Case]:
    """A case with one wrong hash, one too few and one too many; with another leaf and root."""
    proof = case.proof
    if proof:
        at = case.index % len(proof)
        yield replace(case, proof=[*proof[:at], leaf_hash(proof[at]), *proof[at + 1 :]])
        yield replace(case, proof=proof[:-1])
        yield replace(case, proof=proof[::-1])
    yield replace(case, proof=[*proof, bytes(32)])
    yield replace(case, leaf=leaf_hash(case.leaf))
    yield replace(case, root=leaf_hash(case.root))


class TestNotes:
    def test_go_opens_our_notes(self, oracle: Oracle) -> None:
        raw = sign_note(TEXT, SIGNERS).encode()
        for keys in (KEYS, KEYS[:1], KEYS[1:]):
            oracle.ask("open", raw=raw, keys=[key.text for key in keys])
        stranger = Signer("stranger", bytes(32)).key
        oracle.ask("open", raw=raw, keys=[stranger.text])
        *opened, refused = oracle.answers()
        assert [each["names"] for each in opened] == [[*SEEDS], [*SEEDS][:1], [*SEEDS][1:]]
        assert {each["text"] for each in opened} == {TEXT}
        assert refused["error"] == "note has no verifiable signatures"

    def test_go_signs_alike(self, oracle: Oracle) -> None:
        oracle.ask("sign", text=TEXT, keys=[private_key_text(signer) for signer in SIGNERS])
        (signed,) = oracle.answers()
        assert b64decode(signed["raw"]) == sign_note(TEXT, SIGNERS).encode()
        assert verify_note(parse_note(b64decode(signed["raw"])), KEYS) == KEYS

    def test_a_checkpoint_is_the_text_of_a_tree(self, oracle: Oracle) -> None:
        """In Go the origin is fixed."""
        for size in (0, 1, 600, 2**62):
            oracle.ask("tree-text", size=size, root=UNIFORM.root(size) or EMPTY_ROOT)
        for size, answer in zip((0, 1, 600, 2**62), oracle.answers(), strict=True):
            root = UNIFORM.root(size) or EMPTY_ROOT
            assert Checkpoint("go.sum database tree", size, root).text == answer["text"]

    def test_go_cosigns_alike(self, oracle: Oracle) -> None:
        times = [1, 1_679_315_147, 2**63 - 1]
        for time, (name, seed) in product(times, SEEDS.items()):
            oracle.ask("cosign", text=TEXT, keys=[name, b64encode(seed).decode()], time=time)
        questions = product(times, SEEDS.items())
        for (time, (name, seed)), answer in zip(questions, oracle.answers(), strict=True):
            witness = Cosigner(name, seed)
            assert answer["error"] == ""
            assert answer["number"] == int.from_bytes(witness.key.id)
            assert parse_note(b64decode(answer["raw"])) == Note(TEXT, (witness.cosign(TEXT, time),))

    def test_go_and_we_judge_cosignatures_alike(self, oracle: Oracle) -> None:
        witness = Cosigner("witness.example/ω", bytes(32))
        right = witness.cosign(TEXT, 1_679_315_147)
        flips = [
            right.value[:place] + bytes([right.value[place] ^ 1 << bit]) + right.value[place + 1 :]
            for place in range(len(right.value))
            for bit in (0, 7)
        ]
        values = [right.value, *flips, right.value[8:], right.value[:-1], right.value + b"\0"]
        notes = [Note(TEXT, (replace(right, value=value),)) for value in values]
        for note in notes:
            oracle.ask("open-cosigned", raw=note.encode(), keys=[witness.key.text])
        own = [witness.key.has_signed(TEXT, value) for value in values]
        assert [not answer["error"] for answer in oracle.answers()] == own
        assert own == [True] + [False] * (len(values) - 1)

    def test_names_have_the_blanks_that_go_knows(self, oracle: Oracle) -> None:
        oracle.ask("refused-points")
        refused = {chr(point) for point in oracle.answers()[0]["points"]}
        points = [*range(32, 0xD800), *range(0xE000, 0x10000)]  # surrogates are no characters
        own = {chr(point) for point in points if not is_name(chr(point))}
        assert own == {character for character in refused if ord(character) >= 32}
        assert {" ", "+", "\u0085", "\u3000"} <= own

    def test_we_accept_no_note_that_go_refuses_and_read_the_same(self, oracle: Oracle) -> None:
        """Nearly all are refused by both; base64 of another spelling by us alone."""
        notes = list(altered_notes(Random("notes"), 3000))
        for raw in notes:
            oracle.ask("open", raw=raw, keys=[key.text for key in KEYS])
        kinds = set()
        for raw, answer in zip(notes, oracle.answers(), strict=True):
            read = read_note(raw)
            kinds.add((read is not None, not answer["error"]))
            if read:
                assert (answer["error"], answer["text"], answer["names"]) == ("", *read)
        assert kinds >= {(True, True), (False, False)}


def is_name(text: str) -> bool:
    """Whether a key may have this name."""
    try:
        VerifierKey(text, bytes(32))
    except MalformedError:
        return False
    return True


def read_note(raw: bytes) -> tuple[str, list[str]] | None:
    """The text and the signers of a note, if it is accepted."""
    try:
        note = parse_note(raw)
        return note.text, [key.name for key in verify_note(note, KEYS)]
    except RecordError:
        return None


def altered_notes(chance: Random, count: int) -> Iterator[bytes]:
    """A note with bytes changed, left out, doubled or moved, and with other lines."""
    whole = sign_note(TEXT, SIGNERS).encode()
    pieces = [b"\n", b"\n\n", b" ", b"=", b"A", "— ".encode(), b"\t", b"\xff", "\u2028".encode()]
    lines = whole.splitlines(keepends=True)
    for _ in range(count):
        at = chance.randrange(len(whole))
        match chance.randrange(5):
            case 0:
                yield whole[:at] + bytes([chance.randrange(256)]) + whole[at + 1 :]
            case 1:
                yield whole[:at] + whole[at + 1 :]
            case 2:
                yield whole[:at] + chance.choice(pieces) + whole[at:]
            case 3:
                yield b"".join(chance.choices(lines, k=len(lines)))
            case _:
                yield b"".join([*lines[:-2], *chance.sample(lines[-2:] * 2, chance.randrange(5))])

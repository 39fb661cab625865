"""The Merkle tree over tiles, against RFC 6962's definitions, at all sizes that lie at an edge."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from random import Random

import pytest

from record.tiles import Growth, MemoryTiles, MissingHashesError, Place, tiles_of_growth
from record.tree import append_leaves, consistency_proof, inclusion_proof, tree_root
from tabularium_log.record.errors import MalformedError, RecordError, UnverifiedError
from tabularium_log.record.hashes import EMPTY_ROOT, HASH_BYTES, leaf_hash, node_hash
from tabularium_log.record.tree_verifier import verify_consistency, verify_inclusion
from tests.record.plain_tree import (
    CountingTiles,
    PlainTree,
    UniformTiles,
    cut,
    filled,
    leaves_of,
)

SIZES = range(601)
EDGES = [255, 256, 257, 511, 512, 513, 65_535, 65_536, 65_537, 65_792, 66_000]
LARGE = [2**16 - 1, 2**24 - 1, 2**24, 2**24 + 1, 2**32 + 257, 2**40 - 255, 2**62 + 1, 2**63 - 1]
LEAVES = leaves_of(max(EDGES))
PLAIN = PlainTree(LEAVES)
TILES = filled(LEAVES)
UNIFORM = UniformTiles(b"the same")
both = pytest.mark.parametrize("sizes", [SIZES, EDGES], ids=["small", "edges"])

# The eight leaves with which Certificate Transparency tests its trees, and the roots of its trees.
CT_LEAVES = [
    bytes.fromhex(text)
    for text in (
        "",
        "00",
        "10",
        "2021",
        "3031",
        "40414243",
        "5051525354555657",
        "606162636465666768696a6b6c6d6e6f",
    )
]
CT_ROOTS = [
    "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
    "6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d",
    "fac54203e7cc696cf0dfcb42c92a1d9dbaf70ad9e621f4bd8d98662f00e3c125",
    "aeb6bcfe274b70a14fb067a5e5578264db0fa9b51af5e0ba159158f329e06e77",
    "d37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7",
    "4e3bbb1f7b478dcfe71fb631631519a3bca12c9aefca1612bfce4c13a86264d4",
    "76e67dadbcdf1e10e1b74ddc608abd2f98dfb16fbce75277b5232a127f2087ef",
    "ddb89be403809e325750d3d263cd78929c2942b7942a34b77e122c9594a74c8c",
    "5dc9da79a70659a9ad559cb701ded9a2ab9d823aad2f4960cfe370eff4604328",
]


def indexes_of(size: int, chance: Random) -> list[int]:
    """All leaves of a small tree; of a larger one those at its edges, and some others."""
    if size <= 130:
        return list(range(size))
    near = {0, 1, size // 2, size - 2, size - 1, size & (size - 1), (size & (size - 1)) - 1}
    return sorted({index for index in near if index >= 0} | {chance.randrange(size)})


class TestRoots:
    def test_the_trees_of_certificate_transparency(self) -> None:
        store = filled(CT_LEAVES)
        assert [tree_root(store, size).hex() for size in range(9)] == CT_ROOTS

    @both
    def test_every_root_is_that_of_the_definition(self, sizes: Sequence[int]) -> None:
        assert [tree_root(TILES, size) for size in sizes] == [PLAIN.root(0, size) for size in sizes]

    def test_a_leaf_is_no_node(self) -> None:
        left, right = leaf_hash(b"a"), leaf_hash(b"b")
        assert leaf_hash(left + right) != node_hash(left, right)

    @pytest.mark.parametrize("size", LARGE)
    def test_a_root_of_any_size(self, size: int) -> None:
        assert tree_root(UNIFORM, size) == UNIFORM.root(size)

    def test_no_tree_has_a_negative_size(self) -> None:
        with pytest.raises(RecordError, match="-1 is not the size"):
            tree_root(TILES, -1)


class TestAppending:
    def test_tiles_do_not_depend_on_how_leaves_arrive(self) -> None:
        hashes = [*map(leaf_hash, LEAVES)]
        chance = Random("rounds")
        store, size = MemoryTiles(), 0
        while size < len(hashes):
            count = chance.choice([0, 1, 2, 255, 256, 257, 700, 2000])
            size = append_leaves(store, size, hashes[size : size + count])
        places = [place for place, _ in tiles_of_growth(0, size)]
        assert store.read(places) == TILES.read(places)

    def test_one_by_one_the_tree_always_has_its_root(self) -> None:
        store = MemoryTiles()
        for size in SIZES[:-1]:
            assert append_leaves(store, size, [leaf_hash(LEAVES[size])]) == size + 1
            assert tree_root(store, size + 1) == PLAIN.root(0, size + 1)

    def test_a_tile_of_a_smaller_tree_begins_the_tile_of_a_larger_one(self) -> None:
        for size in (1, 70, 256, 300, 65_536, 65_800):
            smaller = filled(LEAVES[:size])
            for place, width in tiles_of_growth(0, size):
                (tile,) = smaller.read([place]).values()
                assert len(tile) == width * HASH_BYTES
                assert TILES.read([place])[place].startswith(tile)

    def test_level_0_has_the_hashes_of_leaves_and_level_1_their_roots(self) -> None:
        tiles = TILES.read([Place(0, 3), Place(1, 0)])
        assert cut(tiles[Place(0, 3)]) == [*map(leaf_hash, LEAVES[768:1024])]
        assert cut(tiles[Place(1, 0)])[3] == PLAIN.root(768, 1024)

    def test_another_size_than_that_of_the_store_is_refused(self) -> None:
        store = filled(LEAVES[:300])
        for size in (299, 0):
            with pytest.raises(RecordError, match=r"has \d+ hashes, not"):
                append_leaves(store, size, [leaf_hash(b"")] * 3)
        for size in (301, 600):
            with pytest.raises(MissingHashesError, match="are needed"):
                append_leaves(store, size, [leaf_hash(b"")])
        assert tree_root(store, 300) == PLAIN.root(0, 300)

    def test_growth_is_whole_or_none(self) -> None:
        store = filled(LEAVES[:3])
        wanted = [Growth(Place(0, 0), 3, bytes(32)), Growth(Place(1, 0), 7, bytes(32))]
        with pytest.raises(RecordError, match="has 0 hashes, not 7"):
            store.grow(wanted)
        assert len(store.read([Place(0, 0)])[Place(0, 0)]) == 3 * HASH_BYTES

    def test_a_leaf_is_given_by_its_hash(self) -> None:
        with pytest.raises(RecordError, match="32 bytes"):
            append_leaves(MemoryTiles(), 0, [b"short"])


class TestProofs:
    def test_known_proofs_of_certificate_transparency(self) -> None:
        store = filled(CT_LEAVES)
        assert [each.hex() for each in inclusion_proof(store, 5, 8)] == [
            "bc1a0643b12e4d2d7c77918f44e0f4f79a838b6cf9ec5b5c283e1f4d88599e6b",
            "ca854ea128ed050b41b35ffc1b87b8eb2bde461e9e3b5596ece6b9d5975a0ae0",
            "d37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7",
        ]
        assert [each.hex() for each in consistency_proof(store, 6, 8)] == [
            "0ebc5d3437fbe2db158b9f126a1d118e308181031d0a949f8dededebc558ef6a",
            "ca854ea128ed050b41b35ffc1b87b8eb2bde461e9e3b5596ece6b9d5975a0ae0",
            "d37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7",
        ]

    @pytest.mark.lane("slow")
    @both
    def test_every_inclusion_proof_is_that_of_the_definition_and_verifies(
        self, sizes: Sequence[int]
    ) -> None:
        chance = Random("inclusion")
        for size in sizes:
            root = PLAIN.root(0, size)
            for index in indexes_of(size, chance):
                proof = inclusion_proof(TILES, index, size)
                assert proof == PLAIN.path(index, 0, size)
                verify_inclusion(leaf_hash(LEAVES[index]), index, size, proof, root)

    @pytest.mark.lane("slow")
    @both
    def test_every_consistency_proof_is_that_of_the_definition_and_verifies(
        self, sizes: Sequence[int]
    ) -> None:
        chance = Random("consistency")
        for size in sizes:
            root = PLAIN.root(0, size)
            for old_size in [*indexes_of(size, chance), size]:
                proof = consistency_proof(TILES, old_size, size)
                assert proof == (PLAIN.proof(old_size, 0, size) if old_size else [])
                verify_consistency(old_size, PLAIN.root(0, old_size), size, proof, root)

    @pytest.mark.parametrize("size", LARGE)
    def test_proofs_of_any_size(self, size: int) -> None:
        chance = Random(size)
        root = UNIFORM.root(size)
        for index in indexes_of(size, chance):
            proof = inclusion_proof(UNIFORM, index, size)
            verify_inclusion(leaf_hash(b"the same"), index, size, proof, root)
            if index:
                proof = consistency_proof(UNIFORM, index, size)
                verify_consistency(index, UNIFORM.root(index), size, proof, root)

    def test_the_store_is_read_once(self) -> None:
        store = CountingTiles()
        filled(LEAVES, store)
        calls: list[Callable[[], object]] = [
            lambda: tree_root(store, 65_999),
            lambda: inclusion_proof(store, 300, 65_999),
            lambda: consistency_proof(store, 301, 65_999),
            lambda: append_leaves(store, len(LEAVES), [leaf_hash(b"")] * 2000),
        ]
        for call in calls:
            store.reads = 0
            call()
            assert store.reads == 1

    def test_a_store_that_lacks_hashes_is_named(self) -> None:
        for call in (tree_root, lambda *args: inclusion_proof(args[0], 2, args[1])):
            with pytest.raises(
                MissingHashesError, match=r"tile/0/000 has 3 hashes, and \d of them"
            ):
                call(filled(LEAVES[:3]), 5)

    def test_there_is_no_proof_of_leaves_outside_the_tree(self) -> None:
        for index, size in ((5, 5), (-1, 5), (0, 0)):
            with pytest.raises(RecordError, match="no leaf"):
                inclusion_proof(TILES, index, size)
            with pytest.raises(MalformedError, match="no leaf"):
                verify_inclusion(leaf_hash(b""), index, size, [], EMPTY_ROOT)
        for old_size, size in ((6, 5), (-1, 5)):
            with pytest.raises(RecordError, match="does not contain"):
                consistency_proof(TILES, old_size, size)
            with pytest.raises(MalformedError, match="does not contain"):
                verify_consistency(old_size, EMPTY_ROOT, size, [], EMPTY_ROOT)


def altered(proof: list[bytes], chance: Random) -> list[list[bytes]]:
    """Wrong proofs: a bit turned in each hash, one left out, doubled, added, and two exchanged."""
    wrong = [[*proof, bytes(32)], [bytes(32), *proof]]
    for at, each in enumerate(proof):
        bit = 1 << chance.randrange(256)
        turned = (int.from_bytes(each, "big") ^ bit).to_bytes(32, "big")
        rest = proof[at + 1 :]
        wrong += [
            [*proof[:at], turned, *rest],
            [*proof[:at], *rest],
            [*proof[:at], each, each, *rest],
        ]
        if rest and rest[0] != each:
            wrong.append([*proof[:at], rest[0], each, *rest[1:]])
    return wrong


class TestRefusals:
    SIZES = (1, 2, 3, 5, 6, 7, 8, 9, 100, 255, 256, 257, 600, 65_537)

    @pytest.mark.parametrize("size", SIZES)
    def test_no_altered_inclusion_proof_verifies(self, size: int) -> None:
        chance = Random(size)
        root = PLAIN.root(0, size)
        for index in indexes_of(size, chance)[-12:]:
            leaf, proof = leaf_hash(LEAVES[index]), inclusion_proof(TILES, index, size)
            for wrong in altered(proof, chance):
                with pytest.raises(RecordError):
                    verify_inclusion(leaf, index, size, wrong, root)
            for other in {index ^ 1, index - 1, index + 1, size - 1} - {index}:
                with pytest.raises(RecordError):
                    verify_inclusion(leaf, other, size, proof, root)
            with pytest.raises(UnverifiedError):
                verify_inclusion(leaf_hash(b"another"), index, size, proof, root)
            with pytest.raises(UnverifiedError):
                verify_inclusion(leaf, index, size, proof, leaf_hash(b"another"))

    @pytest.mark.parametrize("size", SIZES)
    def test_no_altered_consistency_proof_verifies(self, size: int) -> None:
        chance = Random(size)
        root = PLAIN.root(0, size)
        for old_size in [*indexes_of(size, chance)[-12:], size]:
            old_root, proof = PLAIN.root(0, old_size), consistency_proof(TILES, old_size, size)
            for wrong in altered(proof, chance):
                with pytest.raises(RecordError):
                    verify_consistency(old_size, old_root, size, wrong, root)
            with pytest.raises(UnverifiedError):
                verify_consistency(old_size, leaf_hash(b"another"), size, proof, root)
            if old_size:  # from the empty tree, every tree is a growth
                with pytest.raises(UnverifiedError):
                    verify_consistency(old_size, old_root, size, proof, leaf_hash(b"another"))

    def test_a_rewritten_beginning_has_no_proof(self) -> None:
        forked = filled([*LEAVES[:40], b"another", *LEAVES[41:300]])
        root = tree_root(forked, 300)
        for old_size in range(41, 300):
            proof = consistency_proof(forked, old_size, 300)
            with pytest.raises(UnverifiedError, match="leads to another root of the"):
                verify_consistency(old_size, PLAIN.root(0, old_size), 300, proof, root)

    def test_hashes_have_32_bytes(self) -> None:
        with pytest.raises(MalformedError, match="32 bytes"):
            verify_inclusion(b"", 0, 1, [], b"")
        with pytest.raises(MalformedError, match="32 bytes"):
            verify_consistency(1, bytes(32), 2, [b"short"], bytes(32))

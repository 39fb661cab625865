"""The verification of inclusion and consistency proofs, written apart from how they are made.

It climbs from the leaf by the bits of its index, as RFC 9162 describes. On the lower levels the
proof's hash lies on the side that the bit names; above the highest bit in which the index differs
from that of the last leaf, every hash of the proof lies on the left.
"""

from __future__ import annotations

from collections.abc import Sequence

from tabularium_log.record.errors import MalformedError, UnverifiedError
from tabularium_log.record.hashes import EMPTY_ROOT, HASH_BYTES, node_hash


def verify_inclusion(
    leaf: bytes, index: int, size: int, proof: Sequence[bytes], root: bytes
) -> None:
    """Raise an error unless the leaf of this hash is leaf `index` of the tree of this root."""
    if not 0 <= index < size:
        raise MalformedError(f"A tree of {size} leaves has no leaf {index}.")
    _check_hashes([leaf, root, *proof])
    lower = (index ^ (size - 1)).bit_length()
    _check_length(proof, lower + (index >> lower).bit_count())
    climbed = leaf
    for level, sibling in enumerate(proof):
        is_right = level >= lower or index >> level & 1
        climbed = node_hash(sibling, climbed) if is_right else node_hash(climbed, sibling)
    if climbed != root:
        raise UnverifiedError("The inclusion proof leads to another root.")


def verify_consistency(
    old_size: int, old_root: bytes, size: int, proof: Sequence[bytes], root: bytes
) -> None:
    """Raise an error unless the tree of `old_root` is a beginning of that of `root`."""
    if not 0 <= old_size <= size:
        raise MalformedError(f"A tree of {size} leaves does not contain one of {old_size}.")
    _check_hashes([old_root, root, *proof])
    for each_size, each_root in ((old_size, old_root), (size, root)):
        if not each_size and each_root != EMPTY_ROOT:
            raise UnverifiedError("A tree without leaves has another root.")
    if old_size in (0, size):
        _check_length(proof, 0)
        if old_size and old_root != root:
            raise UnverifiedError("Two trees of the same size have different roots.")
        return
    old_climbed, climbed = _climb_both(old_size, old_root, size, proof)
    if old_climbed != old_root:
        raise UnverifiedError("The consistency proof leads to another root of the old tree.")
    if climbed != root:
        raise UnverifiedError("The consistency proof leads to another root of the new tree.")


def _climb_both(
    old_size: int, old_root: bytes, size: int, proof: Sequence[bytes]
) -> tuple[bytes, bytes]:
    """The roots of both trees that follow from a consistency proof. The climb begins at the largest
    node that ends with the old tree: that is the old tree itself, if its size is a power of two,
    and else the first hash of the proof."""
    last = old_size - 1
    height = (old_size & -old_size).bit_length() - 1  # of that node
    is_whole = old_size == 1 << height
    lower = (last ^ (size - 1)).bit_length() - height
    index = last >> height
    _check_length(proof, (not is_whole) + lower + (index >> lower).bit_count())
    seed, path = (old_root, proof) if is_whole else (proof[0], proof[1:])
    old_climbed = climbed = seed
    for level, sibling in enumerate(path):
        if level >= lower or index >> level & 1:
            old_climbed = node_hash(sibling, old_climbed)
            climbed = node_hash(sibling, climbed)
        else:
            climbed = node_hash(climbed, sibling)
    return old_climbed, climbed


def _check_hashes(hashes: Sequence[bytes]) -> None:
    if any(len(each) != HASH_BYTES for each in hashes):
        raise MalformedError(f"A hash of a proof has {HASH_BYTES} bytes.")


def _check_length(proof: Sequence[bytes], length: int) -> None:
    if len(proof) != length:
        raise MalformedError(f"The proof has {len(proof)} hashes, and must have {length}.")

"""The hashes of an RFC 6962 Merkle tree: of leaves, of nodes, of the empty tree."""

from __future__ import annotations

from hashlib import sha256
from typing import Final

HASH_BYTES: Final = 32
EMPTY_ROOT: Final = sha256(b"").digest()


def leaf_hash(leaf: bytes) -> bytes:
    """The hash of a leaf. Its prefix differs from that of nodes: neither passes for the other."""
    return sha256(b"\x00" + leaf).digest()


def node_hash(left: bytes, right: bytes) -> bytes:
    """The hash of a node, given the hashes of its two children."""
    return sha256(b"\x01" + left + right).digest()


def perfect_root(hashes: bytes) -> bytes:
    """The root over 1, 2, 4, 8 … hashes, which follow each other without a gap."""
    row = [hashes[at : at + HASH_BYTES] for at in range(0, len(hashes), HASH_BYTES)]
    while len(row) > 1:
        row = list(map(node_hash, row[::2], row[1::2]))
    return row[0]

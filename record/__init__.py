"""The public record: a Merkle tree of leaves about games, signed checkpoints, and proofs."""

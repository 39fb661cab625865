"""The public record as far as a proof needs it: signed notes, checkpoints, leaves and proofs."""

"""The verification of the proof in an export: that the leaf of the game is in the tree of a signed
checkpoint. The proof states no leaf; it is made from the export."""

from __future__ import annotations

from typing import Final

from tabularium_log.audit.export_reader import Export
from tabularium_log.audit.verdict import Flaw
from tabularium_log.record.checkpoint import Checkpoint, parse_checkpoint
from tabularium_log.record.errors import MalformedError, RecordError, UnverifiedError
from tabularium_log.record.game_leaves import BLIND_LEAF, exported_game, exported_secret
from tabularium_log.record.hashes import leaf_hash
from tabularium_log.record.note import Note, VerifierKey, parse_note, parse_verifier_key
from tabularium_log.record.proof import LeafProof, OutOfTreeError, parse_proof
from tabularium_log.record.tree_verifier import verify_inclusion

NO_PROOF: Final = "The export has no proof from the record."
NOT_A_PROOF: Final = "The proof is not in the form of c2sp.org/tlog-proof@v1."
NOT_A_CHECKPOINT: Final = "The checkpoint in the proof is malformed."
OTHER_TREE: Final = (
    "The proof does not lead from the leaf of this game to the root of the checkpoint."
)
OTHER_RECORD: Final = "The checkpoint is of another record than the given key."
UNSIGNED: Final = "The given key of the record has not signed the checkpoint."
FALSE_SIGNATURE: Final = "The signature of the checkpoint by the given key is false."


def check_record(export: Export, record_key: str | None = None) -> None:
    """The proof of an export, if it has one, must lead to the root of its checkpoint; if the
    verifier key of the record is given, there must be one, signed by that key. Raises Flaw, and
    MalformedError if the key is none."""
    key = parse_verifier_key(record_key) if record_key else None
    if export.record is None:
        if key:
            raise Flaw(NO_PROOF)
        return
    line = 3 + len(export.entries) + export.reveal_line_count
    try:
        proof, checkpoint = _parse(export.record.proof.encode())
        verify_inclusion(
            leaf_hash(_leaf(export)), proof.index, checkpoint.size, proof.hashes, checkpoint.root
        )
        if key:
            _check_signature(proof.checkpoint, checkpoint, key)
    except UnverifiedError as problem:
        raise Flaw(OTHER_TREE, None, line) from problem
    except RecordError as problem:
        raise Flaw(str(problem), None, line) from problem
    except Flaw as flaw:
        raise Flaw(flaw.sentence, None, line) from flaw


def _leaf(export: Export) -> bytes:
    """The leaf that the game has, as it follows from the export."""
    facts = exported_game(export)
    is_blinded = export.record is not None and export.record.leaf == BLIND_LEAF
    return (facts.blinded(exported_secret(export)) if is_blinded else facts.text).encode()


def _parse(raw: bytes) -> tuple[LeafProof, Checkpoint]:
    _, separator, note = raw.partition(b"\n\n")
    try:
        checkpoint = parse_checkpoint(parse_note(note).text)
    except MalformedError as problem:
        raise Flaw(NOT_A_CHECKPOINT if separator else NOT_A_PROOF) from problem
    try:
        return parse_proof(raw), checkpoint
    except OutOfTreeError:
        raise
    except MalformedError as problem:
        raise Flaw(NOT_A_PROOF) from problem


def _check_signature(note: Note, checkpoint: Checkpoint, key: VerifierKey) -> None:
    """The key must have signed, and no line in its name may be false."""
    if checkpoint.origin != key.name:
        raise Flaw(OTHER_RECORD)
    own = [each for each in note.signatures if (each.name, each.key_id) == (key.name, key.id)]
    if not own:
        raise Flaw(UNSIGNED)
    if not all(key.has_signed(note.text, each.value) for each in own):
        raise Flaw(FALSE_SIGNATURE)

"""Proofs that stored games are in the public record, from the last signed checkpoint."""

from __future__ import annotations

from typing import Final, NamedTuple

from games.models import Game
from record.asking import served_note
from record.database_tiles import DatabaseTiles
from record.growth import read_tree
from record.models import Leaf, SignedCheckpoint
from record.signing import latest_checkpoint
from record.tree import inclusion_proof
from tabularium_log.audit.export_format import LeafKind, Record
from tabularium_log.record.checkpoint import parse_checkpoint
from tabularium_log.record.errors import RecordError
from tabularium_log.record.game_leaves import BLIND_LEAF, GAME_LEAF
from tabularium_log.record.hashes import leaf_hash
from tabularium_log.record.note import parse_note
from tabularium_log.record.proof import LeafProof
from tabularium_log.record.tree_verifier import verify_inclusion

RUNNING: Final = "The game is not over: the record has only games that are over."
UNSIGNED: Final = "This server has not signed its record, so no game is proven to be in it."
NOT_YET: Final = "The last signed checkpoint of the record does not have the leaf of this game yet."


class NotRecordedYetError(RecordError):
    """A game that no signed checkpoint has, with the reason."""

    @property
    def is_next(self) -> bool:
        """Whether the next checkpoint will have it."""
        return str(self) == NOT_YET


class GameProof(NamedTuple):
    """The kind of a game's leaf, and the proof that the tree of a checkpoint has it."""

    leaf: LeafKind
    proof: LeafProof

    @property
    def for_export(self) -> Record:
        """The line that an export adds."""
        return Record(self.leaf, self.proof.encode().decode())


def prove_game(row: Game) -> GameProof:
    """The proof of a game in the last signed checkpoint; NotRecordedYetError if it has none."""
    if row.phase != Game.Phase.OVER:
        raise NotRecordedYetError(RUNNING)
    latest = _checkpoint_of_this_tree()
    if row.leaf is None or row.leaf >= latest.size:
        raise NotRecordedYetError(NOT_YET)
    note = parse_note(served_note(latest).encode())
    checkpoint = parse_checkpoint(note.text)
    text = Leaf.objects.values_list("text", flat=True).get(number=row.leaf)
    hashes = inclusion_proof(DatabaseTiles(), row.leaf, checkpoint.size)
    hash_ = leaf_hash(text.encode())
    verify_inclusion(hash_, row.leaf, checkpoint.size, hashes, checkpoint.root)
    kind: LeafKind = GAME_LEAF if f'"leaf":"{GAME_LEAF}"' in text else BLIND_LEAF
    return GameProof(kind, LeafProof(row.leaf, tuple(hashes), note))


def _checkpoint_of_this_tree() -> SignedCheckpoint:
    """The last checkpoint. One under an earlier name may state another tree."""
    latest = latest_checkpoint()
    if latest is None:
        raise NotRecordedYetError(UNSIGNED)
    if parse_checkpoint(parse_note(latest.note.encode()).text).origin != read_tree().origin:
        raise NotRecordedYetError(NOT_YET)
    return latest

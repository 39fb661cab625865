"""Cosigning the checkpoints of other logs, as in C2SP tlog-witness.

A checkpoint is cosigned if its tree continues the last one that was cosigned. The database keeps
that tree, and a guard outside of it. The order keeps a cosignature from being about a tree that the
guard does not know: the row is changed if it is as it was read, the guard is moved, the transaction
is committed, and then the cosignature is given out. After a crash between any two steps, or with a
database that went back, the guard has the later tree, and the log is asked to continue that one.
"""

from __future__ import annotations

import logging
from dataclasses import dataclass
from datetime import datetime
from hashlib import sha256
from typing import Final

from django.db import transaction
from django.utils import timezone

from record.cosignature import verified_lines, with_lines
from record.guard_file import Guard
from record.models import Evidence, Witnessed
from record.signing import check_durability
from record.witness_identity import Witness, log_hash, read_witness
from record.witness_request import AddCheckpoint, parse_request
from tabularium_log.record.checkpoint import Checkpoint, EmptyTreeError, parse_checkpoint
from tabularium_log.record.errors import MalformedError, RecordError, UnverifiedError
from tabularium_log.record.hashes import EMPTY_ROOT
from tabularium_log.record.note import Note, VerifierKey
from tabularium_log.record.tree_verifier import verify_consistency

logger = logging.getLogger(__name__)

EVIDENCE_LIMIT: Final = 100  # checkpoints of a kind that are kept of a log
MEANINGS: Final = {
    Evidence.Kind.FORK: "they fork those that were cosigned",
    Evidence.Kind.UNPROVEN: "they are not proven to continue those that were cosigned",
}


class UnknownLogError(RecordError):
    """The witness does not know the log."""


class UnsignedCheckpointError(RecordError):
    """No key of the log has signed the checkpoint, or one has signed it wrongly."""


class OldSizeError(RecordError):
    """The witness has seen a tree of another size than the request says."""

    def __init__(self, size: int) -> None:
        super().__init__(f"The witness has cosigned {size} leaves.")
        self.size = size


class UnprovenError(RecordError):
    """The checkpoint does not continue the last one that was cosigned."""


class NotReadyError(RecordError):
    """The witness cannot cosign at present, for a reason that its operator can mend."""


@dataclass(frozen=True)
class _Request:
    """A request of a known log, whose signature is verified."""

    witness: Witness
    origin: str
    note: Note  # without lines of unknown keys
    parts: AddCheckpoint

    @property
    def log(self) -> str:
        """The hash of the log."""
        return log_hash(self.origin)


@dataclass(frozen=True)
class Seen:
    """The largest tree of a log that was cosigned, or was about to be."""

    size: int
    root: bytes


def add_checkpoint(raw: bytes, now: datetime | None = None) -> bytes:
    """The cosignature lines for a checkpoint; one of the errors above if it is refused."""
    request = _verified(parse_request(raw))
    try:
        checkpoint = parse_checkpoint(request.note.text)
    except EmptyTreeError as problem:
        raise UnprovenError(str(problem)) from problem
    if request.parts.old_size > checkpoint.size:
        raise MalformedError(
            f"The old size {request.parts.old_size} is above that of the checkpoint, "
            f"{checkpoint.size}."
        )
    fresh = {"origin": request.origin, "root": EMPTY_ROOT, "at": now or timezone.now()}
    row, _ = Witnessed.objects.get_or_create(log=request.log, defaults=fresh)
    try:
        check_continuity(_seen(request, row), request.parts, checkpoint)
    except (OldSizeError, UnprovenError) as problem:
        if kind := kind_of_evidence(row, checkpoint, problem):
            keep_evidence(row, checkpoint, request.note, kind)
        raise
    return _cosign(request, row, checkpoint, now or timezone.now())


def _verified(parts: AddCheckpoint) -> _Request:
    """The request, if a known log has signed its checkpoint."""
    try:
        witness = read_witness()
    except (RecordError, OSError) as problem:
        raise NotReadyError(str(problem)) from problem
    origin = parts.note.text.partition("\n")[0]
    keys: list[VerifierKey] = witness.logs.keys_of_log(origin) if witness else []
    if witness is None or not keys:
        raise UnknownLogError(f"The log {origin[:200]!r} is not known here.")
    try:
        lines = verified_lines(parts.note.text, parts.note.signatures, keys)
    except UnverifiedError as problem:
        raise UnsignedCheckpointError(str(problem)) from problem
    return _Request(witness, origin, Note(parts.note.text, tuple(lines)), parts)


def _seen(request: _Request, row: Witnessed) -> Seen:
    try:
        guard = request.witness.guard_of(row.log)
    except (RecordError, OSError) as problem:
        raise NotReadyError(str(problem)) from problem
    return seen_tree(row, guard)


def seen_tree(row: Witnessed, guard: Guard | None) -> Seen:
    """The later tree of the database and the guard."""
    in_database = Seen(row.size, bytes(row.root))
    if guard is None:
        if row.note:
            raise NotReadyError(f"The guard of {row.origin!r} is missing.")
        return in_database
    guarded = Seen(guard.size, bytes.fromhex(guard.root))
    if guarded.size == in_database.size and guarded != in_database:
        raise NotReadyError(f"The guard and the database have different trees of {row.origin!r}.")
    return max(guarded, in_database, key=lambda each: each.size)


def check_continuity(seen: Seen, parts: AddCheckpoint, checkpoint: Checkpoint) -> None:
    """Raise an error unless the checkpoint is proven to continue the tree that was seen."""
    if parts.old_size != seen.size:
        raise OldSizeError(seen.size)
    try:
        verify_consistency(seen.size, seen.root, checkpoint.size, parts.proof, checkpoint.root)
    except RecordError as problem:
        raise UnprovenError(str(problem)) from problem


def _cosign(request: _Request, row: Witnessed, checkpoint: Checkpoint, now: datetime) -> bytes:
    """Keep the tree, and cosign it, unless another request was faster."""
    text, time = request.note.text, int(now.timestamp())
    lines = [cosigner.cosign(text, time) for cosigner in request.witness.cosigners]
    note = with_lines(request.note, lines).encode().decode()
    with transaction.atomic():
        check_durability()
        as_read = Witnessed.objects.filter(log=row.log, size=row.size, root=bytes(row.root))
        if not as_read.update(size=checkpoint.size, root=checkpoint.root, note=note, at=now):
            raise OldSizeError(Witnessed.objects.get(log=row.log).size)
        _move_guard(request, checkpoint)
    return "".join(line.line for line in lines).encode()


def _move_guard(request: _Request, checkpoint: Checkpoint) -> None:
    try:
        request.witness.move_guard(request.log, request.origin, checkpoint.size, checkpoint.root)
    except (RecordError, OSError) as problem:
        raise NotReadyError(str(problem)) from problem


def kind_of_evidence(
    row: Witnessed, checkpoint: Checkpoint, problem: RecordError
) -> Evidence.Kind | None:
    """The kind of evidence that a refused checkpoint is. Another root of the same size convicts the
    log; a larger tree may be a part of a fork if its proof is wrong."""
    if not row.note:
        return None
    if checkpoint.size == row.size and checkpoint.root != bytes(row.root):
        return Evidence.Kind.FORK
    is_later = checkpoint.size > row.size
    return Evidence.Kind.UNPROVEN if is_later and isinstance(problem, UnprovenError) else None


def keep_evidence(row: Witnessed, checkpoint: Checkpoint, note: Note, kind: Evidence.Kind) -> None:
    """Keep a refused checkpoint beside the one that was cosigned; a limited number of each kind."""
    kept = Evidence.objects.filter(log=row.log, kind=kind)
    digest = sha256(note.text.encode()).hexdigest()
    if kept.filter(digest=digest).exists() or kept.count() >= EVIDENCE_LIMIT:
        return
    _, is_new = Evidence.objects.get_or_create(
        log=row.log,
        kind=kind,
        digest=digest,
        defaults={
            "origin": row.origin,
            "size": checkpoint.size,
            "note": note.encode().decode(),
            "against": row.note,
            "at": timezone.now(),
        },
    )
    if is_new:
        meaning = MEANINGS[kind]
        logger.error("The log %s has signed %d leaves: %s.", row.origin, checkpoint.size, meaning)


def latest_witnessed(log: str) -> Witnessed | None:
    """The last checkpoint that was cosigned of the log of this hash."""
    return Witnessed.objects.filter(log=log).exclude(note="").first()

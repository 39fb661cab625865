"""A witness for tests, and another log that submits its checkpoints to it."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Final

import pytest
from django.conf import settings
from pytest_django import Settings

from config.keys.key_files import KeyList
from record import witness, witness_identity
from record.cosignature import Cosigner, parse_lines, time_of, verified_lines
from record.guard_file import Guard, read_guard
from record.models import Witnessed
from record.tiles import MemoryTiles
from record.tree import append_leaves, consistency_proof, tree_root
from record.witness_request import AddCheckpoint
from tabularium_log.record.checkpoint import Checkpoint
from tabularium_log.record.errors import RecordError
from tabularium_log.record.hashes import leaf_hash
from tabularium_log.record.note import Note, Signer, sign_note

NAME: Final = "witness.example/w1"
KEY: Final = bytes(range(3, 35))
WITNESS: Final = Cosigner(NAME, KEY).key
LOG: Final = "log.example/record"
LOG_KEY: Final = bytes(range(4, 36))


class Log:
    """A log in memory."""

    def __init__(self, *leaves: str, origin: str = LOG, key: bytes = LOG_KEY) -> None:
        self.signer = Signer(origin, key)
        self._tiles = MemoryTiles()
        self.size = 0
        self.add(*leaves)

    def add(self, *leaves: str) -> None:
        """Append leaves."""
        self.size = append_leaves(
            self._tiles, self.size, [leaf_hash(leaf.encode()) for leaf in leaves]
        )

    def checkpoint(self, size: int | None = None) -> Checkpoint:
        """The state at a size, by default the last."""
        size = self.size if size is None else size
        return Checkpoint(self.signer.key.name, size, tree_root(self._tiles, size))

    def note(self, size: int | None = None) -> Note:
        """The signed checkpoint of a size."""
        return sign_note(self.checkpoint(size).text, [self.signer])

    def proof(self, old: int, size: int | None = None) -> tuple[bytes, ...]:
        """The proof that the tree has only grown."""
        if old in (0, size or self.size):
            return ()
        return tuple(consistency_proof(self._tiles, old, size or self.size))

    def body(self, old: int, size: int | None = None) -> bytes:
        """A request to cosign."""
        return AddCheckpoint(old, self.proof(old, size), self.note(size)).encode()


def use_witness(
    folder: Path, wrapper: Settings, *logs: Log, keys: Sequence[bytes] = (KEY,)
) -> None:
    """Be a witness of these logs, with guards in this folder."""
    wrapper.WITNESS_GUARDS = folder / "witness_guards"
    wrapper.WITNESS_LOGS = folder / "witness_logs"
    texts = [key.hex() for key in keys]
    wrapper.WITNESS_KEYS = KeyList("WITNESS_KEYS", texts, folder / "witness_key")
    list_logs(folder, *logs)
    witness_identity.begin(NAME, adopt=False)


def list_logs(folder: Path, *logs: Log) -> None:
    """List these logs for the witness."""
    lines = [f"log {log.signer.key.text}" for log in logs]
    (folder / "witness_logs").write_text("\n".join([*lines, "quorum none"]))


def guard_of(log: Log) -> Guard | None:
    """The guard of a log."""
    origin = log.signer.key.name
    return read_guard(settings.WITNESS_GUARDS / witness_identity.log_hash(origin))


def witnessed(log: Log) -> Witnessed:
    """The row of a log."""
    return Witnessed.objects.get(log=witness_identity.log_hash(log.signer.key.name))


def cosigned(log: Log, old: int, size: int | None = None) -> int:
    """Submit a checkpoint that is cosigned; the time of the cosignature."""
    lines = parse_lines(witness.add_checkpoint(log.body(old, size)))
    [line] = verified_lines(log.note(size).text, lines, [WITNESS])
    return time_of(line)


def refused(kind: type[RecordError], body: bytes) -> RecordError:
    """Submit a checkpoint that is refused; the reason."""
    with pytest.raises(kind) as problem:
        witness.add_checkpoint(body)
    assert type(problem.value) is kind
    return problem.value

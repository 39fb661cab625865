"""The witness on this machine: its name, its keys, the logs that it knows, and its guards.

The guards are a folder outside of the database, with a file for each log: the largest tree that the
witness was about to cosign. A database that is replaced by an older dump does not take them back.
"""

from __future__ import annotations

from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import Final

from django.conf import settings

from record.cosignature import Cosigner
from record.durable_file import write_durably
from record.guard_file import Guard, read_guard, write_guard
from record.models import ORIGIN_LENGTH, Witnessed
from record.policy import Policy, read_policy
from tabularium_log.record.errors import MalformedError, RecordError
from tabularium_log.record.note import VerifierKey, check_key_name

NAME_FILE: Final = "name"


@dataclass(frozen=True)
class Witness:
    """A witness that can cosign."""

    name: str
    cosigners: tuple[Cosigner, ...]
    logs: Policy

    def guard_of(self, log: str) -> Guard | None:
        """The guard of the log of this hash."""
        return read_guard(guard_path(log))

    def move_guard(self, log: str, origin: str, size: int, root: bytes) -> None:
        """Move the guard of a log to a tree that is about to be cosigned."""
        guard = Guard(self.name, origin, size, root.hex())
        if self.guard_of(log) != guard:
            write_guard(guard_path(log), guard)


def log_hash(origin: str) -> str:
    """The hash by which a log is addressed."""
    return sha256(origin.encode()).hexdigest()


def guard_path(log: str) -> Path:
    """The file of a log's guard."""
    return Path(settings.WITNESS_GUARDS) / log


def read_name() -> str:
    """The name of the witness; empty if this machine is none."""
    try:
        return (Path(settings.WITNESS_GUARDS) / NAME_FILE).read_text(encoding="utf-8").strip()
    except FileNotFoundError:
        return ""


def read_logs() -> Policy:
    """The logs that the operator has listed."""
    logs = read_policy(settings.WITNESS_LOGS) or Policy()
    if any(len(log.key.name) > ORIGIN_LENGTH for log in logs.logs):
        raise MalformedError(f"The name of a log has more than {ORIGIN_LENGTH} characters.")
    return logs


def read_witness() -> Witness | None:
    """The witness on this machine, if it is one."""
    name = read_name()
    if not name:
        return None
    if not settings.WITNESS_KEYS.has_key:
        raise RecordError("The key of the witness is missing: its file witness_key is not there.")
    return Witness(name, tuple(_cosigners(name)), read_logs())


def _cosigners(name: str) -> list[Cosigner]:
    return [Cosigner(name, key) for key in settings.WITNESS_KEYS.load()]


def keys_of_witness() -> list[VerifierKey]:
    """The verifier keys of the witness on this machine; none if it is none, or cannot cosign. The
    record here is signed whether or not its witness is ready."""
    name = read_name()
    return [each.key for each in _cosigners(name)] if name and settings.WITNESS_KEYS.has_key else []


def begin(name: str, *, adopt: bool) -> None:
    """Let this machine be a witness. With `adopt` it continues one that the database knows, which
    is no older dump."""
    check_key_name(name)
    if read_name():
        raise RecordError(f"This machine is the witness {read_name()!r} already.")
    rows = list(Witnessed.objects.exclude(note=""))
    if rows and not adopt:
        raise RecordError(
            "The database has checkpoints that were cosigned. If it is no older dump, --adopt lets "
            "this machine continue."
        )
    settings.WITNESS_KEYS.load(may_create=True)
    folder = Path(settings.WITNESS_GUARDS)
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    for row in rows:
        if not guard_path(row.log).exists():
            guard = Guard(name, row.origin, row.size, bytes(row.root).hex())
            write_guard(guard_path(row.log), guard)
    write_durably(folder / NAME_FILE, f"{name}\n".encode())

"""Full disks, and files that cannot be written."""

from __future__ import annotations

import array
import errno
import fcntl
import os
import resource
import sqlite3
import subprocess
from contextlib import closing, suppress
from pathlib import Path
from typing import Final

import psycopg

from tests.chaos.faults.base import CannotInject, Fault
from tests.chaos.instance import Instance
from tests.chaos.instance_processes import Process, service_processes

SMALL_DISK_SIZE: Final = "64m"
CHUNK_SIZES: Final = (1 << 20, 1 << 12)
GET_FLAGS: Final = 0x80086601  # FS_IOC_GETFLAGS
SET_FLAGS: Final = 0x40086602
IMMUTABLE: Final = 0x10


class DiskFull(Fault):
    """SQLite's folder is a small disk of its own, filled by another file (ENOSPC)."""

    @staticmethod
    def prepare(folder: Path) -> None:
        """Mount the small disk, before anything is stored there."""
        folder.mkdir(exist_ok=True)
        size = f"size={SMALL_DISK_SIZE}"
        command = ["mount", "-t", "tmpfs", "-o", size, "tabularium-chaos", str(folder)]
        process = subprocess.run(command, capture_output=True, text=True, check=False)
        if process.returncode:
            raise CannotInject(f"no small disk can be mounted: {process.stderr.strip()}")

    @staticmethod
    def clean_up(folder: Path) -> None:
        """Unmount the small disk."""
        subprocess.run(["umount", "--lazy", str(folder)], check=False, capture_output=True)

    @property
    def filler(self) -> Path:
        """The file that fills the disk."""
        return self.instance.data_folder / "filler"

    def inject(self) -> None:
        """Truncate SQLite's journal, then fill the disk."""
        with closing(sqlite3.connect(self.instance.database_file, timeout=10)) as connection:
            connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        with self.filler.open("wb", buffering=0) as file:
            for size in CHUNK_SIZES:
                fill(file.fileno(), size)

    def is_in_effect(self) -> bool:
        return self.filler.exists() and not self.instance.is_writing()

    def heal(self) -> None:
        self.filler.unlink(missing_ok=True)


def fill(descriptor: int, size: int) -> None:
    """Write chunks of that size until there is no room for another."""
    while True:
        try:
            os.write(descriptor, bytes(size))
        except OSError as problem:
            if problem.errno != errno.ENOSPC:
                raise
            return


class FileSizeLimited(Fault):
    """The limit of file sizes is 0 in the served processes, so no file may grow (EFBIG)."""

    def __init__(self, instance: Instance, seconds: float) -> None:
        super().__init__(instance, seconds)
        self._limited_processes: list[Process] = []

    def inject(self) -> None:
        self._limited_processes = list(service_processes(self.instance.data_folder))
        for process in self._limited_processes:
            set_limit(process.pid, resource.RLIMIT_FSIZE, 0)

    def is_in_effect(self) -> bool:
        return bool(self._limited_processes) and not self.instance.is_writing()

    def heal(self) -> None:
        # also in processes that inherited the limit
        for process in service_processes(self.instance.data_folder):
            set_limit(process.pid, resource.RLIMIT_FSIZE, resource.RLIM_INFINITY)
        self._limited_processes = []


def set_limit(pid: int, resource_kind: int, limit: int) -> None:
    """Set the soft limit of a running process, at most to its hard limit."""
    with suppress(ProcessLookupError):
        hard = resource.prlimit(pid, resource_kind)[1]
        soft = limit if hard == resource.RLIM_INFINITY else min(limit, hard)
        if limit == resource.RLIM_INFINITY:
            soft = hard
        resource.prlimit(pid, resource_kind, (soft, hard))


class FilesReadOnly(Fault):
    """SQLite's files are immutable, also for processes that have opened them (EPERM)."""

    def __init__(self, instance: Instance, seconds: float) -> None:
        super().__init__(instance, seconds)
        self._files: list[Path] = []

    def inject(self) -> None:
        name = self.instance.database_file.name
        paths = [self.instance.data_folder / f"{name}{suffix}" for suffix in ("", "-wal")]
        self._files = [file for file in paths if file.exists()]
        for file in self._files:
            set_immutable(file, True)

    def is_in_effect(self) -> bool:
        return bool(self._files) and not self.instance.is_writing()

    def heal(self) -> None:
        for file in self._files:
            set_immutable(file, False)
        self._files = []


def set_immutable(file: Path, is_immutable: bool) -> None:
    """Set the flag as `chattr +i` does; CannotInject if the file system or the rights of this
    process do not allow it."""
    flags = array.array("L", [0])
    with file.open("rb") as descriptor:
        try:
            fcntl.ioctl(descriptor, GET_FLAGS, flags)
            flags[0] = flags[0] | IMMUTABLE if is_immutable else flags[0] & ~IMMUTABLE
            fcntl.ioctl(descriptor, SET_FLAGS, flags)
        except OSError as problem:
            raise CannotInject(f"{file} cannot be made immutable: {problem}") from problem


class DatabaseReadOnly(Fault):
    """PostgreSQL refuses every new transaction that writes."""

    def inject(self) -> None:
        self._set_read_only("on")

    def is_in_effect(self) -> bool:
        with psycopg.connect(self.instance.database_url, autocommit=True) as connection:
            row = connection.execute("SHOW default_transaction_read_only").fetchone()
        return row == ("on",) and not self.instance.is_writing()

    def heal(self) -> None:
        self._set_read_only("off")

    def _set_read_only(self, value: str) -> None:
        with psycopg.connect(self.instance.database_url, autocommit=True) as connection:
            connection.execute("SET default_transaction_read_only = off")
            connection.execute(f"ALTER SYSTEM SET default_transaction_read_only = {value}")
            connection.execute("SELECT pg_reload_conf()")

"""The processes of a served instance, and their roles."""

from __future__ import annotations

import os
import re
import signal
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Final

CLIENT_TITLE: Final = r"tests\.chaos\.client_process"
ROLES: Final = (
    ("client", CLIENT_TITLE),
    ("web", r"tabularium: web"),
    ("worker", r"celeryd:|tabularium: (?:worker|analysts|errands|raters)"),
    ("sweeper", r"tabularium: sweeper"),
    ("supervisor", r"\bserve\b"),
)


@dataclass(frozen=True)
class Process:
    """A process that was started for the folder of an instance."""

    pid: int
    parent: int
    title: str  # or command line

    @property
    def role(self) -> str:
        """The role according to the title. `processes_by_role` finds the thinkers, which are a
        worker's children."""
        return next((role for role, title in ROLES if re.search(title, self.title)), "another")

    def kill(self) -> None:
        """Kill the process at once."""
        with suppress(ProcessLookupError):
            os.kill(self.pid, signal.SIGKILL)


def processes(folder: Path) -> list[Process]:
    """All processes that run on the data in this folder, except this one."""
    all_processes = []
    for path in Path("/proc").glob("[0-9]*"):
        with suppress(OSError):
            if int(path.name) != os.getpid() and _runs_on(folder, path):
                all_processes.append(_read_process(path))
    return all_processes


def _runs_on(folder: Path, path: Path) -> bool:
    """Whether a process has the folder in its environment, or in a client's command line: clients
    are forks, and /proc shows the environment in which the process before the fork began."""
    if f"TABULARIUM_DATA={folder}\0".encode() in (path / "environ").read_bytes():
        return True
    title = _read_title(path)
    return f"{folder}/" in title and re.search(CLIENT_TITLE, title) is not None


def _read_process(path: Path) -> Process:
    parent = re.search(r"PPid:\t(\d+)", (path / "status").read_text())
    return Process(int(path.name), int(parent[1]) if parent else 0, _read_title(path))


def _read_title(path: Path) -> str:
    return (path / "cmdline").read_text().replace("\0", " ")


def processes_by_role(folder: Path) -> dict[str, list[Process]]:
    """The processes, grouped by role."""
    all_processes = processes(folder)
    roles = {process.pid: process.role for process in all_processes}
    groups: dict[str, list[Process]] = {}
    for process in all_processes:
        role = "thinker" if roles.get(process.parent) == "worker" else process.role
        if roles.get(process.parent) == role == "supervisor":
            continue  # a new fork has no title yet
        groups.setdefault(role, []).append(process)
    return groups


def service_processes(folder: Path) -> Iterator[Process]:
    """The processes of the service, without its clients."""
    return (process for process in processes(folder) if process.role != "client")

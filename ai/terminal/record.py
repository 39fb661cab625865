"""How is a game kept in a file? As the lines of its log, each written before anything goes on."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from games.engines.base import Engine, State
from games.engines.common.log import (
    BrokenLog,
    Log,
    entry_line,
    from_lines,
    header_line,
    replay,
)


@dataclass
class Record:
    """A log and the file in which it stands up to a line."""

    path: Path
    log: Log
    written: int = 0  # entries

    def keep(self) -> None:
        """Write what is not yet written; when this returns the system has it."""
        entries = list(enumerate(self.log.entries, start=1))[self.written :]
        with self.path.open("a", encoding="utf-8") as file:
            file.writelines(f"{entry_line(seq, entry)}\n" for seq, entry in entries)
        self.written += len(entries)


def fresh(path: Path, log: Log) -> Record:
    """A record in a new file; FileExistsError if something is there."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("x", encoding="utf-8") as file:
        file.write(f"{header_line(log)}\n")
    record = Record(path, log)
    record.keep()
    return record


def continued(path: Path, log: Log) -> Record:
    """A record that goes on in the file from which the log was read."""
    if not path.read_bytes().endswith(b"\n"):
        with path.open("a", encoding="utf-8") as file:
            file.write("\n")
    return Record(path, log, written=len(log.entries))


# -- reading --------------------------------------------------------------------------------------


def read(engine: Engine[Any, Any], path: Path) -> tuple[Log, list[State]]:
    """The log in a file and the state after each entry, or BrokenLog at the first bad one."""
    with path.open(encoding="utf-8", errors="replace") as file:
        log = from_lines(file)
    states = list(replay(engine, log))
    if not states:
        raise BrokenLog(1, "is missing: the file holds no game")
    return log, states

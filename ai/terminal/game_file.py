"""The file of a game: the lines of its log, each written before the game goes on; a game can be
read and continued from it."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from tabularium_engines.base import AnyEngine, State
from tabularium_engines.common.replayable_log import (
    BrokenLog,
    Log,
    entry_line,
    from_lines,
    header_line,
    replay,
)


@dataclass
class GameFile:
    """A log, and the file that holds its entries so far."""

    path: Path
    log: Log
    written_count: int = 0  # of entries

    def write_new_entries(self) -> None:
        """Append the unwritten entries; on return the operating system has them."""
        entries = list(enumerate(self.log.entries, start=1))[self.written_count :]
        with self.path.open("a", encoding="utf-8") as file:
            file.writelines(f"{entry_line(seq, entry)}\n" for seq, entry in entries)
        self.written_count += len(entries)


def create_game_file(path: Path, log: Log) -> GameFile:
    """A log in a new file; raises FileExistsError if the path exists."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("x", encoding="utf-8") as file:
        file.write(f"{header_line(log)}\n")
    record = GameFile(path, log)
    record.write_new_entries()
    return record


def reopen_game_file(path: Path, log: Log) -> GameFile:
    """A log that continues in the file it was read from."""
    if not path.read_bytes().endswith(b"\n"):
        with path.open("a", encoding="utf-8") as file:
            file.write("\n")
    return GameFile(path, log, written_count=len(log.entries))


# -- reading --------------------------------------------------------------------------------------


def read_game_file(engine: AnyEngine, path: Path) -> tuple[Log, list[State]]:
    """The log in a file and the state after each entry; raises BrokenLog at the first bad entry."""
    with path.open(encoding="utf-8", errors="replace") as file:
        log = from_lines(file)
    states = list(replay(engine, log))
    if not states:
        raise BrokenLog(1, "is missing: the file contains no game")
    return log, states

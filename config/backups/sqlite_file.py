"""SQLite's file: copied while it is written, checked, and put in the place of another."""

from __future__ import annotations

import os
import shutil
import sqlite3
from collections.abc import Iterator, Set
from contextlib import closing, contextmanager, suppress
from datetime import UTC, datetime
from pathlib import Path
from typing import Final, NamedTuple

from config.backups.problem import BackupProblem

PART_SUFFIX: Final = ".part"  # of a file that is not whole yet
GUARDS: Final = frozenset(
    ("entry_update", "entry_delete", "entry_insert", "game_update", "game_delete", "game_insert")
)  # the triggers that keep the log append-only
OLD_TABLE: Final = "games_oldentry"  # files of earlier versions have none
OLD_GUARDS: Final = frozenset(("oldentry_update", "oldentry_delete", "oldentry_insert"))
RECORD_TABLE: Final = "record_leaf"  # files of earlier versions have none
RECORD_GUARDS: Final = frozenset(
    f"record_{table}_{change}"
    for table in ("leaf", "tile", "tree", "checkpoint", "key")
    for change in ("update", "delete")
) | {"game_leaf", "record_leaf_insert"}
WITNESS_TABLE: Final = "record_witnessed"  # files of earlier versions have none
WITNESS_GUARDS: Final = frozenset(
    f"record_{table}_{change}"
    for table in ("witnessed", "evidence", "cosignature")
    for change in ("update", "delete")
)
NAMED: Final = 3  # games without their last entry
# every entry, with its hash in hex
EARLIER_ENTRIES: Final = "SELECT game_id, seq, hash FROM games_entry"
ENTRIES: Final = """
    SELECT game_id, seq, lower(hex(hash)) AS hash FROM games_entry
    UNION ALL SELECT game_id, seq, hash FROM games_oldentry AS old WHERE NOT EXISTS (
        SELECT 1 FROM games_entry AS entry WHERE entry.game_id = old.game_id AND entry.seq = old.seq
    )
"""
LOST_HEADS: Final = """
    SELECT id FROM games_game WHERE NOT EXISTS (
        SELECT 1 FROM ({entries}) AS entry
        WHERE game_id = id AND entry.seq = games_game.seq AND entry.hash = games_game.hash
    )
"""
COUNTS: Final = """
    SELECT (SELECT count(*) FROM games_game), (SELECT count(*) FROM ({entries})),
        (SELECT max(at) FROM games_game)
"""


class Contents(NamedTuple):
    """How much a database holds."""

    games: int
    entries: int
    latest: str | None  # the time of the latest entry, in UTC

    def __str__(self) -> str:
        latest = f", the latest at {self.latest} UTC" if self.latest else ""
        return f"{self.games} games with {self.entries} entries{latest}"


def back_up(database: Path, target: Path) -> Contents:
    """Copy a database, which may be written meanwhile, into a new file: all that was committed when
    the copy began. The file has its name only once it is checked and on the disk."""
    if not database.exists():
        raise BackupProblem(f"There is no database {database}.")
    if target.exists():
        raise BackupProblem(f"{target} exists already.")
    with new_file(target) as part:
        with closing(sqlite3.connect(database)) as source, closing(sqlite3.connect(part)) as copy:
            source.backup(copy)  # in one step: one read transaction, during which others write on
            copy.execute("PRAGMA journal_mode = DELETE")  # one file, without a log beside it
        return check(part)


def restore(backup: Path, database: Path, *, replace: bool) -> Path | None:
    """Put a copy of a checked back-up in the place of a database. One that is there is kept under
    another name, which is returned, or the back-up is refused."""
    check(backup)
    if database.exists() and not replace:
        raise BackupProblem(f"{database} exists: --replace keeps it under another name.")
    with new_file(database) as part:
        shutil.copyfile(backup, part)
        return set_aside(database) if database.exists() else None


def check(path: Path) -> Contents:
    """Check that a file is an intact database of this service, with the guards of its log and the
    last entry of each game."""
    if not path.is_file():
        raise BackupProblem(f"There is no file {path}.")
    try:
        with closing(sqlite3.connect(f"{path.resolve().as_uri()}?mode=ro", uri=True)) as connection:
            return _check(connection, path)
    except sqlite3.DatabaseError as problem:
        raise BackupProblem(f"{path} is not an intact database: {problem}.") from problem


def _check(connection: sqlite3.Connection, path: Path) -> Contents:
    [finding] = connection.execute("PRAGMA integrity_check(1)").fetchone()
    if finding != "ok":
        raise BackupProblem(f"{path} is damaged: {' '.join(finding.split())}.")
    names = {name for (name,) in connection.execute("SELECT name FROM sqlite_master")}
    is_earlier = OLD_TABLE not in names
    if missing_guards := guards_of(names) - names:
        listed = ", ".join(sorted(missing_guards))
        raise BackupProblem(f"{path} lacks guards of the log: {listed}.")
    entries = EARLIER_ENTRIES if is_earlier else ENTRIES
    lost_heads = connection.execute(LOST_HEADS.format(entries=entries))
    if lost := [game for (game,) in lost_heads.fetchmany(NAMED)]:
        raise BackupProblem(f"{path} lacks the last entry of {', '.join(lost)}.")
    return Contents(*connection.execute(COUNTS.format(entries=entries)).fetchone())


def guards_of(names: Set[str]) -> Set[str]:
    """The guards that a database with these tables has."""
    old_guards = OLD_GUARDS if OLD_TABLE in names else frozenset()
    record_guards = RECORD_GUARDS if RECORD_TABLE in names else frozenset()
    witness_guards = WITNESS_GUARDS if WITNESS_TABLE in names else frozenset()
    return GUARDS | old_guards | record_guards | witness_guards


def set_aside(database: Path) -> Path:
    """Give a database that no process uses another name, with all that is in its log. It keeps its
    own name until another file takes it: a server that starts meanwhile finds no empty place."""
    with suppress(sqlite3.DatabaseError):  # it is damaged, which may be why it is replaced
        refuse_other_users(database)
    former = database.with_name(f"{database.name}.before-{datetime.now(UTC):%Y%m%dT%H%M%S}")
    for suffix in ("-wal", "-shm"):  # there are some if it is damaged
        beside = Path(f"{database}{suffix}")
        if beside.exists():
            beside.rename(f"{former}{suffix}")
    former.hardlink_to(database)
    return former


def refuse_other_users(database: Path) -> None:
    """Refuse to go on with a database that is not there, or that another process has open."""
    if not database.exists():
        raise BackupProblem(f"There is no database {database}.")
    try:
        with closing(sqlite3.connect(database, timeout=0)) as connection:
            connection.execute("PRAGMA journal_mode = DELETE")  # refused to all but a single user
    except sqlite3.OperationalError as problem:
        raise BackupProblem(
            f"{database} is in use ({problem}): stop the server first."
        ) from problem


@contextmanager
def new_file(target: Path) -> Iterator[Path]:
    """A file to fill, which only its owner may read; after the block it is on the disk and has the
    name of the target. If the block fails, it is removed."""
    part = target.with_name(target.name + PART_SUFFIX)
    try:
        part.unlink(missing_ok=True)
        part.touch(mode=0o600)
        yield part
        _flush(part)
        part.rename(target)
        _flush(target.parent)
    except (OSError, sqlite3.OperationalError) as problem:
        part.unlink(missing_ok=True)
        reason = getattr(problem, "strerror", None) or problem  # without the name of the part
        raise BackupProblem(f"{target} cannot be written: {reason}.") from problem
    except BaseException:
        part.unlink(missing_ok=True)
        raise


def _flush(path: Path) -> None:
    """Wait until a file or folder is on the disk."""
    descriptor = os.open(path, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)

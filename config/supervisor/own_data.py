"""The data of a server with a test clock: an empty folder of its own, which ends with it. No other
database can come to hold times that have not come."""

from __future__ import annotations

import os
import re
import shutil
import sys
import tempfile
from pathlib import Path
from typing import Final, NoReturn

from config.supervisor import process_specs
from config.supervisor.forked_process import flush_output
from config.supervisor.shared_folder import new_folder
from jobs.movable_clock import FILE_NAME, MovableClock

STORES: Final = ("DATABASE_URL", "REDIS_URL")
KEY_PATTERN: Final = re.compile(r"TABULARIUM_\w+_KEYS?")  # its receipts are under keys of its own


def store_in_environment() -> str | None:
    """The variable that names a database or a broker for this server, if there is one."""
    return next(filter(os.environ.get, STORES), None)


def execute(source: Path) -> NoReturn:
    """Replace this process by one with the same arguments that serves from a folder of its own."""
    folder = new_folder(Path(tempfile.gettempdir()))
    MovableClock(folder / FILE_NAME).start()
    variables = process_specs.process_environment(source) | {"TABULARIUM_DATA": str(folder)}
    kept = {name: text for name, text in variables.items() if not KEY_PATTERN.fullmatch(name)}
    flush_output()
    os.execve(sys.executable, [sys.executable, "-m", "django", *sys.argv[1:]], kept)


def is_own(folder: Path) -> bool:
    """Whether this process has made the folder."""
    return folder.name.startswith(f"tabularium-{os.getpid()}-") and (folder / FILE_NAME).is_file()


def remove(folder: Path) -> None:
    """Remove the folder, if this process has made it."""
    if is_own(folder):
        shutil.rmtree(folder, ignore_errors=True)

"""The folder that the web processes of a server share, in memory where the system has such a place:
their board, and their counts of requests. It outlives a hand-over, and ends with the supervisor."""

from __future__ import annotations

import os
import re
import shutil
import tempfile
from pathlib import Path
from typing import Final

from api.process_board import FOLDER_VARIABLE, is_alive

MEMORY_FOLDER: Final = Path("/dev/shm")  # the folders in it are private
NAME_PATTERN: Final = re.compile(r"tabularium-(\d+)-\w+")


def shared_folder(is_handed_over: bool) -> Path:
    """The folder of this supervisor: the one that its image before had, or a new one."""
    handed = Path(os.environ.get(FOLDER_VARIABLE, ""))
    if is_handed_over and handed.is_dir():
        return handed
    is_in_memory = os.access(MEMORY_FOLDER, os.W_OK)
    return new_folder(MEMORY_FOLDER if is_in_memory else Path(tempfile.gettempdir()))


def new_folder(place: Path) -> Path:
    """A new folder of this supervisor, in the place of those that were killed."""
    remove_orphans(place)
    return Path(tempfile.mkdtemp(prefix=f"tabularium-{os.getpid()}-", dir=place))


def remove_orphans(place: Path) -> None:
    """Remove the folders of this user's supervisors that were killed."""
    for folder in place.glob("tabularium-*"):
        match = NAME_PATTERN.fullmatch(folder.name)
        if match and folder.stat().st_uid == os.getuid() and not is_alive(int(match[1])):
            shutil.rmtree(folder, ignore_errors=True)

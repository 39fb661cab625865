"""The folders of messages in the spool, between which messages move so that each has one holder.

    drafts/                     written by a publisher, not yet published
    ready/<queue>/<name>        published
    claims/<claimant>/<queue>/  held by a process that works on them
    broken/                     a few unreadable messages, kept for inspection

Names sort by age; those of messages that were given back end in ~.
"""

from __future__ import annotations

import logging
import os
from collections import defaultdict, deque
from contextlib import suppress
from itertools import count
from pathlib import Path
from shutil import rmtree
from time import monotonic, time, time_ns
from typing import Final
from urllib.parse import quote

from config.spool import claim_locks
from games.logging_throttle import OncePerSecondFilter

RESTORE_INTERVAL_SECONDS: Final = 1.0  # seconds between two searches for dead processes
STALE_DRAFT_SECONDS: Final = 3600  # seconds after which a draft's author must be dead
MAX_BROKEN_MESSAGES: Final = 100  # messages kept for inspection
RETURNED_SUFFIX: Final = "~"  # ends the name of a message that was given back

logger = logging.getLogger(__name__)
logger.addFilter(OncePerSecondFilter())


class Spool:
    """The messages of one folder. An object belongs to one thread; processes share the folder."""

    message_numbers: Final = count()

    def __init__(self, folder: Path) -> None:
        self.drafts_folder = folder / "drafts"
        self.ready_folder = folder / "ready"
        self.claims_folder = folder / "claims"
        self.broken_folder = folder / "broken"
        self.create_folders()
        self.listed_names: defaultdict[str, deque[str]] = defaultdict(deque)
        self.last_restore_at = -RESTORE_INTERVAL_SECONDS

    def create_folders(self) -> None:
        """Create the folders."""
        for folder in (
            self.drafts_folder,
            self.ready_folder,
            self.claims_folder,
            self.broken_folder,
        ):
            folder.mkdir(parents=True, exist_ok=True, mode=0o700)

    # -- publishing -------------------------------------------------------------------------------

    def declare(self, queue: str) -> None:
        """Create the folder of a queue."""
        self.queue(queue).mkdir(exist_ok=True, mode=0o700)

    def publish(self, queue: str, text: str) -> None:
        """Add a message, even if another process has removed the whole spool."""
        try:
            self.write_message(queue, text)
        except FileNotFoundError:
            self.create_folders()
            self.declare(queue)
            self.write_message(queue, text)

    def write_message(self, queue: str, text: str) -> None:
        """Write, then rename. Nothing is synced: a power cut may lose a message, kill -9 may
        not."""
        name = f"{time_ns():020}-{os.getpid()}-{next(self.message_numbers)}"
        draft = self.drafts_folder / name
        draft.touch(mode=0o600, exist_ok=False)
        draft.write_text(text, encoding="utf-8")
        os.replace(draft, self.queue(queue) / name)

    # -- working ----------------------------------------------------------------------------------

    def claim(self, queue: str) -> tuple[str, str] | None:
        """Claim the oldest message; returns its name and text. Unreadable ones are put aside."""
        self.restore_if_due()
        while name := self.next_name(queue):
            path = self.claimed_folder(queue) / name
            try:
                os.replace(self.queue(queue) / name, path)
            except FileNotFoundError:
                continue  # another process was faster
            except OSError as problem:  # such as a folder of another user
                logger.warning("A broken message cannot be read: %s (%s)", name, problem)
                continue
            try:
                return name, path.read_text(encoding="utf-8")
            except (OSError, ValueError) as problem:  # a folder, unreadable, or not UTF-8
                self.put_aside(queue, name, problem)
        return None

    def put_aside(self, queue: str, name: str, problem: Exception) -> None:
        """Keep an unreadable message for inspection, or delete it if there are many."""
        logger.warning("A broken message was moved aside: %s (%s)", name, problem)
        path = self.claimed_folder(queue) / name
        try:
            if sum(1 for _ in self.broken_folder.iterdir()) < MAX_BROKEN_MESSAGES:
                os.replace(path, self.broken_folder / name)
            else:
                delete_message(path)
        except OSError as error:
            logger.error("A broken message could not be moved aside: %s", error)

    def next_name(self, queue: str) -> str | None:
        """The oldest name in a queue. Each listing is used up before the next, as listing a long
        queue for every message would be slow."""
        if not self.listed_names[queue]:
            self.listed_names[queue].extend(sorted(os.listdir(self.queue(queue))))  # noqa: PTH208 names
        return self.listed_names[queue].popleft() if self.listed_names[queue] else None

    def acknowledge(self, queue: str, name: str) -> None:
        """Delete a finished message."""
        (self.claimed_folder(queue) / name).unlink(missing_ok=True)

    def give_back(self, queue: str, name: str) -> None:
        """Return a message to its old position in the queue."""
        with suppress(FileNotFoundError):
            os.replace(self.claimed_folder(queue) / name, self.queue(queue) / returned_name(name))

    # -- recovery ---------------------------------------------------------------------------------

    def restore_if_due(self) -> None:
        """Restore, at most once a second."""
        if monotonic() - self.last_restore_at >= RESTORE_INTERVAL_SECONDS:
            self.last_restore_at = monotonic()
            self.restore()

    def restore(self) -> None:
        """Return the messages claimed by dead processes, and remove drafts of dead publishers."""
        for folder in claim_locks.reap_dead(self.claims_folder):
            for path in folder.glob("*/*"):
                with suppress(FileNotFoundError):
                    os.replace(
                        path, self.ready_folder / path.parent.name / returned_name(path.name)
                    )
            for queue in folder.glob("*"):
                with suppress(OSError):
                    queue.rmdir()
        for draft in self.drafts_folder.iterdir():
            with suppress(OSError):
                if time() - draft.stat().st_mtime > STALE_DRAFT_SECONDS:
                    draft.unlink()

    def size(self, queue: str) -> int:
        """The number of waiting messages."""
        try:
            return sum(1 for _ in self.queue(queue).iterdir())
        except FileNotFoundError:  # nothing was ever published there
            return 0

    def purge(self, queue: str) -> int:
        """Delete the waiting messages; returns their number."""
        messages = list(self.queue(queue).iterdir())
        for message in messages:
            with suppress(FileNotFoundError):
                delete_message(message)
        return len(messages)

    # -- folders ----------------------------------------------------------------------------------

    def queue(self, queue: str) -> Path:
        """The folder in which a queue's messages wait."""
        return self.ready_folder / quote(queue, safe="")

    def claimed_folder(self, queue: str) -> Path:
        """The folder in which this process holds messages of a queue."""
        folder = claim_locks.own_claim_folder(self.claims_folder, self.drafts_folder) / quote(
            queue, safe=""
        )
        folder.mkdir(exist_ok=True, mode=0o700)
        return folder


def returned_name(name: str) -> str:
    """The name of a message after it is given back."""
    return name.removesuffix(RETURNED_SUFFIX) + RETURNED_SUFFIX


def delete_message(path: Path) -> None:
    """Delete a message, or a folder in its place."""
    if path.is_dir() and not path.is_symlink():
        rmtree(path)
    else:
        path.unlink()

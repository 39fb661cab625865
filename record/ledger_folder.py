"""The folder of the ledgers, and the one that a verification is writing. A ledger is trusted if a
key of the record has signed it and a leaf of the tree states it."""

from __future__ import annotations

import fcntl
import os
import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from hashlib import sha256
from itertools import takewhile
from pathlib import Path
from typing import Final, TextIO

from django.db import transaction
from django.utils import timezone

from record.announced_keys import signers_of
from record.durable_file import write_durably
from record.growth import NewLeaf, append_to_tree, lock_tree, read_tree
from record.ledger import FORMAT, Header, Ledger, Range, parse_ledger
from record.models import Leaf
from record.standing import Stand, standing_towards
from tabularium_log.projection.projection import format_time
from tabularium_log.record.errors import RecordError, UnverifiedError
from tabularium_log.record.game_leaves import leaf_text
from tabularium_log.record.hashes import leaf_hash
from tabularium_log.record.note import open_note, sign_note

NAME: Final = re.compile(r"(\d{6,})\.ledger")
UNFINISHED: Final = "unfinished"


def ledger_paths(folder: Path) -> dict[int, Path]:
    """The files of ledgers by number, the newest first."""
    found = {int(name[1]): path for path in folder.iterdir() if (name := NAME.fullmatch(path.name))}
    return dict(sorted(found.items(), reverse=True))


def ledger_leaf(raw: bytes) -> str:
    """The leaf that states a ledger."""
    return leaf_text(FORMAT, {"bytes": len(raw), "sha256": sha256(raw).hexdigest()})


def check_signing() -> None:
    """Refuse to begin if this machine could not sign the ledger in the end."""
    standing = standing_towards(read_tree())
    if standing.stand is not Stand.SIGNS:
        raise RecordError(
            standing.reason
            or "A ledger is signed where the record is: on the machine that runs "
            "`manage.py record init`."
        )


def newest_ledger(folder: Path, report: Callable[[str], None]) -> Ledger | None:
    """The newest ledger that is to be trusted; each newer one is reported."""
    for path in ledger_paths(folder).values():
        try:
            return open_ledger(path)
        except (RecordError, OSError) as problem:
            report(f"{path} is not trusted: {problem}")
    return None


def open_ledger(path: Path) -> Ledger:
    """Read a ledger; RecordError if it is not to be trusted."""
    raw = path.read_bytes()
    note = open_note(raw, [signer.key for signer in signers_of(read_tree().origin)])
    if not Leaf.objects.filter(hash=leaf_hash(ledger_leaf(raw).encode())).exists():
        raise UnverifiedError("The record has no leaf of it.")
    return parse_ledger(note.text)


# -- the unfinished ledger ------------------------------------------------------------------------


class UnfinishedLedger:
    """The ledger that this process writes, a line for each range."""

    def __init__(self, folder: Path, file: TextIO, header: Header) -> None:
        self._folder, self._file = folder, file
        self.header = header
        self.ranges: list[Range] = []

    def resume(self, leaves: int) -> None:
        """Go on behind the last range of a verification that was cut, if it was for the same ledger
        and by the same code. Ranges of fewer leaves or with a bad game are verified again."""
        self._file.seek(0)
        whole, _, _ = self._file.read().rpartition("\n")
        try:
            cut = parse_ledger(whole)
        except RecordError:
            return self.begin()
        if replace(cut.header, at=self.header.at) != self.header:
            return self.begin()
        self.header = cut.header
        ranges = takewhile(lambda each: each.is_good and each.width == leaves, cut.ranges)
        self.ranges = list(ranges)
        self._file.truncate(len(Ledger(self.header, tuple(self.ranges)).text))
        return None

    def begin(self) -> None:
        """Begin anew."""
        self.ranges = []
        self._file.seek(0)
        self._file.truncate()
        self._write(self.header.line)

    def add(self, range_: Range) -> None:
        """Add a range; it is on the disk when this returns."""
        self.ranges.append(range_)
        self._write(range_.line)

    def _write(self, line: str) -> None:
        self._file.write(line)
        self._file.flush()
        os.fsync(self._file.fileno())

    def close(self) -> Path:
        """Sign the ledger, write it into the folder and add its leaf to the tree."""
        path = self._folder / f"{self.header.number:06}.ledger"
        text = Ledger(self.header, tuple(self.ranges)).text
        with transaction.atomic():
            tree = lock_tree()
            check_signing()
            raw = sign_note(text, signers_of(tree.origin)).encode()
            write_durably(path, raw)
            append_to_tree(tree, [NewLeaf(ledger_leaf(raw))])
        self._file.seek(0)
        self._file.truncate()
        return path


@contextmanager
def unfinished_ledger(folder: Path, verifier: str) -> Iterator[UnfinishedLedger]:
    """The next ledger of a folder, which no other process writes meanwhile."""
    check_signing()
    folder.mkdir(parents=True, exist_ok=True)
    with (folder / UNFINISHED).open("a+", encoding="utf-8") as file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError as problem:
            raise RecordError(f"Another verification writes a ledger in {folder}.") from problem
        number = next(iter(ledger_paths(folder)), 0) + 1
        yield UnfinishedLedger(folder, file, Header(number, format_time(timezone.now()), verifier))

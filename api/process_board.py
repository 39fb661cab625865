"""The board of the web processes of one machine: memory that they share, in which each writes its
own section, and reads those of the others.

A section has the counts of the things, such as streams, that its process holds for each caller.
Counting waits for no other process: each adds its own first and then reads the others, so that two
of them never both get the last place. A process that was killed is forgotten when its counts would
refuse a caller, or when its successor starts. Beside the sections the board has news, such as a key
that was revoked: a cache of keys compares their mark with the last one that it has seen.
"""

from __future__ import annotations

import fcntl
import mmap
import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from enum import IntEnum
from hashlib import blake2b
from heapq import heappop, heappush
from pathlib import Path
from struct import Struct
from threading import Lock
from typing import Final, TypeAlias

FOLDER_VARIABLE: Final = "TABULARIUM_BOARD"  # the folder that the processes of a server share
FILE_NAME: Final = "board-1"  # ends in the version of this layout
SECTIONS: Final = 64  # processes, with those that drain
SLOTS: Final = 16_384  # callers of a process; further ones are counted by that process alone
WORD: Final = Struct("=q")
SLOT: Final = Struct("=8sq")  # the digest of a caller, and its count
NO_CALLER: Final = bytes(8)
HEADER_BYTES: Final = 64  # of the board: its name, and the news; of a section: see the places below
SECTION_BYTES: Final = HEADER_BYTES + SLOTS * SLOT.size
BOARD_BYTES: Final = HEADER_BYTES + SECTIONS * SECTION_BYTES
PID_PLACE: Final = 0  # in a section: its process, or 0 …
EXTENT_PLACE: Final = 8  # … the number of slots in use, with gaps …
TOTALS_PLACE: Final = 16  # … the total of each kind …
OPEN_PLACE: Final = 32  # … and whether it accepts connections


class Kind(IntEnum):
    """A kind of thing that is counted."""

    STREAMS = 0
    CONNECTIONS = 1


class Topic(IntEnum):
    """A subject of news, by its place on the board."""

    KEYS = 8
    WEBHOOKS = 16


Holder: TypeAlias = tuple[Kind, str]  # of a count


class Board:
    """The board, as one process sees it. Without a file the process is alone."""

    def __init__(self, path: Path | None = None) -> None:
        self._file = None if path is None else _open_file(path)
        self._memory = (
            mmap.mmap(-1, BOARD_BYTES, flags=mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS)
            if self._file is None
            else mmap.mmap(self._file, BOARD_BYTES)
        )
        self._lock = Lock()  # of the threads of this process
        self._counts: dict[Holder, int] = {}
        self._slots: dict[Holder, int] = {}
        self._free_slots: list[int] = []
        with self._exclusively():
            self._forget_dead()
            self.name = self._read_name()
            self.section = self._claim()
        self._start = _start_of(self.section)

    # -- counting ---------------------------------------------------------------------------------

    def take(self, kind: Kind, caller: str, limit: int) -> bool:
        """Count one more for this caller, unless all processes together hold the limit."""
        with self._lock:
            own = self._add(kind, caller, 1)
        if own + self.held_elsewhere(kind, caller) <= limit:
            return True
        self.forget_dead()
        if own + self.held_elsewhere(kind, caller) <= limit:
            return True
        self.give_back(kind, caller)
        return False

    def give_back(self, kind: Kind, caller: str) -> None:
        """Count one less for this caller."""
        with self._lock:
            self._add(kind, caller, -1)

    def held_here(self, kind: Kind, caller: str) -> int:
        """The number that this process holds for a caller."""
        return self._counts.get((kind, caller), 0)

    def held_elsewhere(self, kind: Kind, caller: str) -> int:
        """The number that the other processes hold for a caller."""
        digest = _digest(kind, caller)
        return sum(self._count_in(start, digest) for start in self._other_sections())

    def total_here(self, kind: Kind) -> int:
        """The number that this process holds for all callers."""
        return self._read(self._start + TOTALS_PLACE + WORD.size * kind)

    def totals_elsewhere(self, kind: Kind) -> list[int]:
        """The number that each other process holds for all callers."""
        place = TOTALS_PLACE + WORD.size * kind
        return [self._read(start + place) for start in self._other_sections()]

    def set_accepting(self, is_accepting: bool) -> None:
        """Show the others whether this process accepts connections."""
        self._write(self._start + OPEN_PLACE, is_accepting)

    def connections_of_rivals(self) -> list[int]:
        """The number of connections of each other process that accepts some."""
        place = TOTALS_PLACE + WORD.size * Kind.CONNECTIONS
        sections = self._other_sections()
        return [self._read(start + place) for start in sections if self._read(start + OPEN_PLACE)]

    def _add(self, kind: Kind, caller: str, step: int) -> int:
        holder = kind, caller
        count = self._counts.get(holder, 0) + step
        self._write(
            self._start + TOTALS_PLACE + WORD.size * kind, max(0, self.total_here(kind) + step)
        )
        if count > 0:
            self._counts[holder] = count
            self._show(holder, count)
        else:
            self._counts.pop(holder, None)
            self._hide(holder)
        return count

    # -- slots ------------------------------------------------------------------------------------

    def _show(self, holder: Holder, count: int) -> None:
        """Write a count where the others find it; the digest last, as it makes the slot valid."""
        slot = self._slots.get(holder)
        if slot is None:
            slot = self._new_slot()
            if slot is None:
                return
            self._slots[holder] = slot
        place = self._start + HEADER_BYTES + slot * SLOT.size
        self._write(place + WORD.size, count)
        self._memory[place : place + WORD.size] = _digest(*holder)

    def _hide(self, holder: Holder) -> None:
        slot = self._slots.pop(holder, None)
        if slot is not None:
            place = self._start + HEADER_BYTES + slot * SLOT.size
            self._memory[place : place + WORD.size] = NO_CALLER
            heappush(self._free_slots, slot)

    def _new_slot(self) -> int | None:
        if self._free_slots:
            return heappop(self._free_slots)
        extent = self._read(self._start + EXTENT_PLACE)
        if extent == SLOTS:
            return None
        self._write(self._start + EXTENT_PLACE, extent + 1)
        return extent

    def _count_in(self, start: int, digest: bytes) -> int:
        """The count of a caller in a section."""
        first = place = start + HEADER_BYTES
        end = first + self._read(start + EXTENT_PLACE) * SLOT.size
        while (place := self._memory.find(digest, place, end)) >= 0:
            if (place - first) % SLOT.size == 0:
                return self._read(place + WORD.size)
            place += 1
        return 0

    # -- sections ---------------------------------------------------------------------------------

    def _other_sections(self) -> Iterator[int]:
        """The beginnings of the sections of all other processes."""
        if self._file is None:
            return
        for section in range(SECTIONS):
            start = _start_of(section)
            if section != self.section and self._read(start + PID_PLACE):
                yield start

    def _claim(self) -> int:
        """Take a section that no process has."""
        for section in range(SECTIONS):
            place = _start_of(section) + PID_PLACE
            if not self._read(place):
                self._write(place, os.getpid())
                return section
        raise RuntimeError(f"There are {SECTIONS} web processes already.")

    def forget_dead(self) -> None:
        """Forget the processes that were killed, unless another process is about to."""
        if self._file is not None and self._lock.acquire(blocking=False):
            try:
                with suppress(BlockingIOError), self._exclusively(fcntl.LOCK_NB):
                    self._forget_dead()
            finally:
                self._lock.release()

    def _forget_dead(self) -> None:
        for section in range(SECTIONS):
            start = _start_of(section)
            pid = self._read(start + PID_PLACE)
            if pid and not is_alive(pid):
                self._erase(start)

    def _erase(self, start: int) -> None:
        end = start + HEADER_BYTES + self._read(start + EXTENT_PLACE) * SLOT.size
        self._memory[start + WORD.size : end] = bytes(end - start - WORD.size)
        self._write(start + PID_PLACE, 0)

    # -- news -------------------------------------------------------------------------------------

    def announce(self, topic: Topic) -> None:
        """Let all processes see that there are news."""
        self._memory[topic : topic + WORD.size] = os.urandom(WORD.size)

    def news(self, topic: Topic) -> bytes:
        """The mark of the last news: another one each time."""
        return self._memory[topic : topic + WORD.size]

    # -- bytes ------------------------------------------------------------------------------------

    def _read(self, place: int) -> int:
        (number,) = WORD.unpack_from(self._memory, place)
        return int(number)

    def _write(self, place: int, number: int) -> None:
        """Write a number at once: `pack_into` may let others read a half-written one."""
        self._memory[place : place + WORD.size] = WORD.pack(number)

    def _read_name(self) -> str:
        """The name of the board, of which no other machine has the same."""
        if not any(self._memory[: WORD.size]):
            self._memory[: WORD.size] = os.urandom(WORD.size)
        return self._memory[: WORD.size].hex()

    @contextmanager
    def _exclusively(self, flags: int = 0) -> Iterator[None]:
        """While no other process claims or forgets a section."""
        if self._file is None:
            yield
            return
        fcntl.flock(self._file, fcntl.LOCK_EX | flags)
        try:
            yield
        finally:
            fcntl.flock(self._file, fcntl.LOCK_UN)


def _open_file(path: Path) -> int:
    """The descriptor of a board's file, which is created if it is missing."""
    descriptor = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
    os.ftruncate(descriptor, BOARD_BYTES)
    return descriptor


def _start_of(section: int) -> int:
    return HEADER_BYTES + section * SECTION_BYTES


def _digest(kind: Kind, caller: str) -> bytes:
    return blake2b(caller.encode(), digest_size=WORD.size, salt=bytes([kind + 1])).digest()


def is_alive(pid: int) -> bool:
    """Whether there is such a process on this machine."""
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except PermissionError:  # of another user: it lives
        return True
    return True


class _Place:
    """The board of this process."""

    def __init__(self) -> None:
        self.board = Board()


_place: Final = _Place()


def board() -> Board:
    """The board of this process."""
    return _place.board


def news(topic: Topic) -> bytes:
    """The mark of the last news on the board of this process."""
    return _place.board.news(topic)


def leave() -> None:
    """Count alone from now on."""
    _place.board = Board()


def join(folder: Path) -> Board:
    """Share a board with the other web processes of this server from now on."""
    _place.board = Board(folder / FILE_NAME)
    return _place.board

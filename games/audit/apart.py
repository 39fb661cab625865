"""Exports of strangers are checked in a child process (games/audit/checking.py): neither memory nor
processor time of this process depends on what is in them."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryFile
from typing import IO, Any, Final

import orjson

from games.audit.budget import BUDGET, OverBudget
from games.audit.carrying import Carried, carried_from
from games.audit.verdict import Flaw, Verdict
from games.compiled import WISH
from games.registry import UnknownRules

PATIENCE: float = 60.0  # seconds
MERCY: Final = 5.0  # seconds more, until a child without a parent ends by itself
PIECE: Final = 1 << 16  # bytes
ROOT: Final = Path(__file__).resolve().parents[2]
CHILD: Final = (sys.executable, "-P", "-m", "games.audit.checking")


class TooCostly(Exception):
    """Checking the export takes more time or memory than it may."""


class TooBusy(Exception):
    """The machine has no time for a check now."""


class NoSuchRules(UnknownRules):
    """A child has found that nobody here knows the rules of an export."""

    def __init__(self, sentence: str) -> None:
        ValueError.__init__(self, sentence)


def verified(source: IO[bytes]) -> Verdict:
    """What is to be said of an export; OverBudget, TooCostly or TooBusy."""
    with _found("verify", source) as (found, _):
        return Verdict(**found)


def carried(source: IO[bytes]) -> Carried:
    """The game of an export; Flaw, UnknownRules, OverBudget, TooCostly or TooBusy."""
    with _found("carry", source) as (_, rest):
        return carried_from(rest)


@contextmanager
def _found(task: str, source: IO[bytes]) -> Iterator[tuple[Any, Iterator[bytes]]]:
    """What the child has found, and the lines that follow; or what it refused, raised."""
    with on_disk(source) as file, TemporaryFile() as answer:
        if status := _run(task, file, answer):
            raise TooCostly if status < 0 else RuntimeError(f"The child ended with {status}.")
        answer.seek(0)
        kind, found = orjson.loads(answer.readline())
        _refuse(kind, found)
        yield found, iter(answer)


def _refuse(kind: str, found: Any) -> None:
    if kind == "flaw":
        raise Flaw(*found)
    if kind == "unknown-rules":
        raise NoSuchRules(found)
    if kind == "too-large":
        raise OverBudget(found)
    if kind == "too-costly":
        raise TooCostly


def _run(task: str, source: IO[bytes], answer: IO[bytes]) -> int:
    """The exit status of the child; TooBusy if it is not given the time to come to its end."""
    asked = [*CHILD, task, str(PATIENCE + MERCY)]
    with subprocess.Popen(asked, stdin=source, stdout=answer, env=_environment()) as child:
        try:
            return child.wait(PATIENCE)
        except subprocess.TimeoutExpired as problem:
            raise TooBusy from problem
        finally:
            child.kill()


def _environment() -> Mapping[str, str]:
    """No more than it takes to find the code: the child is told no key and no address."""
    told = {name: os.environ[name] for name in (WISH, "PATH") if name in os.environ}
    return {**told, "PYTHONPATH": str(ROOT)}


@contextmanager
def on_disk(source: Any) -> Iterator[IO[bytes]]:
    """The export as a file that a child can read from its beginning."""
    if _is_file(source):
        yield source
        return
    with TemporaryFile() as file:
        _copy(source, file)
        yield file


def _is_file(source: IO[bytes]) -> bool:
    """Is it a file on a disk, which now stands at its beginning?"""
    try:
        os.lseek(source.fileno(), 0, os.SEEK_SET)
    except (AttributeError, OSError):  # UnsupportedOperation is one
        return False
    return True


def _copy(source: IO[bytes], file: IO[bytes]) -> None:
    left = BUDGET.total
    while piece := source.read(PIECE):
        left -= len(piece)
        if left < 0:
            raise OverBudget(f"An export may have {BUDGET.total >> 20} MB here.")
        file.write(piece)
    file.flush()
    file.seek(0)

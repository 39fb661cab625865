"""`python -m games.audit.checking verify 60`: what a child process finds of the export that it
reads from its standard input. It has little memory, little time and a low priority, and knows no
key and no database: the export may be anybody's."""

from __future__ import annotations

import os
import resource
import signal
import sys
from collections.abc import Callable, Iterator, Mapping
from typing import IO, Final

import orjson

from games.audit.budget import OverBudget, within
from games.audit.exports import carried, verified
from games.audit.verdict import Flaw
from games.registry import UnknownRules

MEMORY: Final = 128 << 20  # bytes of its own; the longest export known needs half of that
SECONDS: Final = 20  # of a processor; the longest export known needs two
WRITTEN: Final = 64 << 20  # bytes
NICE: Final = 10
Lines = Iterator[bytes]


def verdict(lines: Lines) -> Lines:
    """The verdict on an export, whoever has signed it."""
    yield orjson.dumps(["verdict", verified(lines, is_signed=False)])


def whole(lines: Lines) -> Lines:
    """The game of an export, to be kept here."""
    try:
        game = carried(lines, is_signed=False)
    except Flaw as flaw:
        yield orjson.dumps(["flaw", [flaw.sentence, flaw.seq, flaw.line]])
    except UnknownRules as unknown:
        yield orjson.dumps(["unknown-rules", str(unknown)])
    else:
        yield orjson.dumps(["carried", None]) + b"\n"
        yield from game.lines()


TASKS: Final[Mapping[str, Callable[[Lines], Lines]]] = {"verify": verdict, "carry": whole}


def checked(task: str, source: IO[bytes]) -> Lines:
    """What is found, in lines; the first says what kind of thing it is."""
    try:
        yield from TASKS[task](within(source))
    except OverBudget as problem:
        yield orjson.dumps(["too-large", str(problem)])
    except MemoryError:
        yield orjson.dumps(["too-costly", None])


def restrict(seconds: float) -> None:
    """Take as little of the machine as will do, and end even if the parent has gone."""
    os.nice(NICE)
    for what, most in (
        (resource.RLIMIT_DATA, MEMORY),
        (resource.RLIMIT_CPU, SECONDS),
        (resource.RLIMIT_FSIZE, WRITTEN),
        (resource.RLIMIT_CORE, 0),
    ):
        _, hard = resource.getrlimit(what)
        limit = most if hard == resource.RLIM_INFINITY else min(most, hard)
        resource.setrlimit(what, (limit, limit))
    signal.setitimer(signal.ITIMER_REAL, seconds)  # nothing handles it: the process ends


def main() -> None:
    """Check what comes in, and write what is found."""
    task, seconds = sys.argv[1:]
    restrict(float(seconds))
    sys.stdout.buffer.writelines(checked(task, sys.stdin.buffer))


if __name__ == "__main__":
    main()

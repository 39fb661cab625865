"""The child process of the sandbox: `python -m games.audit.sandbox_child verify 60` checks the
untrusted export on its standard input. It has little memory, little time and a low priority, and
knows no key and no database."""

from __future__ import annotations

import os
import resource
import signal
import sys
from collections.abc import Callable, Iterator, Mapping
from typing import IO, Final

import orjson

from games.audit.size_budget import BudgetExceeded, lines_within_budget
from tabularium_engines.installed.registry import RulesetNotInstalled
from tabularium_log.audit.export_verifier import load_verified_game, verify_export
from tabularium_log.audit.verdict import Flaw

MAX_MEMORY_BYTES: Final = 128 << 20  # RLIMIT_DATA; the longest export known needs half of it
MAX_CPU_SECONDS: Final = 20  # the longest export known needs two
MAX_WRITTEN_BYTES: Final = 64 << 20
NICENESS: Final = 10
Lines = Iterator[bytes]


def verdict_lines(lines: Lines) -> Lines:
    """The verdict on an export, signed or not."""
    yield orjson.dumps(["verdict", verify_export(lines, is_signed=False)])


def game_lines(lines: Lines) -> Lines:
    """The game of an export, ready to be stored here."""
    try:
        game = load_verified_game(lines, is_signed=False)
    except Flaw as flaw:
        yield orjson.dumps(["flaw", [flaw.sentence, flaw.seq, flaw.line]])
    except RulesetNotInstalled as problem:
        yield orjson.dumps(["unknown-rules", list(problem.ruleset)])
    else:
        yield orjson.dumps(["carried", None]) + b"\n"
        yield from game.to_lines()


TASK_HANDLERS: Final[Mapping[str, Callable[[Lines], Lines]]] = {
    "verify": verdict_lines,
    "carry": game_lines,
}


def run_task(task: str, source: IO[bytes]) -> Lines:
    """The result as lines; the first names its kind."""
    try:
        yield from TASK_HANDLERS[task](lines_within_budget(source))
    except BudgetExceeded as problem:
        yield orjson.dumps(["too-large", str(problem)])
    except MemoryError:
        yield orjson.dumps(["too-costly", None])


def restrict_resources(seconds: float) -> None:
    """Limit memory, CPU time and priority, and end after `seconds` even if the parent is gone."""
    os.nice(NICENESS)
    for kind, max_value in (
        (resource.RLIMIT_DATA, MAX_MEMORY_BYTES),
        (resource.RLIMIT_CPU, MAX_CPU_SECONDS),
        (resource.RLIMIT_FSIZE, MAX_WRITTEN_BYTES),
        (resource.RLIMIT_CORE, 0),
    ):
        _, hard_limit = resource.getrlimit(kind)
        limit = max_value if hard_limit == resource.RLIM_INFINITY else min(max_value, hard_limit)
        resource.setrlimit(kind, (limit, limit))
    signal.setitimer(signal.ITIMER_REAL, seconds)  # SIGALRM has no handler: it ends the process


def main() -> None:
    """Check standard input and write the result."""
    task, seconds = sys.argv[1:]
    restrict_resources(float(seconds))
    sys.stdout.buffer.writelines(run_task(task, sys.stdin.buffer))


if __name__ == "__main__":
    main()

"""The sandbox for untrusted exports: they are verified in a child process
(games/audit/sandbox_child.py), so neither the memory nor the CPU time of this process depends on
their content."""

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

from games.audit.size_budget import EXPORT_BUDGET, BudgetExceeded
from tabularium_engines.builds.compiled_engines import MODE_VARIABLE
from tabularium_engines.installed.registry import Ruleset, RulesetNotInstalled
from tabularium_log.audit.verdict import Flaw, Verdict
from tabularium_log.audit.verified_game import VerifiedGame, read_verified_game

CHECK_TIMEOUT_SECONDS: float = 60.0
CHILD_GRACE_SECONDS: Final = 5.0  # beyond the timeout; then a child without a parent ends itself
COPY_CHUNK_BYTES: Final = 1 << 16
PROJECT_ROOT: Final = Path(__file__).resolve().parents[2]
CHILD_COMMAND: Final = (sys.executable, "-P", "-m", "games.audit.sandbox_child")


class CheckTooCostly(Exception):
    """The check exceeds its limit of CPU time or memory."""


class CheckerBusy(Exception):
    """The machine has no time for a check now."""


def verify_export(source: IO[bytes]) -> Verdict:
    """The verdict on an export; raises BudgetExceeded, CheckTooCostly or CheckerBusy."""
    with _run_check("verify", source) as (result, _):
        return Verdict(**result)


def load_verified_game(source: IO[bytes]) -> VerifiedGame:
    """The game of an export; raises Flaw, RulesetNotInstalled, BudgetExceeded, CheckTooCostly or
    CheckerBusy."""
    with _run_check("carry", source) as (_, lines):
        return read_verified_game(lines)


@contextmanager
def _run_check(task: str, source: IO[bytes]) -> Iterator[tuple[Any, Iterator[bytes]]]:
    """The child's result and the lines that follow it; a refusal is raised."""
    with spool_to_disk(source) as file, TemporaryFile() as answer:
        if status := _run_child(task, file, answer):
            raise (
                CheckTooCostly
                if status < 0
                else RuntimeError(f"The child process ended with status {status}.")
            )
        answer.seek(0)
        kind, result = orjson.loads(answer.readline())
        _raise_refusal(kind, result)
        yield result, iter(answer)


def _raise_refusal(kind: str, result: Any) -> None:
    if kind == "flaw":
        raise Flaw(*result)
    if kind == "unknown-rules":
        raise RulesetNotInstalled(Ruleset(*result))
    if kind == "too-large":
        raise BudgetExceeded(result)
    if kind == "too-costly":
        raise CheckTooCostly


def _run_child(task: str, source: IO[bytes], answer: IO[bytes]) -> int:
    """The exit status of the child; raises CheckerBusy if it does not finish in time."""
    command = [*CHILD_COMMAND, task, str(CHECK_TIMEOUT_SECONDS + CHILD_GRACE_SECONDS)]
    with subprocess.Popen(command, stdin=source, stdout=answer, env=_child_environment()) as child:
        try:
            return child.wait(CHECK_TIMEOUT_SECONDS)
        except subprocess.TimeoutExpired as problem:
            raise CheckerBusy from problem
        finally:
            child.kill()


def _child_environment() -> Mapping[str, str]:
    """Only the variables needed to find the code: the child gets no key and no address."""
    env = {name: os.environ[name] for name in (MODE_VARIABLE, "PATH") if name in os.environ}
    return {**env, "PYTHONPATH": str(PROJECT_ROOT)}


@contextmanager
def spool_to_disk(source: Any) -> Iterator[IO[bytes]]:
    """The export as a file that a child can read from its beginning."""
    if _is_disk_file(source):
        yield source
        return
    with TemporaryFile() as file:
        _copy_within_budget(source, file)
        yield file


def _is_disk_file(source: IO[bytes]) -> bool:
    """Whether it is a file on disk; if so, it is rewound."""
    try:
        os.lseek(source.fileno(), 0, os.SEEK_SET)
    except (AttributeError, OSError):  # io.UnsupportedOperation is an OSError
        return False
    return True


def _copy_within_budget(source: IO[bytes], file: IO[bytes]) -> None:
    bytes_left = EXPORT_BUDGET.total_bytes
    while piece := source.read(COPY_CHUNK_BYTES):
        bytes_left -= len(piece)
        if bytes_left < 0:
            raise BudgetExceeded(
                f"An export may have at most {EXPORT_BUDGET.total_bytes >> 20} MB."
            )
        file.write(piece)
    file.flush()
    file.seek(0)

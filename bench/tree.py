"""The tree in which the benchmark runs: the production sources and Connect Four as one more game.

It is compiled by the same `setup.py`, into one unit with the same flags, and lies in a folder of
its own, so production never sees it.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Final

from games import compiled

TREE: Final = compiled.ROOT / compiled.BUILDS / "tree"
SOURCES: Final = ("games", "ai", "bench")
ADDED: Final = {
    "bench/connect_four.py": "games/engines/connect_four.py",
    "bench/play_many.py": "ai/search/play_many.py",
}
MODES: Final = ("compiled", "interpreted")
IMPORTING: Final = """
from time import process_time
start = process_time()
import games.engines.law_of_the_dice, ai.search.ismcts
print(process_time() - start)
"""


def grow() -> None:
    """Copy the sources as they are now and compile them, unless that was done before."""
    for folder in SOURCES:
        shutil.rmtree(TREE / folder, ignore_errors=True)
        ignored = shutil.ignore_patterns("__pycache__", "*.so")
        shutil.copytree(compiled.ROOT / folder, TREE / folder, ignore=ignored)
    shutil.copy2(compiled.ROOT / "setup.py", TREE)
    for source, target in ADDED.items():
        shutil.copy2(TREE / source, TREE / target)
    command = [sys.executable, "setup.py", "--quiet", "compile"]
    subprocess.run(command, cwd=TREE, check=True)


def built() -> list[Path]:
    """The files of the compiled unit; none where there is no compiler."""
    build = compiled.matching_build(TREE)
    return sorted(build.rglob("*.so")) if build else []


def environment(mode: str) -> dict[str, str]:
    """What a process is told: how the rules run, and that numpy's idle threads are not wanted."""
    return {**os.environ, compiled.WISH: mode, "OPENBLAS_NUM_THREADS": "1"}


class Worker:
    """A process of the tree, kept alive, that does what it is asked and says what came out."""

    def __init__(self, team: str, mode: str = MODES[0]) -> None:
        self._process = subprocess.Popen(
            [sys.executable, "-m", "bench.worker", team],
            cwd=TREE,
            env=environment(mode),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )

    def ask(self, task: str, amount: float) -> list[float]:
        """The numbers that a task answers."""
        asked, answered = self._process.stdin, self._process.stdout
        assert asked
        assert answered
        asked.write(f"{task} {amount}\n")
        asked.flush()
        numbers: list[float] = json.loads(answered.readline())
        return numbers

    def __enter__(self) -> Worker:
        return self

    def __exit__(self, *failure: object) -> None:
        """Let the process end, as it does when nobody can ask it any more."""
        self._process.communicate()


def import_seconds(mode: str) -> float:
    """The CPU seconds that a fresh process needs to import a game and the search."""
    printed = subprocess.run(
        [sys.executable, "-c", IMPORTING],
        cwd=TREE,
        env=environment(mode),
        capture_output=True,
        text=True,
        check=True,
    )
    return float(printed.stdout)

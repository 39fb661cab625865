"""The source tree in which the benchmark runs: the production sources, and Connect Four as one more
game.

It is compiled by the same `setup.py`, into one unit with the same flags, in a folder of its own
that production never sees.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Final

from bench.worker_process import WorkerProcess
from tabularium_engines.builds import compiled_engines

TREE_FOLDER: Final = compiled_engines.PROJECT_ROOT / compiled_engines.BUILDS_FOLDER / "tree"
SOURCE_FOLDERS: Final = ("tabularium_engines", "games", "ai", "bench")
ADDED_FILES: Final = {
    "bench/connect_four.py": "tabularium_engines/connect_four.py",
    "bench/play_many.py": "tabularium_engines/search/play_many.py",
}
ENGINE_MODES: Final = ("compiled", "interpreted")
IMPORT_SCRIPT: Final = """
from time import process_time
start = process_time()
import tabularium_engines.law_of_the_dice, tabularium_engines.search.ismcts
print(process_time() - start)
"""


def build_tree() -> None:
    """Copy the current sources and compile them, unless that was done before."""
    for folder in SOURCE_FOLDERS:
        shutil.rmtree(TREE_FOLDER / folder, ignore_errors=True)
        ignored = shutil.ignore_patterns("__pycache__", "*.so")
        shutil.copytree(
            compiled_engines.PROJECT_ROOT / folder, TREE_FOLDER / folder, ignore=ignored
        )
    shutil.copy2(compiled_engines.PROJECT_ROOT / "setup.py", TREE_FOLDER)
    for source, target in ADDED_FILES.items():
        shutil.copy2(TREE_FOLDER / source, TREE_FOLDER / target)
    command = [sys.executable, "setup.py", "--quiet", "compile"]
    subprocess.run(command, cwd=TREE_FOLDER, check=True)


def compiled_files() -> list[Path]:
    """The files of the compiled unit; none where there is no compiler."""
    build = compiled_engines.find_matching_build(TREE_FOLDER)
    return sorted(build.rglob("*.so")) if build else []


def process_environment(mode: str) -> dict[str, str]:
    """A process's environment: the engine mode, and no idle numpy threads."""
    return {**os.environ, compiled_engines.MODE_VARIABLE: mode, "OPENBLAS_NUM_THREADS": "1"}


class Worker(WorkerProcess):
    """A long-lived process in the tree that runs a task per request and returns its numbers."""

    def __init__(self, team: str, mode: str = ENGINE_MODES[0]) -> None:
        super().__init__("bench.worker", team, TREE_FOLDER, process_environment(mode))


def measure_import_seconds(mode: str) -> float:
    """The CPU seconds that a fresh process needs to import a game and the search."""
    completed = subprocess.run(
        [sys.executable, "-c", IMPORT_SCRIPT],
        cwd=TREE_FOLDER,
        env=process_environment(mode),
        capture_output=True,
        text=True,
        check=True,
    )
    return float(completed.stdout)

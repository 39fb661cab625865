"""`python -m bench.revisions OLD [NEW]`: the speed of one revision of this project against an
earlier one, in each of the races of `python -m bench`.

Both are checked out, compiled and kept alive, and run in turns: a slice of CPU time each in every
repetition, the older one first in every other. A row is the median of the ratios within the
repetitions, with a 95 % interval that assumes nothing about their distribution.
"""

from __future__ import annotations

import io
import shutil
import subprocess
import sys
import tarfile
from argparse import ArgumentParser, Namespace
from collections.abc import Sequence
from contextlib import ExitStack
from math import comb
from pathlib import Path
from statistics import median
from typing import Final, NamedTuple

from bench import race
from bench.compiled_tree import ENGINE_MODES, process_environment
from bench.report import format_number
from bench.worker_process import WorkerProcess
from tabularium_engines.builds import compiled_engines

FOLDER: Final = compiled_engines.PROJECT_ROOT / compiled_engines.BUILDS_FOLDER / "revisions"
CONFIDENCE: Final = 0.95
ENGINE_PROCESS: Final = "compiled"  # in the names of contestants


class Layout(NamedTuple):
    """Where a revision keeps its benchmark's tree, as modules and functions of `bench`."""

    build: str  # an expression that builds the tree
    team: str  # the module of our contestants


LAYOUTS: Final = {  # by the module that builds the tree
    "bench/compiled_tree.py": Layout("compiled_tree.build_tree()", "tabularium_contestant"),
    "bench/tree.py": Layout("tree.grow()", "ours"),
}


class Interval(NamedTuple):
    """A median and the order statistics around it."""

    low: float
    middle: float
    high: float


def median_interval(values: Sequence[float]) -> Interval:
    """The median and its interval: the narrowest pair of order statistics, equally far from both
    ends, that contains the true median with at least the confidence. The whole range if the values
    are too few for it."""
    ordered, number = sorted(values), len(values)
    tail, skip_count = 0.0, 0
    while 2 * (tail := tail + comb(number, skip_count) / 2**number) <= 1 - CONFIDENCE:
        skip_count += 1
    cut = max(skip_count - 1, 0)
    return Interval(ordered[cut], median(ordered), ordered[number - 1 - cut])


def checkout(revision: str) -> tuple[Path, Layout]:
    """The tree of a revision, compiled."""
    command = ["git", "rev-parse", "--verify", f"{revision}^{{commit}}"]
    name = subprocess.run(command, check=True, capture_output=True, text=True).stdout.strip()
    folder = FOLDER / name
    if not folder.exists():
        tar_bytes = subprocess.run(["git", "archive", name], check=True, capture_output=True).stdout
        with tarfile.open(fileobj=io.BytesIO(tar_bytes)) as archive:
            archive.extractall(folder, filter="data")
    layout = next(kind for file, kind in LAYOUTS.items() if (folder / file).exists())
    module = layout.build.partition(".")[0]
    script = f"from bench import {module}; {layout.build}"
    try:
        subprocess.run([sys.executable, "-c", script], cwd=folder, check=True)
    except subprocess.CalledProcessError:
        shutil.rmtree(folder)
        raise
    return folder / compiled_engines.BUILDS_FOLDER / "tree", layout


def measure(revisions: Sequence[str], arguments: Namespace) -> dict[str, list[float]]:
    """By race, the rate of the second revision over that of the first in each repetition."""
    with ExitStack() as processes:
        workers = []
        for revision in revisions:
            folder, layout = checkout(revision)
            environment = process_environment(ENGINE_MODES[0])
            worker = WorkerProcess("bench.worker", layout.team, folder, environment)
            workers.append(processes.enter_context(worker))
        names = [name for name in race_names() if arguments.only in name]
        for worker in workers:
            for name in names:
                worker.ask(name, 0.0)  # warm up
        ratios: dict[str, list[float]] = {name: [] for name in names}
        for repetition in range(arguments.repetitions):
            for name, race_ratios in ratios.items():
                race_ratios.append(ratio_of(workers, name, arguments.seconds, repetition % 2 == 1))
        return ratios


def ratio_of(
    workers: Sequence[WorkerProcess], name: str, seconds: float, is_reversed: bool
) -> float:
    """The second worker's rate over the first's; the second runs first if `is_reversed`."""
    order = list(reversed(workers)) if is_reversed else workers
    rates = [units / elapsed for units, elapsed in (worker.ask(name, seconds) for worker in order)]
    old, new = reversed(rates) if is_reversed else rates
    return new / old


def race_names() -> list[str]:
    """The races of our own engines, which earlier revisions call the same."""
    ours = (contest.ours.partition(".") for contest in race.all_contests())
    return list(dict.fromkeys(name for process, _, name in ours if process == ENGINE_PROCESS))


def main() -> None:
    """Measure and print."""
    parser = ArgumentParser(prog="python -m bench.revisions", description=__doc__)
    parser.add_argument("old")
    parser.add_argument("new", nargs="?", default="HEAD")
    parser.add_argument("--repetitions", type=int, default=21, help="pairs of slices (21)")
    parser.add_argument("--seconds", type=float, default=0.3, help="CPU seconds per slice (0.3)")
    parser.add_argument("--only", default="", metavar="WORD", help="only races so named")
    arguments = parser.parse_args()
    for name, ratios in measure((arguments.old, arguments.new), arguments).items():
        low, middle, high = map(format_number, median_interval(ratios))
        print(f"{name:32} {middle:>6} × [{low}, {high}] of {len(ratios)} pairs")


if __name__ == "__main__":
    main()

"""`python -m bench.small_games`: random games of the games in one file, compiled as a package,
against their source on the compiled kit and against a raw engine of the same game."""

from __future__ import annotations

import argparse
import shutil
import sys
from pathlib import Path
from typing import Final

from bench import compiled_tree, race, report
from bench.compiled_tree import TREE_FOLDER, Worker
from bench.race import Contest
from bench.small_game_contestant import SMALL_GAMES
from tabularium_engines.builds.compiled_engines import PROJECT_ROOT
from tabularium_engines.builds.package_build import build_in_place

PROCESS: Final = "small"


def build_package(folder: Path) -> None:
    """Compile the games beside their sources."""
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    for name in SMALL_GAMES:
        shutil.copy(PROJECT_ROOT / "examples" / name / f"{name}.py", folder)
    build = build_in_place(folder, [f"{name}.py" for name in SMALL_GAMES])
    if build.returncode:
        sys.exit(build.stdout + build.stderr)


def contests() -> list[Contest]:
    """Each compiled game against its source, and Four in a Row against the raw engine."""
    own = [
        Contest(
            f"{name} in one file, random games",
            "games/s",
            f"{PROCESS}.{name}_compiled",
            (f"{PROCESS}.{name}_source",),
        )
        for name in SMALL_GAMES
    ]
    ours, raw = f"{PROCESS}.four_in_a_row_compiled", f"{PROCESS}.raw_playouts"
    return [*own, Contest("four_in_a_row in one file, random games", "games/s", ours, (raw,))]


def main() -> None:
    """Build, measure and print."""
    parser = argparse.ArgumentParser(prog="python -m bench.small_games", description=__doc__)
    parser.add_argument("--repetitions", type=int, default=7, help="time slices per contestant")
    parser.add_argument("--seconds", type=float, default=0.3, help="CPU seconds per slice")
    arguments = parser.parse_args()
    compiled_tree.build_tree()
    build_package(TREE_FOLDER / "packages")
    with Worker("small_game_contestant") as worker:
        names = race.contestant_names(contests())
        race.measure_rates({PROCESS: worker}, names, 1, 0.0)  # warm up
        rates = race.measure_rates(
            {PROCESS: worker}, names, arguments.repetitions, arguments.seconds
        )
    rows = [race.judge_contest(contest, rates) for contest in contests()]
    sys.stdout.write(f"{report.render_table(rows)}\n")


if __name__ == "__main__":
    main()

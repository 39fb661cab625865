"""`python -m bench`: run all benchmarks, print a table, write bench/latest.json. It begins only on
a quiet machine, unless `--only` limits it, which writes nothing."""

from __future__ import annotations

import argparse
import json
import os
import sys
from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import asdict
from importlib.util import find_spec
from pathlib import Path
from statistics import median
from typing import Final

from ai.arena.statistics import wilson_interval
from bench import compiled_tree, race, report
from bench.compiled_tree import Worker
from bench.log import contests as log
from bench.pages import budgets as pages
from bench.race import Row
from bench.search_positions import DUEL_SIMULATIONS

LATEST_FILE: Final = Path(__file__).with_name("latest.json")
AGREEMENT_GAMES: Final = 300
MIN_DUEL_SHARE: Final = 0.45  # for the lower end of the interval
MAX_LOAD: Final = 1.0  # the average number of running processes in the last minute


def parse_arguments() -> argparse.Namespace:
    """The command-line arguments."""
    parser = argparse.ArgumentParser(prog="python -m bench", description=__doc__)
    parser.add_argument("--repetitions", type=int, default=7, help="time slices per contestant")
    parser.add_argument("--seconds", type=float, default=0.3, help="CPU seconds per slice")
    parser.add_argument(
        "--only", default="", metavar="WORD", help="only races whose name contains this"
    )
    parser.add_argument(
        "--games", type=int, default=400, help="games per duel, for each search length"
    )
    return parser.parse_args()


def race_rows(workers: dict[str, Worker], arguments: argparse.Namespace) -> list[Row]:
    """The speed comparisons."""
    contests = [
        contest for contest in race.all_contests() if arguments.only.lower() in contest.name.lower()
    ]
    names = race.contestant_names(contests)
    race.measure_rates(workers, names, 1, 0.0)  # warm up
    rates = race.measure_rates(workers, names, arguments.repetitions, arguments.seconds)
    return [race.judge_contest(contest, rates) for contest in contests]


def duel_rows(worker: Worker, games: int) -> Iterator[Row]:
    """Whether the rules agree with OpenSpiel's, and whether a simulation is worth as much."""
    (agreement_count,) = worker.ask("agreement", AGREEMENT_GAMES)
    yield Row(
        "Connect Four rules agree", agreement_count, f"of {AGREEMENT_GAMES} games", "openspiel"
    )
    for simulations in DUEL_SIMULATIONS:
        wins, draws, losses = worker.ask(f"duels_{simulations}", games)
        share = (wins + draws / 2) / games
        low, high = wilson_interval(share, games)
        yield Row(
            f"Connect Four, {simulations} simulations each",
            share,
            f"share of {games} games [{low:.3f}, {high:.3f}]",
            "openspiel.mcts",
            target=MIN_DUEL_SHARE,
            met=low >= MIN_DUEL_SHARE,
            repetitions=games,
            values=(wins, draws, losses),
        )


def build_rows(repetitions: int) -> Iterator[Row]:
    """The costs of compiling: size and import time."""
    yield Row(
        "Compiled unit",
        sum(file.stat().st_size for file in compiled_tree.compiled_files()) / 1e6,
        "MB",
    )
    times: dict[str, list[float]] = {mode: [] for mode in compiled_tree.ENGINE_MODES}
    for _ in range(repetitions):
        for mode, milliseconds in times.items():
            milliseconds.append(compiled_tree.measure_import_seconds(mode) * 1000)
    ours, theirs = (times[mode] for mode in compiled_tree.ENGINE_MODES)
    yield Row(
        "Import of a game and the search",
        median(ours),
        "ms",
        "interpreted",
        median(theirs),
        median(mine / other for mine, other in zip(ours, theirs, strict=True)),
        repetitions=repetitions,
        values=ours,
        peer_values=theirs,
    )


def refuse_load() -> None:
    """Exit if other programs have been running."""
    load, *_ = os.getloadavg()
    if load > MAX_LOAD:
        sys.exit(
            f"The load average is {load:.1f}, above {MAX_LOAD:.0f}: no figures are written that"
            " other programs have changed. Try again in a minute."
        )


def main() -> None:
    """Measure, write and print."""
    arguments = parse_arguments()
    if not arguments.only:
        refuse_load()
    for library in ("pyspiel", "pettingzoo"):
        if find_spec(library) is None:
            sys.exit(f"{library} is missing: `make bench` installs requirements/bench.txt.")
    compiled_tree.build_tree()
    if not compiled_tree.compiled_files():
        sys.exit("Nothing to measure: the engines could not be compiled.")
    with ExitStack() as processes:
        workers = {
            name: processes.enter_context(Worker(team, mode))
            for name, (team, mode) in race.TEAMS.items()
        }
        rows = race_rows(workers, arguments)
        if not arguments.only:
            rows += duel_rows(workers["compiled"], arguments.games)
            rows += build_rows(arguments.repetitions)
            rows += log.measure_all(arguments.repetitions, arguments.seconds)
            rows += pages.measure_all(arguments.repetitions)
            LATEST_FILE.write_text(json.dumps([asdict(row) for row in rows], indent=1) + "\n")
    print(report.render_table(rows))


main()

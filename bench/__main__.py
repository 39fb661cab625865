"""`python -m bench`: race everything in one run, print a table, write bench/latest.json."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import asdict
from importlib.util import find_spec
from pathlib import Path
from statistics import median
from typing import Final

from ai.arena.statistics import wilson
from bench import race, report, tree
from bench.log import contests as log
from bench.positions import DUELS
from bench.race import Row
from bench.tree import Worker

LATEST: Final = Path(__file__).with_name("latest.json")
AGREEING: Final = 300  # random games
AS_STRONG: Final = 0.45  # the lower end of the interval


def options() -> argparse.Namespace:
    """What the caller wants otherwise."""
    parser = argparse.ArgumentParser(prog="python -m bench", description=__doc__)
    parser.add_argument("--repetitions", type=int, default=7, help="slices of each contestant")
    parser.add_argument("--seconds", type=float, default=0.3, help="CPU seconds of a slice")
    parser.add_argument(
        "--only", default="", metavar="WORD", help="the races with this in their name, no more"
    )
    parser.add_argument("--games", type=int, default=400, help="of a duel, of each length")
    return parser.parse_args()


def raced(workers: dict[str, Worker], wanted: argparse.Namespace) -> list[Row]:
    """All that is a matter of speed."""
    held = [one for one in race.contests() if wanted.only.lower() in one.name.lower()]
    taking_part = race.contestants(held)
    race.run(workers, taking_part, 1, 0.0)  # warm up
    rates = race.run(workers, taking_part, wanted.repetitions, wanted.seconds)
    return [race.judged(contest, rates) for contest in held]


def duelled(worker: Worker, games: int) -> Iterator[Row]:
    """Are the rules the same, and is a simulation worth the same?"""
    (agreed,) = worker.ask("agreement", AGREEING)
    yield Row("Connect Four rules agree", agreed, f"of {AGREEING} games", "openspiel")
    for simulations in DUELS:
        won, drawn, lost = worker.ask(f"duels_{simulations}", games)
        share = (won + drawn / 2) / games
        low, high = wilson(share, games)
        yield Row(
            f"Connect Four, {simulations} simulations each",
            share,
            f"share of {games} games [{low:.3f}, {high:.3f}]",
            "openspiel.mcts",
            target=AS_STRONG,
            met=low >= AS_STRONG,
            repetitions=games,
            values=(won, drawn, lost),
        )


def built(repetitions: int) -> Iterator[Row]:
    """What compiling costs elsewhere."""
    yield Row("Compiled unit", sum(file.stat().st_size for file in tree.built()) / 1e6, "MB")
    times: dict[str, list[float]] = {mode: [] for mode in tree.MODES}
    for _ in range(repetitions):
        for mode, found in times.items():
            found.append(tree.import_seconds(mode) * 1000)
    ours, theirs = (times[mode] for mode in tree.MODES)
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


def main() -> None:
    """Race, write and print."""
    wanted = options()
    if find_spec("pyspiel") is None:
        sys.exit("OpenSpiel is missing: `make bench` installs it, from requirements/bench.txt.")
    tree.grow()
    if not tree.built():
        sys.exit("Nothing to measure: the engines could not be compiled here.")
    with ExitStack() as processes:
        workers = {
            name: processes.enter_context(Worker(team, mode))
            for name, (team, mode) in race.TEAMS.items()
        }
        rows = raced(workers, wanted)
        if not wanted.only:
            rows += duelled(workers["compiled"], wanted.games)
            rows += built(wanted.repetitions)
            rows += log.held(wanted.repetitions, wanted.seconds)
            LATEST.write_text(json.dumps([asdict(row) for row in rows], indent=1) + "\n")
    print(report.table(rows))


main()

"""A contestant's process: reads a task and an amount per line, answers with a line of JSON
numbers."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from importlib import import_module
from time import process_time
from typing import TypeAlias

# does a fixed amount of work and returns its number of units
Round: TypeAlias = Callable[[], float]
Task: TypeAlias = Callable[[int], list[float]]


def run_rounds(work: Round, seconds: float) -> list[float]:
    """Run whole rounds, at least one, for `seconds`; return the units done and the CPU seconds."""
    start = process_time()
    units = work()
    while (elapsed := process_time() - start) < seconds:
        units += work()
    return [units, elapsed]


def serve(rounds: dict[str, Round], tasks: dict[str, Task]) -> None:
    """Answer requests until the input ends."""
    for line in sys.stdin:
        name, amount = line.split()
        if name in rounds:
            answer = run_rounds(rounds[name], float(amount))
        else:
            answer = tasks[name](int(float(amount)))
        print(json.dumps(answer), flush=True)


if __name__ == "__main__":
    team = import_module(f"bench.{sys.argv[1]}")
    serve(team.rounds(), team.TASKS)

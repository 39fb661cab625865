"""A contestant's process: reads a round and a number of seconds per line, answers with a line of
JSON numbers: the units done and the wall-clock seconds they took."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Callable, Mapping
from importlib import import_module
from time import perf_counter
from typing import TypeAlias

import django

from bench.log.stores import Store
from bench.worker_process import WorkerProcess
from tabularium_engines.builds import compiled_engines

# argument: seconds; result: units done, seconds taken
Round: TypeAlias = Callable[[float], tuple[float, ...]]


def repeat_for(work: Callable[[], float]) -> Round:
    """Repeat `work`, which returns its units, at least once and for `seconds`."""

    def run(seconds: float) -> tuple[float, ...]:
        start = perf_counter()
        units = work()
        while (elapsed := perf_counter() - start) < seconds:
            units += work()
        return units, elapsed

    return run


class Worker(WorkerProcess):
    """The process, kept alive, from the point of view of its parent."""

    def __init__(self, team: str, store: Store, mode: str = "compiled") -> None:
        environment = {**os.environ, **store.environment, compiled_engines.MODE_VARIABLE: mode}
        super().__init__("bench.log.worker", team, compiled_engines.PROJECT_ROOT, environment)


def serve(rounds: Mapping[str, Callable[[], Round]]) -> None:
    """Answer requests until the input ends; a round is prepared on its first request."""
    ready: dict[str, Round] = {}
    for line in sys.stdin:
        name, seconds = line.split()
        if name not in ready:
            ready[name] = rounds[name]()
        print(json.dumps(ready[name](float(seconds))), flush=True)


if __name__ == "__main__":
    django.setup()
    serve(import_module(f"bench.log.{sys.argv[1]}").ROUNDS)

"""Comparing two checkouts under load: both are served and kept alive, and one repetition measures
each for a few seconds, the older one first in every other."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from statistics import median, quantiles
from typing import Final

from bench.door.checkout import ServedCheckout, open_store, serve_checkout, slow_disk
from bench.report import format_number
from tabularium_engines.builds import compiled_engines

WARM_UP_SECONDS: Final = 1.0  # repeated until an action has been made on each connection
MICROSECONDS: Final = 1e6
HEADINGS: Final = (
    *("store", "connections", "old/s", "new/s", "new/s ÷ old/s"),
    *("CPU µs, old", "new", "new ÷ old", "p50 ms, old", "new", "p99 ms, old", "new"),
)


@dataclass(frozen=True)
class Measurement:
    """The figures of one checkout in one repetition."""

    rate: float  # actions a second
    cpu: float  # microseconds of the server's processor time for an action
    p50: float  # seconds
    p99: float

    @classmethod
    def of(cls, times: Sequence[float], elapsed: float, cpu_seconds: float) -> Measurement:
        """The measurement of actions that took these times."""
        percentiles = quantiles(times, n=100)
        cpu = cpu_seconds * MICROSECONDS / len(times)
        return cls(len(times) / elapsed, cpu, percentiles[49], percentiles[98])


@dataclass(frozen=True)
class Load:
    """A number of connections to a server, and the process that plays on them."""

    server: ServedCheckout
    process: subprocess.Popen[str]

    def measure(self, seconds: float) -> Measurement:
        """Play for some seconds."""
        cpu_seconds = self.server.cpu_seconds()
        times, elapsed = self.play(seconds)
        return Measurement.of(times, elapsed, self.server.cpu_seconds() - cpu_seconds)

    def play(self, seconds: float) -> tuple[list[float], float]:
        """The times of the actions, and the time in which all were made."""
        stdin, stdout = self.process.stdin, self.process.stdout
        assert stdin
        assert stdout
        stdin.write(f"{seconds}\n")
        stdin.flush()
        times, elapsed = json.loads(stdout.readline())
        return times, elapsed

    def warm_up(self, connections: int) -> None:
        """Play until every connection has a game."""
        count = 0
        while count < 2 * connections:
            count += len(self.play(WARM_UP_SECONDS)[0])


@contextmanager
def open_load(
    server: ServedCheckout, connections: int, players: Sequence[str] = ()
) -> Iterator[Load]:
    """Connections to a server, each with an account, and warm; `players` is the command of another
    program that plays."""
    own = (sys.executable, "-m", "bench.door.clients", str(server.port), str(connections))
    command = players or own
    pipe, root = subprocess.PIPE, compiled_engines.PROJECT_ROOT
    with subprocess.Popen(command, cwd=root, stdin=pipe, stdout=pipe, text=True) as process:
        load = Load(server, process)
        load.warm_up(connections)
        yield load
        assert process.stdin
        process.stdin.close()


@dataclass(frozen=True)
class Plan:
    """How to compare: the two checkouts, on which stores, with how many connections."""

    folders: tuple[Path, Path]
    stores: Sequence[str]
    connections: Sequence[int]
    repetitions: int
    seconds: float
    sync_milliseconds: float = 0.0  # by which a sync takes longer
    web: tuple[int, int] = (0, 0)  # processes of each; 0: as many as it takes by itself


Pair = tuple[Measurement, Measurement]  # of the old and of the new checkout


def compare(plan: Plan) -> Iterator[tuple[str, ...]]:
    """The cells of a row for each store and each number of connections."""
    with slow_disk(plan.sync_milliseconds) as environment:
        for store in plan.stores:
            for number, pairs in compare_on_store(plan, store, environment):
                yield row_cells(store, number, pairs)


def compare_on_store(
    plan: Plan, kind: str, environment: Mapping[str, str]
) -> Iterator[tuple[int, list[Pair]]]:
    """Each number of connections, with its pairs of measurements."""
    with ExitStack() as stack:
        servers = []
        for name, folder, web in zip(("old", "new"), plan.folders, plan.web, strict=True):
            store = stack.enter_context(open_store(kind, name))
            served = serve_checkout(folder, store, environment, web)
            servers.append(stack.enter_context(served))
        for number in plan.connections:
            with ExitStack() as loads:
                old, new = (loads.enter_context(open_load(server, number)) for server in servers)
                yield (
                    number,
                    [
                        measure_pair(old, new, plan.seconds, repetition % 2 == 1)
                        for repetition in range(plan.repetitions)
                    ],
                )


def measure_pair(old: Load, new: Load, seconds: float, is_reversed: bool) -> Pair:
    """One measurement of each; the new checkout comes first if `is_reversed`."""
    if is_reversed:
        later_first = new.measure(seconds)
        return old.measure(seconds), later_first
    return old.measure(seconds), new.measure(seconds)


def row_cells(store: str, connections: int, pairs: Sequence[Pair]) -> tuple[str, ...]:
    """The medians of both checkouts, and the ratios with their ranges."""
    olds, news = zip(*pairs, strict=True)
    cells = [format_number(median(one.rate for one in side)) for side in (olds, news)]
    cells.append(ratio_range([new.rate / old.rate for old, new in pairs]))
    cells += [format_number(median(one.cpu for one in side)) for side in (olds, news)]
    cells.append(ratio_range([new.cpu / old.cpu for old, new in pairs]))
    cells += [format_number(1000 * median(one.p50 for one in side)) for side in (olds, news)]
    cells += [format_number(1000 * median(one.p99 for one in side)) for side in (olds, news)]
    return (store, str(connections), *cells)


def ratio_range(ratios: Sequence[float]) -> str:
    """The median of ratios, with the smallest and the largest."""
    middle, low, high = map(format_number, (median(ratios), min(ratios), max(ratios)))
    return f"{middle} × [{low}, {high}]"

"""`python -m bench.http.web_processes`: the processor time of the web server for an action, with
one process and with several: by clients that keep their connection, and by clients that send each
action over another connection, as behind a proxy, so that most reach another process."""

from __future__ import annotations

import argparse
from collections import defaultdict
from contextlib import ExitStack
from itertools import product
from statistics import median
from typing import Final

from bench import report
from bench.brokers.broker_processes import process_cpu_seconds
from bench.http.load_client import HOPPING
from bench.http.throughput import run_clients, run_supervisor
from bench.log.stores import Store, open_stores
from bench.race import Row
from bench.startup import descendants, proportional_memory_mb

COUNTS: Final = (1, 2, 4)  # web processes
CONNECTIONS: Final = 32  # a load for which one process is too few
KEEPING: Final = "ours"
KINDS: Final = {KEEPING: "a connection for each client", HOPPING: "clients hop"}
MAX_RATIO: Final = 1.15  # to the processor time of one process, for clients that keep connections


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(prog="python -m bench.http.web_processes", description=__doc__)
    parser.add_argument("--repetitions", type=int, default=7, help="games per connection")
    arguments = parser.parse_args()
    with open_stores() as stores:
        for name, store in stores.items():
            print(report.render_table(store_rows(name, store, arguments.repetitions)))


def store_rows(name: str, store: Store, repetitions: int) -> list[Row]:
    """The rows of one store: servers of all sizes run at once, and are asked in turn."""
    costs: dict[tuple[str, int], list[float]] = defaultdict(list)
    rows = []
    with ExitStack() as stack:
        servers = {count: stack.enter_context(run_supervisor(store, count)) for count in COUNTS}
        for repetition in range(repetitions + 1):
            for kind, (count, (port, supervisor)) in product(KINDS, servers.items()):
                before = cpu_seconds(supervisor)
                times, _ = run_clients(port, kind, CONNECTIONS)
                if repetition:  # the first warms up
                    costs[kind, count].append((cpu_seconds(supervisor) - before) / len(times))
        for count, (_, supervisor) in servers.items():
            memory = [proportional_memory_mb(pid) for pid in descendants(supervisor)][1:]
            rows.append(Row(f"memory of a web process, one of {count}", median(memory), "MB"))
    for kind, count in product(KINDS, COUNTS[1:]):
        title = f"processor time of an action, {name}, {KINDS[kind]}: {count} web processes"
        rows.append(cost_row(title, kind, median(costs[kind, count]), median(costs[kind, 1])))
    return rows


def cost_row(title: str, kind: str, cost: float, cost_with_one: float) -> Row:
    """A cost beside that with one web process."""
    ratio = cost / cost_with_one
    target = MAX_RATIO if kind == KEEPING else None
    return Row(
        title,
        1000 * cost,
        "ms",
        "one web process",
        1000 * cost_with_one,
        ratio,
        target,
        None if target is None else ratio <= target,
        is_limit=True,
    )


def cpu_seconds(pid: int) -> float:
    """The processor time that the processes of a server have had."""
    return sum(map(process_cpu_seconds, descendants(pid)))


if __name__ == "__main__":
    main()

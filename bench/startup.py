"""`python -m bench.startup`: the cost of starting a server whose processes are forks, compared with
one whose processes are new interpreters, as on macOS. Both run on SQLite and the spool, in turns.
"""

from __future__ import annotations

import argparse
import os
import resource
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from time import monotonic, sleep
from typing import Final, NamedTuple
from urllib.request import urlopen

from bench.ports import free_port
from tabularium_engines.builds import compiled_engines

SERVE: Final = """
import os, sys
os.environ["DJANGO_SETTINGS_MODULE"] = "config.settings"
from config.supervisor import forked_process
forked_process.IS_FORK_SAFE = sys.argv[1] == "forks"
from django.core.management import execute_from_command_line
execute_from_command_line(["manage.py", "serve", "--concurrency=2"])
"""
KINDS: Final = ("interpreters", "forks")
SETTLE_SECONDS: Final = 4.0  # until the pools of the workers are full, too
POLL_SECONDS: Final = 0.02


class Cost(NamedTuple):
    """The cost of one server."""

    ready_seconds: float  # until `readyz` answers 200
    cpu_seconds: float  # from the start to the end
    memory_mb: float  # of all processes; shared memory counts once


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(prog="python -m bench.startup", description=__doc__)
    parser.add_argument("--repetitions", type=int, default=5, help="servers of each kind")
    options = parser.parse_args()
    costs: dict[str, list[Cost]] = {kind: [] for kind in KINDS}
    for _ in range(options.repetitions):
        for kind in KINDS:
            costs[kind].append(measure(kind))
    print(f"load average {os.getloadavg()[0]:.1f} on {os.cpu_count()} cores")
    for line in table(costs):
        print(line)


def table(costs: dict[str, list[Cost]]) -> Iterator[str]:
    """A line for each kind of cost: both ranges, and the ratio of the medians."""
    for index, name in enumerate(Cost._fields):
        old, new = ([cost[index] for cost in costs[kind]] for kind in KINDS)
        ranges = " | ".join(f"{min(each):.1f} to {max(each):.1f}" for each in (old, new))
        yield f"| {name} | {ranges} | {median(old) / median(new):.1f} × |"


def measure(kind: str) -> Cost:
    """Start a server with processes of this kind, and stop it."""
    before = cpu_seconds()
    with TemporaryDirectory() as folder:
        port = free_port()
        env = {**os.environ, "TABULARIUM_DATA": folder, "PORT": str(port)}
        for name in ("DATABASE_URL", "REDIS_URL"):
            env.pop(name, None)
        started_at = monotonic()
        server = subprocess.Popen(
            [sys.executable, "-c", SERVE, kind],
            cwd=compiled_engines.PROJECT_ROOT,
            env=env,
            stdout=subprocess.DEVNULL,
        )
        while not is_ready(port):
            sleep(POLL_SECONDS)
        ready_seconds = monotonic() - started_at
        sleep(SETTLE_SECONDS)
        memory = sum(map(proportional_memory_mb, descendants(server.pid)))
        server.send_signal(signal.SIGTERM)
        server.wait()
    return Cost(ready_seconds, cpu_seconds() - before, memory)


def is_ready(port: int) -> bool:
    """Whether the server reports itself ready."""
    with suppress(OSError), urlopen(f"http://127.0.0.1:{port}/api/v1/readyz") as response:
        return bool(response.status == 200)
    return False


def cpu_seconds() -> float:
    """The processor time of all processes that have ended and were waited for."""
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime


def descendants(pid: int) -> Iterator[int]:
    """A process with all its descendants; those that end meanwhile may be left out."""
    yield pid
    with suppress(OSError):
        for task in Path(f"/proc/{pid}/task").iterdir():
            for child in (task / "children").read_text().split():
                yield from descendants(int(child))


def proportional_memory_mb(pid: int) -> float:
    """The memory of a process in MB (PSS): a page that several share is divided among them."""
    lines = Path(f"/proc/{pid}/smaps_rollup").read_text().splitlines()
    (kilobytes,) = (int(line.split()[1]) for line in lines if line.startswith("Pss:"))
    return kilobytes / 1024


if __name__ == "__main__":
    main()

"""Trials of one broker: its costs in a calm run, and its losses in a storm of kill -9."""

from __future__ import annotations

import random
import subprocess
import sys
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from statistics import median, quantiles
from time import monotonic, sleep

from bench.brokers import CHAIN_COUNT
from bench.brokers.broker_processes import BrokerProcesses
from bench.brokers.contestants import Contestant

IDLE_SECONDS = 5.0
BACKLOG_TASKS = 600
CALM_CHAIN_LINKS = 200  # of the undisturbed chain
PROBE_SCRIPT = """
import sys
from time import perf_counter, sleep
from bench.brokers.broker_tasks import busy, link
for _ in range(int(sys.argv[1])):
    busy.delay(6.0)
sleep(1.0)
for number in range(200):
    begun = perf_counter()
    link.delay(f"probe{sys.argv[1]}.{number}", 0, 0, 0)
    print(perf_counter() - begun)
    sleep(0.005)
"""


@dataclass
class Figures:
    """One broker's line of the table."""

    name: str
    latency: str = "–"
    rate: str = "–"
    idle: str = "–"
    publish: str = "–"
    publish_busy: str = "–"
    done: str = "–"
    lost: str = "–"
    ran_twice: str = "–"


def run_calm_trial(contestant: Contestant, folder: Path, figures: Figures) -> None:
    """Measure without killing any process."""
    cast = start_broker(contestant, folder)
    try:
        cast.start_worker()
        if contestant.in_one_process:
            return
        sleep(4)
        before = cast.cpu_seconds()
        sleep(IDLE_SECONDS)
        figures.idle = f"{(cast.cpu_seconds() - before) / IDLE_SECONDS:.1%}"
        figures.publish = measure_publish(cast, 0)
        figures.rate = f"{measure_rate(cast):.0f}"
        cast.start_publisher(1, CALM_CHAIN_LINKS, 0)
        wait_until(lambda: count_done(folder) >= BACKLOG_TASKS + 200 + CALM_CHAIN_LINKS, 60)
        figures.latency = latency_text(
            [wait for name, wait in task_starts(folder) if "chain" in name]
        )
        figures.publish_busy = measure_publish(cast, 2)
    finally:
        cast.kill_all()


def start_broker(contestant: Contestant, folder: Path) -> BrokerProcesses:
    """An empty folder with a running broker."""
    (folder / "done").mkdir(parents=True)
    cast = BrokerProcesses(contestant, folder)
    cast.start_server()
    return cast


def measure_publish(cast: BrokerProcesses, thinking: int) -> str:
    """The time of publishing while that many tasks are busy."""
    answer = subprocess.run(
        [sys.executable, "-c", PROBE_SCRIPT, str(thinking)],
        env=cast.env,
        capture_output=True,
        check=True,
        text=True,
    )
    return latency_text([float(line) for line in answer.stdout.split()][10:])


def measure_rate(cast: BrokerProcesses) -> float:
    """Tasks per second with a full queue."""
    before = count_done(cast.folder)
    code = (
        "from bench.brokers.broker_tasks import link\n"
        f"for number in range({BACKLOG_TASKS}): link.delay(f'backlog{{number}}', 0, 0, 0)"
    )
    begun = monotonic()
    subprocess.run([sys.executable, "-c", code], env=cast.env, check=True)
    wait_until(lambda: count_done(cast.folder) >= before + BACKLOG_TASKS, 60)
    return (count_done(cast.folder) - before) / (monotonic() - begun)


def run_storm_trial(contestant: Contestant, folder: Path, figures: Figures, seconds: float) -> None:
    """About every second, kill a process and restart it."""
    cast = start_broker(contestant, folder)
    rng = random.Random(5)
    links, singles = int(seconds * 10), int(seconds * 15)
    try:
        cast.start_worker()
        cast.start_publisher(CHAIN_COUNT, links, singles)
        sleep(3)
        end = monotonic() + seconds
        while monotonic() < end:
            kill_and_restart(cast, rng.choice(possible_victims(cast)), links, singles)
            sleep(rng.uniform(0.5, 1.5))
        goal = CHAIN_COUNT * (links + 1) + singles
        wait_until(lambda: count_done(folder) >= goal or is_quiet(folder), 240)
        count_results(folder, figures, links, singles)
    finally:
        cast.kill_all()


def possible_victims(cast: BrokerProcesses) -> list[str]:
    """The processes that may be killed."""
    parts = [*cast.processes]
    return [*parts, "fork"] if "worker" in parts else parts


def kill_and_restart(cast: BrokerProcesses, victim: str, links: int, singles: int) -> None:
    """Kill a process, then restart every one that has ended, except those that their own parent
    restarts."""
    if victim == "fork":
        cast.kill_fork("worker")
    else:
        cast.kill(victim)
    starts_again: dict[str, Callable[[], None]] = {
        "server": cast.start_server,
        "worker": cast.start_worker,
        "publisher": lambda: cast.start_publisher(CHAIN_COUNT, links, singles),
    }
    for name, process in [*cast.processes.items()]:
        if process.poll() is not None:
            starts_again[name]()


def is_quiet(folder: Path) -> bool:
    """Whether nothing was done for longer than any time-out of the contestants."""
    before = count_done(folder)
    sleep(20)
    return count_done(folder) == before


def count_results(folder: Path, figures: Figures, links: int, singles: int) -> None:
    """Count the results. A chain that stops has lost one task; those after it were never sent."""
    done = {path.name for path in (folder / "done").iterdir()}
    accepted = set((folder / "accepted").read_text().split())
    lost = [name for name in accepted if f"{name}.{links if 'chain' in name else 0}" not in done]
    runs = Counter(name for name, _ in task_starts(folder))
    figures.done = f"{len(done)} of {CHAIN_COUNT * (links + 1) + singles}"
    figures.lost = str(len(lost))
    figures.ran_twice = str(sum(number - 1 for number in runs.values()))


def task_starts(folder: Path) -> list[tuple[str, float]]:
    """Every start of a task, and how long it waited."""
    journal = folder / "started"
    lines = journal.read_text().splitlines() if journal.exists() else []
    words = [line.split() for line in lines]
    return [(f"{chain}.{step}", float(waited)) for chain, step, waited in words]


def count_done(folder: Path) -> int:
    """The number of tasks done."""
    return sum(1 for _ in (folder / "done").iterdir())


def wait_until(is_so: Callable[[], bool], seconds: float) -> None:
    """Wait for a condition, up to a limit."""
    end = monotonic() + seconds
    while not is_so() and monotonic() < end:
        sleep(0.05)


def latency_text(waits: list[float]) -> str:
    """Median and 99th percentile, in milliseconds."""
    if len(waits) < 2:
        return "nothing arrived"
    return f"{median(waits) * 1000:.1f} / {quantiles(waits, n=100)[98] * 1000:.0f}"

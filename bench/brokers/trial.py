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
    start = perf_counter()
    link.delay(f"probe{sys.argv[1]}.{number}", 0, 0, 0)
    print(perf_counter() - start)
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
    processes = start_broker(contestant, folder)
    try:
        processes.start_worker()
        if contestant.in_one_process:
            return
        sleep(4)
        cpu_before = processes.cpu_seconds()
        sleep(IDLE_SECONDS)
        figures.idle = f"{(processes.cpu_seconds() - cpu_before) / IDLE_SECONDS:.1%}"
        figures.publish = measure_publish(processes, 0)
        figures.rate = f"{measure_rate(processes):.0f}"
        processes.start_publisher(1, CALM_CHAIN_LINKS, 0)
        wait_until(lambda: count_done(folder) >= BACKLOG_TASKS + 200 + CALM_CHAIN_LINKS, 60)
        figures.latency = latency_text(
            [latency for name, latency in task_starts(folder) if "chain" in name]
        )
        figures.publish_busy = measure_publish(processes, 2)
    finally:
        processes.kill_all()


def start_broker(contestant: Contestant, folder: Path) -> BrokerProcesses:
    """An empty folder with a running broker."""
    (folder / "done").mkdir(parents=True)
    processes = BrokerProcesses(contestant, folder)
    processes.start_server()
    return processes


def measure_publish(processes: BrokerProcesses, busy_count: int) -> str:
    """The time of publishing while `busy_count` tasks are busy."""
    completed = subprocess.run(
        [sys.executable, "-c", PROBE_SCRIPT, str(busy_count)],
        env=processes.env,
        capture_output=True,
        check=True,
        text=True,
    )
    return latency_text([float(line) for line in completed.stdout.split()][10:])


def measure_rate(processes: BrokerProcesses) -> float:
    """Tasks per second with a full queue."""
    done_before = count_done(processes.folder)
    code = (
        "from bench.brokers.broker_tasks import link\n"
        f"for number in range({BACKLOG_TASKS}): link.delay(f'backlog{{number}}', 0, 0, 0)"
    )
    started_at = monotonic()
    subprocess.run([sys.executable, "-c", code], env=processes.env, check=True)
    wait_until(lambda: count_done(processes.folder) >= done_before + BACKLOG_TASKS, 60)
    return (count_done(processes.folder) - done_before) / (monotonic() - started_at)


def run_storm_trial(contestant: Contestant, folder: Path, figures: Figures, seconds: float) -> None:
    """About every second, kill a process and restart it."""
    processes = start_broker(contestant, folder)
    rng = random.Random(5)
    links, singles = int(seconds * 10), int(seconds * 15)
    try:
        processes.start_worker()
        processes.start_publisher(CHAIN_COUNT, links, singles)
        sleep(3)
        end = monotonic() + seconds
        while monotonic() < end:
            kill_and_restart(processes, rng.choice(possible_victims(processes)), links, singles)
            sleep(rng.uniform(0.5, 1.5))
        goal = CHAIN_COUNT * (links + 1) + singles
        wait_until(lambda: count_done(folder) >= goal or is_quiet(folder), 240)
        count_results(folder, figures, links, singles)
    finally:
        processes.kill_all()


def possible_victims(processes: BrokerProcesses) -> list[str]:
    """The processes that may be killed."""
    parts = [*processes.processes]
    return [*parts, "fork"] if "worker" in parts else parts


def kill_and_restart(processes: BrokerProcesses, victim: str, links: int, singles: int) -> None:
    """Kill a process, then restart every one that has ended, except those that their own parent
    restarts."""
    if victim == "fork":
        processes.kill_fork("worker")
    else:
        processes.kill(victim)
    restarts: dict[str, Callable[[], None]] = {
        "server": processes.start_server,
        "worker": processes.start_worker,
        "publisher": lambda: processes.start_publisher(CHAIN_COUNT, links, singles),
    }
    for name, process in [*processes.processes.items()]:
        if process.poll() is not None:
            restarts[name]()


def is_quiet(folder: Path) -> bool:
    """Whether nothing was done for longer than any time-out of the contestants."""
    done_before = count_done(folder)
    sleep(20)
    return count_done(folder) == done_before


def count_results(folder: Path, figures: Figures, links: int, singles: int) -> None:
    """Count the results. A chain that stops has lost one task; those after it were never sent."""
    done_names = {path.name for path in (folder / "done").iterdir()}
    accepted = set((folder / "accepted").read_text().split())
    lost_names = [
        name for name in accepted if f"{name}.{links if 'chain' in name else 0}" not in done_names
    ]
    runs = Counter(name for name, _ in task_starts(folder))
    figures.done = f"{len(done_names)} of {CHAIN_COUNT * (links + 1) + singles}"
    figures.lost = str(len(lost_names))
    figures.ran_twice = str(sum(number - 1 for number in runs.values()))


def task_starts(folder: Path) -> list[tuple[str, float]]:
    """Every start of a task, and how long it waited."""
    journal = folder / "started"
    lines = journal.read_text().splitlines() if journal.exists() else []
    words = [line.split() for line in lines]
    return [(f"{chain}.{step}", float(latency)) for chain, step, latency in words]


def count_done(folder: Path) -> int:
    """The number of tasks done."""
    return sum(1 for _ in (folder / "done").iterdir())


def wait_until(condition: Callable[[], bool], seconds: float) -> None:
    """Wait for a condition, up to a limit."""
    end = monotonic() + seconds
    while not condition() and monotonic() < end:
        sleep(0.05)


def latency_text(latencies: list[float]) -> str:
    """Median and 99th percentile, in milliseconds."""
    if len(latencies) < 2:
        return "nothing arrived"
    return f"{median(latencies) * 1000:.1f} / {quantiles(latencies, n=100)[98] * 1000:.0f}"

"""What does one broker cost in peace, and what does it lose in a storm of kill -9?"""

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

from bench.brokers import CHAINS
from bench.brokers.cast import Cast
from bench.brokers.contestants import Contestant

IDLE = 5.0  # seconds
BACKLOG = 600
ALONE = 200  # links of a chain that nothing disturbs
PROBE = """
import sys
from time import perf_counter, sleep
from bench.brokers.work import busy, link
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
    doubled: str = "–"


def calm(contestant: Contestant, folder: Path, figures: Figures) -> None:
    """Nobody is killed."""
    cast = staged(contestant, folder)
    try:
        cast.start_worker()
        if contestant.in_one_process:
            return
        sleep(4)
        before = cast.cpu()
        sleep(IDLE)
        figures.idle = f"{(cast.cpu() - before) / IDLE:.1%}"
        figures.publish = probe(cast, 0)
        figures.rate = f"{backlog(cast):.0f}"
        cast.start_publisher(1, ALONE, 0)
        until(lambda: count(folder) >= BACKLOG + 200 + ALONE, 60)
        figures.latency = spread([wait for name, wait in starts(folder) if "chain" in name])
        figures.publish_busy = probe(cast, 2)
    finally:
        cast.end()


def staged(contestant: Contestant, folder: Path) -> Cast:
    """An empty folder with a broker that runs."""
    (folder / "done").mkdir(parents=True)
    cast = Cast(contestant, folder)
    cast.start_server()
    return cast


def probe(cast: Cast, thinking: int) -> str:
    """How long publishing takes, while so many tasks think."""
    answer = subprocess.run(
        [sys.executable, "-c", PROBE, str(thinking)],
        env=cast.env,
        capture_output=True,
        check=True,
        text=True,
    )
    return spread([float(line) for line in answer.stdout.split()][10:])


def backlog(cast: Cast) -> float:
    """Tasks a second while there is no lack of them."""
    before = count(cast.folder)
    code = (
        "from bench.brokers.work import link\n"
        f"for number in range({BACKLOG}): link.delay(f'backlog{{number}}', 0, 0, 0)"
    )
    begun = monotonic()
    subprocess.run([sys.executable, "-c", code], env=cast.env, check=True)
    until(lambda: count(cast.folder) >= before + BACKLOG, 60)
    return (count(cast.folder) - before) / (monotonic() - begun)


def storm(contestant: Contestant, folder: Path, figures: Figures, seconds: float) -> None:
    """Every second or so somebody is killed and started again."""
    cast = staged(contestant, folder)
    rng = random.Random(5)
    links, singles = int(seconds * 10), int(seconds * 15)
    try:
        cast.start_worker()
        cast.start_publisher(CHAINS, links, singles)
        sleep(3)
        end = monotonic() + seconds
        while monotonic() < end:
            strike(cast, rng.choice(victims(cast)), links, singles)
            sleep(rng.uniform(0.5, 1.5))
        goal = CHAINS * (links + 1) + singles
        until(lambda: count(folder) >= goal or is_quiet(folder), 240)
        tell(folder, figures, links, singles)
    finally:
        cast.end()


def victims(cast: Cast) -> list[str]:
    """Who may be killed."""
    parts = [*cast.processes]
    return [*parts, "fork"] if "worker" in parts else parts


def strike(cast: Cast, victim: str, links: int, singles: int) -> None:
    """Kill a process, and start it again unless its own parent does; one that has ended too."""
    if victim == "fork":
        cast.kill_fork("worker")
    else:
        cast.kill(victim)
    starts_again: dict[str, Callable[[], None]] = {
        "server": cast.start_server,
        "worker": cast.start_worker,
        "publisher": lambda: cast.start_publisher(CHAINS, links, singles),
    }
    for name, process in [*cast.processes.items()]:
        if process.poll() is not None:
            starts_again[name]()


def is_quiet(folder: Path) -> bool:
    """Whether nothing was done for longer than any time-out of the contestants."""
    before = count(folder)
    sleep(20)
    return count(folder) == before


def tell(folder: Path, figures: Figures, links: int, singles: int) -> None:
    """Count. A chain that stops has lost one task; what would have followed was never sent."""
    done = {path.name for path in (folder / "done").iterdir()}
    accepted = set((folder / "accepted").read_text().split())
    lost = [name for name in accepted if f"{name}.{links if 'chain' in name else 0}" not in done]
    runs = Counter(name for name, _ in starts(folder))
    figures.done = f"{len(done)} of {CHAINS * (links + 1) + singles}"
    figures.lost = str(len(lost))
    figures.doubled = str(sum(number - 1 for number in runs.values()))


def starts(folder: Path) -> list[tuple[str, float]]:
    """Every start of a task, and how long it waited."""
    journal = folder / "started"
    lines = journal.read_text().splitlines() if journal.exists() else []
    words = [line.split() for line in lines]
    return [(f"{chain}.{step}", float(waited)) for chain, step, waited in words]


def count(folder: Path) -> int:
    """How many tasks are done."""
    return sum(1 for _ in (folder / "done").iterdir())


def until(is_so: Callable[[], bool], seconds: float) -> None:
    """Wait for something, but not for ever."""
    end = monotonic() + seconds
    while not is_so() and monotonic() < end:
        sleep(0.05)


def spread(waits: list[float]) -> str:
    """Median and 99th percentile, in milliseconds."""
    if len(waits) < 2:
        return "nothing came"
    return f"{median(waits) * 1000:.1f} / {quantiles(waits, n=100)[98] * 1000:.0f}"

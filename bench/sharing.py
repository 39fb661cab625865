"""How many more simulations do two workers make of one decision in the same time than one, and does
a bot act in time if one of the two is killed in the middle? `python -m bench.sharing`, on SQLite
and the spool, with workers and a sweeper as `serve` starts them."""

from __future__ import annotations

import argparse
import os
import signal
import subprocess
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from datetime import timedelta
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from time import monotonic, sleep
from typing import TYPE_CHECKING, Final

import django
import orjson
from django.core.management import call_command

from bench import report
from bench.race import Row
from config.supervisor import parts
from games import compiled

if TYPE_CHECKING:
    from games.table.table import Table

SLUG: Final = "duality"
TARGET: Final = 1.7  # times the simulations of one
PATIENCE: Final = 60.0  # seconds in which a process has started
PAUSE: Final = 0.005


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(prog="python -m bench.sharing", description=__doc__)
    parser.add_argument("--repetitions", type=int, default=7, help="of each number of workers")
    parser.add_argument("--seconds", type=float, default=3.0, help="that a worker thinks")
    wanted = parser.parse_args()
    with TemporaryDirectory() as folder:
        settled(Path(folder))
        with running(parts.sweeper()), working(1), working(2) as second:
            rows = [shared(wanted.repetitions, wanted.seconds), killed(second, wanted.seconds)]
    print(f"load average {os.getloadavg()[0]:.1f} on {os.cpu_count()} cores")
    print(report.table(rows))


# -- what runs ------------------------------------------------------------------------------------


def settled(folder: Path) -> None:
    """Work in this folder, with a new database."""
    for name in ("DATABASE_URL", "REDIS_URL"):
        os.environ.pop(name, None)
    os.environ |= {
        "TABULARIUM_DATA": str(folder),
        "TABULARIUM_PARTS": "2",
        "DJANGO_SETTINGS_MODULE": "config.settings",
    }
    django.setup()
    call_command("migrate", verbosity=0)


def working(number: int) -> AbstractContextManager[subprocess.Popen[bytes]]:
    """A worker of its own that does one thing at a time."""
    command = (
        *("celery", "--quiet", "--app=config", "worker", f"--hostname=w{number}@%h"),
        *("--pool=prefork", "--concurrency=1", "--queues=bots,analyses", "--loglevel=ERROR"),
        *("--without-gossip", "--without-mingle", "--without-heartbeat"),
    )
    return running(parts.Part(f"w{number}", command))


@contextmanager
def running(part: parts.Part) -> Iterator[subprocess.Popen[bytes]]:
    """A process, and all that it starts."""
    process = subprocess.Popen(
        parts.python(part.command),
        cwd=compiled.ROOT,
        env=parts.surroundings(compiled.ROOT),
        start_new_session=True,
    )
    try:
        yield process
    finally:
        kill(process)


def kill(process: subprocess.Popen[bytes]) -> None:
    """End it at once, with all that it has started."""
    if process.poll() is None:
        os.killpg(process.pid, signal.SIGKILL)
        process.wait()


def until(is_so: Callable[[], bool], seconds: float) -> float:
    """Wait for it; how long that took."""
    begun = monotonic()
    while not is_so():
        if monotonic() - begun > seconds:
            raise TimeoutError("That has taken too long.")
        sleep(PAUSE)
    return monotonic() - begun


# -- what is measured -----------------------------------------------------------------------------


def shared(repetitions: int, seconds: float) -> Row:
    """The same position, thought about by one worker and by two in turn."""
    from games import services
    from games.models import Account
    from games.services import Seating

    people = [Seating(account=Account.objects.create()) for _ in range(2)]
    table = services.game_create(SLUG, people).table
    for _ in range(2):  # both are awake
        rate(table, 2, 0.2, PATIENCE)
    rates: dict[int, list[float]] = {1: [], 2: []}
    for _ in range(repetitions):
        for workers, found in rates.items():
            found.append(rate(table, workers, seconds, PATIENCE))
    ratios = [two / one for one, two in zip(rates[1], rates[2], strict=True)]
    ratio = median(ratios)
    return Row(
        "One decision shared by two workers",
        median(rates[2]),
        "simulations/s, from asking to answer",
        "one worker",
        median(rates[1]),
        ratio,
        TARGET,
        ratio >= TARGET,
        repetitions=repetitions,
        values=rates[2],
        peer_values=rates[1],
    )


def rate(table: Table, workers: int, seconds: float, patience: float) -> float:
    """Simulations in a second of everybody's time, beginning with the question."""
    from django.utils import timezone

    from ai.analysis import sending
    from ai.models import Analysis

    now = timezone.now()
    seat = table.engine.awaited(table.state)[0]
    analysis = Analysis(
        game_id=table.game,
        seq=table.seq,
        seat=seat,
        simulations=0,
        created=now,
        deadline=now + timedelta(seconds=patience),
        due=now + timedelta(seconds=patience),
        seconds=seconds,
    )
    begun = monotonic()
    sending.begin(analysis, workers * [(table.seq, seat, 0)])
    until(lambda: Analysis.objects.filter(pk=analysis.pk, state="done").exists(), patience)
    took = monotonic() - begun
    result = orjson.loads(Analysis.objects.get(pk=analysis.pk).result)
    return float(result["simulations"]) / took


def killed(worker: subprocess.Popen[bytes], seconds: float) -> Row:
    """A bot that thinks with two workers, of which one is killed halfway."""
    from ai import waking
    from ai.analysis import deciding
    from ai.bots import Budget
    from games import selectors, services
    from games.services import Seating

    waking.publisher.finish()
    waking.publisher.put = lambda message: None  # type: ignore[method-assign]  # it is asked below
    table = services.game_create(SLUG, [Seating(bot="mcts"), Seating(bot="mcts")]).table
    seat = selectors.bots_awaited(table)[0]
    turn = selectors.bot_turn(table.game, seat)
    assert turn
    deciding.begin(table.game, seat, turn, Budget(seconds, parts=2))
    begun = monotonic()
    sleep(seconds / 2)
    kill(worker)
    until(lambda: selectors.game_table(table.game).seq > table.seq, PATIENCE)
    took, limit = monotonic() - begun, seconds + deciding.GRACE
    return Row(
        "A bot's answer, one of its two workers killed",
        took,
        f"s, of which {seconds:g} s to think",
        target=limit,
        met=took <= limit,
        is_limit=True,
        values=[took],
    )


if __name__ == "__main__":
    main()

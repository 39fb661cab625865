"""`python -m bench.shared_decision`: the number of simulations that two workers make of one
decision compared with one worker in the same time, and whether a bot acts in time if one of the two
is killed. Runs on SQLite and the spool, with workers and a sweeper started as by `serve`."""

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
from config.supervisor import process_specs
from tabularium_engines.builds import compiled_engines

if TYPE_CHECKING:
    from tabularium_log.projection.projection import Projection

GAME_SLUG: Final = "duality"
TARGET_RATIO: Final = 1.7  # simulations of two workers to those of one
START_TIMEOUT_SECONDS: Final = 60.0  # for a process to start
POLL_SECONDS: Final = 0.005


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(prog="python -m bench.shared_decision", description=__doc__)
    parser.add_argument(
        "--repetitions", type=int, default=7, help="decisions per number of workers"
    )
    parser.add_argument("--seconds", type=float, default=3.0, help="seconds that a worker thinks")
    arguments = parser.parse_args()
    with TemporaryDirectory() as folder:
        set_up_service(Path(folder))
        with run_part(process_specs.sweeper_process()), run_worker(1), run_worker(2) as second:
            rows = [
                measure_shared_decision(arguments.repetitions, arguments.seconds),
                measure_killed_worker(second, arguments.seconds),
            ]
    print(f"load average {os.getloadavg()[0]:.1f} on {os.cpu_count()} cores")
    print(report.render_table(rows))


# -- processes ------------------------------------------------------------------------------------


def set_up_service(folder: Path) -> None:
    """Use this folder, with a new database."""
    for name in ("DATABASE_URL", "REDIS_URL"):
        os.environ.pop(name, None)
    os.environ |= {
        "TABULARIUM_DATA": str(folder),
        "TABULARIUM_PARTS": "2",
        "DJANGO_SETTINGS_MODULE": "config.settings",
    }
    django.setup()
    call_command("migrate", verbosity=0)


def run_worker(number: int) -> AbstractContextManager[subprocess.Popen[bytes]]:
    """A separate worker that runs one task at a time."""
    command = (
        *("celery", "--quiet", "--app=config", "worker", f"--hostname=w{number}@%h"),
        *("--pool=prefork", "--concurrency=1", "--queues=bots,analyses", "--loglevel=ERROR"),
        *("--without-gossip", "--without-mingle", "--without-heartbeat"),
    )
    return run_part(process_specs.ProcessSpec(f"w{number}", command))


@contextmanager
def run_part(part: process_specs.ProcessSpec) -> Iterator[subprocess.Popen[bytes]]:
    """A process, and all its children."""
    process = subprocess.Popen(
        process_specs.tethered_command(os.getpid(), part.command),
        cwd=compiled_engines.PROJECT_ROOT,
        env=process_specs.process_environment(compiled_engines.PROJECT_ROOT),
        start_new_session=True,
    )
    try:
        yield process
    finally:
        kill_process(process)


def kill_process(process: subprocess.Popen[bytes]) -> None:
    """Kill the process and all its children at once."""
    if process.poll() is None:
        os.killpg(process.pid, signal.SIGKILL)
        process.wait()


def wait_until(condition: Callable[[], bool], seconds: float) -> float:
    """Wait for a condition; the seconds that took."""
    started_at = monotonic()
    while not condition():
        if monotonic() - started_at > seconds:
            raise TimeoutError("The measurement took too long.")
        sleep(POLL_SECONDS)
    return monotonic() - started_at


# -- measurements ---------------------------------------------------------------------------------


def measure_shared_decision(repetitions: int, seconds: float) -> Row:
    """The same position, searched by one worker and by two in turn."""
    from games import services
    from games.models import Account
    from games.services import SeatAssignment

    seating = [SeatAssignment(account=Account.objects.create()) for _ in range(2)]
    table = services.create_game(GAME_SLUG, seating).projection
    for _ in range(2):  # warm up both
        measure_rate(table, 2, 0.2, START_TIMEOUT_SECONDS)
    rates: dict[int, list[float]] = {1: [], 2: []}
    for _ in range(repetitions):
        for workers, worker_rates in rates.items():
            worker_rates.append(measure_rate(table, workers, seconds, START_TIMEOUT_SECONDS))
    ratios = [shared / single for single, shared in zip(rates[1], rates[2], strict=True)]
    ratio = median(ratios)
    return Row(
        "One decision shared by two workers",
        median(rates[2]),
        "simulations/s, from asking to answer",
        "one worker",
        median(rates[1]),
        ratio,
        TARGET_RATIO,
        ratio >= TARGET_RATIO,
        repetitions=repetitions,
        values=rates[2],
        peer_values=rates[1],
    )


def measure_rate(table: Projection, workers: int, seconds: float, timeout: float) -> float:
    """Simulations per second of wall-clock time, counted from the request."""
    from django.utils import timezone

    from ai.analysis import part_dispatch
    from ai.models import Analysis

    now = timezone.now()
    seat = table.engine.awaited_seats(table.state)[0]
    analysis = Analysis(
        game_id=table.game,
        seq=table.seq,
        seat=seat,
        simulations=0,
        created=now,
        deadline=now + timedelta(seconds=timeout),
        due=now + timedelta(seconds=timeout),
        seconds=seconds,
    )
    started_at = monotonic()
    part_dispatch.start_analysis(analysis, workers * [(table.seq, seat, 0)])
    wait_until(lambda: Analysis.objects.filter(pk=analysis.pk, state="done").exists(), timeout)
    elapsed = monotonic() - started_at
    result = orjson.loads(Analysis.objects.get(pk=analysis.pk).result)
    return float(result["simulations"]) / elapsed


def measure_killed_worker(worker: subprocess.Popen[bytes], seconds: float) -> Row:
    """A bot that thinks with two workers, one of which is killed halfway."""
    from ai import bot_dispatch
    from ai.analysis import analysis_requests, parallel_bot_decision
    from ai.bot_kinds import Budget
    from games import selectors, services
    from games.services import SeatAssignment

    bot_dispatch.outbox.flush_and_stop()
    bot_dispatch.outbox.enqueue = lambda message: None  # type: ignore[method-assign]  # requested directly below
    table = services.create_game(
        GAME_SLUG, [SeatAssignment(bot="mcts"), SeatAssignment(bot="mcts")]
    ).projection
    seat = selectors.awaited_bot_seats(table)[0]
    turn = selectors.bot_turn(table.game, seat)
    assert turn
    analysis_requests.begin_decision(table.game, seat, turn, Budget(seconds, parts=2))
    started_at = monotonic()
    sleep(seconds / 2)
    kill_process(worker)
    wait_until(lambda: selectors.game_projection(table.game).seq > table.seq, START_TIMEOUT_SECONDS)
    elapsed, limit = monotonic() - started_at, seconds + parallel_bot_decision.ACT_GRACE_SECONDS
    return Row(
        "A bot's answer, one of its two workers killed",
        elapsed,
        f"s, of which {seconds:g} s to think",
        target=limit,
        met=elapsed <= limit,
        is_limit=True,
        values=[elapsed],
    )


if __name__ == "__main__":
    main()

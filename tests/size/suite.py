"""The suite: the medians of an empty store, the filling, a check of sampled games, and the medians
of the filled store."""

from __future__ import annotations

import json
import os
import random
import sys
import tempfile
from argparse import ArgumentParser, Namespace
from collections.abc import Iterator
from pathlib import Path
from subprocess import Popen
from time import perf_counter
from typing import Final

from django.db import connection

from config import celery_app
from games.audit import stored_game_verifier
from games.models import Account, Entry, Game
from tests.size import disk, filling, measuring
from tests.size.measuring import Comparison
from tests.support import databases
from tests.support.databases import Kept
from tests.support.query_costs import analyze_tables

SAMPLE_SEED: Final = 1
MIN_PROCESS_GAMES: Final = 10


def parse_arguments(arguments: list[str]) -> Namespace:
    """The arguments of the command line."""
    parser = ArgumentParser(prog="python -m tests.size", description=__doc__)
    add = parser.add_argument
    add("--games", type=int, default=200_000, help="games to play (default: 200,000)")
    add("--entries", type=int, default=60, help="entries of a game, on average (default: 60)")
    add("--accounts", type=int, default=50_000, help="accounts (default: 50,000)")
    add("--calls", type=int, default=200, help="calls of each operation (default: 200)")
    add("--sample", type=int, default=1000, help="games to verify (default: 1,000)")
    add("--processes", type=int, default=os.cpu_count() or 1, help="that play (default: cores)")
    add("--only", default="", metavar="WORD", help="only calls whose name contains this")
    add("--json", type=Path, help="a file for the medians")
    return parser.parse_args(arguments)


def main(arguments: list[str]) -> int:
    """Run the suite; the exit code."""
    options = parse_arguments(arguments)
    celery_app.conf.update(broker_url="memory://")  # no worker takes the tasks of these games
    with tempfile.TemporaryDirectory() as folder:
        kept = databases.create_template(Path(folder) / "kept")
        try:
            with kept.open_here():
                comparisons = list(compare(kept, options))
        finally:
            databases.drop(kept)
    print_table(comparisons)
    if options.json:
        medians = {each.name: [each.empty, each.filled] for each in comparisons}
        options.json.write_text(json.dumps(medians, indent=1))
    return int(not all(each.is_good for each in comparisons))


def compare(kept: Kept, options: Namespace) -> Iterator[Comparison]:
    """Measure, fill, verify and measure again."""
    busy = filling.add_accounts(1)[0]
    kinds = {
        name: measure
        for name, measure in measuring.kinds_of_calls(busy).items()
        if options.only in name
    }
    empty = measuring.medians_of(kinds, options.calls)
    fill(kept, options, busy)
    verify_sample(options.sample)
    analyze_tables()
    filled = measuring.medians_of(kinds, options.calls)
    for name, seconds in empty.items():
        yield Comparison(name, seconds, filled[name])


def fill(kept: Kept, options: Namespace, busy: Account) -> None:
    """Fill the store, in as many processes as there are, and report the progress."""
    started_at = perf_counter()
    filling.add_accounts(options.accounts)
    shares = shared_out(options.games, options.processes)
    processes = [
        kept.process("tests.size.filling", busy.pk, str(games), str(options.entries), str(seed))
        for seed, games in enumerate(shares)
    ]
    for process in processes:
        follow(process)
    seconds = perf_counter() - started_at
    say(
        f"{Game.objects.count():,} games, {Entry.objects.count():,} entries and"
        f" {Account.objects.count():,} accounts in {seconds:,.0f} s; {store_bytes(kept):,} bytes,"
        f" {disk.entry_size()}"
    )


def shared_out(games: int, processes: int) -> list[int]:
    """The games of each process."""
    count = max(1, min(processes, games // MIN_PROCESS_GAMES))
    return [games // count + (number < games % count) for number in range(count)]


def follow(process: Popen[str]) -> None:
    """Wait for the end of a process that must succeed."""
    process.communicate()
    if process.returncode:
        raise RuntimeError(f"a process of the filling has ended with {process.returncode}")


def verify_sample(count: int) -> None:
    """Verify some of the games, which must be good."""
    games = sorted(Game.objects.values_list("pk", flat=True))
    for game in random.Random(SAMPLE_SEED).sample(games, min(count, len(games))):
        verdict = stored_game_verifier.verify_game(game)
        if not verdict.is_good:
            raise RuntimeError(f"{game} is not good: {verdict}")
    say(f"{min(count, len(games)):,} sampled games verify")


def store_bytes(kept: Kept) -> int:
    """The size of the database."""
    if connection.vendor == "postgresql":
        with connection.cursor() as cursor:
            cursor.execute("SELECT pg_database_size(current_database())")
            return int(cursor.fetchone()[0])
    return Path(kept.name).stat().st_size


def print_table(comparisons: list[Comparison]) -> None:
    """Print the medians, the worst ratio first."""
    say(f"{'':42} {'empty':>10} {'filled':>10} {'ratio':>6}")
    for each in sorted(comparisons, key=lambda each: each.empty / each.filled):
        mark = "" if each.is_good else "  too slow"
        ratio = each.filled / each.empty
        say(
            f"{each.name:42} {1000 * each.empty:7.2f} ms {1000 * each.filled:7.2f} ms"
            f" {ratio:6.2f}{mark}"
        )


def say(line: str) -> None:
    """Print a line at once."""
    print(line, file=sys.stdout, flush=True)  # noqa: T201

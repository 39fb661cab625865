"""`python -m bench.streams`: measure the streams of one web server on each store, print a table."""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
from typing import Any, Final

from bench import report
from bench.log.stores import Store, stores
from bench.race import Row
from games import compiled

PROMISED: Final = 100.0  # milliseconds until the slowest in a hundred has arrived


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(prog="python -m bench.streams", description=__doc__)
    parser.add_argument("--streams", type=int, default=1000, help="that are idle")
    parser.add_argument("--entries", type=int, default=500, help="that are delivered")
    parser.add_argument("--seconds", type=float, default=10.0, help="of idleness")
    wanted = parser.parse_args()
    with stores() as found:
        for name, store in found.items():
            print(report.table(rows(name, measured(store, wanted), wanted)))


def measured(store: Store, wanted: argparse.Namespace) -> dict[str, Any]:
    """What a process of its own finds, on that store."""
    arguments = [str(wanted.streams), str(wanted.entries), str(wanted.seconds)]
    done = subprocess.run(
        [sys.executable, "-m", "bench.streams.measuring", *arguments],
        cwd=compiled.ROOT,
        env={**os.environ, **store.environment, "TABULARIUM_LIMITS": "off"},
        stdout=subprocess.PIPE,
        check=True,
    )
    found: dict[str, Any] = json.loads(done.stdout)
    return found


def rows(name: str, found: dict[str, Any], wanted: argparse.Namespace) -> list[Row]:
    """The same, to be read."""
    several = f"{wanted.streams} idle streams, {name}"
    late = found["late"]
    return [
        Row(f"{several}: memory", found["memory"], "KB each"),
        Row(f"{several}: processor", found["processor"], "% of one"),
        Row(f"Beside {several}: commit to client, median", found["median"], "ms"),
        Row(
            f"Beside {several}: commit to client, 99 of 100",
            late,
            "ms",
            target=PROMISED,
            met=late <= PROMISED,
            is_limit=True,
            repetitions=wanted.entries,
        ),
    ]


if __name__ == "__main__":
    main()

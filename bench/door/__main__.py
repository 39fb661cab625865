"""`python -m bench.door OLD NEW`: the actions per second, the web server's processor time for an
action, and the latency of two checkouts, each a folder with its own `.venv` or none."""

from __future__ import annotations

import argparse
from pathlib import Path

from bench.door.comparison import HEADINGS, Plan, compare

STORES = ("sqlite", "postgresql")


def main() -> None:
    """Measure, and print a row as soon as it is known."""
    parser = argparse.ArgumentParser(prog="python -m bench.door", description=__doc__)
    parser.add_argument("old", type=Path)
    parser.add_argument("new", type=Path)
    parser.add_argument("--stores", nargs="+", choices=STORES, default=STORES)
    parser.add_argument("--connections", nargs="+", type=int, default=[8, 32, 64])
    parser.add_argument("--repetitions", type=int, default=5, help="of each pair (5)")
    parser.add_argument("--seconds", type=float, default=4.0, help="of a measurement (4)")
    parser.add_argument("--sync", type=float, default=0.0, metavar="MS", help="added to a sync (0)")
    parser.add_argument(
        "--web",
        nargs=2,
        type=int,
        default=(0, 0),
        metavar=("OLD", "NEW"),
        help="web processes of each (0: its default)",
    )
    arguments = parser.parse_args()
    plan = Plan(
        folders=(arguments.old.resolve(), arguments.new.resolve()),
        stores=arguments.stores,
        connections=arguments.connections,
        repetitions=arguments.repetitions,
        seconds=arguments.seconds,
        sync_milliseconds=arguments.sync,
        web=tuple(arguments.web),
    )
    print(" | ".join(HEADINGS))
    for cells in compare(plan):
        print(" | ".join(cells), flush=True)


if __name__ == "__main__":
    main()

"""`python -m bench.log`: measure the log alone, and print a table."""

from __future__ import annotations

import argparse

from bench import report
from bench.log import contests


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(prog="python -m bench.log", description=__doc__)
    parser.add_argument("--repetitions", type=int, default=7, help="time slices per contestant")
    parser.add_argument("--seconds", type=float, default=0.3, help="seconds per slice")
    arguments = parser.parse_args()
    print(report.render_table(contests.measure_all(arguments.repetitions, arguments.seconds)))


if __name__ == "__main__":
    main()

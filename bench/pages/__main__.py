"""`python -m bench.pages`: measure the pages beside a static page, and print a table."""

from __future__ import annotations

import argparse

from bench import report
from bench.pages import budgets


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(prog="python -m bench.pages", description=__doc__)
    parser.add_argument("--repetitions", type=int, default=7, help="of everything but clicks")
    parser.add_argument("--clicks", type=int, default=budgets.CLICKS, help="in each repetition")
    arguments = parser.parse_args()
    print(report.render_table(budgets.measure_all(arguments.repetitions, arguments.clicks)))


if __name__ == "__main__":
    main()

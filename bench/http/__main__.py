"""`python -m bench.http`: measure the API alone, and print a table."""

from __future__ import annotations

import argparse

from bench import report
from bench.http import throughput


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(prog="python -m bench.http", description=__doc__)
    parser.add_argument("--repetitions", type=int, default=7, help="games per connection")
    arguments = parser.parse_args()
    print(report.render_table(throughput.measure_all(arguments.repetitions)))


if __name__ == "__main__":
    main()

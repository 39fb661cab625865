"""`python -m bench.brokers`: try every broker that is installed, and print a table in Markdown."""

from __future__ import annotations

import argparse
from dataclasses import astuple
from pathlib import Path
from tempfile import TemporaryDirectory

from bench.brokers.contestants import CONTESTANTS
from bench.brokers.trial import Figures, run_calm_trial, run_storm_trial

TABLE_HEADINGS = (
    "broker",
    "publish → start, ms (median / p99)",
    "tasks/s",
    "idle CPU",
    "publish, ms",
    "… while two think",
    "done in the storm",
    "lost",
    "ran twice",
)


def main() -> None:
    """Try one broker after another, so that they do not disturb each other."""
    parser = argparse.ArgumentParser(prog="python -m bench.brokers", description=__doc__)
    parser.add_argument("--seconds", type=float, default=30, help="seconds of the storm")
    parser.add_argument("--only", default="", help="only brokers whose name contains this")
    arguments = parser.parse_args()
    print(
        markdown_row(TABLE_HEADINGS),
        markdown_row(("---",) * len(TABLE_HEADINGS)),
        sep="\n",
        flush=True,
    )
    for contestant in CONTESTANTS:
        if arguments.only not in contestant.name:
            continue
        figures = Figures(contestant.name)
        if contestant.missing_requirements:
            figures.latency = f"not installed: {contestant.missing_requirements}"
        else:
            with TemporaryDirectory() as folder:
                run_calm_trial(contestant, Path(folder) / "calm", figures)
                run_storm_trial(contestant, Path(folder) / "storm", figures, arguments.seconds)
        print(markdown_row(astuple(figures)), flush=True)


def markdown_row(cells: tuple[str, ...]) -> str:
    """A line of a table."""
    return f"| {' | '.join(cells)} |"


if __name__ == "__main__":
    main()

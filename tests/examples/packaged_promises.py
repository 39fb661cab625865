"""`python -m tests.examples.packaged_promises GAMES SLUG …`: the promises of installed games, at
every table. It prints the file of each game's module."""

from __future__ import annotations

import sys

from tabularium_engines.installed.registry import ENGINES, engine_module
from tabularium_engines.promises import PROMISES
from tabularium_engines.promises.variants import tables


def main() -> None:
    """Check every promise on some games of each slug."""
    games, slugs = int(sys.argv[1]), sys.argv[2:]
    for slug in slugs:
        engine = ENGINES[slug]
        for table in tables(engine):
            for number in PROMISES:
                for seed in range(games):
                    PROMISES[number](engine, table.options, table.seats, seed, 10)
        module = sys.modules[engine_module(slug, engine.about.version)]
        sys.stdout.write(f"{module.__file__}\n")


if __name__ == "__main__":
    main()

"""The life of an installed library, as a program that sees the library and its two dependencies
alone: it plays whole games of each ruleset, searches, and prints a report as JSON.

Arguments: the folder of the library, and the folder of its dependencies.
"""

from __future__ import annotations

import json
import sys
from importlib import import_module
from pathlib import Path
from typing import Any, Final

SIMULATIONS: Final = 20
PROJECT_PACKAGES: Final = (
    "games",
    "ai",
    "api",
    "config",
    "jobs",
    "record",
    "web",
    "django",
)


def play(engine: Any, rng: Any) -> tuple[int, list[float]]:
    """A random game: the number of its decisions, and its returns."""
    state = engine.start(engine.about.options(), engine.about.seats[0], rng)
    decisions = 0
    while state.to_act:
        seat = engine.awaited_seats(state)[0]
        state.apply(seat, state.random_action(seat, rng), rng)
        decisions += 1
    return decisions, state.returns()


def report_of(library: Any, engine: Any) -> dict[str, Any]:
    """A game's random play, and the search of its first decision."""
    fast_rng = import_module("tabularium_engines.common.random_generators").FastRng
    decisions, returns = play(engine, fast_rng(7))
    state = engine.start(engine.about.options(), engine.about.seats[0], fast_rng(7))
    seat = engine.awaited_seats(state)[0]
    found = library.run_search(engine, engine.view(state, seat), SIMULATIONS, seed=3)
    best = int(found.best_action())
    return {
        "decisions": decisions,
        "returns": returns,
        "simulations": int(found.simulations),
        "is_legal": state.is_legal(seat, best),
        "best": engine.action_json(state, seat, best),
    }


def main() -> None:
    """Play and search with the installed library, and print the report."""
    sys.path[:0] = sys.argv[1:]
    library = import_module("tabularium_engines")
    unit = import_module("tabularium_engines.search.ismcts")
    games = {engine.about.slug: report_of(library, engine) for engine in library.ENGINES.values()}
    roots = {name.partition(".")[0] for name in sys.modules}
    report = {
        "file": library.__file__,
        "unit_suffix": Path(unit.__file__ or "").suffix,
        "foreign": sorted(roots.intersection(PROJECT_PACKAGES)),
        "games": games,
    }
    sys.stdout.write(json.dumps(report))


if __name__ == "__main__":
    main()

"""Random games in a row, without the interpreter in between."""

from __future__ import annotations

from mypy_extensions import i64

from tabularium_engines.base import Rng, State
from tabularium_engines.search.playout import play_out


def play_many(root: State, games: i64, rng: Rng) -> i64:
    """Play `games` times from `root` to the end; return the total number of decisions."""
    decisions: i64 = 0
    for _ in range(games):
        decisions += play_out(root.clone(), rng)
    return decisions

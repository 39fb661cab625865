"""The measured strength of bots, stored in `strength.json`: for clients who choose an opponent, and
as evidence that each level beats the one below it."""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import asdict, dataclass
from functools import cache
from pathlib import Path
from typing import Any, Final

RESULTS_FILE: Final = Path(__file__).resolve().parent / "strength.json"


@dataclass(frozen=True)
class StrengthResult:
    """A challenger's result over games in which every player not on its side was the same other
    bot."""

    game: str
    seats: int
    options: dict[str, Any]  # those that differ from the default
    challenger: str
    opponent: str
    games: int
    share: float  # of victories; where all win together, of the possible return
    low: float  # the bounds of the 95 % interval
    high: float
    par: float  # the share of a challenger as strong as its opponents
    version: int = 1  # of the game's rules

    @property
    def is_better(self) -> bool:
        """Whether the challenger is stronger at 95 % confidence."""
        return self.low > self.par

    @property
    def contest_key(self) -> tuple[Any, ...]:
        """The table and the two bots, as a key."""
        options = json.dumps(self.options, sort_keys=True)
        return self.game, self.version, options, self.seats, self.challenger, self.opponent

    @property
    def variant_text(self) -> str:
        """The options that differ from the default."""
        return "".join(f", {name} {value}" for name, value in self.options.items())


@cache
def load_results() -> tuple[StrengthResult, ...]:
    """All stored results."""
    return tuple(StrengthResult(**row) for row in json.loads(RESULTS_FILE.read_text()))


def save_results(results: Iterable[StrengthResult]) -> None:
    """Save results; each replaces an older one of the same contest."""
    results_by_contest = {result.contest_key: result for result in (*load_results(), *results)}
    rows = [asdict(results_by_contest[contest]) for contest in sorted(results_by_contest)]
    RESULTS_FILE.write_text(json.dumps(rows, indent=1) + "\n")
    load_results.cache_clear()

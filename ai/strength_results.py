"""How strong are the bots? What the arena measured of them is kept in `strength.json`: for clients
who choose an opponent, and as the proof that each level beats the one below it."""

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
    """What a bot got out of games in which all who did not play with it were another bot."""

    game: str
    seats: int
    options: dict[str, Any]  # those that were not as they always are
    challenger: str
    opponent: str
    games: int
    share: float  # of victories; where all win together, of what there is to win
    low: float  # the interval of 95 %
    high: float
    par: float  # what the challenger would get that plays as its opponents do

    @property
    def is_better(self) -> bool:
        """Is the challenger stronger, as far as 95 % can tell?"""
        return self.low > self.par

    @property
    def contest_key(self) -> tuple[Any, ...]:
        """Who met whom, and where."""
        options = json.dumps(self.options, sort_keys=True)
        return self.game, options, self.seats, self.challenger, self.opponent

    @property
    def variant_text(self) -> str:
        """What was not as it always is."""
        return "".join(f", {name} {value}" for name, value in self.options.items())

    def __str__(self) -> str:
        table = f"{self.game}, {self.seats} seats{self.variant_text}"
        share = f"{self.share:.3f} [{self.low:.3f}, {self.high:.3f}]"
        who = f"{self.challenger} | {self.opponent}"
        return f"| {table} | {who} | {share} | {self.par:.3f} | {self.games} |"


@cache
def load_results() -> tuple[StrengthResult, ...]:
    """All that is known."""
    return tuple(StrengthResult(**row) for row in json.loads(RESULTS_FILE.read_text()))


def save_results(results: Iterable[StrengthResult]) -> None:
    """Remember results, each instead of an older one of the same contest."""
    known = {one.contest_key: one for one in (*load_results(), *results)}
    rows = [asdict(known[contest]) for contest in sorted(known)]
    RESULTS_FILE.write_text(json.dumps(rows, indent=1) + "\n")
    load_results.cache_clear()

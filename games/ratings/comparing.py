"""Are the ratings that are kept those that follow from the logs? Everything is folded once more, in
memory, from the first game."""

from __future__ import annotations

from typing import Any, Final, NamedTuple

from games.models import Rating
from games.ratings.finished import finished, finished_games, uncounted
from games.ratings.folding import Beliefs, changes

FIELDS: Final = ("game_id", "player", "at", "games", "mu", "sigma", "ordinal", "is_latest")
ATTEMPTS: Final = 10  # to compare while nobody counts


class Comparison(NamedTuple):
    """What was found of the ratings of some rules."""

    games: int  # rated ones that are over
    waiting: int  # of them, those that are not counted yet
    wrong: int  # ratings kept that do not follow, or that are missing

    @property
    def is_good(self) -> bool:
        """Is all that is kept what follows from the logs, and nothing missing?"""
        return not self.waiting and not self.wrong


def compared(rules: str) -> Comparison:
    """What is kept, beside what follows; the same to the last digit."""
    for _ in range(ATTEMPTS):
        seen = changes(rules)
        found = _compared(rules)
        if changes(rules) == seen:
            break
    return found


def _compared(rules: str) -> Comparison:
    waiting = set(uncounted(rules).values_list("pk", flat=True))
    beliefs, due = Beliefs(), list[Rating]()
    games = 0
    for game in finished_games(rules).iterator(chunk_size=500):
        games += 1
        if game.pk not in waiting:
            due.extend(beliefs.after(rules, finished(game)))
    follows = {_values(rating) for rating in due}
    kept = {_values(rating) for rating in Rating.objects.filter(rules=rules).iterator()}
    return Comparison(games, len(waiting), len(follows ^ kept))


def _values(rating: Rating) -> tuple[Any, ...]:
    return tuple(getattr(rating, name) for name in FIELDS)

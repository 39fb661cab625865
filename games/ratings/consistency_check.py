"""Are the ratings that are kept those that follow from the logs? Everything is folded once more, in
memory, from the first game."""

from __future__ import annotations

from typing import Any, Final, NamedTuple

from games.models import Rating
from games.ratings.finished_games import finished_rated_games, load_finished_game, uncounted_games
from games.ratings.rating_fold import RatingBook, change_count

COMPARED_FIELDS: Final = ("game_id", "player", "at", "games", "mu", "sigma", "ordinal", "is_latest")
MAX_COMPARE_ATTEMPTS: Final = 10  # to compare while nobody counts


class ConsistencyReport(NamedTuple):
    """What was found of the ratings of some rules."""

    games: int  # rated ones that are over
    uncounted_games: int  # of them, those that are not counted yet
    wrong_ratings: int  # ratings kept that do not follow, or that are missing

    @property
    def is_consistent(self) -> bool:
        """Is all that is kept what follows from the logs, and nothing missing?"""
        return not self.uncounted_games and not self.wrong_ratings


def check_consistency(rules: str) -> ConsistencyReport:
    """What is kept, beside what follows; the same to the last digit."""
    for _ in range(MAX_COMPARE_ATTEMPTS):
        seen = change_count(rules)
        found = _compare_once(rules)
        if change_count(rules) == seen:
            break
    return found


def _compare_once(rules: str) -> ConsistencyReport:
    waiting = set(uncounted_games(rules).values_list("pk", flat=True))
    beliefs, due = RatingBook(), list[Rating]()
    games = 0
    for game in finished_rated_games(rules).iterator(chunk_size=500):
        games += 1
        if game.pk not in waiting:
            due.extend(beliefs.rate_game(rules, load_finished_game(game)))
    follows = {_compared_values(rating) for rating in due}
    kept = {_compared_values(rating) for rating in Rating.objects.filter(rules=rules).iterator()}
    return ConsistencyReport(games, len(waiting), len(follows ^ kept))


def _compared_values(rating: Rating) -> tuple[Any, ...]:
    return tuple(getattr(rating, name) for name in COMPARED_FIELDS)

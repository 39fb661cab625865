"""The consistency check of the stored ratings: all rated games are folded again, in memory, from
the first one, and compared with the stored rows."""

from __future__ import annotations

from typing import Any, Final, NamedTuple

from games.models import Rating
from games.ratings.finished_games import finished_rated_games, load_finished_game, uncounted_games
from games.ratings.rating_fold import RatingBook, change_count

COMPARED_FIELDS: Final = ("game_id", "player", "at", "games", "mu", "sigma", "ordinal", "is_latest")
MAX_COMPARE_ATTEMPTS: Final = 10  # to compare while no process counts


class ConsistencyReport(NamedTuple):
    """The result of checking the ratings of a ruleset."""

    games: int  # rated ones that are over
    uncounted_games: int  # of these, not counted yet
    wrong_ratings: int  # stored ratings that do not follow, and missing ones

    @property
    def is_consistent(self) -> bool:
        """Whether all stored ratings follow from the logs, and none is missing."""
        return not self.uncounted_games and not self.wrong_ratings


def check_consistency(rules: str) -> ConsistencyReport:
    """Compare the stored ratings with those that follow, to the last digit."""
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

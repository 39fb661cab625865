"""The fold of all rated games into ratings, and the check that the stored ratings equal it. It
depends on the order of the games, which is fixed: by the time of their ends, then by their ids.

Games are counted as they end, by the first process to get there, in batches, each in a transaction
that compares and sets the number of changes. A game that turns up late, because it ended in another
process at the same moment, undoes the games counted after it. So the stored ratings always equal
the fold of the games up to some point, regardless of the order of arrival. The check folds all
rated games again, in memory, from the first one.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from datetime import datetime, timedelta
from typing import Any, Final, NamedTuple

from django.db import transaction
from django.db.models import F, Q

from games.models import Ladder, Rating
from games.ratings.finished_games import (
    FinishedGame,
    at_or_after,
    finished_rated_games,
    load_finished_game,
    uncounted_games,
)
from games.ratings.skill import Skill, rate_sides

GAMES_PER_TRANSACTION: Final = 100
# how late a game may turn up after one that ended later has been counted
LATE_GAME_WINDOW: Final = timedelta(minutes=1)

COMPARED_FIELDS: Final = ("game_id", "player", "at", "games", "mu", "sigma", "ordinal", "is_latest")
MAX_COMPARE_ATTEMPTS: Final = 10  # to compare while no process counts


class RatingsConflict(Exception):
    """Another process has changed these ratings meanwhile; nothing was written."""


class RatingBook:
    """The latest rating of each player, with the number of games."""

    def __init__(self, ratings: Iterable[Rating] = ()) -> None:
        self.latest_ratings = {rating.player: rating for rating in ratings}

    def skill_of(self, player: str) -> Skill:
        """The skill of a player; the default skill if the player is new."""
        rating = self.latest_ratings.get(player)
        return Skill() if rating is None else Skill(rating.mu, rating.sigma)

    def rate_game(self, rules: str, game: FinishedGame) -> Iterator[Rating]:
        """The ratings of a game's players after it; a game without a finish order changes no skill,
        and its ratings only mark it as counted."""
        counts = game.finish_order is not None
        skills = self._skills_after(game)
        for player in game.players:
            previous, skill = self.latest_ratings.get(player), skills[player]
            games = (previous.games if previous else 0) + counts
            rating = Rating(
                rules=rules,
                player=player,
                game_id=game.game,
                at=game.at,
                games=games,
                mu=skill.mu,
                sigma=skill.sigma,
                ordinal=skill.ordinal,
                is_latest=True,
            )
            if previous is not None:
                previous.is_latest = False
            self.latest_ratings[player] = rating
            yield rating

    def _skills_after(self, game: FinishedGame) -> dict[str, Skill]:
        old_skills = {player: self.skill_of(player) for player in game.players}
        if game.finish_order is None:
            return old_skills
        sides = [[game.players[seat] for seat in side] for side in game.finish_order.sides]
        skills = rate_sides(
            [[old_skills[p] for p in side] for side in sides], game.finish_order.ranks
        )
        return {
            player: skill
            for side, side_skills in zip(sides, skills, strict=True)
            for player, skill in zip(side, side_skills, strict=True)
        }


def change_count(rules: str) -> int:
    """How often the ratings of a ruleset have been changed."""
    ladder, _ = Ladder.objects.get_or_create(rules=rules)
    return ladder.changes


def count_games(rules: str, *, thoroughly: bool = False) -> int:
    """Count the uncounted games and return their number: all of them if `thoroughly`, else only
    those that ended no earlier than shortly before the last game counted."""
    return sum(iter(lambda: count_batch(rules, thoroughly=thoroughly), 0))


def count_batch(rules: str, *, thoroughly: bool = False) -> int:
    """Count the next batch of uncounted games and return their number."""
    while True:
        try:
            return _count_batch(rules, thoroughly)
        except RatingsConflict:
            continue


def _count_batch(rules: str, thoroughly: bool) -> int:
    """Count the next batch, in a transaction that reads no log."""
    changes = change_count(rules)
    first = uncounted_games(rules, since=None if thoroughly else _scan_start(rules)).first()
    if first is None:
        return 0
    batch = finished_rated_games(rules).filter(at_or_after(first.at, first.pk))[
        :GAMES_PER_TRANSACTION
    ]
    games = [load_finished_game(game) for game in batch]
    with transaction.atomic():
        _claim_change(rules, changes)
        _undo_from(rules, games[0])
        _write_ratings(rules, games)
    return len(games)


def _scan_start(rules: str) -> datetime | None:
    last = Rating.objects.filter(rules=rules).order_by("at").last()
    return None if last is None else last.at - LATE_GAME_WINDOW


def _claim_change(rules: str, changes: int) -> None:
    """Compare and set; a concurrent writer waits here for the end of this transaction."""
    update_count = Ladder.objects.filter(rules=rules, changes=changes).update(
        changes=F("changes") + 1
    )
    if not update_count:
        raise RatingsConflict


def _undo_from(rules: str, first: FinishedGame) -> None:
    """Delete the ratings counted after this game, which is the earliest uncounted one."""
    ratings = Rating.objects.filter(rules=rules)
    late_ratings = ratings.filter(Q(at__gt=first.at) | Q(at=first.at, game__gt=first.game))
    players = sorted(set(late_ratings.filter(is_latest=True).values_list("player", flat=True)))
    late_ratings.delete()
    for player in players:
        last = ratings.filter(player=player).order_by("at", "game").last()
        if last is not None:
            last.is_latest = True
            last.save(update_fields=["is_latest"])


def _write_ratings(rules: str, games: list[FinishedGame]) -> None:
    players = {player for game in games for player in game.players}
    latest = Rating.objects.filter(rules=rules, player__in=players, is_latest=True)
    book = RatingBook(latest)
    ratings = [rating for game in games for rating in book.rate_game(rules, game)]
    latest.update(is_latest=False)
    Rating.objects.bulk_create(ratings)


def delete_ratings(rules: str) -> None:
    """Delete all ratings of a ruleset: the next count begins with the first game."""
    while True:
        changes = change_count(rules)
        try:
            with transaction.atomic():
                _claim_change(rules, changes)
                Rating.objects.filter(rules=rules).delete()
        except RatingsConflict:
            continue
        return


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
        changes = change_count(rules)
        report = _compare_once(rules)
        if change_count(rules) == changes:
            break
    return report


def _compare_once(rules: str) -> ConsistencyReport:
    uncounted_ids = set(uncounted_games(rules).values_list("pk", flat=True))
    book, ratings = RatingBook(), list[Rating]()
    games = 0
    for game in finished_rated_games(rules).iterator(chunk_size=500):
        games += 1
        if game.pk not in uncounted_ids:
            ratings.extend(book.rate_game(rules, load_finished_game(game)))
    expected_values = {_compared_values(rating) for rating in ratings}
    stored_values = {
        _compared_values(rating) for rating in Rating.objects.filter(rules=rules).iterator()
    }
    return ConsistencyReport(games, len(uncounted_ids), len(expected_values ^ stored_values))


def _compared_values(rating: Rating) -> tuple[Any, ...]:
    return tuple(getattr(rating, name) for name in COMPARED_FIELDS)

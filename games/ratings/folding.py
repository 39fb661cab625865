"""What is believed of all players after all rated games? That depends on the order of the games, so
there is one: that of their ends, and where two end at once that of their names.

Games are counted as they end, by whoever comes first, a stretch at a time, in a transaction that
compares and sets the number of changes. A game that turns up late, because it ended elsewhere at
the same moment, takes back what was counted after it. So what is kept is always what the fold of
the games up to some point gives, however they came in.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from datetime import datetime, timedelta
from typing import Final

from django.db import transaction
from django.db.models import F, Q

from games.models import Ladder, Rating
from games.ratings.finished import (
    Finished,
    finished,
    finished_games,
    not_before,
    uncounted,
)
from games.ratings.skill import Skill, rated

STRETCH: Final = 100  # games that are counted in one transaction
LATE: Final = timedelta(minutes=1)  # how much later a game may turn up than one that ended later


class Overtaken(Exception):
    """Somebody else has changed these ratings meanwhile; nothing was written."""


class Beliefs:
    """What is believed of players, and after how many games."""

    def __init__(self, known: Iterable[Rating] = ()) -> None:
        self.ratings = {rating.player: rating for rating in known}

    def skill(self, player: str) -> Skill:
        """Of a player, whoever that is."""
        known = self.ratings.get(player)
        return Skill() if known is None else Skill(known.mu, known.sigma)

    def after(self, rules: str, game: Finished) -> Iterator[Rating]:
        """The ratings of its players after a game; one that nobody could win only says so."""
        counts = game.standing is not None
        skills = self._skills(game)
        for player in game.players:
            known, skill = self.ratings.get(player), skills[player]
            games = (known.games if known else 0) + counts
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
            if known is not None:
                known.is_latest = False
            self.ratings[player] = rating
            yield rating

    def _skills(self, game: Finished) -> dict[str, Skill]:
        before = {player: self.skill(player) for player in game.players}
        if game.standing is None:
            return before
        sides = [[game.players[seat] for seat in side] for side in game.standing.sides]
        skills = rated([[before[p] for p in side] for side in sides], game.standing.ranks)
        return {
            player: skill
            for side, found in zip(sides, skills, strict=True)
            for player, skill in zip(side, found, strict=True)
        }


def changes(rules: str) -> int:
    """How often the ratings of these rules have been changed."""
    ladder, _ = Ladder.objects.get_or_create(rules=rules)
    return ladder.changes


def count_games(rules: str, *, thoroughly: bool = False) -> int:
    """Count what has not been counted: all of it, or only what ended not long before the last game
    that was. How many games."""
    counted = 0
    while True:
        try:
            found = _count_stretch(rules, thoroughly)
        except Overtaken:
            continue
        if not found:
            return counted
        counted += found


def _count_stretch(rules: str, thoroughly: bool) -> int:
    """Count the first games that are not, in a transaction that reads no log."""
    seen = changes(rules)
    first = uncounted(rules, since=None if thoroughly else _since(rules)).first()
    if first is None:
        return 0
    following = finished_games(rules).filter(not_before(first.at, first.pk))[:STRETCH]
    games = [finished(game) for game in following]
    with transaction.atomic():
        _change(rules, seen)
        _take_back(rules, games[0])
        _write(rules, games)
    return len(games)


def _since(rules: str) -> datetime | None:
    last = Rating.objects.filter(rules=rules).order_by("at").last()
    return None if last is None else last.at - LATE


def _change(rules: str, seen: int) -> None:
    """Compare and set; whoever else wants to waits here for the end of this transaction."""
    mine = Ladder.objects.filter(rules=rules, changes=seen).update(changes=F("changes") + 1)
    if not mine:
        raise Overtaken


def _take_back(rules: str, first: Finished) -> None:
    """Forget what was counted from this game on: it is the earliest that is missing."""
    of_rules = Rating.objects.filter(rules=rules)
    late = of_rules.filter(Q(at__gt=first.at) | Q(at=first.at, game__gt=first.game))
    players = sorted(set(late.filter(is_latest=True).values_list("player", flat=True)))
    late.delete()
    for player in players:
        last = of_rules.filter(player=player).order_by("at", "game").last()
        if last is not None:
            last.is_latest = True
            last.save(update_fields=["is_latest"])


def _write(rules: str, games: list[Finished]) -> None:
    players = {player for game in games for player in game.players}
    latest = Rating.objects.filter(rules=rules, player__in=players, is_latest=True)
    beliefs = Beliefs(latest)
    made = [rating for game in games for rating in beliefs.after(rules, game)]
    latest.update(is_latest=False)
    Rating.objects.bulk_create(made)


def forget(rules: str) -> None:
    """Drop all ratings of these rules: whoever counts next begins with the first game."""
    while True:
        seen = changes(rules)
        try:
            with transaction.atomic():
                _change(rules, seen)
                Rating.objects.filter(rules=rules).delete()
        except Overtaken:
            continue
        return

"""Leaderboards: the latest ratings, best first. Deleted accounts are not shown, but their wins and
losses stay in the ratings of others."""

from __future__ import annotations

from typing import Final

from django.db.models import F, OuterRef, Q, QuerySet, Subquery

from games.models import Account, Rating
from games.ratings.player_ids import BOT_PREFIX

PROVISIONAL_GAMES: Final = 10  # with fewer games, a rating says little


def leaderboard(rules: str) -> QuerySet[Rating]:
    """The latest rating of every player of a ruleset, in order, with the `name` of accounts."""
    account = Account.objects.filter(pk=OuterRef("player"))
    latest = Rating.objects.filter(rules=rules, is_latest=True, games__gt=0)
    named = latest.annotate(name=Subquery(account.values("name")))
    shown = Q(name__isnull=False) | Q(player__startswith=BOT_PREFIX)
    return named.filter(shown).order_by(F("ordinal").desc(), "player")


def ranked_below(ordinal: float, player: str) -> Q:
    """Filter: the players below that place of a leaderboard."""
    return Q(ordinal__lt=ordinal) | Q(ordinal=ordinal, player__gt=player)


def account_ratings(account: str) -> QuerySet[Rating]:
    """The latest rating of an account in each ruleset that it has played."""
    return Rating.objects.filter(player=account, is_latest=True, games__gt=0).order_by("rules")

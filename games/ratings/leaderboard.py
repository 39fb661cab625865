"""How good is who? The latest ratings, the best first. Of accounts that were deleted nothing is
told, though what they have won and lost stays in the ratings of others."""

from __future__ import annotations

from typing import Final

from django.db.models import F, OuterRef, Q, QuerySet, Subquery

from games.models import Account, Rating
from games.ratings.player_ids import BOT_PREFIX

PROVISIONAL_GAMES: Final = 10  # games; with fewer, a rating says little


def leaderboard(rules: str) -> QuerySet[Rating]:
    """The latest rating of every player of these rules, with the `name` of accounts, in order."""
    account = Account.objects.filter(pk=OuterRef("player"))
    latest = Rating.objects.filter(rules=rules, is_latest=True, games__gt=0)
    named = latest.annotate(name=Subquery(account.values("name")))
    shown = Q(name__isnull=False) | Q(player__startswith=BOT_PREFIX)
    return named.filter(shown).order_by(F("ordinal").desc(), "player")


def ranked_below(ordinal: float, player: str) -> Q:
    """Whoever stands below that place of a ladder."""
    return Q(ordinal__lt=ordinal) | Q(ordinal=ordinal, player__gt=player)


def account_ratings(account: str) -> QuerySet[Rating]:
    """The latest rating of an account by each rules that it has played."""
    return Rating.objects.filter(player=account, is_latest=True, games__gt=0).order_by("rules")

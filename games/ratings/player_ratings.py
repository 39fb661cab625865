"""The ratings of players: leaderboards, the ratings of an account, and the ids under which they are
stored.

An account has its own id, which is kept when the account is deleted so that the ratings of all
others stay valid: it is not shown, but its wins and losses stay. A bot has its name.
"""

from __future__ import annotations

from typing import Final

from django.db.models import F, OuterRef, Q, QuerySet, Subquery

from games.models import Account, Rating

BOT_PREFIX: Final = "bot_"  # ids of accounts begin differently

PROVISIONAL_GAMES: Final = 10  # with fewer games, a rating says little


def rated_player_id(account: Account | None, bot: str | None) -> str:
    """The id of an account, or of a bot, in ratings."""
    return f"{BOT_PREFIX}{bot}" if account is None else account.pk


def bot_name_of(player: str) -> str | None:
    """The name of the bot; None if the player is an account."""
    return player.removeprefix(BOT_PREFIX) if player.startswith(BOT_PREFIX) else None


def leaderboard(rules: str) -> QuerySet[Rating]:
    """The latest rating of every player of a ruleset, in order, with the `name` of accounts."""
    account = Account.objects.filter(pk=OuterRef("player"))
    latest = Rating.objects.filter(rules=rules, is_latest=True, games__gt=0)
    named_ratings = latest.annotate(name=Subquery(account.values("name")))
    is_listed = Q(name__isnull=False) | Q(player__startswith=BOT_PREFIX)
    return named_ratings.filter(is_listed).order_by(F("ordinal").desc(), "player")


def ranked_below(ordinal: float, player: str) -> Q:
    """Filter: the players below that place of a leaderboard."""
    return Q(ordinal__lt=ordinal) | Q(ordinal=ordinal, player__gt=player)


def ratings_of(player: str) -> QuerySet[Rating]:
    """The latest rating of a player in each ruleset that it has played."""
    return Rating.objects.filter(player=player, is_latest=True, games__gt=0).order_by("rules")

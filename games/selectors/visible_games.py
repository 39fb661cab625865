"""Selectors of a game for an account that may see it (None: an anonymous client)."""

from __future__ import annotations

from django.db.models import Exists, OuterRef, Q, QuerySet

from games.models import Game, Import, Player
from games.selectors.challenges import is_challenged
from games.selectors.seats import seats_of


def game_visible_to(account: str | None, game: str) -> Game | None:
    """The game; None if there is none, or the account may not see it."""
    row = Game.objects.select_related("imported").filter(pk=game).first()
    if row is None or row.visibility != Game.Visibility.PRIVATE:
        return row
    is_visible = account is not None and (
        row.owner_id == account or seats_of(account, game) or is_challenged(account, game)
    )
    return row if is_visible else None


def games_of_account(account: str, after: str) -> QuerySet[Game]:
    """The games that an account has created, or plays or has played, after this id in the order of
    ids."""
    players = Player.objects.filter(game=OuterRef("pk"), account=account)
    games = Game.objects.filter(Q(owner=account) | Exists(players), pk__gt=after)
    return games.order_by("pk")


def is_public(game: str) -> bool:
    """Whether the game is public, so that all clients may watch."""
    return Game.objects.filter(pk=game, visibility=Game.Visibility.PUBLIC).exists()


def import_of(game: Game) -> Import | None:
    """The import of a game; None if it was played here."""
    return getattr(game, "imported", None)

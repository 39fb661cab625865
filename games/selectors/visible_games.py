"""Selectors of visible games: one game, the lists of games and the list of imports, each for an
account that may see them (None: an anonymous client)."""

from __future__ import annotations

from typing import NamedTuple

from django.db.models import Exists, OuterRef, Q, QuerySet

from games.models import Game, Import, Player
from games.selectors.seats import seats_of


class GameFilter(NamedTuple):
    """The values that listed games must have; None: any."""

    rules: str | None = None
    phase: str | None = None
    rated: bool | None = None

    def apply(self, games: QuerySet[Game]) -> QuerySet[Game]:
        """The games that match this filter."""
        conditions = {name: value for name, value in self._asdict().items() if value is not None}
        return games.filter(**conditions)


def game_visible_to(account: str | None, game: str) -> Game | None:
    """The game; None if there is none, or the account may not see it."""
    row = Game.objects.select_related("imported").filter(pk=game).first()
    if row is None or row.visibility != Game.Visibility.PRIVATE:
        return row
    is_visible = account is not None and (row.owner_id == account or seats_of(account, game))
    return row if is_visible else None


def games_visible_to(account: str | None, game_filter: GameFilter) -> QuerySet[Game]:
    """The games listed for an account, of those played here: public ones, and those it owns or
    plays."""
    return game_filter.apply(_listed_games(account)).filter(imported=None)


def imports_visible_to(account: str | None, game_filter: GameFilter) -> QuerySet[Import]:
    """The imports listed for an account, with their games."""
    games = game_filter.apply(_listed_games(account)).filter(pk=OuterRef("game"))
    return Import.objects.filter(Exists(games)).select_related("game")


def games_played_by(
    account: str, game_filter: GameFilter, *, only_awaiting: bool = False
) -> QuerySet[Game]:
    """The games that an account plays; with `only_awaiting`, those that wait for it."""
    seats = Player.objects.filter(game=OuterRef("pk"), account=account, bot="")
    games = game_filter.apply(Game.objects.filter(Exists(seats)).select_related("imported"))
    return games.filter(pk__in=_games_awaiting(account)) if only_awaiting else games


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


def _listed_games(account: str | None) -> QuerySet[Game]:
    condition = Q(visibility=Game.Visibility.PUBLIC)
    if account is not None:
        players = Player.objects.filter(game=OuterRef("pk"), account=account)
        condition |= Q(owner=account) | Q(Exists(players))
    return Game.objects.filter(condition).select_related("imported")


def _games_awaiting(account: str) -> list[str]:
    players = Player.objects.filter(account=account, bot="", game__phase=Game.Phase.PLAYING)
    rows = players.values_list("game", "seat", "game__awaited")
    return [game for game, seat, mask in rows if mask >> seat & 1]

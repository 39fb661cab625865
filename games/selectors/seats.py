"""Selectors of seats: the accounts that play them, and the rights of these in a game. Seats that a
bot has taken over are left out, except where a function says otherwise."""

from __future__ import annotations

from collections.abc import Collection
from typing import Final, NamedTuple

from django.db.models import F, Q, QuerySet

from games.models import Game, Player
from tabularium_log.projection.projection import Projection

MAX_CACHED_RIGHTS: Final = 10_000


class GameRights(NamedTuple):
    """The owner and the accounts of a game. They are fixed once it has started; that a bot has
    taken over a seat is in the log, not here."""

    owner: str | None
    is_private: bool
    accounts: tuple[str | None, ...]  # by seat

    def seat_mask_of(self, account: str) -> int:
        """The seats of an account, as a bit mask."""
        return sum(1 << seat for seat, holder in enumerate(self.accounts) if holder == account)


class StartedRights:
    """The rights in recent games that have started, which change no more."""

    def __init__(self) -> None:
        self._rights: dict[str, GameRights] = {}

    def get(self, game: str) -> GameRights | None:
        """The rights, if they are in memory."""
        return self._rights.get(game)

    def load(self, game: str, row: Game | None = None) -> GameRights:
        """The rights; raises Game.DoesNotExist if no such game has started. `row` is that of a game
        that has."""
        rights = self._rights.get(game)
        if rights is None:
            started = Game.objects.exclude(phase=Game.Phase.GATHERING)
            rights = game_rights(started.get(pk=game) if row is None else row)
            if len(self._rights) >= MAX_CACHED_RIGHTS:
                self._rights.clear()
            self._rights[game] = rights
        return rights


_started_rights: Final = StartedRights()
started_game_rights = _started_rights.load
cached_game_rights = _started_rights.get


def game_rights(game: Game) -> GameRights:
    """The rights in a game now."""
    accounts = dict(Player.objects.filter(game=game).values_list("seat", "account"))
    is_private = game.visibility == Game.Visibility.PRIVATE
    return GameRights(game.owner_id, is_private, tuple(accounts.get(s) for s in range(game.seats)))


def seats_still_played(rights: GameRights, account: str, table: Projection) -> list[int]:
    """The seats of an account in a game that has started, but those that a bot has taken over."""
    mask = rights.seat_mask_of(account) & ~table.bot_seats
    return list(seats_in_mask(mask))


def seats_of(account: str | None, game: str) -> list[int]:
    """The seats of a game that an account plays."""
    if account is None:
        return []
    players = Player.objects.filter(game=game, account=account, bot="")
    return list(players.order_by("seat").values_list("seat", flat=True))


class SeatedPlayer(NamedTuple):
    """The player on a seat: an account, and the bot that plays, maybe for that account."""

    account: str | None
    name: str | None  # of the account
    bot: str  # "": none
    is_deleted: bool  # that the account was deleted


def players_by_game(games: Collection[str]) -> dict[str, dict[int, SeatedPlayer]]:
    """The players of games, by game and seat."""
    players: dict[str, dict[int, SeatedPlayer]] = {}
    rows = Player.objects.filter(game__in=games).order_by("game", "seat")
    columns = ("account", "account__name", "bot", "is_account_deleted")
    for game, seat, *values in rows.values_list("game", "seat", *columns):
        players.setdefault(game, {})[seat] = SeatedPlayer(*values)
    return players


def following_players() -> QuerySet[Player]:
    """The players whose accounts follow the game: those who play, and those whose seat a bot has
    taken over, as long as they may see the game."""
    is_visible = ~Q(game__visibility=Game.Visibility.PRIVATE) | Q(game__owner=F("account"))
    return Player.objects.filter(Q(bot="") | is_visible, account__isnull=False)


def seat_masks(games: Collection[str], account: str | None = None) -> dict[str, dict[str, int]]:
    """The seats that each account (or this one only) plays in the games that it follows, as a bit
    mask, by game."""
    masks: dict[str, dict[str, int]] = {}
    players = following_players().filter(game__in=games)
    if account is not None:
        players = players.filter(account=account)
    for game, player, seat, bot in players.values_list("game", "account", "seat", "bot"):
        game_masks = masks.setdefault(game, {})
        game_masks[str(player)] = game_masks.get(str(player), 0) | (not bot) << seat
    return masks


def players_of(game: str) -> dict[int, SeatedPlayer]:
    """The players of a game, by seat."""
    return players_by_game([game]).get(game, {})


def has_held_seat(account: str, game: str, seat: int) -> bool:
    """Whether an account holds a seat, or held it until a bot took it over."""
    return Player.objects.filter(game=game, seat=seat, account=account).exists()


def seats_in_mask(mask: int) -> tuple[int, ...]:
    """The seats of a bit mask, ascending."""
    return tuple(seat for seat in range(mask.bit_length()) if mask >> seat & 1)

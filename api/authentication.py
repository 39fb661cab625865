"""Authentication and authorization: the key in the Authorization header, scopes and seats."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Any, NamedTuple

from django.db.models import Exists, OuterRef, Q, QuerySet
from django.http import Http404
from rest_framework.authentication import BaseAuthentication
from rest_framework.request import Request

from api.errors import BEARER_CHALLENGE, Refusal
from api.keys import KEY_PREFIX, Caller, ExpiredKey, key_cache
from games import trace_context
from games.models import Game, Player


class KeyAuthentication(BaseAuthentication):
    """`Authorization: Bearer tab_…`; without the header, the caller is anonymous."""

    def authenticate(self, request: Request) -> tuple[Caller, str] | None:
        header = request.META.get("HTTP_AUTHORIZATION", "")
        if not header:
            return None
        kind, _, text = header.partition(" ")
        if kind.lower() != "bearer" or not text.startswith(f"{KEY_PREFIX}_"):
            raise Refusal("unauthorized", "Send `Authorization: Bearer tab_…`.")
        try:
            caller = key_cache.find_caller(text)
        except ExpiredKey as expired:
            trace_context.add_to_trace(account=expired.account)
            raise Refusal("unauthorized", str(expired)) from expired
        if caller is None:
            raise Refusal("unauthorized", "Unknown or revoked key.")
        trace_context.add_to_trace(account=caller.account)
        return caller, text

    def authenticate_header(self, request: Request) -> str:
        return BEARER_CHALLENGE


def authenticated_caller(request: Request) -> Caller:
    """The caller; refused without a key."""
    caller: Any = request.user
    if not isinstance(caller, Caller):
        raise Refusal("unauthorized", "A key is required: `POST /api/v1/guests` creates one.")
    return caller


def authorized_caller(request: Request, scope: str) -> Caller:
    """The caller; refused without a key, or if the key lacks the scope."""
    caller = authenticated_caller(request)
    check_scope(caller, scope)
    return caller


def check_scope(caller: Caller, scope: str) -> None:
    """Refuse a key that lacks the scope."""
    if scope not in caller.scopes:
        raise Refusal("insufficient-scope", f"The key lacks the scope {scope}.")


def reader_account(request: Request) -> str | None:
    """The caller's account, None if anonymous; a key needs the scope games:read."""
    caller: Any = request.user
    if not isinstance(caller, Caller):
        return None
    if "games:read" not in caller.scopes:
        raise Refusal("insufficient-scope", "The key lacks the scope games:read.")
    return caller.account


def visible_games(account: str | None) -> QuerySet[Game]:
    """The games listed for an account: public ones, and those it owns or plays."""
    seen = Q(visibility=Game.Visibility.PUBLIC)
    if account is not None:
        played = Player.objects.filter(game=OuterRef("pk"), account=account)
        seen |= Q(owner=account) | Q(Exists(played))
    return Game.objects.filter(seen).select_related("imported")


def visible_game(account: str | None, game: str) -> Game:
    """The game, or 404 if the account may not see it."""
    found = Game.objects.select_related("imported").filter(pk=game).first()
    if found is None:
        raise Http404(f"There is no game {game}.")
    if found.visibility == Game.Visibility.PRIVATE and not _is_owner_or_player(account, found):
        raise Http404(f"There is no game {game}.")
    return found


def _is_owner_or_player(account: str | None, game: Game) -> bool:
    if account is None:
        return False
    return game.owner_id == account or bool(seats_of(account, game.pk))


def seats_of(account: str | None, game: str) -> list[int]:
    """The seats of a game that an account plays, without those that a bot has taken over."""
    if account is None:
        return []
    played = Player.objects.filter(game=game, account=account, bot="")
    return list(played.order_by("seat").values_list("seat", flat=True))


class GameRights(NamedTuple):
    """The owner and the accounts of a game. They are fixed once it has started; that a bot has
    taken over a seat is in the log, not here."""

    owner: str | None
    is_private: bool
    accounts: tuple[str | None, ...]  # by seat

    def seat_mask_of(self, account: str) -> int:
        """The seats of an account, as a bit mask."""
        return sum(1 << seat for seat, who in enumerate(self.accounts) if who == account)


@lru_cache(maxsize=10_000)
def _cached_rights(game: str) -> GameRights:
    return _load_rights(Game.objects.exclude(phase=Game.Phase.GATHERING).get(pk=game))


def _load_rights(game: Game) -> GameRights:
    accounts = dict(Player.objects.filter(game=game).values_list("seat", "account"))
    is_private = game.visibility == Game.Visibility.PRIVATE
    return GameRights(game.owner_id, is_private, tuple(accounts.get(s) for s in range(game.seats)))


def caller_rights(request: Request, scope: str, game: str) -> tuple[Caller, GameRights]:
    """The caller, refused without a key with this scope, and its rights in a game."""
    caller = authorized_caller(request, scope)
    return caller, rights_of(caller.account, game)


def rights_of(account: str, game: str) -> GameRights:
    """The rights in a game, or 404 if the account may not see it."""
    try:
        rights = _cached_rights(game)
    except Game.DoesNotExist:  # unknown, or not started and so still changeable
        rights = _load_rights(visible_game(account, game))
    if rights.is_private and account not in (rights.owner, *rights.accounts):
        raise Http404(f"There is no game {game}.")
    return rights


def check_seat_rights(rights: GameRights, account: str, seat: int) -> None:
    """Refuse an account that has not held this seat since the start. Whether a bot has taken the
    seat over is in the log, and checked by the append."""
    if not 0 <= seat < len(rights.accounts) or rights.accounts[seat] != account:
        raise Refusal("not-your-seat", f"You do not play seat {seat}.")


def check_seat(account: str, game: str, seat: int) -> None:
    """Refuse an account that does not play this seat."""
    if seat not in seats_of(account, game):
        raise Refusal("not-your-seat", f"You do not play seat {seat}.")


def viewer_of(seats: Sequence[int], asked: str | None) -> int | None:
    """The viewing seat: as requested, else the first of `seats`; None for an onlooker."""
    if asked == "onlooker" or (asked is None and not seats):
        return None
    if asked is None:
        return seats[0]
    seat = int(asked.removeprefix("seat:"))
    if seat not in seats:
        raise Refusal("not-your-seat", f"You do not play seat {seat}.")
    return seat

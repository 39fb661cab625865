"""Authentication of requests by API key: the DRF authentication class for the Authorization header.
Also authorization: the scopes of a key, and the caller's rights and seats in a game."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from django.core.exceptions import ObjectDoesNotExist
from django.http import Http404
from rest_framework.authentication import BaseAuthentication
from rest_framework.request import Request

from api.errors import BEARER_CHALLENGE, Refusal
from api.keys import KEY_PREFIX, Caller, RefusedKey, key_cache
from games import request_trace, selectors
from games.selectors import Game, GameRights
from tabularium_log.projection.projection import Projection


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
        except RefusedKey as refused:
            request_trace.add_to_trace(account=refused.account)
            raise Refusal(refused.code, str(refused)) from refused
        if caller is None:
            raise Refusal("unauthorized", "Unknown or revoked key.")
        request_trace.add_to_trace(account=caller.account)
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


def visible_game(account: str | None, game: str) -> Game:
    """The game, or 404 if the account may not see it."""
    row = selectors.game_visible_to(account, game)
    if row is None:
        raise Http404(f"There is no game {game}.")
    return row


def caller_rights(request: Request, scope: str, game: str) -> tuple[Caller, GameRights]:
    """The caller, refused without a key with this scope, and its rights in a game."""
    caller = authorized_caller(request, scope)
    return caller, rights_of(caller.account, game)


def rights_of(account: str, game: str) -> GameRights:
    """The rights in a game, or 404 if the account may not see it."""
    try:
        rights = selectors.started_game_rights(game)
    except ObjectDoesNotExist:  # unknown, or not started and so still changeable
        rights = selectors.game_rights(visible_game(account, game))
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
    if seat not in selectors.seats_of(account, game):
        raise Refusal("not-your-seat", f"You do not play seat {seat}.")


def viewer_of(account: str | None, game: str, requested_viewer: str | None) -> int | None:
    """The viewing seat, of those that the account plays: as requested, else the first; None for an
    onlooker."""
    return viewer_among(selectors.seats_of(account, game), requested_viewer)


def viewer_among(seats: Sequence[int], requested_viewer: str | None) -> int | None:
    """The viewing seat, of these."""
    if requested_viewer == "onlooker" or (requested_viewer is None and not seats):
        return None
    if requested_viewer is None:
        return seats[0]
    seat = int(requested_viewer.removeprefix("seat:"))
    if seat not in seats:
        raise Refusal("not-your-seat", f"You do not play seat {seat}.")
    return seat


def position_viewer(
    account: str | None, game: str, table: Projection, requested_viewer: str | None
) -> int | None:
    """The viewer of a position: any seat once the game is over, before that only the account's
    own."""
    if requested_viewer and selectors.game_projection(game).phase == "over":
        return viewer_among(range(table.creation.seats), requested_viewer)
    return viewer_of(account, game, requested_viewer)

"""The endpoint for rematches: the same players meet again, each one seat further."""

from __future__ import annotations

from rest_framework.request import Request
from rest_framework.response import Response

from api.authentication import authorized_caller, visible_game
from api.base_endpoint import Endpoint
from api.errors import Refusal
from api.games import lifecycle
from api.games.repeated_requests import answered_if, has_joined
from api.operation_problems import OF_SEATING
from api.schema import operation, refused_with
from api.shapes import games as shapes
from games import selectors, services
from games.selectors import Game, SeatedPlayer

EXISTING_REMATCH_DESCRIPTION = "The rematch that another player has asked for; you have joined it."


class RematchEndpoint(Endpoint):
    """The rematch of a game."""

    @operation(
        "rematch",
        sends=("Location",),
        reply=shapes.GameView,
        status=201,
        scope="games:create",
        headers=lifecycle.PREFER_HEADERS,
        also={200: EXISTING_REMATCH_DESCRIPTION},
    )
    @refused_with(
        *OF_SEATING,
        "game-over",
        "invalid-options",
        "not-over",
        "not-your-seat",
        "seat-taken",
        "started",
        "too-many-challenges",
        "unknown-account",
    )
    def post(self, request: Request, game: str) -> Response:
        """Meet the same players again, by the same rules and options, when a game is over. Everyone
        moves to the seat before; the option that says who begins follows the result, where the
        rules have it so. The seats of other accounts are kept for them, as challenges. If
        another player has asked first, you join that game instead: a game has one rematch, its
        `next`, unless that is called off."""
        caller = authorized_caller(request, lifecycle.CREATE_SCOPE)
        row = visible_game(caller.account, game)
        if row.phase != row.Phase.OVER:
            raise Refusal("not-over", "A rematch follows the end of a game.")
        players = selectors.players_of(game)
        if caller.account not in {player.account for player in players.values()}:
            raise Refusal("not-your-seat", "Only the players of a game ask for its rematch.")
        rematch, is_new = selectors.rematch_of(row), False
        if rematch is None:
            body = _new_game(row, players, caller.account)
            rematch, is_new = lifecycle.create_rematch(body, caller.account, game)
        if not is_new:
            _take_kept_seat(rematch, caller.account)
        status = 201 if is_new else 200
        return lifecycle.long_poll_game_response(request, rematch, caller.account, status)


def _take_kept_seat(game: str, account: str) -> None:
    """Join a rematch that has a seat for the account. One who has none, and may not watch either,
    has declined."""
    if (seat := selectors.challenged_seat(account, game)) is not None:
        with answered_if(has_joined, account, game, seat, None):
            services.join_game(game, seat, account=selectors.account(account))
    visible_game(account, game)


def _new_game(row: Game, players: dict[int, SeatedPlayer], account: str) -> shapes.NewGame:
    """The request for the same game, with everyone one seat further."""
    creation = selectors.game_creation(row.pk)
    seats = range(creation.seats)
    before = [(seat + 1) % len(seats) for seat in seats]  # where the player of each seat has sat
    return shapes.NewGame(
        rules=creation.rules,
        seats=tuple(_seat(players.get(seat), account) for seat in before),
        options=selectors.rematch_options(row.pk, [before.index(seat) for seat in seats]),
        visibility="public" if row.visibility == row.Visibility.PUBLIC else "private",
        clock=creation.clock,
        rated=creation.rated,
        hints=creation.hints,
        version=creation.version,
    )


def _seat(player: SeatedPlayer | None, account: str) -> shapes.NewSeat:
    """The seat for a player; it is open where an account was deleted."""
    if player is None or (player.account is None and not player.bot):
        return shapes.NewSeat("open")
    if player.account is None:
        return shapes.NewSeat("bot", bot=player.bot)
    if player.account == account:
        return shapes.NewSeat("me")
    return shapes.NewSeat("account", account=player.account)

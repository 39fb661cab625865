"""The endpoint for forks: new games from a position that the caller may know."""

from __future__ import annotations

from rest_framework.request import Request
from rest_framework.response import Response

from api.authentication import authorized_caller, check_seat, visible_game
from api.base_endpoint import Endpoint
from api.games import lifecycle
from api.limits.quotas import open_games_quota_transaction
from api.operation_problems import OF_A_DECISION, OF_SEATING
from api.schema import operation, refused_with
from api.shapes import games as shapes
from games import services
from tabularium_engines.installed.registry import find_engine


class ForksEndpoint(Endpoint):
    """The forks of a game."""

    @operation(
        "fork_game",
        sends=("Location",),
        body=shapes.NewFork,
        reply=shapes.GameView,
        status=201,
        scope="games:create",
        headers=lifecycle.PREFER_HEADERS,
    )
    @refused_with(*OF_SEATING, *OF_A_DECISION, "rated-running", "unknown-account", "unknown-entry")
    def post(self, request: Request, game: str) -> Response:
        """Create a new game from a position of this one. If this game is over, the fork has the
        full position; if it goes on, it has your seat's view, and hidden information is dealt
        again. A fork of a view or of a private game is private."""
        caller = authorized_caller(request, lifecycle.CREATE_SCOPE)
        row = visible_game(caller.account, game)
        body = self.parse_body(request, shapes.NewFork)
        if body.seat is not None and row.phase != row.Phase.OVER:
            check_seat(caller.account, game, body.seat)
        find_engine(row.rules, row.version)  # a fork needs the rules, and so do its bots
        with open_games_quota_transaction(caller.account) as account:
            seating = lifecycle.seating_of(body.seats, account, row.rules)
            append_result = services.fork_game(
                game,
                body.seq,
                seating,
                seat=body.seat,
                owner=account,
                visibility=body.visibility,
            )
        return lifecycle.long_poll_game_response(
            request, append_result.projection.game, caller.account, 201
        )

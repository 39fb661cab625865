"""Endpoints for tables among people: their agreements, and the ends of games that do not go on."""

from __future__ import annotations

from rest_framework.request import Request
from rest_framework.response import Response

from api.authentication import authorized_caller, check_seat, visible_game
from api.base_endpoint import Endpoint
from api.games.lifecycle import PLAY_SCOPE, game_response, owned_game
from api.games.repeated_requests import answered_if, has_ended_without_result, has_proposed
from api.operation_problems import OF_A_PLAYING_SEAT
from api.schema import operation, refused_with
from api.shapes import games as shapes
from games import services


class CallOffEndpoint(Endpoint):
    """Calling a game off."""

    @operation("call_off_game", reply=shapes.GameView, scope="games:play")
    @refused_with("game-over", "not-your-game", "started")
    def post(self, request: Request, game: str) -> Response:
        """Call off your game before it has started. Its log is closed without a result."""
        caller = authorized_caller(request, PLAY_SCOPE)
        owned_game(caller.account, game)
        with answered_if(has_ended_without_result, game):
            services.call_off_game(game)
        return game_response(game, caller.account)


class AbortEndpoint(Endpoint):
    """Aborting a game."""

    @operation("abort_game", body=shapes.SeatOnly, reply=shapes.GameView, scope="games:play")
    @refused_with(*OF_A_PLAYING_SEAT, "rated-abort", "too-late")
    def post(self, request: Request, game: str) -> Response:
        """End a game without a result, before a person has acted in it. Rated games count from
        their deal."""
        caller = authorized_caller(request, PLAY_SCOPE)
        visible_game(caller.account, game)
        seat = self.parse_body(request, shapes.SeatOnly).seat
        with answered_if(has_ended_without_result, game):
            check_seat(caller.account, game, seat)
            services.abort_game(game, seat)
        return game_response(game, caller.account)


class ProposalsEndpoint(Endpoint):
    """Proposals to the other people at a table."""

    @operation("propose", body=shapes.NewProposal, reply=shapes.GameView, scope="games:play")
    @refused_with(
        *OF_A_PLAYING_SEAT,
        "no-clock",
        "no-draw",
        "no-takeback",
        "paused",
        "proposal-open",
        "proposed-already",
        "rated-proposal",
        "wrong-proposal",
    )
    def post(self, request: Request, game: str) -> Response:
        """Propose a draw, an end without a result, a takeback of your last actions or a pause. It
        takes effect when all other people at the table have accepted, at once if there are none. If
        another seat has proposed the same, you accept that. A proposal stands until another person
        acts, accepts or declines; one of a takeback, until anybody acts."""
        caller = authorized_caller(request, PLAY_SCOPE)
        visible_game(caller.account, game)
        body = self.parse_body(request, shapes.NewProposal)
        with answered_if(has_proposed, game, body.seat, body.of, body.to):
            check_seat(caller.account, game, body.seat)
            services.make_proposal(game, body.seat, body.of, body.to)
        return game_response(game, caller.account)


def _caller_with_seat(request: Request, game: str) -> tuple[str, int]:
    """The account that sends the request, and its seat, which the body names."""
    caller = authorized_caller(request, PLAY_SCOPE)
    visible_game(caller.account, game)
    seat = Endpoint.parse_body(request, shapes.SeatOnly).seat
    check_seat(caller.account, game, seat)
    return caller.account, seat


class AcceptEndpoint(Endpoint):
    """Accepting a proposal."""

    @operation("accept_proposal", body=shapes.SeatOnly, reply=shapes.GameView, scope="games:play")
    @refused_with(*OF_A_PLAYING_SEAT, "accepted", "no-such-proposal", "unknown-entry")
    def post(self, request: Request, game: str, proposal: int) -> Response:
        """Accept the proposal of that entry of the log."""
        account, seat = _caller_with_seat(request, game)
        services.accept_proposal(game, seat, proposal)
        return game_response(game, account)


class DeclineEndpoint(Endpoint):
    """Declining a proposal."""

    @operation("decline_proposal", body=shapes.SeatOnly, reply=shapes.GameView, scope="games:play")
    @refused_with(*OF_A_PLAYING_SEAT, "no-such-proposal", "unknown-entry")
    def post(self, request: Request, game: str, proposal: int) -> Response:
        """Decline the proposal of that entry of the log, or withdraw it if it is yours."""
        account, seat = _caller_with_seat(request, game)
        services.decline_proposal(game, seat, proposal)
        return game_response(game, account)


class ResumeEndpoint(Endpoint):
    """The end of a pause."""

    @operation("resume_game", body=shapes.SeatOnly, reply=shapes.GameView, scope="games:play")
    @refused_with(*OF_A_PLAYING_SEAT, "not-paused")
    def post(self, request: Request, game: str) -> Response:
        """End a pause. Every player has as much time left as when it began. A pause of seven days
        ends by itself."""
        account, seat = _caller_with_seat(request, game)
        services.resume_game(game, seat)
        return game_response(game, account)


class ClaimEndpoint(Endpoint):
    """Claims that a player has left."""

    @operation("claim_seat", body=shapes.NewClaim, reply=shapes.GameView, scope="games:play")
    @refused_with(*OF_A_PLAYING_SEAT, "has-clock", "in-time", "not-late")
    def post(self, request: Request, game: str) -> Response:
        """Claim that the player of another seat has left, after seven days of silence at a table
        without a clock. A bot plays on, or the seat resigns."""
        caller = authorized_caller(request, PLAY_SCOPE)
        visible_game(caller.account, game)
        body = self.parse_body(request, shapes.NewClaim)
        check_seat(caller.account, game, body.seat)
        services.claim_seat(game, body.seat, body.absent, body.then)
        return game_response(game, caller.account)

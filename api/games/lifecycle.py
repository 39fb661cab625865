"""Endpoints for the life cycle of games: creation, joining, seeds, start, leaving, resignation,
bots and invitations."""

from __future__ import annotations

import secrets
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from hashlib import sha256
from typing import Final

from django.db import IntegrityError, transaction
from django.utils import timezone
from rest_framework.request import Request
from rest_framework.response import Response

from ai import bot_registry as bots
from ai import clock_budget
from api.authentication import (
    authorized_caller,
    check_seat,
    viewer_among,
    viewer_of,
    visible_game,
)
from api.base_endpoint import Endpoint
from api.errors import Refusal
from api.games import challenges, presenters
from api.games.repeated_requests import (
    answered_if,
    has_joined,
    has_left,
    has_opened_seed,
    has_resigned,
    has_seated_bot,
    has_started,
)
from api.limits.quotas import open_games_quota_transaction
from api.models import Invitation
from api.ruleset_types import without_type
from api.schema import operation, refused_with
from api.shape_responses import reply
from api.shapes import games as shapes
from api.streams.long_poll import WaitCondition, hold_response
from api.webhooks import webhook_dispatch
from games import selectors, services
from games.selectors import Account, Game
from games.services import SeatAssignment
from tabularium_engines.common.json_codec import MalformedDocument
from tabularium_engines.installed import registry
from tabularium_log.forms import AccountId, Sha256, has_form
from tabularium_log.projection.table_actions import Clock

PLAY_SCOPE: Final = "games:play"
CREATE_SCOPE: Final = "games:create"
NO_ACCOUNTS: Final[Mapping[str, Account]] = {}
PREFER_HEADERS: Final = {
    "Prefer": "`wait=10`: respond when it is your turn, or after that many seconds."
}


def visible_game_view(game: str, account: str | None) -> shapes.GameView:
    """A game as the account sees it."""
    return game_view_of(visible_game(account, game), account)


def game_view_of(row: Game, account: str | None) -> shapes.GameView:
    """A game that the account may see, as it sees it."""
    position = selectors.game_position(row.pk)
    if account is None or row.phase != Game.Phase.PLAYING:
        viewer = viewer_of(account, row.pk, None)
    else:
        # now in memory, so that the next action is an ordinary one
        rights = selectors.started_game_rights(row.pk, row)
        seats = selectors.seats_still_played(rights, account, position.projection)
        viewer = viewer_among(seats, None)
    return presenters.game_view(row, position, account, viewer)


def game_response(game: str, account: str | None, status: int = 200) -> Response:
    """The response that shows a game."""
    return _view_response(visible_game_view(game, account), status)


def _view_response(view: shapes.GameView, status: int) -> Response:
    return reply(view, status, location=view.links.self) if status == 201 else reply(view)


def long_poll_game_response(
    request: Request,
    game: str,
    account: str,
    status: int = 200,
    complete: Callable[[shapes.GameView], shapes.GameView] = lambda view: view,
) -> Response:
    """The same; a long poll is answered when one of the account's seats must act, or the game is
    over. `complete` adds facts to the view that this request alone knows."""

    def build_view() -> shapes.GameView:
        return complete(visible_game_view(game, account))

    def is_turn_or_over() -> bool:
        table = selectors.game_projection(game)
        return table.phase == "over" or any(
            map(table.is_awaited, selectors.seats_of(account, game))
        )

    condition = WaitCondition(game, is_turn_or_over, build_view)
    return hold_response(request, _view_response(build_view(), status), condition)


def create_game(request: Request) -> Response:
    """POST /games: a new game, which starts at once if no player and no seed is missing."""
    caller = authorized_caller(request, CREATE_SCOPE)
    body = Endpoint.parse_body(request, shapes.NewGame)
    if body.rules not in registry.ENGINES:
        raise Refusal("unknown-rules", f"There is no ruleset {body.rules}.")
    game, invitations = create_game_with_seats(body, caller.account)

    def with_invitations(view: shapes.GameView) -> shapes.GameView:
        return replace(view, invitations=invitations)

    return long_poll_game_response(request, game, caller.account, 201, with_invitations)


def clock_of(body: shapes.NewGame) -> Clock | None:
    """The clock of a new game: unless the request says otherwise, a table at which other people can
    sit has one, so that no game waits for ever for a player who has left."""
    is_for_others = any(seat.kind in ("open", "invite", "account") for seat in body.seats)
    return None if body.clock is shapes.DEFAULT_CLOCK and not is_for_others else body.clock


def create_game_with_seats(
    body: shapes.NewGame, account: str
) -> tuple[str, tuple[shapes.MadeInvitation, ...]]:
    """Create the game, and the invitations to its seats; return its id, and them. Refused if the
    options are invalid, or a limit is reached."""
    with _creation_transaction(body, account) as (owner, challenged):
        return _create_game_with_seats(body, owner, challenged)


def create_rematch(body: shapes.NewGame, account: str, game: str) -> tuple[str, bool]:
    """Create the rematch of a game, unless there is one; its id, and whether it is new."""
    with _creation_transaction(body, account) as (owner, challenged):
        return services.create_rematch(
            game, lambda: _create_game_with_seats(body, owner, challenged, game)[0]
        )


@contextmanager
def _creation_transaction(
    body: shapes.NewGame, account: str
) -> Iterator[tuple[Account, Mapping[str, Account]]]:
    """A transaction in which the account may open one more game, and challenge those that it is
    for; the account, and those. Invalid options are refused."""
    try:
        with (
            challenges.challenge_transaction(account, body.seats) as challenged,
            open_games_quota_transaction(account) as owner,
        ):
            yield owner, challenged
    except MalformedDocument as problem:
        error = {"pointer": problem.pointer, "code": problem.code, "detail": problem.sentence}
        raise Refusal("invalid-options", str(problem), [error]) from problem


def _create_game_with_seats(
    body: shapes.NewGame,
    account: Account,
    challenged: Mapping[str, Account],
    rematch: str | None = None,
) -> tuple[str, tuple[shapes.MadeInvitation, ...]]:
    seating = seating_of(body.seats, account, body.rules, challenged)
    clock = clock_of(body)
    for assignment in seating:
        if body.rated and assignment.bot:
            clock_budget.check_rated_clock(clock, assignment.bot, body.rules)
    version = body.version or registry.ENGINES[body.rules].about.version
    append_result = services.create_game(
        body.rules,
        seating,
        version=body.version,
        options=without_type(body.options, body.rules, version),
        clock=clock,
        owner=account,
        visibility=body.visibility,
        rated=body.rated,
        hints=body.hints,
        rematch=rematch,
    )
    game = append_result.projection.game
    invitations = tuple(
        shapes.MadeInvitation(game, seat, create_invitation(game, seat))
        for seat, new_seat in enumerate(body.seats)
        if new_seat.kind == "invite"
    )
    return game, invitations


def seating_of(
    seats: Sequence[shapes.NewSeat],
    account: Account,
    rules: str,
    challenged: Mapping[str, Account] = NO_ACCOUNTS,
) -> list[SeatAssignment]:
    """The assignment of the seats; refused if a bot does not play these rules."""
    return [_seating(seat, account, rules, challenged) for seat in seats]


def _seating(
    seat: shapes.NewSeat, account: Account, rules: str, challenged: Mapping[str, Account]
) -> SeatAssignment:
    if seat.seed_hash is not None and not has_form(seat.seed_hash, Sha256):
        raise Refusal("bad-seed-hash", "A seed hash has 64 lower-case hexadecimal digits.")
    if seat.account is not None and not has_form(seat.account, AccountId):
        raise Refusal("unknown-account", f"There is no account {seat.account}.")
    if seat.kind == "account" and seat.account is not None:
        return SeatAssignment(challenged=challenged.get(seat.account))
    if seat.kind == "me":
        return SeatAssignment(account=account, seed_hash=seat.seed_hash)
    if seat.kind == "bot":
        return SeatAssignment(bot=require_bot(seat.bot or "greedy", rules))
    return SeatAssignment()


def require_bot(name: str, rules: str) -> str:
    """The name of the bot; refused if it does not play these rules."""
    if name not in bots.bot_names(rules):
        raise Refusal("unknown-bot", f"There is no bot {name} for {rules}.")
    return name


def create_invitation(game: str, seat: int) -> str:
    """Reserve a seat for the holder of the returned secret, which replaces an older invitation."""
    secret = f"inv_{secrets.token_hex(16)}"
    defaults = {"digest": _secret_digest(secret), "accepted": None}
    Invitation.objects.update_or_create(game_id=game, seat=seat, defaults=defaults)
    return secret


class JoinEndpoint(Endpoint):
    """Joining a game."""

    @operation(
        "join_game",
        body=shapes.JoinRequest,
        reply=shapes.GameView,
        scope="games:play",
        headers=PREFER_HEADERS,
    )
    @refused_with(
        "bad-seed-hash",
        "game-over",
        "rated-twice",
        "seat-kept",
        "seat-taken",
        "started",
        "unknown-seat",
    )
    def post(self, request: Request, game: str) -> Response:
        """Take a free seat of a game. The game starts once all seats are taken and all promised
        seeds are open."""
        caller = authorized_caller(request, PLAY_SCOPE)
        body = self.parse_body(request, shapes.JoinRequest)
        with answered_if(has_joined, caller.account, game, body.seat, body.seed_hash):
            invitation = _matching_invitation(caller.account, game, body)
            account = selectors.account(caller.account)
            services.join_game(game, body.seat, account=account, seed_hash=body.seed_hash)
            if invitation is not None:
                invitation.accepted = timezone.now()
                invitation.save(update_fields=["accepted"])
        return long_poll_game_response(request, game, caller.account)


def _matching_invitation(account: str, game: str, body: shapes.JoinRequest) -> Invitation | None:
    """The invitation in the request, if the seat is reserved; it also admits to a private game,
    which is hidden from all other callers."""
    invitation = Invitation.objects.filter(game=game, seat=body.seat, accepted=None).first()
    if invitation is not None and invitation.digest == _secret_digest(body.invitation or ""):
        return invitation
    visible_game(account, game)
    if invitation is not None:
        raise Refusal("seat-kept", f"Seat {body.seat} is reserved for an invited player.")
    return None


class LeaveEndpoint(Endpoint):
    """Leaving a game."""

    @operation("leave_game", body=shapes.SeatOnly, reply=shapes.GameView, scope="games:play")
    @refused_with("not-your-seat", "seat-free", "started", "game-over", "unknown-seat")
    def post(self, request: Request, game: str) -> Response:
        """Give up a seat before the game has started. The owner of the game may free any seat."""
        caller = authorized_caller(request, PLAY_SCOPE)
        row = visible_game(caller.account, game)
        seat = self.parse_body(request, shapes.SeatOnly).seat
        with answered_if(has_left, game, seat):
            if row.owner_id != caller.account:
                check_seat(caller.account, game, seat)
            services.leave_game(game, seat)
        # shown for the last time, if the game is private
        return reply(game_view_of(row, caller.account))


class DeclineEndpoint(Endpoint):
    """Declining a challenge."""

    @operation("decline_challenge", body=shapes.SeatOnly, reply=shapes.GameView, scope="games:play")
    @refused_with("not-challenged")
    def post(self, request: Request, game: str) -> Response:
        """Decline a seat that is kept for you. The creator of the game may then give it to
        another player."""
        caller = authorized_caller(request, PLAY_SCOPE)
        row = visible_game(caller.account, game)
        seat = self.parse_body(request, shapes.SeatOnly).seat
        with (
            answered_if(selectors.has_declined, caller.account, game, seat),
            transaction.atomic(),
        ):
            services.decline_challenge(game, seat, caller.account)
            webhook_dispatch.announce_decline(game, seat)
        # shown for the last time, if the game is private
        return reply(game_view_of(row, caller.account))


class OpenSeedEndpoint(Endpoint):
    """The players' seeds, which ensure that no party chose the deal."""

    @operation(
        "open_seed",
        body=shapes.SeedReveal,
        reply=shapes.GameView,
        scope="games:play",
        headers=PREFER_HEADERS,
    )
    @refused_with(
        "bad-seed",
        "game-over",
        "no-seed-due",
        "not-your-seat",
        "seats-open",
        "started",
        "unknown-seat",
        "wrong-seed",
    )
    def post(self, request: Request, game: str) -> Response:
        """Reveal the seed whose hash you gave on joining. The last one starts the game."""
        caller = authorized_caller(request, PLAY_SCOPE)
        visible_game(caller.account, game)
        body = self.parse_body(request, shapes.SeedReveal)
        with answered_if(has_opened_seed, game, body.seat, body.seed):
            check_seat(caller.account, game, body.seat)
            services.open_seed(game, body.seat, body.seed)
        return long_poll_game_response(request, game, caller.account)


class StartEndpoint(Endpoint):
    """Starting a game without waiting for more players."""

    @operation(
        "start_game",
        body=shapes.FillRequest,
        reply=shapes.GameView,
        scope="games:play",
        headers=PREFER_HEADERS,
    )
    @refused_with(
        "game-over",
        "not-your-game",
        "rated-clock",
        "rated-twice",
        "started",
        "too-many-games",
        "unknown-bot",
    )
    def post(self, request: Request, game: str) -> Response:
        """Fill every free seat of your game with a bot, so that the game starts."""
        caller = authorized_caller(request, PLAY_SCOPE)
        row = owned_game(caller.account, game)
        bot = require_bot(self.parse_body(request, shapes.FillRequest).fill_with, row.rules)
        table = selectors.game_projection(game)
        if table.creation.rated and len(table.free_seats) > 1:
            raise Refusal(
                "rated-twice", "In a rated game each bot has one seat: seat different bots."
            )
        if table.creation.rated and table.free_seats:
            clock_budget.check_rated_clock(table.creation.clock, bot, row.rules)
        with answered_if(has_started, game):
            services.fill_seats(game, bot)
        return long_poll_game_response(request, game, caller.account)


class ResignEndpoint(Endpoint):
    """Resigning from a game."""

    @operation("resign", body=shapes.SeatOnly, reply=shapes.GameView, scope="games:play")
    @refused_with("game-over", "not-started", "not-your-seat", "seat-free", "unknown-seat")
    def post(self, request: Request, game: str) -> Response:
        """Resign from a game. If one player is left, that player wins; otherwise a bot plays on for
        your seat."""
        caller = authorized_caller(request, PLAY_SCOPE)
        visible_game(caller.account, game)
        seat = self.parse_body(request, shapes.SeatOnly).seat
        with answered_if(has_resigned, caller.account, game, seat):
            check_seat(caller.account, game, seat)
            services.resign_seat(game, seat)
        return game_response(game, caller.account)


class SeatBotEndpoint(Endpoint):
    """Bots on the seats of a game."""

    @operation("seat_bot", body=shapes.NewBot, reply=shapes.GameView, scope="games:play")
    @refused_with(
        "game-over",
        "not-your-seat",
        "not-your-game",
        "rated-clock",
        "rated-substitute",
        "rated-twice",
        "seat-free",
        "seat-kept",
        "seat-taken",
        "started",
        "unknown-bot",
        "unknown-seat",
    )
    def post(self, request: Request, game: str) -> Response:
        """Seat a bot in a game. Before the start it takes a free seat of your game; afterwards it
        takes over one of your seats for the rest of the game."""
        caller = authorized_caller(request, PLAY_SCOPE)
        row = visible_game(caller.account, game)
        body = self.parse_body(request, shapes.NewBot)
        bot = require_bot(body.bot, row.rules)
        with answered_if(has_seated_bot, caller.account, row, body.seat, bot):
            _seat_bot(row, caller.account, body.seat, bot)
        return game_response(game, caller.account)


def _seat_bot(row: Game, account: str, seat: int, bot: str) -> None:
    if row.phase == row.Phase.GATHERING:
        owned_game(account, row.pk)
        creation = selectors.game_projection(row.pk).creation
        if creation.rated:
            clock_budget.check_rated_clock(creation.clock, bot, row.rules)
        services.join_game(row.pk, seat, bot=bot)
    else:
        check_seat(account, row.pk, seat)
        services.replace_seat(row.pk, seat, bot)


class InvitationsEndpoint(Endpoint):
    """Invitations to seats."""

    @operation(
        "invite",
        body=shapes.NewInvitation,
        reply=shapes.MadeInvitation,
        status=201,
        scope="games:play",
    )
    @refused_with("not-your-game", "seat-taken", "unknown-seat", "started")
    def post(self, request: Request, game: str) -> Response:
        """Reserve a free seat of your game for the holder of an invitation."""
        caller = authorized_caller(request, PLAY_SCOPE)
        row = owned_game(caller.account, game)
        seat = self.parse_body(request, shapes.NewInvitation).seat
        table = selectors.game_projection(game)
        if not 0 <= seat < row.seats:
            raise Refusal("unknown-seat", f"There is no seat {seat} at this table.")
        if table.phase != "gathering" or table.occupants[seat] is not None:
            raise Refusal("seat-taken", f"Seat {seat} is taken.")
        try:
            with transaction.atomic():
                secret = create_invitation(game, seat)
                services.withdraw_challenge(game, seat)
        except IntegrityError as problem:  # two at once: the other invitation stands
            raise Refusal("busy", "Another request is inviting to this seat.") from problem
        return reply(shapes.MadeInvitation(game, seat, secret), 201)


def owned_game(account: str, game: str) -> Game:
    """The game; refused unless the account has created it."""
    row = visible_game(account, game)
    if row.owner_id != account:
        raise Refusal("not-your-game", "Only the account that created the game may do this.")
    return row


def _secret_digest(secret: str) -> str:
    return sha256(secret.encode()).hexdigest()

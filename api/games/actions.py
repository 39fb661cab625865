"""Endpoints for actions: a seat's present choice, appending its actions to the log, and checking
one beforehand."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Any, Final

from django.urls import reverse
from rest_framework.request import Request
from rest_framework.response import Response

from api.authentication import (
    authorized_caller,
    caller_rights,
    check_seat,
    check_seat_rights,
    visible_game,
)
from api.base_endpoint import Endpoint
from api.errors import Refusal
from api.games import presenters
from api.games.named_texts import names_of
from api.idempotency import idempotent_request_of
from api.query_serializers import ChoiceQuery
from api.schema import operation, refused_with
from api.shape_responses import reply
from api.shapes import logs as shapes
from api.shapes.forms import ChoiceToken
from api.shapes.games import ChoiceView
from api.streams import long_poll
from api.time_and_name_fields import invalid_member_refusal
from games import selectors, services
from games.services import AppendResult, StaleChoice
from tabularium_engines.base import IllegalAction
from tabularium_engines.common import json_codec
from tabularium_engines.common.english_text import seats_called
from tabularium_log.forms import has_form
from tabularium_log.projection.projection import Projection

MAX_ACTIONS_PER_REQUEST: Final = 100
FAILURE_STATE: Final = "append_failure"  # in the state of a request: the append that failed
MAX_MISSED_ENTRIES: Final = 50  # entries in a refusal
REPEATED_ACTION_DESCRIPTION: Final = "The action was already made from this choice: its entries."
PREFER_HEADER_DESCRIPTION: Final = (
    "`wait=10`: respond when it is your turn again, or after that many seconds."
)


class ChoiceEndpoint(Endpoint):
    """The choice of one of the caller's seats."""

    query = ChoiceQuery

    @operation("choice", reply=ChoiceView, query=ChoiceQuery, scope="games:read")
    @refused_with("game-over", "not-started", "not-your-seat", "not-your-turn", "paused")
    def get(self, request: Request, game: str) -> Response:
        """List the legal actions of your seat, ready to be sent back. Answers 409 if there is none.
        The seat is your first one unless the query names another."""
        account = authorized_caller(request, "games:read").account
        row = visible_game(account, game)
        query = self.parse_query(request)
        seat = query.get("seat")
        seats = selectors.seats_of(account, game)
        if seat is None and seats:
            seat = seats[0]
        if seat not in seats:
            raise Refusal("not-your-seat", "You do not play this seat.")
        table = selectors.game_projection(game)
        with seats_called(names_of(row, are_wanted=query["names"])):
            choice = presenters.choice_view(table, seat)
        if choice is None:
            raise _no_choice_refusal(table)
        return reply(choice)


def _no_choice_refusal(table: Projection) -> Refusal:
    """The reason why a seat has no choice."""
    if table.phase == "over":
        return Refusal("game-over", "The game is over.")
    if table.phase == "gathering":
        return Refusal("not-started", "The game has not started.")
    table.check_not_paused()
    seat_list = " and ".join(map(str, selectors.seats_in_mask(table.awaited_seats)))
    return Refusal("not-your-turn", f"Seat {seat_list} must act.")


class ActionsEndpoint(Endpoint):
    """The actions of a seat."""

    keeps_replies = False  # the log records the outcome

    @operation(
        "act",
        sends=("Location",),
        body=shapes.NewActions,
        reply=shapes.ActionResult,
        status=201,
        scope="games:play",
        headers={"Prefer": PREFER_HEADER_DESCRIPTION},
        once=True,
        also={200: REPEATED_ACTION_DESCRIPTION},
    )
    @refused_with(
        "game-over",
        "illegal-action",
        "no-action",
        "no-precondition",
        "not-started",
        "not-your-seat",
        "not-your-turn",
        "paused",
        "stale-choice",
        "unknown-seat",
    )
    def post(self, request: Request, game: str) -> Response:
        """Append one action of your seat, or several, all or none. `choice` or `expected_seq` names
        the decision that they answer: if it is no longer open, the request is refused."""
        caller, rights = caller_rights(request, "games:play", game)
        body = self.parse_body(request, shapes.NewActions)
        actions = actions_of(body)
        check_seat_rights(rights, caller.account, body.seat)
        choice = body.choice if body.choice is not None else body.expected_seq
        if choice is None:
            raise Refusal("no-precondition", "Send `choice` or `expected_seq`.")
        idempotent_request = idempotent_request_of(request, caller.account, request.data)
        raise_earlier_failure(request)
        try:
            append_result = services.append_action(
                game, body.seat, actions, choice=choice, note=idempotent_request
            )
        except StaleChoice as stale:
            raise _stale_choice_refusal(game, body, stale) from stale
        response = action_response(
            append_result,
            body.seat,
            200 if append_result.is_repeat and idempotent_request is None else 201,
        )
        return long_poll.hold_response(
            request,
            response,
            _own_turn_condition(rights.seat_mask_of(caller.account), body.seat, append_result),
        )


def raise_earlier_failure(request: Request) -> None:
    """Raise the error with which the event loop failed to make this append. It may be in the log,
    so that it is not tried again."""
    scope = getattr(request._request, "scope", {})
    if (failure := scope.get("state", {}).get(FAILURE_STATE)) is not None:
        raise failure


def actions_of(body: shapes.NewActions) -> Any:
    """The action, or the list of actions."""
    if (body.action is None) == (body.actions is None):
        raise Refusal("no-action", "Send `action` or `actions`, not both.")
    if body.actions is None:
        return body.action
    if len(body.actions) > MAX_ACTIONS_PER_REQUEST:
        raise Refusal(
            "no-action", f"Send at most {MAX_ACTIONS_PER_REQUEST} actions in one request."
        )
    return list(body.actions)


def action_response(append_result: AppendResult, seat: int, status: int) -> Response:
    """The response to an append, as the seat may read it."""
    headers = {"location": location_of(append_result)}
    if append_result.is_repeat:
        headers["idempotent_replayed"] = "true"
    return reply(action_result(append_result, seat, append_result.projection), status, **headers)


def location_of(append_result: AppendResult) -> str:
    """The address of the last entry."""
    return f"{_log_url(append_result.projection.game)}/{append_result.last_seq}"


@lru_cache(maxsize=1024)
def _log_url(game: str) -> str:
    return reverse("game-log", args=[game])


def action_result(append_result: AppendResult, seat: int, table: Projection) -> shapes.ActionResult:
    """The appended entries, and the choice of the seat as the table now stands."""
    over = table.phase == "over"
    lines = [
        selectors.visible_entry(row, after, seat, over)
        for row, after in append_result.written_entries
    ]
    if not lines:
        count = append_result.last_seq - append_result.first_seq + 1
        lines = selectors.game_log(table.game, seat, append_result.first_seq - 1, count, over=over)
    entries = tuple(presenters.entry_view(line) for line in lines)
    return shapes.ActionResult(
        seq=append_result.last_seq,
        entry=entries[-1],
        entries=entries,
        news=tuple(item for entry in entries for item in entry.news or ()),
        to_act=selectors.seats_in_mask(table.awaited_seats),
        result=table.outcome,
        choice=presenters.choice_view(table, seat),
        receipt=append_result.receipt,
    )


def _stale_choice_refusal(game: str, body: shapes.NewActions, stale: StaleChoice) -> Refusal:
    """The refusal with the entries that the client missed, and the choice open now."""
    table = selectors.game_projection(game)
    expected_seq = body.expected_seq
    after = (
        expected_seq
        if expected_seq is not None and 0 <= expected_seq <= table.seq
        else table.seq - MAX_MISSED_ENTRIES
    )
    lines = selectors.game_log(game, body.seat, max(after, 0), MAX_MISSED_ENTRIES)
    return Refusal(
        stale.code,
        stale.sentence,
        entries=[_to_json(presenters.entry_view(line)) for line in lines],
        choice=_to_json(presenters.choice_view(table, body.seat)),
    )


def _to_json(shape: Any) -> Any:
    return json_codec.to_json(shape)


# -- waiting --------------------------------------------------------------------------------------


def _own_turn_condition(
    own_seats: int, seat: int, append_result: AppendResult
) -> long_poll.WaitCondition:
    """Wait until one of `own_seats` (a bit mask) must act again, or the game is over."""
    game = append_result.projection.game

    def is_turn_or_over() -> bool:
        table = selectors.game_projection(game)
        return table.phase == "over" or bool(table.awaited_seats & own_seats)

    return long_poll.WaitCondition(
        game,
        is_turn_or_over,
        lambda: action_result(append_result, seat, selectors.game_projection(game)),
    )


# -- a dry run ------------------------------------------------------------------------------------


class ActionCheckEndpoint(Endpoint):
    """A dry run of an action."""

    keeps_replies = False

    @operation(
        "check_action", body=shapes.ActionCheckRequest, reply=shapes.ActionCheck, scope="games:play"
    )
    @refused_with("no-action", "not-your-seat", "unknown-seat")
    def post(self, request: Request, game: str) -> Response:
        """Check whether an action would be accepted now. Nothing is appended, and nothing hidden is
        revealed. Of several actions only the first is checked, as the others may depend on hidden
        information."""
        caller = authorized_caller(request, "games:play")
        visible_game(caller.account, game)
        body = self.parse_body(request, shapes.ActionCheckRequest)
        if body.choice is not None and not has_form(body.choice, ChoiceToken):
            raise invalid_member_refusal("/choice", "malformed", "must be the token of a choice")
        actions = actions_of(body)
        check_seat(caller.account, game, body.seat)
        return reply(
            check_action(game, body.seat, actions if isinstance(actions, list) else [actions])
        )


def check_action(game: str, seat: int, actions: Sequence[Any]) -> shapes.ActionCheck:
    """Whether the first of these actions is legal now. The others are not checked, as their
    legality may depend on hidden information."""
    table = selectors.game_projection(game)
    if table.state is None or table.phase != "playing":
        return _failed_check(_no_choice_refusal(table))
    try:
        code = table.engine.encode(table.state, seat, actions[0] if actions else None)
    except IllegalAction as illegal:
        return shapes.ActionCheck(False, illegal.code, illegal.sentence, illegal.pointer, None)
    (offer,) = selectors.offers_of(table.engine, table.state, seat, [code])
    view = presenters.offer_view(table.creation.rules, offer)
    return shapes.ActionCheck(True, None, None, None, view)


def _failed_check(refusal: Refusal) -> shapes.ActionCheck:
    return shapes.ActionCheck(False, refusal.code, str(refusal.detail), None, None)

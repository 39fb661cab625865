"""What may I do, and do it: the choice of a seat, and the one door into the log."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Any, Final

from django.urls import reverse
from rest_framework.request import Request
from rest_framework.response import Response

from api.access import caller_of, check_player, check_seat, rights_of, seats_of, visible_game
from api.asking import asked_of
from api.documents import reply
from api.endpoint import Endpoint
from api.errors import Refusal
from api.games import showing
from api.schema import operation
from api.serializers import ChoiceQuery
from api.shapes import logs as shapes
from api.shapes.games import ChoiceView
from api.streams import waiting
from games import selectors, services
from games.engines.base import IllegalAction
from games.engines.common import codec
from games.services import Appended, StaleChoice
from games.table.table import Table

MOST_ACTIONS: Final = 100
MISSED: Final = 50  # entries that a refusal tells of
REPEATED: Final = "This has been done before, from this very choice: its entries."
PREFER_HEADER: Final = "`wait=10`: answer when it is your turn again, or after that many seconds."


class Choice(Endpoint):
    """What one of the caller's seats may do."""

    query = ChoiceQuery

    @operation("choice", reply=ChoiceView, query=ChoiceQuery, scope="games:read")
    def get(self, request: Request, game: str) -> Response:
        """Every legal action, ready to be sent back; 409 if there is none."""
        account = caller_of(request, "games:read").account
        visible_game(account, game)
        seat = self.asked(request).get("seat")
        seats = seats_of(account, game)
        if seat is None and seats:
            seat = seats[0]
        if seat not in seats:
            raise Refusal("not-your-seat", "You do not play that seat of this game.")
        table = selectors.game_table(game)
        choice = showing.choice(table, seat)
        if choice is None:
            raise _nothing_to_do(table)
        return reply(choice)


def _nothing_to_do(table: Table) -> Refusal:
    """Why a seat has no choice."""
    if table.phase == "over":
        return Refusal("game-over", "The game is over.")
    if table.phase == "gathering":
        return Refusal("not-started", "The game has not started.")
    awaited = " and ".join(map(str, showing.seats_in(table.awaited)))
    return Refusal("not-your-turn", f"The table waits for seat {awaited}.")


class Actions(Endpoint):
    """The way into the log."""

    keeps_replies = False  # the log tells what became of it

    @operation(
        "act",
        body=shapes.NewActions,
        reply=shapes.Done,
        status=201,
        scope="games:play",
        headers={"Prefer": PREFER_HEADER},
        once=True,
        also={200: REPEATED},
    )
    def post(self, request: Request, game: str) -> Response:
        """Do something: one action, or several, all or none."""
        caller = caller_of(request, "games:play")
        rights = rights_of(caller.account, game)
        asked = self.body(request, shapes.NewActions)
        acts = acts_of(asked)
        check_player(rights, caller.account, asked.seat)
        choice = asked.choice if asked.choice is not None else asked.expected_seq
        if choice is None:
            raise Refusal("no-precondition", "Send `choice` or `expected_seq`.")
        asking = asked_of(request, caller.account, self.document(request))
        try:
            done = services.action_append(game, asked.seat, acts, choice=choice, note=asking)
        except StaleChoice as stale:
            raise _stale(game, asked, stale) from stale
        response = answer(done, asked.seat, 200 if done.repeated and asking is None else 201)
        return waiting.waited_for(
            request, response, _bots(rights.seats_of(caller.account), asked.seat, done)
        )


def acts_of(asked: shapes.NewActions) -> Any:
    """The action, or the list of actions."""
    if (asked.action is None) == (asked.actions is None):
        raise Refusal("no-action", "Send either `action` or `actions`.")
    if asked.actions is None:
        return asked.action
    if len(asked.actions) > MOST_ACTIONS:
        raise Refusal("no-action", f"At most {MOST_ACTIONS} actions at once.")
    return list(asked.actions)


def answer(done: Appended, seat: int, status: int) -> Response:
    """What has become of it, as the seat may read it."""
    headers = {"location": f"{_log_of(done.table.game)}/{done.last}"}
    if done.repeated:
        headers["idempotent_replayed"] = "true"
    return reply(told(done, seat, done.table), status, **headers)


@lru_cache(maxsize=1024)
def _log_of(game: str) -> str:
    return reverse("game-log", args=[game])


def told(done: Appended, seat: int, table: Table) -> shapes.Done:
    """The entries that were made, and what is open now that the table stands like this."""
    over = table.phase == "over"
    lines = [selectors.line(row, after, seat, over) for row, after in done.steps]
    if not lines:
        count = done.last - done.first + 1
        lines = selectors.game_log(table.game, seat, done.first - 1, count, over=over)
    entries = tuple(showing.entry(line) for line in lines)
    return shapes.Done(
        seq=done.last,
        entry=entries[-1],
        entries=entries,
        news=tuple(item for entry in entries for item in entry.news),
        to_act=showing.seats_in(table.awaited),
        result=table.outcome,
        choice=showing.choice(table, seat),
        receipt=done.receipt,
    )


def _stale(game: str, asked: shapes.NewActions, stale: StaleChoice) -> Refusal:
    """What was missed, and what is open now."""
    table = selectors.game_table(game)
    since = asked.expected_seq
    after = since if since is not None and 0 <= since <= table.seq else table.seq - MISSED
    lines = selectors.game_log(game, asked.seat, max(after, 0), MISSED)
    return Refusal(
        stale.code,
        stale.sentence,
        entries=[_json(showing.entry(line)) for line in lines],
        choice=_json(showing.choice(table, asked.seat)),
    )


def _json(shape: Any) -> Any:
    return codec.to_json(shape)


# -- waiting --------------------------------------------------------------------------------------


def _bots(mine: int, seat: int, done: Appended) -> waiting.Awaited:
    """That the others have answered: it is the turn of `mine` (a bit mask) again, or the game is
    over."""
    game = done.table.game

    def have_answered() -> bool:
        table = selectors.game_table(game)
        return table.phase == "over" or bool(table.awaited & mine)

    return waiting.Awaited(
        game, have_answered, lambda: told(done, seat, selectors.game_table(game))
    )


# -- a dry run ------------------------------------------------------------------------------------


class Check(Endpoint):
    """A dry run."""

    keeps_replies = False

    @operation("check_action", body=shapes.NewCheck, reply=shapes.Checked, scope="games:play")
    def post(self, request: Request, game: str) -> Response:
        """Would that be accepted now? Nothing is appended, and nothing hidden is told."""
        caller = caller_of(request, "games:play")
        visible_game(caller.account, game)
        asked = self.body(request, shapes.NewCheck)
        acts = acts_of(asked)
        check_seat(caller.account, game, asked.seat)
        return reply(checked(game, asked.seat, acts if isinstance(acts, list) else [acts]))


def checked(game: str, seat: int, acts: Sequence[Any]) -> shapes.Checked:
    """Whether the first of these actions is legal now. What would follow may depend on what is
    hidden, so that nothing is said of the others."""
    table = selectors.game_table(game)
    if table.state is None or table.phase != "playing":
        return _refused(_nothing_to_do(table))
    try:
        table.engine.encode(table.state, seat, acts[0] if acts else None)
    except IllegalAction as illegal:
        return shapes.Checked(False, illegal.code, illegal.sentence, illegal.pointer)
    return shapes.Checked(True, None, None, None)


def _refused(refusal: Refusal) -> shapes.Checked:
    return shapes.Checked(False, refusal.code, str(refusal.detail), None)

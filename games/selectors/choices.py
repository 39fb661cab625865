"""Selectors of choices: the legal actions of a seat now, and the turn of a bot that has to
decide."""

from __future__ import annotations

from dataclasses import dataclass, fields
from datetime import datetime
from inspect import getdoc
from typing import Any

from games.selectors.positions import game_projection
from tabularium_engines.base import AnyEngine, State
from tabularium_engines.common.consequences import Consequences, Offer
from tabularium_engines.common.foresight import consequences_from_view
from tabularium_engines.common.json_codec import Json
from tabularium_log.projection.projection import Projection


@dataclass(frozen=True)
class Form:
    """A form in which an action may be stated in words: its type, the member that takes the words,
    and the request for them."""

    type: str
    member: str
    title: str


@dataclass(frozen=True)
class Choice:
    """The actions a seat may choose from now. A seat that is not awaited may also have a choice."""

    token: str
    seat: int
    is_awaited: bool
    offers: tuple[Offer, ...]
    forms: tuple[Form, ...]


def game_choice(game: str, seat: int) -> Choice | None:
    """The present choice of the seat, if it has one."""
    return seat_choice(game_projection(game), seat)


def seat_choice(
    table: Projection, seat: int, *, has_foresight: bool = False, is_bot: bool = False
) -> Choice | None:
    """The choice of the seat in this projection, if it has one; on request its offers have their
    certain consequences, with which labels may end. A bot is offered all legal actions."""
    engine, state = table.engine, _open_state(table)
    if state is None:
        return None
    codes = state.legal_actions(seat) if is_bot else engine.offered_actions(state, seat)
    if not codes:
        return None
    offers = offers_of(engine, state, seat, codes, has_foresight=has_foresight)
    forms = tuple(_form(engine, kind) for kind in engine.forms_now(state, seat))
    return Choice(table.choice_token(seat), seat, table.is_awaited(seat), offers, forms)


def _open_state(table: Projection) -> State | None:
    """The state, if seats may choose now."""
    is_open = table.phase == "playing" and not table.is_decided and not table.paused_at
    return table.state if is_open else None


def offers_of(
    engine: AnyEngine, state: State, seat: int, codes: list[int], *, has_foresight: bool = True
) -> tuple[Offer, ...]:
    """Legal actions as offers."""
    foretold = _foretold(engine, state, seat, codes) if has_foresight else [None] * len(codes)
    action_json, label_with = engine.action_json, engine.label_with
    return tuple(
        [
            Offer(action_json(state, seat, code), label_with(state, seat, code, after), after)
            for code, after in zip(codes, foretold, strict=True)
        ]
    )


def _foretold(
    engine: AnyEngine, state: State, seat: int, codes: list[int]
) -> list[Consequences | None]:
    return consequences_from_view(engine, engine.view(state, seat), seat, codes)


def _form(engine: AnyEngine, kind: type[Any]) -> Form:
    (words,) = fields(kind)
    return Form(engine.action_codec.type_of(kind), words.name, getdoc(kind) or "")


@dataclass(frozen=True)
class BotTurn:
    """The input of a bot that has to decide: the knowledge of its seat, and nothing else."""

    ruleset: str
    version: int
    bot: str
    token: str
    seq: int  # of the last entry it knows of
    view: Any
    actions: tuple[Json, ...]  # all that are legal
    deadline: datetime | None = None  # when its time runs out, if it is on a clock


def bot_turn(game: str, seat: int) -> BotTurn | None:
    """The decision that the table awaits from this seat, if a bot plays it."""
    return _bot_decision(game_projection(game), seat, is_awaited=True)


def bot_reaction(game: str, seat: int) -> BotTurn | None:
    """The reactions that this seat has now, if a bot plays it."""
    return _bot_decision(game_projection(game), seat, is_awaited=False)


def _bot_decision(table: Projection, seat: int, *, is_awaited: bool) -> BotTurn | None:
    create, engine, state = table.creation, table.engine, _open_state(table)
    if state is None or not 0 <= seat < create.seats:
        return None
    codes, occupant = state.legal_actions(seat), table.occupants[seat]
    has_turn = bool(codes) and table.is_awaited(seat) == is_awaited
    if not has_turn or occupant is None or not occupant.bot:
        return None
    return BotTurn(
        create.rules,
        create.version,
        occupant.bot,
        table.choice_token(seat),
        table.seq,
        engine.view(state, seat),
        tuple(engine.action_json(state, seat, code) for code in codes),
        table.seat_deadline(seat),
    )


def awaited_bot_seats(table: Projection) -> list[int]:
    """The awaited seats that bots play."""
    mask = table.awaited_seats & table.bot_seats if not table.is_decided else 0
    return [seat for seat in range(table.creation.seats) if mask >> seat & 1]


def reacting_bot_seats(table: Projection) -> list[int]:
    """The seats of bots that are to be asked for reactions, clockwise. One that has reacted is not
    asked again until the table has gone on, which no bot can keep it from."""
    mask = table.bot_seats & ~table.reacted_seats
    return [seat for seat in table.reacting_seats if mask >> seat & 1]

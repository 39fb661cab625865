"""Selectors: games are read only through these functions, each for one viewer: a seat, or None for
an onlooker. A result is built from the viewer's own view and readable fields, never by cutting
parts out of the full state."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import dataclass
from datetime import datetime, timedelta
from itertools import chain, pairwise, takewhile
from typing import Any, Final

from django.db.models import F, Q, QuerySet

from games import position_cache
from games.engines.common import codec
from games.engines.common.codec import Json
from games.fairness.vault import game_cipher
from games.models import Entry as EntryRow
from games.models import Game
from games.position_cache import Position
from games.projection import forks
from games.projection.entry import Entry, StoredEntry, decrypt_entry, readable_fields, sealed_fields
from games.projection.fast_replay import replay_entry
from games.projection.projection import GameRefusal, Projection
from games.projection.table_actions import Origin

CLOCK_TOLERANCE: Final = timedelta(seconds=2)  # how far the clocks of several machines may differ


@dataclass(frozen=True)
class Offer:
    """An action that a seat may choose, ready to be sent back, and its label in words."""

    action: Json
    label: str


@dataclass(frozen=True)
class Choice:
    """The actions a seat may choose from now. A seat that is not awaited may also have a choice."""

    token: str
    seat: int
    is_awaited: bool
    offers: tuple[Offer, ...]


@dataclass(frozen=True)
class VisibleEntry:
    """An entry as a viewer may read it."""

    seq: int
    hash: str
    text: str  # the public text, exactly as it is hashed
    readable_fields: dict[str, Json]  # the sealed fields this viewer may read, by path
    news: tuple[dict[str, Json], ...]


# -- a position -----------------------------------------------------------------------------------


def game_projection(game: str, seq: int | None = None) -> Projection:
    """The game as it is now, or as it was after entry `seq`."""
    return game_position(game, seq).projection


def game_position(game: str, seq: int | None = None) -> Position:
    """The same, with its hash; raises GameRefusal if the log is not that long."""
    if seq is None:
        return position_cache.current_position(game)
    now = position_cache.current_position(game)
    if not 1 <= seq <= now.projection.seq:
        raise GameRefusal("unknown-entry", f"There is no entry {seq} in this log.")
    return position_cache.position_at(game, seq, now)


def check_help_allowed(game: str) -> None:
    """Refuse any help in a rated game before it is over."""
    table = game_projection(game)
    if table.creation.rated and table.phase != "over":
        raise GameRefusal("rated-running", "A running rated game cannot be forked or analysed.")


def game_view(game: str, viewer: int | None, seq: int | None = None) -> Any:
    """The viewer's view, now or after entry `seq`; raises GameRefusal if nothing was dealt."""
    table = game_projection(game, seq)
    return table.engine.view(_dealt_state(table), viewer)


def game_choice(game: str, seat: int) -> Choice | None:
    """The present choice of the seat, if it has one."""
    return seat_choice(game_projection(game), seat)


def seat_choice(table: Projection, seat: int) -> Choice | None:
    """The choice of the seat in this projection, if it has one."""
    if table.phase != "playing" or table.state is None or table.decided_outcome is not None:
        return None
    engine, state = table.engine, table.state
    codes = state.legal_actions(seat)
    offers = tuple(
        Offer(engine.action_json(state, seat, code), engine.label(state, seat, code))
        for code in codes
    )
    if not offers:
        return None
    return Choice(table.choice_token(seat), seat, table.is_awaited(seat), offers)


def _dealt_state(table: Projection) -> Any:
    if table.state is None:
        raise GameRefusal("not-started", "The game has not started.")
    return table.state


@dataclass(frozen=True)
class BotTurn:
    """The input of a bot that has to decide: the knowledge of its seat, and nothing else."""

    ruleset: str
    version: int
    bot: str
    token: str
    seq: int  # of the last entry it knows of
    view: Any
    offers: tuple[Offer, ...]
    deadline: datetime | None = None  # when its time runs out, if it is on a clock


def bot_turn(game: str, seat: int) -> BotTurn | None:
    """The decision that the table awaits from this seat, if a bot plays it."""
    table = game_projection(game)
    offered = seat_choice(table, seat) if 0 <= seat < table.creation.seats else None
    who = table.occupants[seat] if offered else None
    if offered is None or not offered.is_awaited or who is None or who.bot is None:
        return None
    view = table.engine.view(table.state, seat)
    create = table.creation
    return BotTurn(
        create.rules,
        create.version,
        who.bot,
        offered.token,
        table.seq,
        view,
        offered.offers,
        table.seat_deadline(seat),
    )


def awaited_bot_seats(table: Projection) -> list[int]:
    """The awaited seats that bots play."""
    awaited = table.awaited_seats & table.bot_seats if table.decided_outcome is None else 0
    return [seat for seat in range(table.creation.seats) if awaited >> seat & 1]


# -- decisions ------------------------------------------------------------------------------------


@dataclass(frozen=True)
class DecisionPoint:
    """A decision that the table waited for after an entry, as the seat saw it: its view, and
    nothing else."""

    ruleset: str
    version: int
    seq: int  # of the last entry the seat knew of
    seat: int
    view: Any


@dataclass(frozen=True)
class TakenDecision:
    """A decision of a game that is over, and the action that was taken."""

    decision: DecisionPoint
    action: Json


def game_decision(game: str, seat: int, seq: int | None = None) -> DecisionPoint:
    """The decision that the table awaits from this seat, now or after entry `seq`; raises
    GameRefusal if there is none."""
    table = game_projection(game, seq)
    if not 0 <= seat < table.creation.seats:
        raise GameRefusal("unknown-seat", f"There is no seat {seat} at this table.")
    _dealt_state(table)
    if table.phase == "over" or table.decided_outcome is not None:
        raise GameRefusal("game-over", "There is no decision in this position.")
    if not table.is_awaited(seat):
        raise GameRefusal("not-your-turn", f"Seat {seat} has no decision in this position.")
    return _decision_point(table, seat)


def taken_decision(game: str, seat: int, seq: int) -> TakenDecision:
    """The decision after entry `seq` of a game that is over, and the action that was taken."""
    check_game_over(game)
    return TakenDecision(
        game_decision(game, seat, seq), game_projection(game, seq + 1).entry.action
    )


def taken_decisions(game: str) -> Iterator[TakenDecision]:
    """Every decision that the table waited for, in log order; raises GameRefusal before the end."""
    check_game_over(game)
    for before, after in pairwise(game_projections(game)):
        seat, action = after.entry.seat, after.entry.action
        if seat is not None and after.entry.draws is not None and before.is_awaited(seat):
            yield TakenDecision(_decision_point(before, seat), action)


def check_game_over(game: str) -> None:
    """Refuse before the end of the game: only then may all actions be revealed."""
    if game_projection(game).phase != "over":
        raise GameRefusal("not-over", "Actions are revealed only after the game ends.")


def _decision_point(table: Projection, seat: int) -> DecisionPoint:
    create = table.creation
    view = table.engine.view(table.state, seat)
    return DecisionPoint(create.rules, create.version, table.seq, seat, view)


# -- a log ----------------------------------------------------------------------------------------


def game_projections(game: str, after: int = 0) -> Iterator[Projection]:
    """The projection after each entry, from entry `after` (or the first) on, with its news."""
    now = position_cache.current_position(game)
    start = position_cache.position_at(game, max(after, 1), now).projection
    yield start
    yield from (table for _, table in _replay_steps(start, now.secret, now.projection.seq))


def game_log(
    game: str, viewer: int | None, after: int = 0, limit: int = 100, *, over: bool | None = None
) -> list[VisibleEntry]:
    """The entries after entry `after`, as the viewer may read them now or, with `over=False`, could
    read them while the game was running."""
    now = position_cache.current_position(game)
    last = min(now.projection.seq, after + limit)
    if last <= after:
        return []
    over = now.projection.phase == "over" if over is None else over
    start = position_cache.position_at(game, max(after, 1), now).projection
    steps = _replay_steps(start, now.secret, last)
    if after == 0:
        steps = chain(zip(_entry_rows(game, 0, 1), [start], strict=True), steps)
    return [visible_entry(row, table, viewer, over) for row, table in steps]


def visible_entry(
    row: EntryRow | StoredEntry, table: Projection, viewer: int | None, over: bool
) -> VisibleEntry:
    """An entry as the viewer may read it, given the projection after it; all of it if `over`."""
    hidden = sealed_fields(table.entry, tuple(table.field_readers))
    told = hidden if over else readable_fields(hidden, table.field_readers, viewer)
    return VisibleEntry(row.seq, row.hash, row.text, told, tuple(table.news(viewer)))


def _replay_steps(
    table: Projection, secret: bytes, last: int
) -> Iterator[tuple[EntryRow, Projection]]:
    """The entries after this projection up to entry `last`, each with the projection after it."""
    box = game_cipher(secret, table.game)
    for row in _entry_rows(table.game, table.seq, last):
        table = replay_entry(table, decrypt_entry(box, row.seq, bytes(row.box)))
        yield row, table


def _entry_rows(game: str, after: int, last: int) -> Iterator[EntryRow]:
    rows = EntryRow.objects.filter(game=game, seq__gt=after, seq__lte=last).order_by("seq")
    return rows.iterator(chunk_size=1_000)


# -- forks ----------------------------------------------------------------------------------------


def fork_origin(game: str, seq: int, seat: int | None) -> tuple[Origin, Projection, Json]:
    """The beginning of a fork: its origin, the projection there, and the position for its start."""
    position = game_position(game, seq)
    table = position.projection
    state = _dealt_state(table)
    if table.entry.action["type"] == "table.end" or state.to_act == 0:
        raise GameRefusal("game-over", "There is no decision in this position.")
    check_help_allowed(game)
    origin = Origin(game, seq, position.hash, seat)
    if seat is not None:
        if not 0 <= seat < table.creation.seats:
            raise GameRefusal("unknown-seat", f"There is no seat {seat} at this table.")
        return origin, table, codec.to_json(table.engine.view(state, seat))
    if game_projection(game).phase != "over":
        raise GameRefusal("not-over", "A running game can be forked only from a seat's view.")
    return origin, table, forks.fork_position(*_chance_entries(game, seq))


def is_public(game: str) -> bool:
    """Whether the game is public, so that all clients may watch."""
    return Game.objects.filter(pk=game, visibility=Game.Visibility.PUBLIC).exists()


def _chance_entries(game: str, seq: int) -> tuple[Entry, list[Entry]]:
    """The start of a game, and its actions up to entry `seq`."""
    until = takewhile(lambda table: table.seq <= seq, game_projections(game))
    entries = [table.entry for table in until]
    chancy = [entry for entry in entries if entry.draws is not None]
    return chancy[0], chancy[1:]


# -- many games -----------------------------------------------------------------------------------


def games_past_deadline(now: datetime) -> QuerySet[Game]:
    """Games in which a clock has run out."""
    return Game.objects.filter(deadline__lte=now).order_by("deadline")


def games_stalled(
    now: datetime, patience: timedelta, known: Collection[str] = ()
) -> QuerySet[Game]:
    """Games that have waited for a bot longer than `patience`; or for an unknown time, because
    their last entry was stamped by a clock that has since been set back. The present time may have
    caught up with them meanwhile: `known` are games that were seen to be ahead of it."""
    is_suspect = Q(at__lte=now - patience) | Q(at__gt=now + CLOCK_TOLERANCE) | Q(pk__in=known)
    return (
        Game.objects.filter(is_suspect, phase=Game.Phase.PLAYING)
        .annotate(
            bots_awaited=F("awaited").bitand(F("bots"))  # type: ignore[arg-type]  # takes expressions
        )
        .filter(bots_awaited__gt=0)
        .order_by("at")
    )


def games_ahead_of_clock(now: datetime) -> QuerySet[Game]:
    """Timed games whose last entry was stamped by a system clock that has since been set back:
    their deadlines are too late by the error of that clock."""
    return Game.objects.filter(
        phase=Game.Phase.PLAYING, deadline__isnull=False, at__gt=now + CLOCK_TOLERANCE
    ).order_by("at")

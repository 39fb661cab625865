"""The service that appends a game's actions: the only way into a log, for people, bots, the
terminal and tests."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime
from itertools import pairwise
from typing import Protocol

from django.db import IntegrityError

from games import position_cache, selectors
from games.services.append_transaction import (
    AppendResult,
    PreparedAppend,
    WriteEntries,
    change_game,
    prepare_append,
)
from games.services.idempotency import IdempotentRequest, request_result
from tabularium_engines.base import IllegalAction
from tabularium_engines.common.json_codec import Json
from tabularium_log.projection.entry import Entry
from tabularium_log.projection.entry_writer import EntryWriter
from tabularium_log.projection.projection import GameRefusal, Projection, choice_token
from tabularium_log.projection.table_actions import TYPE_PREFIX


class StaleChoice(GameRefusal):
    """The seat has another choice now."""

    def __init__(self) -> None:
        super().__init__(
            "stale-choice", "The game has changed since: this choice is no longer open."
        )


class BehindLog(Exception):
    """The newest position that this process knows has no such choice; the log may be longer."""


class NotYourSeat(GameRefusal):
    """Another player plays this seat."""

    def __init__(self, seat: int) -> None:
        super().__init__("not-your-seat", f"Another player has seat {seat}.")


class AppendNote(Protocol):
    """A record of how entries came about, stored in their transaction."""

    def keep(self, first: int, table: Projection) -> None:
        """Store it, given the seq of the first entry and the projection after the last."""


@dataclass(frozen=True)
class ChoiceReference:
    """The decision that the actions are meant for: by its token, or as of an entry; None: any."""

    seat: int
    choice: str | int | None

    def is_open(self, table: Projection) -> bool:
        """Whether it is the present decision of the seat."""
        seq = table.choice_since[self.seat].seq
        if isinstance(self.choice, str):
            return self.choice == choice_token(table.game, self.seat, seq)
        return self.choice is None or seq <= self.choice <= table.seq


def check_occupant(table: Projection, seat: int, bot: str | None) -> None:
    """Refuse unless that bot, or (None) an account, plays the seat."""
    if not 0 <= seat < table.creation.seats:
        raise GameRefusal("unknown-seat", f"There is no seat {seat} at this table.")
    if table.phase == "gathering":
        raise GameRefusal("not-started", "The game has not started.")
    occupant = table.occupants[seat]
    if occupant is None or occupant.bot != bot:
        raise NotYourSeat(seat)


def append_action(
    game: str,
    seat: int,
    actions: Json,
    *,
    bot: str | None = None,
    choice: str | int | None = None,
    note: AppendNote | None = None,
) -> AppendResult:
    """Append an action of `seat`, or all of several; `bot` plays the seat (None: an account).

    `choice` names the decision it is meant for: its token, or the seq of an entry since which
    nothing may have happened that matters to the seat; None is any open one. `note` is stored with
    the entries; an IdempotentRequest under a key used before is not run again. Raises GameRefusal
    (StaleChoice, NotYourSeat, IdempotencyKeyReused, GameBusy), IllegalAction or UnknownGame; then
    nothing has changed. If this seat has already made these actions from this very choice, they are
    not made again, but answered with their entries.
    """
    request = note if isinstance(note, IdempotentRequest) else None
    if request is not None and (earlier_result := request_result(request, game)):
        return earlier_result
    reference = ChoiceReference(seat, choice)
    write = _action_writer(reference, actions, bot)
    try:
        return change_game(game, write, None if note is None else note.keep)
    except StaleChoice:
        return _repeated_result(game, reference, _documents_of(actions))
    except IntegrityError:
        if request is None or (earlier_result := request_result(request, game)) is None:
            raise
        return earlier_result


def prepare_action(
    game: str,
    seat: int,
    actions: Json,
    choice: str | int,
    is_ordinary: Callable[[Projection], bool],
) -> PreparedAppend | None:
    """The same for an account, without a note, as far as memory goes: the entries are written on
    the newest position that this process knows, for a group to be appended with. None unless that
    position is ordinary, or if `append_action` has to say why not; raises BehindLog if a longer log
    may have this choice."""
    position = position_cache.cache.get_latest(game)
    if position is None or not is_ordinary(position.projection):
        return None
    write = _action_writer(ChoiceReference(seat, choice), actions, None)
    try:
        prepared = prepare_append(position, write)
    except StaleChoice as problem:
        raise BehindLog(game) from problem
    except (GameRefusal, IllegalAction):
        return None
    return prepared if prepared.writer.projection.phase == "playing" else None


def _documents_of(actions: Json) -> Sequence[Json]:
    return actions if isinstance(actions, list) else [actions]


def _action_writer(reference: ChoiceReference, actions: Json, bot: str | None) -> WriteEntries:
    """Writes these actions of a seat, if that bot (None: an account) has it and the choice is
    open."""

    def write(writer: EntryWriter, now: datetime) -> None:
        check_occupant(writer.projection, reference.seat, bot)
        if not reference.is_open(writer.projection):
            raise StaleChoice
        _write_actions(writer, reference.seat, actions, _documents_of(actions), now)

    return write


def _write_actions(
    writer: EntryWriter, seat: int, actions: Json, documents: Sequence[Json], now: datetime
) -> None:
    """Write all actions, or refuse the first illegal one, with its index."""
    if not documents:
        raise GameRefusal("no-action", "The list of actions is empty.")
    for index, document in enumerate(documents):
        try:
            writer.write(seat, _check_action(document), now)
        except IllegalAction as problem:
            if documents is not actions:
                raise
            pointer = f"/{index}{problem.pointer}"
            raise IllegalAction(problem.code, problem.sentence, pointer) from problem


def _check_action(document: Json) -> dict[str, Json]:
    """Require an action of the game itself: table actions have functions of their own."""
    if not isinstance(document, dict):
        raise IllegalAction("malformed", "An action must be an object.")
    if str(document.get("type", "")).startswith(TYPE_PREFIX):
        raise IllegalAction("unknown-action", "This is not an action of the game.", "/type")
    return document


# -- repeated requests ----------------------------------------------------------------------------


def _repeated_result(
    game: str, reference: ChoiceReference, documents: Sequence[Json]
) -> AppendResult:
    """The entries that the seat has already made from this choice, if they are these actions: a
    blind repetition after a time-out is no error. Otherwise raises StaleChoice, or GameRefusal if
    the game is over."""
    table = position_cache.current_position(game).projection
    seqs = range(0)
    if table.last_actions and table.last_actions[reference.seat] is not None:
        seqs = _find_repeated_seqs(game, reference, documents)
    if seqs:
        return AppendResult(
            position_cache.position_at(game, seqs[-1]), seqs[0], seqs[-1], is_repeat=True
        )
    if table.phase == "over":
        raise GameRefusal("game-over", "The game is over.")
    raise StaleChoice


def _find_repeated_seqs(game: str, reference: ChoiceReference, documents: Sequence[Json]) -> range:
    """The seqs at which the seat made exactly these actions, in a row, from that choice."""
    is_same: list[bool] = []
    first = 0
    for table, next_table in pairwise(selectors.game_projections(game)):
        if (
            first == 0
            and next_table.entry.seat == reference.seat
            and not _is_of_table(next_table.entry)
            and table.state
            and reference.is_open(table)
        ):
            first = next_table.seq
        if first and (next_table.entry.seat != reference.seat or len(is_same) == len(documents)):
            break
        if first:
            is_same.append(_is_same_action(table, next_table.entry, documents[len(is_same)]))
    is_repeated = len(is_same) == len(documents) and all(is_same)
    return range(first, first + len(is_same)) if is_repeated else range(0)


def _is_of_table(entry: Entry) -> bool:
    """Whether an entry is a proposal, a hint or the like, which leaves the choice open."""
    return str(entry.action["type"]).startswith(TYPE_PREFIX)


def _is_same_action(table: Projection, entry: Entry, document: Json) -> bool:
    """Whether an entry after this position is the action of a document, in whichever form."""
    if document == entry.action:
        return True
    if entry.seat is None or table.state is None:
        return False
    try:
        code = table.engine.encode(table.state, entry.seat, document)
    except IllegalAction:
        return False
    return bool(table.engine.action_json(table.state, entry.seat, code) == entry.action)

"""Appending a game's actions: the only way into a log, for people, bots, the terminal and tests."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from itertools import pairwise
from typing import Protocol

from django.db import IntegrityError

from games import position_cache, selectors
from games.engines.base import IllegalAction
from games.engines.common.codec import Json
from games.projection.entry_writer import EntryWriter
from games.projection.projection import GameRefusal, Projection, choice_token
from games.projection.table_actions import TYPE_PREFIX
from games.services.append_transaction import AppendResult, change_game
from games.services.idempotency import IdempotentRequest, request_result


class StaleChoice(GameRefusal):
    """The seat has another choice now."""

    def __init__(self) -> None:
        super().__init__(
            "stale-choice", "The game has changed since: this choice is no longer open."
        )


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
        since = table.choice_since[self.seat].seq
        if isinstance(self.choice, str):
            return self.choice == choice_token(table.game, self.seat, since)
        return self.choice is None or since <= self.choice <= table.seq


def check_occupant(table: Projection, seat: int, bot: str | None) -> None:
    """Refuse unless that bot, or (None) an account, plays the seat."""
    if not 0 <= seat < table.creation.seats:
        raise GameRefusal("unknown-seat", f"There is no seat {seat} at this table.")
    if table.phase == "gathering":
        raise GameRefusal("not-started", "The game has not started.")
    who = table.occupants[seat]
    if who is None or who.bot != bot:
        raise NotYourSeat(seat)


def action_append(
    game: str,
    seat: int,
    acts: Json,
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
    asked = note if isinstance(note, IdempotentRequest) else None
    if asked is not None and (answered := request_result(asked, game)):
        return answered
    documents = acts if isinstance(acts, list) else [acts]
    meant = ChoiceReference(seat, choice)

    def write(scribe: EntryWriter, now: datetime) -> None:
        check_occupant(scribe.projection, seat, bot)
        if not meant.is_open(scribe.projection):
            raise StaleChoice
        _write_actions(scribe, seat, acts, documents, now)

    try:
        return change_game(game, write, None if note is None else note.keep)
    except StaleChoice:
        return _repeated_result(game, meant, documents)
    except IntegrityError:
        if asked is None or (answered := request_result(asked, game)) is None:
            raise
        return answered


def _write_actions(
    scribe: EntryWriter, seat: int, acts: Json, documents: Sequence[Json], now: datetime
) -> None:
    """Write all actions, or refuse the first illegal one, with its index."""
    if not documents:
        raise GameRefusal("no-action", "The list of actions is empty.")
    for index, document in enumerate(documents):
        try:
            scribe.write(seat, _check_action(document), now)
        except IllegalAction as illegal:
            if documents is not acts:
                raise
            pointer = f"/{index}{illegal.pointer}"
            raise IllegalAction(illegal.code, illegal.sentence, pointer) from illegal


def _check_action(document: Json) -> dict[str, Json]:
    """Require an action of the game itself: table actions have functions of their own."""
    if not isinstance(document, dict):
        raise IllegalAction("malformed", "An action must be an object.")
    if str(document.get("type", "")).startswith(TYPE_PREFIX):
        raise IllegalAction("unknown-action", "This is not an action of the game.", "/type")
    return document


# -- repeated requests ----------------------------------------------------------------------------


def _repeated_result(game: str, meant: ChoiceReference, documents: Sequence[Json]) -> AppendResult:
    """The entries that the seat has already made from this choice, if they are these actions: a
    blind repetition after a time-out is no error. Otherwise raises StaleChoice, or GameRefusal if
    the game is over."""
    table = position_cache.current_position(game).projection
    seqs = range(0)
    if table.last_actions and table.last_actions[meant.seat] is not None:
        seqs = _find_repeated_seqs(game, meant, documents)
    if seqs:
        return AppendResult(
            position_cache.position_at(game, seqs[-1]), seqs[0], seqs[-1], is_repeat=True
        )
    if table.phase == "over":
        raise GameRefusal("game-over", "The game is over.")
    raise StaleChoice


def _find_repeated_seqs(game: str, meant: ChoiceReference, documents: Sequence[Json]) -> range:
    """The seqs at which the seat made exactly these actions, in a row, from that choice."""
    made: list[Json] = []
    first = 0
    for before, after in pairwise(selectors.game_projections(game)):
        if first == 0 and after.entry.seat == meant.seat and before.state and meant.is_open(before):
            first = after.seq
        if first and (after.entry.seat != meant.seat or len(made) == len(documents)):
            break
        if first:
            made.append(after.entry.action)
    return range(first, first + len(made)) if made == list(documents) else range(0)

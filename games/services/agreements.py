"""Services for people at a table: they agree on something, abort, resume or claim; and games that
have been forgotten end."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Any, Final

from django.conf import settings

from games import selectors
from games.services.append_transaction import AppendResult, change_game
from games.services.departures import remove_player, update_player_rows
from games.services.game_actions import check_occupant
from games.services.game_creation import unrate_players
from tabularium_log.projection import table_actions
from tabularium_log.projection.entry_writer import EntryWriter
from tabularium_log.projection.projection import GameRefusal, Projection

EXPIRE_AFTER: Final = timedelta(milliseconds=table_actions.EXPIRE_AFTER_MS)


def make_proposal(
    game: str, seat: int, of: table_actions.Agreement, to: int | None = None
) -> AppendResult:
    """Make a proposal for the person on this seat. If another seat has already proposed the same,
    this accepts it."""

    def write(writer: EntryWriter, now: datetime) -> None:
        check_occupant(writer.projection, seat, None)
        open_one = writer.projection.proposal
        if open_one and open_one.seat != seat and (open_one.of, open_one.to) == (of, to):
            writer.write(seat, table_actions.Accept(open_one.seq), now)
        else:
            writer.write(seat, table_actions.Propose(of, to), now)

    return change_game(game, write)


def accept_proposal(game: str, seat: int, proposal: int) -> AppendResult:
    """Accept the proposal of that entry for the person on this seat."""
    return _answer(game, seat, proposal, table_actions.Accept)


def decline_proposal(game: str, seat: int, proposal: int) -> AppendResult:
    """Decline the proposal of that entry, or withdraw one's own."""
    return _answer(game, seat, proposal, table_actions.Decline)


def _answer(
    game: str,
    seat: int,
    proposal: int,
    kind: type[table_actions.Accept | table_actions.Decline],
) -> AppendResult:
    def write(writer: EntryWriter, now: datetime) -> None:
        check_occupant(writer.projection, seat, None)
        if not 1 <= proposal <= writer.projection.seq:
            raise selectors.unknown_entry(proposal)
        writer.write(seat, kind(proposal), now)

    return change_game(game, write)


def resume_game(game: str, seat: int) -> AppendResult:
    """End a pause for the person on this seat."""
    return _write_for(game, seat, table_actions.Resume())


def abort_game(game: str, seat: int) -> AppendResult:
    """End the game without a result, before a person has acted."""
    return _write_for(game, seat, table_actions.Abort())


def _write_for(game: str, seat: int, action: Any) -> AppendResult:
    def write(writer: EntryWriter, now: datetime) -> None:
        check_occupant(writer.projection, seat, None)
        writer.write(seat, action, now)

    return change_game(game, write)


def take_hint(game: str, seat: int) -> AppendResult:
    """Note in the log that the person on this seat takes a hint, or refuse it."""
    return _write_for(game, seat, table_actions.Hint())


def claim_seat(
    game: str, seat: int, absent: int, then: table_actions.ClaimConsequence
) -> AppendResult:
    """Claim that the player of another seat has left: a bot plays on, or the seat resigns."""

    def write(writer: EntryWriter, now: datetime) -> None:
        check_occupant(writer.projection, seat, None)
        writer.write(seat, table_actions.Claim(absent, then), now)
        remove_player(writer, absent, then, now)

    return change_game(game, write, update_player_rows)


def expire_game(game: str) -> AppendResult:
    """End a game that has been forgotten: one that never filled is called off, and one without a
    clock expires. Raises GameRefusal if it is not forgotten."""

    def write(writer: EntryWriter, now: datetime) -> None:
        expires_at = expiry(writer.projection)
        if expires_at is None or now < expires_at:
            raise GameRefusal("in-time", "This game has not been forgotten.")
        if writer.projection.phase == "gathering":
            writer.write(None, table_actions.End(writer.secret.hex()), now)
        else:
            writer.write(None, table_actions.Expire(), now)

    return change_game(game, write, unrate_players)


def expiry(table: Projection) -> datetime | None:
    """When the game ends by itself unless something happens; None where a clock takes care, and
    after the end."""
    last = datetime.fromisoformat(table.entry.at)
    return expiry_after(last, table.phase, has_clock=table.creation.clock is not None)


def expiry_after(last: datetime, phase: str, *, has_clock: bool) -> datetime | None:
    """The same for a game in this phase whose last entry is of this time."""
    if phase == "gathering":
        return last + settings.TABLE_LIFE
    if phase == "playing" and not has_clock:
        return last + EXPIRE_AFTER
    return None

"""Services for departures: a seat's player resigns, runs out of time or is replaced, and the game
goes on."""

from __future__ import annotations

import secrets
from datetime import datetime
from typing import Final

from games.models import Player
from games.services.append_transaction import AppendResult, change_game
from games.services.game_actions import check_occupant
from tabularium_log.projection import table_actions
from tabularium_log.projection.entry_writer import EntryWriter
from tabularium_log.projection.projection import Projection

CARETAKER_BOT: Final = "greedy"  # the bot that plays on for players who have left


def resign_seat(game: str, seat: int) -> AppendResult:
    """Resign the game for the account on this seat."""

    def write(writer: EntryWriter, now: datetime) -> None:
        check_occupant(writer.projection, seat, None)
        writer.write(seat, table_actions.Resign(), now)
        _replace_unless_over(writer, seat, now)

    return change_game(game, write, update_player_rows)


def replace_seat(game: str, seat: int, bot: str) -> AppendResult:
    """Let a bot play this seat from now on."""

    def write(writer: EntryWriter, now: datetime) -> None:
        writer.write(seat, table_actions.Replace(bot), now)

    return change_game(game, write, update_player_rows)


def expire_clock(game: str, at: datetime | None = None) -> AppendResult:
    """Apply the table's expiry policy to every seat whose time has run out; there may be none. End
    a pause that has lasted too long.

    If the log of a table is ahead of the system clock, time goes on from its last entry: `at` is
    the time there, as the caller has measured it.
    """

    def write(writer: EntryWriter, now: datetime) -> None:
        now = max(now, at or now)
        pause_end = writer.projection.pause_end
        if pause_end is not None and pause_end <= now:
            writer.write(None, table_actions.Resume(), now)
        for seat in range(writer.projection.creation.seats):
            expiry = writer.projection.seat_deadline(seat)
            if expiry is not None and expiry <= now and not writer.projection.is_decided:
                _apply_time_out(writer, seat, now)

    return change_game(game, write, update_player_rows)


def _apply_time_out(writer: EntryWriter, seat: int, now: datetime) -> None:
    clock, occupant = writer.projection.creation.clock, writer.projection.occupants[seat]
    assert clock is not None
    assert occupant is not None
    writer.write(seat, table_actions.TimeOut(clock.then), now)
    if clock.then == "random" or occupant.bot:
        _act_at_random(writer, seat, now)
    else:
        remove_player(writer, seat, clock.then, now)


def remove_player(
    writer: EntryWriter, seat: int, then: table_actions.ClaimConsequence, now: datetime
) -> None:
    """Let a bot play on for a player who is gone, or let the seat resign."""
    if then == "bot":
        writer.write(seat, table_actions.Replace(CARETAKER_BOT), now)
    else:
        writer.write(seat, table_actions.Resign(), now)
        _replace_unless_over(writer, seat, now)


def _act_at_random(writer: EntryWriter, seat: int, now: datetime) -> None:
    """Any legal action, chosen so that no client can predict it."""
    table = writer.projection
    assert table.state is not None
    code = secrets.choice(table.state.legal_actions(seat))
    writer.write(seat, table.engine.action_json(table.state, seat, code), now)


def _replace_unless_over(writer: EntryWriter, seat: int, now: datetime) -> None:
    if not writer.projection.is_decided:
        writer.write(seat, table_actions.Replace(CARETAKER_BOT), now)


def update_player_rows(first: int, table: Projection) -> None:
    """Update the players' rows to match the log."""
    for seat, occupant in enumerate(table.occupants):
        if occupant is not None and occupant.bot:
            Player.objects.filter(game=table.game, seat=seat).exclude(bot=occupant.bot).update(
                bot=occupant.bot
            )

"""What becomes of a seat whose player resigns, is out of time or is replaced? The game goes on."""

from __future__ import annotations

import secrets
from datetime import datetime
from typing import Final

from games.models import Player
from games.services.changes import Appended, change
from games.table import actions
from games.table.scribe import Scribe
from games.table.table import Refused, Table

CARETAKER: Final = "greedy"  # the bot that plays on for those who have left


class NotYourSeat(Refused):
    """Somebody else plays this seat."""

    def __init__(self, seat: int) -> None:
        super().__init__("not-your-seat", f"Somebody else plays seat {seat}.")


def check_occupant(table: Table, seat: int, bot: str | None) -> None:
    """Refuse unless the seat is played by that bot, or (None) by an account."""
    if not 0 <= seat < table.create.seats:
        raise Refused("unknown-seat", f"There is no seat {seat} at this table.")
    if table.phase == "gathering":
        raise Refused("not-started", "The game has not started.")
    who = table.occupants[seat]
    if who is None or who.bot != bot:
        raise NotYourSeat(seat)


def game_resign(game: str, seat: int) -> Appended:
    """Let the account on this seat give the game up."""

    def write(scribe: Scribe, now: datetime) -> None:
        check_occupant(scribe.table, seat, None)
        scribe.write(seat, actions.Resign(), now)
        _replace_unless_over(scribe, seat, now)

    return change(game, write, _note_players)


def seat_replace(game: str, seat: int, bot: str) -> Appended:
    """Let a bot play this seat from now on."""

    def write(scribe: Scribe, now: datetime) -> None:
        scribe.write(seat, actions.Replace(bot), now)

    return change(game, write, _note_players)


def clock_expire(game: str, at: datetime | None = None) -> Appended:
    """Do what the table's clock demands for every seat whose time has run out; maybe nothing.

    At a table whose log is ahead of the time of day, time goes on from its last entry: it is `at`
    by then, as the caller has measured.
    """

    def write(scribe: Scribe, now: datetime) -> None:
        now = max(now, at or now)
        for seat in range(scribe.table.create.seats):
            expiry = scribe.table.expiry(seat)
            if expiry is not None and expiry <= now and scribe.table.due() is None:
                _time_out(scribe, seat, now)

    return change(game, write, _note_players)


def _time_out(scribe: Scribe, seat: int, now: datetime) -> None:
    clock, who = scribe.table.create.clock, scribe.table.occupants[seat]
    assert clock is not None
    assert who is not None
    scribe.write(seat, actions.TimeOut(clock.then), now)
    if clock.then == "random" or who.bot:
        _act_at_random(scribe, seat, now)
    elif clock.then == "bot":
        scribe.write(seat, actions.Replace(CARETAKER), now)
    else:
        scribe.write(seat, actions.Resign(), now)
        _replace_unless_over(scribe, seat, now)


def _act_at_random(scribe: Scribe, seat: int, now: datetime) -> None:
    """Any legal action, chosen where nobody can foresee it."""
    table = scribe.table
    assert table.state is not None
    code = secrets.choice(table.state.legal_actions(seat))
    scribe.write(seat, table.engine.document(table.state, seat, code), now)


def _replace_unless_over(scribe: Scribe, seat: int, now: datetime) -> None:
    if scribe.table.due() is None:
        scribe.write(seat, actions.Replace(CARETAKER), now)


def _note_players(first: int, table: Table) -> None:
    """The players' rows, as the log has them."""
    for seat, who in enumerate(table.occupants):
        if who is not None and who.bot:
            Player.objects.filter(game=table.game, seat=seat).exclude(bot=who.bot).update(
                bot=who.bot
            )

"""Checks of the seat that makes an entry, and changes of one seat of a projection."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from tabularium_log.projection.projection import GameRefusal, Occupant, Projection


def require_no_seat(seat: int | None) -> None:
    """Refuse an entry of a seat where only the table makes it."""
    if seat is not None:
        raise GameRefusal("not-a-seat", "Only the table makes this entry, without a seat.")


def require_seat(table: Projection, seat: int | None) -> int:
    """The seat, which must be one of this table."""
    if seat is None or not 0 <= seat < table.creation.seats:
        raise GameRefusal("unknown-seat", f"There is no seat {seat} at this table.")
    return seat


def require_gathering_seat(table: Projection, seat: int | None) -> int:
    """The seat, before the start."""
    if table.phase != "gathering":
        raise GameRefusal("started", "The game has started.")
    return require_seat(table, seat)


def require_taken_seat(table: Projection, seat: int | None) -> int:
    """The seat, which must have a player, before the start."""
    place = require_gathering_seat(table, seat)
    if table.occupants[place] is None:
        raise GameRefusal("seat-free", f"Seat {place} has no player.")
    return place


def require_playing_seat(table: Projection, seat: int | None) -> int:
    """The seat, between start and end."""
    table.check_going_on()
    return require_seat(table, seat)


def require_person(table: Projection, seat: int | None) -> int:
    """The seat, between start and end, whose player is a person."""
    place = require_playing_seat(table, seat)
    if not table.people >> place & 1:
        raise GameRefusal("not-a-person", f"No person plays seat {place}.")
    return place


def with_occupant(table: Projection, seat: int, occupant: Occupant | None) -> Projection:
    """The projection with another player on a seat."""
    return replace(table, occupants=replace_item(table.occupants, seat, occupant))


def replace_item(items: tuple[Any, ...], place: int, item: Any) -> tuple[Any, ...]:
    """The items with another one at that place."""
    return (*items[:place], item, *items[place + 1 :])

"""Repeated requests without an idempotency key, from clients whose reply was lost: if the requested
state is reached already, they are answered, not refused."""

from __future__ import annotations

from typing import Final

from games import selectors

LEAVE_ACTION_TYPE: Final = "table.leave"


def has_joined(account: str, game: str, seat: int, seed_hash: str | None) -> bool:
    """Whether the account holds the seat, with this same seed hash."""
    if seat not in selectors.seats_of(account, game):
        return False
    occupant = selectors.game_projection(game).occupants[seat]
    return occupant is not None and occupant.seed_hash == seed_hash


def has_left(game: str, seat: int) -> bool:
    """Whether the seat is free because a player has left it. A log does not name accounts, so any
    player counts."""
    table = selectors.game_projection(game)
    if table.phase != "gathering" or not 0 <= seat < table.creation.seats:
        return False
    entries = [
        projection.entry
        for projection in selectors.game_projections(game)
        if projection.entry.seat == seat
    ]
    return bool(entries) and entries[-1].action["type"] == LEAVE_ACTION_TYPE


def has_resigned(account: str, game: str, seat: int) -> bool:
    """Whether the account has resigned this seat while the game was on."""
    has_held = selectors.has_held_seat(account, game, seat)
    return has_held and selectors.game_projection(game).has_resigned(seat)

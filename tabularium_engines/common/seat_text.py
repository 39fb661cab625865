"""Seats on the pages and pictures of all games: their names, order, roles and visible hands."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any


def title(game: str, seat: int | None, names: Sequence[str] = ()) -> str:
    """The title of a page: the game and the viewer, called by its name if seats have names."""
    whose = "an onlooker" if seat is None else names[seat] if names else f"seat {seat}"
    return f"{game} as {whose} sees it"


def clockwise(seat: int | None, seats: int) -> list[int]:
    """The seats clockwise, from the viewer's own; for an onlooker from seat 0."""
    return [((seat or 0) + step) % seats for step in range(seats)]


def roles(view: Any, seat: int) -> list[str]:
    """The roles of a seat at the moment: "you", "on turn"."""
    found = ["you"] if seat == view.seat else []
    return [*found, "on turn"] if seat == view.turn and view.to_act else found


def marked_name(name: str, is_viewer: bool) -> str:
    """The name of a seat, with a mark at the viewer's own."""
    return f"{name} (you)" if is_viewer else name


def visible_hand(view: Any, seat: int) -> tuple[str, ...]:
    """The cards that the viewer is sure are in a hand: all of their own, perhaps some of others."""
    if seat == view.seat:
        return tuple(view.hand)
    return next((tuple(known.cards) for known in view.known if known.seat == seat), ())

"""Turns: the moments at which a game waits for one of your seats."""

from __future__ import annotations

from dataclasses import dataclass

from tabularium_client import types


@dataclass(frozen=True)
class Turn:
    """A turn of a seat: the game as the seat sees it, and the choice that is open."""

    table: types.GameView
    choice: types.ChoiceView

    @property
    def game(self) -> str:
        """The id of the game."""
        return self.table["id"]

    @property
    def seat(self) -> int:
        """The number of the seat."""
        return self.choice["seat"]

    @property
    def offers(self) -> list[types.Offer]:
        """The legal actions."""
        return self.choice["offers"]

    @property
    def view(self) -> types.View | None:
        """All that the seat may know."""
        return self.table["view"]


def awaited_seat(table: types.GameView) -> int | None:
    """The first of your seats for which a game waits."""
    return next((seat for seat in table["to_act"] if seat in table["your_seats"]), None)


def turn_in(table: types.GameView, seat: int) -> Turn | None:
    """The turn of a seat, if the reply has it."""
    choice = table["choice"]
    if choice is None or choice["seat"] != seat or not choice["is_awaited"]:
        return None
    return Turn(table, choice)

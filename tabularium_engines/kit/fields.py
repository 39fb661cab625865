"""The declared fields of a small game's state, each with its visibility and its shape."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

PUBLIC: Final = "public"  # all see the value
OWN: Final = "own"  # a list by seat: each seat sees its own cards, the others how many they are
SECRET: Final = "secret"  # all see how many cards there are


class StateField:
    """A field of a state: numbers that all see, or cards. Its value is a number, a list, or (at
    depth 2) a list of lists. The rows and columns of a board may have names."""

    def __init__(
        self,
        name: str,
        visibility: str,
        depth: int,
        is_cards: bool,
        rows: Sequence[str] = (),
        columns: Sequence[str] = (),
    ) -> None:
        self.name = name
        self.visibility = visibility
        self.depth = depth
        self.is_cards = is_cards
        self.rows = tuple(rows)
        self.columns = tuple(columns)
        self.mark = ""

    def marked(self, mark: str) -> StateField:
        """The field, whose things in the picture have this mark (docs/pictures.md): "card={card}",
        "column={column}". In braces may be the `card`, its `seat` in a field by seat, the `row` and
        `column` of a board by their names (or counted from 0), and elsewhere the `place`, from 0. A
        hidden card has no mark that names it."""
        self.mark = mark
        return self


def number(name: str) -> StateField:
    """A number that all see."""
    return StateField(name, PUBLIC, 0, False)


def numbers(name: str) -> StateField:
    """A list of numbers that all see, such as the coins of each seat."""
    return StateField(name, PUBLIC, 1, False)


def board(name: str, rows: Sequence[str] = (), columns: Sequence[str] = ()) -> StateField:
    """Rows of numbers that all see. The page and the picture show the names of its rows, from the
    top, and of its columns: name them as the labels of actions do."""
    return StateField(name, PUBLIC, 2, False, rows, columns)


def open_cards(name: str) -> StateField:
    """Cards that all see, by seat, in their order."""
    return StateField(name, PUBLIC, 2, True)


def own_cards(name: str) -> StateField:
    """Cards by seat, each list ascending; a seat sees its own."""
    return StateField(name, OWN, 2, True)


def secret_cards(name: str) -> StateField:
    """Cards that no seat sees, ascending: a pile from which a random card is drawn."""
    return StateField(name, SECRET, 1, True)

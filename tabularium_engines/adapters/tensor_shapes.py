"""Shapes of lists in views: which have an order, and how many of their items a tensor holds.

A shape is found by the class, or a base of it, and the field (`View.laws`); `[]` after it means
each item. Without one, a list of listed values is counted, and a list of numbers has one for each
seat.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final, TypeAlias

from tabularium_engines.common.playing_cards import CARD_COUNT, RANK_SIGNS
from tabularium_engines.duel_edged_sword.cards import CARD_COUNT as SWORD_CARD_COUNT
from tabularium_engines.duel_of_law.cards import CARD_CODES as RAINBOW_CARDS
from tabularium_engines.duel_of_law.cards import JOKER_COUNT
from tabularium_engines.law.action_numbers import TASK_NAMES as LAW_TASKS
from tabularium_engines.law_of_the_dice.action_numbers import TASK_NAMES as DICE_TASKS


@dataclass(frozen=True)
class Ordered:
    """A list with an order."""

    capacity: int
    keeps_first: bool = False  # of a longer list; else it keeps the last ones


@dataclass(frozen=True)
class BySeat:
    """A list with one item for each seat."""


@dataclass(frozen=True)
class Seats:
    """A set of seats."""


@dataclass(frozen=True)
class Keyed:
    """Records with a field that no two of them share; `values` are those that it can have here, if
    not all of its type."""

    field: str
    values: tuple[Any, ...] = ()


@dataclass(frozen=True)
class Words:
    """A text from a list."""

    values: tuple[str, ...]


@dataclass(frozen=True)
class Derived:
    """A value that follows from others in the view, and is left out."""


Shape: TypeAlias = Ordered | BySeat | Seats | Keyed | Words | Derived
Shapes: TypeAlias = Mapping[str, Shape]

COMMON: Final[Shapes] = {"View.to_act": Seats(), "View.winners": Seats()}
LAW_OF_THE_DICE: Final[Shapes] = {
    "Count.scorers": Seats(),
    "View.known": Keyed("seat"),
    "View.laws": BySeat(),
    "View.laws[]": Ordered(3),
    "View.discard_pile": Ordered(CARD_COUNT),
    "View.agenda": Ordered(16),  # the next task is the last
    "Task.kind": Words(DICE_TASKS),
    "Task.power": Words(RANK_SIGNS),
    "View.waiting": Ordered(18, keeps_first=True),  # three laws of each of six players
    "View.fired": Ordered(18),
    "View.rolled": Ordered(24),
    "View.voted": Seats(),
}
DUEL_EDGED_SWORD: Final[Shapes] = {
    "View.teams": Ordered(2),
    "View.teams[]": Seats(),
    "View.rows": Ordered(4),
    "View.rows[]": Ordered(SWORD_CARD_COUNT),
    "View.players": BySeat(),
    "Round.standings": BySeat(),
}
DUALITY: Final[Shapes] = {
    "View.board": Keyed("card"),
    "View.free": Derived(),
    "View.known": BySeat(),
    "View.barred": BySeat(),
    "View.history": Ordered(48),
    "View.joined": Derived(),
}
LAW: Final[Shapes] = {
    "View.known": Keyed("seat"),
    "View.laws": BySeat(),
    "View.laws[]": Keyed("card"),
    "View.sizes": BySeat(),
    "View.draw_top": Ordered(CARD_COUNT),
    "View.discard_piles": Ordered(4),
    "View.discard_piles[]": Ordered(CARD_COUNT),
    "View.agenda": Ordered(16),
    "Task.kind": Words(LAW_TASKS),
    "View.triggers": Ordered(8, keeps_first=True),
    "Chain.fired": Ordered(32),
}
DUEL_OF_LAW: Final[Shapes] = {
    "Tableau.cards": Keyed("card"),
    # 162 cards, each in two lines of three cards or more
    "Tableau.branches": Ordered(108),
    "Branch.law": Ordered(4),
    "Tableau.jokers": Keyed("card", RAINBOW_CARDS[-int(JOKER_COUNT) :]),
    "Joker.is_now": Keyed("feature"),
    "Trial.laid": Ordered(32),
    "Trial.questions": Ordered(32, keeps_first=True),
    "Trial.claimed": Ordered(32),
    "LastTurn.laid": Ordered(32),
    "LastTurn.stolen": Ordered(32),
}
KUHN_POKER: Final[Shapes] = {
    "View.hands": BySeat(),
    "View.actions": Ordered(3),
}
FOUR_IN_A_ROW: Final[Shapes] = {"View.grid": Ordered(6), "View.grid[]": Ordered(7)}

SHAPES: Final[Mapping[str, Shapes]] = {
    "law_of_the_dice": LAW_OF_THE_DICE,
    "duel_edged_sword": DUEL_EDGED_SWORD,
    "duality": DUALITY,
    "law": LAW,
    "duel_of_law": DUEL_OF_LAW,
    "kuhn_poker": KUHN_POKER,
    "four_in_a_row": FOUR_IN_A_ROW,
}


def shapes_of(slug: str) -> dict[str, Any]:
    """The shapes of a game's views."""
    return {**COMMON, **SHAPES.get(slug, {})}

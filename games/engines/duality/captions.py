"""What does the table wait for, and what else is going on? Sentences for a page and a picture."""

from __future__ import annotations

from typing import Final

from games.engines.duality.news import HOW, player, where
from games.engines.duality.state import MOST_PLIES
from games.engines.duality.view import View

MOST: Final = int(MOST_PLIES)
LATE: Final = MOST - 20  # from here on the decisions are counted down
NUMBERS: Final = {3: "Three", 5: "Five", 7: "Seven"}


def title(view: View) -> str:
    """What is shown, and to whom."""
    whose = "an onlooker" if view.seat is None else player(view.seat)
    return f"Duality as {whose} sees it"


def variant(view: View) -> str:
    """Which rules are played, in a sentence."""
    return f"{NUMBERS[view.options.file]} cards lay between the players at first."


def plural(number: int, noun: str) -> str:
    """ "1 card", "2 cards"."""
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"


def headline(view: View) -> str:
    """What the table waits for, or how the game ended."""
    if not view.to_act:
        return ending(view)
    return f"{player(view.to_act[0])} replaces a card or plays a new one."


def ending(view: View) -> str:
    """Who has won, and how."""
    how = HOW[view.ending or "limit"]
    if view.ending == "connection":
        return f"{how}: {player(view.winners[0])} wins."
    if len(view.winners) > 1:
        return f"{how}: nobody wins, for both longest paths have {_cards(view.longest[0])}."
    winner = view.winners[0]
    longer, shorter = view.longest[winner], view.longest[1 - winner]
    return f"{how}: {player(winner)} wins with {_cards(longer)} in the longest path to {shorter}."


def _cards(number: int) -> str:
    return plural(number, "card")


def remarks(view: View) -> list[str]:
    """What is worth knowing besides, a sentence each."""
    found = []
    if view.latest is not None:
        found.append(f"A card was laid last in {where(view.latest.row, view.latest.column)}.")
    if view.to_act and view.history and view.history[-1] is None:
        found.append(f"{player(1 - view.to_act[0])} has passed; if both pass, the game ends.")
    if view.to_act and view.occurrences > 1:
        found.append("This position has come up twice; the third time ends the game.")
    if view.to_act and view.plies >= LATE:
        found.append(f"{plural(MOST - view.plies, 'decision')} left before the game ends.")
    return found


def open_hand(view: View, seat: int) -> tuple[str, ...]:
    """The cards that the viewer is sure are in a hand: all of their own, perhaps some of others."""
    return view.hand if seat == view.seat else view.known[seat]


def unseen(view: View, seat: int) -> int:
    """How many more cards are in a hand."""
    return view.hand_sizes[seat] - len(open_hand(view, seat))


def longest(view: View, seat: int) -> str:
    """How far a player's longest path has come."""
    return f"longest path {_cards(view.longest[seat])}"

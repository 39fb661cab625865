"""What the table hears, in words."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final

Heard = Mapping[str, Any]
COLOURS: Final = ("Black", "White")  # by seat
TURNED: Final = "↻"  # the sign of a card that lies turned


def sentence(heard: Heard) -> str:
    """One item of news as it was heard, as a sentence without a full stop."""
    return SENTENCES[heard["kind"]](heard)


def player(seat: int) -> str:
    """How a seat is called."""
    return COLOURS[seat]


def shown(card: str, turned: bool) -> str:
    """A card as it lies: "D07", "D07↻"."""
    return card + TURNED if turned else card


def where(row: int, column: int) -> str:
    """A place in words."""
    if column == 0:
        return f"row {row} of the file"
    side = "left" if column < 0 else "right"
    return f"row {row}, {abs(column)} to the {side}"


def _dealt(heard: Heard) -> str:
    cards = " ".join(heard["cards"]) if "cards" in heard else f"{heard['count']} cards"
    return f"{player(heard['seat'])} is dealt {cards}"


def _begins(heard: Heard) -> str:
    return f"{player(heard['seat'])} begins"


def _played(heard: Heard) -> str:
    card = shown(heard["card"], heard["turned"])
    return f"{player(heard['seat'])} plays {card} to {where(heard['row'], heard['column'])}"


def _replaced(heard: Heard) -> str:
    card, place = shown(heard["card"], heard["turned"]), where(heard["row"], heard["column"])
    return f"{player(heard['seat'])} takes {heard['taken']} from {place} and puts {card} there"


def _drew(heard: Heard) -> str:
    return f"{player(heard['seat'])} draws {heard.get('card', 'a card')}"


def _passed(heard: Heard) -> str:
    return f"{player(heard['seat'])} can do nothing and passes"


def _ended(heard: Heard) -> str:
    winner = heard["winner"]
    victory = "nobody wins" if winner is None else f"{player(winner)} wins"
    return f"{HOW[heard['how']]}: {victory}"


def _opened(heard: Heard) -> str:
    return f"{player(heard['seat'])} still holds {' '.join(heard['cards']) or 'nothing'}"


HOW: Final = {
    "connection": "A path joins both sides",
    "passes": "Both have passed",
    "repetition": "The same position has come up three times",
    "limit": "The game has been long enough",
}

SENTENCES: Final[Mapping[str, Callable[[Heard], str]]] = {
    "dealt": _dealt,
    "begins": _begins,
    "played": _played,
    "replaced": _replaced,
    "drew": _drew,
    "passed": _passed,
    "ended": _ended,
    "opened": _opened,
}

"""What the table hears, in words."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

from games.engines.duel_edged_sword.cards import COMPLETE_CODES

Heard = Mapping[str, Any]

NAMES: Final = ("North", "East", "South", "West")


def sentence(heard: Heard) -> str:
    """One item of news as it was heard, as a sentence without a full stop."""
    return SENTENCES[heard["kind"]](heard)


def player(seat: int) -> str:
    """How a seat is called."""
    return NAMES[seat]


def shown(card: str) -> str:
    """A card as people read it: "FRC" for the filled red circle, "Red", "True"."""
    return card if card in COMPLETE_CODES else card.capitalize()


def joined(words: Sequence[str]) -> str:
    """ "a", "a and b", "a, b and c"."""
    *most, last = words
    return f"{', '.join(most)} and {last}" if most else last


def plural(number: int, noun: str) -> str:
    """ "1 card", "2 cards"."""
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"


def sides(flipped: str, mode: str) -> str:
    """Who plays with whom."""
    if mode == "combative":
        return "everybody plays for themselves"
    if mode == "collaborative":
        return "all play together"
    if flipped == "true":
        return "North and East play against South and West"
    return "North and West play against East and South"


def _shown_all(cards: Sequence[str]) -> str:
    return joined([shown(card) for card in cards])


def _flipped(heard: Heard) -> str:
    return f"{shown(heard['card'])} is flipped: {sides(heard['card'], heard['mode'])}"


def _placed(heard: Heard) -> str:
    where = f"at the {heard['side']} of row {heard['row']}"
    return f"{player(heard['seat'])} lays {shown(heard['card'])} {where}"


def _opened(heard: Heard) -> str:
    return f"{player(heard['seat'])} lays {shown(heard['card'])} into row {heard['row']}, all alone"


def _collected(heard: Heard) -> str:
    cards = _shown_all(heard["cards"])
    return f"{player(heard['seat'])} collects {cards} from row {heard['row']}"


def _turned(heard: Heard) -> str:
    return f"{_shown_all(heard['cards'])} of row {heard['row']} are turned face down"


def _drew(heard: Heard) -> str:
    return f"{player(heard['seat'])} draws {shown(heard['card']) if 'card' in heard else 'a card'}"


def _bust(heard: Heard) -> str:
    who, card = player(heard["seat"]), shown(heard["card"])
    return f"{who} draws {card}, which fits nowhere: bust, and no points for {who} this round"


def _scored(heard: Heard) -> str:
    which = f"Round {heard['round']} is over"
    if heard["mode"] == "collaborative":
        kept, sought = sum(heard["kept"]), heard["sought"]
        outcome = "the challenge is met" if kept == sought else "the challenge is not met"
        return f"{which}: {outcome}, with {kept} of {plural(sought, 'Complete')}"
    points = (f"{player(seat)} {points}" for seat, points in enumerate(heard["points"]))
    return f"{which}: {', '.join(points)}"


SENTENCES: dict[str, Callable[[Heard], str]] = {
    "dealt": lambda heard: f"Round {heard['round']} is dealt; {player(heard['seat'])} leads",
    "flipped": _flipped,
    "drew": _drew,
    "placed": _placed,
    "opened": _opened,
    "collected": _collected,
    "turned": _turned,
    "out": lambda heard: f"{player(heard['seat'])} has three of a kind and is out of the round",
    "cut": lambda heard: (
        f"{player(heard['seat'])} has four of a kind: out of the round, and no points from it"
    ),
    "bust": _bust,
    "scored": _scored,
}

"""What the table hears, in words."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from games.engines.common import french

Heard = Mapping[str, Any]


def sentence(heard: Heard) -> str:
    """One item of news as it was heard, as a sentence without a full stop."""
    return SENTENCES[heard["kind"]](heard)


def player(seat: int) -> str:
    """How a seat is called."""
    return f"Seat {seat}"


def shown(card: str) -> str:
    """A card as people read it."""
    return french.sign(french.CODES.index(card))


def _cards(cards: list[str]) -> str:
    return " ".join(shown(card) for card in cards) or "nothing"


def _seats(seats: list[int]) -> str:
    names = [player(seat) for seat in seats]
    return " and ".join([", ".join(names[:-1]), names[-1]] if len(names) > 1 else names)


def _dealt(heard: Heard) -> str:
    cards = _cards(heard["cards"]) if "cards" in heard else f"{heard['count']} cards"
    return f"{player(heard['seat'])} is dealt {cards}"


def _drew(heard: Heard) -> str:
    return f"{player(heard['seat'])} draws {shown(heard['card']) if 'card' in heard else 'a card'}"


def _enacted(heard: Heard) -> str:
    old = f" in place of {shown(heard['old'])}" if heard["old"] else ""
    where = f"law {heard['slot']}, on {heard['number']}"
    return f"{player(heard['seat'])} enacts {shown(heard['card'])} as {where}{old}"


def _numbered(heard: Heard) -> str:
    slot, number = heard["slot"], heard["number"]
    return f"{player(heard['seat'])} spends {shown(heard['card'])} to put {number} on slot {slot}"


def _stole(heard: Heard) -> str:
    card = shown(heard["card"]) if "card" in heard else "a card"
    return f"{player(heard['seat'])} steals {card} from {player(heard['from'])}"


def _swapped(heard: Heard) -> str:
    who, other = player(heard["seat"]), player(heard["with"])
    if "gave" not in heard:
        return f"{who} swaps a card with {other}"
    return f"{who} gives {shown(heard['gave'])} to {other} for {shown(heard['got'])}"


def _voted(heard: Heard) -> str:
    suit = f" for {heard['suit']}" if "suit" in heard else ""
    return f"{player(heard['seat'])} has voted{suit}"


def _counted(heard: Heard) -> str:
    numbers = ", ".join(f"{player(seat)} has {n}" for seat, n in enumerate(heard["counted"]))
    winners = heard["winners"]
    score = f"a point for {_seats(winners)}" if winners else "no point for anybody"
    hands = ""
    if "hands" in heard:
        opened = (f"{player(seat)} {_cards(hand)}" for seat, hand in enumerate(heard["hands"]))
        hands = f" (hands: {'; '.join(opened)})"
    return f"The {heard['suit']} are counted: {numbers}; {score}{hands}"


def _open_votes(heard: Heard) -> str:
    votes = (f"{player(seat)} {suit}" for seat, suit in enumerate(heard["suits"]))
    return f"The votes are opened: {', '.join(votes)}"


def _simple(rest: str) -> Callable[[Heard], str]:
    """A sentence that starts with the player and needs nothing but the facts."""

    def say(heard: Heard) -> str:
        card = shown(heard["card"]) if "card" in heard else ""
        return f"{player(heard['seat'])} {rest}".format_map({**heard, "card": card})

    return say


SENTENCES: dict[str, Callable[[Heard], str]] = {
    "dealt": _dealt,
    "turn": _simple("is on turn"),
    "drew": _drew,
    "played": _simple("plays {card}"),
    "enacted": _enacted,
    "numbered": _numbered,
    "shifted": _simple("sets the number of slot {slot} to {number}"),
    "swapped_numbers": _simple("swaps the numbers of slots {slot} and {other}"),
    "stole": _stole,
    "discarded": _simple("discards {card}"),
    "swapped": _swapped,
    "took_discard": _simple("takes {card} from the discard pile"),
    "rolled": _simple("rolls {number} on the d{die}"),
    "triggered": _simple("applies law {slot}, {card}"),
    "fizzled": _simple("finds nothing to do with that"),
    "declined": _simple("does not roll"),
    "called": _simple("calls a count: everybody else has one more turn"),
    "voted": _voted,
    "votes_opened": _open_votes,
    "decided": _simple("has the last word: {suit}"),
    "suit_rolled": _simple("rolls {number} on the d4: {suit}"),
    "exhausted": _simple("finds the draw pile empty: it is counted at once"),
    "counted": _counted,
}

"""What the table hears, in words."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any

from games.engines.common import french

Heard = Mapping[str, Any]
BILLS = {
    "kind": "a set of equal ranks",
    "straight": "a straight",
    "flush": "a flush",
    "straight_flush": "a straight flush",
}


def sentence(heard: Heard) -> str:
    """One item of news as it was heard, as a sentence without a full stop."""
    return SENTENCES[heard["kind"]](heard)


def player(seat: int) -> str:
    """How a seat is called."""
    return f"Seat {seat}"


def shown(card: str) -> str:
    """A card as people read it."""
    return french.sign(french.CODES.index(card))


def listed(cards: Iterable[str]) -> str:
    """Cards in a row, as people read them."""
    return " ".join(shown(card) for card in cards) or "nothing"


def plural(number: int, noun: str) -> str:
    """ "a card", "2 cards"."""
    return f"a {noun}" if number == 1 else f"{number} {noun}s"


def pile_name(pile: int) -> str:
    """How a discard pile is called: the first one has no number."""
    return "the discard pile" if pile == 1 else f"discard pile {pile}"


def source(pile: int) -> str:
    """Where a card comes from; 0 is the draw pile."""
    return pile_name(pile) if pile else "the draw pile"


# -- sentences ----------------------------------------------------------------------------------


def _some(heard: Heard) -> str:
    """The cards, for those who may know them, or how many."""
    if "cards" in heard:
        return listed(heard["cards"])
    return shown(heard["card"]) if "card" in heard else plural(heard.get("count", 1), "card")


def _discarded(heard: Heard) -> str:
    where = f" onto {source(heard['pile'])}" if heard["pile"] != 1 else ""
    return f"{player(heard['seat'])} discards {shown(heard['card'])}{where}"


def _swapped(heard: Heard) -> str:
    who, other = player(heard["seat"]), player(heard["with"])
    if "gave" not in heard:
        return f"{who} swaps {plural(heard['count'], 'card')} with {other}"
    return f"{who} gives {listed(heard['gave'])} to {other} for {listed(heard['got'])}"


def _asked(heard: Heard) -> str:
    answer = "gets it" if heard["held"] else "asks in vain"
    asked = f"asks {player(heard['of'])} for {shown(heard['card'])}"
    return f"{player(heard['seat'])} {asked} and {answer}"


def _chose(heard: Heard) -> str:
    who = "themselves" if heard["player"] == heard["seat"] else player(heard["player"])
    return f"{player(heard['seat'])} chooses {who} for {shown(heard['law'])}"


def _removed(heard: Heard) -> str:
    return f"{listed(heard['cards'])} leave the game"


def _ended(heard: Heard) -> str:
    return ending(heard["winners"], heard["reason"])


def ending(winners: Iterable[int], reason: str) -> str:
    """Who has won, and why."""
    names = [player(seat) for seat in winners]
    who = " and ".join([", ".join(names[:-1]), names[-1]] if len(names) > 1 else names)
    verb = "wins" if len(names) == 1 else "share the victory"
    return f"{who} {verb} {REASONS[reason]}"


REASONS = {
    "laws": "with as many Laws as they need",
    "straight_flush": "with a straight flush",
    "impossible": "with most Laws, as nobody can collect any more",
    "stalemate": "with most Laws, as nobody has collected one for fifty rounds",
}


def _simple(rest: str) -> Callable[[Heard], str]:
    """A sentence that starts with the player; {some} is the cards or their number."""

    def say(heard: Heard) -> str:
        words = {
            "card": shown(heard["card"]) if "card" in heard else "",
            "law": shown(heard["law"]) if "law" in heard else "",
            "source": source(heard.get("pile", 0)),
            "some": _some(heard),
        }
        return f"{player(heard['seat'])} {rest}".format_map({**heard, **words})

    return say


SENTENCES: dict[str, Callable[[Heard], str]] = {
    "dealt": _simple("is dealt {some}"),
    "turn": _simple("is on turn"),
    "drew": _simple("draws {some}"),
    "took": _simple("takes {card} from {source}"),
    "discarded": _discarded,
    "billed": lambda heard: (
        f"{player(heard['seat'])} plays {BILLS[heard['bill']]}: {listed(heard['cards'])}"
    ),
    "collected": _simple("collects {card} from {source}"),
    "triggered": _simple("sets off {law} with {card}"),
    "chose": _chose,
    "passed": lambda heard: (
        f"{player(heard['seat'])} passes {_some(heard)} to {player(heard['to'])}"
    ),
    "swapped": _swapped,
    "gave_hands": _simple("makes all hands go one seat to the left"),
    "looked": lambda heard: (
        f"{player(heard['seat'])} looks at the hand of {player(heard['at'])}"
        + (f": {listed(heard['cards'])}" if "cards" in heard else "")
    ),
    "stole": lambda heard: (
        f"{player(heard['seat'])} steals {_some(heard)} from {player(heard['from'])}"
    ),
    "asked": _asked,
    "played_next": _simple("plays {card} on top of {source}"),
    "contributed": _simple("puts {some} into the empty draw pile"),
    "reshuffled": lambda heard: f"{plural(heard['count'], 'card')} become the new draw pile",
    "replenished": lambda heard: f"{shown(heard['card'])} is laid on {source(heard['pile'])}",
    "removed": _removed,
    "returned": _simple("gives {some} back to the deck"),
    "replaced": _simple("puts {card} into the trash, to be replaced"),
    "hands_swapped": lambda heard: (
        f"{player(heard['first'])} and {player(heard['second'])} swap hands"
    ),
    "bound": lambda heard: f"{shown(heard['law'])} now binds {player(heard['to'])} only",
    "enacted": _simple("makes {card} a Law from their hand"),
    "ended": _ended,
}

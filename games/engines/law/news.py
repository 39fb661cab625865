"""What the table hears, in words."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any

from games.engines.common import french

Heard = Mapping[str, Any]
BILLS = {
    "kind": "a Bill of equal ranks, {0}",
    "straight": "a straight from {0}",
    "flush": "a flush of {0}",
    "straight_flush": "a straight flush{suit} from {0}",
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


def _revealed(heard: Heard) -> str:
    cards = f": {listed(heard['cards'])}" if "cards" in heard else ""
    return f"{player(heard['seat'])} looks at the hand of {player(heard['of'])}{cards}"


def _asked(heard: Heard) -> str:
    answer = " and gets it" if heard["found"] else ", in vain"
    asked = f"asks {player(heard['of'])} for {shown(heard['card'])}"
    return f"{player(heard['seat'])} {asked}{answer}"


def _aimed(heard: Heard) -> str:
    who = "themselves" if heard["at"] == heard["seat"] else player(heard["at"])
    return f"{player(heard['seat'])} chooses {who} to discard {plural(heard['count'], 'card')}"


def _billed(heard: Heard) -> str:
    suit = f" of {heard['suit']}" if heard.get("suit") else ""
    what = BILLS[heard["shape"]].format(heard["of"], suit=suit)
    return f"{player(heard['seat'])} proposes {what}"


def _collected(heard: Heard) -> str:
    place = "their hand" if heard["pile"] < 0 else source(heard["pile"])
    return f"{player(heard['seat'])} collects {shown(heard['card'])} from {place}"


def _replenished(heard: Heard) -> str:
    card = shown(heard["card"]) if "card" in heard else "A card"
    return f"{card} is laid on {source(heard['pile'])}"


def _hands_swapped(heard: Heard) -> str:
    first, second = heard["seats"]
    return f"{player(first)} and {player(second)} swap hands"


def ending(winners: Iterable[int], reason: str) -> str:
    """Who has won, and why."""
    numbers = [str(seat) for seat in winners]
    if len(numbers) == 1:
        return f"Seat {numbers[0]} wins {REASONS[reason]}"
    who = " and ".join([", ".join(numbers[:-1]), numbers[-1]])
    return f"Seats {who} share the victory {REASONS[reason]}"


REASONS = {
    "laws": "with as many Laws as it takes",
    "straight_flush": "with a straight flush",
    "impossible": "with most Laws, as nobody can collect any more",
    "stalemate": "with most Laws, as nobody has collected one for fifty rounds",
    "too_long": "with most Laws, as the game has gone on for too long",
}


def _simple(rest: str) -> Callable[[Heard], str]:
    """A sentence that starts with the player; {some} is the cards or their number."""

    def say(heard: Heard) -> str:
        words = {
            "card": shown(heard["card"]) if "card" in heard else "a card",
            "law": shown(heard["law"]) if "law" in heard else "",
            "laws": listed(heard.get("laws", ())),
            "source": source(heard.get("pile", 0)),
            "some": _some(heard),
        }
        return f"{player(heard['seat'])} {rest}".format_map({**heard, **words})

    return say


SENTENCES: dict[str, Callable[[Heard], str]] = {
    "dealt": _simple("is dealt {some}"),
    "turn": _simple("is on turn"),
    "drew": _simple("draws {card}"),
    "took": _simple("takes {card} from {source}"),
    "discarded": _discarded,
    "passed": lambda heard: _simple(f"passes {{card}} to {player(heard['to'])}")(heard),
    "swapped": _swapped,
    "contributed": _simple("puts {some} into the empty draw pile"),
    "returned": _simple("gives {laws} back to the deck"),
    "hands_passed": _simple("makes all hands go one seat to the left"),
    "hands_swapped": _hands_swapped,
    "revealed": _revealed,
    "stole": lambda heard: _simple(f"steals {{card}} from {player(heard['from'])}")(heard),
    "asked": _asked,
    "billed": _billed,
    "laid": lambda heard: f"{player(heard['seat'])} lays {listed(heard['cards'])} into the trash",
    "traded": lambda heard: (
        f"{player(heard['seat'])} discards {plural(heard['discards'], 'card')}"
        f" to draw {heard['draws']}"
    ),
    "topped": _simple("plays {card} on top of {source}"),
    "collected": _collected,
    "granted": _simple("gets {card} as a Law"),
    "event": _simple("makes {card} happen"),
    "applied": _simple("sets off {law} with {card}"),
    "aimed": _aimed,
    "raised": lambda heard: f"Everybody now needs {heard['by']} more to win",
    "removed": lambda heard: f"Threes and fours leave the game: {listed(heard['cards'])}",
    "replaced_all": lambda heard: "All Laws go to the trash, to be replaced",
    "replaced": lambda heard: f"{shown(heard['card'])} of {player(heard['of'])} goes to the trash",
    "bound": lambda heard: f"{shown(heard['card'])} now binds {player(heard['to'])} only",
    "recycled": lambda heard: f"{shown(heard['card'])} is shuffled into the draw pile",
    "replenished": _replenished,
    "reshuffled": lambda heard: f"{plural(heard['count'], 'card')} become the new draw pile",
    "nothing": _simple("finds nothing to do with that"),
    "over": lambda heard: ending(heard["winners"], heard["ending"]),
}

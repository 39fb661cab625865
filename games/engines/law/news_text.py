"""News texts: the sentence for each piece of news, as its viewer may read it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any

from games.engines.common import playing_cards

NewsFacts = Mapping[str, Any]
BILL_PHRASES = {
    "kind": "a Bill of equal ranks, {0}",
    "straight": "a straight from {0}",
    "flush": "a flush of {0}",
    "straight_flush": "a straight flush{suit} from {0}",
}


def news_sentence(heard: NewsFacts) -> str:
    """The sentence for one item of news as the viewer received it, without a full stop."""
    return SENTENCE_WRITERS[heard["kind"]](heard)


def player_name(seat: int) -> str:
    """The name of a seat."""
    return f"Seat {seat}"


def card_text(card: str) -> str:
    """A card as people read it."""
    return playing_cards.card_sign(playing_cards.CARD_CODES.index(card))


def cards_text(cards: Iterable[str]) -> str:
    """Cards in a row, as people read them."""
    return " ".join(card_text(card) for card in cards) or "nothing"


def pluralize(number: int, noun: str) -> str:
    """ "a card", "2 cards"."""
    return f"a {noun}" if number == 1 else f"{number} {noun}s"


def pile_name(pile: int) -> str:
    """The name of a discard pile; the first one has no number."""
    return "the discard pile" if pile == 1 else f"discard pile {pile}"


def source_name(pile: int) -> str:
    """The pile that a card comes from; 0 is the draw pile."""
    return pile_name(pile) if pile else "the draw pile"


# -- sentences ----------------------------------------------------------------------------------


def _cards_or_count(heard: NewsFacts) -> str:
    """The cards, for viewers who may know them, or their number."""
    if "cards" in heard:
        return cards_text(heard["cards"])
    return card_text(heard["card"]) if "card" in heard else pluralize(heard.get("count", 1), "card")


def _discarded_sentence(heard: NewsFacts) -> str:
    where = f" onto {source_name(heard['pile'])}" if heard["pile"] != 1 else ""
    return f"{player_name(heard['seat'])} discards {card_text(heard['card'])}{where}"


def _swapped_sentence(heard: NewsFacts) -> str:
    who, other = player_name(heard["seat"]), player_name(heard["with"])
    if "gave" not in heard:
        return f"{who} swaps {pluralize(heard['count'], 'card')} with {other}"
    return f"{who} gives {cards_text(heard['gave'])} to {other} for {cards_text(heard['got'])}"


def _revealed_sentence(heard: NewsFacts) -> str:
    cards = f": {cards_text(heard['cards'])}" if "cards" in heard else ""
    return f"{player_name(heard['seat'])} looks at the hand of {player_name(heard['of'])}{cards}"


def _asked_sentence(heard: NewsFacts) -> str:
    answer = " and gets it" if heard["found"] else ", without success"
    asked = f"asks {player_name(heard['of'])} for {card_text(heard['card'])}"
    return f"{player_name(heard['seat'])} {asked}{answer}"


def _aimed_sentence(heard: NewsFacts) -> str:
    who = "themselves" if heard["at"] == heard["seat"] else player_name(heard["at"])
    return (
        f"{player_name(heard['seat'])} chooses {who} to discard {pluralize(heard['count'], 'card')}"
    )


def _billed_sentence(heard: NewsFacts) -> str:
    suit = f" of {heard['suit']}" if heard.get("suit") else ""
    what = BILL_PHRASES[heard["shape"]].format(heard["of"], suit=suit)
    return f"{player_name(heard['seat'])} proposes {what}"


def _collected_sentence(heard: NewsFacts) -> str:
    place = "their hand" if heard["pile"] < 0 else source_name(heard["pile"])
    return f"{player_name(heard['seat'])} collects {card_text(heard['card'])} from {place}"


def _replenished_sentence(heard: NewsFacts) -> str:
    card = card_text(heard["card"]) if "card" in heard else "A card"
    return f"{card} is laid on {source_name(heard['pile'])}"


def _hands_swapped_sentence(heard: NewsFacts) -> str:
    first, second = heard["seats"]
    return f"{player_name(first)} and {player_name(second)} swap hands"


def ending(winners: Iterable[int], reason: str) -> str:
    """The winners and the reason."""
    numbers = [str(seat) for seat in winners]
    if len(numbers) == 1:
        return f"Seat {numbers[0]} wins {ENDING_PHRASES[reason]}"
    who = " and ".join([", ".join(numbers[:-1]), numbers[-1]])
    return f"Seats {who} share the victory {ENDING_PHRASES[reason]}"


ENDING_PHRASES = {
    "laws": "with as many Laws as it takes",
    "straight_flush": "with a straight flush",
    "impossible": "with most Laws, as nobody can collect any more",
    "stalemate": "with most Laws, as nobody has collected one for fifty rounds",
    "too_long": "with most Laws, as the game has gone on for too long",
}


def _player_sentence(rest: str) -> Callable[[NewsFacts], str]:
    """A function for sentences that start with the player; {some} is the cards or their number."""

    def say(heard: NewsFacts) -> str:
        words = {
            "card": card_text(heard["card"]) if "card" in heard else "a card",
            "law": card_text(heard["law"]) if "law" in heard else "",
            "laws": cards_text(heard.get("laws", ())),
            "source": source_name(heard.get("pile", 0)),
            "some": _cards_or_count(heard),
        }
        return f"{player_name(heard['seat'])} {rest}".format_map({**heard, **words})

    return say


SENTENCE_WRITERS: dict[str, Callable[[NewsFacts], str]] = {
    "dealt": _player_sentence("is dealt {some}"),
    "turn": _player_sentence("is on turn"),
    "drew": _player_sentence("draws {card}"),
    "took": _player_sentence("takes {card} from {source}"),
    "discarded": _discarded_sentence,
    "passed": lambda heard: _player_sentence(f"passes {{card}} to {player_name(heard['to'])}")(
        heard
    ),
    "swapped": _swapped_sentence,
    "contributed": _player_sentence("puts {some} into the empty draw pile"),
    "returned": _player_sentence("gives {laws} back to the deck"),
    "hands_passed": _player_sentence("makes all hands go one seat to the left"),
    "hands_swapped": _hands_swapped_sentence,
    "revealed": _revealed_sentence,
    "stole": lambda heard: _player_sentence(f"steals {{card}} from {player_name(heard['from'])}")(
        heard
    ),
    "asked": _asked_sentence,
    "billed": _billed_sentence,
    "laid": lambda heard: (
        f"{player_name(heard['seat'])} lays {cards_text(heard['cards'])} into the trash"
    ),
    "traded": lambda heard: (
        f"{player_name(heard['seat'])} discards {pluralize(heard['discards'], 'card')}"
        f" to draw {heard['draws']}"
    ),
    "topped": _player_sentence("plays {card} on top of {source}"),
    "collected": _collected_sentence,
    "granted": _player_sentence("gets {card} as a Law"),
    "event": _player_sentence("resolves {card}"),
    "applied": _player_sentence("sets off {law} with {card}"),
    "aimed": _aimed_sentence,
    "raised": lambda heard: f"All players now need {heard['by']} more to win",
    "removed": lambda heard: f"Threes and fours leave the game: {cards_text(heard['cards'])}",
    "replaced_all": lambda heard: "All Laws go to the trash, to be replaced",
    "replaced": lambda heard: (
        f"{card_text(heard['card'])} of {player_name(heard['of'])} goes to the trash"
    ),
    "bound": lambda heard: f"{card_text(heard['card'])} now binds {player_name(heard['to'])} only",
    "recycled": lambda heard: f"{card_text(heard['card'])} is shuffled into the draw pile",
    "replenished": _replenished_sentence,
    "reshuffled": lambda heard: f"{pluralize(heard['count'], 'card')} become the new draw pile",
    "nothing": _player_sentence("cannot apply the effect"),
    "over": lambda heard: ending(heard["winners"], heard["ending"]),
}

"""News texts: the sentence for each piece of news, as its viewer may read it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from games.engines.common import playing_cards

NewsFacts = Mapping[str, Any]


def news_sentence(heard: NewsFacts) -> str:
    """One item of news as a sentence without a full stop."""
    return SENTENCE_WRITERS[heard["kind"]](heard)


def player_name(seat: int) -> str:
    """The name of a seat."""
    return f"Seat {seat}"


def card_text(card: str) -> str:
    """A card as players read it."""
    return playing_cards.card_sign(playing_cards.CARD_CODES.index(card))


def _cards_text(cards: list[str]) -> str:
    return " ".join(card_text(card) for card in cards) or "nothing"


def _seats_text(seats: list[int]) -> str:
    names = [player_name(seat) for seat in seats]
    return " and ".join([", ".join(names[:-1]), names[-1]] if len(names) > 1 else names)


def _dealt_sentence(heard: NewsFacts) -> str:
    cards = _cards_text(heard["cards"]) if "cards" in heard else f"{heard['count']} cards"
    return f"{player_name(heard['seat'])} is dealt {cards}"


def _drew_sentence(heard: NewsFacts) -> str:
    card = card_text(heard["card"]) if "card" in heard else "a card"
    return f"{player_name(heard['seat'])} draws {card}"


def _enacted_sentence(heard: NewsFacts) -> str:
    old = f" in place of {card_text(heard['old'])}" if heard["old"] else ""
    where = f"law {heard['slot']}, on {heard['number']}"
    return f"{player_name(heard['seat'])} enacts {card_text(heard['card'])} as {where}{old}"


def _numbered_sentence(heard: NewsFacts) -> str:
    slot, number = heard["slot"], heard["number"]
    name, card = player_name(heard["seat"]), card_text(heard["card"])
    return f"{name} spends {card} to put {number} on slot {slot}"


def _stole_sentence(heard: NewsFacts) -> str:
    card = card_text(heard["card"]) if "card" in heard else "a card"
    return f"{player_name(heard['seat'])} steals {card} from {player_name(heard['from'])}"


def _swapped_sentence(heard: NewsFacts) -> str:
    who, other = player_name(heard["seat"]), player_name(heard["with"])
    if "gave" not in heard:
        return f"{who} swaps a card with {other}"
    return f"{who} gives {card_text(heard['gave'])} to {other} for {card_text(heard['got'])}"


def _voted_sentence(heard: NewsFacts) -> str:
    suit = f" for {heard['suit']}" if "suit" in heard else ""
    return f"{player_name(heard['seat'])} has voted{suit}"


def _counted_sentence(heard: NewsFacts) -> str:
    numbers = ", ".join(f"{player_name(seat)} has {n}" for seat, n in enumerate(heard["counted"]))
    winners = heard["winners"]
    score = f"a point for {_seats_text(winners)}" if winners else "no point for any player"
    hands = ""
    if "hands" in heard:
        opened = (
            f"{player_name(seat)} {_cards_text(hand)}" for seat, hand in enumerate(heard["hands"])
        )
        hands = f" (hands: {'; '.join(opened)})"
    return f"The {heard['suit']} are counted: {numbers}; {score}{hands}"


def _votes_opened_sentence(heard: NewsFacts) -> str:
    votes = (f"{player_name(seat)} {suit}" for seat, suit in enumerate(heard["suits"]))
    return f"The votes are opened: {', '.join(votes)}"


def _player_sentence(rest: str) -> Callable[[NewsFacts], str]:
    """A writer of sentences that start with the player and need only the facts."""

    def say(heard: NewsFacts) -> str:
        card = card_text(heard["card"]) if "card" in heard else ""
        return f"{player_name(heard['seat'])} {rest}".format_map({**heard, "card": card})

    return say


SENTENCE_WRITERS: dict[str, Callable[[NewsFacts], str]] = {
    "dealt": _dealt_sentence,
    "turn": _player_sentence("is on turn"),
    "drew": _drew_sentence,
    "played": _player_sentence("plays {card}"),
    "enacted": _enacted_sentence,
    "numbered": _numbered_sentence,
    "shifted": _player_sentence("sets the number of slot {slot} to {number}"),
    "swapped_numbers": _player_sentence("swaps the numbers of slots {slot} and {other}"),
    "stole": _stole_sentence,
    "discarded": _player_sentence("discards {card}"),
    "swapped": _swapped_sentence,
    "took_discard": _player_sentence("takes {card} from the discard pile"),
    "rolled": _player_sentence("rolls {number} on the d{die}"),
    "triggered": _player_sentence("applies law {slot}, {card}"),
    "fizzled": _player_sentence("cannot apply the effect"),
    "declined": _player_sentence("does not roll"),
    "called": _player_sentence("calls a count: all other players have one more turn"),
    "voted": _voted_sentence,
    "votes_opened": _votes_opened_sentence,
    "decided": _player_sentence("has the last word: {suit}"),
    "suit_rolled": _player_sentence("rolls {number} on the d4: {suit}"),
    "exhausted": _player_sentence("finds the draw pile empty: it is counted at once"),
    "counted": _counted_sentence,
}

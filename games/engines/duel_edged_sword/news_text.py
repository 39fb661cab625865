"""News texts: the sentence for each piece of news, as its viewer may read it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

from games.engines.common.english_text import join_words, pluralize
from games.engines.duel_edged_sword.cards import COMPLETE_CODES

NewsFacts = Mapping[str, Any]

SEAT_NAMES: Final = ("North", "East", "South", "West")


def news_sentence(heard: NewsFacts) -> str:
    """One item of news as a sentence without a full stop."""
    return SENTENCE_WRITERS[heard["kind"]](heard)


def player_name(seat: int) -> str:
    """The name of a seat."""
    return SEAT_NAMES[seat]


def card_text(card: str) -> str:
    """A card as players read it: "FRC" for the filled red circle, "Red", "True"."""
    return card if card in COMPLETE_CODES else card.capitalize()


def sides_text(flipped: str, mode: str) -> str:
    """The sides of a round."""
    if mode == "combative":
        return "everybody plays for themselves"
    if mode == "collaborative":
        return "all play together"
    if flipped == "true":
        return "North and East play against South and West"
    return "North and West play against East and South"


def _cards_text(cards: Sequence[str]) -> str:
    return join_words([card_text(card) for card in cards])


def _flipped_sentence(heard: NewsFacts) -> str:
    return f"{card_text(heard['card'])} is flipped: {sides_text(heard['card'], heard['mode'])}"


def _placed_sentence(heard: NewsFacts) -> str:
    where = f"at the {heard['side']} of row {heard['row']}"
    return f"{player_name(heard['seat'])} lays {card_text(heard['card'])} {where}"


def _opened_sentence(heard: NewsFacts) -> str:
    name, card = player_name(heard["seat"]), card_text(heard["card"])
    return f"{name} lays {card} into the empty row {heard['row']}"


def _collected_sentence(heard: NewsFacts) -> str:
    cards = _cards_text(heard["cards"])
    return f"{player_name(heard['seat'])} collects {cards} from row {heard['row']}"


def _turned_sentence(heard: NewsFacts) -> str:
    return f"{_cards_text(heard['cards'])} of row {heard['row']} are turned face down"


def _drew_sentence(heard: NewsFacts) -> str:
    card = card_text(heard["card"]) if "card" in heard else "a card"
    return f"{player_name(heard['seat'])} draws {card}"


def _bust_sentence(heard: NewsFacts) -> str:
    who, card = player_name(heard["seat"]), card_text(heard["card"])
    return f"{who} draws {card}, which fits nowhere: bust, and no points for {who} this round"


def _scored_sentence(heard: NewsFacts) -> str:
    which = f"Round {heard['round']} is over"
    if heard["mode"] == "collaborative":
        kept, sought = sum(heard["kept"]), heard["sought"]
        outcome = "the challenge is met" if kept == sought else "the challenge is not met"
        return f"{which}: {outcome}, with {kept} of {pluralize(sought, 'Complete')}"
    points = (f"{player_name(seat)} {points}" for seat, points in enumerate(heard["points"]))
    return f"{which}: {', '.join(points)}"


SENTENCE_WRITERS: dict[str, Callable[[NewsFacts], str]] = {
    "dealt": lambda heard: f"Round {heard['round']} is dealt; {player_name(heard['seat'])} leads",
    "flipped": _flipped_sentence,
    "drew": _drew_sentence,
    "placed": _placed_sentence,
    "opened": _opened_sentence,
    "collected": _collected_sentence,
    "turned": _turned_sentence,
    "out": lambda heard: (
        f"{player_name(heard['seat'])} has three of a kind and is out of the round"
    ),
    "cut": lambda heard: (
        f"{player_name(heard['seat'])} has four of a kind: out of the round, and no points from it"
    ),
    "bust": _bust_sentence,
    "scored": _scored_sentence,
}

"""News texts: the sentence for each piece of news, as its viewer may read it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final

NewsFacts = Mapping[str, Any]
COLOUR_NAMES: Final = ("Black", "White")  # by seat
TURNED_SIGN: Final = "↻"  # marks a card that lies turned


def news_sentence(heard: NewsFacts) -> str:
    """One item of news as a sentence without a full stop."""
    return SENTENCE_WRITERS[heard["kind"]](heard)


def player_name(seat: int) -> str:
    """The name of a seat."""
    return COLOUR_NAMES[seat]


def card_text(card: str, turned: bool) -> str:
    """A card as it lies: "D07", "D07↻"."""
    return card + TURNED_SIGN if turned else card


def place_text(row: int, column: int) -> str:
    """A place in words."""
    if column == 0:
        return f"row {row} of the file"
    side = "left" if column < 0 else "right"
    return f"row {row}, {abs(column)} to the {side}"


def _dealt_sentence(heard: NewsFacts) -> str:
    cards = " ".join(heard["cards"]) if "cards" in heard else f"{heard['count']} cards"
    return f"{player_name(heard['seat'])} is dealt {cards}"


def _begins_sentence(heard: NewsFacts) -> str:
    return f"{player_name(heard['seat'])} begins"


def _played_sentence(heard: NewsFacts) -> str:
    card = card_text(heard["card"], heard["turned"])
    return (
        f"{player_name(heard['seat'])} plays {card} to {place_text(heard['row'], heard['column'])}"
    )


def _replaced_sentence(heard: NewsFacts) -> str:
    card, place = (
        card_text(heard["card"], heard["turned"]),
        place_text(heard["row"], heard["column"]),
    )
    return f"{player_name(heard['seat'])} takes {heard['taken']} from {place} and puts {card} there"


def _drew_sentence(heard: NewsFacts) -> str:
    return f"{player_name(heard['seat'])} draws {heard.get('card', 'a card')}"


def _passed_sentence(heard: NewsFacts) -> str:
    return f"{player_name(heard['seat'])} has no play and passes"


def _ended_sentence(heard: NewsFacts) -> str:
    winner = heard["winner"]
    victory = "no player wins" if winner is None else f"{player_name(winner)} wins"
    return f"{ENDING_SENTENCES[heard['how']]}: {victory}"


def _opened_sentence(heard: NewsFacts) -> str:
    return f"{player_name(heard['seat'])} still holds {' '.join(heard['cards']) or 'nothing'}"


ENDING_SENTENCES: Final = {
    "connection": "A path joins both sides",
    "passes": "Both have passed",
    "repetition": "The same position has come up three times",
    "limit": "The game has been long enough",
}

SENTENCE_WRITERS: Final[Mapping[str, Callable[[NewsFacts], str]]] = {
    "dealt": _dealt_sentence,
    "begins": _begins_sentence,
    "played": _played_sentence,
    "replaced": _replaced_sentence,
    "drew": _drew_sentence,
    "passed": _passed_sentence,
    "ended": _ended_sentence,
    "opened": _opened_sentence,
}

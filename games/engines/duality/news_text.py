"""News texts: the sentence for each piece of news, as its viewer may read it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

PLAYER_NAMES: Final = ("Black", "White")  # by seat
TURNED_SIGN: Final = "↻"  # marks a card that lies turned
ENDING_SENTENCES: Final = {
    "connection": "A path joins both sides",
    "passes": "Both have passed",
    "repetition": "The same position has come up three times",
    "limit": "The game has been long enough",
}
NEWS_SENTENCES: Final = {
    "dealt": "{player} is dealt {cards}",
    "begins": "{player} begins",
    "played": "{player} plays {card} to {place}",
    "replaced": "{player} takes {taken} from {place} and puts {card} there",
    "drew": "{player} draws {card}",
    "passed": "{player} has no play and passes",
    "ended": "{how}: {victory}",
    "opened": "{player} still holds {cards}",
}


def news_sentence(heard: Mapping[str, Any]) -> str:
    """One item of news as a sentence without a full stop."""
    return NEWS_SENTENCES[heard["kind"]].format_map(_phrases(heard))


def _phrases(heard: Mapping[str, Any]) -> dict[str, Any]:
    """The facts of a piece of news in words, also those that this viewer may not know."""
    phrases = {"card": "a card", **heard, "player": PLAYER_NAMES[heard["seat"]]}
    if "turned" in heard:
        phrases["card"] = card_text(heard["card"], heard["turned"])
        phrases["place"] = place_text(heard["row"], heard["column"])
    if "count" in heard:
        phrases["cards"] = f"{heard['count']} cards"
    if "cards" in heard:
        phrases["cards"] = " ".join(heard["cards"]) or "nothing"
    if "how" in heard:
        winner = heard["winner"]
        phrases["how"] = ENDING_SENTENCES[heard["how"]]
        phrases["victory"] = "no player wins" if winner is None else f"{PLAYER_NAMES[winner]} wins"
    return phrases


def card_text(card: str, turned: bool) -> str:
    """A card as it lies: "D07", "D07↻"."""
    return card + TURNED_SIGN if turned else card


def place_text(row: int, column: int) -> str:
    """A place in words."""
    if column == 0:
        return f"row {row} of the file"
    side = "left" if column < 0 else "right"
    return f"row {row}, {abs(column)} to the {side}"

"""News texts: the sentence for each piece of news, as its viewer may read it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final

from tabularium_engines.common.english_text import seat_name, words_of

PLAYER_NAMES: Final = ("Black", "White")  # by seat
TURNED_SIGN: Final = "↻"  # marks a card that lies turned
ENDING_SENTENCES: Final = {
    "connection": "A path joins both sides",
    "passes": "Both have passed",
    "repetition": "The same position has come up three times",
    "limit": "The game has been long enough",
}
NEWS_SENTENCES: Final = {
    "dealt": "{seat} is dealt {cards}",
    "begins": "{seat} begins",
    "played": "{seat} plays {card} to {place}",
    "replaced": "{seat} takes {taken} from {place} and puts {card} there",
    "drew": "{seat} draws {card}",
    "passed": "{seat} has no play and passes",
    "ended": "{how}: {winner}",
    "opened": "{seat} still holds {cards}",
}


def news_sentence(item: Mapping[str, Any]) -> str:
    """One item of news as a sentence without a full stop."""
    words = {"card": "a card", "cards": f"{item.get('count')} cards"}
    words |= words_of(item, FACT_WRITERS)
    if "turned" in item:
        words["card"] = card_text(item["card"], item["turned"])
        words["place"] = place_text(item["row"], item["column"])
    return NEWS_SENTENCES[item["kind"]].format_map(words)


def player_name(seat: int) -> str:
    """The name of a seat: the colour of its side."""
    return seat_name(seat, PLAYER_NAMES[seat])


def card_text(card: str, turned: bool) -> str:
    """A card as it lies: "D07", "D07↻"."""
    return card + TURNED_SIGN if turned else card


def place_text(row: int, column: int) -> str:
    """A place in words that hold from both sides of the table."""
    if column == 0:
        return f"row {row} of the file"
    return f"row {row}, column {signed_column(column)}"


def signed_column(column: int) -> str:
    """A column as it is labelled: "-2", "0", "+1"."""
    return f"{column:+d}" if column else "0"


FACT_WRITERS: Final[Mapping[str, Callable[[Any], str]]] = {
    "seat": player_name,
    "cards": lambda cards: " ".join(cards) or "nothing",
    "how": ENDING_SENTENCES.__getitem__,
    "winner": lambda seat: "a shared victory" if seat is None else f"{player_name(seat)} wins",
}

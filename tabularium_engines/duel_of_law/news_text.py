"""News texts: the sentence for each piece of news, as its viewer may read it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final

from tabularium_engines.common.english_text import seat_name, words_of
from tabularium_engines.duel_of_law.laws import clause_text
from tabularium_engines.duel_of_law.laws.clause_codes import clause_of_fields

TOKEN_COLOUR_NAMES: Final = ("Red", "Blue", "Green", "Purple")  # by seat  # R1


def news_sentence(item: Mapping[str, Any]) -> str:
    """The sentence for one item of news as the viewer received it, without a full stop."""
    words = words_of(item, FACT_WRITERS)
    if "row" in item:
        words["place"] = place_text(item["row"], item["column"])
    if "axis" in item:
        words["line"] = line_text(item["axis"], item["row"], item["column"])
    if "count" in item and "cards" not in item:
        words["cards"] = "a card" if item["count"] == 1 else f"{item['count']} cards"
    if item["kind"] == "tried":
        words["trial"] = TRIALS[item.get("did", "something")].format_map(words)
    elif item["kind"] == "ended":
        how = "shared" if len(item["winners"]) > 1 else item["how"]
        return f"{words['winners']} {ENDINGS[how]}"
    return SENTENCES[item["kind"]].format_map(words)


def player_name(seat: int) -> str:
    """The name of a seat: the colour of its tokens."""
    return seat_name(seat, TOKEN_COLOUR_NAMES[seat])


def place_text(row: int, column: int) -> str:
    """A place in words."""
    return f"row {row}, column {column}"


def line_text(axis: str, row: int, column: int) -> str:
    """A line in words."""
    way = "to the right" if axis == "across" else "downwards"
    return f"the line from {place_text(row, column)} {way}"


def _clause_text(clause: Mapping[str, Any]) -> str:
    return clause_text.clause_sentence(clause_of_fields(**clause))


FACT_WRITERS: Final[Mapping[str, Callable[[Any], str]]] = {
    "seat": player_name,
    "owner": player_name,
    "cards": " ".join,
    "clause": _clause_text,
    "clauses": lambda clauses: ", ".join(map(_clause_text, clauses)),
    "winners": lambda winners: " and ".join(map(player_name, winners)),
}
TRIALS: Final = {
    "something": "is acting",
    "placed": "tries {card} at {place}",
    "named": "says of {card}: {clause}",
    "claimed": "is about to claim: {clause}",
    "left": "leaves a branch to its owner",
    "went_on": "will lay another card",
    "stopped": "lays no more cards",
    "took_back": "takes all cards back",
    "undid": "takes the last card back",
}
ENDINGS: Final = {
    "shared": "share the victory when all have passed",
    "lead": "is two branches ahead and wins",
    "passes": "comes first when all have passed and wins",
}
SENTENCES: Final = {
    "began": "{seat} begins; {card} lies on the table",
    "drew": "{seat} draws {cards}",
    "tried": "{seat} {trial}",
    "laid": "{seat} lays {card} at {place}",
    "bridged": "{seat} joins {branches} branches in {line}",
    "became": "The joker {card} is fixed: {clauses}",
    "claimed": "{seat} claims {line}: {clause}",
    "duelled": "{seat} takes {line} from {owner}, level {level}: {clause}",
    "opened": "{seat} has no cards left: the game can now be won",
    "passed": "{seat} passes",
}

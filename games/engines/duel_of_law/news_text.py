"""News texts: the sentence for each piece of news, as its viewer may read it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final, TypeAlias

from games.engines.duel_of_law.laws import clause_formats
from games.engines.duel_of_law.laws.clause_codes import clause_of_fields

NewsFacts: TypeAlias = Mapping[str, Any]
Writers: TypeAlias = Mapping[str, Callable[[NewsFacts], str]]
TOKEN_COLOUR_NAMES: Final = ("Red", "Blue", "Green", "Purple")  # by seat  # R1


def news_sentence(heard: NewsFacts) -> str:
    """The sentence for one item of news as the viewer received it, without a full stop."""
    return SENTENCE_WRITERS[heard["kind"]](heard)


def player_name(seat: int) -> str:
    """The name of a seat: the colour of its tokens."""
    return TOKEN_COLOUR_NAMES[seat]


def place_text(row: int, column: int) -> str:
    """A place in words."""
    return f"row {row}, column {column}"


def line_text(axis: str, row: int, column: int) -> str:
    """A line in words."""
    way = "to the right" if axis == "across" else "downwards"
    return f"the line from {place_text(row, column)} {way}"


def _name(heard: NewsFacts) -> str:
    return player_name(heard["seat"])


def _place(heard: NewsFacts) -> str:
    return place_text(heard["row"], heard["column"])


def _line(heard: NewsFacts) -> str:
    return line_text(heard["axis"], heard["row"], heard["column"])


def _clause(clause: Mapping[str, Any]) -> str:
    return clause_formats.clause_sentence(clause_of_fields(**clause))


def _drawn_cards(heard: NewsFacts) -> str:
    if "cards" in heard:
        return " ".join(heard["cards"])
    return "a card" if heard["count"] == 1 else f"{heard['count']} cards"


def _ended_sentence(heard: NewsFacts) -> str:
    winners = " and ".join(player_name(seat) for seat in heard["winners"])
    if len(heard["winners"]) > 1:
        return f"{winners} share the victory when all have passed"
    how = "is two branches ahead" if heard["how"] == "lead" else "comes first when all have passed"
    return f"{winners} {how} and wins"


TRIAL_WRITERS: Final[Writers] = {
    "something": lambda heard: "is acting",
    "placed": lambda heard: f"tries {heard['card']} at {_place(heard)}",
    "named": lambda heard: f"says of {heard['card']}: {_clause(heard['clause'])}",
    "claimed": lambda heard: f"is about to claim: {_clause(heard['clause'])}",
    "left": lambda heard: "leaves a branch to its owner",
    "went_on": lambda heard: "will lay another card",
    "stopped": lambda heard: "lays no more cards",
    "took_back": lambda heard: "takes all cards back",
}
SENTENCE_WRITERS: Final[Writers] = {
    "began": lambda heard: f"{_name(heard)} begins; {heard['card']} lies on the table",
    "drew": lambda heard: f"{_name(heard)} draws {_drawn_cards(heard)}",
    "tried": lambda heard: f"{_name(heard)} {TRIAL_WRITERS[heard.get('did', 'something')](heard)}",
    "laid": lambda heard: f"{_name(heard)} lays {heard['card']} at {_place(heard)}",
    "bridged": lambda heard: f"{_name(heard)} joins {heard['branches']} branches in {_line(heard)}",
    "became": lambda heard: (
        f"The joker {heard['card']} is fixed: {', '.join(map(_clause, heard['clauses']))}"
    ),
    "claimed": lambda heard: f"{_name(heard)} claims {_line(heard)}: {_clause(heard['clause'])}",
    "duelled": lambda heard: (
        f"{_name(heard)} takes {_line(heard)} from {player_name(heard['owner'])}, "
        f"level {heard['level']}: {_clause(heard['clause'])}"
    ),
    "opened": lambda heard: f"{_name(heard)} has no cards left: the game can now be won",
    "passed": lambda heard: f"{_name(heard)} passes",
    "ended": _ended_sentence,
}

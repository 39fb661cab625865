"""News texts: the sentence for each piece of news, as its viewer may read it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final

from games.engines.duel_of_law.laws import clause_formats
from games.engines.duel_of_law.laws.clause_codes import clause_of_fields

NewsFacts = Mapping[str, Any]
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


def news_clause_text(clause: Mapping[str, Any]) -> str:
    """A clause in words."""
    return clause_formats.clause_sentence(clause_of_fields(**clause))


def _news_line_text(heard: NewsFacts) -> str:
    return line_text(heard["axis"], heard["row"], heard["column"])


def _began_sentence(heard: NewsFacts) -> str:
    return f"{player_name(heard['seat'])} begins; {heard['card']} lies on the table"


def _drew_sentence(heard: NewsFacts) -> str:
    number = heard["count"]
    some = "a card" if number == 1 else f"{number} cards"
    cards = " ".join(heard["cards"]) if "cards" in heard else some
    return f"{player_name(heard['seat'])} draws {cards}"


def _tried_sentence(heard: NewsFacts) -> str:
    return f"{player_name(heard['seat'])} {TRIAL_WRITERS[heard.get('did', 'something')](heard)}"


def _laid_sentence(heard: NewsFacts) -> str:
    where = place_text(heard["row"], heard["column"])
    return f"{player_name(heard['seat'])} lays {heard['card']} at {where}"


def _bridged_sentence(heard: NewsFacts) -> str:
    name, line = player_name(heard["seat"]), _news_line_text(heard)
    return f"{name} joins {heard['branches']} branches in {line}"


def _became_sentence(heard: NewsFacts) -> str:
    said = ", ".join(news_clause_text(clause) for clause in heard["clauses"])
    return f"The joker {heard['card']} is fixed: {said}"


def _claimed_sentence(heard: NewsFacts) -> str:
    said = news_clause_text(heard["clause"])
    return f"{player_name(heard['seat'])} claims {_news_line_text(heard)}: {said}"


def _duelled_sentence(heard: NewsFacts) -> str:
    owner, said = player_name(heard["owner"]), news_clause_text(heard["clause"])
    name, line = player_name(heard["seat"]), _news_line_text(heard)
    return f"{name} takes {line} from {owner}, level {heard['level']}: {said}"


def _ended_sentence(heard: NewsFacts) -> str:
    winners = " and ".join(player_name(seat) for seat in heard["winners"])
    how = "is two branches ahead" if heard["how"] == "lead" else "comes first when all have passed"
    if len(heard["winners"]) > 1:
        return f"{winners} share the victory when all have passed"
    return f"{winners} {how} and wins"


TRIAL_WRITERS: Final[Mapping[str, Callable[[NewsFacts], str]]] = {
    "something": lambda heard: "is acting",
    "placed": lambda heard: f"tries {heard['card']} at {place_text(heard['row'], heard['column'])}",
    "named": lambda heard: f"says of {heard['card']}: {news_clause_text(heard['clause'])}",
    "claimed": lambda heard: f"is about to claim: {news_clause_text(heard['clause'])}",
    "left": lambda heard: "leaves a branch to its owner",
    "went_on": lambda heard: "will lay another card",
    "stopped": lambda heard: "lays no more cards",
    "took_back": lambda heard: "takes all cards back",
}

SENTENCE_WRITERS: Final[Mapping[str, Callable[[NewsFacts], str]]] = {
    "began": _began_sentence,
    "drew": _drew_sentence,
    "tried": _tried_sentence,
    "laid": _laid_sentence,
    "bridged": _bridged_sentence,
    "became": _became_sentence,
    "claimed": _claimed_sentence,
    "duelled": _duelled_sentence,
    "opened": lambda heard: (
        f"{player_name(heard['seat'])} has no cards left: the game can now be won"
    ),
    "passed": lambda heard: f"{player_name(heard['seat'])} passes",
    "ended": _ended_sentence,
}

"""What the table hears, in words."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final

from games.engines.duel_of_law.language import words
from games.engines.duel_of_law.view import Clause, clause_of

Heard = Mapping[str, Any]
TOKENS: Final = ("Red", "Blue", "Green", "Purple")  # by seat  # R1


def sentence(heard: Heard) -> str:
    """One item of news as it was heard, as a sentence without a full stop."""
    return SENTENCES[heard["kind"]](heard)


def player(seat: int) -> str:
    """How a seat is called: by the colour of its tokens."""
    return TOKENS[seat]


def spot(row: int, column: int) -> str:
    """A place in words."""
    return f"row {row}, column {column}"


def line(axis: str, row: int, column: int) -> str:
    """A line in words."""
    way = "to the right" if axis == "across" else "downwards"
    return f"the line from {spot(row, column)} {way}"


def clause_said(clause: Mapping[str, Any]) -> str:
    """A clause as people say it."""
    return words.sentence(clause_of(Clause(seat=0, **clause)))


def _line(heard: Heard) -> str:
    return line(heard["axis"], heard["row"], heard["column"])


def _began(heard: Heard) -> str:
    return f"{player(heard['seat'])} begins; {heard['card']} lies on the table"


def _drew(heard: Heard) -> str:
    number = heard["count"]
    some = "a card" if number == 1 else f"{number} cards"
    return f"{player(heard['seat'])} draws {' '.join(heard['cards']) if 'cards' in heard else some}"


def _tried(heard: Heard) -> str:
    return f"{player(heard['seat'])} {TRIALS[heard.get('did', 'something')](heard)}"


def _laid(heard: Heard) -> str:
    where = spot(heard["row"], heard["column"])
    return f"{player(heard['seat'])} lays {heard['card']} at {where}"


def _bridged(heard: Heard) -> str:
    return f"{player(heard['seat'])} joins {heard['branches']} branches in {_line(heard)}"


def _became(heard: Heard) -> str:
    said = ", ".join(clause_said(clause) for clause in heard["clauses"])
    return f"The joker {heard['card']} is fixed: {said}"


def _claimed(heard: Heard) -> str:
    said = clause_said(heard["clause"])
    return f"{player(heard['seat'])} claims {_line(heard)}: {said}"


def _duelled(heard: Heard) -> str:
    owner, said = player(heard["owner"]), clause_said(heard["clause"])
    return (
        f"{player(heard['seat'])} takes {_line(heard)} from {owner}, level {heard['level']}: {said}"
    )


def _ended(heard: Heard) -> str:
    winners = " and ".join(player(seat) for seat in heard["winners"])
    how = "is two branches ahead" if heard["how"] == "lead" else "comes first when all have passed"
    if len(heard["winners"]) > 1:
        return f"{winners} share the victory when all have passed"
    return f"{winners} {how} and wins"


TRIALS: Final[Mapping[str, Callable[[Heard], str]]] = {
    "something": lambda heard: "is at it",
    "placed": lambda heard: f"tries {heard['card']} at {spot(heard['row'], heard['column'])}",
    "named": lambda heard: f"says of {heard['card']}: {clause_said(heard['clause'])}",
    "claimed": lambda heard: f"will say: {clause_said(heard['clause'])}",
    "left": lambda heard: "leaves a branch to its owner",
    "went_on": lambda heard: "will lay another card",
    "stopped": lambda heard: "lays no more cards",
    "took_back": lambda heard: "takes it all back",
}

SENTENCES: Final[Mapping[str, Callable[[Heard], str]]] = {
    "began": _began,
    "drew": _drew,
    "tried": _tried,
    "laid": _laid,
    "bridged": _bridged,
    "became": _became,
    "claimed": _claimed,
    "duelled": _duelled,
    "opened": lambda heard: f"{player(heard['seat'])} has no cards left: now one can win",
    "passed": lambda heard: f"{player(heard['seat'])} passes",
    "ended": _ended,
}

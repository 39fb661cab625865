"""What is told of a turn: step by step to whom it belongs, all at once to the others."""

from __future__ import annotations

from typing import Any, Final

from librt.vecs import vec
from mypy_extensions import i64

from games.engines.common.bits import bit
from games.engines.duel_of_law.branches import is_among
from games.engines.duel_of_law.cards import code
from games.engines.duel_of_law.language.names import (
    DIRECTION_NAMES,
    FEATURE_NAMES,
    PATTERN_NAMES,
    VALUE_NAMES,
    direction_in,
    feature_in,
    pattern_in,
    value_in,
)
from games.engines.duel_of_law.language.wilds import known
from games.engines.duel_of_law.laying import jokers_in, lines_of
from games.engines.duel_of_law.table import DuelTable
from games.engines.duel_of_law.tableau import ACROSS, Line
from games.engines.duel_of_law.tasks import (
    CLAIM,
    FINISH,
    LEAVE,
    MORE,
    NAME,
    PLACE,
    card_in,
    clause_in,
    named_in,
)

AXES: Final = ("across", "down")


def tell_try(state: DuelTable, action: i64) -> None:
    """A step of a turn that nobody else sees: they hear only that there was one."""  # R38
    state.tell("tried", state.turn, {}, _tried(state, action), bit(state.turn))


def _tried(state: DuelTable, action: i64) -> dict[str, Any]:
    kind = action & 0xFF
    if kind == PLACE:
        return {"did": "placed", **state.where(card_in(action))}
    if kind == NAME:
        return {"did": "named", "card": code(card_in(action)), "clause": clause(named_in(action))}
    if kind == CLAIM:
        return {"did": "claimed", "clause": clause(clause_in(action))}
    if kind == LEAVE:
        return {"did": "left"}
    return {"did": {MORE: "went_on", FINISH: "stopped"}.get(kind, "took_back")}


def tell_turn(state: DuelTable) -> None:
    """All that has become of the table in this turn, which is over."""
    for card in state.laid:
        state.tell("laid", state.turn, state.where(card))
    for line in lines_of(state.tableau, state.laid):
        bridged = len(state.before.along(line))
        if bridged > 1:
            state.tell("bridged", state.turn, {**place_of(line), "branches": bridged})
    for subject in state.claimed:
        _tell_claim(state, state.tableau.line(subject >> 1, subject & 1))
    for joker in jokers_in(state.tableau, state.laid):
        earlier = vec[i64](known(state.before.wilds, joker))
        certain = known(state.tableau.wilds, joker)
        fixed = [clause(number) for number in certain if not is_among(number, earlier)]
        if len(fixed) > 0:
            state.tell("became", state.turn, {"card": code(joker), "clauses": fixed})


def _tell_claim(state: DuelTable, line: Line) -> None:
    """A branch that is claimed, or stolen from its owner."""
    branch = state.tableau.on(line)
    top = branch.level - 1
    facts = {**place_of(line), "clause": clause(branch.law[top]), "level": branch.level}
    if top == 0:
        state.tell("claimed", state.turn, facts)
    else:
        state.tell("duelled", state.turn, {**facts, "owner": int(branch.tokens[top - 1])})


def place_of(line: Line) -> dict[str, Any]:
    """Where a line begins, and which way it goes."""
    row, column = (line.start >> 8) - 128, (line.start & 0xFF) - 128
    axis = AXES[0] if line.axis == ACROSS else AXES[1]
    return {"axis": axis, "row": int(row), "column": int(column), "size": len(line.cards)}


def clause(number: i64) -> dict[str, Any]:
    """A clause as JSON has it."""
    return {
        "feature": FEATURE_NAMES[feature_in(number)],
        "pattern": PATTERN_NAMES[pattern_in(number)],
        "value": VALUE_NAMES[value_in(number)],
        "direction": DIRECTION_NAMES[direction_in(number)],
    }

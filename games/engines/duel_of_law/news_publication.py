"""Publication of a turn's news: step by step to the seat on turn, all at once to the others."""

from __future__ import annotations

from typing import Any, Final

from librt.vecs import vec
from mypy_extensions import i64

from games.engines.common.bits import bit
from games.engines.duel_of_law.action_numbers import (
    CLAIM,
    FINISH,
    LEAVE,
    MORE,
    NAME,
    PLACE,
    card_in,
    clause_in,
    name_clause_in,
)
from games.engines.duel_of_law.cards import card_code
from games.engines.duel_of_law.laws.clause_codes import (
    DIRECTION_NAMES,
    FEATURE_NAMES,
    PATTERN_NAMES,
    VALUE_NAMES,
    direction_in,
    feature_in,
    pattern_in,
    value_in,
)
from games.engines.duel_of_law.laws.joker_values import certain_clauses
from games.engines.duel_of_law.line_ownership import is_among
from games.engines.duel_of_law.placement_rules import jokers_of_turn, lines_of_turn
from games.engines.duel_of_law.table_state import DuelTable
from games.engines.duel_of_law.tableau import ACROSS, Line

AXIS_NAMES: Final = ("across", "down")


def add_trial_news(state: DuelTable, action: i64) -> None:
    """Add news of a step that the others do not see: they learn only that there was one."""  # R38
    state.add_news("tried", state.turn, {}, _trial_facts(state, action), bit(state.turn))


def _trial_facts(state: DuelTable, action: i64) -> dict[str, Any]:
    kind = action & 0xFF
    if kind == PLACE:
        return {"did": "placed", **state.laid_facts(card_in(action))}
    if kind == NAME:
        return {
            "did": "named",
            "card": card_code(card_in(action)),
            "clause": clause_facts(name_clause_in(action)),
        }
    if kind == CLAIM:
        return {"did": "claimed", "clause": clause_facts(clause_in(action))}
    if kind == LEAVE:
        return {"did": "left"}
    return {"did": {MORE: "went_on", FINISH: "stopped"}.get(kind, "took_back")}


def add_turn_news(state: DuelTable) -> None:
    """Add news of all that changed on the table in the finished turn."""
    for card in state.laid:
        state.add_news("laid", state.turn, state.laid_facts(card))
    for line in lines_of_turn(state.tableau, state.laid):
        bridged = len(state.before.branches_along(line))
        if bridged > 1:
            state.add_news("bridged", state.turn, {**line_facts(line), "branches": bridged})
    for subject in state.claimed:
        _add_claim_news(state, state.tableau.line(subject >> 1, subject & 1))
    for joker in jokers_of_turn(state.tableau, state.laid):
        earlier = vec[i64](certain_clauses(state.before.wilds, joker))
        certain = certain_clauses(state.tableau.wilds, joker)
        fixed = [clause_facts(number) for number in certain if not is_among(number, earlier)]
        if len(fixed) > 0:
            state.add_news("became", state.turn, {"card": card_code(joker), "clauses": fixed})


def _add_claim_news(state: DuelTable, line: Line) -> None:
    """Add news of a branch that is claimed, or stolen from its owner."""
    branch = state.tableau.branch_on(line)
    top = branch.level - 1
    facts = {**line_facts(line), "clause": clause_facts(branch.law[top]), "level": branch.level}
    if top == 0:
        state.add_news("claimed", state.turn, facts)
    else:
        state.add_news("duelled", state.turn, {**facts, "owner": int(branch.tokens[top - 1])})


def line_facts(line: Line) -> dict[str, Any]:
    """The start, the axis and the size of a line."""
    row, column = (line.start >> 8) - 128, (line.start & 0xFF) - 128
    axis = AXIS_NAMES[0] if line.axis == ACROSS else AXIS_NAMES[1]
    return {"axis": axis, "row": int(row), "column": int(column), "size": len(line.cards)}


def clause_facts(number: i64) -> dict[str, Any]:
    """The fields of a clause in JSON."""
    return {
        "feature": FEATURE_NAMES[feature_in(number)],
        "pattern": PATTERN_NAMES[pattern_in(number)],
        "value": VALUE_NAMES[value_in(number)],
        "direction": DIRECTION_NAMES[direction_in(number)],
    }

"""Publication of a turn's news: step by step to the seat on turn, all at once to the others."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

from mypy_extensions import i64

from tabularium_engines.duel_of_law import action_numbers as n
from tabularium_engines.duel_of_law.cards import card_code
from tabularium_engines.duel_of_law.laws.clause_codes import clause_fields
from tabularium_engines.duel_of_law.laws.possible_joker_values import naming_clauses
from tabularium_engines.duel_of_law.placement_rules import jokers_of_turn, lines_of_turn
from tabularium_engines.duel_of_law.tableau import AXIS_NAMES, Line, Tableau, coordinates
from tabularium_engines.duel_of_law.turn_in_progress import Turn

Facts = dict[str, Any]
_STEP_NAMES: Final = {
    int(n.LEAVE): "left",
    int(n.MORE): "went_on",
    int(n.FINISH): "stopped",
    int(n.UNDO): "undid",
}


def trial_facts(turn: Turn, action: i64) -> Facts:
    """A step of the turn that the others do not see."""
    kind = action & 0xFF
    if kind == n.PLACE:
        return {"did": "placed", **laid_facts(turn.tableau, n.card_in(action))}
    if kind == n.NAME:
        named = {"did": "named", "card": card_code(n.card_in(action))}
        return {**named, "clause": clause_fields(n.name_clause_in(action))}
    if kind == n.CLAIM:
        return {"did": "claimed", "clause": clause_fields(n.clause_in(action))}
    return {"did": _STEP_NAMES.get(kind, "took_back")}


def turn_news(turn: Turn) -> Iterator[tuple[str, Facts]]:
    """All that changed on the table in the finished turn: kinds of news and their facts."""
    tableau, before = turn.tableau, turn.before
    for card in turn.laid:
        yield "laid", laid_facts(tableau, card)
    for line in lines_of_turn(tableau, turn.laid):
        bridged = len(before.branches_along(line))
        if bridged > 1:
            yield "bridged", {**_line_facts(line), "branches": bridged}
    for subject in turn.claimed:
        yield _claim_news(tableau, turn.line_in_question(subject))
    for joker in jokers_of_turn(tableau, turn.laid):
        earlier = naming_clauses(before.wilds, joker, is_certain=True)
        certain = naming_clauses(tableau.wilds, joker, is_certain=True)
        fixed = [clause_fields(clause) for clause in certain if clause not in earlier]
        if fixed:
            yield "became", {"card": card_code(joker), "clauses": fixed}


def _claim_news(tableau: Tableau, line: Line) -> tuple[str, Facts]:
    """A branch that is claimed, or stolen from its owner."""
    branch = tableau.branch_on(line)
    top = branch.level - 1
    clause = clause_fields(branch.law[top])
    facts: Facts = {**_line_facts(line), "clause": clause, "level": branch.level}
    if top == 0:
        return "claimed", facts
    return "duelled", {**facts, "owner": int(branch.tokens[top - 1])}


def laid_facts(tableau: Tableau, card: i64) -> Facts:
    """A card on the tableau, and its place."""
    row, column = coordinates(tableau.spots[card])
    return {"card": card_code(card), "row": row, "column": column}


def _line_facts(line: Line) -> Facts:
    """The start, the axis and the size of a line."""
    row, column = coordinates(line.start)
    return {"axis": AXIS_NAMES[line.axis], "row": row, "column": column, "size": len(line.cards)}

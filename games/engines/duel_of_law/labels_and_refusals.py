"""Labels of legal actions, and refusals: the reason why an action is illegal."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from games.engines.base import IllegalAction
from games.engines.common.agenda import kind_of, subject_of
from games.engines.duel_of_law import action_numbers as n
from games.engines.duel_of_law import actions as a
from games.engines.duel_of_law.card_zones import ZONE_PILE
from games.engines.duel_of_law.cards import CARD_CODES, NO_CARD, is_joker
from games.engines.duel_of_law.game_logic import DuelState
from games.engines.duel_of_law.laws import clause_formats
from games.engines.duel_of_law.laws.clause_codes import clause_of_fields
from games.engines.duel_of_law.legal_actions import may_lay_first_card
from games.engines.duel_of_law.news_text import line_text, place_text, player_name
from games.engines.duel_of_law.placement_rules import (
    axis_of,
    is_lawful_line,
    jokers_of_turn,
    lines_of_turn,
)
from games.engines.duel_of_law.tableau import AXIS_NAMES, Line, coordinates, place_at

# -- labels -------------------------------------------------------------------------------------


def label(state: DuelState, action: Any) -> str:
    """A legal action in a few words."""
    return LABEL_WRITERS[type(action)](state, action)


def claim_clause(action: a.Claim) -> int:
    """The clause of a claim, as a number."""
    return int(clause_of_fields(action.feature, action.pattern, action.value, action.direction))


def name_clause(action: a.Name) -> int:
    """The clause that names a joker's value, as a number."""
    return int(clause_of_fields(action.feature, "is", action.value, "forward"))


def _claim_label(state: DuelState, action: a.Claim) -> str:
    branch = state.turn.tableau.branch_on(_line_in_question(state))
    said = clause_formats.clause_sentence(claim_clause(action))
    return (
        f"Claim: {said}" if branch.level == 0 else f"Duel with {player_name(branch.owner)}: {said}"
    )


def _leave_label(state: DuelState, action: a.Leave) -> str:
    line = _line_in_question(state)
    return f"Leave {_line_name(line)} to {player_name(state.turn.tableau.branch_on(line).owner)}"


def _finish_label(state: DuelState, action: a.Finish) -> str:
    return (
        "Lay no more cards"
        if lines_of_turn(state.turn.tableau, state.turn.laid)
        else "End the turn"
    )


def _line_in_question(state: DuelState) -> Line:
    return state.turn.line_in_question(subject_of(state.turn.agenda.top()))


def _line_name(asked: Line) -> str:
    return line_text(AXIS_NAMES[asked.axis], *coordinates(asked.start))


LABEL_WRITERS: Final[dict[type[Any], Callable[[DuelState, Any], str]]] = {
    a.Place: lambda state, action: f"Lay {action.card} at {place_text(action.row, action.column)}",
    a.Name: lambda state, action: (
        f"Joker {action.card}: {clause_formats.clause_sentence(name_clause(action))}"
    ),
    a.More: lambda state, action: "Lay another card",
    a.Claim: _claim_label,
    a.Leave: _leave_label,
    a.TakeBack: lambda state, action: "Take back all that you laid in this turn",
    a.Finish: _finish_label,
    a.DrawSix: lambda state, action: (
        "Draw six cards" if state.zones.count(ZONE_PILE) > 5 else "Draw the rest"
    ),
    a.Pass: lambda state, action: "Pass",
}

# -- refusals -----------------------------------------------------------------------------------


def refusal(state: DuelState, seat: int, action: Any) -> IllegalAction:
    """Why this action is illegal for the seat that has to act."""
    if kind_of(state.turn.agenda.top()) == n.TASK_QUESTION:
        return _answer_refusal(state, action)
    if isinstance(action, (a.Claim, a.Leave)):
        sentence = "There is no line to claim: lay cards, then finish."
        return IllegalAction("no-question", sentence, "/type")
    if len(state.turn.laid) == 0:
        return _opening_refusal(state, seat, action)
    if isinstance(action, (a.DrawSix, a.Pass)):
        sentence = "You have laid cards: finish, or take them back first."
        return IllegalAction("cards-laid", sentence, "/type")
    if kind_of(state.turn.agenda.top()) == n.TASK_CONTINUE:
        return _continuation_refusal(state, action)
    if isinstance(action, a.Place):
        return _placement_refusal(state, seat, action)
    return IllegalAction("not-now", "Lay another card (place).", "/type")


def _answer_refusal(state: DuelState, action: Any) -> IllegalAction:
    """Why this is no answer to the question about a line."""
    asked = _line_in_question(state)
    law = state.turn.tableau.branch_on(asked).law
    if isinstance(action, a.Claim):
        reason = clause_formats.claim_refusal(
            asked.cards, law, claim_clause(action), state.turn.tableau.wilds
        )
        return IllegalAction(*reason, "/pattern")
    if isinstance(action, a.Leave):
        sentence = (
            f"A new branch must be claimed: give {_line_name(asked)} a law, or take your "
            "cards back."
        )
        return IllegalAction("must-claim", sentence, "/type")
    wanted = "claim or take_back" if len(law) == 0 else "claim, leave or take_back"
    sentence = f"Decide about {_line_name(asked)} first ({wanted})."
    return IllegalAction("not-now", sentence, "/type")


def _opening_refusal(state: DuelState, seat: int, action: Any) -> IllegalAction:
    """Why a turn cannot begin like this."""
    if isinstance(action, a.Pass):
        return IllegalAction("must-draw", "There are cards to draw: draw six instead.", "/type")
    if isinstance(action, a.DrawSix):
        return IllegalAction("empty-deck", "There is no card to draw: pass instead.", "/type")
    if not isinstance(action, a.Place):
        return IllegalAction("nothing-laid", "You have laid no card in this turn.", "/type")
    if not may_lay_first_card(state.turn):
        sentence = "You have taken back three times: draw six, or pass if there is no deck."
        return IllegalAction("no-tries-left", sentence, "/type")
    return _placement_refusal(state, seat, action)


def _continuation_refusal(state: DuelState, action: Any) -> IllegalAction:
    """Why a turn in which a card was laid cannot go on like this."""
    if isinstance(action, a.Name):
        return _naming_refusal(state, action)
    if isinstance(action, a.Finish):
        return _finish_refusal(state)
    if isinstance(action, a.More):
        sentence = "You have no other card that can be laid in this line."
        return IllegalAction("no-more", sentence, "/type")
    sentence = "First choose to lay another card (more), or finish."
    return IllegalAction("not-now", sentence, "/type")


def _placement_refusal(state: DuelState, seat: int, action: a.Place) -> IllegalAction:
    """Why a card may not be laid there."""
    card, place = CARD_CODES.index(action.card), place_at(action.row, action.column)
    where = place_text(action.row, action.column)
    if state.zones.zone_of[card] != seat:
        return IllegalAction("not-in-hand", f"You do not hold {action.card}.", "/card")
    if state.turn.tableau.card_at(place) != NO_CARD:
        return IllegalAction("card-there", f"A card lies at {where}.", "/row")
    if place not in state.turn.tableau.border_places():
        return IllegalAction("not-beside", f"No card lies next to {where}.", "/row")
    if len(state.turn.laid) > 0 and not _is_at_line_end(state, place):
        sentence = f"{where.capitalize()} is not at an end of the line that you are laying."
        return IllegalAction("not-in-line", sentence, "/row")
    sentence = f"No law allows {action.card} at {where}, even with further cards."
    return IllegalAction("unlawful", sentence, "/card")


def _is_at_line_end(state: DuelState, place: int) -> bool:
    """Whether the place is at an end of a line that this turn may make."""
    axis, start = (
        axis_of(state.turn.tableau, state.turn.laid),
        state.turn.tableau.spots[state.turn.laid[0]],
    )
    axes = (0, 1) if axis < 0 else (axis,)
    ends = [state.turn.tableau.end_place(start, along, step) for along in axes for step in (-1, 1)]
    return place in ends


def _naming_refusal(state: DuelState, action: a.Name) -> IllegalAction:
    """Why a joker may not have this value."""
    card = CARD_CODES.index(action.card)
    if not is_joker(card):
        return IllegalAction("no-joker", f"{action.card} is not a joker.", "/card")
    if card not in jokers_of_turn(state.turn.tableau, state.turn.laid):
        sentence = f"{action.card} is not in a line of this turn."
        return IllegalAction("joker-elsewhere", sentence, "/card")
    said = clause_formats.clause_sentence(name_clause(action))
    sentence = f"{action.card} cannot have this value now, or has it already: {said}."
    return IllegalAction("joker-fixed", sentence, "/value")


def _finish_refusal(state: DuelState) -> IllegalAction:
    """Why the turn cannot finish: the line that prevents it."""
    for found in lines_of_turn(state.turn.tableau, state.turn.laid):
        if not is_lawful_line(state.turn.tableau, found):
            law = state.turn.tableau.branch_on(found).law
            lack = f"its law: {clause_formats.law_sentence(law)}" if len(law) else "any law"
            sentence = f"{_line_name(found).capitalize()} does not follow {lack}."
            return IllegalAction("unlawful", sentence, "/type")
    sentence = "The lines need a joker to have several values at once."
    return IllegalAction("unlawful", sentence, "/type")

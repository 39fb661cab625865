"""Labels of legal actions, and refusals: the reason why an action is illegal."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from tabularium_engines.base import IllegalAction
from tabularium_engines.common.agenda import kind_of, subject_of
from tabularium_engines.common.english_text import pluralize
from tabularium_engines.duel_of_law import action_numbers as n
from tabularium_engines.duel_of_law import actions as a
from tabularium_engines.duel_of_law import placement_rules as rules
from tabularium_engines.duel_of_law.card_zones import ZONE_PILE
from tabularium_engines.duel_of_law.cards import CARD_CODES, NO_CARD, card_code, is_joker
from tabularium_engines.duel_of_law.game_logic import DuelState
from tabularium_engines.duel_of_law.laws import clause_text as formats
from tabularium_engines.duel_of_law.laws.clause_codes import clause_of_fields
from tabularium_engines.duel_of_law.legal_actions import may_lay_first_card
from tabularium_engines.duel_of_law.news_text import line_text, place_text, player_name
from tabularium_engines.duel_of_law.tableau import AXIS_NAMES, Line, coordinates, place_at
from tabularium_engines.duel_of_law.turn_in_progress import Turn


def label(state: DuelState, action: Any) -> str:
    """A legal action in a few words."""
    return LABEL_WRITERS[type(action)](state, action)


def _naming_sentence(action: a.Name) -> str:
    """The clause that names a joker's value, in words."""
    return formats.clause_sentence(clause_of_fields(action.feature, "is", action.value))


def _naming_label(state: DuelState, action: a.Name) -> str:
    return f"Joker {action.card}: {_naming_sentence(action)}"


def _claim_label(state: DuelState, action: a.Claim) -> str:
    branch = state.turn.tableau.branch_on(_line_in_question(state.turn))
    act = "Claim" if branch.level == 0 else f"Duel with {player_name(branch.owner)}"
    return f"{act}: {formats.clause_sentence(clause_of_fields(**vars(action)))}"


def _leave_label(state: DuelState, action: a.Leave) -> str:
    line = _line_in_question(state.turn)
    return f"Leave {_line_name(line)} to {player_name(state.turn.tableau.branch_on(line).owner)}"


def _finish_label(state: DuelState, action: a.Finish) -> str:
    has_lines = rules.lines_of_turn(state.turn.tableau, state.turn.laid)
    return "Lay no more cards" if has_lines else "End the turn"


def _line_in_question(turn: Turn) -> Line:
    return turn.line_in_question(subject_of(turn.agenda.top()))


def _line_name(asked: Line) -> str:
    return line_text(AXIS_NAMES[asked.axis], *coordinates(asked.start))


LABEL_WRITERS: Final[dict[type[Any], Callable[[DuelState, Any], str]]] = {
    a.Place: lambda state, action: f"Lay {action.card} at {place_text(action.row, action.column)}",
    a.Name: _naming_label,
    a.SecondName: _naming_label,
    a.More: lambda state, action: "Lay another card",
    a.Claim: _claim_label,
    a.SecondClaim: _claim_label,
    a.Leave: _leave_label,
    a.TakeBack: lambda state, action: "Take back all that you laid in this turn",
    a.Finish: _finish_label,
    a.Undo: lambda state, action: f"Take back {card_code(state.turn.laid[-1])}",
    a.DrawSix: lambda state, action: (
        "Draw six cards" if state.zones.count(ZONE_PILE) > 5 else "Draw the rest"
    ),
    a.Pass: lambda state, action: "Pass",
}


def refusal(state: DuelState, seat: int, action: Any) -> IllegalAction:
    """Why this action is illegal for the seat that has to act."""
    turn = state.turn
    if kind_of(turn.agenda.top()) == n.TASK_QUESTION:
        return _answer_refusal(turn, action)
    if isinstance(action, (a.Claim, a.Leave)):
        return _refuse("no-question", "There is no line to claim: lay cards, then finish.")
    if len(turn.laid) == 0:
        return _opening_refusal(state, seat, action)
    return _laying_refusal(state, seat, action)


def _laying_refusal(state: DuelState, seat: int, action: Any) -> IllegalAction:
    """Why this cannot be done once a card is laid."""
    turn = state.turn
    if isinstance(action, a.Undo):
        times = pluralize(int(turn.rulings.retries), "time")
        sentence = f"You have taken back {times}: go on, or take back all cards and draw six."
        return _refuse("no-tries-left", sentence)
    if isinstance(action, (a.DrawSix, a.Pass)):
        return _refuse("cards-laid", "You have laid cards: finish, or take them back first.")
    if kind_of(turn.agenda.top()) == n.TASK_CONTINUE:
        return _continuation_refusal(turn, action)
    if isinstance(action, a.Place):
        return _placement_refusal(state, seat, action)
    return _refuse("not-now", "Lay another card (place).")


def _refuse(code: str, sentence: str, pointer: str = "/type") -> IllegalAction:
    return IllegalAction(code, sentence, pointer)


def _answer_refusal(turn: Turn, action: Any) -> IllegalAction:
    """Why this is no answer to the question about a line."""
    asked = _line_in_question(turn)
    law = turn.tableau.branch_on(asked).law
    if isinstance(action, a.Claim):
        clause = clause_of_fields(**vars(action))
        tableau = turn.tableau
        reason = formats.claim_refusal(asked.cards, law, clause, tableau.wilds, tableau.language)
        return _refuse(*reason, "/pattern")
    name = _line_name(asked)
    if isinstance(action, a.Leave):
        must = f"A new branch must be claimed: give {name} a law, or take your cards back."
        return _refuse("must-claim", must)
    wanted = "claim or take_back" if len(law) == 0 else "claim, leave or take_back"
    return _refuse("not-now", f"Decide about {name} first ({wanted}).")


def _opening_refusal(state: DuelState, seat: int, action: Any) -> IllegalAction:
    """Why a turn cannot begin like this."""
    if isinstance(action, a.Pass):
        return _refuse("must-draw", "There are cards to draw: draw six instead.")
    if isinstance(action, a.DrawSix):
        return _refuse("empty-deck", "There is no card to draw: pass instead.")
    if not isinstance(action, a.Place):
        return _refuse("nothing-laid", "You have laid no card in this turn.")
    if not may_lay_first_card(state.turn):
        most = int(state.turn.rulings.retries) + 1
        times = "three times" if most == 3 else pluralize(most, "time")
        sentence = f"You have taken back {times}: draw six, or pass if there is no deck."
        return _refuse("no-tries-left", sentence)
    return _placement_refusal(state, seat, action)


def _continuation_refusal(turn: Turn, action: Any) -> IllegalAction:
    """Why a turn in which a card was laid cannot go on like this."""
    if isinstance(action, a.Name):
        return _naming_refusal(turn, action)
    if isinstance(action, a.Finish):
        return _finish_refusal(turn)
    if isinstance(action, a.More):
        return _refuse("no-more", "You have no other card that can be laid in this line.")
    return _refuse("not-now", "First choose to lay another card (more), or finish.")


def _placement_refusal(state: DuelState, seat: int, action: a.Place) -> IllegalAction:
    """Why a card may not be laid there."""
    tableau, laid = state.turn.tableau, state.turn.laid
    card, place = CARD_CODES.index(action.card), place_at(action.row, action.column)
    where = place_text(action.row, action.column)
    if state.zones.zone_of[card] != seat:
        return _refuse("not-in-hand", f"You do not hold {action.card}.", "/card")
    if tableau.card_at(place) != NO_CARD:
        return _refuse("card-there", f"A card lies at {where}.", "/row")
    if not tableau.is_beside(place):
        return _refuse("not-beside", f"No card lies next to {where}.", "/row")
    if len(laid) > 0 and place not in rules.ends_of_turn(tableau, laid):
        sentence = f"{where.capitalize()} is not at an end of the line that you are laying."
        return _refuse("not-in-line", sentence, "/row")
    sentence = f"No law allows {action.card} at {where}, even with further cards."
    return _refuse("unlawful", sentence, "/card")


def _naming_refusal(turn: Turn, action: a.Name) -> IllegalAction:
    """Why a joker may not have this value."""
    card = CARD_CODES.index(action.card)
    if not is_joker(card):
        return _refuse("no-joker", f"{action.card} is not a joker.", "/card")
    if card not in rules.jokers_of_turn(turn.tableau, turn.laid):
        return _refuse("joker-elsewhere", f"{action.card} is not in a line of this turn.", "/card")
    said = _naming_sentence(action)
    sentence = f"{action.card} cannot have this value now, or has it already: {said}."
    return _refuse("joker-fixed", sentence, "/value")


def _finish_refusal(turn: Turn) -> IllegalAction:
    """Why the turn cannot finish: the line that prevents it."""
    for found in rules.lines_of_turn(turn.tableau, turn.laid):
        if not rules.is_lawful_line(turn.tableau, found):
            law = turn.tableau.branch_on(found).law
            lack = f"its law: {formats.law_sentence(law)}" if len(law) else "any law"
            return _refuse("unlawful", f"{_line_name(found).capitalize()} does not follow {lack}.")
    return _refuse("unlawful", "The lines need a joker to have several values at once.")

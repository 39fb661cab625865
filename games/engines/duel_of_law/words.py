"""What a player reads about an action: its label if it is legal, the reason if it is not."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from games.engines.base import IllegalAction
from games.engines.common.agenda import kind_of, subject_of
from games.engines.duel_of_law import actions as a
from games.engines.duel_of_law.cards import CODES, NO_CARD, is_joker
from games.engines.duel_of_law.choices import RETRIES
from games.engines.duel_of_law.language import words
from games.engines.duel_of_law.laying import axis_of, is_lawful_line, jokers_in, lines_of
from games.engines.duel_of_law.news import line, player, spot
from games.engines.duel_of_law.state import DuelState
from games.engines.duel_of_law.table import PILE
from games.engines.duel_of_law.tableau import DOWN, Line
from games.engines.duel_of_law.tasks import ASK, LAID
from games.engines.duel_of_law.view import MIDDLE, Clause, clause_of, place_of

# -- labels -------------------------------------------------------------------------------------


def label(state: DuelState, action: Any) -> str:
    """A legal action in a few words."""
    return LABELS[type(action)](state, action)


def claimed(action: a.Claim) -> int:
    """The clause of a claim, as the rules number it."""
    clause = Clause(0, action.feature, action.pattern, action.value, action.direction)
    return clause_of(clause)


def named(action: a.Name) -> int:
    """What a joker is said to be, as the rules number it."""
    return clause_of(Clause(0, action.feature, "is", action.value, "forward"))


def _claim(state: DuelState, action: a.Claim) -> str:
    branch = state.tableau.on(_asked(state))
    said = words.sentence(claimed(action))
    return f"Claim: {said}" if branch.level == 0 else f"Duel with {player(branch.owner)}: {said}"


def _leave(state: DuelState, action: a.Leave) -> str:
    return f"Leave {_told(_asked(state))} to {player(state.tableau.on(_asked(state)).owner)}"


def _finish(state: DuelState, action: a.Finish) -> str:
    return "Lay no more cards" if lines_of(state.tableau, state.laid) else "End the turn"


def _asked(state: DuelState) -> Line:
    return state.asked(subject_of(state.agenda.top()))


def _told(asked: Line) -> str:
    row, column = int(asked.start >> 8) - MIDDLE, int(asked.start & 0xFF) - MIDDLE
    return line("down" if asked.axis == DOWN else "across", row, column)


LABELS: Final[dict[type[Any], Callable[[DuelState, Any], str]]] = {
    a.Place: lambda state, action: f"Lay {action.card} at {spot(action.row, action.column)}",
    a.Name: lambda state, action: f"Joker {action.card}: {words.sentence(named(action))}",
    a.More: lambda state, action: "Lay another card",
    a.Claim: _claim,
    a.Leave: _leave,
    a.TakeBack: lambda state, action: "Take back all that you laid in this turn",
    a.Finish: _finish,
    a.DrawSix: lambda state, action: "Draw six cards" if state.count(PILE) > 5 else "Draw the rest",
    a.Pass: lambda state, action: "Pass",
}

# -- refusals -----------------------------------------------------------------------------------


def refusal(state: DuelState, seat: int, action: Any) -> IllegalAction:
    """Why the seat, which is awaited, may not do this."""
    if kind_of(state.agenda.top()) == ASK:
        return _no_answer(state, action)
    if isinstance(action, (a.Claim, a.Leave)):
        sentence = "No branch is in question: lay cards, then finish."
        return IllegalAction("no-question", sentence, "/type")
    if len(state.laid) == 0:
        return _no_beginning(state, seat, action)
    if isinstance(action, (a.DrawSix, a.Pass)):
        sentence = "You have laid cards: finish, or take them back first."
        return IllegalAction("cards-laid", sentence, "/type")
    if kind_of(state.agenda.top()) == LAID:
        return _no_continuation(state, action)
    if isinstance(action, a.Place):
        return _misplaced(state, seat, action)
    return IllegalAction("not-now", "The table waits for another card (place).", "/type")


def _no_answer(state: DuelState, action: Any) -> IllegalAction:
    """Why this does not answer what is asked about a line."""
    asked = _asked(state)
    law = state.tableau.on(asked).law
    if isinstance(action, a.Claim):
        reason = words.why_not(asked.cards, law, claimed(action), state.tableau.wilds)
        return IllegalAction(*reason, "/pattern")
    if isinstance(action, a.Leave):
        sentence = f"A new branch must be claimed: give {_told(asked)} a law, or take back."
        return IllegalAction("must-claim", sentence, "/type")
    wanted = "claim or take_back" if len(law) == 0 else "claim, leave or take_back"
    sentence = f"The table waits for your word on {_told(asked)} ({wanted})."
    return IllegalAction("not-now", sentence, "/type")


def _no_beginning(state: DuelState, seat: int, action: Any) -> IllegalAction:
    """Why a turn cannot begin like this."""
    if isinstance(action, a.Pass):
        return IllegalAction("must-draw", "There are cards to draw: draw six instead.", "/type")
    if isinstance(action, a.DrawSix):
        return IllegalAction("empty-deck", "There is no card to draw: pass instead.", "/type")
    if not isinstance(action, a.Place):
        return IllegalAction("nothing-laid", "You have laid no card in this turn.", "/type")
    if state.taken_back > RETRIES:
        sentence = "You have taken back three times: draw six, or pass if there is no deck."
        return IllegalAction("no-tries-left", sentence, "/type")
    return _misplaced(state, seat, action)


def _no_continuation(state: DuelState, action: Any) -> IllegalAction:
    """Why a turn in which a card was laid cannot go on like this."""
    if isinstance(action, a.Name):
        return _misnamed(state, action)
    if isinstance(action, a.Finish):
        return _unfinished(state)
    if isinstance(action, a.More):
        sentence = "There is no other card that you could lay in this line."
        return IllegalAction("no-more", sentence, "/type")
    sentence = "Say first that you lay another card (more), or finish."
    return IllegalAction("not-now", sentence, "/type")


def _misplaced(state: DuelState, seat: int, action: a.Place) -> IllegalAction:
    """Why a card may not be laid there."""
    card, place = CODES.index(action.card), place_of(action.row, action.column)
    where = spot(action.row, action.column)
    if state.zones[card] != seat:
        return IllegalAction("not-in-hand", f"You do not hold {action.card}.", "/card")
    if state.tableau.card_at(place) != NO_CARD:
        return IllegalAction("card-there", f"A card lies at {where}.", "/row")
    if place not in state.tableau.border():
        return IllegalAction("not-beside", f"No card lies beside {where}.", "/row")
    if len(state.laid) > 0 and not _continues(state, place):
        sentence = f"{where.capitalize()} is not at an end of the line that you are laying."
        return IllegalAction("not-in-line", sentence, "/row")
    sentence = f"No law allows {action.card} at {where}, whatever you lay besides."
    return IllegalAction("unlawful", sentence, "/card")


def _continues(state: DuelState, place: int) -> bool:
    """Is the place at an end of a line that this turn may make?"""
    axis, start = axis_of(state.tableau, state.laid), state.tableau.spots[state.laid[0]]
    axes = (0, 1) if axis < 0 else (axis,)
    ends = [state.tableau.end(start, along, step) for along in axes for step in (-1, 1)]
    return place in ends


def _misnamed(state: DuelState, action: a.Name) -> IllegalAction:
    """Why a joker may not be this."""
    card = CODES.index(action.card)
    if not is_joker(card):
        return IllegalAction("no-joker", f"{action.card} is what it is: no joker.", "/card")
    if card not in jokers_in(state.tableau, state.laid):
        sentence = f"{action.card} is in no line of this turn."
        return IllegalAction("joker-elsewhere", sentence, "/card")
    sentence = (
        f"{action.card} cannot be that now, or is it already: {words.sentence(named(action))}."
    )
    return IllegalAction("joker-fixed", sentence, "/value")


def _unfinished(state: DuelState) -> IllegalAction:
    """Which line is in the way of finishing."""
    for found in lines_of(state.tableau, state.laid):
        if not is_lawful_line(state.tableau, found):
            law = state.tableau.on(found).law
            lack = f"its law: {words.law_sentence(law)}" if len(law) else "any law"
            sentence = f"{_told(found).capitalize()} does not follow {lack}."
            return IllegalAction("unlawful", sentence, "/type")
    sentence = "The lines need more of a joker than it can be at once."
    return IllegalAction("unlawful", sentence, "/type")

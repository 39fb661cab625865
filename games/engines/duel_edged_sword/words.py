"""What a player reads about an action: its label if it is legal, the reason if it is not."""

from __future__ import annotations

from typing import Any

from games.engines.base import IllegalAction
from games.engines.duel_edged_sword.actions import OpenRow, Place
from games.engines.duel_edged_sword.captions import Effect, edges, effect
from games.engines.duel_edged_sword.cards import COMPLETE_CODES, SORT_CODES, code, sort_of
from games.engines.duel_edged_sword.news import joined, shown
from games.engines.duel_edged_sword.state import SwordState
from games.engines.duel_edged_sword.view import laid


def label(state: SwordState, seat: int, action: Any) -> str:
    """A legal action in a few words, with what comes of it."""
    card = code(state.drawn)
    if isinstance(action, OpenRow):
        return f"Lay {shown(card)} into the empty row {action.row}"
    follows = effect(laid(state, action.row - 1), action.side, card)
    return f"Lay {shown(card)} at the {action.side} of row {action.row}{_told(follows)}"


def _told(follows: Effect) -> str:
    if follows.collected:
        return f": collect {listed(follows.collected)}"
    if follows.turned:
        return f": turn {listed(follows.turned)} face down"
    return ""


def listed(cards: tuple[str, ...]) -> str:
    """Completes one by one, then the other kinds, each with its number."""
    completes = [shown(card) for card in cards if card in COMPLETE_CODES]
    kinds = [f"{number} {shown(kind)}" for kind, number in edges(cards)]
    return joined([*completes, *kinds])


def refusal(state: SwordState, seat: int, action: Any) -> IllegalAction:
    """Why the seat, which is awaited, may not do this."""
    if action.card != SORT_CODES[sort_of(state.drawn)]:
        sentence = f"You have drawn {shown(code(state.drawn))}, not {shown(action.card)}."
        return IllegalAction("not-your-card", sentence, "/card")
    is_empty = state.rows.sizes[action.row - 1] == 0
    if isinstance(action, Place) and is_empty:
        sentence = f"Row {action.row} is empty: it is opened, not played at an end (open_row)."
        return IllegalAction("row-empty", sentence, "/row")
    if isinstance(action, OpenRow):
        sentence = f"Row {action.row} has cards: play at one of its ends (place)."
        return IllegalAction("row-not-empty", sentence, "/row")
    where = f"the {action.side} end of row {action.row}"
    sentence = f"A True or a False may not lie beside another, and one lies at {where}."
    return IllegalAction("logical-neighbours", sentence, "/side")

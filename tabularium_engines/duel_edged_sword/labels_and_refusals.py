"""Labels of legal actions, and refusals: the reason why an action is illegal."""

from __future__ import annotations

from typing import Any

from tabularium_engines.base import IllegalAction
from tabularium_engines.duel_edged_sword.actions import OpenRow, Place
from tabularium_engines.duel_edged_sword.cards import CARD_CODES, SORT_CODES, kind_of, sort_of
from tabularium_engines.duel_edged_sword.game_logic import SIDE_NAMES, SwordState
from tabularium_engines.duel_edged_sword.news_text import card_text


def label(state: SwordState, action: Any) -> str:
    """A short description of a legal action, without its effect."""
    card = CARD_CODES[state.drawn]
    if isinstance(action, OpenRow):
        return f"Lay {card_text(card)} into the empty row {action.row}"
    end = "the only card" if has_one_end(state, action.row) else f"the {action.side}"
    return f"Lay {card_text(card)} at {end} of row {action.row}"


def has_one_end(state: SwordState, number: int) -> bool:
    """Whether both ends of a row are one place (R8)."""
    return int(state.rows.sizes[number - 1]) <= int(state.variant.one_place_size)


def refusal(state: SwordState, seat: int, action: Any) -> IllegalAction:
    """Why the seat, whose turn it is, may not do this."""
    if action.card != SORT_CODES[sort_of(state.drawn)]:
        drawn = card_text(CARD_CODES[state.drawn])
        sentence = f"You have drawn {drawn}, not {card_text(action.card)}."
        return IllegalAction("not-your-card", sentence, "/card")
    if isinstance(action, Place) and state.rows.sizes[action.row - 1] == 0:
        sentence = f"Row {action.row} is empty: open it (open_row)."
        return IllegalAction("row-empty", sentence, "/row")
    if isinstance(action, OpenRow):
        sentence = f"Row {action.row} has cards: play at one of its ends (place)."
        return IllegalAction("row-not-empty", sentence, "/row")
    if state.rows.may_lay(action.row - 1, SIDE_NAMES.index(action.side), kind_of(state.drawn)):
        sentence = f"Row {action.row} has one card, whose sides are one place: play at its left."
        return IllegalAction("one-end", sentence, "/side")
    where = f"the {action.side} end of row {action.row}"
    sentence = f"A True or a False may not lie next to another, and one lies at {where}."
    return IllegalAction("logical-neighbours", sentence, "/side")

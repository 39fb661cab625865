"""Labels of legal actions, and refusals: the reason why an action is illegal."""

from __future__ import annotations

from collections import Counter
from typing import Any, Final

from games.engines.base import IllegalAction
from games.engines.common.english_text import join_words
from games.engines.duel_edged_sword.actions import OpenRow, Place
from games.engines.duel_edged_sword.cards import CARD_CODES, COMPLETE_CODES, SORT_CODES, sort_of
from games.engines.duel_edged_sword.game_logic import SwordState
from games.engines.duel_edged_sword.news_text import card_text
from games.engines.duel_edged_sword.status_text import count_texts, effect_of
from games.engines.duel_edged_sword.view import row_view

EFFECT_TEXTS: Final = {"collect": ": collect {cards}", "turn": ": turn {cards} face down", "": ""}


def label(state: SwordState, seat: int, action: Any) -> str:
    """A short description of a legal action and its effect."""
    card = CARD_CODES[state.drawn]
    if isinstance(action, OpenRow):
        return f"Lay {card_text(card)} into the empty row {action.row}"
    effect, cards = effect_of(row_view(state, action.row - 1), action.side, card)
    completes = [each for each in cards if each in COMPLETE_CODES]
    counted = join_words([*completes, *count_texts(Counter(cards))])
    follows = EFFECT_TEXTS[effect].format(cards=counted)
    return f"Lay {card_text(card)} at the {action.side} of row {action.row}{follows}"


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
    where = f"the {action.side} end of row {action.row}"
    sentence = f"A True or a False may not lie next to another, and one lies at {where}."
    return IllegalAction("logical-neighbours", sentence, "/side")

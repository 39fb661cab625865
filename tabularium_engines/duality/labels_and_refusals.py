"""Labels of legal actions, and refusals: the reason why an action is illegal."""

from __future__ import annotations

from typing import Any

from tabularium_engines.base import IllegalAction
from tabularium_engines.common.bits import has
from tabularium_engines.duality import actions as a
from tabularium_engines.duality.board import Board, count_connections, place_of
from tabularium_engines.duality.cards import CARD_CODES, NO_TILE, is_symmetric, ports_of
from tabularium_engines.duality.game_logic import DualityState
from tabularium_engines.duality.news_text import PLAYER_NAMES, card_text, place_text
from tabularium_engines.duality.paths import Reach
from tabularium_engines.duality.view import tile_number


def label(state: DualityState, seat: int, action: Any) -> str:
    """A short description of a legal action."""
    if isinstance(action, a.Pass):
        return "Pass: you have no other action"
    card, place = card_text(action.card, action.turned), place_text(action.row, action.column)
    if isinstance(action, a.Play):
        return f"Play {card} to {place}"
    old = state.board.tile(place_of(action.column, action.row))
    return f"Replace {CARD_CODES[old // 2]} by {card} in {place}"


def refusal(state: DualityState, seat: int, action: Any) -> IllegalAction:
    """Why the seat, whose turn it is, may not do this."""
    if isinstance(action, a.Pass):
        return IllegalAction("must-play", "You have a play, so you may not pass.", "/type")
    if not has(state.hidden.hands[seat], CARD_CODES.index(action.card)):
        return IllegalAction("not-in-hand", f"You do not hold {action.card}.", "/card")
    return _placement_refusal(state, seat, action)


def _placement_refusal(state: DualityState, seat: int, action: a.Placement) -> IllegalAction:
    """Why a card in the hand may not be put there."""
    where, place = place_text(action.row, action.column), place_of(action.column, action.row)
    old = state.board.tile(place)
    if action.row > state.board.rows:
        return IllegalAction("no-such-row", f"There are only {state.board.rows} rows.", "/row")
    if isinstance(action, a.Replace) and old == NO_TILE:
        sentence = f"No card lies in {where}: play one there instead."
        return IllegalAction("nothing-there", sentence, "/type")
    if isinstance(action, a.Play) and old != NO_TILE:
        sentence = f"A card lies in {where}: replace it instead."
        return IllegalAction("card-there", sentence, "/type")
    if action.turned and is_symmetric(CARD_CODES.index(action.card)):
        sentence = f"{action.card} looks the same when turned: do not turn it."
        return IllegalAction("same-turned", sentence, "/turned")
    joined = Reach(state.board, seat).ports_at(place)
    if joined == 0:
        sentence = f"None of your paths leads to {where}."
        return IllegalAction("out-of-reach", sentence, "/column")
    return _line_refusal(state.board, seat, action, joined)


def _line_refusal(board: Board, seat: int, action: a.Placement, joined: int) -> IllegalAction:
    """Why a card that is joined at these ports may not lie there because of its lines."""
    card, tile = card_text(action.card, action.turned), tile_number(action.card, action.turned)
    if ports_of(tile, seat) & joined == 0:
        colour = PLAYER_NAMES[seat].lower()
        sentence = f"There {card} would not continue or begin one of your {colour} paths."
        return IllegalAction("not-joined", sentence, "/card")
    place = place_of(action.column, action.row)
    least = board.connections_at(place)
    offered = count_connections(board.surroundings(place), tile)
    sentence = f"The card there makes {least} connections, {card} would make only {offered}."
    return IllegalAction("fewer-connections", sentence, "/card")

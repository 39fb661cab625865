"""Do we and OpenSpiel play the same Connect Four, and is a simulation worth the same?"""

from __future__ import annotations

from typing import Any

from ai.search.ismcts import Search
from ai.search.playout import PlayToEnd
from bench import spiel
from games.engines.base import State
from games.engines.common.bits import lowest
from games.engines.common.rng import FastRng


def agree(state: State, rng: FastRng) -> bool:
    """Do legal actions and returns agree at every step of one random game?"""
    theirs = spiel.connect_four().new_initial_state()
    while state.to_act != 0:
        seat = lowest(state.to_act)
        if theirs.is_terminal() or theirs.current_player() != seat:
            return False
        if state.legal_actions(seat) != theirs.legal_actions():
            return False
        action = state.random_action(seat, rng)
        state.apply(seat, action, rng)
        theirs.apply_action(action)
    return bool(theirs.is_terminal() and ours_from(theirs.returns()) == state.returns())


def ours_from(returns: list[float]) -> list[float]:
    """OpenSpiel's -1 … 1 as our 0 … 1."""
    return [(value + 1) / 2 for value in returns]


def play(state: State, number: int, simulations: int) -> float:
    """One game against MCTSBot, who begins in turn: what we get out of it."""
    rng = FastRng(number)
    opponent: Any = spiel.mcts_bot(simulations, seed=number)
    theirs = spiel.connect_four().new_initial_state()
    our_seat = number % 2
    while state.to_act != 0:
        seat = lowest(state.to_act)
        ours = seat == our_seat
        action = chosen(state, seat, rng, simulations) if ours else opponent.step(theirs)
        state.apply(seat, action, rng)
        theirs.apply_action(action)
    return state.returns()[our_seat]


def chosen(state: State, seat: int, rng: FastRng, simulations: int) -> int:
    """What our search does."""
    search = Search(state, seat, PlayToEnd(), rng)
    search.run(simulations)
    return search.best()

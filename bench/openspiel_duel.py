"""Connect Four against OpenSpiel: whether the rules agree, and whether a simulation is worth as
much."""

from __future__ import annotations

from typing import Any

from bench import openspiel_contestant
from tabularium_engines.base import State
from tabularium_engines.common.bits import lowest
from tabularium_engines.common.random_generators import FastRng
from tabularium_engines.search.ismcts import Search
from tabularium_engines.search.playout import RandomRolloutEvaluator


def rules_agree(state: State, rng: FastRng) -> bool:
    """Whether legal actions and returns agree at every step of one random game."""
    theirs = openspiel_contestant.connect_four_game().new_initial_state()
    while state.to_act != 0:
        seat = lowest(state.to_act)
        if theirs.is_terminal() or theirs.current_player() != seat:
            return False
        if state.legal_actions(seat) != theirs.legal_actions():
            return False
        action = state.random_action(seat, rng)
        state.apply(seat, action, rng)
        theirs.apply_action(action)
    return bool(theirs.is_terminal() and to_our_returns(theirs.returns()) == state.returns())


def to_our_returns(returns: list[float]) -> list[float]:
    """OpenSpiel's -1 … 1 as our 0 … 1."""
    return [(value + 1) / 2 for value in returns]


def play_duel(state: State, number: int, simulations: int) -> float:
    """Our return in one game against MCTSBot; the seats alternate."""
    rng = FastRng(number)
    opponent: Any = openspiel_contestant.mcts_bot(simulations, seed=number)
    theirs = openspiel_contestant.connect_four_game().new_initial_state()
    our_seat = number % 2
    while state.to_act != 0:
        seat = lowest(state.to_act)
        ours = seat == our_seat
        action = choose_action(state, seat, rng, simulations) if ours else opponent.step(theirs)
        state.apply(seat, action, rng)
        theirs.apply_action(action)
    return state.returns()[our_seat]


def choose_action(state: State, seat: int, rng: FastRng, simulations: int) -> int:
    """Our search's action."""
    search = Search(state, seat, RandomRolloutEvaluator(), rng)
    search.run(simulations)
    return search.best_action()

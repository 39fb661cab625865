"""OpenSpiel's contestants, each the fastest way to the same work that its Python API offers."""

from __future__ import annotations

import random
from functools import cache
from typing import Any

import numpy as np
import pyspiel
from open_spiel.python.algorithms import mcts

from bench.positions import CARD_SIMULATIONS, CARDS_PLAYED, OPENINGS, SIMULATIONS
from bench.worker import Round, Task

UCT = 1.4  # their rewards are -1 … 1; on our 0 … 1 this is 0.7
CARD_GAMES = {"euchre": 5.6, "oh_hell": 18.9, "gin_rummy": 172.0}  # UCT: 0.7 of their rewards
BIDS = {"oh_hell": 3, "gin_rummy": 0}  # before cards are played; in euchre that depends
MEMORY = 1000  # megabytes
ROLLOUTS = 1000  # a round
TASKS: dict[str, Task] = {}


@cache
def connect_four() -> Any:
    """Their game."""
    return pyspiel.load_game("connect_four")


def mcts_bot(simulations: int, seed: int, rollouts: int = 1) -> Any:
    """Their C++ MCTS."""
    evaluator = pyspiel.RandomRolloutEvaluator(rollouts, seed)
    game = connect_four()
    return pyspiel.MCTSBot(game, evaluator, UCT, simulations, MEMORY, False, seed, False)


# -- random games of Connect Four ---------------------------------------------------------------


def evaluator_playouts() -> Round:
    """C++ alone: one simulation whose leaf, the empty board, is judged by many rollouts."""
    bot = mcts_bot(simulations=1, seed=1, rollouts=ROLLOUTS)
    start = connect_four().new_initial_state()

    def play() -> float:
        bot.step(start)
        return ROLLOUTS

    return play


def bot_playouts() -> Round:
    """Two of their C++ random bots, one call a game."""
    bots = [pyspiel.make_uniform_random_bot(seat, seat + 1) for seat in range(2)]

    def play() -> float:
        for seed in range(ROLLOUTS):
            pyspiel.evaluate_bots(connect_four().new_initial_state(), bots, seed)
        return ROLLOUTS

    return play


def loop_playouts() -> Round:
    """Their C++ state, driven by a loop in Python."""
    draw = random.Random(1).random

    def play() -> float:
        for _ in range(ROLLOUTS):
            state = connect_four().new_initial_state()
            while not state.is_terminal():
                actions = state.legal_actions()
                state.apply_action(actions[int(draw() * len(actions))])
        return ROLLOUTS

    return play


# -- searches -----------------------------------------------------------------------------------


def opening(drops: str) -> Any:
    """Connect Four after some drops."""
    state = connect_four().new_initial_state()
    for drop in drops:
        state.apply_action(int(drop))
    return state


def searches(bot: Any, states: list[Any], simulations: int) -> Round:
    """One search in each position; the unit is a simulation."""

    def search() -> float:
        for state in states:
            bot.step(state)
        return len(states) * simulations

    return search


def python_mcts_bot() -> Any:
    """Their MCTS in Python, on the C++ state."""
    evaluator = mcts.RandomRolloutEvaluator(1, np.random.RandomState(1))
    chance = np.random.RandomState(2)
    game = connect_four()
    return mcts.MCTSBot(game, UCT, SIMULATIONS, evaluator, solve=False, random_state=chance)


def ismcts_bot(uct: float) -> Any:
    """Their C++ ISMCTS, with a new deal for each simulation."""
    evaluator = pyspiel.RandomRolloutEvaluator(1, 1)
    final = pyspiel.ISMCTSFinalPolicyType.MAX_VISIT_COUNT
    return pyspiel.ISMCTSBot(1, evaluator, uct, CARD_SIMULATIONS, -1, final, False, False)


def card_game_after(name: str, cards: int, seed: int) -> Any:
    """A card game after random bids and so many random cards, with a choice open."""
    chance = random.Random(seed)
    while True:
        state = pyspiel.load_game(name).new_initial_state()
        while not state.is_terminal() and not is_ready(name, state, cards):
            state.apply_action(chance.choice(state.legal_actions()))
        if not state.is_terminal() and len(state.legal_actions()) > 1:
            return state


def is_ready(name: str, state: Any, cards: int) -> bool:
    """Has play begun, with so many cards on the table?"""
    if name == "euchre":
        return str(state.current_phase()) == "Phase.PLAY" and state.num_cards_played() == cards
    decisions = sum(done.player >= 0 for done in state.full_history())
    return not state.is_chance_node() and decisions == BIDS[name] + cards


def begun(name: str) -> list[Any]:
    """A card game in several positions, each from another deal."""
    return [card_game_after(name, cards, seed) for seed, cards in enumerate(CARDS_PLAYED)]


def rounds() -> dict[str, Round]:
    """All that OpenSpiel competes in."""
    openings = [opening(drops) for drops in OPENINGS]
    found = {
        f"{name}_ismcts": searches(ismcts_bot(uct), begun(name), CARD_SIMULATIONS)
        for name, uct in CARD_GAMES.items()
    }
    return found | {
        "evaluator_playouts": evaluator_playouts(),
        "bot_playouts": bot_playouts(),
        "loop_playouts": loop_playouts(),
        "mcts": searches(mcts_bot(SIMULATIONS, seed=2), openings, SIMULATIONS),
        "python_mcts": searches(python_mcts_bot(), openings, SIMULATIONS),
    }

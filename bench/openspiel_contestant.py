"""OpenSpiel's contestants, each the fastest way to do the same work in its Python API."""

from __future__ import annotations

import random
from functools import cache
from typing import Any

import numpy as np
import pyspiel
from open_spiel.python.algorithms import mcts

from bench.search_positions import (
    CARD_SIMULATIONS,
    CONNECT_FOUR_OPENINGS,
    CONNECT_FOUR_SIMULATIONS,
    OPENSPIEL_CARDS_PLAYED,
)
from bench.worker import Round, Task

UCT_CONSTANT = 1.4  # for rewards of -1 … 1; equals 0.7 on our 0 … 1
UCT_BY_CARD_GAME = {"euchre": 5.6, "oh_hell": 18.9, "gin_rummy": 172.0}  # 0.7 of their reward range
# before cards are played; in euchre their number varies
BID_COUNTS = {"oh_hell": 3, "gin_rummy": 0}
MEMORY_MEGABYTES = 1000
ROLLOUTS_PER_ROUND = 1000
TASKS: dict[str, Task] = {}


@cache
def connect_four_game() -> Any:
    """OpenSpiel's Connect Four."""
    return pyspiel.load_game("connect_four")


def mcts_bot(simulations: int, seed: int, rollouts: int = 1) -> Any:
    """OpenSpiel's MCTS in C++."""
    evaluator = pyspiel.RandomRolloutEvaluator(rollouts, seed)
    game = connect_four_game()
    return pyspiel.MCTSBot(
        game, evaluator, UCT_CONSTANT, simulations, MEMORY_MEGABYTES, False, seed, False
    )


# -- random games of Connect Four ---------------------------------------------------------------


def evaluator_playouts() -> Round:
    """C++ alone: one simulation whose leaf, the empty board, is evaluated by many rollouts."""
    bot = mcts_bot(simulations=1, seed=1, rollouts=ROLLOUTS_PER_ROUND)
    start = connect_four_game().new_initial_state()

    def play() -> float:
        bot.step(start)
        return ROLLOUTS_PER_ROUND

    return play


def bot_playouts() -> Round:
    """Two of OpenSpiel's random bots in C++, one call per game."""
    bots = [pyspiel.make_uniform_random_bot(seat, seat + 1) for seat in range(2)]

    def play() -> float:
        for seed in range(ROLLOUTS_PER_ROUND):
            pyspiel.evaluate_bots(connect_four_game().new_initial_state(), bots, seed)
        return ROLLOUTS_PER_ROUND

    return play


def loop_playouts() -> Round:
    """OpenSpiel's C++ state, driven by a Python loop."""
    draw = random.Random(1).random

    def play() -> float:
        for _ in range(ROLLOUTS_PER_ROUND):
            state = connect_four_game().new_initial_state()
            while not state.is_terminal():
                actions = state.legal_actions()
                state.apply_action(actions[int(draw() * len(actions))])
        return ROLLOUTS_PER_ROUND

    return play


# -- searches -----------------------------------------------------------------------------------


def opening_state(drops: str) -> Any:
    """Connect Four after some drops."""
    state = connect_four_game().new_initial_state()
    for drop in drops:
        state.apply_action(int(drop))
    return state


def search_round(bot: Any, states: list[Any], simulations: int) -> Round:
    """One search in each position; the unit is a simulation."""

    def search() -> float:
        for state in states:
            bot.step(state)
        return len(states) * simulations

    return search


def python_mcts_bot() -> Any:
    """OpenSpiel's MCTS in Python, on the C++ state."""
    evaluator = mcts.RandomRolloutEvaluator(1, np.random.RandomState(1))
    chance = np.random.RandomState(2)
    game = connect_four_game()
    return mcts.MCTSBot(
        game, UCT_CONSTANT, CONNECT_FOUR_SIMULATIONS, evaluator, solve=False, random_state=chance
    )


def ismcts_bot(uct: float) -> Any:
    """OpenSpiel's ISMCTS in C++, with a new deal for each simulation."""
    evaluator = pyspiel.RandomRolloutEvaluator(1, 1)
    final = pyspiel.ISMCTSFinalPolicyType.MAX_VISIT_COUNT
    return pyspiel.ISMCTSBot(1, evaluator, uct, CARD_SIMULATIONS, -1, final, False, False)


def card_game_after(name: str, cards: int, seed: int) -> Any:
    """A card game after random bids and random `cards`, with a choice to make."""
    chance = random.Random(seed)
    while True:
        state = pyspiel.load_game(name).new_initial_state()
        while not state.is_terminal() and not is_ready(name, state, cards):
            state.apply_action(chance.choice(state.legal_actions()))
        if not state.is_terminal() and len(state.legal_actions()) > 1:
            return state


def is_ready(name: str, state: Any, cards: int) -> bool:
    """Whether play has begun and this number of cards has been played."""
    if name == "euchre":
        return str(state.current_phase()) == "Phase.PLAY" and state.num_cards_played() == cards
    decisions = sum(entry.player >= 0 for entry in state.full_history())
    return not state.is_chance_node() and decisions == BID_COUNTS[name] + cards


def card_game_states(name: str) -> list[Any]:
    """A card game in several positions, each from another deal."""
    return [card_game_after(name, cards, seed) for seed, cards in enumerate(OPENSPIEL_CARDS_PLAYED)]


def rounds() -> dict[str, Round]:
    """All rounds of OpenSpiel."""
    openings = [opening_state(drops) for drops in CONNECT_FOUR_OPENINGS]
    ismcts_rounds = {
        f"{name}_ismcts": search_round(ismcts_bot(uct), card_game_states(name), CARD_SIMULATIONS)
        for name, uct in UCT_BY_CARD_GAME.items()
    }
    return ismcts_rounds | {
        "evaluator_playouts": evaluator_playouts(),
        "bot_playouts": bot_playouts(),
        "loop_playouts": loop_playouts(),
        "mcts": search_round(
            mcts_bot(CONNECT_FOUR_SIMULATIONS, seed=2), openings, CONNECT_FOUR_SIMULATIONS
        ),
        "python_mcts": search_round(python_mcts_bot(), openings, CONNECT_FOUR_SIMULATIONS),
    }

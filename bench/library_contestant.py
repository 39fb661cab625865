"""Random play in environments: the library's PettingZoo environments, PettingZoo's own Texas
hold'em, and the engines without an environment, each step driven by Python."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np
from pettingzoo.utils.env import AECEnv

from bench.search_positions import MEASURED_GAMES
from bench.worker import Round, Task
from tabularium_engines.adapters.pettingzoo_env import TabulariumEnv
from tabularium_engines.base import AnyEngine, State
from tabularium_engines.common.bits import lowest
from tabularium_engines.common.random_generators import FastRng
from tabularium_engines.installed.registry import find_engine

STEPS_PER_ROUND = 200
TASKS: dict[str, Task] = {}


def environment_round(environment: AECEnv[Any, Any, Any]) -> Round:
    """Masked random steps, each with its observation; the unit is a step."""
    chance = np.random.default_rng(1)
    environment.reset(seed=1)

    def play() -> float:
        for _ in range(STEPS_PER_ROUND):
            observation, _, is_over, _, _ = environment.last()
            if is_over:
                environment.reset()
                observation, *_ = environment.last()
            legal = np.flatnonzero(observation["action_mask"])
            environment.step(int(legal[chance.integers(len(legal))]))
        return STEPS_PER_ROUND

    return play


def engine_round(engine: AnyEngine, seats: int) -> Round:
    """Random decisions from the list of legal actions; the unit is a decision."""
    rng = FastRng(1)
    options = engine.about.options()
    states: list[State] = [engine.start(options, seats, rng).clone()]

    def play() -> float:
        state = states.pop()
        for _ in range(STEPS_PER_ROUND):
            if state.to_act == 0:
                state = engine.start(options, seats, rng).clone()
            seat = lowest(state.to_act)
            legal = state.legal_actions(seat)
            state.apply(seat, legal[rng.below(len(legal))], rng)
        states.append(state)
        return STEPS_PER_ROUND

    return play


def texas_holdem() -> AECEnv[Any, Any, Any]:
    """PettingZoo's limit Texas hold'em for two."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)
        from pettingzoo.classic import texas_holdem_v4
    environment: AECEnv[Any, Any, Any] = texas_holdem_v4.env()
    return environment


def rounds() -> dict[str, Round]:
    """All rounds of environments."""
    named_rounds = {"texas_holdem": environment_round(texas_holdem())}
    for slug, (seats, *_) in MEASURED_GAMES.items():
        engine = find_engine(slug)
        named_rounds[f"{slug}_env"] = environment_round(TabulariumEnv(engine, seats))
        named_rounds[f"{slug}_engine"] = engine_round(engine, seats)
    return named_rounds

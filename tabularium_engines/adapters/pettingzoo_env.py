"""The games as PettingZoo environments (AEC): an agent observes the tensor of its seat's view, and
the mask of its legal action numbers."""

from __future__ import annotations

from typing import Any

import numpy as np
from gymnasium import spaces
from gymnasium.utils import seeding
from pettingzoo import AECEnv

from tabularium_engines.adapters.observation import Observer
from tabularium_engines.adapters.turn_order import TurnOrder, number_count
from tabularium_engines.base import AnyEngine
from tabularium_engines.common.random_generators import FastRng
from tabularium_engines.installed.registry import find_engine

SEED_LIMIT = 1 << 31
LARGEST_NUMBER = 1 << 24  # float32 holds all whole numbers up to here


class TabulariumEnv(AECEnv[str, dict[str, Any], int | None]):
    """A game as an environment; the agents are `seat_0`, `seat_1` and so on. The rewards come with
    the end: each seat's payoff, 0 to 1."""

    def __init__(
        self,
        engine: AnyEngine,
        seats: int | None = None,
        options: Any = None,
        render_mode: str | None = None,
    ) -> None:
        super().__init__()
        self.engine = engine
        self.metadata = {
            "name": f"tabularium_{engine.about.slug}_v{engine.about.version}",
            "render_modes": ["ansi"],
            "is_parallelizable": False,
        }
        self.render_mode = render_mode
        self.options = engine.about.options() if options is None else options
        self.seats = engine.about.seats[0] if seats is None else seats
        if misfit := engine.misfit(self.options, self.seats):
            raise ValueError(f"Option {' '.join(misfit)}.")
        self.possible_agents = [f"seat_{seat}" for seat in range(self.seats)]
        self._observer = Observer(engine)
        self._number_count = number_count(engine)
        self._generator, _ = seeding.np_random()
        self.observation_spaces = {agent: self._create_space() for agent in self.possible_agents}
        self.action_spaces = {
            agent: spaces.Discrete(self._number_count) for agent in self.possible_agents
        }

    def _create_space(self) -> spaces.Dict:
        size, limit = self._observer.size, float(LARGEST_NUMBER)
        return spaces.Dict(
            {
                "observation": spaces.Box(-limit, limit, (size,), np.float32),
                "action_mask": spaces.Box(0, 1, (self._number_count,), np.int8),
            }
        )

    def observation_space(self, agent: str) -> Any:
        """The space of an agent's observations."""
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> Any:
        """The space of the action numbers."""
        return self.action_spaces[agent]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Deal; equal seeds and actions give equal games."""
        if seed is not None:
            self._generator, _ = seeding.np_random(seed)
        self._chance = FastRng(int(self._generator.integers(SEED_LIMIT)))
        state = self.engine.start(self.options, self.seats, self._chance)
        self.turn_order = TurnOrder(self.engine, state.clone())
        self.agents = list(self.possible_agents)
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.agents}
        self.agent_selection = self.possible_agents[self.turn_order.seat]

    def observe(self, agent: str) -> dict[str, Any]:
        """The tensor of an agent's view, and the mask: all 0 unless the agent is asked."""
        seat = self.possible_agents.index(agent)
        is_asked = seat == self.turn_order.seat
        view = self.engine.view(self.turn_order.state, seat)
        words = self.turn_order.words if is_asked else ()
        mask = np.zeros(self._number_count, np.int8)
        if is_asked:
            mask[self.turn_order.legal_numbers()] = 1
        tensor = np.zeros(self._observer.size, np.float32)
        self._observer.fill(tensor, view, words)
        return {"observation": tensor, "action_mask": mask}

    def step(self, action: int | None) -> None:
        """Take the action number of the agent that is asked; ValueError if it is not legal."""
        agent = self.agent_selection
        if self.terminations[agent]:
            self._was_dead_step(action)
            return
        if action is None:
            raise ValueError("None is the action of agents whose game is over")
        self._cumulative_rewards[agent] = 0.0
        self._clear_rewards()
        if decision := self.turn_order.choose(int(action)):
            self.turn_order.state.apply(decision.seat, decision.action, self._chance)
            self.turn_order.set_state(self.turn_order.state)
        if self.turn_order.state.to_act == 0:
            self._finish()
        else:
            self.agent_selection = self.possible_agents[self.turn_order.seat]
        self._accumulate_rewards()

    def _finish(self) -> None:
        returns = self.turn_order.state.returns()
        self.rewards = dict(zip(self.possible_agents, returns, strict=True))
        self.terminations = dict.fromkeys(self.agents, True)
        self.agent_selection = self.agents[0]

    def render(self) -> str | None:
        """The table as an onlooker sees it, as text."""
        if self.render_mode != "ansi":
            return None
        return self.engine.text(self.engine.view(self.turn_order.state, None))

    def close(self) -> None:
        """Nothing is open."""


def env(
    slug: str, seats: int | None = None, options: Any = None, render_mode: str | None = None
) -> TabulariumEnv:
    """The environment of an installed game."""
    return TabulariumEnv(find_engine(slug), seats, options, render_mode)

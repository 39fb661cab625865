"""The PettingZoo environments pass PettingZoo's own checks, and observe views alone."""

from __future__ import annotations

from typing import Any

import pytest

from tabularium_engines.adapters.turn_order import TurnOrder
from tabularium_engines.base import AnyEngine
from tabularium_engines.common.random_generators import FastRng
from tests.library.adapters import ALL_ENGINES, imported, slug_of

np = imported("numpy", "pettingzoo")
checks = imported("pettingzoo.test", "pettingzoo")
adapter = imported("tabularium_engines.adapters.pettingzoo_env", "pettingzoo")

# api_test was written for observations that are arrays, and says so of every one with a mask
pytestmark = [
    pytest.mark.lane("builds"),
    pytest.mark.filterwarnings(
        "ignore:Observation is not a NumPy array",
        "ignore:Observation space for each agent probably",
    ),
]
CYCLES = 200
SHORT_STEPS, LONG_STEPS = 600, 10_000


@pytest.mark.parametrize("engine", ALL_ENGINES, ids=slug_of)
def test_it_passes_the_check_of_the_interface(engine: AnyEngine) -> None:
    for seats in {*engine.about.seats}:
        checks.api_test(adapter.TabulariumEnv(engine, seats), num_cycles=CYCLES)


@pytest.mark.parametrize("engine", ALL_ENGINES, ids=slug_of)
def test_equal_seeds_give_equal_games(engine: AnyEngine) -> None:
    checks.seed_test(lambda: adapter.TabulariumEnv(engine), num_cycles=20)


def test_other_seeds_give_other_games() -> None:
    tensors = []
    for seed in (1, 2):
        dealt = adapter.env("law")
        dealt.reset(seed)
        tensors.append(dealt.observe("seat_0")["observation"])
    assert not np.array_equal(*tensors)


def play(environment: Any, steps: int, seed: int) -> int:
    """Masked random play for that many steps; how many games ended."""
    chance, ended = np.random.default_rng(seed), 0
    environment.reset(seed)
    for _ in range(steps):
        if not environment.agents or environment.terminations[environment.agent_selection]:
            assert sum(environment.rewards.values()) > 0
            ended += 1
            environment.reset()
        mask = environment.observe(environment.agent_selection)["action_mask"]
        environment.step(int(chance.choice(np.flatnonzero(mask))))
    return ended


@pytest.mark.parametrize("engine", ALL_ENGINES, ids=slug_of)
def test_masked_random_play_goes_on_without_error(
    engine: AnyEngine, request: pytest.FixtureRequest
) -> None:
    """`test_turn_order` ends games; here the observations are made at every step, too."""
    steps = LONG_STEPS if request.config.getoption("--soak") else SHORT_STEPS
    play(adapter.TabulariumEnv(engine, engine.about.seats[1]), steps, seed=3)


@pytest.mark.parametrize("engine", ALL_ENGINES, ids=slug_of)
def test_two_worlds_with_one_view_give_one_observation(engine: AnyEngine) -> None:
    environment, different = adapter.TabulariumEnv(engine), 0
    environment.reset(5)
    chance = np.random.default_rng(5)
    for _ in range(40):
        if environment.turn_order.state.to_act == 0:
            break
        order = environment.turn_order
        for seat, agent in enumerate(environment.agents):
            seen = environment.observe(agent)
            world = order.state.clone()
            world.determinize(seat, FastRng(8))
            different += world.contents() != order.state.contents()
            environment.turn_order = other_world(order, world, seat)
            imagined = environment.observe(agent)
            environment.turn_order = order
            assert all(np.array_equal(seen[part], imagined[part]) for part in seen)
        mask = environment.observe(environment.agent_selection)["action_mask"]
        environment.step(int(chance.choice(np.flatnonzero(mask))))
    assert different > 0


def other_world(order: TurnOrder, world: Any, viewer: int) -> TurnOrder:
    """The same question in another world; the viewer has begun the same action."""
    other = TurnOrder(order.engine, world)
    while other.seat != order.seat:
        other.choose(other.space.size)
    for word in order.words if viewer == order.seat else ():
        other.choose(word)
    return other


def test_an_illegal_number_is_refused_and_changes_nothing() -> None:
    environment = adapter.env("duel_edged_sword")
    environment.reset(1)
    agent = environment.agent_selection
    seen = environment.observe(agent)
    illegal = int(np.flatnonzero(seen["action_mask"] == 0)[0])
    with pytest.raises(ValueError, match="not a legal action number"):
        environment.step(illegal)
    assert np.array_equal(environment.observe(agent)["observation"], seen["observation"])


def test_it_renders_the_table_as_text() -> None:
    environment = adapter.env("law", render_mode="ansi")
    environment.reset(1)
    assert "Law" in (environment.render() or "")

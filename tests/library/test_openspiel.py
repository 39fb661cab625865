"""The OpenSpiel games pass OpenSpiel's own check, and their players observe views alone."""

from __future__ import annotations

import copy
from collections.abc import Iterator
from random import Random
from typing import Any

import pytest

from tabularium_engines.adapters.turn_order import TurnOrder
from tabularium_engines.base import AnyEngine
from tabularium_engines.common.random_generators import FastRng
from tabularium_engines.installed.registry import find_engine
from tests.library.adapters import ALL_ENGINES, imported, slug_of

pytestmark = pytest.mark.lane("builds")

pyspiel = imported("pyspiel", "pyspiel")
np = imported("numpy", "pyspiel")
adapter = imported("tabularium_engines.adapters.openspiel_game", "pyspiel")

STEPS = 120  # of draws and action numbers


def steps(state: Any, number: int, seed: int) -> Iterator[Any]:
    """A random game, before each step."""
    chance = Random(seed)
    for _ in range(number):
        if state.is_terminal():
            return
        yield state
        state.apply_action(chance.choice(state.legal_actions()))


@pytest.mark.parametrize("engine", ALL_ENGINES, ids=slug_of)
def test_it_passes_the_check_of_the_interface(engine: AnyEngine) -> None:
    game = pyspiel.load_game(adapter.register(engine))
    is_short = engine.about.slug == "kuhn_poker"  # a check writes and reads every position
    pyspiel.random_sim_test(game, num_sims=20 if is_short else 1, serialize=is_short, verbose=False)


@pytest.mark.parametrize("engine", ALL_ENGINES, ids=slug_of)
def test_every_number_of_seats_and_option_is_a_parameter(engine: AnyEngine) -> None:
    name = adapter.register(engine)
    for seats in range(engine.about.seats[0], engine.about.seats[1] + 1):
        assert pyspiel.load_game(name, {"players": seats}).num_players() == seats


def test_options_reach_the_rules() -> None:
    name = adapter.register(find_engine("law_of_the_dice"))
    game = pyspiel.load_game(name, {"players": 3, "suit_by": "die", "points_to_win": 1})
    for state in steps(game.new_initial_state(), STEPS, seed=1):
        last = state
    options = last.progress.engine.view(last.progress.turn_order.state, None).options
    assert (options.suit_by, options.points_to_win) == ("die", 1)


@pytest.mark.parametrize("engine", ALL_ENGINES, ids=slug_of)
def test_a_state_is_written_and_read(engine: AnyEngine) -> None:
    game = pyspiel.load_game(adapter.register(engine))
    for number, state in enumerate(steps(game.new_initial_state(), STEPS, seed=2)):
        if number % 40 == 3:
            text = pyspiel.serialize_game_and_state(game, state)
            _, read = pyspiel.deserialize_game_and_state(text)
            assert str(read) == str(state)
            assert read.legal_actions() == state.legal_actions()


def test_copies_are_independent() -> None:
    game = pyspiel.load_game(adapter.register(find_engine("law")))
    for state in steps(game.new_initial_state(), STEPS, seed=3):
        copied, before = state.clone(), (str(state), state.legal_actions())
        for _ in steps(copied, 10, seed=4):
            pass
        assert (str(state), state.legal_actions()) == before


def test_draws_are_chance_nodes_with_all_outcomes() -> None:
    state = pyspiel.load_game(adapter.register(find_engine("law"))).new_initial_state()
    limits = []
    while state.is_chance_node():
        outcomes = state.chance_outcomes()
        limits.append(len(outcomes))
        assert sum(share for _, share in outcomes) == pytest.approx(1)
        state.apply_action(0)
    assert limits == [2, 52, 51, 50, 49, 48]  # the first seat, and five cards


@pytest.mark.parametrize("engine", ALL_ENGINES, ids=slug_of)
def test_two_worlds_with_one_view_give_one_tensor(engine: AnyEngine) -> None:
    game, different = pyspiel.load_game(adapter.register(engine)), 0
    observer = adapter.TabulariumObserver(engine)
    for state in steps(game.new_initial_state(), STEPS, seed=5):
        order = state.progress.turn_order
        for player in range(game.num_players()) if order and not order.words else ():
            observer.set_from(state, player)
            seen = observer.tensor.copy(), observer.string_from(state, player)
            world = order.state.clone()
            world.determinize(player, FastRng(6))
            different += world.contents() != order.state.contents()
            state.progress.turn_order = TurnOrder(engine, world)
            observer.set_from(state, player)
            assert np.array_equal(observer.tensor, seen[0])
            assert observer.string_from(state, player) == seen[1]
            state.progress.turn_order = order
    assert different > 0


def test_a_deep_copy_plays_on_alike() -> None:
    engine = find_engine("duality")
    progress = adapter.Progress(engine, engine.about.options(), 2)
    chance = Random(7)
    copied = copy.deepcopy(progress)
    assert copied is not progress
    while progress.draw_limit:
        number = chance.randrange(progress.draw_limit)
        progress.take(number)
        copied.take(number)
    assert copied.turn_order.state.contents() == progress.turn_order.state.contents()
    assert copied.history == progress.history

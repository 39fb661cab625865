"""Levels: each is as strong as it was measured, and searches no more than its budget."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import pytest

from ai import bot_registry, levels, strength_results
from ai.bot_kinds import Budget
from ai.levels import LADDERS, Level
from tabularium_engines.common.random_generators import FastRng
from tabularium_engines.installed.heuristics import HEURISTICS, TUNINGS
from tabularium_engines.installed.registry import ENGINES, ruleset_of
from tabularium_engines.search.greedy import value_after_action

LEAST = 100  # games for a valid measurement
TABLES = [
    (slug, seats)
    for slug, engine in ENGINES.items()
    for seats in range(engine.about.seats[0], engine.about.seats[1] + 1)
]
LEVELS = [(name, slug) for slug in ENGINES for name in levels.level_names(slug)]


def first_view(slug: str, seed: int = 5) -> Any:
    """The view of the seat that is awaited first in a game."""
    engine = ENGINES[slug]
    state = engine.start(engine.about.options(), engine.about.seats[0], FastRng(seed))
    return engine.view(state, engine.awaited_seats(state)[0])


@pytest.fixture(
    params=[(name, slug) for slug in ENGINES for name in levels.level_names(slug)], ids="-".join
)
def level_of_game(request: pytest.FixtureRequest) -> tuple[str, str]:
    """Every level of every game."""
    name, slug = request.param
    return name, slug


def test_a_ladder_is_of_a_game_and_short() -> None:
    assert set(LADDERS) <= set(ENGINES)
    assert all(len(ladder) <= 6 for ladder in LADDERS.values())


@pytest.mark.parametrize(("slug", "seats"), TABLES)
def test_each_level_was_measured_to_beat_the_one_below(slug: str, seats: int) -> None:
    proven = {
        (one.opponent, one.challenger)
        for one in strength_results.load_results()
        if (one.game, one.seats, one.options) == (slug, seats, {})
        and one.is_better
        and one.games >= LEAST
    }
    assert set(pairwise(("random", *levels.level_names(slug)))) <= proven


def test_a_level_acts_under_its_own_name(level_of_game: tuple[str, str]) -> None:
    name, slug = level_of_game
    bot = bot_registry.create_bot(name, slug)
    assert bot.name == name
    view = first_view(slug)
    decisions = [
        bot.choose(ENGINES[slug], view, FastRng(3), Budget(simulations=5)) for _ in range(2)
    ]
    assert decisions[0] == decisions[1]


def test_its_budget_is_its_own(level_of_game: tuple[str, str]) -> None:
    name, slug = level_of_game
    level = levels.find_level(name, slug)
    assert level
    budget = bot_registry.bot_budget(name, slug)
    assert (budget.simulations, budget.parts) == (level.simulations, level.parts)
    assert bool(budget.seconds) == bool(level.simulations)


@pytest.mark.parametrize("slug", [slug for slug in ENGINES if TUNINGS[slug].time_factor != 1])
def test_where_many_decisions_make_a_turn_a_level_is_as_patient_as_mcts(slug: str) -> None:
    longest = max(bot_registry.bot_budget(name, slug).seconds for name in levels.level_names(slug))
    assert 0 < longest <= bot_registry.bot_budget("mcts", slug).seconds


def test_a_level_searches_no_more_than_it_may(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(LADDERS, "duality", (Level("mcts", 30),))
    bot, view = bot_registry.create_bot("level_1", "duality"), first_view("duality")
    for allowed, expected in ((0, 30), (100, 30), (12, 12)):
        decision = bot.choose(ENGINES["duality"], view, FastRng(3), Budget(simulations=allowed))
        assert decision.simulations == expected
    hurried = bot.choose(ENGINES["duality"], view, FastRng(3), Budget(seconds=1e-9))
    assert hurried.simulations < 30


def test_no_other_game_has_a_level_of_that_name() -> None:
    name = f"level_{len(LADDERS['law']) + 1}"
    with pytest.raises(bot_registry.UnknownBot):
        bot_registry.create_bot(name, "law")


def test_a_beginner_overlooks_what_is_best_but_does_nothing_absurd() -> None:
    engine, view = ENGINES["duality"], first_view("duality")
    heuristic = HEURISTICS[ruleset_of(engine)]
    careless, greedy = (bot_registry.create_bot(name, "duality") for name in ("level_1", "level_2"))
    state = engine.imagine(view, FastRng(0))
    offers = state.legal_actions(view.seat)
    careless_actions = [
        careless.choose(engine, view, FastRng(seed), Budget()).action for seed in range(40)
    ]
    best_actions = [
        greedy.choose(engine, view, FastRng(seed), Budget()).action for seed in range(40)
    ]
    assert any(action not in best_actions for action in careless_actions)
    values = sorted(
        value_after_action(state, view.seat, code, heuristic, FastRng(0)) for code in offers
    )
    middle = values[(len(values) - 1) // 2]
    codes = [engine.encode(state, view.seat, action) for action in careless_actions]
    assert (
        min(value_after_action(state, view.seat, code, heuristic, FastRng(0)) for code in codes)
        >= middle
    )

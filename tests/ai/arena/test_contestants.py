"""The bot with perfect information: it sees the full state and does not change it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

import pytest

from ai.arena.contestants import Contestant, FullView, parse_contestant
from ai.bot_kinds import BotDecision, Budget
from ai.bot_registry import create_bot, create_evaluator
from ai.search.ismcts import Search
from ai.search.true_state_search import PerfectInformationSearch
from games.engines.base import Rng
from games.engines.common.random_generators import FastRng
from games.registry import ENGINES

WORLDS: Final = 20
OPEN: Final = {"duel_edged_sword"}  # hides nothing from the deciding seat: drawn cards are random


@pytest.fixture(params=ENGINES)
def slug(request: pytest.FixtureRequest) -> str:
    """Each game."""
    name: str = request.param
    return name


def first_decision(slug: str) -> tuple[Any, int]:
    """A state after the deal, and an awaited seat."""
    engine = ENGINES[slug]
    state = engine.start(engine.about.options(), engine.about.seats[0], FastRng(4))
    return state, engine.awaited_seats(state)[0]


def worlds(search: Search) -> Iterator[list[Any]]:
    """The worlds in which the search tries its actions."""
    return (search.deal_world(number).contents() for number in range(WORLDS))


def test_it_tries_everything_in_the_world_as_it_is(slug: str) -> None:
    state, seat = first_decision(slug)
    true_state = state.contents()
    peeking, honest = (
        kind(state, seat, create_evaluator(slug), FastRng(1))
        for kind in (PerfectInformationSearch, Search)
    )
    assert all(world == true_state for world in worlds(peeking))
    assert any(world != true_state for world in worlds(honest)) == (slug not in OPEN)


def test_it_decides_upon_what_is_hidden_and_changes_nothing(slug: str) -> None:
    state, seat = first_decision(slug)
    before, engine = state.contents(), ENGINES[slug]
    peeking = parse_contestant("peeking:30", slug)
    assert peeking.sees_everything
    action = peeking.choose_action(engine, state, seat, FastRng(1))
    assert engine.encode(state, seat, action) in state.legal_actions(seat)
    assert state.contents() == before


def test_nobody_else_is_shown_the_state(slug: str) -> None:
    engine = ENGINES[slug]
    state, seat = first_decision(slug)
    views: list[Any] = []

    class Onlooker:
        """A bot that records the views it is given."""

        name = "onlooker"

        def choose(self, engine_given: Any, view: Any, rng: Rng, budget: Budget) -> BotDecision:
            views.append(view)
            return create_bot("random", slug).choose(engine, engine.view(state, seat), rng, budget)

    for peeks in (False, True):
        Contestant(Onlooker(), sees_everything=peeks).choose_action(engine, state, seat, FastRng(1))
    assert views == [engine.view(state, seat), FullView(seat, state)]

"""The contestants of the arena: the bot with perfect information sees the full state and does not
change it; others belong to one game, or to another checkout."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

import pytest

from ai.arena.contestants import (
    MOST_CARDS_OF_THE_FRUGAL,
    Contestant,
    FullView,
    parse_contestant,
)
from ai.bot_kinds import BotDecision, Budget
from ai.bot_registry import create_bot, create_evaluator
from tabularium_engines.base import Rng
from tabularium_engines.builds.compiled_engines import PROJECT_ROOT
from tabularium_engines.common.random_generators import FastRng
from tabularium_engines.installed.registry import ENGINES
from tabularium_engines.search.ismcts import Search
from tabularium_engines.search.true_state_search import PerfectInformationSearch

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


@pytest.mark.parametrize("bot", ["frugal", "frugal:20"])
def test_the_frugal_player_lays_four_cards_a_turn_at_most(bot: str) -> None:
    engine, frugal = ENGINES["duel_of_law"], parse_contestant(bot, "duel_of_law")
    state, chance = first_decision("duel_of_law")[0], FastRng(4)
    most = 0
    for _ in range(60):
        seat = engine.awaited_seats(state)[0]
        action = frugal.choose_action(engine, state, seat, FastRng(1))
        state.apply(seat, engine.encode(state, seat, action), chance)
        most = max(most, len(state.turn.laid))
    assert 2 <= most <= MOST_CARDS_OF_THE_FRUGAL


def test_the_bot_of_another_checkout_decides_by_the_code_there(tmp_path: Path) -> None:
    for name in (".venv", "tabularium_engines", "games", "config"):
        (tmp_path / name).symlink_to(PROJECT_ROOT / name)
    contestants = tmp_path / "ai" / "arena" / "contestants.py"
    contestants.parent.mkdir(parents=True)
    contestants.write_text(
        "from types import SimpleNamespace as Simple\n"
        "choose = lambda engine, view, rng, budget: Simple(action=(view.seat, rng.below(1000)))\n"
        "parse_contestant = lambda *table: Simple(bot=Simple(choose=choose), budget=table)\n"
    )
    (state, seat), engine = first_decision("duality"), ENGINES["duality"]
    there = parse_contestant(f"greedy@{tmp_path}", "duality")
    answers = [there.choose_action(engine, state, seat, FastRng(number)) for number in (1, 1, 2)]
    assert answers[0][0] == seat
    assert answers[0] == answers[1] != answers[2]


def test_a_folder_that_is_no_checkout_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="make setup"):
        parse_contestant(f"mcts:9@{tmp_path}", "duality")

"""Ten thousand games end, at every seat count and in every variant; run only by `make soak`."""

from __future__ import annotations

import pytest

from tabularium_engines.common.random_generators import FastRng
from tabularium_engines.installed.registry import RULESETS
from tabularium_engines.promises import PROMISES
from tabularium_engines.promises.variants import Table, tables

GAMES = 10_000  # per engine, over all its tables
FIRST_SEED = 1000  # other games than those of the conformance suite

TABLES = [table for engine in RULESETS.values() for table in tables(engine)]


@pytest.mark.soak
@pytest.mark.parametrize("table", TABLES, ids=str)
def test_many_games_end_within_the_bound(table: Table) -> None:
    for seed in range(FIRST_SEED, FIRST_SEED + -(-GAMES // len(tables(table.engine)))):
        rng = FastRng(seed)
        state = table.engine.start(table.options, table.seats, rng)
        cards = state.cards()
        decisions = 0
        while awaited := table.engine.awaited_seats(state):
            seat = awaited[rng.below(len(awaited))]
            legal_actions = state.legal_actions(seat)
            state.apply(seat, legal_actions[rng.below(len(legal_actions))], rng)
            decisions += 1
        assert decisions <= table.engine.about.max_actions
        assert state.cards() == cards
        assert table.engine.result(state)


@pytest.mark.soak
@pytest.mark.parametrize("number", PROMISES)
@pytest.mark.parametrize("table", TABLES, ids=str)
def test_every_promise_is_kept_on_a_sample(table: Table, number: int) -> None:
    for seed in range(FIRST_SEED, FIRST_SEED + 5):
        PROMISES[number](table.engine, table.options, table.seats, seed, 10)

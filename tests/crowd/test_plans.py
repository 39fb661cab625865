"""The tables of a crowd are the same for the same seed, and of all kinds."""

from __future__ import annotations

from collections import Counter

import pytest

from ai import levels
from tabularium_engines.installed.registry import ENGINES
from tests.crowd.plans import FOLLOWERS, SIMULATIONS, STREAM, Mix, plan_tables, searcher_of


def test_a_seed_decides_the_tables() -> None:
    assert plan_tables(20, 1) == plan_tables(20, 1)
    assert plan_tables(20, 1) != plan_tables(20, 2)


def test_tables_are_of_all_rulesets_bots_and_followers() -> None:
    plans = plan_tables(300, 1)
    kinds = Counter(kind for plan in plans for kind in plan.seats)
    searchers = {name for slug in ENGINES if (name := searcher_of(slug))}
    assert {plan.rules for plan in plans} == set(ENGINES)
    assert kinds.keys() == {"me", "open", "random", "greedy", *searchers}
    assert {plan.follower for plan in plans} == set(FOLLOWERS)


@pytest.mark.parametrize("rules", [["law", "duality"], ["duel_edged_sword"]])
def test_the_rulesets_can_be_chosen(rules: list[str]) -> None:
    assert {plan.rules for plan in plan_tables(50, 1, Mix(rules))} == set(rules)


def test_the_opponents_and_followers_can_be_chosen() -> None:
    plans = plan_tables(50, 1, Mix(shares={"person": 1}, followers=[STREAM]))
    assert all(plan.seats.count("open") == 1 for plan in plans)
    assert {plan.follower for plan in plans} == {STREAM}


def test_every_table_has_one_creator_and_enough_seats() -> None:
    for plan in plan_tables(300, 1):
        assert plan.seats.count("me") == 1
        assert plan.people == 1 + plan.seats.count("open")
        assert len(plan.seats) == ENGINES[plan.rules].about.seats[0]
        assert len(plan.game_request["seats"]) == len(plan.seats)


def test_searching_bots_have_the_same_number_of_simulations() -> None:
    for plan in plan_tables(300, 1):
        for name in plan.seats:
            level = levels.find_level(name, plan.rules)
            assert level is None or level.simulations == SIMULATIONS

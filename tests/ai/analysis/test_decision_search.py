"""The search of a decision: it finds the bot's choice, uses the view alone, and is reproducible."""

from __future__ import annotations

import pytest

from ai import bot_registry
from ai.analysis.decision_search import (
    MAX_LINE_LENGTH,
    MIN_LINE_VISITS,
    decision_seed,
    engine_of,
    imagine_state,
    part_seed,
    search_decision,
)
from ai.bot_kinds import Budget
from games.selectors import DecisionPoint
from tabularium_engines.base import State
from tabularium_engines.builds.compiled_engines import engine_mode
from tabularium_engines.common.random_generators import FastRng
from tabularium_engines.installed.registry import ENGINES
from tests.ai.decisions import considered

SIMULATIONS = 60
ENOUGH = {"duel_edged_sword": 2000}  # simulations until a line is found; most replies are rare


def choice_in(slug: str, after: int, seed: int = 5) -> tuple[State, int]:
    """A position of a random game in which bots consider more than one action."""
    engine, rng = ENGINES[slug], FastRng(seed)
    state = engine.start(engine.about.options(), engine.about.seats[0], rng)
    for step in range(10_000):
        seat = engine.awaited_seats(state)[0]
        if step >= after and len(considered(engine, state, seat)) > 1:
            return state, seat
        state.apply(seat, state.random_action(seat, rng), rng)
    raise AssertionError("no such position")


def decision_of(slug: str, state: State, seat: int) -> DecisionPoint:
    """The seat's knowledge of the position."""
    engine = ENGINES[slug]
    return DecisionPoint(slug, engine.about.version, 9, seat, engine.view(state, seat))


@pytest.mark.parametrize("slug", ENGINES)
def test_it_finds_what_the_bot_finds(slug: str) -> None:
    decision = decision_of(slug, *choice_in(slug, 6))
    budget = Budget(simulations=SIMULATIONS, is_whole=True)
    result = search_decision(decision, 77, budget)
    engine, state = engine_of(decision), imagine_state(decision, 77)
    bot = bot_registry.create_bot("mcts", slug)
    decided = bot.choose(engine, decision.view, FastRng(77), budget)
    assert result.simulations == decided.simulations == SIMULATIONS
    bots = {
        str(estimate.action): (estimate.visits, estimate.value) for estimate in decided.estimates
    }
    estimates = {
        str(engine.decode(state, decision.seat, one.code)): (one.visits, one.reward / one.visits)
        for one in result.actions
    }
    assert estimates.keys() == bots.keys()
    for action, (visits, value) in estimates.items():
        assert bots[action][0] == visits
        assert bots[action][1] == pytest.approx(value)


@pytest.mark.parametrize("slug", ENGINES)
def test_equal_views_give_equal_findings(slug: str) -> None:
    state, seat = choice_in(slug, 6)
    decisions = []
    for seed in range(3):
        imagined = state.clone()
        imagined.determinize(seat, FastRng(seed))
        decisions.append(decision_of(slug, imagined, seat))
    seeds = [decision_seed(decision) for decision in decisions]
    assert seeds == seeds[:1] * 3
    results = [
        search_decision(each, seeds[0], Budget(simulations=SIMULATIONS)) for each in decisions
    ]
    assert results == results[:1] * 3


def test_other_views_and_other_parts_have_other_seeds() -> None:
    one, other = (decision_of("law", *choice_in("law", 6, seed)) for seed in (1, 2))
    seeds = {decision_seed(one), decision_seed(other)}
    assert len(seeds | {part_seed(seed, spread) for seed in seeds for spread in (0, 1)}) == 6
    assert all(0 <= seed < 1 << 62 for seed in seeds)


@pytest.mark.lane("slow", core=1)
@pytest.mark.skipif(engine_mode() != "compiled", reason="so many simulations are slow interpreted")
@pytest.mark.parametrize("slug", ENGINES)
def test_a_line_begins_with_its_action_and_goes_on_as_expected(slug: str) -> None:
    decision = decision_of(slug, *choice_in(slug, 6))
    result = search_decision(decision, 3, Budget(simulations=ENOUGH.get(slug, 400)))
    engine, state = engine_of(decision), imagine_state(decision, 3)
    lines = [one for one in result.actions if one.line]
    assert lines
    for one in lines:
        first = one.line[0]
        assert first.label == engine.label(state, decision.seat, one.code)
        assert (first.seat, first.visits) == (decision.seat, one.visits)
        assert all(step.visits >= MIN_LINE_VISITS for step in one.line)
        assert len(one.line) <= MAX_LINE_LENGTH
    assert max(len(one.line) for one in lines) > 1


def test_a_forced_action_takes_no_time() -> None:
    engine, rng = ENGINES["law"], FastRng(1)
    state = engine.start(engine.about.options(), 2, rng)
    while len(state.promising_actions(seat := engine.awaited_seats(state)[0])) > 1:
        state.apply(seat, state.random_action(seat, rng), rng)
    result = search_decision(decision_of("law", state, seat), 1, Budget(simulations=1000))
    assert result.simulations == 0
    assert [one.visits for one in result.actions] == [0]


def test_an_action_that_it_would_not_think_of_is_compared_too() -> None:
    engine, rng = ENGINES["duel_of_law"], FastRng(3)
    state = engine.start(engine.about.options(), 2, rng)
    while not (unlikely := unpromising_actions(state, seat := engine.awaited_seats(state)[0])):
        state.apply(seat, state.random_action(seat, rng), rng)
    decision = decision_of("duel_of_law", state, seat)
    action = engine.action_json(state, seat, unlikely[0])
    without = search_decision(decision, 3, Budget(simulations=40))
    result = search_decision(decision, 3, Budget(simulations=40), action)
    codes = [one.code for one in result.actions]
    assert codes == [*(one.code for one in without.actions), unlikely[0]]
    assert result.actions[-1].visits > 0
    likely = engine.action_json(state, seat, without.actions[0].code)
    assert search_decision(decision, 3, Budget(simulations=40), likely) == without


def unpromising_actions(state: State, seat: int) -> list[int]:
    """The legal actions that bots do not consider, if they consider more than one."""
    likely = considered(ENGINES["duel_of_law"], state, seat)
    if len(likely) < 2:
        return []
    return [int(code) for code in state.legal_actions(seat) if int(code) not in likely]


def test_it_stops_when_nobody_wants_to_know() -> None:
    decision = decision_of("law", *choice_in("law", 6))
    answers = iter([True, True, False])
    result = search_decision(
        decision, 3, Budget(simulations=10**9), is_wanted=lambda: next(answers)
    )
    assert 3 <= result.simulations <= 4  # one, one more, and as many as that pace allows


def test_it_stops_when_its_time_is_over() -> None:
    decision = decision_of("law", *choice_in("law", 6))
    assert search_decision(decision, 3, Budget(1e-9, 10**9)).simulations == 1

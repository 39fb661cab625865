"""The search of one decision by one worker, as bots search: from the seat's view alone. The same
view, seed and number of simulations give the same result anywhere."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from hashlib import sha256
from itertools import islice
from time import monotonic
from typing import Final, NamedTuple

import orjson

from ai import bot_registry
from ai.bot_kinds import Budget, gc_paused, search_within_budget
from games.selectors import DecisionPoint
from tabularium_engines.base import AnyEngine, State
from tabularium_engines.common.json_codec import Json, to_json
from tabularium_engines.common.random_generators import FastRng
from tabularium_engines.heuristics.base import NO_ACTION
from tabularium_engines.installed import registry as rules
from tabularium_engines.search.ismcts import Search
from tabularium_engines.search.node import WAIT, Node, action_of

SEED_BITS: Final = 62
MAX_LINE_LENGTH: Final = 8
MIN_LINE_VISITS: Final = 5  # a line stops at actions visited less often
LINE_WORLDS: Final = 8  # determinizations in which a line is searched
MAX_ACTIONS_WITH_LINE: Final = 10


class LineStep(NamedTuple):
    """An action expected next, and its visits in the determinizations."""

    seat: int
    label: str
    visits: int


class ActionStats(NamedTuple):
    """A search's statistics of one action of the seat."""

    code: int  # the engine's number of the action
    visits: int
    reward: float  # summed over these visits
    line: tuple[LineStep, ...] = ()  # the expected continuation, starting with the action itself


class SearchResult(NamedTuple):
    """The result of a search: the statistics of all actions considered, in the engine's order."""

    simulations: int
    actions: tuple[ActionStats, ...]


def decision_seed(decision: DecisionPoint) -> int:
    """The seed of an analysis, derived from the seat's view, as the whole result is."""
    document = orjson.dumps([decision.ruleset, decision.version, to_json(decision.view)])
    return _hash_to_seed(document)


def part_seed(seed: int, spread: int) -> int:
    """The seed of one part of a decision."""
    return _hash_to_seed(b"tabularium/part/1 %d %d" % (seed, spread))


def _hash_to_seed(text: bytes) -> int:
    return int.from_bytes(sha256(text).digest()[:8], "big") >> 64 - SEED_BITS


def imagine_state(decision: DecisionPoint, seed: int) -> State:
    """A state consistent with the seat's view: the actions have the same numbers and labels."""
    state: State = engine_of(decision).imagine(decision.view, FastRng(seed))
    return state


def engine_of(decision: DecisionPoint) -> AnyEngine:
    """The engine of the decision's ruleset."""
    return rules.find_engine(decision.ruleset, decision.version)


@gc_paused()
def search_decision(
    decision: DecisionPoint,
    seed: int,
    budget: Budget,
    extra_action: Json = None,
    is_wanted: Callable[[], bool] = lambda: True,
) -> SearchResult:
    """Search a decision as the bot mcts does while it `is_wanted`; a forced one takes no time.
    `extra_action` adds an action to compare that the search would not consider."""
    start = monotonic()
    engine, seat, chance = engine_of(decision), decision.seat, FastRng(seed)
    state = engine.imagine(decision.view, chance)
    extra_code = -1 if extra_action is None else engine.encode(state, seat, extra_action)
    search = bot_registry.create_searcher(decision.ruleset, version=decision.version).create_search(
        state, seat, chance, extra_code
    )
    offers = [int(code) for code in search.candidates]
    if len(offers) > 1:
        search_within_budget(budget, search, start, is_wanted)
    visits_by_code = {code: int(search.visits(code)) for code in offers}
    actions = [code for code in offers if code != WAIT]  # to wait begins no line
    favourites = sorted(actions, key=lambda code: -visits_by_code[code])[:MAX_ACTIONS_WITH_LINE]
    lines = {code: expected_line(engine, search, code) for code in favourites}
    stats = (
        ActionStats(code, visits, visits * float(search.mean(code)), lines.get(code, ()))
        for code, visits in visits_by_code.items()
    )
    return SearchResult(int(search.simulations), tuple(stats))


# -- the expected line ----------------------------------------------------------------------------


def expected_line(engine: AnyEngine, search: Search, code: int) -> tuple[LineStep, ...]:
    """The most visited actions from here on, in the one of a few determinizations where the line
    has the most visits."""
    lines = (
        tuple(islice(_line_steps(engine, search, code, number), MAX_LINE_LENGTH))
        for number in range(LINE_WORLDS)
    )
    return max(lines, key=lambda line: sum(step.visits for step in line))


def _line_steps(engine: AnyEngine, search: Search, code: int, number: int) -> Iterator[LineStep]:
    state, chance, node = search.deal_world(number), FastRng(number), search.tree
    children, visits = search.children_of(code), int(search.visits(code))
    while children:
        child = max(children, key=lambda child: child.visits)
        if child.visits < MIN_LINE_VISITS:
            return
        seat, awaited_mask = int(child.seat), int(state.to_act)
        for action in _actions_of(search, child, state):
            yield LineStep(seat, engine.label(state, seat, action), visits)
            state.apply(seat, action, chance)
            visits = int(child.visits)  # of the first action: those of all plans that begin with it
        if int(state.to_act) == 0:
            return
        if awaited_mask & awaited_mask - 1 == 0 or int(state.to_act) != awaited_mask ^ 1 << seat:
            node = child  # as in a search: simultaneous decisions share a node
        first_awaited = (int(state.to_act) & -int(state.to_act)).bit_length() - 1
        children = search.options_in(node, state, first_awaited)
        visits = max((int(child.visits) for child in children), default=0)


def _actions_of(search: Search, child: Node, state: State) -> Iterator[int]:
    """The action of a node; or those of its plan and those that follow, as the state goes on."""
    planner = search.evaluator.planner
    if planner is None or child.plan is None:
        yield int(action_of(child.key))
        return
    yield from map(int, child.plan.steps)
    while (action := int(planner.follow_up(state, child.seat))) != NO_ACTION:
        yield action

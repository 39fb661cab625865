"""Memory: what is no longer used is freed, and no weak reference outlives its object. mypyc 2.4
gives a class with a Python base class (such as ABC) room for weak references but never clears them,
which causes a crash later."""

from __future__ import annotations

import gc
import sys
import weakref
from collections.abc import Callable
from typing import Any, Final

import pytest

from tabularium_engines.common.agenda import Agenda
from tabularium_engines.common.random_generators import FastRng, RecordingRng, ReplayingRng
from tabularium_engines.duel_edged_sword.rows import empty_rows
from tabularium_engines.duel_of_law.tableau import empty_tableau
from tabularium_engines.heuristics.duality import DualityHeuristic
from tabularium_engines.heuristics.duel_edged_sword import SwordHeuristic
from tabularium_engines.heuristics.duel_of_law import DuelHeuristic
from tabularium_engines.heuristics.law import LawHeuristic
from tabularium_engines.heuristics.law_of_the_dice import DiceHeuristic
from tabularium_engines.installed.registry import ENGINES
from tabularium_engines.search.node import Node
from tabularium_engines.search.playout import HeuristicEvaluator, RandomRolloutEvaluator

pytestmark = pytest.mark.one_mode  # faults of the compiler

CALLS: Final = 500


def state_factory(slug: str) -> Callable[[], Any]:
    """A factory of states of one game."""
    engine = ENGINES[slug]
    return lambda: engine.start(engine.about.options(), engine.about.seats[0], FastRng(1))


FACTORIES: list[Callable[[], Any]] = [
    *(state_factory(slug) for slug in ENGINES),
    Agenda,
    empty_rows,
    empty_tableau,
    RandomRolloutEvaluator,
    DiceHeuristic,
    DualityHeuristic,
    DuelHeuristic,
    LawHeuristic,
    SwordHeuristic,
    lambda: FastRng(1),
    lambda: ReplayingRng([]),
    lambda: RecordingRng(FastRng(1)),
    lambda: Node(0),
    lambda: HeuristicEvaluator(DiceHeuristic()),
]


@pytest.mark.parametrize("factory", FACTORIES)
def test_a_weak_reference_is_refused_or_ends_with_its_object(factory: Callable[[], Any]) -> None:
    instance = factory()
    if type(instance).__weakrefoffset__ == 0:
        with pytest.raises(TypeError):
            weakref.ref(instance)
        return
    assert "__dict__" in dir(instance), (
        "compiled with room for weak references, which causes a crash"
    )
    reference = weakref.ref(instance)
    del instance
    gc.collect()
    assert reference() is None


def blocks_kept(call: Callable[[], Any]) -> int:
    """The blocks of memory that many calls leave behind."""
    for _ in range(CALLS):  # first fill what stays
        call()
    gc.collect()
    count_before = sys.getallocatedblocks()
    for _ in range(CALLS):
        call()
    gc.collect()
    return sys.getallocatedblocks() - count_before


@pytest.mark.parametrize("factory", FACTORIES)
def test_an_object_is_freed(factory: Callable[[], Any]) -> None:
    assert blocks_kept(factory) < CALLS / 2


@pytest.mark.parametrize("slug", ENGINES)
def test_views_and_imagined_states_are_freed(slug: str) -> None:
    engine, rng = ENGINES[slug], FastRng(1)
    state = engine.start(engine.about.options(), engine.about.seats[-1], rng)
    for _ in range(30):
        (seat, *_) = engine.awaited_seats(state)
        state.apply(seat, state.random_action(seat, rng), rng)
    assert blocks_kept(lambda: engine.imagine(engine.view(state, 0), rng)) < CALLS / 2

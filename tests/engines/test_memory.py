"""Weak references: none outlives its object. mypyc 2.4 gives a class with a Python base class
(such as ABC) room for weak references but never clears them, which causes a crash later."""

from __future__ import annotations

import gc
import weakref
from collections.abc import Callable
from typing import Any

import pytest

from ai.heuristics.duality import DualityHeuristic
from ai.heuristics.duel_edged_sword import SwordHeuristic
from ai.heuristics.duel_of_law import DuelHeuristic
from ai.heuristics.law import LawHeuristic
from ai.heuristics.law_of_the_dice import DiceHeuristic
from ai.search.node import Node
from ai.search.playout import HeuristicEvaluator, RandomRolloutEvaluator
from games.engines.common.agenda import Agenda
from games.engines.common.random_generators import FastRng, RecordingRng, ReplayingRng
from games.engines.duel_edged_sword.rows import empty_rows
from games.engines.duel_of_law.tableau import empty_tableau
from games.registry import ENGINES

pytestmark = pytest.mark.one_mode  # a fault of the compiler


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

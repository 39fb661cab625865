"""Weak references: none outlives its object. mypyc 2.4 gives a class that inherits from a Python
class (ABC, for one) room for weak references but never clears them, which leads to a crash
later."""

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
from games.engines.common.rng import FastRng, RecordingRng, ReplayingRng
from games.engines.duel_edged_sword.rows import Rows
from games.engines.duel_of_law.tableau import empty_tableau
from games.registry import ENGINES


def started(slug: str) -> Callable[[], Any]:
    """A factory of states of one game."""
    engine = ENGINES[slug]
    return lambda: engine.start(engine.about.options(), engine.about.seats[0], FastRng(1))


MAKERS: list[Callable[[], Any]] = [
    *(started(slug) for slug in ENGINES),
    *(Agenda, Rows, empty_tableau, RandomRolloutEvaluator, DiceHeuristic, DualityHeuristic),
    *(DuelHeuristic, LawHeuristic, SwordHeuristic),
    lambda: FastRng(1),
    lambda: ReplayingRng([]),
    lambda: RecordingRng(FastRng(1)),
    lambda: Node(0),
    lambda: HeuristicEvaluator(DiceHeuristic()),
]


@pytest.mark.parametrize("make", MAKERS)
def test_a_weak_reference_is_refused_or_dies_with_its_object(make: Callable[[], Any]) -> None:
    kept = make()
    if type(kept).__weakrefoffset__ == 0:
        with pytest.raises(TypeError):
            weakref.ref(kept)
        return
    assert "__dict__" in dir(kept), "compiled, and with room for weak references: a crash to come"
    reference = weakref.ref(kept)
    del kept
    gc.collect()
    assert reference() is None

"""Does a random player choose every legal action, no other, and none more often than another?"""

from __future__ import annotations

from collections import Counter
from math import sqrt
from typing import Any

import pytest

from games.engines.common.rng import FastRng
from games.registry import ENGINES
from tests.engines.playing import Position, kinds_of, play

ENGINE = ENGINES["law_of_the_dice"]
THROWS = 60  # for each legal action
SIGMAS = 5


def decisions() -> list[Any]:
    """A position for each kind of decision, and several with many actions."""
    found: dict[Any, Position] = {}
    for seed in range(30):
        for position in play(ENGINE, ENGINE.about.options(), 3, seed).positions[:-1]:
            number = sum(len(position.state.legal_actions(seat)) for seat in range(3))
            found.setdefault((kinds_of(position.state), number // 8), position)
    kept = sorted(found.items(), key=lambda item: (sorted(item[0][0]), item[0][1]))
    return [pytest.param(position, id=f"{sorted(key[0])}-{key[1]}") for key, position in kept]


@pytest.mark.parametrize("position", decisions())
def test_random_action_is_uniform_on_the_legal_actions(position: Position) -> None:
    state = position.state
    seat = ENGINE.awaited(state)[0]
    legal = state.legal_actions(seat)
    rng = FastRng(position.seq)
    drawn = Counter(state.random_action(seat, rng) for _ in range(THROWS * len(legal)))
    assert set(drawn) == set(legal)
    freedom = len(legal) - 1
    chi_square = sum((drawn[action] - THROWS) ** 2 / THROWS for action in legal)
    assert chi_square <= freedom + SIGMAS * sqrt(2 * freedom) + SIGMAS**2


def test_choosing_changes_nothing() -> None:
    for position in play(ENGINE, ENGINE.about.options(), 3, 0).positions[:-1]:
        before = position.state.contents()
        position.state.random_action(ENGINE.awaited(position.state)[0], FastRng(1))
        assert position.state.contents() == before

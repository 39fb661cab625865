"""The heuristic of Law of the Dice: a game with two legs is worth the mean of its legs."""

from __future__ import annotations

import pytest
from librt.vecs import vec
from mypy_extensions import i64

from tabularium_engines.heuristics.law_of_the_dice import HEURISTIC
from tabularium_engines.law_of_the_dice.game_logic import DiceState
from tabularium_engines.law_of_the_dice.game_options import SecondOptions
from tabularium_engines.law_of_the_dice.legs import Legs
from tests.engines.law_of_the_dice.tables import table


def position(legs: int, leg: int = 1, *first_points: int) -> DiceState:
    """A position in which seat 0 is ahead in the current leg."""
    state = table(["7S 8S 9S", "2H"], options=SecondOptions(legs=legs))
    state.scoring.points = vec[i64]([2, 0])
    state.legs = Legs(leg, 0, vec[i64](first_points))
    return state


def values(state: DiceState) -> tuple[float, float]:
    """The value of the state for each seat."""
    return HEURISTIC.value(state, 0), HEURISTIC.value(state, 1)


@pytest.mark.parametrize(
    ("leg", "first_points", "others"),
    [
        (1, (), (0.5, 0.5)),  # the second leg is even as long as it has not begun
        (2, (3, 1), (1.0, 0.0)),
        (2, (0, 3), (0.0, 1.0)),
        (2, (2, 2), (0.5, 0.5)),
    ],
)
def test_the_value_is_the_mean_of_both_legs(
    leg: int, first_points: tuple[int, ...], others: tuple[float, float]
) -> None:
    alone = values(position(1))
    assert alone[0] > 2 * alone[1] > 0
    for seat, value in enumerate(values(position(2, leg, *first_points))):
        assert value == (others[seat] + alone[seat]) / 2

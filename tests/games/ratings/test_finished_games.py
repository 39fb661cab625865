"""The finish order of players, with ties, many players, partners and resignations."""

from __future__ import annotations

import pytest

from games.ratings.finished_games import FinishOrder, finish_order
from tabularium_log.projection.table_actions import Outcome

ALONE: list[tuple[int, ...]] = [(0,), (1,), (2,), (3,)]
PARTNERS: list[tuple[int, ...]] = [(0, 3), (1, 2)]


def ranks(
    winners: tuple[int, ...],
    scores: tuple[int, ...] | None,
    resigned: tuple[int, ...] = (),
    sides: list[tuple[int, ...]] = ALONE,
) -> tuple[int, ...]:
    order = finish_order(Outcome(winners, scores, "It is over."), resigned, sides)
    assert order is not None
    assert order.sides == tuple(sides) or order.sides == tuple(ALONE)
    return order.ranks


@pytest.mark.parametrize(
    ("winners", "scores", "resigned", "expected"),
    [
        ((2,), (1, 5, 7, 3), (), (4, 2, 1, 3)),
        ((2,), (1, 5, 5, 5), (), (3, 2, 1, 2)),  # a winner ranks before an equal score
        ((0,), (1, 5, 7, 3), (), (1, 3, 2, 4)),  # and before a better one
        ((0, 1), (5, 5, 1, 1), (), (1, 1, 2, 2)),
        ((0, 1, 2, 3), (2, 2, 2, 2), (), (1, 1, 1, 1)),
        ((1,), (9, 5, 7, 3), (0,), (4, 1, 2, 3)),  # resigned: last, even if its bot wins
        ((3,), None, (0, 1, 2), (2, 2, 2, 1)),
        ((1,), (0, -1, -5, 0), (0, 3), (3, 1, 2, 3)),
    ],
)
def test_ranks(
    winners: tuple[int, ...],
    scores: tuple[int, ...] | None,
    resigned: tuple[int, ...],
    expected: tuple[int, ...],
) -> None:
    assert ranks(winners, scores, resigned) == expected


def test_partners_are_one_side() -> None:
    order = finish_order(Outcome((1, 2), (3, 8, 8, 3), ""), (), PARTNERS)
    assert order == FinishOrder(((0, 3), (1, 2)), (2, 1))


@pytest.mark.parametrize(
    ("winners", "scores", "resigned"),
    [((1,), (3, 8, 7, 3), ()), ((1, 2), (3, 8, 8, 2), ()), ((1, 2), (3, 8, 8, 3), (0,))],
)
def test_partners_whom_the_result_parts_stand_for_themselves(
    winners: tuple[int, ...], scores: tuple[int, ...], resigned: tuple[int, ...]
) -> None:
    order = finish_order(Outcome(winners, scores, ""), resigned, PARTNERS)
    assert order is not None
    assert order.sides == tuple(ALONE)


def test_where_all_win_together_nobody_was_to_be_beaten() -> None:
    assert finish_order(Outcome((0, 1), (4, 4), ""), (), [(0, 1)]) is None

"""The finish order of a game: its sides and their ranks."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import NamedTuple

from games.projection.table_actions import Outcome

Side = tuple[int, ...]
SortKey = tuple[int, int]  # smaller is better


class FinishOrder(NamedTuple):
    """The sides of a game, each with its rank; equal ranks are tied."""

    sides: tuple[Side, ...]
    ranks: tuple[int, ...]


def finish_order(
    outcome: Outcome, resigned: Collection[int], sides: Sequence[Side]
) -> FinishOrder | None:
    """The winners come first, regardless of their scores; then the others, by their scores if there
    are any; seats that resigned come last. Partners share a rank if the result puts them on one
    place; otherwise each seat stands alone. None: there was no opponent."""
    if len(sides) < 2:
        return None
    seats = sorted(seat for side in sides for seat in side)
    places = [_sort_key(outcome, seat, seat in resigned) for seat in seats]
    if any(len({places[seat] for seat in side}) > 1 for side in sides):
        sides = [(seat,) for seat in seats]
    order = sorted(set(places))
    ranks = tuple(1 + order.index(places[side[0]]) for side in sides)
    return FinishOrder(tuple(sides), ranks)


def _sort_key(outcome: Outcome, seat: int, has_resigned: bool) -> SortKey:
    if seat in outcome.winners:
        return 0, 0
    if has_resigned or outcome.scores is None:
        return 2, 0
    return 1, -outcome.scores[seat]

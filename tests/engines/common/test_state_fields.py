"""Fields of parts of a state, as plain numbers."""

from __future__ import annotations

import json

from librt.vecs import vec
from mypy_extensions import i64

from tabularium_engines.common.state_fields import fields_of
from tabularium_engines.duel_edged_sword.match_scoring import ChallengeTotals, Match, RoundResult
from tabularium_engines.duel_of_law.game_end import GameEnd
from tabularium_engines.law.piles import Piles


def test_fields_are_plain_numbers_in_the_order_of_their_declaration() -> None:
    piles = Piles(5, [vec[i64]([1, 2]), vec[i64]()])
    piles.removed = 9
    assert fields_of(piles) == [[], 5, [[1, 2], []], 0, 9]
    assert json.dumps(fields_of(GameEnd())) == "[0, false, -1, 0]"


def test_parts_are_their_contents_and_none_is_empty() -> None:
    match = Match(vec[i64]([1, 0, 0, 2]), ChallengeTotals(3, 1, 6, 9))
    assert fields_of(match)[2:5] == [[1, 0, 0, 2], [3, 1, 6, 9], []]
    match.last_result = RoundResult(number=2)
    assert fields_of(match)[4] == match.last_result.contents()


class Plain:
    """A part that is not compiled."""

    def __init__(self) -> None:
        self.first = 1
        self.second = [2]


def test_a_field_that_is_added_is_among_them() -> None:
    part = Plain()
    part.third = 3  # type: ignore[attr-defined]
    assert fields_of(part) == [1, [2], 3]

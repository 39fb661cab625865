"""The printed example, with cards for which every sentence of it is true."""

from __future__ import annotations

import pytest

from games.engines.duality.actions import Play, Replace
from games.engines.duality.game_logic import DualityState
from tests.engines.duality.plain import colours, ways
from tests.engines.duality.tables import BLACK, WHITE, Script, connections, do, legal, seen, table

FILE = "D32* D03* D51* D37 D19* D08 D23"
A, B, C = "D11", "D47", "D33"
HAND = f"{A} {B} {C}"


def deal(turn: int) -> DualityState:
    """The initial deal; the seat on turn holds A, B and C."""
    hands = (HAND, "") if turn == BLACK else ("", HAND)
    return table(FILE, hands, turn=turn)


def lays(turn: int, row: int, column: int = 0) -> set[tuple[str, bool]]:
    """The cards that may be laid at a place, each with whether it is turned."""
    actions = legal(deal(turn), turn)
    return {(a.card, a.turned) for a in actions if (a.row, a.column) == (row, column)}


def test_blacks_path_is_one_long_and_whites_two() -> None:
    assert seen(deal(BLACK)).longest == (1, 2)


def test_black_begins_having_the_shorter_path() -> None:
    assert deal(WHITE).starting_seat(Script([])) == BLACK


def test_card_1_may_be_replaced_by_card_a_which_lengthens_the_path() -> None:
    state = deal(BLACK)
    before = connections(state, 1)
    assert colours((A, True))["S1"] != colours((A, True))["S2"], (
        "a black and a white line face Black"
    )
    do(state, BLACK, Replace(A, True, 1, 0))
    assert connections(state, 1) == 3 >= before
    assert seen(state).longest[BLACK] == 2


def test_card_1_may_be_replaced_by_card_c_without_any_gain() -> None:
    state = deal(BLACK)
    before = connections(state, 1)
    do(state, BLACK, Replace(C, False, 1, 0))
    assert connections(state, 1) == before
    assert seen(state).longest[BLACK] == 1


@pytest.mark.parametrize("column", [-1, 1])
def test_all_may_be_placed_beside_card_1_with_a_black_line_towards_black(column: int) -> None:
    facing = {
        way for way in ways([A, B, C]) if "b" in [colours(way)[port] for port in ("S1", "S2")]
    }
    assert lays(BLACK, 1, column) == facing
    assert {card for card, _ in facing} == {A, B, C}


def test_white_may_replace_card_5_by_a_or_b_and_so_extend_the_path() -> None:
    extending = set()
    for card, turned in lays(WHITE, 5):
        state = deal(WHITE)
        do(state, WHITE, Replace(card, turned, 5, 0))
        if seen(state).longest[WHITE] > 2:
            extending.add(card)
    assert extending == {A, B}


def test_white_may_place_each_to_the_left_of_card_6_its_white_path_on_the_right() -> None:
    found = lays(WHITE, 6, -1)
    assert {card for card, _ in found} == {A, B, C}
    for card, turned in found:
        assert colours((card, turned))["E"] == "w"
        state = deal(WHITE)
        do(state, WHITE, Play(card, turned, 6, -1), 0)
        assert seen(state).longest[WHITE] == 3


@pytest.mark.parametrize("column", [-1, 1])
def test_white_may_begin_a_path_beside_card_7_with_a_white_line_towards_white(column: int) -> None:
    facing = {
        way for way in ways([A, B, C]) if "w" in [colours(way)[port] for port in ("N1", "N2")]
    }
    assert lays(WHITE, 7, column) == facing
    assert {card for card, _ in facing} == {A, B, C}

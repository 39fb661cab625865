"""The printed example, with cards for which every sentence of it is true."""

from __future__ import annotations

import pytest

from tabularium_engines.duality.actions import Play, Replace
from tabularium_engines.duality.game_logic import DualityState
from tests.engines.duality.reference_board import orientations, port_colours
from tests.engines.duality.tables import (
    BLACK,
    WHITE,
    ScriptedRng,
    connection_count,
    do,
    legal_actions,
    table,
    view_of,
)

FILE = "D32* D03* D51* D37 D19* D08 D23"
A, B, C = "D11", "D47", "D33"
HAND = f"{A} {B} {C}"


def example_table(turn: int) -> DualityState:
    """The table of the example; the seat on turn holds A, B and C."""
    hands = (HAND, "") if turn == BLACK else ("", HAND)
    return table(FILE, hands, turn=turn)


def legal_placements(turn: int, row: int, column: int = 0) -> set[tuple[str, bool]]:
    """The cards that may be laid at a place, each with whether it is turned."""
    actions = legal_actions(example_table(turn), turn)
    return {(a.card, a.turned) for a in actions if (a.row, a.column) == (row, column)}


def test_blacks_path_is_one_long_and_whites_two() -> None:
    assert view_of(example_table(BLACK)).longest == (1, 2)


def test_black_begins_with_the_shorter_path() -> None:
    assert example_table(WHITE).starting_seat(ScriptedRng([])) == BLACK


def test_card_1_may_be_replaced_by_card_a_which_lengthens_the_path() -> None:
    state = example_table(BLACK)
    before = connection_count(state, 1)
    assert port_colours((A, True))["S1"] != port_colours((A, True))["S2"], (
        "a black and a white line face Black"
    )
    do(state, BLACK, Replace(A, True, 1, 0))
    assert connection_count(state, 1) == 3 >= before
    assert view_of(state).longest[BLACK] == 2


def test_card_1_may_be_replaced_by_card_c_without_any_gain() -> None:
    state = example_table(BLACK)
    before = connection_count(state, 1)
    do(state, BLACK, Replace(C, False, 1, 0))
    assert connection_count(state, 1) == before
    assert view_of(state).longest[BLACK] == 1


@pytest.mark.parametrize("column", [-1, 1])
def test_all_may_be_placed_beside_card_1_with_a_black_line_towards_black(column: int) -> None:
    facing_cards = {
        oriented_card
        for oriented_card in orientations([A, B, C])
        if "b" in [port_colours(oriented_card)[port] for port in ("S1", "S2")]
    }
    assert legal_placements(BLACK, 1, column) == facing_cards
    assert {card for card, _ in facing_cards} == {A, B, C}


def test_white_may_extend_the_path_by_replacing_card_5_with_a_or_b() -> None:
    extending_cards = set()
    for card, turned in legal_placements(WHITE, 5):
        state = example_table(WHITE)
        do(state, WHITE, Replace(card, turned, 5, 0))
        if view_of(state).longest[WHITE] > 2:
            extending_cards.add(card)
    assert extending_cards == {A, B}


def test_white_may_place_each_to_the_left_of_card_6_its_white_path_on_the_right() -> None:
    placements = legal_placements(WHITE, 6, -1)
    assert {card for card, _ in placements} == {A, B, C}
    for card, turned in placements:
        assert port_colours((card, turned))["E"] == "w"
        state = example_table(WHITE)
        do(state, WHITE, Play(card, turned, 6, -1), 0)
        assert view_of(state).longest[WHITE] == 3


@pytest.mark.parametrize("column", [-1, 1])
def test_white_may_begin_a_path_beside_card_7_with_a_white_line_towards_white(column: int) -> None:
    facing_cards = {
        oriented_card
        for oriented_card in orientations([A, B, C])
        if "w" in [port_colours(oriented_card)[port] for port in ("N1", "N2")]
    }
    assert legal_placements(WHITE, 7, column) == facing_cards
    assert {card for card, _ in facing_cards} == {A, B, C}

"""Paths, connections and legal placements: R3 to R11."""

from __future__ import annotations

from typing import Any, get_args

import pytest

from tabularium_engines.base import IllegalAction
from tabularium_engines.common import json_codec
from tabularium_engines.common.random_generators import FastRng
from tabularium_engines.duality import ENGINE
from tabularium_engines.duality.actions import Play, Replace
from tabularium_engines.duality.board import place_of
from tabularium_engines.duality.cards import CARD_CODES
from tabularium_engines.duality.game_logic import DualityState, new_table
from tabularium_engines.duality.game_options import File, Options
from tabularium_engines.duality.paths import Reach
from tabularium_engines.duality.view import Place
from tabularium_engines.promises.random_games import play
from tests.engines.duality.tables import (
    BLACK,
    WHITE,
    ScriptedRng,
    card_at,
    connection_count,
    do,
    hand,
    legal_actions,
    news_kinds,
    reference_board,
    table,
    view_of,
)

LOOP = "D34"  # a black loop on each long side, a white line from flank to flank
BLACK_STRAIGHT = "D39"  # both black lines run straight from side to side
WHITE_STRAIGHT = "D23"  # both white lines run straight from side to side
ROUND_TRIP = {(1, 1): "D12", (2, 1): "D27"}  # next to D01 and D02: to the right, up and back


def start_game(file: File, seed: int) -> DualityState:
    return ENGINE.start(Options(file), 2, FastRng(seed))


def refusal_code(state: DualityState, seat: int, action: object) -> str:
    """The code of the refusal of an action."""
    with pytest.raises(IllegalAction) as caught:
        ENGINE.encode(state, seat, action)
    return caught.value.code


@pytest.mark.parametrize("file", get_args(File))
def test_R3_cards_are_dealt_either_way_up_and_no_path_is_complete(file: File) -> None:
    turned = set()
    for seed in range(150):
        state = start_game(file, seed)
        assert [view_of(state).hand_sizes, len(view_of(state).board)] == [(3, 3), file]
        assert {laid.column for laid in view_of(state).board} == {0}
        assert not any(reference_board(state.board).is_complete(seat) for seat in (BLACK, WHITE))
        turned |= {laid.turned for laid in view_of(state).board}
    assert turned == {False, True}


@pytest.mark.parametrize("file", get_args(File))
def test_R18_any_number_of_cards_from_two_lies_between_the_players(file: File) -> None:
    state = start_game(file, 1)
    assert [card_at(state, row) is None for row in range(1, 8)] == [
        row > file for row in range(1, 8)
    ]
    assert view_of(state).options == Options(file)
    assert (
        ENGINE.text(view_of(state))
        .splitlines()[1]
        .endswith("cards lay between the players at first.")
    )


@pytest.mark.parametrize("file", [1, 8])
def test_R18_a_card_alone_or_an_eighth_is_refused(file: int) -> None:
    with pytest.raises(json_codec.MalformedDocument):
        json_codec.from_json(Options, {"file": file})


def test_R3_a_complete_file_is_dealt_again() -> None:
    state = new_table(3)
    complete_file = [38, 39, 0, 18, 0]  # D39, D41 and D19: a black line from end to end
    other_file = [33, 0, 0, 1, 0]  # D34, D01, D03
    hands_and_tie = [0, 0, 0, 0, 0, 0, 0]
    state.record_news()
    script = ScriptedRng([*complete_file, *other_file, *hands_and_tie])
    state.set_up(script)
    script.assert_empty()
    assert [card_at(state, row) for row in (1, 2, 3)] == ["D34", "D01", "D03"]
    assert hand(state, BLACK) == {"D02", "D04", "D05"}
    assert state.cards() == list(range(54))


def test_R3_seat_0_plays_black_from_row_1() -> None:
    assert view_of(table(f"{BLACK_STRAIGHT} D37 {LOOP}")).longest == (1, 0)
    assert view_of(table(f"D18 D37 {WHITE_STRAIGHT}")).longest == (0, 1)


def test_R4_a_loop_is_a_path_that_leads_nowhere() -> None:
    state = table(f"{LOOP} D01 D03", ("D02", ""))
    assert view_of(state).longest[BLACK] == 1
    assert view_of(state).free[BLACK] == (Place(1, -1), Place(1, 1))


def test_R4_a_path_ends_at_the_other_colour_and_may_replace_the_card_there() -> None:
    state = table(f"{BLACK_STRAIGHT} {WHITE_STRAIGHT} {LOOP}", ("D41", ""))
    assert view_of(state).longest[BLACK] == 1
    assert Reach(state.board, BLACK).ports_at(place_of(0, 2)) == 0b011000
    assert Reach(state.board, BLACK).ports_at(place_of(0, 3)) == 0


def test_R4_an_open_end_lies_before_an_empty_place() -> None:
    state = table("D01 D02 D03")  # black from S1 to E
    assert Place(1, 1) in view_of(state).free[BLACK]
    assert Reach(state.board, BLACK).ports_at(place_of(1, 1)) & 0b100000


def test_R4_length_counts_cards_and_is_0_without_a_line_towards_home() -> None:
    state = table("D01 D02 D03", extra_cards=ROUND_TRIP)
    assert view_of(state).longest[BLACK] == 5
    state = table("D18 D02 D03")  # both ports towards Black are white
    assert view_of(state).longest[BLACK] == 0


def test_R5_connections_are_ports_that_meet_their_colour_or_face_the_player_at_home() -> None:
    state = table(f"D41 {BLACK_STRAIGHT} D19 D18 D22", extra_cards={(2, 1): LOOP})
    assert connection_count(state, 1) == 3  # both towards Black, and black above; white meets black
    assert connection_count(state, 2) == 3  # black below and above at the left, white at the flank
    assert connection_count(state, 2, 1) == 1
    assert connection_count(state, 4) == 1  # white below at the right; black meets white elsewhere
    assert connection_count(state, 5) == 2


def test_R5_a_replacement_makes_at_least_as_many_connections() -> None:
    state = table(f"{BLACK_STRAIGHT} D37 {LOOP}", ("D17 D48", ""))
    assert connection_count(state, 2) == 2
    assert refusal_code(state, BLACK, Replace("D17", False, 2, 0)) == "fewer-connections"
    do(state, BLACK, Replace("D48", False, 2, 0))
    assert connection_count(state, 2) == 2


def test_R6_the_shorter_path_begins_and_chance_decides_between_equals() -> None:
    first_seats: dict[bool, set[int]] = {True: set(), False: set()}
    for seed in range(200):
        state = start_game(7, seed)
        black, white = (reference_board(state.board).longest_path(seat) for seat in (BLACK, WHITE))
        first_seat = ENGINE.awaited_seats(state)[0]
        first_seats[black == white].add(first_seat)
        assert black == white or first_seat == (BLACK if black < white else WHITE)
    assert first_seats == {True: {BLACK, WHITE}, False: {BLACK, WHITE}}


def test_R7_the_ends_of_ones_own_home_row_count() -> None:
    state = table(f"{LOOP} D01 D22", extra_cards={(1, 2): "D28", (3, -1): "D35"})
    free_places = view_of(state).free
    assert {p for p in free_places[BLACK] if p.row == 1} == {Place(1, -1), Place(1, 3)}
    assert Place(3, -2) in free_places[WHITE]
    assert Place(3, 1) in free_places[WHITE]


def test_R7_a_gap_is_filled_by_continuing_a_path_only() -> None:
    without_path = table(f"{LOOP} D01 D03", ("D39", ""), {(1, 2): "D44"})
    assert refusal_code(without_path, BLACK, Play("D39", False, 1, 1)) == "out-of-reach"
    with_path = table("D01 D02 D03", ("D19 D39", ""), {(1, 2): "D44"})
    assert refusal_code(with_path, BLACK, Play("D39", False, 1, 1)) == "not-joined"
    do(with_path, BLACK, Play("D19", False, 1, 1), 0)


def test_R8_a_path_counts_up_to_its_first_arrival_at_the_place() -> None:
    """Black's path leaves the card at home by its flank and comes back to it from above."""
    state = table("D01 D02 D03", ("D35", ""), ROUND_TRIP)
    assert Reach(state.board, BLACK).ports_at(place_of(0, 1)) == 0b011000
    assert Reach(state.board, BLACK).ports_at(place_of(0, 2)) == 0b000100
    assert refusal_code(state, BLACK, Replace("D35", False, 1, 0)) == "not-joined"


def test_R8_at_home_a_line_towards_ones_player_is_enough() -> None:
    state = table("D18 D22 D03", ("D44", ""))
    do(state, BLACK, Replace("D44", False, 1, 0))
    assert card_at(state, 1) == "D44"


def test_R9_a_replacement_may_lengthen_no_path_and_may_cost_connections() -> None:
    outcomes = set()
    for position in play(ENGINE, Options(), 2, 0).positions[:40:3]:
        state: Any = position.state
        seat = ENGINE.awaited_seats(state)[0]
        for action in legal_actions(state, seat):
            if isinstance(action, Replace):
                successor = state.clone()
                successor.apply(seat, ENGINE.action_codec.to_int(action), FastRng(1))
                is_longer = view_of(successor).longest[seat] > view_of(state).longest[seat]
                has_lost_connections = any(
                    laid_after.connections < laid_before.connections
                    for laid_before, laid_after in zip(
                        view_of(state).board, view_of(successor).board, strict=True
                    )
                )
                outcomes.add((is_longer, has_lost_connections))
    assert outcomes == {(False, False), (False, True), (True, False), (True, True)}


def test_R10_there_are_no_rows_behind_the_players() -> None:
    state = table(f"{BLACK_STRAIGHT} {LOOP} D01", ("D41", ""))
    assert refusal_code(state, BLACK, Play("D41", False, 4, 0)) == "no-such-row"
    for seed in range(20):
        state = start_game(3, seed)
        seat = ENGINE.awaited_seats(state)[0]
        assert {action.row for action in legal_actions(state, seat)} <= {1, 2, 3}


def test_R10_the_board_grows_to_the_sides_as_far_as_cards_reach() -> None:
    state = table(f"{LOOP} D01 D03", (" ".join(CARD_CODES[4:24]), ""))
    for column in range(1, 21):
        plays = [a for a in legal_actions(state, BLACK) if (a.row, a.column) == (1, column)]
        state.apply(BLACK, ENGINE.action_codec.to_int(plays[0]), FastRng(1))
        state.to_act = 1
    assert view_of(state).free[BLACK][-1].column == 21
    widest_state = table(f"{LOOP} D01 D03", ("D39", ""), {(1, 50): "D44", (1, -50): "D21"})
    assert {a.column for a in legal_actions(widest_state, BLACK)} == {-51, -50, 0, 50, 51}
    do(widest_state, BLACK, Play("D39", False, 1, -51), 0)
    assert card_at(widest_state, 1, -51) == "D39"


def test_R11_a_replacement_draws_nothing_and_a_new_card_one() -> None:
    state = table(f"D18 {LOOP} D03", ("D44 D39", "D01"))
    assert news_kinds(do(state, BLACK, Replace("D44", False, 1, 0))) == ["replaced"]
    assert hand(state, BLACK) == {"D18", "D39"}
    state = table(f"D18 {LOOP} D03", ("D44 D39", "D01"))
    news = do(state, BLACK, Play("D44", False, 1, 1), 0)
    assert news_kinds(news) == ["played", "drew"]
    assert "card" not in news[1]
    assert hand(state, BLACK) == {"D39", "D02"}


def test_R11_nothing_is_drawn_from_an_empty_pile() -> None:
    state = table(f"D18 {LOOP} D03", ("D44", "D01"), pile="")
    assert news_kinds(do(state, BLACK, Play("D44", False, 1, -1))) == ["played"]
    assert hand(state, BLACK) == set()
    assert view_of(state).to_act == (WHITE,)


def test_R11_nothing_is_drawn_when_the_game_is_over() -> None:
    state = table("D01 D02 D03", ("D19", ""), {(1, 1): "D12", (3, 1): BLACK_STRAIGHT})
    assert news_kinds(do(state, BLACK, Play("D19", False, 2, 1)))[:2] == ["played", "ended"]
    assert hand(state, BLACK) == set()

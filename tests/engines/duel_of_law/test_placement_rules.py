"""Placement rules: legal places, laying in steps, and the lines that are judged."""

from __future__ import annotations

from random import Random

from games.engines.common.rng import FastRng
from games.engines.duel_of_law import ENGINE, status_text
from games.engines.duel_of_law.actions import Claim, DrawSix, Finish, More, Pass, Place, TakeBack
from games.engines.duel_of_law.cards import CARD_CODES
from games.engines.duel_of_law.game_options import Options
from games.engines.duel_of_law.view import place_code
from tests.engines.action_inputs import well_formed_actions
from tests.engines.duel_of_law.tables import (
    RED,
    branch,
    claiming,
    do,
    finish,
    hand,
    kinds,
    lay,
    legal,
    place,
    refused,
    seen,
    spots,
    table,
)

AROUND = {(-1, 0), (1, 0), (0, -1), (0, 1)}


# -- legal places ----------------------------------------------------------------------------------


def test_R5_the_first_card_touches_one_that_lies_there() -> None:
    state = table("01", ("22 45", "90"))
    assert spots(state, "22") == spots(state, "45") == AROUND
    assert refused(state, Place("22", 1, 1)) == "not-beside"
    assert refused(state, Place("22", 0, 0)) == "card-there"
    assert refused(state, Place("90", 0, 1)) == "not-in-hand"


def test_R5_further_cards_lie_in_one_line_without_a_gap() -> None:
    state = table("01", ("22 45 67", "90"))
    do(state, Place("22", 0, 1))
    assert refused(state, Place("45", 0, 2)) == "not-now"
    do(state, More())
    assert spots(state, "45") == {(0, -1), (0, 2), (-1, 1), (1, 1)}
    do(state, Place("45", -1, 1))
    do(state, More())
    assert spots(state, "67") == {(-2, 1), (1, 1)}
    assert refused(state, Place("67", 0, 2)) == "not-in-line"


def test_R5_cards_that_lay_there_may_fill_the_line() -> None:
    state = table("01 . 03\n11 21 31", ("02 05", "90"))
    do(state, Place("02", 0, 1))
    do(state, More())
    assert (0, 3) in spots(state, "05")
    assert (0, -1) in spots(state, "05")


def test_R6_every_line_with_a_new_card_is_judged() -> None:
    state = table("01 02\n11 12", ("21 22", "90"))
    lay(state, "21 22", (2, 0))
    finish(state)
    asked = seen(state, RED).trial
    assert asked is not None
    assert [(line.axis, line.row, line.column) for line in asked.questions] == [
        ("down", 0, 0),
        ("down", 0, 1),
    ]


def test_R6_two_cards_need_no_law() -> None:
    state = table("01", ("22 45", "90"))
    do(state, Place("22", 0, 1))
    do(state, Finish())
    assert state.turn == 1
    assert not state.tableau.branches


def test_R6_a_line_that_breaks_its_law_forbids_the_card() -> None:
    state = table("01 02 03", ("05 45", "90"), [("across", (0, 0), "blue: colour is red")])
    assert (0, 3) in spots(state, "05")
    assert not {(0, 3), (0, -1)} & spots(state, "45")
    assert (1, 0) in spots(state, "45")
    assert refused(state, Place("45", 0, 3)) == "unlawful"


# -- laying in steps -------------------------------------------------------------------------------


DRY = [("across", (0, 0), "blue: letter word")]


def test_R36_what_breaks_a_law_may_be_mended_by_further_cards() -> None:
    state = table("0J 84 119", ("60 00 112 70", "90"), DRY)
    for card, column in (("70", -1), ("112", -2), ("00", -3)):
        place(state, card, (0, column))
        assert "finish" not in kinds(state)
        assert refused(state, Finish()) == "unlawful"
    place(state, "60", (0, -4))
    finish(state, "leave")
    assert branch(state, "across", (0, -4)).size == 7


def test_R36_what_no_card_can_mend_is_not_laid() -> None:
    state = table("01 02 03", ("09 00", "90"), [("across", (0, 0), "blue: rank rises")])
    assert (0, 3) in spots(state, "09")
    assert not {(0, 3)} & spots(state, "00")


def test_R36_a_line_across_is_in_order_at_once() -> None:
    lying = "01 02 03\n11 . .\n21 . ."
    state = table(lying, ("31 45", "90"), [("down", (0, 0), "blue: rank is 1")])
    do(state, Place("31", 3, 0))
    do(state, TakeBack())
    do(state, Place("45", 2, 1))
    do(state, More())
    assert (3, 0) not in spots(state, "31")
    assert (3, 1) in spots(state, "31")


def test_R36_no_card_is_laid_any_more_once_laws_are_claimed() -> None:
    state = table("01 02", ("03 05 07", "90"))
    do(state, Place("03", 0, 2))
    assert refused(state, claiming("colour is red")) == "no-question"
    do(state, Finish())
    assert kinds(state) == {"claim", "take_back"}
    assert refused(state, Place("05", 0, 3)) == "not-now"
    assert refused(state, Finish()) == "not-now"


def test_R37_everything_can_be_taken_back() -> None:
    state = table("01 02", ("03 05 07", "90"))
    before = [state.zones[:], state.tableau.contents(), seen(state, 1)]
    lay(state, "03 05", (0, 2))
    do(state, TakeBack())
    assert [state.zones[:], state.tableau.contents(), seen(state, 1)] == before
    lay(state, "03 05", (0, 2))
    finish(state)
    do(state, TakeBack())
    assert [state.zones[:], state.tableau.contents(), seen(state, 1)] == before


def test_R37_claims_are_taken_back_with_the_cards() -> None:
    state = table("01 02\n11 12", ("21 22", "90"))
    lay(state, "21 22", (2, 0))
    finish(state, "rank is 1")
    assert len(state.tableau.branches) == 1
    do(state, TakeBack())
    assert not state.tableau.branches
    assert hand(state, RED) == {"21", "22"}


def test_R37_who_takes_back_a_third_time_draws() -> None:
    state = table("01 02", ("03 05", "90"))
    for _ in range(3):
        do(state, Place("03", 0, 2))
        do(state, TakeBack())
    assert legal(state) == [DrawSix()]
    assert refused(state, Place("03", 0, 2)) == "no-tries-left"
    do(state, DrawSix())
    do(state, Place("90", -1, 0))
    do(state, Finish())
    assert "place" in kinds(state)


def test_R37_without_a_deck_who_takes_back_a_third_time_passes() -> None:
    state = table("01 02", ("03 05", ""), deck=0)
    for _ in range(3):
        do(state, Place("03", 0, 2))
        do(state, TakeBack())
    assert legal(state) == [Pass()]


def test_a_turn_begins_with_a_card_or_with_six() -> None:
    state = table("01", ("22", "90"))
    assert kinds(state) == {"place", "draw_six"}
    assert refused(state, Finish()) == "nothing-laid"
    assert refused(state, TakeBack()) == "nothing-laid"
    assert refused(state, More()) == "nothing-laid"
    assert refused(state, Pass()) == "must-draw"
    do(state, Place("22", 0, 1))
    assert refused(state, DrawSix()) == "cards-laid"
    assert refused(state, Claim("rank", "is", "1", "forward")) == "no-question"


# -- no edge ---------------------------------------------------------------------------------------


def test_R40_lines_go_on_over_the_seam() -> None:
    lying = {(126, 0): "01", (127, 0): "02", (-128, 0): "03"}
    state = table(lying, ("05", "90"), [("down", (126, 0), "blue: colour is red")])
    assert {(125, 0), (-127, 0)} <= spots(state, "05")
    do(state, Place("05", -127, 0))
    finish(state, "leave")
    assert branch(state, "down", (126, 0)).size == 4


def test_R40_rows_are_shown_in_the_order_in_which_they_lie() -> None:
    assert status_text.display_positions([127, -128, 126]) == {126: 0, 127: 1, -128: 2}
    assert status_text.display_positions([2, -1, 0, 1]) == {-1: 0, 0: 1, 1: 2, 2: 3}


def test_R40_all_cards_in_one_row_do_not_meet() -> None:
    state = table({(0, column): "01" for column in range(1)}, ("", ""))
    for card in range(2, 162):
        state.tableau.lay(card, place_code(0, (card - 1 + 128) % 256 - 128))
    line = state.tableau.line(place_code(0, 0), 0)
    assert len(line.cards) == 161
    assert line.start == place_code(0, 0)


def test_R36_more_needs_a_card_and_a_place_for_it() -> None:
    state = table("01", ("22", "90"))
    do(state, Place("22", 0, 1))
    assert kinds(state) == {"finish", "take_back"}
    assert refused(state, More()) == "no-more"
    state = table("01", ("22 23", "90"))
    do(state, Place("22", 0, 1))
    do(state, More())
    assert kinds(state) == {"place", "take_back"}
    assert refused(state, Finish()) == "not-now"


# -- the legality of one action -------------------------------------------------------------------


def test_to_ask_about_one_action_says_what_the_list_says() -> None:
    rng = FastRng(3)
    chance = Random(3)
    state = ENGINE.start(Options(), 2, rng)
    strange = [
        ENGINE.action_codec.to_int(action)
        for action in chance.sample(well_formed_actions(ENGINE), 300)
    ]
    near = range(-3, 4)
    strange += [
        ENGINE.action_codec.to_int(Place(card, row, column))
        for card in CARD_CODES[::9]
        for row in near
        for column in near
    ]
    for _ in range(60):
        seat = int(state.turn)
        legal = state.legal_actions(seat)
        for action in {*strange, *legal}:
            assert state.is_legal(seat, action) == (action in legal)
            assert not state.is_legal(1 - seat, action)
        state.apply(seat, legal[rng.below(len(legal))], rng)

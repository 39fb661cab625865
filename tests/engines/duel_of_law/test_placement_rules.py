"""Placement rules: legal places, laying in steps, and the lines that need a law."""

from __future__ import annotations

from random import Random

from tabularium_engines.common.random_generators import FastRng
from tabularium_engines.duel_of_law import status_text
from tabularium_engines.duel_of_law.actions import (
    Claim,
    DrawSix,
    Finish,
    More,
    Pass,
    Place,
    TakeBack,
)
from tabularium_engines.duel_of_law.cards import CARD_CODES
from tabularium_engines.duel_of_law.game_options import Options
from tabularium_engines.duel_of_law.tableau import place_at
from tabularium_engines.promises.action_inputs import well_formed_actions
from tests.engines.duel_of_law.tables import (
    FIRST,
    RED,
    branch,
    claim_action,
    do,
    finish,
    hand,
    lay,
    legal_actions,
    legal_kinds,
    legal_spots,
    place,
    refusal_code,
    table,
    view_of,
)

NEIGHBOURS = {(-1, 0), (1, 0), (0, -1), (0, 1)}


# -- legal places ----------------------------------------------------------------------------------


def test_R5_the_first_card_touches_a_card_on_the_tableau() -> None:
    state = table("01", ("22 45", "90"))
    assert legal_spots(state, "22") == legal_spots(state, "45") == NEIGHBOURS
    assert refusal_code(state, Place("22", 1, 1)) == "not-beside"
    assert refusal_code(state, Place("22", 0, 0)) == "card-there"
    assert refusal_code(state, Place("90", 0, 1)) == "not-in-hand"


def test_R5_further_cards_lie_in_one_line_without_a_gap() -> None:
    state = table("01", ("22 45 67", "90"))
    do(state, Place("22", 0, 1))
    assert refusal_code(state, Place("45", 0, 2)) == "not-now"
    do(state, More())
    assert legal_spots(state, "45") == {(0, -1), (0, 2), (-1, 1), (1, 1)}
    do(state, Place("45", -1, 1))
    do(state, More())
    assert legal_spots(state, "67") == {(-2, 1), (1, 1)}
    assert refusal_code(state, Place("67", 0, 2)) == "not-in-line"


def test_R5_cards_of_the_tableau_may_be_part_of_the_line() -> None:
    state = table("01 . 03\n11 21 31", ("02 05", "90"))
    do(state, Place("02", 0, 1))
    do(state, More())
    assert (0, 3) in legal_spots(state, "05")
    assert (0, -1) in legal_spots(state, "05")


def test_R6_every_line_with_a_new_card_needs_a_law() -> None:
    state = table("01 02\n11 12", ("21 22", "90"))
    lay(state, "21 22", (2, 0))
    finish(state)
    trial = view_of(state, RED).trial
    assert trial is not None
    assert [(line.axis, line.row, line.column) for line in trial.questions] == [
        ("down", 0, 0),
        ("down", 0, 1),
    ]


def test_R6_two_cards_need_no_law() -> None:
    state = table("01", ("22 45", "90"))
    do(state, Place("22", 0, 1))
    do(state, Finish())
    assert state.turn.seat == 1
    assert not state.turn.tableau.branches


def test_R6_a_line_that_breaks_its_law_forbids_the_card() -> None:
    state = table("01 02 03", ("05 45", "90"), [("across", (0, 0), "blue: colour is red")])
    assert (0, 3) in legal_spots(state, "05")
    assert not {(0, 3), (0, -1)} & legal_spots(state, "45")
    assert (1, 0) in legal_spots(state, "45")
    assert refusal_code(state, Place("45", 0, 3)) == "unlawful"


# -- laying in steps -------------------------------------------------------------------------------


WORD_CLAIM = [("across", (0, 0), "blue: letter word")]


def test_R36_a_broken_law_may_be_restored_by_further_cards() -> None:
    state = table("0J 84 119", ("60 00 112 70", "90"), WORD_CLAIM)
    for card, column in (("70", -1), ("112", -2), ("00", -3)):
        place(state, card, (0, column))
        assert "finish" not in legal_kinds(state)
        assert refusal_code(state, Finish()) == "unlawful"
    place(state, "60", (0, -4))
    finish(state, "leave")
    assert branch(state, "across", (0, -4)).size == 7


def test_R36_a_card_that_breaks_a_law_permanently_is_illegal() -> None:
    state = table("01 02 03", ("09 00", "90"), [("across", (0, 0), "blue: rank rises")])
    assert (0, 3) in legal_spots(state, "09")
    assert not {(0, 3)} & legal_spots(state, "00")


def test_R36_a_crossing_line_follows_its_law_at_every_step() -> None:
    cards = "01 02 03\n11 . .\n21 . ."
    state = table(cards, ("31 45", "90"), [("down", (0, 0), "blue: rank is 1")])
    do(state, Place("31", 3, 0))
    do(state, TakeBack())
    do(state, Place("45", 2, 1))
    do(state, More())
    assert (3, 0) not in legal_spots(state, "31")
    assert (3, 1) in legal_spots(state, "31")


def test_R36_after_laying_is_finished_no_card_can_be_laid() -> None:
    state = table("01 02", ("03 05 07", "90"))
    do(state, Place("03", 0, 2))
    assert refusal_code(state, claim_action("colour is red")) == "no-question"
    do(state, Finish())
    assert legal_kinds(state) == {"claim", "take_back"}
    assert refusal_code(state, Place("05", 0, 3)) == "not-now"
    assert refusal_code(state, Finish()) == "not-now"


def test_R37_all_steps_of_a_turn_can_be_taken_back() -> None:
    state = table("01 02", ("03 05 07", "90"))
    before = [state.zones.zone_of[:], state.turn.tableau.contents(), view_of(state, 1)]
    lay(state, "03 05", (0, 2))
    do(state, TakeBack())
    assert [state.zones.zone_of[:], state.turn.tableau.contents(), view_of(state, 1)] == before
    lay(state, "03 05", (0, 2))
    finish(state)
    do(state, TakeBack())
    assert [state.zones.zone_of[:], state.turn.tableau.contents(), view_of(state, 1)] == before


def test_R37_claims_are_taken_back_with_the_cards() -> None:
    state = table("01 02\n11 12", ("21 22", "90"))
    lay(state, "21 22", (2, 0))
    finish(state, "rank is 1")
    assert len(state.turn.tableau.branches) == 1
    do(state, TakeBack())
    assert not state.turn.tableau.branches
    assert hand(state, RED) == {"21", "22"}


def test_R37_after_a_third_take_back_a_player_must_draw() -> None:
    state = table("01 02", ("03 05", "90"))
    for _ in range(3):
        do(state, Place("03", 0, 2))
        do(state, TakeBack())
    assert legal_actions(state) == [DrawSix()]
    assert refusal_code(state, Place("03", 0, 2)) == "no-tries-left"
    do(state, DrawSix())
    do(state, Place("90", -1, 0))
    do(state, Finish())
    assert "place" in legal_kinds(state)


def test_R37_without_a_deck_a_player_must_pass_after_a_third_take_back() -> None:
    state = table("01 02", ("03 05", ""), deck=0)
    for _ in range(3):
        do(state, Place("03", 0, 2))
        do(state, TakeBack())
    assert legal_actions(state) == [Pass()]


def test_a_turn_begins_with_a_placement_or_a_draw_of_six() -> None:
    state = table("01", ("22", "90"))
    assert legal_kinds(state) == {"place", "draw_six"}
    assert refusal_code(state, Finish()) == "nothing-laid"
    assert refusal_code(state, TakeBack()) == "nothing-laid"
    assert refusal_code(state, More()) == "nothing-laid"
    assert refusal_code(state, Pass()) == "must-draw"
    do(state, Place("22", 0, 1))
    assert refusal_code(state, DrawSix()) == "cards-laid"
    assert refusal_code(state, Claim("rank", "is", "1", "forward")) == "no-question"


# -- no edge ---------------------------------------------------------------------------------------


def test_R40_lines_continue_across_the_seam() -> None:
    cards = {(126, 0): "01", (127, 0): "02", (-128, 0): "03"}
    state = table(cards, ("05", "90"), [("down", (126, 0), "blue: colour is red")])
    assert {(125, 0), (-127, 0)} <= legal_spots(state, "05")
    do(state, Place("05", -127, 0))
    finish(state, "leave")
    assert branch(state, "down", (126, 0)).size == 4


def test_R40_rows_are_shown_in_their_order_on_the_tableau() -> None:
    assert status_text.display_positions([127, -128, 126]) == {126: 0, 127: 1, -128: 2}
    assert status_text.display_positions([2, -1, 0, 1]) == {-1: 0, 0: 1, 1: 2, 2: 3}


def test_R40_a_row_of_all_cards_does_not_wrap_onto_itself() -> None:
    state = table({(0, column): "01" for column in range(1)}, ("", ""))
    for card in range(2, 162):
        state.turn.tableau.lay(card, place_at(0, (card - 1 + 128) % 256 - 128))
    line = state.turn.tableau.line(place_at(0, 0), 0)
    assert len(line.cards) == 161
    assert line.start == place_at(0, 0)


def test_R36_more_needs_a_card_and_a_place_for_it() -> None:
    state = table("01", ("22", "90"))
    do(state, Place("22", 0, 1))
    assert legal_kinds(state) == {"finish", "take_back"}
    assert refusal_code(state, More()) == "no-more"
    state = table("01", ("22 23", "90"))
    do(state, Place("22", 0, 1))
    do(state, More())
    assert legal_kinds(state) == {"place", "take_back"}
    assert refusal_code(state, Finish()) == "not-now"


# -- the legality of one action -------------------------------------------------------------------


def test_is_legal_agrees_with_the_list_of_legal_actions() -> None:
    rng = FastRng(3)
    chance = Random(3)
    state = FIRST.start(Options(), 2, rng)
    sample_actions = [
        FIRST.action_codec.to_int(action)
        for action in chance.sample(well_formed_actions(FIRST), 300)
    ]
    nearby = range(-3, 4)
    sample_actions += [
        FIRST.action_codec.to_int(Place(card, row, column))
        for card in CARD_CODES[::9]
        for row in nearby
        for column in nearby
    ]
    for _ in range(60):
        seat = int(state.turn.seat)
        actions = state.legal_actions(seat)
        for action in {*sample_actions, *actions}:
            assert state.is_legal(seat, action) == (action in actions)
            assert not state.is_legal(1 - seat, action)
        state.apply(seat, actions[rng.below(len(actions))], rng)

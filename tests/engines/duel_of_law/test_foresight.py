"""The certain consequences of an action of Duel of Law."""

from __future__ import annotations

from tabularium_engines.duel_of_law import ENGINE
from tabularium_engines.duel_of_law.actions import (
    DrawSix,
    Finish,
    Leave,
    More,
    Pass,
    Place,
    TakeBack,
)
from tests.engines.duel_of_law.tables import BLUE, RED, claim_action, do, table
from tests.engines.duel_of_law.test_endings import FREE_SPOT, table_with_owners
from tests.engines.foretelling import certain, foretold, kinds

BLUE_CLAIMS = [("across", (0, 0), "blue: colour is red")]


def test_the_first_claim_is_foretold_to_bring_a_branch() -> None:
    state = table("01 02", ("03", "90"))
    do(state, Place("03", 0, 2))
    do(state, Finish())
    told = certain(ENGINE, state, RED, claim_action("rank rises"))
    assert kinds(told) == ["claimed", "opened", "drew"]
    assert told.news[0]["level"] == 1
    assert (told.to_act, told.score_changes, told.text) == ((BLUE,), (1, 0), "branches +1")


def test_a_duel_is_foretold_to_take_the_branch() -> None:
    state = table("01 02 03", ("04 60", "90"), BLUE_CLAIMS)
    do(state, Place("04", 0, 3))
    do(state, Finish())
    action = claim_action("rank rises")
    told = certain(ENGINE, state, RED, action)
    assert kinds(told) == ["duelled", "drew"]
    assert (told.news[0]["owner"], told.news[0]["level"]) == (BLUE, 2)
    assert (told.to_act, told.score_changes) == ((BLUE,), (1, -1))
    label = ENGINE.label(state, RED, ENGINE.encode(state, RED, action))
    assert label == "Duel with Blue: the ranks rise; branches +1, Blue −1"
    left = certain(ENGINE, state, RED, Leave())
    assert (kinds(left), left.score_changes) == (["drew"], (0, 0))


def test_of_two_claims_the_first_is_told_as_its_player_then_sees_the_table() -> None:
    state = table("01 02\n11 12", ("21 22", "90"))
    do(state, Place("21", 2, 0))
    do(state, More())
    do(state, Place("22", 2, 1))
    do(state, Finish())
    told = certain(ENGINE, state, RED, claim_action("rank is 1"))
    assert (told.to_act, told.score_changes, told.news) == ((RED,), (1, 0), ())
    do(state, claim_action("rank is 1"))
    assert certain(ENGINE, state, RED, TakeBack()).score_changes == (-1, 0)
    assert ENGINE.scores(state, BLUE) == (0, 0)  # who sees nothing of the turn (R38)


def test_a_step_that_only_goes_on_tells_nothing() -> None:
    state = table("01", ("22 45 23", "90"))
    assert foretold(ENGINE, state, RED, Place("22", 0, 1)) is None
    do(state, Place("22", 0, 1))
    assert foretold(ENGINE, state, RED, More()) is None


def test_the_cards_drawn_are_counted_but_not_named() -> None:
    told = certain(ENGINE, table("01", ("22 45", "90")), RED, DrawSix())
    assert told.news == ({"kind": "drew", "seat": RED, "count": 6, "text": "Red draws 6 cards"},)
    assert told.to_act == (BLUE,)


def test_a_turn_that_ends_the_game_tells_its_winner() -> None:
    state = table_with_owners("red", "red", hands=("60", "90"))
    do(state, Place("60", *FREE_SPOT))
    told = certain(ENGINE, state, RED, Finish())
    assert (kinds(told), told.to_act, told.winners) == (["opened", "ended"], (), (RED,))
    assert ENGINE.label(state, RED, ENGINE.encode(state, RED, Finish())) == "End the turn: you win"


def test_a_turn_may_be_foretold_to_let_another_player_win() -> None:
    state = table_with_owners("blue", "blue", hands=("60", "90"))
    do(state, Place("60", *FREE_SPOT))
    assert certain(ENGINE, state, RED, Finish()).text == "Blue wins"


def test_the_last_pass_tells_who_comes_first() -> None:
    state = table_with_owners("red", hands=("60 61", "90", ""), deck=0)
    for seat in (0, 1):
        assert certain(ENGINE, state, seat, Pass()).to_act == (seat + 1,)
        do(state, Pass())
    assert certain(ENGINE, state, 2, Pass()).winners == (RED,)

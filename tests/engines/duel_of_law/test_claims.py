"""Claims and duels: the lines on which a seat must claim, and the seats that may duel."""

from __future__ import annotations

from librt.vecs import vec
from mypy_extensions import i64

from games.engines.duel_of_law.actions import Finish, Leave, More, Place
from games.engines.duel_of_law.line_ownership import Branch
from games.engines.duel_of_law.view import place_code
from tests.engines.duel_of_law.tables import (
    BLUE,
    GREEN,
    RED,
    branch,
    claiming,
    do,
    finish,
    kinds,
    law,
    lay,
    refused,
    table,
    tokens,
)

EVENS = [("across", (0, 0), "blue: colour is yellow")]


def test_R7_a_new_branch_must_be_claimed() -> None:
    state = table("01 02", ("03", "90"))
    do(state, Place("03", 0, 2))
    do(state, Finish())
    assert refused(state, Leave()) == "must-claim"
    do(state, claiming("rank rises"))
    made = branch(state, "across", (0, 0))
    assert law(made) == ["rank rises"]
    assert tokens(made) == [RED]
    assert state.turn == BLUE


def test_R7_a_claim_that_its_cards_do_not_follow_is_refused() -> None:
    state = table("01 02", ("03", "90"))
    do(state, Place("03", 0, 2))
    do(state, Finish())
    for clause in ("colour is pink", "rank falls", "letter word", "rank is even"):
        assert refused(state, claiming(clause))
    assert kinds(state) == {"claim", "take_back"}


def test_R8_all_new_branches_are_claimed() -> None:
    state = table("01 02\n11 12", ("21 22", "90"))
    lay(state, "21 22", (2, 0))
    finish(state, "rank is 1", "number rises")
    assert [tokens(made) for made in state.tableau.branches] == [[RED], [RED]]
    assert law(branch(state, "down", (0, 0))) == ["rank is 1"]
    assert law(branch(state, "down", (0, 1))) == ["number rises"]


def test_R8_each_branch_that_was_lengthened_may_be_left() -> None:
    lying = "01 02 03\n11 12 13"
    claims = [
        ("across", (0, 0), "blue: colour is red"),
        ("across", (1, 0), "blue: colour is pink"),
    ]
    state = table(lying, ("05 15", "90"), claims)
    lay(state, "05 15", (0, 3), "down")
    do(state, Finish())
    do(state, Leave())
    do(state, claiming("rank rises"))
    assert tokens(branch(state, "across", (0, 0))) == [BLUE]
    assert branch(state, "across", (0, 0)).size == 4
    assert tokens(branch(state, "across", (1, 0))) == [BLUE, RED]


def test_R9_a_duel_takes_the_branch() -> None:
    """The printed example: yellow cards that are also even."""
    state = table("32 34 38", ("36", "90"), EVENS)
    do(state, Place("36", 0, 3))
    news = finish(state, "number is even")
    taken = branch(state, "across", (0, 0))
    assert law(taken) == ["colour is yellow", "number is even"]
    assert taken.owner == RED
    assert next(item for item in news if item["kind"] == "duelled")["owner"] == BLUE


def test_R9_what_was_not_lengthened_is_not_asked_about() -> None:
    state = table("32 34 38", ("36 01", "90"), EVENS)
    do(state, Place("01", 1, 0))
    do(state, Finish())
    assert state.turn == BLUE
    assert branch(state, "across", (0, 0)).owner == BLUE


def test_R9_a_branch_is_asked_about_once() -> None:
    state = table("32 34 38", ("36", "90"), EVENS)
    do(state, Place("36", 0, 3))
    finish(state, "number is even")
    assert state.turn == BLUE
    assert branch(state, "across", (0, 0)).level == 2


def test_R10_ones_own_branch_grows_but_is_not_narrowed() -> None:
    state = table("32 34 38", ("36", "90"), [("across", (0, 0), "red: colour is yellow")])
    do(state, Place("36", 0, 3))
    do(state, Finish())
    assert state.turn == BLUE
    own = branch(state, "across", (0, 0))
    assert (own.size, law(own), tokens(own)) == (4, ["colour is yellow"], [RED])


def test_R11_a_duel_adds_to_the_law_and_changes_nothing_of_it() -> None:
    """The printed example: odd cards that are also purple; they cannot be words instead."""
    state = table("81 83 89", ("85", "90"), [("across", (0, 0), "blue: rank is odd")])
    do(state, Place("85", 0, -1))
    do(state, Finish())
    assert refused(state, claiming("letter word"))
    do(state, claiming("colour is dark purple"))
    assert law(branch(state, "across", (0, -1))) == ["rank is odd", "colour is dark purple"]


def test_R11_old_clauses_bind_whoever_lengthens() -> None:
    state = table("32 34 38", ("37 36", "90"), [("across", (0, 0), "blue: rank is even")])
    assert refused(state, Place("37", 0, 3)) == "unlawful"
    do(state, Place("36", 0, 3))
    finish(state, "leave")
    assert branch(state, "across", (0, 0)).owner == BLUE


def test_R34_tokens_never_run_out() -> None:
    state = table("01 02", ("03", "90"))
    law_of_many, stack = vec[i64](range(40)), vec[i64]([RED] * 40)
    state.tableau.branches.append(Branch(0, place_code(9, 9), 3, law_of_many, stack))
    do(state, Place("03", 0, 2))
    finish(state, "rank rises")
    assert tokens(branch(state, "across", (0, 0))) == [RED]
    assert state.tokens_on_own(RED) == 41
    assert state.tokens_on_own(GREEN) == 0


# -- frequently asked questions -------------------------------------------------------------------


def test_the_same_law_may_be_used_on_two_branches() -> None:
    lying = "01 02 03\n.\n05 06"
    state = table(lying, ("07", "90"), [("across", (0, 0), "blue: colour is red")])
    do(state, Place("07", 2, 2))
    finish(state, "colour is red")
    assert law(branch(state, "across", (2, 0))) == law(branch(state, "across", (0, 0)))


def test_cards_may_be_laid_on_both_ends_of_a_branch() -> None:
    state = table("34 36 38", ("32 30 11", "90"), EVENS)
    lay(state, "32", (0, -1))
    lay(state, "30", (0, 3))
    finish(state, "number is even")
    assert branch(state, "across", (0, -1)).size == 5


def test_cards_are_not_laid_on_different_parts_of_the_table() -> None:
    state = table("34 36 38\n44 . .", ("32 41", "90"), EVENS)
    do(state, Place("32", 0, 3))
    do(state, More())
    assert refused(state, Place("41", 2, 0)) == "not-in-line"


def test_a_line_and_a_line_across_are_claimed_in_one_turn() -> None:
    state = table({(0, 0): "34", (0, 1): "36", (1, 2): "48", (2, 2): "58"}, ("38 11", "90"))
    do(state, Place("38", 0, 2))
    finish(state, "colour is yellow", "rank is 8")
    assert law(branch(state, "across", (0, 0))) == ["colour is yellow"]
    assert law(branch(state, "down", (0, 2))) == ["rank is 8"]


def test_one_may_claim_a_new_branch_and_duel_for_an_old_one_in_one_turn() -> None:
    lying = {(0, 0): "34", (0, 1): "36", (0, 2): "38", (1, 3): "42", (2, 3): "52"}
    state = table(lying, ("32 11", "90"), EVENS)
    do(state, Place("32", 0, 3))
    news = finish(state, "number is even", "rank is 2")
    assert [item["kind"] for item in news[:3]] == ["laid", "duelled", "claimed"]
    assert [made.owner for made in state.tableau.branches] == [RED, RED]

"""Bridges: branches, twigs and single cards that a turn joins."""

from __future__ import annotations

from typing import Any

from games.engines.duel_of_law.actions import Finish, Leave, Place
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
    seen,
    spots,
    table,
    tokens,
)

RIGHT = (0, 4)  # where the right one of two branches begins
ROW = "02 04 06 . 01 03 05"


def bridged(
    left: str, right: str, *, right_is_older: bool = False, answer: str = "leave"
) -> list[list[Any]]:
    """The law and the tokens of the branch that results when red lays 07 between two branches."""
    claims = [("across", (0, 0), left), ("across", RIGHT, right)]
    state = table(ROW, ("07", "90", "91"), claims[::-1] if right_is_older else claims)
    do(state, Place("07", 0, 3))
    do(state, Finish())
    if state.turn == RED:
        do(state, Leave() if answer == "leave" else claiming(answer))
    made = branch(state, "across", (0, 0))
    assert len(state.tableau.branches) == 1
    assert made.size == 7
    return [law(made), tokens(made)]


def test_R22_the_lower_stack_goes_under_the_higher_one() -> None:
    left, right = "blue: dice is 1", "red: colour is red; green: letter is A"
    expected = [["dice is 1", "colour is red", "letter is A"], [BLUE, RED, GREEN]]
    assert bridged(left, right) == expected
    assert bridged(left, right, right_is_older=True) == expected


def test_R22_of_equal_stacks_the_older_one_goes_under() -> None:
    left, right = "blue: dice is 1", "green: letter is A"
    assert bridged(left, right) == [["dice is 1", "letter is A"], [BLUE, GREEN]]
    younger = bridged(left, right, right_is_older=True)
    assert younger == [["letter is A", "dice is 1"], [GREEN, BLUE]]


def test_R22_a_clause_of_both_stays_once_and_the_lower_token_goes_back() -> None:
    left, right = "blue: colour is red", "green: colour is red"
    assert bridged(left, right) == [["colour is red"], [GREEN]]
    right = "red: colour is red; green: letter is A"
    assert bridged(left, right) == [["colour is red", "letter is A"], [RED, GREEN]]


def test_R22_all_cards_follow_both_laws() -> None:
    claims = [
        ("across", (0, 0), "blue: rank is even"),
        ("across", RIGHT, "green: rank is odd"),
    ]
    state = table(ROW, ("07", "90", "91"), claims)
    assert (0, 3) not in spots(state, "07")
    assert refused(state, Place("07", 0, 3)) == "unlawful"


def test_R22_the_mover_may_duel_for_anothers_bridge() -> None:
    left, right = "blue: dice is 1", "green: letter is A"
    narrowed = bridged(left, right, answer="colour is red")
    assert narrowed == [["dice is 1", "letter is A", "colour is red"], [BLUE, GREEN, RED]]


def test_R22_ones_own_bridge_is_not_narrowed() -> None:
    claims = [("across", (0, 0), "blue: dice is 1"), ("across", RIGHT, "red: letter is A")]
    state = table(ROW, ("07", "90", "91"), claims)
    do(state, Place("07", 0, 3))
    news = finish(state)
    assert state.turn == BLUE
    assert branch(state, "across", (0, 0)).owner == RED
    assert [item["branches"] for item in news if item["kind"] == "bridged"] == [2]


def test_R22_three_branches_are_joined_from_the_left() -> None:
    claims = [
        ("across", (0, 0), "blue: letter is A"),
        ("across", (0, 4), "green: dice is 1"),
        ("across", (0, 8), "red: letter_value is 1"),
    ]
    state = table("00 01 02 . 03 04 05 . 06 07 08", ("10 11", "90", "91"), claims)
    lay(state, "10 11", (0, 3))
    finish(state, "leave")
    made = branch(state, "across", (0, 0))
    assert law(made) == ["letter_value is 1", "letter is A", "dice is 1"]
    assert tokens(made) == [RED, BLUE, GREEN]
    assert made.size == 11


def test_R23_a_branch_that_meets_a_card_is_lengthened() -> None:
    lying = "01 02 03 . 05\n. . . . 15"
    state = table(lying, ("07", "90"), [("across", (0, 0), "blue: colour is red")])
    do(state, Place("07", 0, 3))
    do(state, Finish())
    assert kinds(state) == {"claim", "leave", "take_back"}
    do(state, claiming("letter is A"))
    assert branch(state, "across", (0, 0)).size == 5
    assert tokens(branch(state, "across", (0, 0))) == [BLUE, RED]


def test_R24_two_twigs_become_a_new_branch() -> None:
    state = table("01 02 . 04 05", ("03", "90"))
    do(state, Place("03", 0, 2))
    do(state, Finish())
    assert kinds(state) == {"claim", "take_back"}
    do(state, claiming("rank rises_by 1"))
    made = branch(state, "across", (0, 0))
    assert (made.size, tokens(made)) == (5, [RED])
    assert seen(state).owned == (1, 0)

"""Bridges: a turn that joins branches, twigs and single cards."""

from __future__ import annotations

from typing import Any

from tabularium_engines.duel_of_law.actions import Finish, Leave, Place
from tests.engines.duel_of_law.tables import (
    BLUE,
    GREEN,
    RED,
    branch,
    claim_action,
    clause_texts,
    do,
    finish,
    lay,
    legal_kinds,
    legal_spots,
    refusal_code,
    table,
    tokens,
    view_of,
)

RIGHT_START = (0, 4)  # where the right one of two branches begins
ROW = "02 04 06 . 01 03 05"


def bridge(
    left: str, right: str, *, right_is_older: bool = False, answer: str = "leave"
) -> list[list[Any]]:
    """The law and the tokens of the branch that results when red lays 07 between two branches."""
    claims = [("across", (0, 0), left), ("across", RIGHT_START, right)]
    state = table(ROW, ("07", "90", "91"), claims[::-1] if right_is_older else claims)
    do(state, Place("07", 0, 3))
    do(state, Finish())
    if state.turn.seat == RED:
        do(state, Leave() if answer == "leave" else claim_action(answer))
    new_branch = branch(state, "across", (0, 0))
    assert len(state.turn.tableau.branches) == 1
    assert new_branch.size == 7
    return [clause_texts(new_branch), tokens(new_branch)]


def test_R22_the_lower_stack_goes_under_the_higher_one() -> None:
    left, right = "blue: dice is 1", "red: colour is red; green: letter is A"
    expected = [["dice is 1", "colour is red", "letter is A"], [BLUE, RED, GREEN]]
    assert bridge(left, right) == expected
    assert bridge(left, right, right_is_older=True) == expected


def test_R22_of_equal_stacks_the_older_one_goes_under() -> None:
    left, right = "blue: dice is 1", "green: letter is A"
    assert bridge(left, right) == [["dice is 1", "letter is A"], [BLUE, GREEN]]
    other_order = bridge(left, right, right_is_older=True)
    assert other_order == [["letter is A", "dice is 1"], [GREEN, BLUE]]


def test_R22_a_common_clause_occurs_once_and_the_lower_token_returns() -> None:
    left, right = "blue: colour is red", "green: colour is red"
    assert bridge(left, right) == [["colour is red"], [GREEN]]
    right = "red: colour is red; green: letter is A"
    assert bridge(left, right) == [["colour is red", "letter is A"], [RED, GREEN]]


def test_R22_all_cards_follow_both_laws() -> None:
    claims = [
        ("across", (0, 0), "blue: rank is even"),
        ("across", RIGHT_START, "green: rank is odd"),
    ]
    state = table(ROW, ("07", "90", "91"), claims)
    assert (0, 3) not in legal_spots(state, "07")
    assert refusal_code(state, Place("07", 0, 3)) == "unlawful"


def test_R22_the_mover_may_duel_for_anothers_bridge() -> None:
    left, right = "blue: dice is 1", "green: letter is A"
    bridge_after_duel = bridge(left, right, answer="colour is red")
    assert bridge_after_duel == [["dice is 1", "letter is A", "colour is red"], [BLUE, GREEN, RED]]


def test_R22_an_own_bridge_is_not_narrowed() -> None:
    claims = [("across", (0, 0), "blue: dice is 1"), ("across", RIGHT_START, "red: letter is A")]
    state = table(ROW, ("07", "90", "91"), claims)
    do(state, Place("07", 0, 3))
    news = finish(state)
    assert state.turn.seat == BLUE
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
    new_branch = branch(state, "across", (0, 0))
    assert clause_texts(new_branch) == ["letter_value is 1", "letter is A", "dice is 1"]
    assert tokens(new_branch) == [RED, BLUE, GREEN]
    assert new_branch.size == 11


def test_R23_a_branch_joined_to_a_card_is_lengthened() -> None:
    cards = "01 02 03 . 05\n. . . . 15"
    state = table(cards, ("07", "90"), [("across", (0, 0), "blue: colour is red")])
    do(state, Place("07", 0, 3))
    do(state, Finish())
    assert legal_kinds(state) == {"claim", "leave", "take_back"}
    do(state, claim_action("letter is A"))
    assert branch(state, "across", (0, 0)).size == 5
    assert tokens(branch(state, "across", (0, 0))) == [BLUE, RED]


def test_R24_two_twigs_become_a_new_branch() -> None:
    state = table("01 02 . 04 05", ("03", "90"))
    do(state, Place("03", 0, 2))
    do(state, Finish())
    assert legal_kinds(state) == {"claim", "take_back"}
    do(state, claim_action("rank rises_by 1"))
    new_branch = branch(state, "across", (0, 0))
    assert (new_branch.size, tokens(new_branch)) == (5, [RED])
    assert view_of(state).owned == (1, 0)

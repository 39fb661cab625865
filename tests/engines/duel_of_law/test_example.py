"""The printed diagram: it can be laid out, and its five branches have the properties of the rules.

The picture is lost; this one has the branches, laws, tokens and crossings that the text describes.
"""

from __future__ import annotations

from tabularium_engines.duel_of_law.actions import Place
from tabularium_engines.duel_of_law.game_logic import DuelState
from tests.engines.duel_of_law.tables import (
    BLUE,
    FIRST,
    GREEN,
    RED,
    branch,
    clause_texts,
    do,
    finish,
    lay,
    table,
    tokens,
    view_of,
)

TABLEAU = {
    (-1, -1): "13",
    (0, -1): "50",
    (0, 0): "01",
    (1, 0): "24",
    (1, 1): "*2",
    (1, 2): "35",
    (1, 4): "105",
    (2, 0): "28",
    (2, 2): "47",
    (2, 3): "05",
    (2, 4): "44",
    (3, 2): "60",
    (3, 4): "30",
    (4, 4): "70",
}
A = ("down", (0, 0), "blue: shade is dark; green: vowel is vowel; red: number rises")
B = ("across", (1, 0), "red: dice is 2")
C = ("down", (1, 2), "red: dice rises")
D = ("across", (2, 2), "blue: poker is spades")
E = ("down", (1, 4), "green: letter word")
HANDS = ("89 100", "90 91", "80 81")


def diagram() -> DuelState:
    """The table of the diagram, red to act."""
    return table(TABLEAU, HANDS, [A, B, C, D, E])


def test_a_has_three_tokens_and_a_law_of_level_three() -> None:
    a = branch(diagram(), "down", (0, 0))
    assert (a.level, a.owner) == (3, RED)
    assert sorted(tokens(a)) == [RED, BLUE, GREEN]
    assert clause_texts(a) == ["shade is dark", "vowel is vowel", "number rises"]


def test_a_and_b_share_a_card() -> None:
    state = diagram()
    a, b = branch(state, "down", (0, 0)), branch(state, "across", (1, 0))
    down, across = (state.turn.tableau.line(each.start, each.axis) for each in (a, b))
    assert down.cards[1] == across.cards[0]


def test_b_holds_a_joker_with_the_dice_suit_2_that_is_open_otherwise() -> None:
    state = diagram()
    assert clause_texts(branch(state, "across", (1, 0))) == ["dice is 2"]
    (joker,) = view_of(state).tableau.jokers
    assert joker.card == "*2"
    assert {one.feature for one in joker.is_now} == {"dice", "shade"}


def test_c_continues_in_the_cycle_of_dice() -> None:
    state = diagram()
    do(state, Place("89", 4, 2))
    finish(state)
    assert branch(state, "down", (1, 2)).size == 4


def test_d_is_spades_and_e_is_the_word_then() -> None:
    state = diagram()
    d, e = branch(state, "across", (2, 2)), branch(state, "down", (1, 4))
    assert (d.owner, e.owner) == (BLUE, GREEN)
    assert (clause_texts(d), clause_texts(e)) == (["poker is spades"], ["letter word"])
    assert e.size == 4


def test_f_is_a_twig_and_becomes_a_branch_with_another_card() -> None:
    state = diagram()
    owned_before = view_of(state).owned
    assert len(state.turn.tableau.branches) == 5
    lay(state, "100", (-2, -1), "down")
    finish(state, "letter_value is 1")
    assert view_of(state).owned == (owned_before[0] + 1, *owned_before[1:])
    assert branch(state, "down", (-2, -1)).size == 3


def test_red_wins_with_three_branches_against_one_and_one() -> None:
    state = diagram()
    assert view_of(state).owned == (3, 1, 1)
    state.end.is_open = True
    do(state, Place("89", 4, 5))
    finish(state)
    result = FIRST.result(state)
    assert result is not None
    assert (result.winners, result.scores) == ((RED,), (3, 1, 1))

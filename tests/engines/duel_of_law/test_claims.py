"""Claims and duels: the lines on which a seat must claim, and the seats that may duel."""

from __future__ import annotations

from itertools import count
from typing import Final

import pytest
from librt.vecs import vec
from mypy_extensions import i64

from tabularium_engines.common.agenda import kind_of, subject_of
from tabularium_engines.common.random_generators import FastRng
from tabularium_engines.duel_of_law.action_numbers import (
    CLAIM,
    DRAW_SIX,
    PASS,
    TASK_QUESTION,
    encode_claim,
)
from tabularium_engines.duel_of_law.actions import Finish, Leave, More, Place
from tabularium_engines.duel_of_law.game_logic import DuelState
from tabularium_engines.duel_of_law.laws.claimable_clauses import sure_claims
from tabularium_engines.duel_of_law.laws.clause_catalogue import CATALOGUE
from tabularium_engines.duel_of_law.tableau import Branch, place_at
from tabularium_engines.installed.registry import find_engine
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
    refusal_code,
    table,
    tokens,
)

QUESTIONS: Final = 40
BLUE_CLAIMS = [("across", (0, 0), "blue: colour is yellow")]


def test_R7_a_new_branch_must_be_claimed() -> None:
    state = table("01 02", ("03", "90"))
    do(state, Place("03", 0, 2))
    do(state, Finish())
    assert refusal_code(state, Leave()) == "must-claim"
    do(state, claim_action("rank rises"))
    new_branch = branch(state, "across", (0, 0))
    assert clause_texts(new_branch) == ["rank rises"]
    assert tokens(new_branch) == [RED]
    assert state.turn.seat == BLUE


def test_R7_a_claim_that_its_cards_break_is_refused() -> None:
    state = table("01 02", ("03", "90"))
    do(state, Place("03", 0, 2))
    do(state, Finish())
    for clause in ("colour is pink", "rank falls", "letter word", "rank is even"):
        assert refusal_code(state, claim_action(clause))
    assert legal_kinds(state) == {"claim", "take_back"}


def test_R8_all_new_branches_are_claimed() -> None:
    state = table("01 02\n11 12", ("21 22", "90"))
    lay(state, "21 22", (2, 0))
    finish(state, "rank is 1", "number rises")
    assert [tokens(new_branch) for new_branch in state.turn.tableau.branches] == [[RED], [RED]]
    assert clause_texts(branch(state, "down", (0, 0))) == ["rank is 1"]
    assert clause_texts(branch(state, "down", (0, 1))) == ["number rises"]


def test_R8_each_lengthened_branch_may_be_left_unchanged() -> None:
    cards = "01 02 03\n11 12 13"
    claims = [
        ("across", (0, 0), "blue: colour is red"),
        ("across", (1, 0), "blue: colour is pink"),
    ]
    state = table(cards, ("05 15", "90"), claims)
    lay(state, "05 15", (0, 3), "down")
    do(state, Finish())
    do(state, Leave())
    do(state, claim_action("rank rises"))
    assert tokens(branch(state, "across", (0, 0))) == [BLUE]
    assert branch(state, "across", (0, 0)).size == 4
    assert tokens(branch(state, "across", (1, 0))) == [BLUE, RED]


def test_R9_a_duel_takes_the_branch() -> None:
    """The printed example: yellow cards that are also even."""
    state = table("32 34 38", ("36", "90"), BLUE_CLAIMS)
    do(state, Place("36", 0, 3))
    news = finish(state, "number is even")
    stolen_branch = branch(state, "across", (0, 0))
    assert clause_texts(stolen_branch) == ["colour is yellow", "number is even"]
    assert stolen_branch.owner == RED
    assert next(item for item in news if item["kind"] == "duelled")["owner"] == BLUE


def test_R9_only_lengthened_branches_are_asked_about() -> None:
    state = table("32 34 38", ("36 01", "90"), BLUE_CLAIMS)
    do(state, Place("01", 1, 0))
    do(state, Finish())
    assert state.turn.seat == BLUE
    assert branch(state, "across", (0, 0)).owner == BLUE


def test_R9_a_branch_is_asked_about_once() -> None:
    state = table("32 34 38", ("36", "90"), BLUE_CLAIMS)
    do(state, Place("36", 0, 3))
    finish(state, "number is even")
    assert state.turn.seat == BLUE
    assert branch(state, "across", (0, 0)).level == 2


def test_R10_an_own_branch_grows_but_is_not_narrowed() -> None:
    state = table("32 34 38", ("36", "90"), [("across", (0, 0), "red: colour is yellow")])
    do(state, Place("36", 0, 3))
    do(state, Finish())
    assert state.turn.seat == BLUE
    own_branch = branch(state, "across", (0, 0))
    assert (own_branch.size, clause_texts(own_branch), tokens(own_branch)) == (
        4,
        ["colour is yellow"],
        [RED],
    )


def test_R11_a_duel_only_adds_to_the_law() -> None:
    """The printed example: odd cards that are also purple; they cannot be words instead."""
    state = table("81 83 89", ("85", "90"), [("across", (0, 0), "blue: rank is odd")])
    do(state, Place("85", 0, -1))
    do(state, Finish())
    assert refusal_code(state, claim_action("letter word"))
    do(state, claim_action("colour is dark purple"))
    assert clause_texts(branch(state, "across", (0, -1))) == [
        "rank is odd",
        "colour is dark purple",
    ]


def test_R11_old_clauses_bind_every_player_who_lengthens() -> None:
    state = table("32 34 38", ("37 36", "90"), [("across", (0, 0), "blue: rank is even")])
    assert refusal_code(state, Place("37", 0, 3)) == "unlawful"
    do(state, Place("36", 0, 3))
    finish(state, "leave")
    assert branch(state, "across", (0, 0)).owner == BLUE


def test_R34_tokens_never_run_out() -> None:
    state = table("01 02", ("03", "90"))
    long_law, long_stack = vec[i64](range(40)), vec[i64]([RED] * 40)
    state.turn.tableau.branches.append(Branch(0, place_at(9, 9), 3, long_law, long_stack))
    do(state, Place("03", 0, 2))
    finish(state, "rank rises")
    assert tokens(branch(state, "across", (0, 0))) == [RED]
    assert state.turn.tableau.tokens_on_own().count(RED) == 41
    assert state.turn.tableau.tokens_on_own().count(GREEN) == 0


# -- frequently asked questions -------------------------------------------------------------------


def test_the_same_law_may_be_used_on_two_branches() -> None:
    cards = "01 02 03\n.\n05 06"
    state = table(cards, ("07", "90"), [("across", (0, 0), "blue: colour is red")])
    do(state, Place("07", 2, 2))
    finish(state, "colour is red")
    assert clause_texts(branch(state, "across", (2, 0))) == clause_texts(
        branch(state, "across", (0, 0))
    )


def test_cards_may_be_laid_on_both_ends_of_a_branch() -> None:
    state = table("34 36 38", ("32 30 11", "90"), BLUE_CLAIMS)
    lay(state, "32", (0, -1))
    lay(state, "30", (0, 3))
    finish(state, "number is even")
    assert branch(state, "across", (0, -1)).size == 5


def test_cards_are_not_laid_on_different_parts_of_the_table() -> None:
    state = table("34 36 38\n44 . .", ("32 41", "90"), BLUE_CLAIMS)
    do(state, Place("32", 0, 3))
    do(state, More())
    assert refusal_code(state, Place("41", 2, 0)) == "not-in-line"


def test_a_line_and_a_line_across_are_claimed_in_one_turn() -> None:
    state = table({(0, 0): "34", (0, 1): "36", (1, 2): "48", (2, 2): "58"}, ("38 11", "90"))
    do(state, Place("38", 0, 2))
    finish(state, "colour is yellow", "rank is 8")
    assert clause_texts(branch(state, "across", (0, 0))) == ["colour is yellow"]
    assert clause_texts(branch(state, "down", (0, 2))) == ["rank is 8"]


def test_a_turn_may_claim_a_new_branch_and_duel_for_an_old_one() -> None:
    cards = {(0, 0): "34", (0, 1): "36", (0, 2): "38", (1, 3): "42", (2, 3): "52"}
    state = table(cards, ("32 11", "90"), BLUE_CLAIMS)
    do(state, Place("32", 0, 3))
    news = finish(state, "number is even", "rank is 2")
    assert [item["kind"] for item in news[:3]] == ["laid", "duelled", "claimed"]
    assert [new_branch.owner for new_branch in state.turn.tableau.branches] == [RED, RED]


def surely_claimed(state: DuelState) -> set[int]:
    """The claims that a quick look finds on the line in question."""
    tableau, task = state.turn.tableau, state.turn.agenda.top()
    if kind_of(task) != TASK_QUESTION:
        return set()
    line = state.turn.line_in_question(subject_of(task))
    law = tableau.branch_on(line).law
    found = sure_claims(line.cards, law, tableau.wilds, tableau.language)
    return {encode_claim(clause) for clause in found}


@pytest.mark.parametrize("version", [1, 2])
def test_a_claim_is_legal_if_it_is_listed(version: int) -> None:
    """All ways to ask agree, about clauses of the catalogue and about numbers that are none, and
    about a turn that lays no cards; a quick look finds the same before a list is made and after."""
    engine, asked, accepted = find_engine("duel_of_law", version), 0, 0
    for seed in count():
        rng = FastRng(seed)
        state = engine.start(engine.read_options({}, 2), 2, rng)
        while state.to_act and asked < QUESTIONS:
            seat = engine.awaited_seats(state)[0]
            sure = surely_claimed(state)
            listed = set(state.legal_actions(seat))
            assert sure == surely_claimed(state) <= listed
            for code in (DRAW_SIX, PASS):
                assert state.is_legal(seat, code) == (code in listed)
            claims = {code for code in listed if code & 0xFF == CLAIM}
            if claims:
                others = [encode_claim(clause) for clause in CATALOGUE]
                others += [CLAIM | rng.below(1 << 32) << 8 for _ in range(100)]
                found = {code for code in {*others, *claims} if state.is_legal(seat, code)}
                assert found == claims
                asked += 1
                accepted += len(found)
            assert not any(state.is_legal(seat ^ 1, code) for code in claims)
            state.apply(seat, state.random_action(seat, rng), rng)
        if asked == QUESTIONS:
            break
    assert accepted > QUESTIONS


def test_no_claim_is_legal_without_a_question() -> None:
    state = table("01 02", ("03", "90"))
    assert not any(state.is_legal(BLUE, encode_claim(clause)) for clause in CATALOGUE)

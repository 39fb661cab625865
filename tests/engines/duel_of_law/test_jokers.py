"""Jokers: their printed features, and the values they take."""

from __future__ import annotations

from tabularium_engines.duel_of_law.actions import Finish, Name, Place
from tabularium_engines.duel_of_law.game_logic import DuelState
from tabularium_engines.duel_of_law.game_options import Options
from tests.engines.duel_of_law.tables import (
    FIRST,
    RED,
    ScriptedRng,
    claim_action,
    do,
    finish,
    lay,
    legal_actions,
    legal_kinds,
    legal_spots,
    refusal_code,
    table,
    view_of,
)


def joker_values(
    state: DuelState, joker: str, viewer: int | None = None
) -> dict[str, tuple[str, ...]]:
    """The features that a joker on the tableau has taken, other than the printed ones."""
    joker_view = next(each for each in view_of(state, viewer).tableau.jokers if each.card == joker)
    return {
        feature_view.feature: feature_view.values
        for feature_view in joker_view.is_now
        if feature_view.feature not in ("dice", "shade")
    }


def legal_claims(state: DuelState) -> set[str]:
    """The legal claims, as feature, pattern and value."""
    return {
        f"{action.feature} {action.pattern} {action.value}".strip()
        for action in legal_actions(state)
        if action.kind == "claim"
    }


def test_R25_the_printed_die_counts() -> None:
    for joker, is_two in (("*2", True), ("*3", False)):
        state = table("24 35", (joker, "90"))
        do(state, Place(joker, 0, 2))
        do(state, Finish())
        assert ("dice is 2" in legal_claims(state)) == is_two


def test_R25_the_printed_shade_counts() -> None:
    for joker, is_dark in (("*1", True), ("*2", False)):
        state = table("01 22", (joker, "90"))
        do(state, Place(joker, 0, 2))
        do(state, Finish())
        assert ("shade is dark" in legal_claims(state)) == is_dark


def test_R26_a_class_leaves_exactly_its_values() -> None:
    state = table("02 24", ("*1", "90"))
    do(state, Place("*1", 0, 2))
    finish(state, "rank is even")
    assert joker_values(state, "*1") == {"rank": ("0", "2", "4", "6", "8")}


def test_R26_a_single_value_is_fixed_permanently() -> None:
    state = table("01 02", ("*1 13", "90"))
    do(state, Place("*1", 0, 2))
    finish(state, "colour is red")
    assert joker_values(state, "*1") == {"colour": ("red",)}
    assert "poker" not in joker_values(state, "*1")


def test_R26_a_joker_has_the_same_values_in_both_lines() -> None:
    """The printed example: a red joker of clubs, though no such card exists."""
    state = table({(0, 0): "01", (0, 1): "02", (1, 2): "22", (2, 2): "23"}, ("*1", "90"))
    do(state, Place("*1", 0, 2))
    finish(state, "colour is red", "poker is clubs")
    assert joker_values(state, "*1") == {"colour": ("red",), "poker": ("clubs",)}


def test_R26_a_fixed_joker_excludes_other_laws_of_its_lines() -> None:
    claims = [("across", (0, 0), "blue: colour is red")]
    state = table("01 02 *1\n. . 22", ("21 03", "90"), claims)
    do(state, Place("21", 2, 2))
    do(state, Finish())
    assert "colour is orange" not in legal_claims(state)
    assert "poker is clubs" in legal_claims(state)


def test_R26_a_sequence_takes_the_lowest_value_that_fits() -> None:
    state = table("01 25", ("*1", "90"))
    do(state, Place("*1", 0, 2))
    finish(state, "rank rises")
    assert joker_values(state, "*1") == {"rank": ("6",)}


def test_R26_the_player_who_lays_a_joker_may_name_its_value() -> None:
    state = table("01 25", ("*1 03", "90"))
    assert refusal_code(state, Name("*1", "rank", "8")) == "nothing-laid"
    do(state, Place("*1", 0, 2))
    assert refusal_code(state, Name("*2", "rank", "8")) == "joker-elsewhere"
    assert refusal_code(state, Name("01", "rank", "8")) == "no-joker"
    assert refusal_code(state, Name("*1", "dice", "2")) == "joker-fixed"
    do(state, Name("*1", "rank", "8"))
    assert refusal_code(state, Name("*1", "rank", "7")) == "joker-fixed"
    finish(state, "rank rises")
    assert joker_values(state, "*1") == {"rank": ("8",)}


def test_R26_only_the_player_who_lays_a_joker_sees_its_named_value() -> None:
    state = table("01 25", ("*1 03", "90"))
    do(state, Place("*1", 0, 2))
    do(state, Name("*1", "rank", "8"))
    assert joker_values(state, "*1", RED) == {"rank": ("8",)}
    assert not view_of(state, 1).tableau.jokers


def test_R26_a_joker_that_is_taken_back_has_its_printed_values() -> None:
    state = table("01 25", ("*1 03", "90"))
    wilds_before = state.turn.tableau.wilds[:]
    do(state, Place("*1", 0, 2))
    do(state, Name("*1", "rank", "8"))
    do(state, FIRST.action_codec.from_json({"type": "duel_of_law.take_back"}))
    assert state.turn.tableau.wilds == wilds_before


def test_R26_a_joker_is_a_letter_of_a_word() -> None:
    state = table("105 46", ("*2 70", "90"))
    lay(state, "*2 70", (0, 2))
    finish(state, "letter word")
    assert joker_values(state, "*2")["letter"] == ("A",)
    assert [item["kind"] for item in FIRST.news(state, None)].count("became") == 1


def test_R28_the_first_card_may_be_a_joker() -> None:
    state = FIRST.start(Options(), 2, ScriptedRng([0] * 25 + [137]))
    assert [laid.card for laid in view_of(state).tableau.cards] == ["*6"]
    assert joker_values(state, "*6") == {}
    card = next(iter(view_of(state, int(state.turn.seat)).hand))
    assert len(legal_spots(state, card)) == 4
    do(state, Place(card, 0, 1))
    assert legal_kinds(state) == {"more", "finish", "take_back"}


def test_a_claim_that_needs_more_of_a_joker_is_refused() -> None:
    claims = [("across", (0, 0), "blue: colour is red")]
    state = table("01 02 *1\n. . 22", ("21 03", "90"), claims)
    do(state, Place("21", 2, 2))
    do(state, Finish())
    assert refusal_code(state, claim_action("colour is orange"))

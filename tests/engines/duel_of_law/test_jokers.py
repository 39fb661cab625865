"""Jokers: their printed features, and the values they take."""

from __future__ import annotations

from games.engines.duel_of_law import ENGINE
from games.engines.duel_of_law.actions import Finish, Name, Place
from games.engines.duel_of_law.game_logic import DuelState
from games.engines.duel_of_law.game_options import Options
from tests.engines.duel_of_law.tables import (
    RED,
    Script,
    claiming,
    do,
    finish,
    kinds,
    lay,
    legal,
    refused,
    seen,
    spots,
    table,
)


def is_now(state: DuelState, joker: str, viewer: int | None = None) -> dict[str, tuple[str, ...]]:
    """The features that a joker on the tableau has taken, other than the printed ones."""
    found = next(one for one in seen(state, viewer).tableau.jokers if one.card == joker)
    return {one.feature: one.values for one in found.is_now if one.feature not in ("dice", "shade")}


def claims(state: DuelState) -> set[str]:
    """The legal claims, as feature, pattern and value."""
    return {
        f"{action.feature} {action.pattern} {action.value}".strip()
        for action in legal(state)
        if action.kind == "claim"
    }


def test_R25_the_printed_die_counts() -> None:
    for joker, is_two in (("*2", True), ("*3", False)):
        state = table("24 35", (joker, "90"))
        do(state, Place(joker, 0, 2))
        do(state, Finish())
        assert ("dice is 2" in claims(state)) == is_two


def test_R25_the_printed_shade_counts() -> None:
    for joker, is_dark in (("*1", True), ("*2", False)):
        state = table("01 22", (joker, "90"))
        do(state, Place(joker, 0, 2))
        do(state, Finish())
        assert ("shade is dark" in claims(state)) == is_dark


def test_R26_a_class_leaves_the_values_that_are_in_it() -> None:
    state = table("02 24", ("*1", "90"))
    do(state, Place("*1", 0, 2))
    finish(state, "rank is even")
    assert is_now(state, "*1") == {"rank": ("0", "2", "4", "6", "8")}


def test_R26_a_certain_value_is_fixed_for_good() -> None:
    state = table("01 02", ("*1 13", "90"))
    do(state, Place("*1", 0, 2))
    finish(state, "colour is red")
    assert is_now(state, "*1") == {"colour": ("red",)}
    assert "poker" not in is_now(state, "*1")


def test_R26_what_a_joker_is_in_one_line_it_is_in_the_other() -> None:
    """The printed example: a red joker of clubs, though no such card exists."""
    state = table({(0, 0): "01", (0, 1): "02", (1, 2): "22", (2, 2): "23"}, ("*1", "90"))
    do(state, Place("*1", 0, 2))
    finish(state, "colour is red", "poker is clubs")
    assert is_now(state, "*1") == {"colour": ("red",), "poker": ("clubs",)}


def test_R26_a_fixed_joker_closes_a_line_to_other_laws() -> None:
    claimed = [("across", (0, 0), "blue: colour is red")]
    state = table("01 02 *1\n. . 22", ("21 03", "90"), claimed)
    do(state, Place("21", 2, 2))
    do(state, Finish())
    assert "colour is orange" not in claims(state)
    assert "poker is clubs" in claims(state)


def test_R26_a_sequence_takes_the_lowest_value_that_fits() -> None:
    state = table("01 25", ("*1", "90"))
    do(state, Place("*1", 0, 2))
    finish(state, "rank rises")
    assert is_now(state, "*1") == {"rank": ("6",)}


def test_R26_whoever_lays_a_joker_may_say_what_it_is() -> None:
    state = table("01 25", ("*1 03", "90"))
    assert refused(state, Name("*1", "rank", "8")) == "nothing-laid"
    do(state, Place("*1", 0, 2))
    assert refused(state, Name("*2", "rank", "8")) == "joker-elsewhere"
    assert refused(state, Name("01", "rank", "8")) == "no-joker"
    assert refused(state, Name("*1", "dice", "2")) == "joker-fixed"
    do(state, Name("*1", "rank", "8"))
    assert refused(state, Name("*1", "rank", "7")) == "joker-fixed"
    finish(state, "rank rises")
    assert is_now(state, "*1") == {"rank": ("8",)}


def test_R26_only_the_one_who_lays_it_sees_what_a_joker_is_to_be() -> None:
    state = table("01 25", ("*1 03", "90"))
    do(state, Place("*1", 0, 2))
    do(state, Name("*1", "rank", "8"))
    assert is_now(state, "*1", RED) == {"rank": ("8",)}
    assert not seen(state, 1).tableau.jokers


def test_R26_a_joker_that_is_taken_back_is_as_printed_again() -> None:
    state = table("01 25", ("*1 03", "90"))
    fresh = state.tableau.wilds[:]
    do(state, Place("*1", 0, 2))
    do(state, Name("*1", "rank", "8"))
    do(state, ENGINE.action_codec.from_json({"type": "duel_of_law.take_back"}))
    assert state.tableau.wilds == fresh


def test_R26_jokers_serve_a_word() -> None:
    state = table("105 46", ("*2 70", "90"))
    lay(state, "*2 70", (0, 2))
    finish(state, "letter word")
    assert is_now(state, "*2")["letter"] == ("A",)
    assert [item["kind"] for item in ENGINE.news(state, None)].count("became") == 1


def test_R28_the_first_card_may_be_a_joker() -> None:
    state = ENGINE.start(Options(), 2, Script([0] * 25 + [137]))
    assert [laid.card for laid in seen(state).tableau.cards] == ["*6"]
    assert is_now(state, "*6") == {}
    card = next(iter(seen(state, int(state.turn)).hand))
    assert len(spots(state, card)) == 4
    do(state, Place(card, 0, 1))
    assert kinds(state) == {"more", "finish", "take_back"}


def test_a_claim_that_needs_more_of_a_joker_is_refused() -> None:
    claimed = [("across", (0, 0), "blue: colour is red")]
    state = table("01 02 *1\n. . 22", ("21 03", "90"), claimed)
    do(state, Place("21", 2, 2))
    do(state, Finish())
    assert refused(state, claiming("colour is orange"))

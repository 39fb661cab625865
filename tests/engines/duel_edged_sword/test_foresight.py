"""The certain consequences of laying a card in Duel-Edged Sword."""

from __future__ import annotations

import pytest

from tabularium_engines.common.consequences import Consequences
from tabularium_engines.duel_edged_sword import ENGINE
from tabularium_engines.duel_edged_sword.game_logic import SwordState
from tabularium_engines.duel_edged_sword.game_options import Options
from tests.engines.duel_edged_sword.tables import (
    PLAIN_ROWS,
    Spot,
    left_end,
    right_end,
    table,
)
from tests.engines.foretelling import certain, kinds

COLLECTING_ROWS = ["red FRC FRS", *PLAIN_ROWS[1:]]
NEARLY_CLOSED_ROWS = ["true FRC true", "false FRS true", "false FRT false", "false FGC"]


def after(state: SwordState, spot: Spot, card: str) -> Consequences:
    """The consequences if seat 0 lays the card there."""
    return certain(ENGINE, state, 0, spot.action(card))


@pytest.mark.parametrize(
    ("edges", "news", "text", "change"),
    [
        ("", ["collected", "drew"], "collect FRS, FRC and 2 Red", 2),
        ("red", ["collected", "out", "drew"], "collect FRS, FRC and 2 Red: out, keeps 3", 2),
        ("red red", ["collected", "cut", "drew"], "collect FRS, FRC and 2 Red: cut, 0 points", -1),
    ],
)
def test_a_match_tells_the_cards_the_standing_and_the_points(
    edges: str, news: list[str], text: str, change: int
) -> None:
    state = table(COLLECTING_ROWS, "red", collected={0: f"HBT {edges}"})
    told = after(state, right_end(1), "red")
    assert (told.text, kinds(told)) == (text, news)
    assert told.news[0]["cards"] == ["red", "FRS", "FRC", "red"]
    assert (told.to_act, told.score_changes) == ((1,), (change, 0, 0, 0))
    label = ENGINE.label(state, 0, ENGINE.encode(state, 0, right_end(1).action("red")))
    assert label.endswith(f": {text}")


def test_partners_share_the_change() -> None:
    state = table(COLLECTING_ROWS, "red", flipped="true")
    assert after(state, right_end(1), "red").score_changes == (2, 2, 0, 0)
    state = table(COLLECTING_ROWS, "red", flipped="FGS")
    assert after(state, right_end(1), "red").score_changes == (0, 0, 0, 0)


def test_cards_turned_face_down_are_told() -> None:
    told = after(table(["true FRC red", *PLAIN_ROWS[1:]], "false"), right_end(1), "false")
    assert told.news[0]["kind"] == "turned"
    assert told.news[0]["cards"] == ["red", "FRC"]


def test_where_the_next_player_may_be_bust_their_turn_is_not_certain() -> None:
    assert after(table(NEARLY_CLOSED_ROWS, "FGS"), left_end(4), "FGS").to_act == (1,)
    told = after(table(NEARLY_CLOSED_ROWS, "true"), right_end(4), "true")
    assert (kinds(told), told.to_act, told.score_changes) == (["turned"], None, None)
    last = after(table(NEARLY_CLOSED_ROWS, "true", piles=[0] * 4), right_end(4), "true")
    assert (kinds(last), last.to_act) == (["turned", "scored"], ())


def test_the_last_card_of_a_round_tells_its_points_and_that_of_the_match_its_winner() -> None:
    piles = [0, 0, 0, 0]
    options = Options(rounds=2)
    state = table(COLLECTING_ROWS, "red", collected={1: "HBT"}, piles=piles, options=options)
    told = after(state, right_end(1), "red")
    assert kinds(told) == ["collected", "scored"]
    assert told.news[1]["points"] == [2, 1, 0, 0]
    assert (told.to_act, told.winners, told.score_changes) == (None, None, (2, 0, 0, 0))
    last = table(COLLECTING_ROWS, "red", piles=piles)
    told = after(last, right_end(1), "red")
    assert (told.to_act, told.winners) == ((), (0,))
    assert told.text == "collect FRS, FRC and 2 Red, you win"

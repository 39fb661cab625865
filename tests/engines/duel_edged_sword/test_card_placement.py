"""Laying a card: legal places, the cards it collects and the cards it turns (R8 to R14)."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from games.engines.base import IllegalAction
from games.engines.duel_edged_sword import ENGINE
from games.engines.duel_edged_sword.actions import Place
from tests.engines.duel_edged_sword.tables import (
    PLAIN,
    Spot,
    do,
    drawn,
    has,
    kinds,
    left,
    legal,
    right,
    row,
    seen,
    table,
)

OPEN = ["true FRC true", "false FRS true", "false FRT false", "true"]  # open until the last card


def refused(rows: Sequence[str], card: str, spot: Spot) -> IllegalAction:
    state = table(rows, card)
    with pytest.raises(IllegalAction) as caught:
        ENGINE.encode(state, 0, spot.action(card))
    return caught.value


# -- legal places ---------------------------------------------------------------------------------


def test_a_card_goes_to_either_end_of_a_row() -> None:
    state = table(PLAIN, "PGT")
    assert legal(state) == [spot(n) for n in (1, 2, 3, 4) for spot in (left, right)]
    news = do(state, left(1), "square")
    assert kinds(news) == ["placed", "drew"]
    assert row(state, 1) == "PGT red FRC"
    do(state, right(1), "hollow")
    assert row(state, 1) == "PGT red FRC square"


def test_a_card_may_go_into_an_empty_row() -> None:
    state = table(["", *PLAIN[:3]], "true")
    assert Spot(1) in legal(state)
    assert kinds(do(state, Spot(1), "square")) == ["opened", "drew"]
    assert row(state, 1) == "true"


def test_R8_a_row_of_one_has_two_ends_and_an_empty_row_is_one_place() -> None:
    state = table(["", "red", "true", "FRC FRS"], "square")
    assert legal(state) == [
        *(Spot(1), left(2), right(2), left(3), right(3), left(4), right(4)),
    ]
    state = table(["", "red", "true", "FRC FRS"], "false")
    assert legal(state) == [Spot(1), left(2), right(2), left(4), right(4)]


def test_R8_only_its_holder_sees_the_drawn_card() -> None:
    state = table(PLAIN, "PGT", turn=1)
    assert [seen(state, seat).card for seat in range(4)] == [None, "PGT", None, None]
    assert seen(state).card is None
    news = do(state, left(1), "square")
    assert "card" not in news[-1]
    assert ENGINE.news(state, 2)[-1]["card"] == "square"
    assert "card" not in ENGINE.news(state, 1)[-1]
    assert seen(state, 2).card == "square"


@pytest.mark.parametrize("card", ["true", "false"])
def test_logical_cards_are_never_neighbours(card: str) -> None:
    state = table(["true FRC", "FRS false", "red", ""], card)
    assert legal(state) == [right(1), left(2), left(3), right(3), Spot(4)]
    refusal = refused(["true FRC", "FRS false", "red", ""], card, left(1))
    assert (refusal.code, refusal.pointer) == ("logical-neighbours", "/side")


def test_even_a_match_may_not_be_laid_beside_its_like() -> None:
    assert refused(["true FRC", *PLAIN[1:]], "true", left(1)).code == "logical-neighbours"


def test_an_empty_row_is_opened_and_no_other() -> None:
    assert refused(["", *PLAIN[1:]], "red", left(1)).code == "row-empty"
    assert refused(["", *PLAIN[1:]], "red", Spot(2)).code == "row-not-empty"


@pytest.mark.parametrize(("card", "named"), [("red", "true"), ("red", "FRC"), ("PGT", "red")])
def test_no_other_card_may_be_laid_than_was_drawn(card: str, named: str) -> None:
    state = table(PLAIN, card)
    for spot in (left(1), Spot(1)):
        with pytest.raises(IllegalAction) as caught:
            ENGINE.encode(state, 0, spot.action(named))
        assert (caught.value.code, caught.value.pointer) == ("not-your-card", "/card")


def test_all_completes_are_one_sort() -> None:
    assert left(1).action("FRC") == left(1).action("HBT") == Place("complete", 1, "left")


def test_R9_a_face_down_end_hinders_nobody() -> None:
    state = table(["[true] FRC true", *OPEN[1:3], "true"], "false")
    assert legal(state) == [left(1)]
    do(state, left(1), "red")
    assert row(state, 1) == "false [true] [FRC] true"


# -- collecting -----------------------------------------------------------------------------------


def test_a_match_collects_both_cards_and_all_between() -> None:
    state = table(["red FRC square FRS green", *PLAIN[1:]], "square")
    news = do(state, right(1), "hollow")
    assert kinds(news) == ["placed", "collected", "drew"]
    assert news[1]["cards"] == ["square", "green", "FRS", "square"]
    assert row(state, 1) == "red FRC"
    assert has(state, 0) == ["FRS", "green", "square", "square"]


def test_a_match_at_the_end_collects_two() -> None:
    state = table(PLAIN, "red")
    do(state, left(1), "hollow")
    assert row(state, 1) == "FRC"
    assert has(state, 0) == ["red", "red"]


def test_a_whole_row_may_be_collected() -> None:
    state = table(PLAIN, "red")
    do(state, right(1), "hollow")
    assert row(state, 1) == ""
    assert has(state, 0) == ["FRC", "red", "red"]


@pytest.mark.parametrize("card", ["true", "false"])
def test_logical_cards_match_too(card: str) -> None:
    state = table([f"red {card} FRC", *PLAIN[1:]], card)
    do(state, right(1), "hollow")
    assert row(state, 1) == "red"
    assert has(state, 0) == ["FRC", card, card]


def test_R10_a_match_comes_before_a_pairing_and_the_row_closes_up() -> None:
    state = table(["blue true FRC false FRS red", *PLAIN[1:]], "true")
    news = do(state, right(1), "hollow")
    assert kinds(news) == ["placed", "collected", "drew"]
    assert row(state, 1) == "blue"
    assert has(state, 0) == ["FRC", "FRS", "red", "true", "true", "false"]


def test_R11_completes_match_nothing() -> None:
    state = table(["FRC red circle filled", *PLAIN[1:3], "PBT"], "FRS")
    assert kinds(do(state, right(1), "hollow")) == ["placed", "drew"]
    assert row(state, 1) == "FRC red circle filled FRS"


def test_R11_a_face_down_card_does_not_match() -> None:
    state = table(["true [red] FRC false green", *PLAIN[1:]], "red")
    assert kinds(do(state, right(1), "hollow")) == ["placed", "drew"]
    assert row(state, 1) == "true [red] FRC false green red"


def test_R11_the_nearest_match_counts_and_face_down_cards_between_are_collected() -> None:
    state = table(["green true [red] [FRC] false red FRS", *PLAIN[1:]], "red")
    do(state, right(1), "hollow")
    assert row(state, 1) == "green true [red] [FRC] false"
    state = table(["green true [red] [FRC] false FRS", *PLAIN[1:]], "green")
    do(state, right(1), "hollow")
    assert has(state, 0) == ["FRC", "FRS", "red", "green", "green", "true", "false"]


# -- pairings -------------------------------------------------------------------------------------


@pytest.mark.parametrize(("card", "other"), [("true", "false"), ("false", "true")])
def test_a_pairing_turns_what_lies_between(card: str, other: str) -> None:
    state = table([f"red {other} FRC green", *PLAIN[1:]], card)
    news = do(state, right(1), "hollow")
    assert kinds(news) == ["placed", "turned", "drew"]
    assert news[1]["cards"] == ["green", "FRC"]
    assert row(state, 1) == f"red {other} [FRC] [green] {card}"


def test_R12_turned_cards_stay_turned_and_the_pair_stays_open() -> None:
    state = table(["true [FRC] [false] red", *PLAIN[1:]], "false")
    do(state, right(1), "hollow")
    assert row(state, 1) == "true [FRC] [false] [red] false"
    do(state, left(1), "square")
    assert row(state, 1) == "hollow true [FRC] [false] [red] false"


def test_without_a_partner_a_logical_card_does_nothing() -> None:
    state = table(PLAIN, "true")
    assert kinds(do(state, right(1), "hollow")) == ["placed", "drew"]


# -- bust -----------------------------------------------------------------------------------------


@pytest.mark.parametrize("card", ["true", "false"])
def test_R13_a_card_that_fits_nowhere_is_a_bust(card: str) -> None:
    rows = [*OPEN[:3], "false PRC"]
    state = table(rows, "true", collected={1: "HBT HBS"})
    news = do(state, right(4), card, "red")
    assert kinds(news) == ["placed", "turned", "bust", "drew"]
    assert (news[2]["seat"], news[2]["card"]) == (1, card)
    view = seen(state)
    assert (view.players[1].standing, view.players[1].pile) == ("bust", 0)
    assert view.dropped == (card,)
    assert view.to_act == (2,)
    assert view.aside == state.unseen - 3 - 3 - 2


def test_R13_any_other_card_always_fits() -> None:
    state = table([*OPEN[:3], "false PRC"], "true")
    assert kinds(do(state, right(4), "PGT"))[-1] == "drew"
    assert len(legal(state)) == 8


def test_R13_an_empty_row_saves_from_a_bust() -> None:
    state = table([*OPEN[:3], "red"], "red")
    do(state, right(4), "true")
    assert drawn(state) == "true"
    assert legal(state) == [Spot(4)]


def test_R13_several_players_may_be_bust_one_after_the_other() -> None:
    state = table([*OPEN[:3], "false PRC"], "true")
    news = do(state, right(4), "true", "false", "true", "FGC")
    assert [item["seat"] for item in news if item["kind"] == "bust"] == [1, 2, 3]
    assert seen(state).to_act == (0,)


# -- three and four of a kind ---------------------------------------------------------------------


def test_two_of_a_kind_do_no_harm() -> None:
    state = table(PLAIN, "red", collected={0: "blue blue"})
    do(state, left(1), "hollow")
    assert seen(state).players[0].standing == "in"


def test_R14_three_of_a_kind_end_the_round_of_a_player() -> None:
    state = table(PLAIN, "red", collected={0: "red"})
    news = do(state, right(1), "hollow")
    assert kinds(news) == ["placed", "collected", "out", "drew"]
    player = seen(state).players[0]
    assert (player.standing, player.pile) == ("out", 0)
    assert player.completes == ("FRC",)
    assert row(state, 1) == ""


def test_R14_four_of_a_kind_cost_the_points_too() -> None:
    state = table(PLAIN, "red", collected={0: "red red"})
    news = do(state, right(1), "hollow")
    assert kinds(news) == ["placed", "collected", "cut", "drew"]
    assert seen(state).players[0].standing == "cut"


def test_R14_all_kinds_are_counted_after_the_whole_collection() -> None:
    state = table(["green true [red] [red] [FRC] [red] false red", *PLAIN[1:]], "green")
    do(state, right(1), "hollow")
    assert has(state, 0).count("red") == 4
    assert seen(state).players[0].standing == "cut"
    state = table(["green true [red] [red] [FRC] [red] false", *PLAIN[1:]], "green")
    do(state, right(1), "hollow")
    assert has(state, 0).count("red") == 3
    assert seen(state).players[0].standing == "out"


def test_R14_many_trues_are_four_of_a_kind() -> None:
    state = table(
        ["red true [true] [true] [true] [true] [FRC] false", *PLAIN[1:]],
        "red",
        collected={0: "true true"},
    )
    do(state, right(1), "hollow")
    assert has(state, 0).count("true") == 7
    assert seen(state).players[0].standing == "cut"


def test_R14_others_keep_their_edges_to_themselves() -> None:
    state = table(PLAIN, "red", collected={1: "red red"}, flipped="true")
    do(state, left(1), "hollow")
    assert {player.standing for player in seen(state).players} == {"in"}

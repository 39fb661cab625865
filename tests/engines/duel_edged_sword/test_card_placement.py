"""Laying a card: legal places, the cards it collects and the cards it turns (R8 to R14)."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import pytest

from tabularium_engines.base import IllegalAction
from tabularium_engines.common.random_generators import FastRng
from tabularium_engines.duel_edged_sword import ENGINE
from tabularium_engines.duel_edged_sword.actions import Place
from tabularium_engines.duel_edged_sword.engine import DuelEdgedSwordEngine
from tests.engines.duel_edged_sword.tables import (
    FIRST,
    PLAIN_ROWS,
    Spot,
    collected_cards,
    do,
    drawn_card,
    left_end,
    legal_spots,
    news_kinds,
    right_end,
    row_text,
    start_match,
    table,
    view_of,
)

# open until the last card
OPEN_ROWS = ["true FRC true", "false FRS true", "false FRT false", "true"]


def refusal_of(rows: Sequence[str], card: str, spot: Spot) -> IllegalAction:
    state = table(rows, card)
    with pytest.raises(IllegalAction) as caught:
        ENGINE.encode(state, 0, spot.action(card))
    return caught.value


# -- legal places ---------------------------------------------------------------------------------


def test_a_card_goes_to_either_end_of_a_row() -> None:
    state = table(PLAIN_ROWS, "PGT")
    assert legal_spots(state) == [spot(n) for n in (1, 2, 3, 4) for spot in (left_end, right_end)]
    news = do(state, left_end(1), "square")
    assert news_kinds(news) == ["placed", "drew"]
    assert row_text(state, 1) == "PGT red FRC"
    do(state, right_end(1), "hollow")
    assert row_text(state, 1) == "PGT red FRC square"


def test_a_card_may_go_into_an_empty_row() -> None:
    state = table(["", *PLAIN_ROWS[:3]], "true")
    assert Spot(1) in legal_spots(state)
    assert news_kinds(do(state, Spot(1), "square")) == ["opened", "drew"]
    assert row_text(state, 1) == "true"


@pytest.mark.parametrize(
    ("engine", "ends_of_one"), [(FIRST, [left_end, right_end]), (ENGINE, [left_end])]
)
def test_R8_an_empty_row_is_one_place_and_from_version_2_a_row_of_one_too(
    engine: DuelEdgedSwordEngine, ends_of_one: list[Callable[[int], Spot]]
) -> None:
    rows, last = ["", "red", "true", "FRC FRS"], [left_end(4), right_end(4)]
    second, third = ([end(number) for end in ends_of_one] for number in (2, 3))
    state = table(rows, "square", engine=engine)
    assert legal_spots(state) == [Spot(1), *second, *third, *last]
    state = table(rows, "false", engine=engine)
    assert legal_spots(state) == [Spot(1), *second, *last]


def test_R8_a_row_of_one_is_offered_and_refused_as_one_place() -> None:
    state = table(["red", *PLAIN_ROWS[1:]], "square")
    label = ENGINE.label(state, 0, state.legal_actions(0)[0])
    assert label == "Lay Square at the only card of row 1"
    refusal = refusal_of(["red", *PLAIN_ROWS[1:]], "square", right_end(1))
    assert (refusal.code, refusal.pointer) == ("one-end", "/side")
    refusal = refusal_of(["true", *PLAIN_ROWS[1:]], "false", right_end(1))
    assert refusal.code == "logical-neighbours"


def test_R8_both_ends_of_a_row_of_one_lead_to_the_same_table() -> None:
    for card in ("red", "square", "PGT"):
        rows = []
        for end in (left_end, right_end):
            state = table(["red", *PLAIN_ROWS[1:]], card, engine=FIRST)
            do(state, end(1), "hollow")
            rows.append(row_text(state, 1).split())
        assert rows[0] == rows[1][::-1]


def test_R8_only_its_holder_sees_the_drawn_card() -> None:
    state = table(PLAIN_ROWS, "PGT", turn=1)
    assert [view_of(state, seat).card for seat in range(4)] == [None, "PGT", None, None]
    assert view_of(state).card is None
    news = do(state, left_end(1), "square")
    assert "card" not in news[-1]
    assert ENGINE.news(state, 2)[-1]["card"] == "square"
    assert "card" not in ENGINE.news(state, 1)[-1]
    assert view_of(state, 2).card == "square"


@pytest.mark.parametrize("card", ["true", "false"])
def test_logical_cards_are_never_neighbours(card: str) -> None:
    state = table(["true FRC", "FRS false", "red", ""], card)
    assert legal_spots(state) == [right_end(1), left_end(2), left_end(3), Spot(4)]
    refusal = refusal_of(["true FRC", "FRS false", "red", ""], card, left_end(1))
    assert (refusal.code, refusal.pointer) == ("logical-neighbours", "/side")


def test_matching_logical_cards_may_not_be_neighbours() -> None:
    assert (
        refusal_of(["true FRC", *PLAIN_ROWS[1:]], "true", left_end(1)).code == "logical-neighbours"
    )


def test_only_an_empty_row_can_be_opened() -> None:
    assert refusal_of(["", *PLAIN_ROWS[1:]], "red", left_end(1)).code == "row-empty"
    assert refusal_of(["", *PLAIN_ROWS[1:]], "red", Spot(2)).code == "row-not-empty"


@pytest.mark.parametrize(
    ("card", "claimed_card"), [("red", "true"), ("red", "FRC"), ("PGT", "red")]
)
def test_only_the_drawn_card_may_be_laid(card: str, claimed_card: str) -> None:
    state = table(PLAIN_ROWS, card)
    for spot in (left_end(1), Spot(1)):
        with pytest.raises(IllegalAction) as caught:
            ENGINE.encode(state, 0, spot.action(claimed_card))
        assert (caught.value.code, caught.value.pointer) == ("not-your-card", "/card")


def test_all_completes_are_one_sort() -> None:
    assert left_end(1).action("FRC") == left_end(1).action("HBT") == Place("complete", 1, "left")


def test_R9_a_face_down_end_allows_any_card() -> None:
    state = table(["[red] FRC true", *OPEN_ROWS[1:3], "true"], "false")
    assert legal_spots(state) == [left_end(1)]
    do(state, left_end(1), "red")
    assert row_text(state, 1) == "false [red] [FRC] true"


@pytest.mark.parametrize("seed", range(10))
def test_R9_a_true_or_a_false_never_lies_face_down(seed: int) -> None:
    """A pairing turns the cards between a True and the nearest False. No other True is there, for
    it would match the one that is laid, and no other False, for the second one laid in a row
    matched the first; the deal puts at most one of all these cards in a row."""
    rng = FastRng(seed)
    state = start_match(seed, rounds=2)
    turned = 0
    while state.to_act:
        for row in view_of(state).rows:
            logical = [laid for laid in row if laid.card in ("true", "false")]
            assert all(laid.is_up for laid in logical)
            assert len({laid.card for laid in logical}) == len(logical)
            turned += sum(not laid.is_up for laid in row)
        (seat,) = ENGINE.awaited_seats(state)
        state.apply(seat, state.random_action(seat, rng), rng)
    assert turned


# -- collecting -----------------------------------------------------------------------------------


def test_a_match_collects_both_cards_and_all_between() -> None:
    state = table(["red FRC square FRS green", *PLAIN_ROWS[1:]], "square")
    news = do(state, right_end(1), "hollow")
    assert news_kinds(news) == ["placed", "collected", "drew"]
    assert news[1]["cards"] == ["square", "green", "FRS", "square"]
    assert row_text(state, 1) == "red FRC"
    assert collected_cards(state, 0) == ["FRS", "green", "square", "square"]


def test_a_match_at_the_end_collects_two() -> None:
    state = table(PLAIN_ROWS, "red")
    do(state, left_end(1), "hollow")
    assert row_text(state, 1) == "FRC"
    assert collected_cards(state, 0) == ["red", "red"]


def test_a_whole_row_may_be_collected() -> None:
    state = table(PLAIN_ROWS, "red")
    do(state, right_end(1), "hollow")
    assert row_text(state, 1) == ""
    assert collected_cards(state, 0) == ["FRC", "red", "red"]


@pytest.mark.parametrize("card", ["true", "false"])
def test_logical_cards_match_too(card: str) -> None:
    state = table([f"red {card} FRC", *PLAIN_ROWS[1:]], card)
    do(state, right_end(1), "hollow")
    assert row_text(state, 1) == "red"
    assert collected_cards(state, 0) == ["FRC", card, card]


def test_R10_a_match_precedes_a_pairing_and_leaves_no_gap() -> None:
    state = table(["blue true FRC false FRS red", *PLAIN_ROWS[1:]], "true")
    news = do(state, right_end(1), "hollow")
    assert news_kinds(news) == ["placed", "collected", "drew"]
    assert row_text(state, 1) == "blue"
    assert collected_cards(state, 0) == ["FRC", "FRS", "red", "true", "true", "false"]


def test_R11_completes_match_nothing() -> None:
    state = table(["FRC red circle filled", *PLAIN_ROWS[1:3], "PBT"], "FRS")
    assert news_kinds(do(state, right_end(1), "hollow")) == ["placed", "drew"]
    assert row_text(state, 1) == "FRC red circle filled FRS"


def test_R11_a_face_down_card_does_not_match() -> None:
    state = table(["true [red] FRC false green", *PLAIN_ROWS[1:]], "red")
    assert news_kinds(do(state, right_end(1), "hollow")) == ["placed", "drew"]
    assert row_text(state, 1) == "true [red] FRC false green red"


def test_R11_the_nearest_match_counts_and_face_down_cards_between_are_collected() -> None:
    state = table(["green true [red] [FRC] false red FRS", *PLAIN_ROWS[1:]], "red")
    do(state, right_end(1), "hollow")
    assert row_text(state, 1) == "green true [red] [FRC] false"
    state = table(["green true [red] [FRC] false FRS", *PLAIN_ROWS[1:]], "green")
    do(state, right_end(1), "hollow")
    assert collected_cards(state, 0) == ["FRC", "FRS", "red", "green", "green", "true", "false"]


# -- pairings -------------------------------------------------------------------------------------


@pytest.mark.parametrize(("card", "other"), [("true", "false"), ("false", "true")])
def test_a_pairing_turns_the_cards_between(card: str, other: str) -> None:
    state = table([f"red {other} FRC green", *PLAIN_ROWS[1:]], card)
    news = do(state, right_end(1), "hollow")
    assert news_kinds(news) == ["placed", "turned", "drew"]
    assert news[1]["cards"] == ["green", "FRC"]
    assert row_text(state, 1) == f"red {other} [FRC] [green] {card}"


def test_R12_turned_cards_stay_turned_and_the_pair_stays_open() -> None:
    state = table(["true [FRC] [green] red", *PLAIN_ROWS[1:]], "false")
    do(state, right_end(1), "hollow")
    assert row_text(state, 1) == "true [FRC] [green] [red] false"
    do(state, left_end(1), "square")
    assert row_text(state, 1) == "hollow true [FRC] [green] [red] false"


def test_without_a_partner_a_logical_card_does_nothing() -> None:
    state = table(PLAIN_ROWS, "true")
    assert news_kinds(do(state, right_end(1), "hollow")) == ["placed", "drew"]


# -- bust -----------------------------------------------------------------------------------------


@pytest.mark.parametrize("card", ["true", "false"])
def test_R13_a_card_without_a_legal_place_is_a_bust(card: str) -> None:
    rows = [*OPEN_ROWS[:3], "false PRC"]
    state = table(rows, "true", collected={1: "HBT HBS"})
    news = do(state, right_end(4), card, "red")
    assert news_kinds(news) == ["placed", "turned", "bust", "drew"]
    assert (news[2]["seat"], news[2]["card"]) == (1, card)
    view = view_of(state)
    assert (view.players[1].standing, view.players[1].pile) == ("bust", 0)
    assert view.dropped == (card,)
    assert view.to_act == (2,)
    assert view.aside == state.players.unseen - 3 - 3 - 2


def test_R13_any_other_card_always_fits() -> None:
    state = table([*OPEN_ROWS[:3], "false PRC"], "true")
    assert news_kinds(do(state, right_end(4), "PGT"))[-1] == "drew"
    assert len(legal_spots(state)) == 8


def test_R13_an_empty_row_prevents_a_bust() -> None:
    state = table([*OPEN_ROWS[:3], "red"], "red")
    do(state, left_end(4), "true")
    assert drawn_card(state) == "true"
    assert legal_spots(state) == [Spot(4)]


@pytest.mark.parametrize(("row", "open_end"), [("PRC true", left_end), ("true PRC", right_end)])
def test_R13_one_open_end_prevents_a_bust(row: str, open_end: Callable[[int], Spot]) -> None:
    state = table([*OPEN_ROWS[:3], row], "red")
    do(state, open_end(4), "false")
    assert drawn_card(state) == "false"
    assert legal_spots(state) == [open_end(4)]


def test_R13_several_players_may_be_bust_one_after_the_other() -> None:
    state = table([*OPEN_ROWS[:3], "false PRC"], "true")
    news = do(state, right_end(4), "true", "false", "true", "FGC")
    assert [item["seat"] for item in news if item["kind"] == "bust"] == [1, 2, 3]
    assert view_of(state).to_act == (0,)


# -- three and four of a kind ---------------------------------------------------------------------


def test_two_of_a_kind_have_no_effect() -> None:
    state = table(PLAIN_ROWS, "red", collected={0: "blue blue"})
    do(state, left_end(1), "hollow")
    assert view_of(state).players[0].standing == "in"


def test_R14_three_of_a_kind_end_the_round_of_a_player() -> None:
    state = table(PLAIN_ROWS, "red", collected={0: "red"})
    news = do(state, right_end(1), "hollow")
    assert news_kinds(news) == ["placed", "collected", "out", "drew"]
    player = view_of(state).players[0]
    assert (player.standing, player.pile) == ("out", 0)
    assert player.completes == ("FRC",)
    assert row_text(state, 1) == ""


def test_R14_four_of_a_kind_cost_the_points_too() -> None:
    state = table(PLAIN_ROWS, "red", collected={0: "red red"})
    news = do(state, right_end(1), "hollow")
    assert news_kinds(news) == ["placed", "collected", "cut", "drew"]
    assert view_of(state).players[0].standing == "cut"


def test_R14_all_kinds_are_counted_after_the_whole_collection() -> None:
    state = table(["green true [red] [red] [FRC] [red] false red", *PLAIN_ROWS[1:]], "green")
    do(state, right_end(1), "hollow")
    assert collected_cards(state, 0).count("red") == 4
    assert view_of(state).players[0].standing == "cut"
    state = table(["green true [red] [red] [FRC] [red] false", *PLAIN_ROWS[1:]], "green")
    do(state, right_end(1), "hollow")
    assert collected_cards(state, 0).count("red") == 3
    assert view_of(state).players[0].standing == "out"


def test_R14_many_trues_are_four_of_a_kind() -> None:
    state = table(["true FRC red", *PLAIN_ROWS[1:]], "true", collected={0: "true true"})
    do(state, right_end(1), "hollow")
    assert collected_cards(state, 0).count("true") == 4
    assert view_of(state).players[0].standing == "cut"


def test_R14_the_edges_of_partners_are_counted_separately() -> None:
    state = table(PLAIN_ROWS, "red", collected={1: "red red"}, flipped="true")
    do(state, left_end(1), "hollow")
    assert {player.standing for player in view_of(state).players} == {"in"}

"""The fives, sixes and sevens, which trigger when a card is drawn or discarded."""

from __future__ import annotations

import pytest

from tabularium_engines.law import ENGINE
from tabularium_engines.law import actions as a
from tests.engines.law.tables import (
    awaited_task,
    do,
    hand,
    legal_actions,
    news_kinds,
    table,
    view_of,
)

DOUBLED = pytest.mark.parametrize(
    ("doubling_card", "count"), [("", 1), (" JS", 2)], ids=["plain", "JS"]
)

# -- six of diamonds and hearts -------------------------------------------------------------------


def test_6D_each_player_draws_clockwise_from_the_drawer_of_the_five() -> None:
    state = table(["2S", "3S", "4S"], {0: "6D"}, turn=1, takes=1)
    news = do(state, 1, a.Take(0), "5H 9C 10C JC")
    assert [item["seat"] for item in news if item["kind"] == "drew"] == [1, 1, 2, 0]
    assert [hand(state, seat) for seat in range(3)] == [
        *({"2S", "JC"}, {"3S", "5H", "9C"}, {"4S", "10C"}),
    ]


def test_6D_JS_each_player_draws_two() -> None:
    state = table(["2S", "3S"], {0: "6D JS"}, takes=1)
    do(state, 0, a.Take(0), "5H 9C 10C JC QC")
    assert hand(state, 0) == {"2S", "5H", "9C", "10C"}
    assert hand(state, 1) == {"3S", "JC", "QC"}


def test_6D_a_five_taken_from_the_discards_is_not_drawn() -> None:
    state = table(["2S", "3S"], {0: "6D"}, discards="KD 5H", takes=1)
    do(state, 0, a.Take(1))
    assert hand(state, 1) == {"3S"}


def test_R29_6D_a_second_five_sets_it_off_again_for_its_own_drawer() -> None:
    state = table(["2S", "3S"], {0: "6D"}, takes=1)
    do(state, 0, a.Take(0), "5H 9C 5D 10C JC")
    assert hand(state, 0) | hand(state, 1) == {"2S", "3S", "5H", "9C", "5D", "10C", "JC"}
    assert len(hand(state, 1)) == 3


@pytest.mark.parametrize("doubling_card", ["", " JS"], ids=["plain", "JS"])
def test_6H_all_hands_go_left(doubling_card: str) -> None:
    state = table(["5S 2S", "3S", "4S 4D"], {0: "6H" + doubling_card})
    do(state, 0, a.Discard("5S", 1))
    assert [hand(state, seat) for seat in range(3)] == [{"4S", "4D"}, {"2S"}, {"3S"}]


def test_R31_6H_remaining_duties_are_paid_from_the_new_hand() -> None:
    state = table(["5S 2S", "3S 9D"], {0: "6H 8C"})
    do(state, 0, a.Discard("5S", 1))
    assert hand(state, 0) == {"3S", "9D"}
    assert set(legal_actions(state, 0)) == {a.Attend("pass_left")}
    do(state, 0, a.Attend("pass_left"))
    do(state, 0, a.Choose("9D"))
    assert hand(state, 1) == {"2S", "9D"}


def test_6H_only_a_five_triggers() -> None:
    state = table(["6S 2S", "3S"], {0: "6H"})
    do(state, 0, a.Discard("6S", 1))
    assert hand(state, 0) == {"2S"}


# -- sevens -------------------------------------------------------------------------------------


@DOUBLED
def test_7S_a_drawn_spade_lets_you_draw(doubling_card: str, count: int) -> None:
    state = table(["2D", "3D"], {0: "7S" + doubling_card}, takes=1)
    do(state, 0, a.Take(0), " ".join(["9S", "10C", "JC"][: count + 1]))
    assert hand(state, 0) == {"2D", "9S", "10C", "JC"} if count == 2 else {"2D", "9S", "10C"}


def test_7S_another_spade_triggers_again() -> None:
    state = table(["2D", "3D"], {0: "7S"}, takes=1)
    do(state, 0, a.Take(0), "9S 10S JS QC")
    assert hand(state, 0) == {"2D", "9S", "10S", "JS", "QC"}


def test_R24_7S_a_club_that_counts_as_a_spade_triggers_once() -> None:
    state = table(["2D", "3D"], {0: "7S 5S"}, takes=1)
    do(state, 0, a.Take(0), "9C 10H")
    assert hand(state, 0) == {"2D", "9C", "10H"}


def test_R25_7S_a_wild_five_has_its_printed_suit_when_drawn() -> None:
    state = table(["2D", "3D"], {0: "7S 6C"}, takes=1)
    do(state, 0, a.Take(0), "5H")
    assert hand(state, 0) == {"2D", "5H"}


def test_R26_7S_a_spade_taken_from_the_discards_is_not_drawn() -> None:
    state = table(["2D", "3D"], {0: "7S"}, discards="KD 9S", takes=1)
    do(state, 0, a.Take(1))
    assert hand(state, 0) == {"2D", "9S"}


@DOUBLED
def test_7C_a_drawn_club_makes_a_player_discard(doubling_card: str, count: int) -> None:
    state = table(["2D", "3D 4D 6D 8D"], {0: "7C" + doubling_card}, takes=1)
    do(state, 0, a.Take(0), "9C")
    assert awaited_task(state) == "aim"
    do(state, 0, a.ChooseSeat(1))
    for card in ("3D", "4D")[:count]:
        assert state.to_act == 0b10
        do(state, 1, a.Discard(card, 1))
    assert hand(state, 1) == {"3D", "4D", "6D", "8D"} - {"3D", "4D"} | (
        set() if count == 2 else {"4D"}
    )
    assert state.to_act == 0b01


def test_R30_7C_you_may_choose_yourself() -> None:
    state = table(["2D", "3D 4D"], {0: "7C"}, takes=1)
    do(state, 0, a.Take(0), "9C")
    do(state, 0, a.ChooseSeat(0))
    do(state, 0, a.Discard("9C", 1))
    assert hand(state, 0) == {"2D"}


@DOUBLED
def test_7D_a_discarded_diamond_lets_you_draw(doubling_card: str, count: int) -> None:
    state = table(["2D 2S", "3D"], {0: "7D" + doubling_card})
    do(state, 0, a.Discard("2D", 1), " ".join(["9S", "10C"][:count]))
    assert hand(state, 0) == {"2S", "9S", "10C"} if count == 2 else {"2S", "9S"}


@DOUBLED
def test_7H_a_discarded_heart_makes_a_player_discard(doubling_card: str, count: int) -> None:
    state = table(["2H 2S", "3D 4D 6D", "8D"], {0: "7H" + doubling_card})
    do(state, 0, a.Discard("2H", 1))
    do(state, 0, a.ChooseSeat(1))
    for card in ("3D", "4D")[:count]:
        do(state, 1, a.Discard(card, 1))
    assert len(hand(state, 1)) == 3 - count


def test_R27_7H_a_forced_discard_sets_it_off_for_its_own_player() -> None:
    state = table(["2H 2S", "3H 4D 6D"], {0: "7H"})
    do(state, 0, a.Discard("2H", 1))
    do(state, 0, a.ChooseSeat(1))
    do(state, 1, a.Discard("3H", 1))
    assert [awaited_task(state), state.to_act] == ["aim", 0b10]
    do(state, 1, a.ChooseSeat(1))
    do(state, 1, a.Discard("4D", 1))
    assert hand(state, 1) == {"6D"}


def test_R30_7H_chosen_players_discard_as_many_as_they_can() -> None:
    state = table(["2H 2S", "3D"], {0: "7H JS"})
    do(state, 0, a.Discard("2H", 1))
    do(state, 0, a.ChooseSeat(1), "9S")  # no choice with a single card; then one is drawn
    assert hand(state, 1) == {"9S"}


# -- together -----------------------------------------------------------------------------------


def test_R28_one_card_triggers_several_Laws_in_an_order_of_choice() -> None:
    laws_in_force = {0: "7S 7C 5S"}
    state = table(["2D", "3D 4D"], laws_in_force, takes=1)
    do(state, 0, a.Take(0), "9S")
    assert awaited_task(state) == "order"
    assert set(legal_actions(state, 0)) == {a.Apply("7S"), a.Apply("7C")}
    do(state, 0, a.Apply("7C"))
    assert awaited_task(state) == "aim"
    do(state, 0, a.ChooseSeat(1))
    do(state, 1, a.Discard("3D", 1), "10H")  # then the other Law draws
    assert hand(state, 0) == {"2D", "9S", "10H"}


def test_R28_later_triggers_wait_in_a_queue() -> None:
    state = table(["2D", "3D 4D", "6H 6D"], {0: "7S 7C 5S"}, takes=1)
    do(state, 0, a.Take(0), "9S")
    do(state, 0, a.Apply("7S"), "10S")
    assert awaited_task(state) == "aim"  # of the first spade, before any trigger of the second
    assert [trigger.laws for trigger in view_of(state).triggers] == [(), ("7S", "7C")]


@pytest.mark.parametrize("pair", ["6D 7S", "6D 7C"])
def test_a_drawn_five_may_set_off_two_families(pair: str) -> None:
    five = "5S" if "7S" in pair else "5C"
    state = table(["2D", "3D"], {0: pair}, takes=1)
    do(state, 0, a.Take(0), five)
    assert set(legal_actions(state, 0)) == {a.Apply(law) for law in pair.split()}


@pytest.mark.parametrize("pair", ["6H 7D", "6H 7H", "7D 7H"])
def test_a_discarded_card_may_set_off_two_families(pair: str) -> None:
    joining_law = " 5D" if pair == "7D 7H" else ""
    card = {"6H 7D": "5D", "6H 7H": "5H", "7D 7H": "9D"}[pair]
    state = table([f"{card} 2S", "3D 4D"], {0: pair + joining_law} if card != "5D" else {0: pair})
    do(state, 0, a.Discard(card, 1))
    assert set(legal_actions(state, 0)) == {a.Apply(law) for law in pair.split()}


def test_R29_a_card_sets_off_a_Law_once_within_one_action() -> None:
    state = table(["2D", "3D"], {0: "7C 7D", 1: "9H 5C"}, takes=2)
    do(state, 0, a.Take(0), "9C")
    do(state, 0, a.ChooseSeat(0))
    news = do(state, 0, a.Discard("9C", 0))  # a club is a diamond here, and is drawn again
    assert news_kinds(news) == ["discarded", "applied", "drew"]
    assert [awaited_task(state), hand(state, 0)] == ["turn", {"2D", "9C"}]
    do(state, 0, a.Take(0), "10C")  # another action, another chain
    assert awaited_task(state) == "aim"


def test_R61_a_drawn_card_that_sets_off_a_Law_is_shown() -> None:
    state = table(["2D", "3D", "4D"], {0: "7S"}, takes=1)
    do(state, 0, a.Take(0), "9S 10C")
    known_cards = {known.seat: set(known.cards) for known in view_of(state, 1).known}
    assert known_cards == {0: {"9S"}}
    assert "9♠" in " ".join(item["text"] for item in ENGINE.news(state, 1))

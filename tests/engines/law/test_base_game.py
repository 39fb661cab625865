"""The game without any Law: turns, empty piles and hands, and automatic decisions."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest

from tabularium_engines.base import IllegalAction
from tabularium_engines.common.random_generators import FastRng
from tabularium_engines.law import ENGINE
from tabularium_engines.law import actions as a
from tabularium_engines.law.game_options import V2Options as Options
from tabularium_engines.law.laws import CARDS_IN_TABLE_ORDER
from tabularium_engines.law.rulings import RULINGS, Rulings
from tests.engines.law.tables import (
    awaited_task,
    codes,
    do,
    empty_draw_pile,
    hand,
    laws,
    legal_actions,
    news_kinds,
    table,
    view_of,
)

# -- the deal -----------------------------------------------------------------------------------


@pytest.mark.parametrize("seats", [2, 3, 4])
@pytest.mark.parametrize(("deck", "cards"), [("whole", 52), ("introductory", 36)])
def test_two_cards_each_and_one_is_turned_up(seats: int, deck: str, cards: int) -> None:
    state = ENGINE.start(Options(deck=deck), seats, FastRng(5))  # type: ignore[arg-type]
    view = view_of(state)
    assert view.hand_sizes == (2,) * seats
    assert [len(pile) for pile in view.discard_piles] == [1]
    assert view.draw_pile == cards - 2 * seats - 1
    assert [int(state.progress.takes), awaited_task(state)] == [3, "turn"]


def test_the_introductory_deck_has_the_twos_to_tens() -> None:
    state = ENGINE.start(Options(deck="introductory"), 2, FastRng(5))
    assert {code[:-1] for code in codes(state.deck)} == {str(rank) for rank in range(2, 11)}


def test_R20_the_first_player_is_random() -> None:
    starts = Counter(int(ENGINE.start(Options(), 3, FastRng(seed)).turn) for seed in range(60))
    assert set(starts) == {0, 1, 2}


def test_R63_the_columns_are_spades_clubs_diamonds_hearts() -> None:
    rows = [
        [int(card) for card in CARDS_IN_TABLE_ORDER[first : first + 4]] for first in range(0, 52, 4)
    ]
    assert all([card // 13 for card in row] == [0, 3, 2, 1] for row in rows)
    assert [row[0] % 13 for row in rows] == list(range(13))


# -- a turn -------------------------------------------------------------------------------------


def test_R4_three_cards_are_taken_one_by_one_from_any_pile() -> None:
    state = table(["2S 3S", "3D"], takes=3, discards="9C KD")
    assert set(legal_actions(state, 0)) == {a.Take(0), a.Take(1)}
    do(state, 0, a.Take(1))
    do(state, 0, a.Take(0), "10C")
    do(state, 0, a.Take(1), "JH")  # the pile has run out, so a card is laid there
    assert hand(state, 0) == {"2S", "3S", "KD", "10C", "9C"}
    assert int(state.progress.takes) == 0


def test_one_card_is_discarded_and_the_next_player_is_on_turn() -> None:
    state = table(["2S 3S", "3D"])
    assert set(legal_actions(state, 0)) == {a.Discard("2S", 1), a.Discard("3S", 1)}
    do(state, 0, a.Discard("3S", 1))
    assert [state.turn, int(state.progress.takes), state.to_act] == [1, 3, 0b10]
    assert view_of(state).discard_piles[0][-1] == "3S"


def test_R19_an_illegal_action_is_refused() -> None:
    state = table(["2S 3S", "3D"], takes=1)
    for action in (a.Discard("2S", 1), a.EndTurn(), a.Take(2), a.KindBill("2"), a.Trade()):
        with pytest.raises(IllegalAction):
            ENGINE.encode(state, 0, action)


def test_R62_a_choice_with_one_option_is_automatic() -> None:
    state = table(["7S 7H 7D 2S", "3D"])
    news = do(state, 0, a.KindBill("7"))
    assert news_kinds(news) == ["billed", "laid", "laid", "laid"]
    assert awaited_task(state) == "collect"


def test_R66_the_duties_of_a_turn_are_fixed_when_its_end_begins() -> None:
    state = table(["2S 3S 7S 7H 7D", "3D", "4D"], {1: "8C"})
    do(state, 0, a.Discard("2S", 1))
    do(state, 0, a.KindBill("7"))
    do(state, 0, a.Collect(0), "8S")  # another duty, too late for this turn
    assert set(legal_actions(state, 0)) == {a.Attend("pass_left")}


# -- Bills out of turn --------------------------------------------------------------------------


def test_R2_an_action_is_completed_before_another_player_acts() -> None:
    state = table(["2S 3S", "7S 7H 7D 9S", "8S 8H 8D"])
    assert a.KindBill("8") in legal_actions(state, 2)
    do(state, 1, a.KindBill("7"))
    assert legal_actions(state, 2) == legal_actions(state, 0) == []
    do(state, 1, a.Collect(0), "10S")
    assert a.KindBill("8") in legal_actions(state, 2)
    assert state.to_act == 0b001


def test_R2_no_action_comes_between_the_cards_of_a_Bill() -> None:
    state = table(["8S 8H 8D 8C 2D", "4D"], pile="9S", is_rest_removed=True)
    state.piles.rest, state.piles.removed = 0, state.piles.removed | state.piles.rest
    do(state, 0, a.KindBill("8"))
    assert [awaited_task(state), state.to_act] == ["lay", 0b01]
    for card in ("8S", "8H", "8D"):
        do(state, 0, a.Lay(card))
    assert awaited_task(state) == "collect"
    assert codes(state.piles.rest) == {"8S", "8H", "8D"}


# -- piles and hands that run out -----------------------------------------------------------------


def test_R10_a_player_without_cards_draws_one() -> None:
    state = table(["2S", "3D"])
    do(state, 0, a.Discard("2S", 1), "10S")
    assert hand(state, 0) == {"10S"}
    state = table(["2S 3S", "7S 7H 7D"])
    do(state, 1, a.KindBill("7"))
    do(state, 1, a.Collect(0), "10S 9C")
    assert [hand(state, 1), laws(state, 1)] == [{"9C"}, {"10S"}]


def test_R11_a_discard_pile_that_has_run_out_gets_a_card() -> None:
    state = table(["2S 3S", "3D"], takes=1, discards="9C")
    news = do(state, 0, a.Take(1), "10S")
    assert view_of(state).discard_piles == (("10S",),)
    assert news_kinds(news) == ["took", "replenished"]


def test_R12_an_empty_draw_pile_is_rebuilt_without_the_top_discards() -> None:
    state = table(["2S 3S", "3D"], takes=2, discards="9C JH KD", pile="10S")
    trash = codes(state.piles.trash)
    do(state, 0, a.Take(0), "10S")
    assert codes(state.piles.rest) == trash | {"9C", "JH"}
    assert view_of(state).discard_piles == (("KD",),)
    assert state.piles.trash == 0


def test_R12_a_card_discarded_face_up_is_known_to_be_in_the_draw_pile() -> None:
    state = table(["2S 3S", "3D"], takes=2, discards="9C JH KD", pile="10S")
    do(state, 0, a.Take(0), "10S")
    assert {"9C", "JH"} <= set(view_of(state, 1).draw_known)


def test_R13_each_player_contributes_two_cards_if_there_are_none_to_shuffle() -> None:
    state = table(["2S 3S 4S", "3D", "6D 7D 8D"], takes=2, pile="10S", is_rest_removed=True)
    do(state, 0, a.Take(0), "10S")
    assert [awaited_task(state), state.to_act] == ["contribute", 0b101]
    news = do(state, 2, a.Choose("6D"))
    assert not any("6♦" in item["text"] for item in news)
    do(state, 2, a.Choose("7D"))
    do(state, 0, a.Choose("2S"))
    do(state, 0, a.Choose("3S"), "6D")  # seat 1 has given its only card, and draws
    assert [hand(state, seat) for seat in range(3)] == [{"4S", "10S"}, {"6D"}, {"8D"}]
    assert codes(state.piles.rest) == {"2S", "3S", "3D", "7D"}
    assert [state.turn, awaited_task(state), int(state.progress.takes)] == [0, "turn", 1]


@pytest.mark.parametrize("rulings", [RULINGS[1], RULINGS[2]])
@pytest.mark.parametrize(
    ("law", "action", "task"),
    [
        ("AD", a.Trade(), "discard"),
        ("AC", a.Reveal(1), "steal"),
        ("8C", a.Attend("pass_left"), "pass"),
        ("8D", a.Attend("swap_left"), "swap"),
    ],
)
def test_R13_an_empty_pile_gets_its_cards_before_an_action_moves_any(
    law: str, action: Any, task: str, rulings: Rulings
) -> None:
    hands = ["2S 2H 2D 3S 4S", "3D 4D 6D 7D"]
    state = table(hands, {1: law}, discards="KD", pile="AS", is_rest_removed=True, rulings=rulings)
    empty_draw_pile(state)
    do(state, 0, action)
    assert awaited_task(state) == "contribute"
    for seat, cards in enumerate(hands):
        for card in cards.split()[:2]:
            do(state, seat, a.Choose(card))
    assert awaited_task(state) == task
    assert [hand(state, 0), hand(state, 1)] == [{"2D", "3S", "4S"}, {"6D", "7D"}]


def test_R13_a_player_who_has_put_cards_into_the_pile_trades_the_rest() -> None:
    state = table(["2S 2H 2D", "3D 3S"], {1: "AD"}, discards="KD", pile="AS", is_rest_removed=True)
    empty_draw_pile(state)
    do(state, 0, a.Trade())
    do(state, 0, a.Choose("2S"))
    do(state, 0, a.Choose("2H"), "3S 2S")  # the only card left is discarded; seat 1 draws, too
    assert [hand(state, 0), hand(state, 1)] == [{"3S"}, {"2S"}]


def test_R13_without_any_card_to_shuffle_effects_happen_in_part() -> None:
    hands, laws = ["2S", "3D"], {1: "7S JS"}  # so few cards end a game of version 2 (R17)
    state = table(hands, laws, takes=3, pile="9S", is_rest_removed=True, rulings=RULINGS[1])
    do(state, 0, a.Take(0), "9S 3D 2S 9S")  # four cards are due, but there are only three
    assert [hand(state, 0), hand(state, 1)] == [{"3D", "2S", "9S"}, set()]
    assert [awaited_task(state), set(legal_actions(state, 0))] == ["turn", {a.Take(1)}]

"""Turns, tablets and numbers: R1 to R7, and the printed text about them."""

from __future__ import annotations

import pytest

from tabularium_engines.base import IllegalAction
from tabularium_engines.common.random_generators import FastRng
from tabularium_engines.law_of_the_dice import ENGINE
from tabularium_engines.law_of_the_dice.actions import (
    CallCount,
    Draw,
    Enact,
    EndTurn,
    Play,
    PutNumber,
    ShiftNumber,
)
from tabularium_engines.law_of_the_dice.game_options import Options
from tests.engines.law_of_the_dice.tables import (
    do,
    hand,
    legal_actions,
    news_kinds,
    slot_law,
    slot_number,
    table,
    top_discard,
    view_of,
)


@pytest.mark.parametrize("seats", range(2, 7))
def test_R1_two_to_six_play_with_three_slots_and_five_cards(seats: int) -> None:
    view = view_of(ENGINE.start(Options(), seats, FastRng(seats)))
    sizes = sorted(view.hand_sizes)
    assert sizes == [5] * (seats - 1) + [6]  # the first player has drawn already
    assert all(len(tablet) == 3 for tablet in view.laws)
    assert view.draw_pile == 52 - 5 * seats - 1
    assert ENGINE.about.seats == (2, 6)


def test_R2_the_first_player_is_random() -> None:
    first = {view_of(ENGINE.start(Options(), 4, FastRng(seed))).turn for seed in range(60)}
    assert first == {0, 1, 2, 3}


def test_R3_slots_begin_empty() -> None:
    view = view_of(ENGINE.start(Options(), 6, FastRng(1)))
    assert {(slot.card, slot.number) for tablet in view.laws for slot in tablet} == {(None, None)}


def test_a_turn_is_a_draw_two_actions_and_an_optional_call() -> None:
    state = table(["7S", "8H"], actions=1)
    do(state, 0, Draw(), 0)
    assert legal_actions(state, 0) == [CallCount(), EndTurn()]
    news = do(state, 0, EndTurn(), 3)
    assert news_kinds(news) == ["turn", "drew"]
    assert len(hand(state, 1)) == 2
    do(state, 1, Draw(), 0)
    do(state, 1, Draw(), 0)
    assert legal_actions(state, 1) == [CallCount(), EndTurn()]


def test_the_first_law_of_a_slot_gets_the_20() -> None:
    state = table(["7S 8H", "2S"])
    do(state, 0, Enact("7S", 2))
    assert (slot_law(state, 0, 2), slot_number(state, 0, 2)) == ("7S", 20)
    assert hand(state, 0) == {"8H"}


def test_no_second_law_while_the_20_is_on_another_slot() -> None:
    state = table(["7S 8H", "2S"], {0: {1: ("3S", 20)}})
    with pytest.raises(IllegalAction) as caught:
        ENGINE.encode(state, 0, Enact("7S", 2))
    assert caught.value.code == "twenty-taken"
    assert str(caught.value) == "Slot 2 has no number, and your 20 is on slot 1."
    do(state, 0, Enact("7S", 1))


def test_R4_a_replaced_law_keeps_its_number_and_is_discarded() -> None:
    state = table(["7S", "2S"], {0: {3: ("KH", 6)}})
    do(state, 0, Enact("7S", 3))
    assert (slot_law(state, 0, 3), slot_number(state, 0, 3)) == ("7S", 6)
    assert top_discard(state) == "KH"


def test_dice_cards_can_be_laws_too() -> None:
    state = table(["KS", "2S"])
    do(state, 0, Enact("KS", 1))
    assert (slot_law(state, 0, 1), slot_number(state, 0, 1)) == ("KS", 20)


@pytest.mark.parametrize(
    ("card", "highest"), [("9S", 20), ("10S", 12), ("JS", 10), ("QS", 8), ("KS", 6), ("AS", 4)]
)
def test_R34_a_dice_card_puts_its_highest_number_on_a_slot_and_is_discarded(
    card: str, highest: int
) -> None:
    state = table([card, "2S"])
    news = do(state, 0, PutNumber(card, 2, highest))
    assert slot_number(state, 0, 2) == highest
    assert slot_law(state, 0, 2) is None
    assert top_discard(state) == card
    assert news_kinds(news) == ["numbered"]


def test_R5_a_taken_number_gives_way_to_the_nearest_free_one() -> None:
    state = table(["10S", "2S"], {0: {1: ("3S", 12)}})
    numbers = [
        a.number for a in legal_actions(state, 0) if isinstance(a, PutNumber) and a.slot == 2
    ]
    assert numbers == [11, 13]
    upper_taken = table(["10S", "2S"], {0: {1: ("3S", 12), 3: (None, 13)}})
    numbers = [
        a.number for a in legal_actions(upper_taken, 0) if isinstance(a, PutNumber) and a.slot == 2
    ]
    assert numbers == [11]
    both_taken = table(["10S", "2S"], {0: {1: (None, 12), 3: (None, 11)}})
    numbers = [
        a.number for a in legal_actions(both_taken, 0) if isinstance(a, PutNumber) and a.slot == 2
    ]
    assert numbers == [13]


def test_R5_the_nearest_number_is_never_above_20() -> None:
    state = table(["9S", "2S"], {0: {1: ("3S", 20), 2: (None, 19)}})
    numbers = [
        a.number for a in legal_actions(state, 0) if isinstance(a, PutNumber) and a.slot == 3
    ]
    assert numbers == [18]


def test_R5_a_slot_may_be_given_its_own_number() -> None:
    state = table(["10S QH", "2S"], {0: {1: ("3S", 12), 2: (None, 11)}})
    numbers = [
        a.number for a in legal_actions(state, 0) if isinstance(a, PutNumber) and a.card == "10S"
    ]
    assert numbers == [12, 11, 13, 13]  # slots 1, 2 (either) and 3
    do(state, 0, PutNumber("10S", 1, 12))
    assert slot_number(state, 0, 1) == 12


def test_a_number_that_is_not_the_nearest_is_refused() -> None:
    state = table(["10S 7S", "2S"], {0: {1: ("3S", 12)}})
    with pytest.raises(IllegalAction, match="The d12 puts 11 or 13 on slot 2, not 10"):
        ENGINE.encode(state, 0, PutNumber("10S", 2, 10))
    with pytest.raises(IllegalAction, match="7♠ is not a dice card"):
        ENGINE.encode(state, 0, PutNumber("7S", 2, 7))


def test_R6_two_players_may_have_the_same_number() -> None:
    state = table(["10S", "2S"], {1: {1: ("3S", 12)}})
    do(state, 0, PutNumber("10S", 1, 12))
    assert slot_number(state, 0, 1) == slot_number(state, 1, 1) == 12


def test_R7_an_empty_hand_can_only_draw() -> None:
    state = table(["", "2S"])
    assert legal_actions(state, 0) == [Draw()]


def test_R7_both_actions_must_be_taken() -> None:
    state = table(["7S", "2S"], actions=2)
    with pytest.raises(IllegalAction) as caught:
        ENGINE.encode(state, 0, EndTurn())
    assert caught.value.code == "not-now"


def test_an_action_out_of_turn_or_with_another_seats_card_is_refused() -> None:
    state = table(["7S", "2S"])
    with pytest.raises(IllegalAction, match="Seat 0 must act") as caught:
        ENGINE.encode(state, 1, Play("2S"))
    assert caught.value.code == "not-your-turn"
    with pytest.raises(IllegalAction, match="You do not hold 2♠") as caught:
        ENGINE.encode(state, 0, Play("2S"))
    assert caught.value.code == "not-in-hand"
    with pytest.raises(IllegalAction, match="waits for one of your two actions"):
        ENGINE.encode(state, 0, ShiftNumber(1, 5))

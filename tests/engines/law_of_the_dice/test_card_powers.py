"""The powers of the cards 2 to 8: R8 to R15."""

from __future__ import annotations

import pytest

from tabularium_engines.base import IllegalAction
from tabularium_engines.law_of_the_dice import ENGINE
from tabularium_engines.law_of_the_dice.actions import (
    Discard,
    Draw,
    Give,
    Play,
    ShiftNumber,
    SwapNumbers,
    Target,
)
from tests.engines.law_of_the_dice.tables import (
    do,
    draw_of_card,
    hand,
    legal_actions,
    news_kinds,
    slot_number,
    table,
    top_discard,
)


def test_two_draws_two_cards() -> None:
    state = table(["2S", "3S"], pile="4H 5H 6H")
    do(state, 0, Play("2S"), 2, 0)
    assert hand(state, 0) == {"4H", "6H"}
    assert top_discard(state) == "2S"


def test_three_raises_or_lowers_a_number() -> None:
    state = table(["3S", "2S"], {0: {1: ("7H", 12), 3: (None, 4)}})
    do(state, 0, Play("3S"))
    assert legal_actions(state, 0) == [
        *(ShiftNumber(1, 11), ShiftNumber(1, 13)),
        *(ShiftNumber(3, 3), ShiftNumber(3, 5)),
    ]
    do(state, 0, ShiftNumber(3, 5))
    assert slot_number(state, 0, 3) == 5


def test_R8_three_stays_from_1_to_20_and_free() -> None:
    state = table(["3S", "2S"], {0: {1: ("7H", 20), 2: ("8H", 19), 3: (None, 1)}})
    do(state, 0, Play("3S"))
    assert legal_actions(state, 0) == [ShiftNumber(2, 18), ShiftNumber(3, 2)]
    with pytest.raises(IllegalAction, match="Your 20 is on slot 1") as caught:
        ENGINE.encode(state, 0, ShiftNumber(2, 20))
    assert caught.value.code == "number-taken"
    with pytest.raises(IllegalAction, match="it changes by 1"):
        ENGINE.encode(state, 0, ShiftNumber(3, 3))


def test_R8_three_without_numbers_does_nothing() -> None:
    state = table(["3S 4S", "2S"])
    assert news_kinds(do(state, 0, Play("3S"))) == ["played", "fizzled"]
    assert Draw() in legal_actions(state, 0)


def test_R9_four_steals_a_random_card() -> None:
    state = table(["4S", "2S 3S", "5H 6H"])
    do(state, 0, Play("4S"))
    assert legal_actions(state, 0) == [Target(1), Target(2)]
    with pytest.raises(IllegalAction, match="Choose another player"):
        ENGINE.encode(state, 0, Target(0))
    with pytest.raises(IllegalAction, match="no seat 3"):
        ENGINE.encode(state, 0, Target(3))
    do(state, 0, Target(2), 1)
    assert (hand(state, 0), hand(state, 2)) == ({"6H"}, {"5H"})


def test_R31_five_swaps_two_own_numbers_and_leaves_the_cards() -> None:
    state = table(["5S", "2S"], {0: {1: ("7H", 12), 2: ("8H", 4)}})
    do(state, 0, Play("5S"))
    assert legal_actions(state, 0) == [SwapNumbers(1, 2), SwapNumbers(1, 3), SwapNumbers(2, 3)]
    do(state, 0, SwapNumbers(1, 2))
    assert (slot_number(state, 0, 1), slot_number(state, 0, 2)) == (4, 12)


def test_R10_five_moves_a_number_to_a_slot_without_one() -> None:
    state = table(["5S", "2S"], {0: {2: ("8H", 4)}})
    do(state, 0, Play("5S"))
    assert legal_actions(state, 0) == [SwapNumbers(1, 2), SwapNumbers(2, 3)]
    with pytest.raises(IllegalAction, match="Neither of these slots has a number"):
        ENGINE.encode(state, 0, SwapNumbers(1, 3))
    do(state, 0, SwapNumbers(2, 3))
    assert (slot_number(state, 0, 2), slot_number(state, 0, 3)) == (0, 4)


def test_R10_five_without_numbers_does_nothing() -> None:
    state = table(["5S", "2S"], {1: {1: ("7H", 12)}})
    assert news_kinds(do(state, 0, Play("5S"))) == ["played", "fizzled"]


def test_R11_six_lets_the_target_choose_the_discard() -> None:
    state = table(["6S", "2S 3S", "5H"])
    do(state, 0, Play("6S"))
    do(state, 0, Target(1))
    assert legal_actions(state, 0) == []
    assert legal_actions(state, 1) == [Discard("2S"), Discard("3S")]
    do(state, 1, Discard("3S"))
    assert hand(state, 1) == {"2S"}
    assert top_discard(state) == "3S"
    assert Draw() in legal_actions(state, 0)


def test_R32_seven_takes_the_top_discard() -> None:
    state = table(["7S", "2S"], discards="KH QH")
    do(state, 0, Play("7S"))
    assert hand(state, 0) == {"QH"}
    assert top_discard(state) == "7S"


def test_R12_a_played_seven_never_takes_itself() -> None:
    state = table(["7S", "2S"])
    assert news_kinds(do(state, 0, Play("7S"))) == ["played", "fizzled"]
    assert hand(state, 0) == set()
    assert top_discard(state) == "7S"


def test_R12_a_triggered_seven_takes_the_top_card() -> None:
    state = table(["AS", "2S"], {1: {1: ("7H", 3)}}, discards="KH")
    do(state, 0, Play("AS"), 2)
    assert hand(state, 1) == {"2S", "AS"}
    assert top_discard(state) == "KH"


def test_R13_eight_gives_a_chosen_card_for_a_random_one() -> None:
    state = table(["8S 3S 4S", "5H 6H", "2S"])
    do(state, 0, Play("8S"))
    do(state, 0, Target(1))
    assert legal_actions(state, 0) == [Give("3S"), Give("4S")]
    news = do(state, 0, Give("4S"), draw_of_card(state.deck.hands[1], "6H"))
    assert (hand(state, 0), hand(state, 1)) == ({"3S", "6H"}, {"4S", "5H"})
    assert news_kinds(news) == ["swapped"]


def test_R13_the_random_card_is_never_the_gift() -> None:
    state = table(["8S 3S", "5H", "2S"])
    do(state, 0, Play("8S"))
    do(state, 0, Target(1), 0)
    assert (hand(state, 0), hand(state, 1)) == ({"5H"}, {"3S"})


def test_R13_eight_needs_a_card_in_both_hands() -> None:
    without_gift = table(["8S", "5H", "2S"])
    assert news_kinds(do(without_gift, 0, Play("8S"))) == ["played", "fizzled"]
    without_target = table(["8S 3S", "", ""])
    assert news_kinds(do(without_target, 0, Play("8S"))) == ["played", "fizzled"]


@pytest.mark.parametrize("card", ["3S", "4S", "5S", "6S", "7S", "8S"])
def test_R14_a_card_may_be_played_without_effect(card: str) -> None:
    state = table([card, ""])
    assert news_kinds(do(state, 0, Play(card))) == ["played", "fizzled"]
    assert top_discard(state) == card


def test_R14_a_law_without_effect_is_triggered() -> None:
    state = table(["AS", ""], {1: {2: ("4H", 1)}})
    news = do(state, 0, Play("AS"), 0)
    assert news_kinds(news) == ["played", "rolled", "triggered", "fizzled"]


def test_R15_only_players_with_cards_can_be_targets() -> None:
    state = table(["4S", "", "5H", "6H"])
    do(state, 0, Play("4S"))
    assert legal_actions(state, 0) == [Target(2), Target(3)]
    with pytest.raises(IllegalAction, match="Seat 1 has no cards"):
        ENGINE.encode(state, 0, Target(1))


def test_R15_a_choice_with_one_answer_is_not_asked() -> None:
    state = table(["4S", "5H 6H"])
    do(state, 0, Play("4S"), 0)
    assert hand(state, 0) == {"5H"}
    state = table(["6S", "5H"])
    do(state, 0, Play("6S"))
    assert top_discard(state) == "5H"
    state = table(["3S", "5H"], {0: {1: (None, 20), 2: (None, 1), 3: (None, 2)}})
    do(state, 0, Play("3S"))
    assert legal_actions(state, 0) == [ShiftNumber(1, 19), ShiftNumber(3, 3)]
    state = table(["3S", "5H"], {0: {1: (None, 20)}})
    do(state, 0, Play("3S"))
    assert slot_number(state, 0, 1) == 19

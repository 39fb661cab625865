"""The twos to the fives and the wild fives: the Bills that each of these Laws allows."""

from __future__ import annotations

import pytest

from tabularium_engines.law import ENGINE
from tabularium_engines.law import actions as a
from tabularium_engines.law.action_numbers import TASK_DISCARD
from tests.engines.law.tables import (
    awaited_task,
    do,
    laws,
    legal_actions,
    legal_bills,
    table,
    view_of,
)

KINDS = "7S 7H 7D 7C"
LADDER = "8S 9H 10D JC QS KH AD"  # a straight that grows; two hearts
CLUBS = "5C 7C 8C 10C QC KC AC"
Sizes = tuple[int | None, int | None, int | None]


def smallest_bill_size(cards: str, shape: type, laws_in_force: str) -> int | None:
    """The number of cards of a row that make a Bill of this shape; None if even all of them do
    not."""
    codes = cards.split()
    for count in range(1, len(codes) + 1):
        state = table([" ".join(codes[:count]), "6S 6D"], {1: laws_in_force})
        if any(isinstance(bill, shape) for bill in legal_bills(state, 0)):
            return count
    return None


def bill_sizes(laws_in_force: str) -> Sizes:
    """The sizes that three of a kind, a straight and a flush need."""
    return (
        smallest_bill_size(KINDS, a.KindBill, laws_in_force),
        smallest_bill_size(LADDER, a.StraightBill, laws_in_force),
        smallest_bill_size(CLUBS, a.FlushBill, laws_in_force),
    )


SIZES: dict[str, tuple[Sizes, Sizes]] = {  # under the Law alone, and with its numbers doubled
    "2S": ((2, 4, 5), (1, 4, 5)),
    "2C": ((3, 3, 5), (3, 2, 5)),
    "2D": ((3, 4, 4), (3, 4, 3)),
    "2H": ((2, 3, 4), (1, 2, 3)),
    "3S": ((4, 4, 5), (None, 4, 5)),
    "3C": ((3, 5, 5), (3, 6, 5)),
    "3D": ((3, 4, 6), (3, 4, 7)),
    "4S": ((None, 4, 5), (None, 4, 5)),
    "4C": ((3, None, 5), (3, None, 5)),
    "4D": ((3, 4, None), (3, 4, None)),
}


@pytest.mark.parametrize("law", SIZES)
def test_the_size_of_Bills_under(law: str) -> None:
    plain_sizes, doubled_sizes = SIZES[law]
    assert bill_sizes(law) == plain_sizes
    assert bill_sizes(f"{law} JS") == doubled_sizes


def test_R6_Bills_without_Laws_have_3_4_and_5_cards() -> None:
    assert bill_sizes("") == (3, 4, 5)


@pytest.mark.parametrize(
    ("laws_in_force", "expected"),
    [
        ("2S 2H", (1, 3, 4)),
        ("2C 3C", (3, 4, 5)),
        ("2S 3S 4S", (None, 4, 5)),
        ("2D 2H 3D", (2, 3, 4)),
        ("2C 2H JS", (1, 1, 3)),
        ("2S 3S JS", (3, 4, 5)),
    ],
)
def test_R48_Laws_with_the_same_effect_add_up(laws_in_force: str, expected: Sizes) -> None:
    assert bill_sizes(laws_in_force) == expected


def test_R6_no_Bill_is_smaller_than_one_card() -> None:
    assert bill_sizes("2S 2H JS") == (1, 2, 3)
    state = table(["9H 2C", "KS"], {1: "2S 2H JS"})
    do(state, 0, a.KindBill("9"))
    assert awaited_task(state) == "collect"


# -- hearts and straight flushes ----------------------------------------------------------------


def test_3H_requires_a_heart_in_a_straight() -> None:
    hand_without_heart, hand_with_heart = "8S 9S 10D JC", "8S 9H 10D JC"
    assert legal_bills(table([hand_without_heart, "2S"], {1: "3H"}), 0) == set()
    assert legal_bills(table([hand_with_heart, "2S"], {1: "3H"}), 0) == {a.StraightBill("8")}
    assert legal_bills(table([hand_with_heart, "2S"], {1: "3H JS"}), 0) == set()
    assert legal_bills(table(["8S 9H 10H JC", "2S"], {1: "3H JS"}), 0) == {a.StraightBill("8")}


def test_3H_counts_a_suit_that_is_hearts_as_a_heart() -> None:
    assert legal_bills(table(["8S 9S 10D JC", "2S"], {1: "3H 5D"}), 0) == {a.StraightBill("8")}


def test_R8_3H_counts_a_wild_five_as_a_heart() -> None:
    assert legal_bills(table(["5S 6S 7D 8C", "2S"], {1: "3H"}), 0) == set()
    assert legal_bills(table(["5S 6S 7D 8C", "2S"], {1: "3H 6C"}), 0) == {a.StraightBill("5")}


def test_R9_4H_a_straight_flush_wins_at_once() -> None:
    state = table(["8S 9S 10S JS", "2S"], {1: "4H"})
    assert a.StraightFlush("8", "spades") in legal_bills(state, 0)
    do(state, 0, a.StraightFlush("8", "spades"))
    assert state.to_act == 0
    assert view_of(state).winners == (0,)
    assert view_of(state).ending == "straight_flush"


def test_R9_4H_is_as_long_as_a_straight_and_not_banned_with_it() -> None:
    assert legal_bills(table(["8S 9S 10S", "2S"], {0: "4D 3D", 1: "4H 2C 4C"}), 0) == {
        a.StraightFlush("8", "spades"),
    }
    assert a.StraightFlush("8", "spades") not in legal_bills(table(["8S 9S 10S JS", "2S"]), 0)


def test_R9_4H_wins_out_of_turn_with_joined_suits() -> None:
    state = table(["2S", "8S 9C 10S JC"], {0: "4H 5S"})
    do(state, 1, a.StraightFlush("8", "spades"))
    assert view_of(state).winners == (1,)


def test_R9_3H_binds_a_straight_flush_too() -> None:
    spades = table(["8S 9S 10S JS", "2S"], {1: "4H 3H"})
    hearts = table(["8H 9H 10H JH", "2S"], {1: "4H 3H"})
    assert a.StraightFlush("8", "hearts") in legal_bills(hearts, 0)
    assert a.StraightFlush("8", "spades") not in legal_bills(spades, 0)


# -- one suit -----------------------------------------------------------------------------------

JOINED: dict[str, tuple[str, str, a.Suit]] = {  # two suits, and the one that names the flush
    "5S": ("S", "C", "spades"),
    "5C": ("C", "D", "diamonds"),
    "5D": ("D", "H", "hearts"),
    "5H": ("H", "S", "spades"),
}


@pytest.mark.parametrize("law", JOINED)
def test_joined_suits_under(law: str) -> None:
    one, other, name = JOINED[law]
    mixed_hand = f"9{one} J{one} A{one} 2{other} 4{other}"
    other_card = "QS" if "S" not in (one, other) else "QD"
    assert legal_bills(table([mixed_hand, other_card]), 0) == set()
    assert legal_bills(table([mixed_hand, other_card], {1: law}), 0) == {a.FlushBill(name)}


def test_R23_joined_suits_are_transitive() -> None:
    mixed_hand = "9S JS 2C 4C AD"
    assert legal_bills(table([mixed_hand, "QH"], {1: "5S"}), 0) == set()
    assert legal_bills(table([mixed_hand, "QH"], {1: "5S 5C"}), 0) == {a.FlushBill("spades")}
    state = table(["9S JS 2C 4D AH", "QH"], {1: "5S 5C 5D"})
    assert legal_bills(state, 0) == {a.FlushBill("spades")}


@pytest.mark.parametrize(
    ("pair", "cards"),
    [
        ("5S 5C", "9S JS 2C 4C AD"),
        ("5S 5D", "9D JD 2H 4H AD"),
        ("5S 5H", "9C JC 2S 4S AH"),
        ("5C 5D", "9C JC 2D 4D AH"),
        ("5C 5H", "9S JS 2H 4H AS"),
        ("5D 5H", "9D JD 2H 4H AS"),
    ],
)
def test_R23_two_Laws_of_one_suit_each(pair: str, cards: str) -> None:
    state = table([cards, "QC"], {1: pair})
    assert len(legal_bills(state, 0)) == 1
    assert legal_bills(table([cards, "QC"]), 0) == set()


@pytest.mark.parametrize(
    ("pair", "cards"), [("5S 5D", "9S JS 2C 4C AD"), ("5C 5H", "9S JS 2H 4C AD")]
)
def test_R23_two_pairs_of_suits_are_not_joined(pair: str, cards: str) -> None:
    assert legal_bills(table([cards, "QC"], {1: pair}), 0) == set()


# -- wild fives ---------------------------------------------------------------------------------


def test_6S_a_five_counts_as_any_rank() -> None:
    assert a.KindBill("9") in legal_bills(table(["9S 9H 5D", "2S"], {1: "6S"}), 0)
    assert a.KindBill("9") not in legal_bills(table(["9S 9H 5D", "2S"]), 0)
    ladder = legal_bills(table(["9S 10H JD 5D", "2S"], {1: "6S"}), 0)
    assert {a.StraightBill("8"), a.StraightBill("9")} <= ladder


def test_6C_a_five_counts_as_any_suit() -> None:
    assert legal_bills(table(["9S JS 2S 4S 5D", "3S"]), 0) == set()
    assert legal_bills(table(["9S JS 2S 4S 5D", "3S"], {1: "6C"}), 0) == {a.FlushBill("spades")}


def test_R8_several_fives_are_wild() -> None:
    assert a.KindBill("9") in legal_bills(table(["9S 5H 5D", "2S"], {1: "6S"}), 0)
    assert a.FlushBill("spades") in legal_bills(table(["9S JS 2S 5H 5D", "3S"], {1: "6C"}), 0)
    assert a.StraightBill("9") in legal_bills(table(["9S QH 5H 5D", "2S"], {1: "6S"}), 0)


def test_R67_wild_fives_alone_are_fives() -> None:
    state = table(["5S 5H 5D", "2S"], {1: "6S"})
    assert legal_bills(state, 0) == {a.KindBill("5")}


def test_R8_a_straight_flush_of_wild_fives() -> None:
    laws_in_force = {1: "4H 6S 6C"}
    assert a.StraightFlush("8", "spades") in legal_bills(
        table(["8S 9S 5D JS", "2S"], laws_in_force), 0
    )
    assert a.StraightFlush("8", "spades") not in legal_bills(
        table(["8S 9S 5D JS", "2S"], {1: "4H 6S"}), 0
    )


# -- straights ----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("cards", "expected"),
    [
        ("AS 2H 3D 4C", {a.StraightBill("A")}),
        ("JS QH KD AC", {a.StraightBill("J")}),
        ("QS KH AD 2C", set()),
        ("KS AH 2D 3C", set()),
    ],
)
def test_R7_an_ace_is_low_or_high_but_not_both(cards: str, expected: set[object]) -> None:
    assert legal_bills(table([cards, "7S"]), 0) == expected


def test_R5_a_Bill_has_exactly_as_many_cards_as_it_needs() -> None:
    state = table(["7S 7H 7D 7C", "2S"])
    do(state, 0, a.KindBill("7"))
    assert awaited_task(state) == "lay"
    assert {action.card for action in legal_actions(state, 0)} == {"7S", "7H", "7D", "7C"}
    for card in ("7S", "7H", "7D"):
        do(state, 0, a.Lay(card))
    assert awaited_task(state) == "collect"
    assert view_of(state, 0).hand == ("7C",)


def test_R5_a_Bill_is_played_out_of_turn_and_its_Law_is_collected() -> None:
    state = table(["2S 3S", "7S 7H 7D 9C"], discards="KD JD")
    do(state, 1, a.KindBill("7"))
    assert set(view_of(state).trash) >= {"7S", "7H", "7D"}
    assert [state.to_act, awaited_task(state)] == [0b10, "collect"]
    do(state, 1, a.Collect(1))
    assert laws(state, 1) == {"JD"}
    assert [state.to_act, awaited_task(state)] == [0b01, "turn"]


@pytest.mark.parametrize(
    ("laws", "seats"),
    [
        ("", [2]),  # three of a kind needs three cards
        ("2S", [1, 2]),
        ("4S", []),
        ("4S AD", [1, 2]),
        ("4S AS", [1, 2, 3]),
        ("4S 4C 4D 4H 2C", [2]),
    ],
)
def test_R5_seats_with_enough_cards_may_react(laws: str, seats: list[int]) -> None:
    hands = ["9D 9H 6D 8D", "3C 10H", "7S 8H KC", "QC"]
    codes = laws.split()
    collections = {0: " ".join(codes[:2]), 1: " ".join(codes[2:])}
    state = table(hands, collections, takes=1)
    assert ENGINE.reacting_seats(state) == seats
    state.turn = 0
    state.agenda.push(TASK_DISCARD, 0, 1)
    assert ENGINE.reacting_seats(state) == []

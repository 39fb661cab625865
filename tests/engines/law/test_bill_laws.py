"""The twos to the fives and the wild fives: the Bills that each of these Laws allows."""

from __future__ import annotations

import pytest

from games.engines.law import actions as a
from tests.engines.law.tables import bills, do, laws, legal, seen, table, waits

KINDS = "7S 7H 7D 7C"
LADDER = "8S 9H 10D JC QS KH AD"  # a straight that grows; two hearts
CLUBS = "5C 7C 8C 10C QC KC AC"
Sizes = tuple[int | None, int | None, int | None]


def smallest(row: str, shape: type, in_force: str) -> int | None:
    """The number of cards of a row that make a Bill of this shape; None if even all of them do
    not."""
    codes = row.split()
    for count in range(1, len(codes) + 1):
        state = table([" ".join(codes[:count]), "6S 6D"], {1: in_force})
        if any(isinstance(bill, shape) for bill in bills(state, 0)):
            return count
    return None


def sizes(in_force: str) -> Sizes:
    """The sizes that three of a kind, a straight and a flush need."""
    return (
        smallest(KINDS, a.KindBill, in_force),
        smallest(LADDER, a.StraightBill, in_force),
        smallest(CLUBS, a.FlushBill, in_force),
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
    plain, doubled = SIZES[law]
    assert sizes(law) == plain
    assert sizes(f"{law} JS") == doubled


def test_R6_Bills_without_Laws_have_3_4_and_5_cards() -> None:
    assert sizes("") == (3, 4, 5)


@pytest.mark.parametrize(
    ("in_force", "expected"),
    [
        ("2S 2H", (1, 3, 4)),
        ("2C 3C", (3, 4, 5)),
        ("2S 3S 4S", (None, 4, 5)),
        ("2D 2H 3D", (2, 3, 4)),
        ("2C 2H JS", (1, 1, 3)),
        ("2S 3S JS", (3, 4, 5)),
    ],
)
def test_R48_Laws_that_say_the_same_add_up(in_force: str, expected: Sizes) -> None:
    assert sizes(in_force) == expected


def test_R6_no_Bill_is_smaller_than_one_card() -> None:
    assert sizes("2S 2H JS") == (1, 2, 3)
    state = table(["9H 2C", "KS"], {1: "2S 2H JS"})
    do(state, 0, a.KindBill("9"))
    assert waits(state) == "collect"


# -- hearts and straight flushes ----------------------------------------------------------------


def test_3H_wants_a_heart_in_a_straight() -> None:
    without, heart = "8S 9S 10D JC", "8S 9H 10D JC"
    assert bills(table([without, "2S"], {1: "3H"}), 0) == set()
    assert bills(table([heart, "2S"], {1: "3H"}), 0) == {a.StraightBill("8")}
    assert bills(table([heart, "2S"], {1: "3H JS"}), 0) == set()
    assert bills(table(["8S 9H 10H JC", "2S"], {1: "3H JS"}), 0) == {a.StraightBill("8")}


def test_3H_counts_a_suit_that_is_hearts_as_a_heart() -> None:
    assert bills(table(["8S 9S 10D JC", "2S"], {1: "3H 5D"}), 0) == {a.StraightBill("8")}


def test_R8_3H_counts_a_wild_five_as_a_heart() -> None:
    assert bills(table(["5S 6S 7D 8C", "2S"], {1: "3H"}), 0) == set()
    assert bills(table(["5S 6S 7D 8C", "2S"], {1: "3H 6C"}), 0) == {a.StraightBill("5")}


def test_R9_4H_a_straight_flush_wins_at_once() -> None:
    state = table(["8S 9S 10S JS", "2S"], {1: "4H"})
    assert a.StraightFlush("8", "spades") in bills(state, 0)
    do(state, 0, a.StraightFlush("8", "spades"))
    assert state.to_act == 0
    assert seen(state).winners == (0,)
    assert seen(state).ending == "straight_flush"


def test_R9_4H_is_as_long_as_a_straight_and_not_banned_with_it() -> None:
    assert bills(table(["8S 9S 10S", "2S"], {0: "4D 3D", 1: "4H 2C 4C"}), 0) == {
        a.StraightFlush("8", "spades"),
    }
    assert a.StraightFlush("8", "spades") not in bills(table(["8S 9S 10S JS", "2S"]), 0)


def test_R9_4H_wins_out_of_turn_with_suits_that_are_one() -> None:
    state = table(["2S", "8S 9C 10S JC"], {0: "4H 5S"})
    do(state, 1, a.StraightFlush("8", "spades"))
    assert seen(state).winners == (1,)


def test_R9_3H_binds_a_straight_flush_too() -> None:
    spades = table(["8S 9S 10S JS", "2S"], {1: "4H 3H"})
    hearts = table(["8H 9H 10H JH", "2S"], {1: "4H 3H"})
    assert a.StraightFlush("8", "hearts") in bills(hearts, 0)
    assert a.StraightFlush("8", "spades") not in bills(spades, 0)


# -- one suit -----------------------------------------------------------------------------------

JOINED: dict[str, tuple[str, str, a.Suit]] = {  # two suits, and the one that names the flush
    "5S": ("S", "C", "spades"),
    "5C": ("C", "D", "diamonds"),
    "5D": ("D", "H", "hearts"),
    "5H": ("H", "S", "spades"),
}


@pytest.mark.parametrize("law", JOINED)
def test_one_suit_under(law: str) -> None:
    one, other, name = JOINED[law]
    mixed = f"9{one} J{one} A{one} 2{other} 4{other}"
    keep = "QS" if "S" not in (one, other) else "QD"
    assert bills(table([mixed, keep]), 0) == set()
    assert bills(table([mixed, keep], {1: law}), 0) == {a.FlushBill(name)}


def test_R23_suits_that_are_one_carry_over() -> None:
    mixed = "9S JS 2C 4C AD"
    assert bills(table([mixed, "QH"], {1: "5S"}), 0) == set()
    assert bills(table([mixed, "QH"], {1: "5S 5C"}), 0) == {a.FlushBill("spades")}
    every = table(["9S JS 2C 4D AH", "QH"], {1: "5S 5C 5D"})
    assert bills(every, 0) == {a.FlushBill("spades")}


@pytest.mark.parametrize(
    ("pair", "row"),
    [
        ("5S 5C", "9S JS 2C 4C AD"),
        ("5S 5D", "9D JD 2H 4H AD"),
        ("5S 5H", "9C JC 2S 4S AH"),
        ("5C 5D", "9C JC 2D 4D AH"),
        ("5C 5H", "9S JS 2H 4H AS"),
        ("5D 5H", "9D JD 2H 4H AS"),
    ],
)
def test_R23_two_Laws_of_one_suit_each(pair: str, row: str) -> None:
    state = table([row, "QC"], {1: pair})
    assert len(bills(state, 0)) == 1
    assert bills(table([row, "QC"]), 0) == set()


@pytest.mark.parametrize(
    ("pair", "row"), [("5S 5D", "9S JS 2C 4C AD"), ("5C 5H", "9S JS 2H 4C AD")]
)
def test_R23_two_pairs_of_suits_are_not_one(pair: str, row: str) -> None:
    assert bills(table([row, "QC"], {1: pair}), 0) == set()


# -- wild fives ---------------------------------------------------------------------------------


def test_6S_a_five_stands_for_any_rank() -> None:
    assert a.KindBill("9") in bills(table(["9S 9H 5D", "2S"], {1: "6S"}), 0)
    assert a.KindBill("9") not in bills(table(["9S 9H 5D", "2S"]), 0)
    ladder = bills(table(["9S 10H JD 5D", "2S"], {1: "6S"}), 0)
    assert {a.StraightBill("8"), a.StraightBill("9")} <= ladder


def test_6C_a_five_stands_for_any_suit() -> None:
    assert bills(table(["9S JS 2S 4S 5D", "3S"]), 0) == set()
    assert bills(table(["9S JS 2S 4S 5D", "3S"], {1: "6C"}), 0) == {a.FlushBill("spades")}


def test_R8_several_fives_are_wild() -> None:
    assert a.KindBill("9") in bills(table(["9S 5H 5D", "2S"], {1: "6S"}), 0)
    assert a.FlushBill("spades") in bills(table(["9S JS 2S 5H 5D", "3S"], {1: "6C"}), 0)
    assert a.StraightBill("9") in bills(table(["9S QH 5H 5D", "2S"], {1: "6S"}), 0)


def test_R67_wild_fives_alone_are_fives() -> None:
    state = table(["5S 5H 5D", "2S"], {1: "6S"})
    assert bills(state, 0) == {a.KindBill("5")}


def test_R8_a_straight_flush_of_wild_fives() -> None:
    in_force = {1: "4H 6S 6C"}
    assert a.StraightFlush("8", "spades") in bills(table(["8S 9S 5D JS", "2S"], in_force), 0)
    assert a.StraightFlush("8", "spades") not in bills(
        table(["8S 9S 5D JS", "2S"], {1: "4H 6S"}), 0
    )


# -- straights ----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("row", "found"),
    [
        ("AS 2H 3D 4C", {a.StraightBill("A")}),
        ("JS QH KD AC", {a.StraightBill("J")}),
        ("QS KH AD 2C", set()),
        ("KS AH 2D 3C", set()),
    ],
)
def test_R7_the_ace_is_low_or_high_but_not_both(row: str, found: set[object]) -> None:
    assert bills(table([row, "7S"]), 0) == found


def test_R5_a_Bill_has_exactly_as_many_cards_as_it_needs() -> None:
    state = table(["7S 7H 7D 7C", "2S"])
    do(state, 0, a.KindBill("7"))
    assert waits(state) == "lay"
    assert {action.card for action in legal(state, 0)} == {"7S", "7H", "7D", "7C"}
    for card in ("7S", "7H", "7D"):
        do(state, 0, a.Lay(card))
    assert waits(state) == "collect"
    assert seen(state, 0).hand == ("7C",)


def test_R5_a_Bill_is_played_out_of_turn_and_its_Law_is_collected() -> None:
    state = table(["2S 3S", "7S 7H 7D 9C"], discards="KD JD")
    do(state, 1, a.KindBill("7"))
    assert set(seen(state).trash) >= {"7S", "7H", "7D"}
    assert [state.to_act, waits(state)] == [0b10, "collect"]
    do(state, 1, a.Collect(1))
    assert laws(state, 1) == {"JD"}
    assert [state.to_act, waits(state)] == [0b01, "turn"]

"""The jacks of spades, clubs and diamonds, and the end of a game: collections and their sizes."""

from __future__ import annotations

import pytest

from tabularium_engines.law import actions as a
from tabularium_engines.law import status_text
from tests.engines.law.tables import awaited_task, do, hand, laws, table, view_of

DOUBLED = pytest.mark.parametrize(
    ("doubling_card", "count"), [("", 2), (" JS", 4)], ids=["plain", "JS"]
)

# -- jack of clubs ------------------------------------------------------------------------------


@DOUBLED
def test_JC_each_player_collects_more_and_needs_more(doubling_card: str, count: int) -> None:
    state = table(["7S 7H 7D 2S", "3D"], {1: "JC" + doubling_card})
    assert view_of(state).needed == (4 + count, 4 + count)
    do(state, 0, a.KindBill("7"))
    drawn_cards = ["8C", "10S", "9H", "10C"][:count]
    for card in drawn_cards:
        assert awaited_task(state) == "collect"
        do(state, 0, a.Collect(0), card)
    assert laws(state, 0) == set(drawn_cards)
    assert awaited_task(state) == "turn"


def test_R42_JC_the_second_Law_is_not_doubled_again() -> None:
    state = table(["7S 7H 7D 2S", "3D"], {1: "2C"}, discards="KD JC")
    do(state, 0, a.KindBill("7"))
    do(state, 0, a.Collect(1))
    assert laws(state, 0) == {"JC"}
    assert awaited_task(state) == "turn"


def test_R42_JC_an_Event_happens_before_the_second_Law() -> None:
    state = table(["7S 7H 7D 2S", "3D 4D"], {1: "JC"}, discards="JD KC")
    do(state, 0, a.KindBill("7"))
    do(state, 0, a.Collect(1))
    assert awaited_task(state) == "first"
    do(state, 0, a.ChooseSeat(0))
    assert awaited_task(state) == "collect"
    assert hand(state, 0) == {"3D", "4D"}


def test_R43_without_JC_each_player_needs_fewer() -> None:
    state = table(["7S 7H 7D 2S", "3D"], {0: "JC 2C"}, discards="KH KD")
    assert view_of(state).needed == (6, 6)
    do(state, 0, a.KindBill("7"))
    do(state, 0, a.Collect(1))
    do(state, 0, a.ChooseLaw("JC"), "8C")
    do(state, 0, a.Collect(0), "8D")
    assert laws(state, 0) == {"2C", "8C", "8D", "KD"}
    assert view_of(state).winners == (0,)
    assert view_of(state).ending == "laws"


# -- jack of diamonds ---------------------------------------------------------------------------


@pytest.mark.parametrize("doubling_card", ["", " JS"], ids=["plain", "JS"])
def test_JD_the_player_with_the_most_Laws_has_an_open_hand(doubling_card: str) -> None:
    state = table(["2S 3S", "3D 4D", "6D"], {1: "JD" + doubling_card})
    known_cards = {item.seat: set(item.cards) for item in view_of(state).known}
    assert known_cards == {1: {"3D", "4D"}}
    assert {item.seat for item in view_of(state, 0).known} == {1}


def test_R41_JD_always_applies_and_R40_to_all_tied_players() -> None:
    state = table(["7S 7H 7D 2S", "3D 4D"], {1: "JD"})
    do(state, 0, a.KindBill("7"))
    do(state, 0, a.Collect(0), "2C")
    known_cards = {item.seat: set(item.cards) for item in view_of(state).known}
    assert known_cards == {0: {"2S"}, 1: {"3D", "4D"}}


# -- jack of spades -----------------------------------------------------------------------------

PRINTED = {
    "2S": 1, "2C": 1, "2D": 1, "2H": 1, "3S": 1, "3C": 1, "3D": 1, "3H": 1,
    "6D": 1, "7S": 1, "7C": 1, "7D": 1, "7H": 1, "8S": 1, "8C": 1, "8D": 1, "8H": 1,
    "9D": 2, "10S": 1, "10C": 6, "10D": 1, "10H": 1, "JC": 2, "JH": 1,
    "QS": 1, "QC": 1, "KS": 1, "KD": 1, "KH": 1, "AS": 3, "AC": 1, "AD": 2, "AH": 1,
}  # fmt: skip


@pytest.mark.parametrize("law", PRINTED)
def test_R21_JS_doubles_the_number_of(law: str) -> None:
    count = PRINTED[law]
    texts = status_text.printed_law_text(law), status_text.printed_law_text(law, doubled=True)
    assert str(count) in texts[0] or count == 1
    assert str(2 * count) in texts[1]
    assert texts[0] != texts[1]


UNNUMBERED = (
    *("4S", "4C", "4D", "4H", "5S", "5C", "5D", "5H", "6S", "6C", "6H", "9S", "9C", "9H"),
    *("JS", "JD", "QD", "QH", "KC"),
)


@pytest.mark.parametrize("law", UNNUMBERED)
def test_R21_JS_changes_no_Law_without_a_number(law: str) -> None:
    assert status_text.printed_law_text(law) == status_text.printed_law_text(law, doubled=True)


def test_every_Law_has_a_number_or_none() -> None:
    assert len(PRINTED) + len(UNNUMBERED) == 52
    assert not set(PRINTED) & set(UNNUMBERED)


def test_R22_JS_does_not_double_itself() -> None:
    state = table(["2S 3S", "3D"], {0: "JS 10S"})
    assert status_text.is_doubled(view_of(state), 0)
    do(state, 0, a.Discard("2S", 1))
    assert int(state.progress.takes) == 5


# -- the end ------------------------------------------------------------------------------------


def test_R14_four_Laws_win() -> None:
    state = table(["7S 7H 7D 2S", "3D"], {0: "2C 2D 3C"})
    do(state, 0, a.KindBill("7"))
    do(state, 0, a.Collect(0), "10S")
    assert state.to_act == 0
    assert view_of(state).winners == (0,)


def test_R14_the_acting_player_wins_among_several() -> None:
    collections = {0: "2C 2D 3C 10C", 1: "10H JC", 2: "4D 8S 8C 8D"}
    state = table(["2S 9H", "7S 7H 7D 9S", "3D"], collections, discards="KH KD")
    do(state, 1, a.KindBill("7"))
    do(state, 1, a.Collect(1))
    do(state, 1, a.ChooseLaw("JC"), "10D")
    do(state, 1, a.Collect(0), "8H")
    assert [len(laws(state, seat)) for seat in range(3)] == [4, 4, 4]
    assert view_of(state).winners == (1,)


def test_R14_otherwise_the_first_clockwise_from_the_acting_player_wins() -> None:
    collections = {0: "2C 2D 3C 10C", 1: "JC", 2: "4D 8S 8C 8D"}
    state = table(["2S 9H", "7S 7H 7D 9S", "3D"], collections, discards="KH KD")
    do(state, 1, a.KindBill("7"))
    do(state, 1, a.Collect(1))
    do(state, 1, a.ChooseLaw("JC"), "10D")
    do(state, 1, a.Collect(0), "8H")
    assert view_of(state).winners == (2,)


def test_R15_Events_raise_the_needed_Laws_permanently() -> None:
    state = table(["7S 7H 7D 2S", "3D"], {1: "2C"}, discards="KD QS")
    do(state, 0, a.KindBill("7"))
    do(state, 0, a.Collect(1))
    do(state, 0, a.Collect(0), "10S")
    do(state, 1, a.Collect(0), "8C")
    assert view_of(state).needed == (5, 5)


def test_R16_Events_stay_and_count() -> None:
    state = table(["7S 7H 7D 2S", "3D"], {0: "KC KD QD"})
    do(state, 0, a.KindBill("7"))
    do(state, 0, a.Collect(0), "10S")
    assert view_of(state).winners == (0,)


def test_R17_when_no_player_can_collect_any_more_the_most_Laws_win() -> None:
    state = table(["2S 2H 3D 3C 3H", "3S"], {1: "4C 4D"}, discards="KD 4S")
    do(state, 0, a.KindBill("3"))
    do(state, 0, a.Collect(1))
    assert view_of(state).ending == "impossible"
    assert view_of(state).winners == (1,)


def test_R17_not_while_a_straight_flush_would_win() -> None:
    state = table(["2S 2H 3D 3C 3H", "3S"], {1: "4C 4D 4H"}, discards="KD 4S")
    do(state, 0, a.KindBill("3"))
    do(state, 0, a.Collect(1))
    assert state.to_act != 0


def test_R18_fifty_rounds_without_a_new_Law_end_the_game() -> None:
    state = table(["2S 3S", "3D 4D", "6D"], {0: "2C", 1: "2H"})
    state.end.quiet = 150
    do(state, 0, a.Discard("2S", 1))
    assert view_of(state).ending == "stalemate"
    assert view_of(state).winners == (0, 1)


def test_R64_the_decisions_of_a_game_are_limited() -> None:
    state = table(["2S 3S", "3D 4D", "6D"], {0: "2C"})
    state.end.decisions = 9_999
    do(state, 0, a.Discard("2S", 1))
    assert view_of(state).ending == "too_long"
    assert view_of(state).winners == (0,)

"""The eights to the tens, and the jack of hearts: the beginning and the end of a turn."""

from __future__ import annotations

import pytest

from tabularium_engines.common.playing_cards import CARD_CODES
from tabularium_engines.law import actions as a
from tests.engines.law.tables import awaited_task, do, hand, legal_actions, table, view_of

DOUBLED = pytest.mark.parametrize(
    ("doubling_card", "count"), [("", 1), (" JS", 2)], ids=["plain", "JS"]
)

# -- eights: passing and swapping -----------------------------------------------------------------


@DOUBLED
@pytest.mark.parametrize(
    ("law", "duty", "receiver"), [("8S", "pass_right", 2), ("8C", "pass_left", 1)], ids=["8S", "8C"]
)
def test_passing(law: str, duty: a.Duty, receiver: int, doubling_card: str, count: int) -> None:
    state = table(["2S 3S 4S 6S 7S", "3D", "4D"], {0: law + doubling_card})
    assert a.Attend(duty) in legal_actions(state, 0)
    do(state, 0, a.Attend(duty))
    for card in ("2S", "3S")[:count]:
        assert awaited_task(state) == "pass"
        do(state, 0, a.Choose(card))
    hands_before = {1: {"3D"}, 2: {"4D"}}
    assert hand(state, receiver) == hands_before[receiver] | set(("2S", "3S")[:count])
    assert a.Attend(duty) not in legal_actions(state, 0)
    do(state, 0, a.Discard("7S", 1))
    assert state.turn == 1


@DOUBLED
@pytest.mark.parametrize(
    ("law", "duty", "other"), [("8D", "swap_left", 1), ("8H", "swap_right", 2)], ids=["8D", "8H"]
)
def test_swapping(law: str, duty: a.Duty, other: int, doubling_card: str, count: int) -> None:
    hands = ["2S 3S 4S 6S 7S", "2D 3D 4D", "2C 3C 4C"]
    state = table(hands, {0: law + doubling_card})
    do(state, 0, a.Attend(duty))
    assert [awaited_task(state), state.to_act] == ["swap", 1 | 1 << other]
    other_cards = hands[other].split()[:count]
    for card in other_cards:
        do(state, other, a.Choose(card))
    for card in ("2S", "3S")[:count]:
        do(state, 0, a.Choose(card))
    assert hand(state, other) == set(hands[other].split()) - set(other_cards) | set(
        ("2S", "3S")[:count]
    )
    assert set(other_cards) <= hand(state, 0)


@pytest.mark.parametrize(("law", "duty"), [("8S", "pass_right"), ("8C", "pass_left")])
def test_R33_with_two_players_left_and_right_are_the_same(law: str, duty: a.Duty) -> None:
    state = table(["2S 3S", "3D"], {0: law})
    do(state, 0, a.Attend(duty))
    do(state, 0, a.Choose("2S"))
    assert hand(state, 1) == {"3D", "2S"}


def test_R32_a_swap_is_as_large_as_both_hands_allow() -> None:
    state = table(["2S 3S 4S", "2D"], {0: "8D JS"})
    do(state, 0, a.Attend("swap_left"))
    assert state.to_act == 0b01  # a seat without a choice is not asked
    do(state, 0, a.Choose("2S"))
    assert hand(state, 1) == {"2S"}
    assert hand(state, 0) == {"2D", "3S", "4S"}


def test_R32_a_swap_is_sealed_until_both_have_chosen() -> None:
    state = table(["2S 3S 4S", "2D 3D"], {0: "8D"})
    do(state, 0, a.Attend("swap_left"))
    news = do(state, 0, a.Choose("2S"))
    assert "2♠" not in " ".join(item["text"] for item in news)
    assert view_of(state, 1).chosen_sizes == (1, 0)
    assert view_of(state, 1).chosen == ()
    assert view_of(state, 0).chosen == ("2S",)
    assert hand(state, 0) == {"2S", "3S", "4S"}


@pytest.mark.parametrize(
    ("law", "duty"),
    [("8S", "pass_right"), ("8C", "pass_left"), ("8D", "swap_left"), ("8H", "swap_right")],
)
def test_R3_the_duties_of_a_turn_may_be_done_in_any_order(law: str, duty: a.Duty) -> None:
    state = table(["2S 3S 4S", "2D 3D", "6D 7D"], {0: law})
    assert {a.Attend(duty), a.Discard("2S", 1)} <= set(legal_actions(state, 0))
    do(state, 0, a.Discard("2S", 1))
    assert state.turn == 0
    assert a.Discard("3S", 1) not in legal_actions(state, 0)


@pytest.mark.parametrize("pair", ["8S 8C", "8S 8D", "8S 8H", "8C 8D", "8C 8H", "8D 8H"])
def test_two_eights_are_two_duties(pair: str) -> None:
    state = table(["2S 3S 4S 9S", "2D 3D", "6D 7D"], {0: pair})
    duties = [action for action in legal_actions(state, 0) if isinstance(action, a.Attend)]
    assert len(duties) == 2


# -- nines: the piles ---------------------------------------------------------------------------


def test_R34_9S_every_viewer_sees_the_top_of_the_draw_pile() -> None:
    state = table(["2S 3S", "3D"], {0: "9S"}, stack="KH")
    for viewer in (0, 1, None):
        assert view_of(state, viewer).draw_top[-1:] == ("KH",)
        assert view_of(state, viewer).face_up


def test_9S_a_new_top_is_turned_up_when_one_is_drawn() -> None:
    state = table(["2S 3S", "3D"], {0: "9S"}, stack="KH", takes=2)
    do(state, 0, a.Take(0), "9D")
    assert hand(state, 0) == {"2S", "3S", "KH"}
    assert view_of(state, 1).draw_top[-1:] == ("9D",)


def test_R35_9C_discards_are_shown_and_then_lie_face_down() -> None:
    state = table(["2S 3S", "3D"], {0: "9C"}, discards="KD QD")
    assert view_of(state, 1).face_down
    news = do(state, 0, a.Discard("2S", 1))
    assert "2♠" in " ".join(item["text"] for item in news)
    assert view_of(state, 1).discard_piles[0][-1] == "2S"  # it was seen when it was discarded


def test_R35_9C_hides_cards_never_seen() -> None:
    state = table(["2S 3S", "3D"], {0: "9C"}, discards="KD QD")
    for viewer in range(3):
        state.known_cards[viewer] = 0
    assert view_of(state, 1).discard_piles == ((None, None),)


@DOUBLED
def test_R36_9D_makes_new_piles_with_a_card_each(doubling_card: str, count: int) -> None:
    state = table(["2S 2H 2D 9H", "3D"], {1: doubling_card.strip()}, discards="KD 9D")
    do(state, 0, a.KindBill("2"))
    do(state, 0, a.Collect(1), " ".join(["9S", "10S", "JD"][: 2 * count - 1]))
    assert [len(pile) for pile in view_of(state).discard_piles] == [1] * (2 * count)
    assert {a.Discard("9H", pile + 1) for pile in range(2 * count)} <= set(legal_actions(state, 0))


def test_9D_a_card_is_taken_from_either_pile() -> None:
    state = table(["2S 3S", "3D"], {0: "9D"}, discards="KD JH/QD 9S", takes=1)
    assert {a.Take(0), a.Take(1), a.Take(2)} == set(legal_actions(state, 0))
    do(state, 0, a.Take(2))
    assert hand(state, 0) == {"2S", "3S", "9S"}


def test_R37_9D_ends_and_its_piles_go_under_the_first() -> None:
    state = table(["2S 2H 2D 9H", "3D"], {1: "9D"}, discards="KD JH/4D QC")
    do(state, 0, a.KindBill("2"))
    do(state, 0, a.Collect(2))
    assert len(view_of(state).discard_piles) == 1
    assert view_of(state).discard_piles[0][-1] == "JH"


def test_R37_9D_ends_in_part_and_its_piles_go_under_the_second() -> None:
    piles = "KS JH/4D QC/6C 7C/9C 10C"
    state = table(["2S 2H 2D 9H", "3D"], {1: "9D JS"}, discards=piles)
    do(state, 0, a.KindBill("2"))
    do(state, 0, a.Collect(0), "KD")
    do(state, 0, a.ChooseLaw("JS"), "3C")
    united = ("9C", "10C", "6C", "7C", "4D", "QC")
    assert view_of(state).discard_piles == (("KS", "JH"), united)


def test_R38_9H_a_discard_may_go_onto_the_draw_pile() -> None:
    state = table(["2S 3S", "3D"], {0: "9H"})
    assert {a.Discard("2S", 0), a.Discard("2S", 1)} <= set(legal_actions(state, 0))
    news = do(state, 0, a.Discard("2S", 0))
    assert "2♠" in " ".join(item["text"] for item in news)
    assert view_of(state, 1).draw_top[-1:] == ("2S",)
    do(state, 1, a.Take(0))
    assert "2S" in hand(state, 1)


def test_R27_9H_is_a_discard_and_sets_off_Laws() -> None:
    state = table(["2D 3S", "3D"], {0: "9H 7D"})
    do(state, 0, a.Discard("2D", 0))
    assert hand(state, 0) == {"3S", "2D"}  # drawn from the top, where it was put


@pytest.mark.parametrize("pair", ["9S 9C", "9S 9D", "9S 9H", "9C 9D", "9C 9H", "9D 9H"])
def test_two_nines_are_both_in_force(pair: str) -> None:
    discards = "KD JH/QD 9S".replace("9S", "10S") if "9D" in pair else "KD JH"
    state = table(["2S 3S", "3D"], {0: pair}, discards=discards, stack="KH" if "9S" in pair else "")
    view = view_of(state, 1)
    assert view.face_up == ("9S" in pair)
    assert view.face_down == ("9C" in pair)
    assert len(view.discard_piles) == (2 if "9D" in pair else 1)
    assert (a.Discard("2S", 0) in legal_actions(state, 0)) == ("9H" in pair)


# -- tens and the jack of hearts ------------------------------------------------------------------


def next_takes(laws: dict[int, str], seats: int = 2) -> int:
    """The number of cards that seat 1 takes when its turn begins."""
    state = table(["2S 3S", "3D 4D", "6D 7D"][:seats], laws)
    do(state, 0, a.Discard("2S", 1))
    while state.turn == 0:
        do(state, 0, legal_actions(state, 0)[0])
    return int(state.progress.takes)


@DOUBLED
def test_10S_each_player_takes_more(doubling_card: str, count: int) -> None:
    assert next_takes({0: "10S" + doubling_card}) == 3 + count


@DOUBLED
def test_10H_the_fewest_Laws_take_more(doubling_card: str, count: int) -> None:
    assert next_takes({0: "10H" + doubling_card}) == 3 + count
    assert next_takes({1: "10H" + doubling_card, 0: ""}) == 3


def test_R40_10H_all_tied_players_have_the_fewest() -> None:
    assert next_takes({0: "10H", 1: "2H"}) == 4
    assert next_takes({0: "10H", 1: "2C", 2: "2D"}, 3) == 4


def test_R40_10H_Events_count_as_Laws() -> None:
    assert next_takes({0: "10H", 1: "QS KC"}) == 3


@pytest.mark.parametrize(("doubling_card", "limit"), [("", 6), (" JS", 12)], ids=["plain", "JS"])
def test_R39_10C_discard_down(doubling_card: str, limit: int) -> None:
    row = [card for card in CARD_CODES if card not in ("5S", "JS", "3D")]
    state = table([" ".join(row[: limit + 2]), "3D"], {1: "10C" + doubling_card})
    do(state, 0, a.Attend("discard_down"))
    for card in row[:2]:
        do(state, 0, a.Discard(card, 1))
    assert len(hand(state, 0)) == limit
    do(state, 0, a.Discard(row[2], 1))
    assert [state.turn, len(hand(state, 0))] == [1, limit - 1]


def test_R39_10C_the_discard_of_the_turn_may_be_first() -> None:
    state = table(["2S 3S 4S 6S 7S 8S 9S", "3D"], {1: "10C"})
    do(state, 0, a.Discard("2S", 1))
    while state.turn == 0:
        do(state, 0, legal_actions(state, 0)[0])
    assert len(hand(state, 0)) == 6


@DOUBLED
def test_10D_the_fewest_Laws_discard_less(doubling_card: str, count: int) -> None:
    state = table(["2S 3S", "3D 4D"], {1: "10D" + doubling_card})
    assert a.EndTurn() in legal_actions(state, 0)
    assert a.Discard("2S", 1) not in legal_actions(state, 0)
    do(state, 0, a.EndTurn())
    assert state.turn == 1


def test_10D_a_player_with_more_Laws_discards_as_usual() -> None:
    state = table(["2S 3S", "3D 4D"], {0: "10D"})
    assert a.EndTurn() not in legal_actions(state, 0)


@DOUBLED
def test_JH_the_most_Laws_discard_more(doubling_card: str, count: int) -> None:
    state = table(["2S 3S 4S 6S", "3D 4D"], {0: "JH" + doubling_card})
    for card in ("2S", "3S", "4S")[: count + 1]:
        assert state.turn == 0
        do(state, 0, a.Discard(card, 1))
    assert state.turn == 1


def test_R41_10D_and_JH_cancel_out_where_all_players_are_tied() -> None:
    state = table(["2S 3S 4S 6S", "3D 4D"], {0: "JH", 1: "10D"})
    do(state, 0, a.Discard("2S", 1))
    assert state.turn == 1


def test_R41_the_number_of_discards_is_never_negative() -> None:
    state = table(["2S 3S", "3D 4D"], {1: "10D JS"})
    do(state, 0, a.EndTurn())
    assert hand(state, 0) == {"2S", "3S"}


def test_R41_10H_applies_at_the_start_of_the_turn() -> None:
    state = table(["2S 3S", "3D 3H 3C 9D"], {0: "10H", 1: ""}, discards="KD")
    do(state, 0, a.Discard("2S", 1))
    assert int(state.progress.takes) == 4
    do(state, 1, a.KindBill("3"))
    do(state, 1, a.Collect(0), "2C")
    assert int(state.progress.takes) == 4


@pytest.mark.parametrize("pair", ["10S 10H", "10D JH"])
def test_two_Laws_about_the_same_number_of_cards(pair: str) -> None:
    if pair == "10S 10H":
        assert next_takes({0: pair}) == 5
    else:
        state = table(["2S 3S 4S", "3D 4D"], {1: pair})
        assert a.EndTurn() in legal_actions(state, 0)


def test_JD_and_JH_both_bind_the_player_with_the_most_Laws() -> None:
    state = table(["2S 3S 4S 6S", "3D 4D"], {0: "JD JH", 1: "2C"})
    assert {item.seat for item in view_of(state, 1).known} == {0}
    do(state, 0, a.Discard("2S", 1))
    assert state.turn == 0
    do(state, 0, a.Discard("3S", 1))
    assert state.turn == 1

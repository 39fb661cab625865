"""Laws that bind one player only (K♥), from each family: R49."""

from __future__ import annotations

import pytest

from tabularium_engines.law import actions as a
from tests.engines.law.tables import (
    awaited_task,
    do,
    hand,
    legal_actions,
    legal_bills,
    table,
    view_of,
)


def test_R49_sizes_change_for_that_player_alone() -> None:
    state = table(["7S 7H 2D", "9S 9H 3D"], {0: "2S"}, bound={"2S": 1})
    assert legal_bills(state, 0) == set()
    assert legal_bills(state, 1) == {a.KindBill("9")}


def test_R49_bans() -> None:
    state = table(["7S 7H 7D", "9S 9H 9D"], {0: "4S"}, bound={"4S": 1})
    assert legal_bills(state, 0) == {a.KindBill("7")}
    assert legal_bills(state, 1) == set()


def test_R49_suits() -> None:
    state = table(["2S 4S 6S 8C 10C", "3S 7S 9S JC QC"], {0: "5S"}, bound={"5S": 1})
    assert legal_bills(state, 0) == set()
    assert legal_bills(state, 1) == {a.FlushBill("spades")}


@pytest.mark.parametrize(("law", "five"), [("6S", "5D"), ("6C", "5D")])
def test_R49_wild_fives(law: str, five: str) -> None:
    hands = {"6S": ("7S 7H 5D", "9S 9H 5C"), "6C": ("2S 4S 7S 8S 5D", "3H 7H 9H JH 5C")}
    state = table(list(hands[law]), {0: law}, bound={law: 0})
    assert legal_bills(state, 0)
    assert legal_bills(state, 1) == set()


def test_R49_a_straight_flush_wins_for_that_player_alone() -> None:
    hands = ["8S 9S 10S JS", "8D 9D 10D JD"]
    state = table(hands, {0: "4H"}, discards="KD", bound={"4H": 1})
    assert a.StraightFlush("8", "spades") not in legal_bills(state, 0)
    assert a.StraightFlush("8", "diamonds") in legal_bills(state, 1)


def test_R49_a_heart_is_required_of_that_player_alone() -> None:
    state = table(["8S 9D 10S JS", "8D 9S 10D JD"], {0: "3H"}, bound={"3H": 0})
    assert legal_bills(state, 0) == set()
    assert legal_bills(state, 1) == {a.StraightBill("8")}


@pytest.mark.parametrize("law", ["7S", "6D"])
def test_R49_only_that_players_draws_set_it_off(law: str) -> None:
    card = {"7S": "9S", "6D": "5H"}[law]
    state = table(["2D", "3D"], {0: law}, bound={law: 1}, takes=1)
    do(state, 0, a.Take(0), card)
    assert hand(state, 0) == {"2D", card}


def test_R49_effects_on_all_players_remain() -> None:
    state = table(["2D", "3D"], {1: "6D"}, bound={"6D": 0}, takes=1)
    do(state, 0, a.Take(0), "5H 9C 10C")
    assert hand(state, 1) == {"3D", "10C"}


@pytest.mark.parametrize("law", ["7D", "7H", "6H"])
def test_R49_only_that_players_discards_set_it_off(law: str) -> None:
    card = {"7D": "9D", "7H": "9H", "6H": "5C"}[law]
    state = table([f"{card} 2C", "3C"], {0: law}, bound={law: 1})
    do(state, 0, a.Discard(card, 1))
    assert [state.turn, hand(state, 0)] == [1, {"2C"}]


@pytest.mark.parametrize(("law", "duty"), [("8S", "pass_right"), ("8D", "swap_left")])
def test_R49_duties(law: str, duty: a.Duty) -> None:
    unbound_state = table(["2S 3S", "3D 4D"], {0: law}, bound={law: 1})
    bound_state = table(["2S 3S", "3D 4D"], {0: law}, bound={law: 0})
    assert a.Attend(duty) not in legal_actions(unbound_state, 0)
    assert a.Attend(duty) in legal_actions(bound_state, 0)


def test_R49_a_face_up_draw_pile_is_seen_by_that_player_only() -> None:
    state = table(["2S 3S", "3D 4D"], {0: "9S"}, stack="KH", bound={"9S": 1})
    assert view_of(state, 1).draw_top == ("KH",)
    assert "KH" not in view_of(state, 0).draw_top
    assert "KH" not in view_of(state).draw_top


def test_R49_a_face_down_discard_pile_is_hidden_from_that_player_only() -> None:
    state = table(["2S 3S", "3D 4D"], {0: "9C"}, discards="QD KD", bound={"9C": 1})
    assert not view_of(state, 0).face_down
    assert view_of(state, 1).face_down
    assert view_of(state, 0).discard_piles == (("QD", "KD"),)


def test_R49_only_that_player_uses_the_additional_piles() -> None:
    state = table(["2S 3S", "3D 4D"], {0: "9D"}, discards="KD/QD", bound={"9D": 1})
    assert a.Discard("2S", 2) not in legal_actions(state, 0)
    bound_state = table(["2S 3S", "3D 4D"], {0: "9D"}, discards="KD/QD", bound={"9D": 0})
    assert a.Discard("2S", 2) in legal_actions(bound_state, 0)


def test_R49_onto_the_draw_pile() -> None:
    state = table(["2S 3S", "3D 4D"], {0: "9H"}, bound={"9H": 1})
    assert a.Discard("2S", 0) not in legal_actions(state, 0)


def test_R49_takes() -> None:
    for seat, takes in ((0, 3), (1, 4)):
        state = table(["2S 3S", "3D 4D"], {0: "10S"}, bound={"10S": seat})
        do(state, 0, a.Discard("2S", 1))
        assert int(state.progress.takes) == takes


@pytest.mark.parametrize(("seat", "takes"), [(0, 3), (1, 4)])
def test_R49_most_and_fewest_only_if_that_player_is(seat: int, takes: int) -> None:
    state = table(["2S 3S", "3D 4D"], {0: "10H"}, bound={"10H": seat})
    do(state, 0, a.Discard("2S", 1))
    assert int(state.progress.takes) == takes


def test_R49_an_open_hand() -> None:
    state = table(["2S 3S", "3D 4D"], {0: "JD", 1: "2C"}, bound={"JD": 1})
    assert {item.seat for item in view_of(state).known} == {1}
    state = table(["2S 3S", "3D 4D"], {0: "JD"}, bound={"JD": 1})
    assert view_of(state).known == ()


def test_R49_doubling() -> None:
    state = table(["2S 3S", "3D 4D"], {0: "JS 10S"}, bound={"JS": 0})
    do(state, 0, a.Discard("2S", 1))
    assert int(state.progress.takes) == 4
    state = table(["2S 3S", "3D 4D"], {0: "JS 10S"}, bound={"JS": 1})
    do(state, 0, a.Discard("2S", 1))
    assert int(state.progress.takes) == 5


def test_R49_the_needed_and_the_collected_Laws() -> None:
    state = table(["7S 7H 7D 2S", "3D"], {0: "JC"}, bound={"JC": 1})
    assert view_of(state).needed == (4, 6)
    do(state, 0, a.KindBill("7"))
    do(state, 0, a.Collect(0), "8C")
    assert awaited_task(state) == "turn"


@pytest.mark.parametrize("law", ["AC", "AH"])
def test_R49_turn_aces(law: str) -> None:
    kind = {"AC": a.Reveal, "AH": a.Ask}[law]
    for seat in (0, 1):
        state = table(["2S 3S", "3D 4D"], {0: law}, bound={law: seat})
        assert any(isinstance(action, kind) for action in legal_actions(state, 0)) == (seat == 0)


@pytest.mark.parametrize("law", ["AS", "AD"])
def test_R49_aces_at_any_time(law: str) -> None:
    kind = {"AS": a.Top, "AD": a.Trade}[law]
    for seat in (0, 1):
        state = table(["2S 3S", "3D 9D"], {0: law}, discards="KD 8S", bound={law: seat})
        assert any(isinstance(action, kind) for action in legal_actions(state, 1)) == (seat == 1)


def test_R49_the_game_ends_only_if_no_player_can_collect() -> None:
    state = table(["3S 3H 3C", "3D 8D"], {1: "4C 4D"}, discards="KD 4S", bound={"4C": 0})
    do(state, 0, a.KindBill("3"))
    do(state, 0, a.Collect(1), "9S")
    assert state.to_act != 0

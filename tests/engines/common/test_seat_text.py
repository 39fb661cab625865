"""Seats on pages and in pictures."""

from __future__ import annotations

from types import SimpleNamespace

from tabularium_engines.common import seat_text


def test_a_title_names_the_viewer() -> None:
    assert seat_text.title("Law", None) == "Law as an onlooker sees it"
    assert seat_text.title("Law", 2) == "Law as seat 2 sees it"
    assert seat_text.title("Duality", 1, ("Black", "White")) == "Duality as White sees it"


def test_seats_follow_clockwise_from_the_viewer() -> None:
    assert seat_text.clockwise(3, 5) == [3, 4, 0, 1, 2]
    assert seat_text.clockwise(None, 3) == [0, 1, 2]


def test_a_seat_has_its_roles_while_the_game_is_on() -> None:
    view = SimpleNamespace(seat=1, turn=1, to_act=(1,))
    assert seat_text.roles(view, 1) == ["you", "on turn"]
    assert seat_text.roles(view, 0) == []
    view.to_act = ()
    assert seat_text.roles(view, 1) == ["you"]


def test_a_viewer_sees_the_own_hand_and_what_is_known_of_others() -> None:
    known = SimpleNamespace(seat=2, cards=("4D",))
    view = SimpleNamespace(seat=1, hand=("7S", "8S"), known=(known,))
    assert seat_text.visible_hand(view, 1) == ("7S", "8S")
    assert seat_text.visible_hand(view, 2) == ("4D",)
    assert seat_text.visible_hand(view, 0) == ()

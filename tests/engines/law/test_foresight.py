"""The certain consequences of an action of Law."""

from __future__ import annotations

import pytest

from tabularium_engines.law import ENGINE
from tabularium_engines.law import actions as a
from tests.engines.foretelling import certain, foretold, kinds
from tests.engines.law.tables import do, table

TRIPLE = "7S 7H 7D 9H"


def test_a_draw_is_foretold_but_not_the_card() -> None:
    told = certain(ENGINE, table(["2S", "3S"], takes=2), 0, a.Take(0))
    assert told.news == ({"kind": "drew", "seat": 0, "text": "Seat 0 draws a card"},)
    assert told.to_act == (0,)


def test_a_draw_that_may_set_off_a_law_ends_the_foresight() -> None:
    told = certain(ENGINE, table(["2S", "3S"], {1: "7S"}, takes=2), 0, a.Take(0))
    assert (kinds(told), told.to_act, told.score_changes) == (["drew"], None, None)


def test_the_end_of_a_turn_is_foretold() -> None:
    told = certain(ENGINE, table(["2S 4S", "3S"]), 0, a.Discard("2S", 1))
    assert (kinds(told), told.to_act) == (["turn"], (1,))


def test_a_discard_tells_the_laws_that_it_sets_off() -> None:
    told = certain(ENGINE, table(["2D 4S 5S", "3S"], {1: "7D"}), 0, a.Discard("2D", 1))
    assert kinds(told) == ["applied", "drew", "turn"]
    assert told.news[0]["law"] == "7D"


def test_a_collected_card_that_is_known_tells_what_it_brings() -> None:
    state = table([TRIPLE, "3S"], {0: "8C 10S"}, discards="JD 3D")
    do(state, 0, a.KindBill("7"))
    told = certain(ENGINE, state, 0, a.Collect(1))
    assert told.news[0]["card"] == "3D"
    assert (told.winners, told.score_changes, told.text) == (None, (1, 0), "Laws +1")
    assert foretold(ENGINE, state, 0, a.Collect(0)) is None  # it may be any event
    label = ENGINE.label(state, 0, ENGINE.encode(state, 0, a.Collect(1)))
    assert label == "Collect 3♦ from the discard pile: Laws +1"


def test_the_fourth_law_is_foretold_to_win() -> None:
    state = table([TRIPLE, "3S"], {0: "8C 10S 2C"}, discards="JD 3D")
    do(state, 0, a.KindBill("7"))
    told = certain(ENGINE, state, 0, a.Collect(1))
    assert (told.to_act, told.winners, told.text) == ((), (0,), "you win, Laws +1")


@pytest.mark.parametrize(
    ("event", "news", "is_complete"),
    [
        ("KC", ["collected", "event"], True),
        ("QS", ["collected", "event", "raised"], True),
        ("QD", ["collected", "event", "removed"], False),  # from hidden hands
        ("QH", ["collected", "event", "replaced_all"], False),
    ],
)
def test_an_event_is_foretold_as_far_as_no_card_decides_it(
    event: str, news: list[str], is_complete: bool
) -> None:
    state = table([TRIPLE, "3S 9S"], {0: "8C"}, discards=f"JD {event}")
    do(state, 0, a.KindBill("7"))
    told = certain(ENGINE, state, 0, a.Collect(1))
    assert kinds(told) == news
    assert (told.to_act is not None) == is_complete


def test_a_straight_flush_is_foretold_to_win() -> None:
    state = table(["4S 5S 6S 7S", "3S"], {1: "4H"})
    action = a.StraightFlush("4", "spades")
    assert certain(ENGINE, state, 0, action).winners == (0,)
    label = ENGINE.label(state, 0, ENGINE.encode(state, 0, action))
    assert label == "Straight flush of spades from 4: win the game"


def test_nothing_tells_whether_a_player_has_the_card_asked_for() -> None:
    for asked in ("3S", "3D"):
        state = table(["2S", "3S"], {1: "AH"})
        assert foretold(ENGINE, state, 0, a.Ask(1, asked)) is None


def test_a_sealed_choice_leaves_the_other_player_to_choose() -> None:
    state = table(["2S 4S", "3S 9S"], {1: "8D"})
    do(state, 0, a.Attend("swap_left"))
    assert certain(ENGINE, state, 0, a.Choose("2S")).to_act == (1,)
    do(state, 0, a.Choose("2S"))
    told = certain(ENGINE, state, 1, a.Choose("3S"))
    assert kinds(told)[0] == "swapped"
    assert "gave" not in told.news[0]


def test_the_only_card_of_a_hand_that_is_looked_at_is_not_foretold() -> None:
    state = table(["2S 4S", "3S"], {1: "AC"})
    told = certain(ENGINE, state, 0, a.Reveal(1))
    assert (kinds(told), told.to_act) == (["revealed"], None)
    assert "cards" not in told.news[0]

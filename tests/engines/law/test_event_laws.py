"""The queens and kings: Events that happen once, when they are collected."""

from __future__ import annotations

import pytest

from tabularium_engines.law import actions as a
from tabularium_engines.law.game_logic import LawState
from tabularium_engines.law.rulings import RULINGS, Rulings
from tests.engines.law.tables import (
    awaited_task,
    codes,
    do,
    hand,
    laws,
    legal_actions,
    news_kinds,
    table,
    view_of,
)

BILL = "7S 7H 7D"


def table_after_event(
    event: str,
    hands: list[str],
    collections: dict[int, str],
    draws: str = "",
    *,
    rulings: Rulings = RULINGS[2],
) -> LawState:
    """The table after seat 0 has played a Bill and collected an Event from the discard pile."""
    first, *others = hands
    state = table(
        [f"{BILL} {first}", *others],
        collections,
        discards=f"JD {event}",
        rulings=rulings,
    )
    do(state, 0, a.KindBill("7"))
    do(state, 0, a.Collect(1), draws)
    return state


# -- queens -------------------------------------------------------------------------------------


def test_QS_R51_each_player_collects_the_collector_first_and_needs_one_more() -> None:
    state = table_after_event("QS", ["2S", "3S", "4S"], {})
    assert [state.to_act, awaited_task(state)] == [0b001, "collect"]
    do(state, 0, a.Collect(0), "8C")
    assert state.to_act == 0b010
    do(state, 1, a.Collect(1), "9H")  # and a card is laid in its place
    assert state.to_act == 0b100
    do(state, 2, a.Collect(0), "10S")
    assert [laws(state, seat) for seat in range(3)] == [{"QS", "8C"}, {"JD"}, {"10S"}]
    assert view_of(state).needed == (5, 5, 5)
    assert awaited_task(state) == "turn"


def test_QS_JS_each_player_collects_two_and_needs_two_more() -> None:
    state = table_after_event("QS", ["2S", "3S"], {1: "JS"})
    for seat, card in ((0, "8C"), (0, "10S"), (1, "9H"), (1, "10C")):
        do(state, seat, a.Collect(0), card)
    assert view_of(state).needed == (6, 6)
    assert laws(state, 1) == {"JS", "9H", "10C"}


def test_QS_JC_each_player_collects_twice_as_many() -> None:
    state = table_after_event("QS", ["2S", "3S"], {1: "JC"})
    do(state, 0, a.Collect(0), "8C")
    do(state, 0, a.Collect(0), "10S")
    assert state.to_act == 0b10


def test_QC_R52_each_player_gives_back_a_Law_sealed() -> None:
    state = table_after_event("QC", ["2S", "3S", "4S"], {0: "8C", 1: "2C 2D", 2: ""})
    assert [awaited_task(state), state.to_act] == ["return", 0b011]
    assert set(legal_actions(state, 0)) == {a.ChooseLaw("QC"), a.ChooseLaw("8C")}
    news = do(state, 1, a.ChooseLaw("2C"))
    assert not any("2♣" in item["text"] for item in news)
    assert laws(state, 1) == {"2C", "2D"}
    do(state, 0, a.ChooseLaw("QC"))
    assert [laws(state, seat) for seat in range(3)] == [{"8C"}, {"2D"}, set()]
    assert {"QC", "2C"} <= codes(state.piles.rest)


def test_QC_JS_each_player_gives_back_two() -> None:
    state = table_after_event("QC", ["2S", "3S"], {0: "8C 10S", 1: "2C JS 2D"})
    do(state, 0, a.ChooseLaw("QC"))
    do(state, 0, a.ChooseLaw("8C"))
    do(state, 1, a.ChooseLaw("2C"))
    do(state, 1, a.ChooseLaw("JS"))
    assert [laws(state, seat) for seat in range(2)] == [{"10S"}, {"2D"}]


def test_QD_R53_threes_and_fours_leave_the_game() -> None:
    state = table_after_event("QD", ["2S 3H", "4S 9H", "3D"], {0: "3C", 1: "4C 10S"}, draws="KH")
    assert len(codes(state.piles.removed)) == 8
    assert [hand(state, seat) for seat in range(3)] == [{"2S"}, {"9H"}, {"KH"}]
    assert [laws(state, seat) for seat in range(2)] == [{"QD"}, {"10S"}]
    assert not codes(state.piles.rest) & codes(state.piles.removed)


def test_QD_the_Laws_removed_are_no_longer_in_force() -> None:
    state = table_after_event("QD", ["8S 9H 10D JC", "4S 9S"], {1: "4C"})
    assert a.StraightBill("8") in legal_actions(state, 0)


def test_QH_R54_all_Laws_are_replaced() -> None:
    state = table_after_event("QH", ["2S", "3S"], {0: "8H", 1: "2C"}, draws="10S 8S 8C")
    assert [laws(state, seat) for seat in range(2)] == [{"10S", "8S"}, {"8C"}]
    assert {"QH", "8H", "2C"} <= codes(state.piles.trash)


def test_QH_new_Events_happen_with_their_owner_as_collector() -> None:
    state = table_after_event("QH", ["2S", "3S 4S", "6S"], {1: "2C"}, draws="10S KC")
    assert [awaited_task(state), state.to_act] == ["first", 0b010]


def test_R54_an_Event_happens_before_the_next_Law_is_laid_out() -> None:
    state = table_after_event("QH", ["2S 9H", "3S 4S"], {0: "8H"}, draws="KC")
    assert [awaited_task(state), laws(state, 0)] == ["first", {"KC"}]
    do(state, 0, a.ChooseSeat(0), "10S")
    assert laws(state, 0) == {"KC", "10S"}


# -- kings --------------------------------------------------------------------------------------


def test_KS_R55_a_card_from_the_hand_becomes_the_Law() -> None:
    state = table_after_event("KS", ["2S 9H", "3S"], {})
    assert set(legal_actions(state, 0)) == {a.Choose("2S"), a.Choose("9H")}
    do(state, 0, a.Choose("9H"))
    assert laws(state, 0) == {"9H"}
    assert hand(state, 0) == {"2S"}
    assert "KS" in codes(state.piles.rest)


def test_KS_an_Event_from_the_hand_happens() -> None:
    state = table_after_event("KS", ["2S KC", "3S"], {})
    do(state, 0, a.Choose("KC"))
    assert awaited_task(state) == "first"
    assert laws(state, 0) == {"KC"}


def test_R55_KS_has_no_part_in_an_Event_from_the_hand() -> None:
    state = table_after_event("KS", ["2S QH", "3S"], {})
    do(state, 0, a.Choose("QH"), "10S")
    assert laws(state, 0) == {"10S"}
    assert {"KS"} <= codes(state.piles.rest)


def test_KS_is_not_doubled_by_JC() -> None:
    state = table_after_event("KS", ["2S 9H", "3S"], {1: "JC"})
    do(state, 0, a.Choose("9H"))
    assert laws(state, 0) == {"9H"}
    assert awaited_task(state) == "collect"  # the second of the two that the Bill is worth


def test_KS_JS_two_cards_from_the_hand() -> None:
    state = table_after_event("KS", ["2S 9H 10H", "3S"], {1: "JS"})
    do(state, 0, a.Choose("9H"))
    do(state, 0, a.Choose("10H"))
    assert laws(state, 0) == {"9H", "10H"}


def test_KS_stays_if_the_hand_is_empty() -> None:
    state = table(["7S 7H 7D", "3S"], {}, discards="JD KS")
    do(state, 0, a.KindBill("7"))
    do(state, 0, a.Collect(1), "9S")
    assert laws(state, 0) == {"KS"}
    assert hand(state, 0) == {"9S"}


def test_KC_R56_two_players_swap_hands() -> None:
    state = table_after_event("KC", ["2S 9H", "3S", "4S 6S 8S"], {})
    do(state, 0, a.ChooseSeat(1))
    assert set(legal_actions(state, 0)) == {a.ChooseSeat(0), a.ChooseSeat(2)}
    do(state, 0, a.ChooseSeat(2))
    assert [hand(state, seat) for seat in range(3)] == [{"2S", "9H"}, {"4S", "6S", "8S"}, {"3S"}]


def test_KC_the_collector_may_be_one_of_the_two() -> None:
    state = table_after_event("KC", ["2S 9H", "3S", "4S"], {})
    do(state, 0, a.ChooseSeat(0))
    do(state, 0, a.ChooseSeat(1))
    assert hand(state, 0) == {"3S"}


def test_KD_R57_a_Law_of_any_player_is_replaced() -> None:
    state = table_after_event("KD", ["2S", "3S"], {1: "2C 10S"})
    assert set(legal_actions(state, 0)) == {a.ChooseLaw(law) for law in ("KD", "2C", "10S")}
    do(state, 0, a.ChooseLaw("2C"), "9C")
    assert laws(state, 1) == {"9C", "10S"}
    assert "2C" in codes(state.piles.trash)


def test_KD_a_new_Event_happens_for_its_owner() -> None:
    state = table_after_event("KD", ["2S", "3S 4S", "6S"], {1: "2C"})
    do(state, 0, a.ChooseLaw("2C"), "KC")
    assert [awaited_task(state), state.to_act] == ["first", 0b010]


def test_KD_JS_replaces_two() -> None:
    state = table_after_event("KD", ["2S", "3S"], {1: "2C JS"})
    do(state, 0, a.ChooseLaw("2C"), "9C")
    do(state, 0, a.ChooseLaw("KD"), "10C")
    assert [laws(state, seat) for seat in range(2)] == [{"10C"}, {"9C", "JS"}]


def test_KH_R58_a_Law_binds_one_player_only() -> None:
    state = table_after_event("KH", ["2S", "3S"], {1: "10S KC"})
    assert awaited_task(state) == "bind_whom"  # the only Law in force is the one to bind
    do(state, 0, a.ChooseSeat(1))
    bound = {law.card: law.bound for own in view_of(state).laws for law in own}
    assert bound["10S"] == 1


def test_KH_R58_the_last_choice_counts() -> None:
    state = table([f"{BILL} 2S", "3S"], {1: "10S 2C"}, discards="JD KH", bound={"10S": 1})
    do(state, 0, a.KindBill("7"))
    do(state, 0, a.Collect(1))
    do(state, 0, a.ChooseLaw("10S"))
    do(state, 0, a.ChooseSeat(0))
    bound = {law.card: law.bound for own in view_of(state).laws for law in own}
    assert bound == {"KH": None, "10S": 0, "2C": None}


def test_R58_KH_JS_binds_two_Laws_to_one_player() -> None:
    state = table_after_event("KH", ["2S", "3S"], {1: "10S JS 2C"})
    do(state, 0, a.ChooseLaw("10S"))
    do(state, 0, a.ChooseSeat(1))
    assert a.ChooseLaw("10S") not in legal_actions(state, 0)  # the same Law counts once
    do(state, 0, a.ChooseLaw("2C"))
    assert awaited_task(state) == "turn"
    bound = {law.card: law.bound for own in view_of(state).laws for law in own}
    assert [bound["10S"], bound["2C"]] == [1, 1]


def test_R58_KH_JS_of_version_1_binds_each_Law_to_a_player_of_its_own() -> None:
    state = table_after_event("KH", ["2S", "3S"], {1: "10S JS 2C"}, rulings=RULINGS[1])
    do(state, 0, a.ChooseLaw("10S"))
    do(state, 0, a.ChooseSeat(0))
    assert a.ChooseLaw("10S") in legal_actions(state, 0)
    do(state, 0, a.ChooseLaw("2C"))
    do(state, 0, a.ChooseSeat(1))
    bound = {law.card: law.bound for own in view_of(state).laws for law in own}
    assert [bound["10S"], bound["2C"]] == [0, 1]


def test_R58_KH_JS_of_version_1_may_choose_the_same_Law_twice() -> None:
    state = table_after_event("KH", ["2S", "3S"], {1: "10S JS"}, rulings=RULINGS[1])
    for seat in (0, 1):
        do(state, 0, a.ChooseLaw("10S"))
        do(state, 0, a.ChooseSeat(seat))
    bound = {law.card: law.bound for own in view_of(state).laws for law in own}
    assert [awaited_task(state), bound["10S"]] == ["turn", 1]


def test_R59_a_replaced_Law_is_neither_in_force_nor_bound() -> None:
    state = table([f"{BILL} 2S", "3S"], {1: "10S"}, discards="JD KD", bound={"10S": 1})
    do(state, 0, a.KindBill("7"))
    do(state, 0, a.Collect(1))
    do(state, 0, a.ChooseLaw("10S"), "9C")
    assert list(state.bound) == [0, 0]
    assert "10S" not in laws(state, 1)


# -- nested Events ------------------------------------------------------------------------------


def test_R50_an_Event_within_an_Event_happens_first() -> None:
    state = table_after_event("QS", ["2S 9H", "3S 8D"], {})
    do(state, 0, a.Collect(0), "KC")
    assert awaited_task(state) == "first"
    do(state, 0, a.ChooseSeat(0))
    assert [awaited_task(state), state.to_act] == ["collect", 0b10]


def test_R65_one_Event_happens_once_within_one_action() -> None:
    state = table_after_event("KS", ["2S KC", "3S"], {1: "JC"})
    do(state, 0, a.Choose("2S"))
    assert awaited_task(state) == "collect"
    do(state, 0, a.Collect(0), "KS")
    assert awaited_task(state) == "turn"
    assert laws(state, 0) == {"2S", "KS"}


@pytest.mark.parametrize("event", ["QS", "QC", "QD", "QH", "KS", "KC", "KD", "KH"])
def test_R50_an_Event_that_lies_in_a_collection_does_nothing(event: str) -> None:
    state = table(["2S 9H", "3S"], {1: event})
    do(state, 0, a.Discard("2S", 1))
    assert [state.turn, awaited_task(state), int(state.progress.takes)] == [1, "turn", 3]
    assert view_of(state).needed == (4, 4)


@pytest.mark.parametrize("event", ["QS", "QC", "QH", "KS", "KC", "KD", "KH"])
def test_R1_no_collected_card_sets_off_a_Law(event: str) -> None:
    laws_in_force = {0: "7D 7H", 1: "7S 7C 6D"}
    state = table(["9S 9H 9D 2S 6H", "3S 8H"], laws_in_force, discards=f"JD {event}")
    do(state, 0, a.KindBill("9"))
    draws = "10S 8S 8C 10C 8D 6C" if event == "QH" else ""
    news = do(state, 0, a.Collect(1), draws)
    assert "applied" not in news_kinds(news)

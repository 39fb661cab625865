"""The aces: actions besides those a turn requires, even out of turn."""

from __future__ import annotations

import pytest

from tabularium_engines.law import actions as a
from tabularium_engines.law.rulings import RULINGS, Rulings
from tests.engines.law.tables import awaited_task, do, hand, legal_actions, table, view_of

# -- ace of spades: topping ---------------------------------------------------------------------


def topping_actions(state: object, seat: int) -> set[object]:
    """The seat's legal topping actions."""
    return {action for action in legal_actions(state, seat) if isinstance(action, a.Top)}  # type: ignore[arg-type]


@pytest.mark.parametrize(("doubling_card", "count"), [("", 3), (" JS", 6)], ids=["plain", "JS"])
def test_AS_the_next_rank_out_of_turn_draws_three(doubling_card: str, count: int) -> None:
    state = table(["2S", "9H 9C 3C"], {0: "AS" + doubling_card}, discards="KD 8S")
    assert topping_actions(state, 1) == {a.Top("9H", 1), a.Top("9C", 1)}
    draws = ["2D", "3D", "4D", "6D", "7D", "10D"][:count]
    do(state, 1, a.Top("9H", 1), " ".join(draws))
    assert hand(state, 1) == {"9C", "3C", *draws}
    assert view_of(state).discard_piles[0][-1] == "9H"


def test_AS_not_on_your_own_turn() -> None:
    assert topping_actions(table(["9S 2S", "3C"], {0: "AS"}, discards="KD 8S"), 0) == set()


@pytest.mark.parametrize(("top", "next_card"), [("KD", "AC"), ("AD", "2C"), ("QD", "KC")])
def test_R44_AS_after_the_king_the_ace_and_after_it_the_two(top: str, next_card: str) -> None:
    state = table(["9S", f"{next_card} 7C"], {0: "AS"}, discards=f"6D {top}")
    assert topping_actions(state, 1) == {a.Top(next_card, 1)}


def test_R44_AS_a_wild_five_counts_as_the_next_rank() -> None:
    state = table(["9S", "5C 7C"], {0: "AS 6S"}, discards="KD JD")
    assert topping_actions(state, 1) == {a.Top("5C", 1)}
    assert topping_actions(table(["9S", "6C 10C"], {0: "AS 6S"}, discards="KD 5D"), 1) == {
        a.Top("6C", 1)
    }


def test_R44_AS_repeatedly() -> None:
    state = table(["2S", "9H 10C 3C"], {0: "AS"}, discards="KD 8S")
    do(state, 1, a.Top("9H", 1), "2D 3D 4D")
    do(state, 1, a.Top("10C", 1), "6D 7D 10D")
    assert len(hand(state, 1)) == 7


def test_R27_AS_is_no_discard_but_its_cards_are_drawn() -> None:
    state = table(["2S", "9H 3C"], {0: "AS 7H 7S"}, discards="KD 8S")
    do(state, 1, a.Top("9H", 1), "2D 3D 10S 4D")
    assert hand(state, 1) == {"3C", "2D", "3D", "10S", "4D"}


def test_AS_either_of_two_piles() -> None:
    state = table(["2S", "9H 3C"], {0: "AS 9D"}, discards="KD 8S/QD 2D")
    assert topping_actions(state, 1) == {a.Top("9H", 1), a.Top("3C", 2)}


def test_R35_AS_on_a_pile_that_lies_face_down() -> None:
    state = table(["2S", "9H 3C"], {0: "AS 9C"}, discards="KD 8S")
    assert topping_actions(state, 1) == {a.Top("9H", 1)}


# -- ace of clubs: stealing ---------------------------------------------------------------------


@pytest.mark.parametrize(("doubling_card", "count"), [("", 1), (" JS", 2)], ids=["plain", "JS"])
def test_AC_reveal_a_hand_and_steal(doubling_card: str, count: int) -> None:
    state = table(["2S 3S", "3D 4D 6D", "8D"], {0: "AC" + doubling_card})
    assert {a.Reveal(1), a.Reveal(2)} <= set(legal_actions(state, 0))
    do(state, 0, a.Reveal(1))
    assert awaited_task(state) == "steal"
    assert {known_hand.seat: set(known_hand.cards) for known_hand in view_of(state, 0).known}[
        1
    ] == {
        *("3D", "4D", "6D"),
    }
    assert all(known_hand.seat != 1 for known_hand in view_of(state, 2).known)
    for card in ("3D", "4D")[:count]:
        do(state, 0, a.Choose(card))
    assert hand(state, 0) == {"2S", "3S", *("3D", "4D")[:count]}
    assert not any(isinstance(action, a.Reveal) for action in legal_actions(state, 0))


def test_R45_AC_the_turn_does_not_end_before_it() -> None:
    state = table(["2S 3S", "3D 4D"], {0: "AC"})
    do(state, 0, a.Discard("2S", 1))
    assert state.turn == 0
    assert set(legal_actions(state, 0)) == {a.Reveal(1)}
    do(state, 0, a.Reveal(1))
    do(state, 0, a.Choose("3D"))
    assert state.turn == 1


def test_R45_AC_the_hand_is_seen_until_all_is_stolen() -> None:
    state = table(["2S 3S", "3D 4D 6D 7D"], {0: "AC JS"}, pile="9S 9C")
    do(state, 0, a.Reveal(1))
    state.known_cards[0] = 0  # as after contributions to the draw pile
    do(state, 0, a.Choose("3D"))
    (known,) = view_of(state, 0).known
    assert (
        set(known.cards)
        == {"4D", "6D", "7D"}
        == {action.card for action in legal_actions(state, 0)}
    )


def test_R45_AC_at_any_moment_of_your_turn_but_not_of_another() -> None:
    state = table(["2S 3S", "3D 4D"], {0: "AC"}, takes=3)
    assert a.Reveal(1) in legal_actions(state, 0)
    assert a.Reveal(0) not in legal_actions(state, 1)


# -- ace of diamonds: trading -------------------------------------------------------------------


@pytest.mark.parametrize(
    ("doubling_card", "cost", "gain"), [("", 2, 1), (" JS", 4, 2)], ids=["plain", "JS"]
)
def test_AD_discard_two_to_draw_one(doubling_card: str, cost: int, gain: int) -> None:
    state = table(["2S 3S", "3D 4D 6D 8D 9D"], {0: "AD" + doubling_card})
    do(state, 1, a.Trade())
    cost_cards = ["3D", "4D", "6D", "8D"][:cost]
    for place, card in enumerate(cost_cards):
        last = place == cost - 1
        do(state, 1, a.Discard(card, 1), " ".join(["10H", "JH"][:gain]) if last else "")
    assert hand(state, 1) == {"3D", "4D", "6D", "8D", "9D"} - set(cost_cards) | set(
        ["10H", "JH"][:gain]
    )
    assert awaited_task(state) == "turn"


def test_R46_AD_needs_the_whole_cost() -> None:
    assert a.Trade() not in legal_actions(table(["2S 3S", "3D"], {0: "AD"}), 1)
    assert a.Trade() in legal_actions(table(["2S 3S", "3D 4D"], {0: "AD"}), 1)
    assert a.Trade() not in legal_actions(table(["2S 3S", "3D 4D 6D"], {0: "AD JS"}), 1)


def test_R46_AD_any_player_may_trade_repeatedly() -> None:
    state = table(["2S 3S 4S", "3D 4D"], {0: "AD"}, takes=2)
    do(state, 0, a.Trade())
    do(state, 0, a.Discard("2S", 1))
    do(state, 0, a.Discard("3S", 1), "10H")
    assert {a.Trade()} <= set(legal_actions(state, 0))
    assert a.Trade() in legal_actions(state, 1)


def test_R27_AD_pays_with_discards() -> None:
    state = table(["2S 3S", "3D 4C 6C"], {0: "AD 7D"})
    do(state, 1, a.Trade())
    do(state, 1, a.Discard("3D", 1))
    do(state, 1, a.Discard("4C", 1), "10H JH")  # one for the trade, then one for the Law triggered
    assert hand(state, 1) == {"6C", "10H", "JH"}


# -- ace of hearts: asking ----------------------------------------------------------------------


def test_AH_ask_for_a_card_and_get_it() -> None:
    state = table(["2S 3S", "3D 4D"], {0: "AH"})
    do(state, 0, a.Ask(1, "3D"))
    assert hand(state, 0) == {"2S", "3S", "3D"}
    assert hand(state, 1) == {"4D"}
    assert not any(isinstance(action, a.Ask) for action in legal_actions(state, 0))


def test_AH_ask_for_a_missing_card() -> None:
    state = table(["2S 3S", "3D 4D"], {0: "AH"})
    news = do(state, 0, a.Ask(1, "KH"))
    assert hand(state, 1) == {"3D", "4D"}
    assert "K♥" in news[0]["text"]


def test_R47_AH_is_optional_and_once_a_turn() -> None:
    state = table(["2S 3S", "3D 4D"], {0: "AH"})
    do(state, 0, a.Discard("2S", 1))
    assert state.turn == 1
    assert not any(isinstance(action, a.Ask) for action in legal_actions(state, 0))
    assert any(isinstance(action, a.Ask) for action in legal_actions(state, 1))


def test_R47_AH_every_card_may_be_asked_for() -> None:
    state = table(["2S 3S", "3D 4D"], {0: "AH"})
    cards = {action.card for action in legal_actions(state, 0) if isinstance(action, a.Ask)}
    assert {"KH", "3D", "9C"} <= cards


def test_R47_AH_cards_in_sight_are_not_asked_for() -> None:
    def asked_cards(laws: str, *, rulings: Rulings = RULINGS[2]) -> set[str]:
        hands, stack = ["2S 3S", "3D 4D"], "8C"
        state = table(hands, {0: laws}, discards="5C 6C 7C", stack=stack, rulings=rulings)
        return {action.card for action in legal_actions(state, 0) if isinstance(action, a.Ask)}

    assert asked_cards("AH") & {"5C", "6C", "7C", "8C"} == {"8C"}
    assert asked_cards("AH 9S") & {"5C", "6C", "7C", "8C"} == set()
    assert asked_cards("AH 9C") & {"5C", "6C", "7C", "8C"} == {"5C", "6C", "7C", "8C"}
    assert asked_cards("AH 9S", rulings=RULINGS[1]) >= {"5C", "6C", "7C", "8C"}


def test_R21_AH_JS_asks_twice() -> None:
    state = table(["2S 3S", "3D 4D 6D"], {0: "AH JS"})
    do(state, 0, a.Ask(1, "3D"))
    do(state, 0, a.Ask(1, "4D"))
    assert not any(isinstance(action, a.Ask) for action in legal_actions(state, 0))
    assert hand(state, 1) == {"6D"}


@pytest.mark.parametrize("pair", ["AS AD", "AS AC", "AS AH", "AC AD", "AC AH", "AD AH"])
def test_two_aces_are_both_in_force(pair: str) -> None:
    state = table(["2S 3S", "3D 9C 6D"], {0: pair}, discards="KD 8S")
    action_types = {type(action) for seat in (0, 1) for action in legal_actions(state, seat)}
    type_by_law = {"AS": a.Top, "AC": a.Reveal, "AD": a.Trade, "AH": a.Ask}
    assert {type_by_law[law] for law in pair.split()} <= action_types

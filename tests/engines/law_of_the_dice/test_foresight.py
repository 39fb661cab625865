"""The certain consequences of an action of Law of the Dice."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest

from tabularium_engines.common.english_text import player_name
from tabularium_engines.common.foresight import Foresight
from tabularium_engines.common.random_generators import FastRng
from tabularium_engines.installed.registry import find_engine
from tabularium_engines.law_of_the_dice import ENGINE
from tabularium_engines.law_of_the_dice.actions import (
    CallCount,
    Decide,
    Decline,
    Draw,
    EndTurn,
    Play,
    PutNumber,
    Roll,
    Suit,
    Target,
    Vote,
)
from tabularium_engines.law_of_the_dice.foresight import (
    CERTAIN_NEWS,
    POINTS,
    TABLET_KINDS,
    count_certain,
)
from tabularium_engines.law_of_the_dice.game_logic import DiceState
from tabularium_engines.law_of_the_dice.game_options import Options, SecondOptions, ThirdOptions
from tests.engines.foretelling import certain, foretold, kinds
from tests.engines.law_of_the_dice.tables import do, table, table_with_called_count


def test_cards_drawn_and_turns_are_foretold_but_not_which_card() -> None:
    state = table(["2S", "3S"])
    told = certain(ENGINE, state, 0, Play("2S"))
    drew = {"kind": "drew", "seat": 0, "text": "Seat 0 draws a card"}
    assert (told.news, told.to_act) == ((drew, drew), (0,))
    state = table(["2S", "3S"], actions=0)
    for action in (CallCount(), EndTurn()):
        told = certain(ENGINE, state, 0, action)
        assert (kinds(told), told.to_act) == (["turn", "drew"], (1,))


def test_a_die_leaves_nothing_certain() -> None:
    state = table(["9S", "3S"], {1: {1: ("2H", 7)}})
    assert foretold(ENGINE, state, 0, Play("9S")) is None
    assert foretold(ENGINE, state, 0, PutNumber("9S", 1, 20)) is None  # still on turn


def test_the_laws_of_a_chain_are_foretold_until_the_next_die() -> None:
    state = table(["KS", "3S"], {0: {1: ("9H", 3)}, 1: {1: ("2H", 3)}})
    do(state, 0, Play("KS"), 2)
    told = certain(ENGINE, state, 0, Decline())
    assert kinds(told) == ["triggered", "drew", "drew"]
    assert told.to_act == (0,)
    assert foretold(ENGINE, state, 0, Roll()) is None


def test_the_empty_pile_ends_the_foresight() -> None:
    told = certain(ENGINE, table(["7S", "3S"], pile=""), 0, Draw())
    assert (kinds(told), told.to_act, told.score_changes) == (["exhausted"], None, None)


def test_a_forced_discard_hides_what_a_seven_takes() -> None:
    tablets = {0: {1: ("9H", 3)}, 1: {1: ("6H", 3)}, 2: {1: ("7H", 3)}}
    state = table(["KS", "3S", "5S"], tablets, discards="5C")
    do(state, 0, Play("KS"), 2)
    told = certain(ENGINE, state, 0, Decline())  # seat 2 discards its only card, and takes it
    assert (kinds(told), told.to_act) == (["triggered"], None)


def test_a_target_with_one_card_discards_it_unseen() -> None:
    state = table(["6S", "3S 4S", "5S"])
    do(state, 0, Play("6S"))
    told = foretold(ENGINE, state, 0, Target(2))
    assert told is None  # which card it is shows only then, and seat 0 goes on
    assert certain(ENGINE, state, 0, Target(1)).to_act == (1,)


def test_a_vote_is_certain_to_leave_the_others_to_vote_unless_it_is_the_last() -> None:
    state = table_with_called_count(["2S", "3S", "4S"])
    assert certain(ENGINE, state, 0, Vote("spades")).to_act == (1, 2)
    do(state, 0, Vote("spades"))
    do(state, 1, Vote("hearts"))
    assert foretold(ENGINE, state, 2, Vote("hearts")) is None


def tied_vote(
    hands: list[str],
    options: Options | None = None,
    *,
    pile: str | None = None,
    second: Suit = "spades",
) -> DiceState:
    """A table at which the vote is tied between hearts and a second suit, or not if that is hearts:
    then diamonds. Seat 0 has called, and a heart is its law, as a spade is that of seat 1."""
    tablets = {0: {1: ("5H", 20)}, 1: {1: ("6S", 20)}}
    state = table(hands, tablets, actions=0, pile=pile, options=options)
    do(state, 0, CallCount(), 0)
    do(state, 1, Draw(), 0)
    do(state, 1, Draw(), 0)
    do(state, 0, Vote("hearts"))
    do(state, 1, Vote("diamonds" if second == "hearts" else second))
    return state


@pytest.mark.parametrize(
    ("points", "suit", "winners", "to_act", "changes", "text"),
    [
        (0, "hearts", None, (0,), (1, 0), "points +1"),
        (2, "hearts", (0,), (), (1, 0), "you win, points +1"),
        (2, "spades", None, (0,), (0, 1), "Seat 1 +1"),
    ],
)
def test_a_count_of_laws_is_foretold(
    points: int,
    suit: Suit,
    winners: tuple[int, ...] | None,
    to_act: tuple[int, ...],
    changes: tuple[int, ...],
    text: str,
) -> None:
    state = tied_vote(["", ""], Options(counted="laws"))
    state.scoring.points[0] = points
    told = certain(ENGINE, state, 0, Decide(suit))
    assert (told.winners, told.to_act, told.score_changes) == (winners, to_act, changes)
    label = ENGINE.label(state, 0, ENGINE.encode(state, 0, Decide(suit)))
    assert label == f"Decide for {suit}: {text}"


def test_R22_the_seat_on_turn_after_a_foretold_count_is_that_of_the_option() -> None:
    options = SecondOptions(counted="laws", next_turn="winner")
    told = certain(ENGINE, tied_vote(["", ""], options), 0, Decide("spades"))
    assert told.to_act == (1,)


@pytest.mark.parametrize(
    ("hand", "suit", "changes"),
    [
        ("2H 3H 4H 6H", "hearts", (1, 0)),  # seat 1 has three cards
        ("2H 3H 4H", "hearts", (1, None)),
        ("2H 3H", "hearts", None),
        ("2H 3H", "clubs", (0, None)),
    ],
)
def test_a_count_of_hands_is_foretold_as_far_as_no_hidden_card_can_change_it(
    hand: str, suit: Suit, changes: tuple[int | None, ...] | None
) -> None:
    told = foretold(ENGINE, tied_vote([hand, ""], second=suit), 0, Decide(suit))
    assert (None if told is None else told.score_changes) == changes


def test_a_suit_of_which_all_cards_are_seen_is_certain() -> None:
    state = tied_vote(["2H", ""], pile="2C 3C 4C 5C")
    assert certain(ENGINE, state, 0, Decide("hearts")).score_changes == (1, 0)


@pytest.mark.parametrize("options", [Options(), ThirdOptions(house_rules=True)])
def test_a_change_of_a_tablet_goes_on_exactly_if_a_copy_does(options: Options) -> None:
    """Its offers are not tried on a copy where the seat has its other action next: of all the
    others, and of these, a copy tells the same."""
    engine: Any = ENGINE if type(options) is Options else find_engine("law_of_the_dice", 3)
    rng, told = FastRng(1), Counter[bool]()
    for seats in range(2, 5):
        state = engine.start(options, seats, rng)
        while state.to_act and state.turns < 30:
            seat = engine.awaited_seats(state)[0]
            for code in state.legal_actions(seat):
                if code & 0xFF in TABLET_KINDS:
                    copy = Foresight(engine, state, seat, code, CERTAIN_NEWS, count_certain)
                    expected = copy.consequences(POINTS, player_name)
                    assert engine.consequences(state, seat, code) == expected
                    told[expected is None] += 1
            state.apply(seat, state.random_action(seat, rng), rng)
    assert min(told[True], told[False]) > 100

"""Calls, votes, counts, the empty draw pile and the variants: R19 to R29."""

from __future__ import annotations

import pytest

from tabularium_engines.base import IllegalAction
from tabularium_engines.common.random_generators import FastRng
from tabularium_engines.law_of_the_dice import ENGINE
from tabularium_engines.law_of_the_dice.actions import (
    CallCount,
    Decide,
    Draw,
    EndTurn,
    Play,
    Roll,
    Suit,
    Vote,
)
from tabularium_engines.law_of_the_dice.game_options import Options
from tabularium_engines.law_of_the_dice.scoring import MAX_COUNTS
from tabularium_engines.law_of_the_dice.suit_scoring import RANDOM_SUIT, count_suit
from tests.engines.law_of_the_dice.tables import (
    do,
    hand,
    legal_actions,
    news_kinds,
    table,
    table_with_called_count,
    view_of,
)

SUITS: tuple[Suit, ...] = ("spades", "hearts", "diamonds", "clubs")


def redeal_draws(seats: int) -> list[int]:
    """The draws of a new deal and of the card that begins a turn."""
    return [0] * (5 * seats + 1)


def test_R19_a_call_gives_each_other_seat_one_more_turn_without_a_call() -> None:
    state = table(["7S", "2S", "3S"], actions=0)
    assert legal_actions(state, 0) == [CallCount(), EndTurn()]
    assert news_kinds(do(state, 0, CallCount(), 0)) == ["called", "turn", "drew"]
    assert view_of(state).caller == 0
    do(state, 1, Draw(), 0)
    do(state, 1, Draw(), 0, 0)  # no decision: seat 2 draws for its turn
    assert view_of(state).turn == 2
    do(state, 2, Draw(), 0)
    do(state, 2, Draw(), 0)
    assert view_of(state).to_act == (0, 1, 2)
    assert [legal_actions(state, seat) for seat in range(3)] == [[Vote(suit) for suit in SUITS]] * 3


def test_R20_votes_are_sealed_until_all_seats_have_voted() -> None:
    state = table_with_called_count(["7S", "2H", "3H"])
    news = do(state, 1, Vote("hearts"))
    assert news == [{"kind": "voted", "seat": 1, "text": "Seat 1 has voted"}]
    assert ENGINE.news(state, 1)[0]["suit"] == "hearts"
    assert view_of(state).to_act == (0, 2)
    assert view_of(state, 0).vote is None
    assert view_of(state, 1).vote == "hearts"
    assert view_of(state, 0).voted == (1,)
    with pytest.raises(IllegalAction) as caught:
        ENGINE.encode(state, 1, Vote("clubs"))
    assert caught.value.code == "not-your-turn"


def test_R20_most_votes_decide_and_the_caller_votes_too() -> None:
    state = table_with_called_count(["7S", "2H", "3H"])
    do(state, 2, Vote("hearts"))
    do(state, 0, Vote("hearts"))
    news = do(state, 1, Vote("spades"), *redeal_draws(3))
    votes = next(item for item in news if item["kind"] == "votes_opened")
    assert votes["suits"] == ["hearts", "spades", "hearts"]
    counted = next(item for item in news if item["kind"] == "counted")
    assert (counted["suit"], counted["counted"], counted["winners"]) == (
        "hearts",
        [0, 1, 1],
        [1, 2],
    )


def test_R33_in_a_tie_the_caller_decides_between_the_tied_suits() -> None:
    state = table_with_called_count(["7S 8S", "2H 3H"])
    do(state, 0, Vote("spades"))
    do(state, 1, Vote("hearts"))
    assert view_of(state).to_act == (0,)
    assert legal_actions(state, 0) == [Decide("spades"), Decide("hearts")]
    with pytest.raises(IllegalAction, match="tied between spades and hearts"):
        ENGINE.encode(state, 0, Decide("clubs"))
    news = do(state, 0, Decide("spades"), *redeal_draws(2))
    assert news_kinds(news)[:2] == ["decided", "counted"]
    assert view_of(state).points == (1, 0)


def test_all_tied_seats_score() -> None:
    state = table_with_called_count(["7S", "2S 3D", "4S"])
    for seat in range(3):
        do(state, seat, Vote("spades"), *(redeal_draws(3) if seat == 2 else []))
    assert view_of(state).points == (1, 1, 1)


def test_R21_no_seat_scores_without_a_card_of_the_suit() -> None:
    state = table_with_called_count(["7S", "2S"])
    do(state, 0, Vote("diamonds"))
    news = do(state, 1, Vote("diamonds"), *redeal_draws(2))
    assert view_of(state).points == (0, 0)
    assert "no point for any player" in next(i["text"] for i in news if i["kind"] == "counted")


def test_R22_after_a_called_count_it_is_the_callers_turn() -> None:
    state = table_with_called_count(["7S", "2S", "3S"], caller=1)
    for seat in range(3):
        do(state, seat, Vote("spades"), *(redeal_draws(3) if seat == 2 else []))
    view = view_of(state)
    assert (view.turn, view.caller, view.counts) == (1, None, 1)
    assert view.hand_sizes == (5, 6, 5)
    assert view.discard_pile == ()


def test_a_count_clears_the_tablets() -> None:
    state = table(["7S", "2S"], {0: {1: ("KH", 6)}, 1: {2: ("QH", 3)}}, actions=0)
    count_suit(state, 0, 0, FastRng(1))
    assert {(slot.card, slot.number) for slots in view_of(state).laws for slot in slots} == {
        (None, None)
    }


def test_three_points_win() -> None:
    state = table_with_called_count(["7S 8S", "2S"])
    state.scoring.points[0] = 2
    do(state, 0, Vote("spades"))
    do(state, 1, Vote("spades"))
    result = ENGINE.result(state)
    assert result is not None
    assert (result.winners, result.scores) == ((0,), (3, 0))
    assert (view_of(state).to_act, state.returns()) == ((), [1.0, 0.0])
    with pytest.raises(IllegalAction) as caught:
        ENGINE.encode(state, 0, Draw())
    assert caught.value.code == "game-over"


def test_R23_a_victory_can_be_shared() -> None:
    state = table_with_called_count(["7S", "2S", "3H"])
    state.scoring.points[0] = state.scoring.points[1] = 2
    for seat in range(3):
        do(state, seat, Vote("spades"))
    result = ENGINE.result(state)
    assert result is not None
    assert result.winners == (0, 1)
    assert state.returns() == [0.5, 0.5, 0.0]


def test_R24_after_200_counts_the_most_points_win() -> None:
    assert MAX_COUNTS == 200
    state = table_with_called_count(["7S", "2H"])
    state.scoring.counts = MAX_COUNTS - 1
    state.scoring.points[1] = 1
    do(state, 0, Vote("diamonds"))
    do(state, 1, Vote("diamonds"))
    result = ENGINE.result(state)
    assert result is not None
    assert (result.winners, result.scores) == ((1,), (0, 1))


def test_R25_an_empty_draw_pile_means_a_count_at_once() -> None:
    state = table(["7S 8S", "2H"], pile="", turn=0, actions=2)
    news = do(state, 0, Draw(), 0, *redeal_draws(2))
    assert news_kinds(news)[:2] == ["exhausted", "counted"]
    counted = news[1]
    assert counted["suit"] == "spades"
    assert counted["counted"] == [2, 0]  # the hands before the draw: no card is drawn
    view = view_of(state)
    assert (view.points, view.turn, view.counts) == ((1, 0), 1, 1)


def test_R25_the_first_card_of_a_turn_can_cause_the_count() -> None:
    state = table(["7S", "2H", "3H"], pile="", actions=0)
    news = do(state, 0, EndTurn(), 1, *redeal_draws(3))
    assert news_kinds(news)[:3] == ["turn", "exhausted", "counted"]
    assert view_of(state).turn == 2  # left of seat 1, whose turn it was


def test_R25_the_count_cancels_effect_chain_and_turn() -> None:
    tablets = {0: {1: ("2H", 1)}, 1: {1: ("AH", 1), 2: ("AD", 2)}}
    state = table(["AS", "9H"], tablets, pile="3D")
    news = do(state, 0, Play("AS"), 0, 0, 1, *redeal_draws(2))
    assert news_kinds(news)[2:6] == ["triggered", "drew", "exhausted", "counted"]
    view = view_of(state)
    assert (view.waiting, view.fired, view.turn) == ((), (), 1)
    assert [task.kind for task in view.agenda] == ["end", "act", "act"]


def test_R25_it_is_the_same_with_both_piles_empty() -> None:
    hands = [
        "2S 3S 4S 5S 6S 7S 8S 9S 10S JS QS KS AS",
        "2H 3H 4H 5H 6H 7H 8H 9H 10H JH QH KH AH",
        "2D 3D 4D 5D 6D 7D 8D 9D 10D JD QD KD AD",
        "2C 3C 4C 5C 6C 7C 8C 9C 10C JC QC KC AC",
    ]
    state = table(hands)
    news = do(state, 0, Draw(), 2, *redeal_draws(4))
    assert news_kinds(news)[:2] == ["exhausted", "counted"]
    assert view_of(state).points == (0, 0, 1, 0)


def test_R26_the_count_of_an_empty_pile_replaces_a_pending_call() -> None:
    state = table(["7S", "2H", "3H"], actions=0, pile="4D")
    do(state, 0, CallCount(), 0)
    news = do(state, 1, Draw(), 1, *redeal_draws(3))
    assert news_kinds(news)[:2] == ["exhausted", "counted"]
    view = view_of(state)
    assert (view.caller, view.turn, view.counts) == (None, 2, 1)


# -- variants -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("number", "suit"), [(1, "hearts"), (2, "diamonds"), (3, "spades"), (4, "clubs")]
)
def test_a_die_can_name_the_suit(number: int, suit: str) -> None:
    state = table_with_called_count(["7S", "2H"], Options(suit_by="die"))
    news = do(state, 1, Draw(), 0, number - 1, *redeal_draws(2))
    assert news_kinds(news)[1:3] == ["suit_rolled", "counted"]
    assert (news[1]["number"], news[1]["suit"], news[2]["suit"]) == (number, suit, suit)


@pytest.mark.parametrize(
    ("counted", "numbers"), [("hands", [2, 1]), ("laws", [1, 3]), ("both", [3, 4])]
)
def test_hands_laws_or_both_are_counted(counted: str, numbers: list[int]) -> None:
    tablets = {0: {1: ("4S", 1)}, 1: {1: ("5S", 1), 2: ("6S", 2), 3: ("7S", 3)}}
    options = Options(counted=counted)  # type: ignore[arg-type]  # one of the three, from the list above
    state = table(["2S 3S 9H", "8S KH"], tablets, options=options)
    assert [int(state.counted_card_count(seat, 0)) for seat in range(2)] == numbers


def test_R27_kept_laws_keep_their_numbers() -> None:
    tablets = {0: {1: ("KH", 6), 2: (None, 9)}}
    state = table(["7S", "2S"], tablets, options=Options(laws_kept=True))
    count_suit(state, 0, 0, FastRng(1))
    slots = view_of(state).laws[0]
    assert [(slot.card, slot.number) for slot in slots] == [("KH", 6), (None, 9), (None, None)]
    assert state.cards() == list(range(52))


def test_R28_hands_stay_closed_where_only_laws_are_counted() -> None:
    state = table(["7S", "2S"], {0: {1: ("KH", 6)}}, options=Options(counted="laws"))
    count_suit(state, 0, 1, FastRng(1))
    counted = next(item for item in ENGINE.news(state, None) if item["kind"] == "counted")
    assert "hands" not in counted
    assert counted["counted"] == [1, 0]
    open_state = table(["7S", "2S"])
    count_suit(open_state, 0, 0, FastRng(1))
    counted = next(item for item in ENGINE.news(open_state, None) if item["kind"] == "counted")
    assert counted["hands"] == [["7S"], ["2S"]]


def test_R29_an_empty_pile_counts_a_random_suit_in_every_variant() -> None:
    for option in (Options(), Options(suit_by="die")):
        suits = set()
        for suit in range(4):
            state = table(["7S", "2H"], pile="", options=option)
            news = do(state, 0, Draw(), suit, *redeal_draws(2))
            suits.add(news[1]["suit"])
        assert suits == set(SUITS)
    assert RANDOM_SUIT not in range(4)


def test_points_to_win_can_be_chosen() -> None:
    state = table_with_called_count(["7S", "2H"], Options(points_to_win=1))
    do(state, 0, Vote("spades"))
    do(state, 1, Vote("spades"))
    result = ENGINE.result(state)
    assert result is not None
    assert result.winners == (0,)


def test_the_chain_goes_on_after_a_roll_inside_it() -> None:
    state = table(["AS", "5H"], {1: {1: ("KH", 1), 2: ("7D", 6)}}, discards="QH")
    do(state, 0, Play("AS"), 0)
    do(state, 1, Roll(), 5)
    assert hand(state, 1) == {"5H", "AS"}

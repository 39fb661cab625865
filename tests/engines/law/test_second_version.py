"""Version 2 of Law: where its rulings differ from those of version 1."""

from __future__ import annotations

import pytest

from tabularium_engines.common.json_codec import MalformedDocument
from tabularium_engines.common.random_generators import FastRng
from tabularium_engines.law import ENGINE, ENGINES
from tabularium_engines.law import actions as a
from tabularium_engines.law.bill_combinations import bill_actions
from tabularium_engines.law.game_logic import LawState
from tabularium_engines.law.game_options import Options as FirstOptions
from tabularium_engines.law.game_options import V2Options as Options
from tabularium_engines.law.rulings import RULINGS, Rulings
from tests.engines.law.tables import (
    awaited_task,
    do,
    empty_draw_pile,
    hand,
    legal_actions,
    table,
    view_of,
)

APART = ["9H 7D", "10H JD", "QC KC"]


def collections(laws: str) -> dict[int, str]:
    """Laws in three collections, none of which wins."""
    codes = laws.split()
    return {seat: " ".join(codes[seat::3]) for seat in range(3)}


def test_each_version_sets_its_rulings() -> None:
    for engine, options, expected in zip(
        ENGINES, (FirstOptions(), Options()), (RULINGS[1], RULINGS[2]), strict=True
    ):
        state = engine.start(options, 2, FastRng(1))
        imagined = engine.imagine(engine.view(state, 0), FastRng(1))
        for each in (state, state.clone(), imagined, imagined.clone()):
            assert each.rulings is expected
    assert [engine.about.version for engine in ENGINES] == [1, 2]


@pytest.mark.parametrize(
    ("laws", "sizes"),
    [
        ("3S JS 4C 4D", (0, 0, 0)),  # five of a kind, of four suits
        ("3S JS 4C 4D 6S", (5, 0, 0)),  # … with wild fives
        ("4S 4D 3H JS 2C 2H", (0, 0, 0)),  # a straight of one with two hearts in it
        ("4S 4D 3H JS 2C", (0, 2, 0)),
        ("4S 4D 3H JS 2C 2H 4H", (0, 0, 0)),  # a straight flush needs them, too
        ("4S 4C 3D JS", (0, 0, 7)),
    ],
)
def test_R17_what_the_cards_cannot_give_is_impossible(
    laws: str, sizes: tuple[int, int, int]
) -> None:
    state = table(APART, collections(laws))
    assert view_of(state).sizes[0] == sizes
    assert bool(state.to_act) == any(sizes)
    assert view_of(state).ending == ("" if any(sizes) else "impossible")
    before = table(APART, collections(laws), rulings=RULINGS[1])
    assert before.to_act


def test_R17_cards_in_collections_and_out_of_the_game_are_in_no_Bill() -> None:
    flushes = {1: "5H 4C 4S"}
    state = table(["2S 4D", "3D"], flushes, pile="9S 10S", is_rest_removed=True)
    assert view_of(state).ending == "impossible"  # not five cards of one suit are left
    enough = table(["2S 6S", "3H"], flushes, pile="9S 10S", is_rest_removed=True)
    assert view_of(enough).sizes[0] == (0, 0, 5)


def test_R17_agrees_with_the_Bills_of_a_hand_of_all_cards() -> None:
    state = table(APART, collections("10S 2S"))
    cards = state.cards_for_bills()
    assert bill_actions(cards, state.parameters[0])
    assert not state.is_stuck


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_R20_the_table_may_say_who_begins(seats: int) -> None:
    for first in range(seats):
        turns = {int(begun(first, seats, seed).turn) for seed in range(10)}
        assert turns == {first}
    assert {int(begun(None, seats, seed).turn) for seed in range(60)} == set(range(seats))


@pytest.mark.parametrize("seats", [2, 3])
def test_R20_a_seat_that_is_not_there_is_refused(seats: int) -> None:
    for first in range(4):
        assert (ENGINE.misfit(Options(first=first), seats) is None) == (first < seats)
    assert ENGINE.misfit(Options(), seats) is None
    with pytest.raises(MalformedDocument, match=f"must be 0 to {seats - 1}, or null") as refusal:
        ENGINE.read_options({"first": 3}, seats, "/options")
    assert refusal.value.pointer == "/options/first"


@pytest.mark.parametrize(
    ("first", "winners", "expected"),
    [
        (None, [0], 0),  # the seat at the left of 0, who was 1, is 0 now
        (2, [0], 0),
        (None, [2], 2),
        (1, [0, 2], None),  # none is the last winner
        (None, [], None),
        (0, [], 2),  # the same player again
        (2, [], 1),
    ],
)
def test_R20_the_player_to_the_left_of_the_last_winner_begins_a_rematch(
    first: int | None, winners: list[int], expected: int | None
) -> None:
    options = Options("introductory", first)
    following = ENGINE.next_options(options, winners, new_seats=[2, 0, 1])
    assert following == Options("introductory", expected)


def test_R20_chance_begins_every_game_of_version_1() -> None:
    assert ENGINES[0].next_options(FirstOptions(), [0], [1, 0]) == FirstOptions()


def begun(first: int | None, seats: int, seed: int) -> LawState:
    """A game that has just been dealt."""
    return ENGINE.start(Options(first=first), seats, FastRng(seed))


def table_discarding_down(cards: str, rulings: Rulings) -> LawState:
    """The table after seat 0 has begun to discard down, and put two cards into the draw pile."""
    hands, laws = [cards, "JC QC KC"], {1: "10C"}
    state = table(hands, laws, discards="KD", pile="AS", is_rest_removed=True, rulings=rulings)
    empty_draw_pile(state)
    do(state, 0, a.Attend("discard_down"))
    assert [awaited_task(state), state.to_act] == ["contribute", 0b11]
    for place in range(2):
        for seat in range(2):
            do(state, seat, a.Choose(hands[seat].split()[place]))
    return state


def test_R39_cards_put_into_the_draw_pile_are_not_owed_again() -> None:
    state = table_discarding_down("2S 2H 2D 3S 4H 6D 7C", RULINGS[2])
    assert [awaited_task(state), len(hand(state, 0))] == ["turn", 5]
    assert a.Attend("discard_down") not in legal_actions(state, 0)
    do(state, 0, a.Discard("2D", 1))
    assert state.turn == 1


def test_R39_the_rest_is_still_owed() -> None:
    state = table_discarding_down("2S 2H 2D 3S 4H 6D 7C 8C 9C", RULINGS[2])
    assert [awaited_task(state), len(hand(state, 0))] == ["discard", 7]
    do(state, 0, a.Discard("2D", 1))
    assert [awaited_task(state), len(hand(state, 0))] == ["turn", 6]


def test_R39_version_1_counts_before_cards_are_put_into_the_draw_pile() -> None:
    state = table_discarding_down("2S 2H 2D 3S 4H 6D 7C", RULINGS[1])
    assert [awaited_task(state), len(hand(state, 0))] == ["discard", 5]


def test_the_reason_of_a_win_names_the_Laws() -> None:
    state = table(["9H", "10H"], {0: "2S 2C 2D 2H"})
    reasons = [result.reason for engine in ENGINES if (result := engine.result(state))]
    assert reasons == [
        "Seat 0 wins with as many Laws as it takes.",
        "Seat 0 wins with 4 of 4 Laws.",
    ]


def test_R29_a_long_chain_begins_with_a_summary() -> None:
    state = table(["2S 3D", "9H"], {0: "7S 5S 5C", 1: "5D"}, takes=3)
    state.apply(0, ENGINE.encode(state, 0, a.Take(0)), FastRng(1))
    news = ENGINE.news(state, None)
    assert len(news) > 40
    assert news[0]["kind"] == "summary"
    assert news[0]["text"].startswith("In short: Seat 0 draws 4")
    assert not [item for item in news[1:] if item["kind"] == "summary"]

"""Version 3: our house rules, by which laws fire."""

from __future__ import annotations

from typing import Any

import pytest

from tabularium_engines.common.random_generators import FastRng
from tabularium_engines.heuristics.law_of_the_dice import (
    CARDS_OF_LAW,
    LATER_ROUNDS,
    expected_cards,
    turns_ahead,
)
from tabularium_engines.law_of_the_dice import ENGINES
from tabularium_engines.law_of_the_dice.actions import CallCount, Draw, EndTurn, Roll, Vote
from tabularium_engines.law_of_the_dice.game_logic import DiceState
from tabularium_engines.law_of_the_dice.game_options import SecondOptions, ThirdOptions
from tabularium_engines.law_of_the_dice.status_text import HOUSE_RULES_TEXT
from tabularium_engines.law_of_the_dice.view import ThirdView
from tests.engines.law_of_the_dice.tables import (
    Tablet,
    do,
    hand,
    legal_actions,
    news_kinds,
    random_end,
    slot_law,
    slot_number,
    table,
    view_of,
)

SECOND, THIRD = ENGINES[1:]
HOUSE = ThirdOptions(house_rules=True)
HANDS = ["7S 8S", "2H 3D"]


def last_action(
    tablets: dict[int, Tablet] | None = None,
    *,
    turns: int = 9,
    discards: str = "",
    pile: str | None = None,
) -> DiceState:
    """A table before the last action of seat 0's turn, by the house rules."""
    state = table(HANDS, tablets, discards=discards, pile=pile, options=HOUSE, actions=1)
    state.turns = turns
    return state


def end_turn(state: DiceState, *draws: int) -> list[dict[str, Any]]:
    """Draw the lowest card, and end the turn of seat 0; news of the turn of seat 1."""
    do(state, 0, Draw(), 0)
    return do(state, 0, EndTurn(), *draws)


def seen(state: DiceState) -> ThirdView:
    """An onlooker's view of the table."""
    view = view_of(state)
    assert isinstance(view, ThirdView)
    return view


def test_R39_a_turn_begins_with_a_d4_after_its_first_card() -> None:
    state = last_action()
    news = end_turn(state, 0, 2)
    assert news_kinds(news) == ["turn", "drew", "rolled"]
    assert (news[2]["seat"], news[2]["die"], news[2]["number"]) == (1, 4, 3)
    view = seen(state)
    assert [(roll.seat, roll.die, roll.number) for roll in view.rolled] == [(1, 4, 3)]
    assert [task.kind for task in view.agenda] == ["end", "act", "act"]


def test_R39_the_die_of_a_turn_sets_off_laws_of_all_players() -> None:
    state = last_action({0: {1: ("2C", 3)}, 1: {2: ("7C", 3), 3: ("2D", 4)}}, discards="QS")
    news = end_turn(state, 0, 2, 0, 0)
    assert news_kinds(news)[2:] == [
        "rolled",
        "triggered",
        "took_discard",
        "triggered",
        "drew",
        "drew",
    ]
    assert [item["seat"] for item in news[3:]] == [1, 1, 0, 0, 0]  # R16: from the one who rolled
    assert "QS" in hand(state, 1)


def test_R39_the_die_of_a_turn_begins_a_chain_of_its_own() -> None:
    state = last_action({1: {1: ("AC", 4)}})
    end_turn(state, 0, 3)
    assert legal_actions(state, 1)[0] == Roll()
    news = do(state, 1, Roll(), 3)
    assert news_kinds(news) == ["rolled"]  # R18: the ace does not fire again
    assert seen(state).fired == ()


def test_R39_no_die_is_rolled_if_there_is_no_card_to_draw() -> None:
    state = last_action(pile="2C")
    news = end_turn(state, *[0] * 13)
    kinds = news_kinds(news)
    assert kinds[:4] == ["turn", "exhausted", "counted", "dealt"]
    assert kinds[-3:] == ["turn", "drew", "rolled"]  # of the turn that begins again
    assert kinds.count("rolled") == 1


@pytest.mark.parametrize(("turns", "is_calm"), [(1, True), (2, True), (3, False)])
def test_R40_no_count_is_called_before_each_player_has_had_a_turn(
    turns: int, is_calm: bool
) -> None:
    state = last_action(turns=turns)
    news = do(state, 0, Draw(), 0, *([0, 0] if is_calm else []))
    assert ("turn" in news_kinds(news)) is is_calm
    assert (CallCount() in legal_actions(state, 0)) is not is_calm
    assert seen(state).is_calm is (turns == 1)  # then seat 1 has its first turn
    assert ("No count can be called yet" in THIRD.text(seen(state))) is (turns == 1)


def test_R40_the_turns_are_counted_from_each_deal() -> None:
    state = THIRD.start(HOUSE, 3, FastRng(1))
    rng, turns = FastRng(2), list[tuple[int, int]]()
    while len(turns) < 400 and state.to_act:
        view = seen(state)
        assert not view.is_calm or CallCount() not in legal_actions(state, view.to_act[0])
        turns.append((view.counts, view.turns))
        seat = THIRD.awaited_seats(state)[0]
        state.apply(seat, state.random_action(seat, rng), rng)
    assert {count for count, _ in turns} >= {0, 1}
    for count in {count for count, _ in turns}:
        of_deal = list(dict.fromkeys(number for at, number in turns if at == count))
        assert of_deal == list(range(1, len(of_deal) + 1))


@pytest.mark.parametrize(("house_rules", "law"), [(True, "9C"), (False, None)])
def test_R41_laws_and_numbers_stay_after_a_count(house_rules: bool, law: str | None) -> None:
    options = ThirdOptions(house_rules=house_rules)
    state = table(HANDS, {0: {1: ("9C", 20)}}, options=options, actions=1)
    state.turns = 9
    roll = [0] if house_rules else []
    do(state, 0, Draw(), 0)
    do(state, 0, CallCount(), 0, *roll)
    do(state, 1, Draw(), 0)
    do(state, 1, Draw(), 0)
    do(state, 0, Vote("spades"))
    do(state, 1, Vote("spades"), *[0] * 11, *roll)
    assert view_of(state).counts == 1
    assert (slot_law(state, 0, 1), slot_number(state, 0, 1)) == (law, 20 if law else 0)


def test_without_the_house_rules_version_3_plays_like_version_2() -> None:
    """The same deals and the same actions lead to the same points, game after game."""
    for seed in range(10):
        second = random_end(SECOND, SecondOptions(), seed)
        assert random_end(THIRD, ThirdOptions(legs=1), seed) == second


def test_the_page_names_the_house_rules() -> None:
    for options in (HOUSE, ThirdOptions()):
        page = " ".join(THIRD.text(THIRD.view(THIRD.start(options, 3, FastRng(1)), 0)).split())
        assert (HOUSE_RULES_TEXT in page) is options.house_rules


def test_a_law_that_a_d4_reaches_is_worth_the_cards_of_the_turns_to_come() -> None:
    turns = 2 * int(LATER_ROUNDS)
    for law, number, aces, part in (
        ("2C", 4, "", 1.0),
        ("2C", 5, "", 0.0),
        ("2C", 5, "AH", 0.5),
        ("6C", 1, "", 1.0),
        ("3C", 1, "", 1.0),
    ):
        state = table([f"7S {aces}", "2H"], {0: {1: (law, number)}}, options=HOUSE)
        state.turns = 9
        assert turns_ahead(state) == 2 + turns
        brought = CARDS_OF_LAW[state.tablets.laws[0] % 13]
        assert expected_cards(state, 0) == pytest.approx(part * brought * (2 + turns) / 4)
        assert expected_cards(state, 1) == 0.0
        state.variant.house_rules = False
        assert expected_cards(state, 0) == 0.0


def test_turns_ahead_end_with_the_next_count() -> None:
    later = 2 * LATER_ROUNDS
    state = table(HANDS, options=HOUSE)
    state.turns = 1
    assert turns_ahead(state) == later + 2 + 1  # calm for one more turn
    state.turns, state.caller = 9, 1
    assert turns_ahead(state) == later  # seat 0's turn is the last

"""Immediate wins: the search for a turn that wins at once by laying the whole hand."""

from __future__ import annotations

import pytest

from ai.heuristics.duel_of_law import CERTAIN_WIN, DuelForesightHeuristic, DuelHeuristic, turn_gain
from games.engines.common.random_generators import FastRng
from games.engines.duel_of_law import actions
from games.engines.duel_of_law.action_numbers import FINISH, MORE, card_in, place_in
from games.engines.duel_of_law.cards import CARD_CODES
from games.engines.duel_of_law.game_logic import DuelState
from games.engines.duel_of_law.immediate_win import can_take_all, lead_after, winning_steps
from games.engines.duel_of_law.play_ranking import quick_openings
from games.engines.duel_of_law.tableau import ACROSS, DOWN, place_at
from tests.engines.duel_of_law.tables import BLUE, RED, do, grid, place, table

ROW = "00 02 05"
BLUE_CLAIM = ("across", (0, 0), "blue: colour is red")
RED_CLAIM = ("across", (0, 0), "red: colour is red")
ROW_END = (0, 3)  # the place that lengthens the row


def table_after_steal(hand: str, claim: tuple[str, tuple[int, int], str] = BLUE_CLAIM) -> DuelState:
    """A table on which 04 has just been laid at the end of the row."""
    state = table(ROW, (f"04 {hand}", "11 12"), [claim])
    place(state, "04", ROW_END)
    return state


def test_a_stolen_branch_counts_twice_and_a_new_one_once() -> None:
    state = table_after_steal("14 24")
    assert lead_after(state.turn.tableau, state.turn.laid, RED, 2) == 1
    place(state, "14", (1, 3))
    assert lead_after(state.turn.tableau, state.turn.laid, RED, 2) == 1
    place(state, "24", (2, 3))
    assert lead_after(state.turn.tableau, state.turn.laid, RED, 2) == 2


def test_a_hand_with_a_card_that_fits_no_line_cannot_be_laid_whole() -> None:
    for hand, is_possible in (("01 03", True), ("01 14", False), ("01 *1", True)):
        state = table_after_steal(hand, RED_CLAIM)
        hand_left = state.zones.cards(RED)
        assert can_take_all(state.turn.tableau, state.turn.laid, ACROSS, hand_left) is is_possible
        assert can_take_all(state.turn.tableau, state.turn.laid, DOWN, hand_left)


def test_among_several_opponents_only_the_best_counts() -> None:
    cards = grid("00 02 05 .\n. . . .\n20 22 25 .\n. . . .\n40 42 45 .")
    claims = [
        BLUE_CLAIM,
        ("across", (2, 0), "green: colour is orange"),
        ("across", (4, 0), "green: colour is dark green"),
    ]
    state = table(cards, ("04 14", "11", "12"), claims)
    place(state, "04", ROW_END)
    assert lead_after(state.turn.tableau, state.turn.laid, RED, 3) == -1


def test_branches_that_are_bridged_count_once() -> None:
    cards = grid("00 02 05 . 06 07 08")
    claims = [RED_CLAIM, ("across", (0, 4), "red: shade is dark")]
    state = table(cards, ("04 14", "11"), claims)
    place(state, "04", ROW_END)
    assert lead_after(state.turn.tableau, state.turn.laid, RED, 2) == 1


def test_a_steal_followed_by_laying_the_whole_hand_wins() -> None:
    state = table_after_steal("14 24")
    assert state.can_win_turn()
    foresight = DuelForesightHeuristic()
    assert foresight.values(state) == pytest.approx([CERTAIN_WIN, 1 - CERTAIN_WIN])
    assert foresight.value(state, RED) == pytest.approx(CERTAIN_WIN)
    rng, steps = FastRng(1), 0
    while state.to_act:
        assert state.turn.seat == RED
        action = state.promising_actions(RED)[0]
        assert action in state.legal_actions(RED)
        state.apply(RED, action, rng)
        steps += 1
    assert state.returns() == foresight.values(state) == [1.0, 0.0]
    assert steps == 7  # two more cards, no more, a duel and a claim


def test_finishing_without_a_new_line_is_one_of_several_promising_actions() -> None:
    state, rng = table_after_steal("14 24"), FastRng(1)
    assert lead_after(state.turn.tableau, state.turn.laid, RED, 2) == 1
    assert state.promising_actions(RED) == [MORE, FINISH]
    heuristic = DuelHeuristic()
    assert heuristic.value(state, RED) < CERTAIN_WIN
    assert turn_gain(state) == 2
    state.apply(RED, MORE, rng)
    assert 0 < turn_gain(state) < 2  # greedy rarely begins a win that it does not see
    for _ in range(3):
        state.apply(RED, state.promising_actions(RED)[0], rng)
    assert state.promising_actions(RED) == [FINISH]


def test_a_turn_without_the_whole_hand_or_without_a_lead_does_not_win() -> None:
    assert table_after_steal("14 24").can_win_turn()
    assert not table_after_steal("14").can_win_turn()  # no second branch
    cards = grid("00 02 05 .\n. . . .\n. . . .\n20 22 25 .")
    state = table(
        cards, ("04 14", "11"), [BLUE_CLAIM, ("across", (3, 0), "blue: colour is orange")]
    )
    place(state, "04", ROW_END)
    assert not state.can_win_turn()


def test_a_plan_lays_the_whole_hand_once() -> None:
    state = table_after_steal("14 24 34 44")
    hand = state.zones.cards(RED)
    steps = winning_steps(state.turn.tableau, state.turn.laid, hand, RED, 2)
    assert sorted(card_in(step) for step in steps) == hand
    assert len({int(place_in(step)) for step in steps}) == len(hand)


def test_a_plan_remains_while_it_is_followed() -> None:
    state, rng = table_after_steal("14 24"), FastRng(1)
    assert state.can_win_turn()
    plan = list(state.cache.plan)
    assert len(plan) == 2
    state.apply(RED, MORE, rng)
    assert list(state.cache.plan) == plan
    state.apply(RED, plan[0], rng)
    assert list(state.cache.plan) == plan[1:]
    do(state, actions.TakeBack())
    assert not state.can_win_turn()


def test_a_plan_of_another_hand_is_dropped() -> None:
    state = table_after_steal("14 24")
    assert state.can_win_turn()
    world = state.clone()
    world.determinize(BLUE, FastRng(3))
    assert not world.can_win_turn()


def test_in_an_open_game_a_lead_wins_without_an_empty_hand() -> None:
    cards = grid("00 02 05 .\n. . . .\n20 22 25 .")
    claims = [BLUE_CLAIM, ("across", (2, 0), "red: colour is orange")]
    for is_open in (False, True):
        state = table(cards, ("04 9K 110 33 *1", "11 12"), claims)
        state.end.is_open = is_open
        place(state, "04", ROW_END)
        assert lead_after(state.turn.tableau, state.turn.laid, RED, 2) == 2
        if is_open:
            assert state.can_win_turn()
            assert state.promising_actions(RED) == [FINISH]


def test_the_first_openings_are_the_cards_that_steal() -> None:
    cards = grid("00 02 05 .\n. . . .\n20 22 25 .")
    claims = [RED_CLAIM, ("across", (2, 0), "blue: colour is orange")]
    state = table(cards, ("04 24 28", "11"), claims)
    first = quick_openings(state.turn.tableau, state.zones.cards(RED), RED)[:4]
    assert {(card_in(step), place_in(step)) for step in first} == {
        (CARD_CODES.index(card), place)
        for card in ("24", "28")
        for place in (place_at(2, 3), place_at(2, -1))
    }

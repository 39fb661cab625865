"""The turn planner of version 2: it wins where it can, answers a rival's lead, opens the end only
when ahead, and keeps jokers."""

from __future__ import annotations

from random import Random

import pytest
from librt.vecs import vec
from mypy_extensions import i64

from ai.bot_kinds import Budget
from ai.bot_registry import create_bot, create_searcher
from tabularium_engines.common.random_generators import FastRng
from tabularium_engines.duel_of_law import actions
from tabularium_engines.duel_of_law.action_numbers import DRAW_SIX, FINISH, card_in, place_in
from tabularium_engines.duel_of_law.cards import CARD_CODES, NO_CARD
from tabularium_engines.duel_of_law.game_logic import DuelState
from tabularium_engines.duel_of_law.game_options import SecondOptions
from tabularium_engines.duel_of_law.placement_rules import is_lawful
from tabularium_engines.duel_of_law.tableau import place_at
from tabularium_engines.duel_of_law.view import rulings_of
from tabularium_engines.heuristics.base import NO_ACTION, Plan
from tabularium_engines.heuristics.duel_of_law import HEURISTIC, WORTH_MARGIN
from tabularium_engines.heuristics.duel_of_law_turns.law_openness import law_openness
from tabularium_engines.heuristics.duel_of_law_turns.position_worth import (
    MOST_GAIN,
    Standing,
    gain_odds,
    leader_of,
    owned_after,
)
from tabularium_engines.heuristics.duel_of_law_turns.turn_planner import TurnPlanner
from tabularium_engines.heuristics.duel_of_law_turns.turn_worth import (
    CERTAIN_LOSS,
    CERTAIN_WIN,
    TurnWorth,
)
from tabularium_engines.heuristics.duel_of_law_turns.whole_hand_line import (
    whole_hand_plays,
    whole_hand_steps,
)
from tests.engines.duel_of_law.lines import law
from tests.engines.duel_of_law.tables import BLUE, RED, SECOND, do, table

RULINGS = rulings_of(SecondOptions())
AT_ONCE = rulings_of(SecondOptions(end="at_once"))
ROWS = "00 01 03\n. . .\n20 21 23\n. . .\n40 41 43\n. . .\n60 61 63"
COLOURS = ("red", "orange", "dark green", "dark blue")


def rows(hands: tuple[str, ...], *owners: str, is_open: bool = False) -> DuelState:
    """Four rows of one colour each; the first of them are branches of these seats."""
    claims = [
        ("across", (2 * row, 0), f"{owner}: colour is {COLOURS[row]}")
        for row, owner in enumerate(owners)
    ]
    drawing = "\n".join(ROWS.splitlines()[: 2 * len(owners) - 1])
    cards = {
        (row, column): card
        for row, line in enumerate(drawing.splitlines())
        for column, card in enumerate(line.split())
        if card != "."
    }
    for row in range(1, 2 * len(owners) - 1, 2):  # the rows touch each other on the left
        cards[(row, -1)] = f"{row + 6}J"
    state = table(cards, hands, claims, rulings=RULINGS)
    state.end.is_open = is_open
    return state


def plans_of(state: DuelState) -> list[Plan]:
    """The plans for a turn that has not begun."""
    return TurnPlanner(state.turn, state.zones, state.seats, state.end.is_open).opening_plans()


def play_turn(state: DuelState, name: str = "greedy") -> list[str]:
    """Let a bot play a turn; the cards that it lays."""
    seat, laid, rng = int(state.turn.seat), [], FastRng(1)
    while state.to_act and state.turn.seat == seat:
        view = SECOND.view(state, seat)
        action = create_bot(name, "duel_of_law").choose(SECOND, view, rng, Budget(0, 20)).action
        if isinstance(action, actions.Place):
            laid.append(action.card)
        do(state, action)
    return laid


def test_where_the_game_is_open_a_steal_wins_that_makes_two_branches_more() -> None:
    state = rows(("24 99 116", "90 91"), "red", "blue", is_open=True)
    assert plans_of(state)[0].worth == CERTAIN_WIN
    assert play_turn(state)
    assert state.returns() == [1.0, 0.0]


def test_a_rival_who_would_be_two_ahead_is_robbed() -> None:
    state = rows(("24 99 116", "90 91"), "blue", "blue", "blue", is_open=True)
    assert plans_of(state)[0].worth > CERTAIN_LOSS
    judge, trial = TurnWorth(state.turn, state.zones, 2, True), state.turn.tableau.clone()
    twig = CARD_CODES.index("116")
    trial.lay(twig, place_at(1, -2))
    assert judge.worth_of(trial, vec[i64]([twig])) == CERTAIN_LOSS
    assert "24" in play_turn(state)
    assert state.to_act


def test_who_is_behind_does_not_empty_the_hand() -> None:
    state = rows(("116", "90 91 92 93 94 95"), "blue", "blue", "blue")
    assert play_turn(state) == []
    assert not state.end.is_open


def test_who_is_far_ahead_lays_the_whole_hand() -> None:
    state = rows(("99 116 84 5J 15 3Q 102", "90 91"), "red", "red", "red", "red")
    assert len(play_turn(state)) == 7
    assert state.end.is_open
    assert state.to_act


def test_a_joker_is_kept_where_another_card_gains_as_much() -> None:
    hands = "04 *3 9J 7K 3J 11Q 58 116", "90 91 92 93 94 95 96 97"
    state = table("00 02", hands, rulings=RULINGS)
    assert "*3" not in play_turn(state)
    assert state.turn.before.branch_counts(2)[RED] >= 1


def test_a_joker_is_laid_where_it_alone_wins() -> None:
    state = rows(("*1 9J 116", "90 91"), "red", "blue", is_open=True)
    assert "*1" in play_turn(state)
    assert state.returns() == [1.0, 0.0]


def test_a_plan_is_a_whole_turn_and_its_number_tells_it_from_others() -> None:
    state = rows(("9J 116 84 24", "90 91 92"), "red", "blue")
    plans = plans_of(state)
    assert {plan.steps[-1] for plan in plans} == {FINISH}
    assert len({plan.code for plan in plans}) == len(plans) > 1
    assert Plan([DRAW_SIX], 0.5).code == DRAW_SIX
    for plan in plans:
        world, rng = state.clone(), FastRng(1)
        for step in plan.steps:
            assert step in world.legal_actions(RED)
            world.apply(RED, step, rng)
        while (answer := HEURISTIC.follow_up(world, RED)) != NO_ACTION:
            assert answer in world.legal_actions(RED)
            world.apply(RED, answer, rng)
        assert world.turn.seat == BLUE or not world.to_act


def test_a_search_tries_whole_plans_and_counts_them_by_their_first_actions() -> None:
    state = rows(("9J 116 84 24 99", "90 91 92"), "red", "blue")
    search = create_searcher("duel_of_law").create_search(state, RED, FastRng(1), extra=DRAW_SIX)
    search.run(40)
    assert sum(search.visits(action) for action in search.candidates) == 40 + len(search.plans)
    assert len(search.candidates) < len(search.plans)
    for action in search.candidates:
        children = search.children_of(action)
        assert {child.plan.steps[0] for child in children if child.plan} == {action}
        total = sum(child.reward for child in children)
        assert search.mean(action) == pytest.approx(total / int(search.visits(action)))


def test_a_bot_thinks_at_the_start_of_a_turn_and_less_within_it() -> None:
    state = rows(("9J 116 84 24 99", "90 91 92"), "red", "blue")
    bot, counts = create_bot("mcts", "duel_of_law"), []
    while state.turn.seat == RED:
        view = SECOND.view(state, RED)
        decision = bot.choose(SECOND, view, FastRng(1), Budget(simulations=41))
        same = Budget(simulations=decision.simulations, is_whole=True)
        assert bot.choose(SECOND, view, FastRng(1), same) == decision
        counts.append(decision.simulations)
        state.apply(RED, SECOND.encode(state, RED, decision.action), FastRng(1))
    assert counts[0] == 41
    assert {*counts[1:]} == {0, 11}, "none where it has no choice"


def test_what_is_clearly_worse_is_not_searched() -> None:
    state = rows(("24 99 116", "90 91"), "red", "blue", is_open=True)
    worths = [plan.worth for plan in HEURISTIC.plans(state, RED, False)]
    assert max(worths) == CERTAIN_WIN
    assert min(worths) >= CERTAIN_WIN - WORTH_MARGIN


def test_an_imagined_turn_is_one_of_one_card_or_none() -> None:
    state = rows(("9J 116 84 24", "90 91 92"), "red", "blue")
    for plan in HEURISTIC.plans(state, RED, True):
        assert len(plan.steps) == 2 or plan.steps == [DRAW_SIX]


def test_where_the_turn_that_empties_a_hand_can_win_it_does() -> None:
    state = rows(("99 116 84", "90 91"), "red", "red")
    state.turn.rulings = AT_ONCE
    assert plans_of(state)[0].worth == CERTAIN_WIN


def test_a_whole_hand_is_laid_in_one_lawful_line_if_its_order_is_lawful() -> None:
    """That is so of some hands only."""
    laid = sum(check_whole_hand(seed) for seed in range(40))
    assert 0 < laid < 20


def check_whole_hand(seed: int) -> bool:
    """Whether a random hand can be laid in one line; if so, that is lawful."""
    cards = Random(seed).sample(CARD_CODES, 13)
    state = table(cards[0], (" ".join(cards[1:]), ""), rulings=RULINGS)
    plays = whole_hand_plays(state.turn.tableau, state.zones.cards(RED), RED)
    for steps in plays:
        trial = state.turn.tableau.clone()
        for step in steps:
            trial.lay(card_in(step), place_in(step))
        assert is_lawful(trial, vec[i64](card_in(step) for step in steps))
        assert state.is_legal(RED, steps[0])
    return bool(plays)


def test_a_whole_hand_is_laid_on_from_cards_that_lie_in_order() -> None:
    state = table("50 70", ("30 8Q 100", "90"), rulings=RULINGS)
    do(state, actions.Place("8Q", 0, 2))
    tableau, hand = state.turn.tableau, state.zones.cards(RED)
    steps = whole_hand_steps(tableau, state.turn.laid, hand)
    assert [CARD_CODES[card_in(step)] for step in steps] == ["30", "100"]
    assert tableau.card_at(place_at(0, 3)) == NO_CARD


def test_openness_is_as_measured() -> None:
    assert law_openness(law("")) == 1
    assert law_openness(law("colour is red")) == pytest.approx(13 / 156)
    assert law_openness(law("rank never_falls")) == pytest.approx(0.24)
    assert law_openness(law("rank alternates parity")) > law_openness(law("rank alternates"))
    assert law_openness(law("dice pairs")) < law_openness(law("dice cycles 3"))


def test_the_odds_of_gains_are_chances() -> None:
    for cards in range(20):
        for branches in range(5):
            odds = [gain_odds(cards, branches, gain) for gain in range(MOST_GAIN + 1)]
            assert sum(odds) == pytest.approx(1)
            assert min(odds) >= 0


def test_a_gain_is_taken_from_the_richest() -> None:
    assert owned_after([1, 3, 2], 0, 1) == [2, 3, 2]
    assert owned_after([1, 3, 2], 0, 3) == [3, 2, 2]
    assert owned_after([1, 3, 2], 0, 5) == [4, 1, 2]
    assert [leader_of([3, 1, 0]), leader_of([3, 2]), leader_of([0, 2])] == [0, -1, 1]


def chance(owned: list[int], hands: list[int], *, is_open: bool) -> float:
    """RED's chance before a turn of BLUE."""
    strengths = [float(branches) for branches in owned]
    return Standing(owned, strengths, hands, [0.0, 0.0], is_open).chances(BLUE)[RED]


def test_to_open_the_end_pays_only_with_a_lead_that_survives_an_answer() -> None:
    for lead in range(1, 4):
        assert chance([lead, 0], [12, 12], is_open=False) > chance(
            [3 + lead, 3], [1, 12], is_open=True
        )
    for lead in range(7, 9):
        assert chance([3 + lead, 3], [12, 12], is_open=False) < chance(
            [3 + lead, 3], [1, 12], is_open=True
        )
    open_chances = [chance([lead, 3], [1, 12], is_open=True) for lead in range(9)]
    assert open_chances == sorted(open_chances)


def test_the_worth_of_a_turn_does_not_depend_on_the_cards_of_rivals() -> None:
    worths = []
    for rival in ("*1 *2 *3", "90 91 92"):
        state = table("00 02", ("04 9J 7K", rival), rulings=RULINGS)
        worths.append([plan.worth for plan in plans_of(state)])
    assert worths[0] == worths[1]

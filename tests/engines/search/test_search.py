"""The search: it finds known best actions, and uses only its seat's knowledge."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from mypy_extensions import i64

from bench.connect_four import ConnectFour
from tabularium_engines.common.random_generators import FastRng
from tabularium_engines.heuristics.base import Heuristic
from tabularium_engines.heuristics.duel_edged_sword import SwordHeuristic
from tabularium_engines.heuristics.law_of_the_dice import DiceHeuristic
from tabularium_engines.law_of_the_dice import ENGINE
from tabularium_engines.law_of_the_dice.actions import CallCount, EndTurn, Vote
from tabularium_engines.law_of_the_dice.game_logic import DiceState, advance
from tabularium_engines.law_of_the_dice.game_options import Options
from tabularium_engines.search.greedy import pick_best_action
from tabularium_engines.search.ismcts import Search
from tabularium_engines.search.node import Node
from tabularium_engines.search.playout import HeuristicEvaluator, RandomRolloutEvaluator, play_out
from tests.ai.later import Later
from tests.engines.duel_edged_sword.tables import PLAIN_ROWS
from tests.engines.duel_edged_sword.tables import table as sword
from tests.engines.law_of_the_dice.tables import ScriptedRng, do, table


def board(columns: str) -> ConnectFour:
    """The position after these drops."""
    state = ConnectFour()
    for column in columns:
        state.apply(0 if state.to_act == 1 else 1, int(column), FastRng(0))
    return state


def run_search(state: Any, seat: int, simulations: int, seed: int = 1) -> Search:
    search = Search(state, seat, RandomRolloutEvaluator(), FastRng(seed))
    search.run(simulations)
    return search


def nodes(node: Node) -> Iterator[Node]:
    """The node and all its descendants."""
    yield node
    for child in node.children():
        yield from nodes(child)


@pytest.mark.parametrize("seed", range(5))
def test_it_wins_where_it_can(seed: int) -> None:
    assert run_search(board("001122"), 0, 300, seed).best_action() == 3


@pytest.mark.parametrize("seed", range(5))
def test_it_prevents_a_loss(seed: int) -> None:
    assert run_search(board("0011223"[:5]), 1, 600, seed).best_action() in (2, 3)
    assert run_search(board("30313"), 1, 600, seed).best_action() == 3


def test_slices_add_up() -> None:
    uninterrupted, sliced = (
        run_search(board("33"), 0, 300),
        Search(board("33"), 0, RandomRolloutEvaluator(), FastRng(1)),
    )
    for _ in range(30):
        sliced.run(10)
    assert uninterrupted.simulations == sliced.simulations == 300
    assert [uninterrupted.visits(a) for a in range(7)] == [sliced.visits(a) for a in range(7)]
    assert sum(uninterrupted.visits(a) for a in range(7)) == 300
    assert all(0 <= uninterrupted.mean(a) <= 1 for a in range(7))


def dealt_state(seats: int = 3, seed: int = 5) -> DiceState:
    return ENGINE.start(Options(), seats, FastRng(seed))


def test_the_root_is_never_changed() -> None:
    state = dealt_state()
    before = state.contents()
    run_search(state, int(state.turn), 200)
    assert state.contents() == before


def test_a_node_is_never_tried_more_often_than_it_was_available() -> None:
    state = dealt_state()
    tree = run_search(state, int(state.turn), 500).tree
    below = [node for node in nodes(tree) if node is not tree]
    assert len(below) > 100
    assert all(1 <= node.visits <= node.available for node in below)
    assert any(node.visits < node.available for node in below)


def test_what_others_hold_does_not_change_the_choice() -> None:
    state = dealt_state()
    seat = int(state.turn)
    choices = []
    for seed in range(4):
        world = state.clone()
        world.determinize(seat, FastRng(seed))
        search = run_search(world, seat, 200)
        choices.append([search.visits(action) for action in world.legal_actions(seat)])
    assert all(choice == choices[0] for choice in choices)


def state_before_vote() -> DiceState:
    """Three seats about to vote: seat 1 has called, and spades are best for seat 0."""
    state = table(["7S 8S 9S", "2H 3H", "4D 5D"], turn=1, actions=0, pile="2C 3C 4C 5C 6C 7C")
    state.agenda.clear()
    state.caller = 1
    state.agenda.push(8, 1)
    advance(state, ScriptedRng([]))
    return state


def test_sealed_decisions_are_made_at_one_place() -> None:
    state = state_before_vote()
    tree = run_search(state, 0, 400).tree
    deciders = {node.seat for node in tree.children()}
    assert deciders == {0, 1, 2}
    suits = [node for node in tree.children() if node.seat == 1]
    assert sum(node.visits for node in suits) > 300  # one bandit for all votes of seat 0


def test_it_votes_for_its_own_suit() -> None:
    state = state_before_vote()
    search = run_search(state, 0, 1500)
    assert ENGINE.decode(state, 0, search.best_action()) == Vote("spades")


def test_a_last_vote_is_searched_without_knowing_the_others() -> None:
    state = state_before_vote()
    do(state, 1, Vote("hearts"))
    do(state, 2, Vote("diamonds"))
    twin = state.clone()
    twin.votes = twin.votes[:]
    twin.votes[1] = twin.votes[2] = 0
    first, second = run_search(state, 0, 300), run_search(twin, 0, 300)
    actions = state.legal_actions(0)
    assert [first.visits(a) for a in actions] == [second.visits(a) for a in actions]


def test_a_playout_goes_to_the_end() -> None:
    state = dealt_state()
    assert play_out(state, FastRng(2)) > 10
    assert state.to_act == 0
    assert sum(state.returns()) == pytest.approx(1)


def test_a_judge_may_look_instead_of_playing_on() -> None:
    judge = HeuristicEvaluator(Later(DiceHeuristic(), 3))
    rewards = judge.rewards(dealt_state(), FastRng(1))
    assert len(rewards) == 3
    assert all(0 < reward < 1 for reward in rewards)
    over = dealt_state()
    play_out(over, FastRng(3))
    assert judge.rewards(over, FastRng(1)) == over.returns()


class FondOfColumn(Heuristic):
    """Rates the position as almost won for seat 0 if a column has a stone at the bottom."""

    def __init__(self, column: int) -> None:
        self.column = column

    def value(self, state: Any, seat: i64) -> float:
        return 0.9 if state.stones >> (7 * self.column) & 1 and seat == 0 else 0.1


@pytest.mark.parametrize("column", range(7))
def test_all_actions_are_looked_at_before_the_best_looking_is_tried(column: int) -> None:
    search = Search(board(""), 0, HeuristicEvaluator(FondOfColumn(column)), FastRng(1))
    search.run(1)
    assert [search.visits(action) for action in range(7)] == [
        2 if action == column else 1 for action in range(7)
    ]
    assert [search.mean(action) for action in range(7)] == pytest.approx(
        [0.9 if action == column else 0.1 for action in range(7)]
    )


def test_a_search_knows_its_worlds_by_number() -> None:
    """So the actions at the root are tried in the same worlds, and the cards favour none."""
    state = dealt_state()
    seat = int(state.turn)
    search = new_search(state, seat)
    first = search.deal_world(3).contents()
    search.run(50)
    assert search.deal_world(3).contents() == first
    assert any(search.deal_world(number).contents() != first for number in range(4, 9))
    assert new_search(state, seat, seed=2).deal_world(3).contents() != first


def new_search(state: DiceState, seat: int, seed: int = 1) -> Search:
    return Search(state, seat, HeuristicEvaluator(DiceHeuristic()), FastRng(seed))


def test_what_a_seat_draws_is_told_apart() -> None:
    """The seat that drew the matching card takes it: no seat plays a card unseen."""
    state = sword(("red FRC", *PLAIN_ROWS[1:]), "blue")
    search = Search(state, 0, HeuristicEvaluator(Later(SwordHeuristic(), 0)), FastRng(1))
    search.run(2000)
    replies = [node for node in nodes(search.tree) if node.seat == 1]
    drawn_cards = {int(node.key) >> 44 for node in replies}
    assert len(drawn_cards) > 9
    assert 0 not in drawn_cards


def test_playing_on_follows_the_heuristic() -> None:
    """Seat 1 draws red and collects a Complete; at random it would do so in one of eight ways."""
    rewards = [0.0, 0.0]
    for decisions in (0, 1):
        judge = HeuristicEvaluator(Later(SwordHeuristic(), decisions))
        state = sword(("red FRC FGS FBT", *PLAIN_ROWS[1:]), "red", turn=1, piles=(0, 0, 0, 0))
        rewards[decisions] = judge.rewards(state, FastRng(1))[1]
    assert rewards[1] > rewards[0]


def test_looking_ahead_calls_a_count_it_will_win() -> None:
    strong = table(["7S 8S 9S 10S JS QS", "2H 3D"], actions=0)
    weak = table(["2H", "7H 8H 9S 10S 9D 10D 9C 10C"], actions=0)
    strong.scoring.points[0] = weak.scoring.points[1] = 2
    for state, choice in ((strong, CallCount()), (weak, EndTurn())):
        state.deck.known_cards[0] = state.deck.hands[1]  # all is known: no luck in the re-deal
        best = pick_best_action(state, 0, DiceHeuristic(), FastRng(1))
        assert ENGINE.decode(state, 0, best) == choice

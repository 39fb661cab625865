"""Information-set Monte Carlo tree search.

The single-observer variant (Cowling, Powley and Whitehouse, 2012): one tree over the searching
seat's information, a new determinization for each simulation, rewards for each seat (max^n), and
confidence bounds that count how often an action was available, not how often its parent was
visited. `State.observation_key` separates a seat's decisions by the information it has gained
privately, so that no seat in the tree plays a card unseen. The evaluator's prior of an action
counts as a visit, so that few simulations go to actions that look bad. Where its heuristic has
plans, a whole plan is one action of the tree. Nothing here depends on the game.
"""

from __future__ import annotations

from typing import Final

from mypy_extensions import i64

from tabularium_engines.base import Rng, State
from tabularium_engines.common.bits import bit, lowest
from tabularium_engines.common.random_generators import FastRng
from tabularium_engines.heuristics.base import UNKNOWN_WORTH, Plan
from tabularium_engines.search.greedy import first_actions, root_options
from tabularium_engines.search.node import WAIT, Node, action_of, exploration_term, key_of
from tabularium_engines.search.playout import Evaluator, follow

_SEED_RANGE: Final[i64] = 0x20000000
# keeps the worlds of different searches apart
_WORLD_SEED_STEP: Final[i64] = 0x9E3779B1
# for rewards that span 0 … 1; less where they lie close together
DEFAULT_EXPLORATION: Final[float] = 0.7


class Search:
    """A tree that `run` grows in slices of any size; it may be queried between slices."""

    def __init__(
        self,
        root: State,
        seat: i64,
        evaluator: Evaluator,
        rng: Rng,
        exploration: float = DEFAULT_EXPLORATION,
        extra: i64 = -1,
    ) -> None:
        self.root = root
        self.seat: i64 = seat
        self.evaluator = evaluator
        self.rng = rng
        self.exploration = exploration
        self.tree = Node(seat)
        self.plans: list[Plan] = []  # compared, if plans are
        # the actions compared, `extra` among them
        self.candidates: list[i64] = self._find_candidates()
        if extra >= 0 and extra not in self.candidates:
            self.candidates.append(extra)
            if evaluator.planner is not None:
                self.plans.append(Plan([extra], UNKNOWN_WORTH))
        self.simulations: i64 = 0
        self._seed: i64 = rng.below(_SEED_RANGE) * _SEED_RANGE
        self._chance: Rng = FastRng(self._seed)

    def _find_candidates(self) -> list[i64]:
        planner = self.evaluator.planner
        if planner is None:
            return list(root_options(self.root, self.seat))
        self.plans = planner.plans(self.root, self.seat, False)
        return first_actions(self.plans)

    def effort(self) -> float:
        """The share of a budget that the decision is worth."""
        planner = self.evaluator.planner
        return 1.0 if planner is None else planner.effort(self.root, self.seat)

    def run(self, simulations: i64) -> None:
        """Run that many more simulations."""
        if self.simulations == 0 and simulations > 0 and self.evaluator.prior_visits > 0:
            self._evaluate_root_actions()
        for _ in range(simulations):
            self._simulate()
        self.simulations += simulations

    def best_action(self) -> i64:
        """The most visited action."""
        chosen: i64 = -1
        most: i64 = -1
        for action in self.candidates:
            visits = self.visits(action)
            if visits > most:
                most = visits
                chosen = action
        return chosen

    def visits(self, action: i64) -> i64:
        """How often an action was tried at the root."""
        found: i64 = 0
        for child in self.children_of(action):
            found += child.visits
        return found

    def mean(self, action: i64) -> float:
        """The mean reward of an action."""
        visits: i64 = 0
        reward = 0.0
        for child in self.children_of(action):
            visits += child.visits
            reward += child.reward
        return reward / float(visits) if visits > 0 else 0.0

    def children_of(self, action: i64) -> list[Node]:
        """The children of the root that begin with an action: one, or more where there are
        plans."""
        occasion = self.root.observation_key(self.seat)
        codes = [plan.code for plan in self.plans if plan.steps[0] == action]
        if self.evaluator.planner is None:
            codes = [action]
        found: list[Node] = []
        for code in codes:
            child = self.tree.find_child(key_of(self.seat, code, occasion))
            if child is not None:
                found.append(child)
        return found

    def options_in(self, node: Node, state: State, seat: i64) -> list[Node]:
        """The children of a node that were tried, and are options of the seat in this state."""
        occasion, planner = state.observation_key(seat), self.evaluator.planner
        if planner is None:
            codes = state.promising_actions(seat)
        else:
            codes = [plan.code for plan in planner.plans(state, seat, True)]
        found: list[Node] = []
        for code in codes:
            child = node.find_child(key_of(seat, code, occasion))
            if child is not None:
                found.append(child)
        return found

    def _simulate(self) -> None:
        node = self.tree
        child = self._select(node, self.root, self.seat)
        state = self.deal_world(child.visits)
        path: list[Node] = []
        while True:
            waiting = state.to_act
            self._decide(child, state)
            path.append(child)
            if child.visits == self.evaluator.prior_visits or state.to_act == 0:
                break
            # Simultaneous decisions share a node: the seats do not see each other's.
            if waiting & (waiting - 1) == 0 or state.to_act != waiting ^ bit(child.seat):
                node = child
            child = self._select(node, state, lowest(state.to_act))
        rewards = self.evaluator.rewards(state, self._chance)
        for child in path:
            child.add_reward(rewards[child.seat])

    def _decide(self, child: Node, state: State) -> None:
        """Take the action of a child, or carry out its plan."""
        planner = self.evaluator.planner
        if planner is not None and child.plan is not None:
            follow(planner, state, child.seat, child.plan, self._chance)
        elif action_of(child.key) != WAIT:
            state.apply(child.seat, action_of(child.key), self._chance)

    def deal_world(self, number: i64) -> State:
        """A determinization with a seed of its own. Each root action meets the same worlds in the
        same order, so that none is favoured by lucky deals."""
        self._chance = FastRng(self._seed + number * _WORLD_SEED_STEP)
        state = self.root.clone()
        self._redeal_hidden(state)
        return state

    def _redeal_hidden(self, state: State) -> None:
        """Redeal the cards that the seat cannot see."""
        state.determinize(self.seat, self._chance)

    def _evaluate_root_actions(self) -> None:
        """Add every root action with its prior value in the first world."""
        occasion = self.root.observation_key(self.seat)
        state = self.deal_world(0)
        for plan in self.plans:
            self._add_planned_child(self.tree, key_of(self.seat, plan.code, occasion), state, plan)
        for action in self.candidates if self.evaluator.planner is None else []:
            self._add_evaluated_child(self.tree, key_of(self.seat, action, occasion), state, action)

    def _select(self, node: Node, state: State, seat: i64) -> Node:
        """The child of `seat` to go on with."""
        planner = self.evaluator.planner
        if planner is None:
            return self._select_child(node, state, seat)
        plans = self.plans if state is self.root else planner.plans(state, seat, True)
        return self._select_plan(node, state, seat, plans)

    def _select_child(self, node: Node, state: State, seat: i64) -> Node:
        """The child of `seat` with the highest confidence bound, or a random untried one."""
        occasion = state.observation_key(seat)
        best: Node | None = None
        highest = -1.0
        untried: i64 = -1
        untried_count: i64 = 0
        for action in self.candidates if state is self.root else state.promising_actions(seat):
            key = key_of(seat, action, occasion)
            child = node.find_child(key)
            if child is None and self.evaluator.prior_visits > 0:
                child = self._add_evaluated_child(node, key, state, action)
            if child is None:
                untried_count += 1
                if self.rng.below(untried_count) == 0:
                    untried = key
                continue
            child.available += 1
            if untried_count == 0:
                score = self._upper_confidence_bound(child)
                if score > highest:
                    highest = score
                    best = child
        if untried_count > 0 or best is None:
            best = node.add_child(untried)
            best.available = 1
        return best

    def _select_plan(self, node: Node, state: State, seat: i64, plans: list[Plan]) -> Node:
        """The child of one of these plans with the highest confidence bound."""
        occasion = state.observation_key(seat)
        best: Node | None = None
        highest = -1.0
        for plan in plans:
            key = key_of(seat, plan.code, occasion)
            child = node.find_child(key)
            if child is None:
                child = self._add_planned_child(node, key, state, plan)
            child.available += 1
            score = self._upper_confidence_bound(child)
            if score > highest:
                highest = score
                best = child
        assert best is not None
        return best

    def _add_planned_child(self, node: Node, key: i64, state: State, plan: Plan) -> Node:
        """A new child that holds only the worth of its plan."""
        if plan.worth == UNKNOWN_WORTH:
            child = self._add_evaluated_child(node, key, state, plan.steps[0])
        else:
            child = node.add_child(key)
            child.add_reward(plan.worth)
        child.plan = plan
        return child

    def _add_evaluated_child(self, node: Node, key: i64, state: State, action: i64) -> Node:
        """A new child that holds only its prior value."""
        child = node.add_child(key)
        child.add_reward(self.evaluator.prior_value(state, child.seat, action, self._chance))
        return child

    def _upper_confidence_bound(self, child: Node) -> float:
        """The upper confidence bound of a child that has been tried."""
        return child.mean + self.exploration * child.uncertainty * exploration_term(child.available)

"""Information-set Monte Carlo tree search.

The single-observer variant (Cowling, Powley and Whitehouse, 2012): one tree over the searching
seat's information, a new determinization for each simulation, rewards for each seat (max^n), and
confidence bounds that count how often an action was available, not how often its parent was
visited. `State.observation_key` separates a seat's decisions by the information it has gained
privately, so that no seat in the tree plays a card unseen. The evaluator's prior of an action
counts as a visit, so that few simulations go to actions that look bad. Nothing here depends on the
game.
"""

from __future__ import annotations

from typing import Final

from mypy_extensions import i64

from ai.search.greedy import root_options
from ai.search.node import WAIT, Node, action_of, exploration_term, key_of
from ai.search.playout import Evaluator
from games.engines.base import Rng, State
from games.engines.common.bits import bit, lowest
from games.engines.common.random_generators import FastRng

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
        judge: Evaluator,
        rng: Rng,
        exploration: float = DEFAULT_EXPLORATION,
        also: i64 = -1,
    ) -> None:
        self.root = root
        self.seat: i64 = seat
        self.evaluator = judge
        self.rng = rng
        self.exploration = exploration
        self.tree = Node(seat)
        # the actions compared, `also` among them
        self.candidates: list[i64] = list(root_options(root, seat))
        if also >= 0 and also not in self.candidates:
            self.candidates.append(also)
        self.simulations: i64 = 0
        self._seed: i64 = rng.below(_SEED_RANGE) * _SEED_RANGE
        self._chance: Rng = FastRng(self._seed)

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
        child = self._child_of(action)
        return 0 if child is None else child.visits

    def mean(self, action: i64) -> float:
        """The mean reward of an action."""
        child = self._child_of(action)
        return 0.0 if child is None else child.mean

    def _child_of(self, action: i64) -> Node | None:
        return self.tree.find_child(key_of(self.seat, action, self.root.observation_key(self.seat)))

    def _simulate(self) -> None:
        node = self.tree
        child = self._select_child(node, self.root, self.seat)
        state = self.deal_world(child.visits)
        path: list[Node] = []
        while True:
            waiting = state.to_act
            if action_of(child.key) != WAIT:
                state.apply(child.seat, action_of(child.key), self._chance)
            path.append(child)
            if child.visits == self.evaluator.prior_visits or state.to_act == 0:
                break
            # Simultaneous decisions share a node: the seats do not see each other's.
            if waiting & (waiting - 1) == 0 or state.to_act != waiting ^ bit(child.seat):
                node = child
            child = self._select_child(node, state, lowest(state.to_act))
        rewards = self.evaluator.rewards(state, self._chance)
        for child in path:
            child.add_reward(rewards[child.seat])

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
        for action in self.candidates:
            self._add_evaluated_child(self.tree, key_of(self.seat, action, occasion), state, action)

    def _select_child(self, node: Node, state: State, seat: i64) -> Node:
        """The child of `seat` with the highest confidence bound, or a random untried one."""
        occasion = state.observation_key(seat)
        best: Node | None = None
        highest = -1.0
        strange: i64 = -1
        strangers: i64 = 0
        for action in self.candidates if state is self.root else state.promising_actions(seat):
            key = key_of(seat, action, occasion)
            child = node.find_child(key)
            if child is None and self.evaluator.prior_visits > 0:
                child = self._add_evaluated_child(node, key, state, action)
            if child is None:
                strangers += 1
                if self.rng.below(strangers) == 0:
                    strange = key
                continue
            child.available += 1
            if strangers == 0:
                score = self._upper_confidence_bound(child)
                if score > highest:
                    highest = score
                    best = child
        if strangers > 0 or best is None:
            best = node.add_child(strange)
            best.available = 1
        return best

    def _add_evaluated_child(self, node: Node, key: i64, state: State, action: i64) -> Node:
        """A new child that holds only its prior value."""
        child = node.add_child(key)
        child.add_reward(self.evaluator.prior_value(state, child.seat, action, self._chance))
        return child

    def _upper_confidence_bound(self, child: Node) -> float:
        """The upper confidence bound of a child that has been tried."""
        return child.mean + self.exploration * child.uncertainty * exploration_term(child.available)

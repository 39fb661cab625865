"""A bot with perfect information, as an upper bound. It is not a bot of the service: only the arena
has a true state to show it."""

from __future__ import annotations

from typing import Any, NamedTuple

from ai.bot_types import MctsBot
from ai.search.ismcts import Search
from ai.search.perfect_information import PerfectInformationSearch
from games.engines.base import Engine, Rng, State


class FullView(NamedTuple):
    """A view in which all cards are visible."""

    seat: int
    state: State


class OpenEngine:
    """An engine that hides nothing: the imagined state is the true one."""

    def __init__(self, engine: Engine[Any, Any]) -> None:
        self._engine = engine

    def __getattr__(self, name: str) -> Any:
        return getattr(self._engine, name)

    def view(self, state: State, seat: int) -> FullView:
        """The complete state."""
        return FullView(seat, state)

    def imagine(self, view: FullView, rng: Rng) -> State:
        """A copy of the true state."""
        return view.state.clone()


class PerfectInformationBot(MctsBot):
    """The search of `mcts` with all cards visible."""

    name = "peeking"

    def create_search(self, state: State, seat: int, rng: Rng, also: int = -1) -> Search:
        """A search that redeals nothing."""
        return PerfectInformationSearch(state, seat, self._evaluator, rng, self._exploration, also)

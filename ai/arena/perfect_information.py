"""How well would a bot play that sees everything? It is no bot of the service: in the arena alone
there is a true state to be shown."""

from __future__ import annotations

from typing import Any, NamedTuple

from ai.bot_types import MctsBot
from ai.search.ismcts import Search
from ai.search.perfect_information import PerfectInformationSearch
from games.engines.base import Engine, Rng, State


class FullView(NamedTuple):
    """What one sees who sees through all cards."""

    seat: int
    state: State


class OpenEngine:
    """A game's rules for somebody from whom nothing is hidden: what is imagined is what is."""

    def __init__(self, engine: Engine[Any, Any]) -> None:
        self._engine = engine

    def __getattr__(self, name: str) -> Any:
        return getattr(self._engine, name)

    def view(self, state: State, seat: int) -> FullView:
        """All of it."""
        return FullView(seat, state)

    def imagine(self, view: FullView, rng: Rng) -> State:
        """The truth."""
        return view.state.clone()


class PerfectInformationBot(MctsBot):
    """The search of `mcts`, at an open table."""

    name = "peeking"

    def create_search(self, state: State, seat: int, rng: Rng, also: int = -1) -> Search:
        """One that imagines nothing."""
        return PerfectInformationSearch(state, seat, self._evaluator, rng, self._exploration, also)

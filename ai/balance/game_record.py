"""The record of one game between equal bots: who won by order from the starter, its length, its
course, and the actions, cards and effects that occurred."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import pairwise
from typing import Any, Final

from ai.arena.contest import next_action
from ai.arena.contestants import parse_contestant
from ai.balance.cells import Cell
from tabularium_engines.base import State
from tabularium_engines.common.bits import lowest
from tabularium_engines.common.random_generators import FastRng
from tabularium_engines.installed.heuristics import HEURISTICS

BOT_SEED_MASK: Final = 0xFFFFFFFFFF
NO_FAVOURITE: Final = -1


@dataclass(frozen=True)
class GameRecord:
    """One game that was played to its end."""

    shares: tuple[float, ...]  # of the victory, by order from the starter
    decisions: int
    turns: int  # runs of decisions of one seat
    is_decided_early: bool  # whether a winner is the favourite from the half to the end
    has_lead_change: bool  # whether the favourite changes
    uses: Mapping[str, int]  # how often each action, card and effect occurred


class RecordedGame:
    """A game in progress with the same bot at all seats. Bots have a random generator of their own,
    so that the table's draws do not depend on how long they think."""

    def __init__(self, cell: Cell, bot: str, deal: int) -> None:
        self._cell = cell
        self._engine = cell.engine
        self._player = parse_contestant(bot, cell.ruleset.slug, version=cell.ruleset.version)
        self._chance, self._bot_rng = FastRng(deal), FastRng(~deal & BOT_SEED_MASK)
        self._state: State = self._engine.start(cell.options, cell.seats, self._chance)
        self._state.record_news()
        self._starter = self._engine.awaited_seats(self._state)[0]
        self._reacted = 0  # the set of seats that have reacted since the last action in turn
        self._actors: list[int] = []
        self._favourites: list[int] = []  # before each decision
        self._uses = Counter[str]()

    def play(self) -> GameRecord:
        """Play to the end."""
        while self._state.to_act:
            self._play_action()
        returns, seats, starter = self._state.returns(), self._cell.seats, self._starter
        winners = {seat for seat in range(seats) if returns[seat] == max(returns)}
        later_favourites = set(self._favourites[len(self._favourites) // 2 :])
        return GameRecord(
            shares=tuple(returns[(starter + order) % seats] for order in range(seats)),
            decisions=len(self._actors),
            turns=1 + sum(one != other for one, other in pairwise(self._actors)),
            is_decided_early=len(later_favourites) == 1 and later_favourites <= winners,
            has_lead_change=len({*self._favourites} - {NO_FAVOURITE}) > 1,
            uses=self._uses,
        )

    def _play_action(self) -> None:
        engine, state = self._engine, self._state
        self._favourites.append(favourite_of(self._cell, state))
        seat, choice = next_action(engine, state, self._reacted, self._choose)
        self._reacted = engine.reacted_after(state, self._reacted, seat)
        self._actors.append(seat)
        action = engine.encode(state, seat, choice)
        document = engine.action_json(state, seat, action)
        self._uses.update(names_in(document["type"].partition(".")[2], document))
        state.apply(seat, action, self._chance)
        for item in state.news:
            self._uses.update(names_in(item.kind, {**item.facts, **item.secrets}))

    def _choose(self, seat: int) -> Any:
        return self._player.choose_action(self._engine, self._state, seat, self._bot_rng)


def play_game(cell: Cell, bot: str, deal: int) -> GameRecord:
    """Play a deal with the same bot at all seats."""
    return RecordedGame(cell, bot, deal).play()


def names_in(kind: str, fields: Mapping[str, Any]) -> Iterator[str]:
    """A kind of action or effect alone, and with each name among its fields: "play 7S"."""
    yield kind
    for field, value in fields.items():
        for each in value if isinstance(value, list) else [value]:
            if field != "type" and isinstance(each, str) and each:
                yield f"{kind} {each}"


def favourite_of(cell: Cell, state: State) -> int:
    """The first seat of the side that the game's heuristic values most, or NO_FAVOURITE."""
    values = HEURISTICS[cell.ruleset].values(state)
    best = max(range(len(values)), key=values.__getitem__)
    side = int(state.team_of(best))
    others = [value for seat, value in enumerate(values) if not side >> seat & 1]
    return int(lowest(side)) if others and max(others) < values[best] else NO_FAVOURITE

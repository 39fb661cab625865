"""The runner of referees: whole games in which a referee checks the engine at every position.

The engine is driven through its public contract alone. A referee keeps a state of its own, from the
actions and from the facts that chance decides, which it reads in the views of all seats.
"""

from __future__ import annotations

import json
from abc import ABC, abstractmethod
from collections.abc import Iterable
from dataclasses import dataclass, replace
from random import Random
from typing import Any, ClassVar, Final, NamedTuple, TypeAlias

import orjson

from ai.bot_kinds import Budget
from ai.bot_registry import create_bot
from tabularium_engines.base import AnyEngine, State
from tabularium_engines.common import json_codec
from tabularium_engines.common.random_generators import FastRng
from tabularium_engines.installed.registry import find_engine
from tabularium_engines.promises.random_games import KIND_WEIGHTS
from tabularium_engines.promises.variants import Table, variants

Json: TypeAlias = Any
Viewer: TypeAlias = int | None  # None: an onlooker
GREEDY_STRIDE: Final = 6  # every sixth game is one of greedy bots
REACTION_SHARE: Final = 0.125  # of the steps, where a seat that is not awaited can act


class Disagreement(AssertionError):
    """A referee and an engine differ about the rules."""


class Outcome(NamedTuple):
    """The end of a game: the winners, ascending, and the score of each seat."""

    winners: tuple[int, ...]
    scores: tuple[int, ...]


class Seen:
    """The views of all viewers at one position, and the news of the step before it."""

    def __init__(self, engine: AnyEngine, state: State) -> None:
        self._engine, self._state = engine, state
        self.viewers: tuple[Viewer, ...] = (*range(int(state.seats)), None)
        self.views: dict[Viewer, Json] = {
            viewer: orjson.loads(orjson.dumps(engine.view(state, viewer)))
            for viewer in self.viewers
        }

    def news(self, viewer: Viewer) -> list[dict[str, Any]]:
        """The news of the step, as a viewer may read them."""
        return self._engine.news(self._state, viewer)

    def facts(self) -> list[dict[str, Any]]:
        """The news of the step, with facts that no player may read: chance decided these, too."""
        return [
            {"kind": item.kind, "seat": int(item.seat), **item.facts, **item.secrets}
            for item in self._state.news
        ]


class Referee(ABC):
    """The rules of a game a second time: a state that follows one game of an engine.

    It is made from the first position. It reads in `Seen` only the facts that chance decides.
    """

    slug: ClassVar[str]
    unchecked: ClassVar[frozenset[str]] = frozenset()  # fields of a view that no rule defines

    def __init__(self, version: int, options: Json, seats: int, seen: Seen) -> None:
        self.version = version
        self.options = options
        self.seats = seats
        self.start(seen)

    @abstractmethod
    def start(self, seen: Seen) -> None:
        """Set up the game, with the deal of the first position."""

    @abstractmethod
    def take(self, seat: int, action: Json, seen: Seen) -> None:
        """Carry out an action; `seen` is the position after it."""

    @abstractmethod
    def legal_actions(self, seat: int) -> Iterable[Json]:
        """Every legal action of a seat, each once, in any order."""

    @abstractmethod
    def view(self, viewer: Viewer) -> dict[str, Json]:
        """All fields of a viewer's view, except those in `unchecked`."""

    @abstractmethod
    def outcome(self) -> Outcome | None:
        """The end of the game; None while it goes on."""

    def unordered(self, view: dict[str, Json]) -> dict[str, Json]:
        """A view, where the order of some lists means nothing, with these lists sorted."""
        return view


@dataclass(frozen=True)
class RefereedGame:
    """One game to check: its table, and a seed for chance and players."""

    table: Table
    seed: int

    def __str__(self) -> str:
        return f"{self.table}, seed {self.seed}"


def refereed_game(slug: str, version: int, seed: int) -> RefereedGame:
    """The game of a seed, 0 and up. The first lap of seeds has all variants once, with the numbers
    of seats in turn; the following laps combine each variant with the other numbers of seats."""
    engine = find_engine(slug, version)
    fewest, most = engine.about.seats
    all_options = variants(engine.about.options)
    lap, index = divmod(seed, len(all_options))
    options = all_options[index]
    fitting = [n for n in range(fewest, most + 1) if engine.misfit(options, n) is None]
    seats = fitting[(index + lap) % len(fitting)]
    return RefereedGame(Table(engine, options, seats), seed)


def with_options(game: RefereedGame, **changes: Any) -> RefereedGame:
    """The same game with other options."""
    options = replace(game.table.options, **changes)
    return replace(game, table=replace(game.table, options=options))


class Players:
    """The players of one game: greedy bots in every sixth game, otherwise random players, who in
    every second game favour some kinds of action."""

    def __init__(self, engine: AnyEngine, seed: int) -> None:
        self._engine, self._chance, self._rng = engine, Random(seed), FastRng(seed)
        about = engine.about
        is_greedy = seed % GREEDY_STRIDE == GREEDY_STRIDE - 1
        self._bot = create_bot("greedy", about.slug, about.version) if is_greedy else None
        self._is_favouring = seed % 2 == 1
        self._weights: dict[str, float] = {}

    def choose(self, state: State) -> tuple[int, int]:
        """A seat and one of its legal actions, by number."""
        seat = self._choose_seat(state)
        if self._bot is not None:
            view = self._engine.view(state, seat)
            action = self._bot.choose(self._engine, view, self._rng, Budget()).action
            if action is not None:
                return seat, self._engine.encode(state, seat, action)
            seat = self._engine.awaited_seats(state)[0]
        numbers = [int(number) for number in state.legal_actions(seat)]
        weights = [self.weight(self._engine.action_json(state, seat, n)) for n in numbers]
        return seat, self._chance.choices(numbers, weights)[0]

    def _choose_seat(self, state: State) -> int:
        """An awaited seat, or sometimes one that may react."""
        awaited = self._engine.awaited_seats(state)
        others = [seat for seat in range(int(state.seats)) if seat not in awaited]
        if others and self._chance.random() < REACTION_SHARE:
            awaited = [seat for seat in others if state.legal_actions(seat)] or awaited
        return self._chance.choice(awaited)

    def weight(self, action: Json) -> float:
        """How much these players favour an action: all actions of a kind alike."""
        kind = action["type"]
        if kind not in self._weights:
            self._weights[kind] = self._chance.choice(KIND_WEIGHTS) if self._is_favouring else 1.0
        return self._weights[kind]


def check_game(
    kind: type[Referee], game: RefereedGame, kind_of_players: type[Players] = Players
) -> int:
    """Play a game to its end with a referee beside it; the number of positions checked. Raises
    Disagreement at the first difference."""
    engine, rng = game.table.engine, FastRng(game.seed)
    state = engine.start(game.table.options, game.table.seats, rng)
    state.record_news()
    seen = Seen(engine, state)
    options = json_codec.to_json(game.table.options)
    referee = kind(engine.about.version, options, game.table.seats, seen)
    players, place, positions = kind_of_players(engine, game.seed), f"{game}: the deal", 1
    compare(referee, engine, state, seen, place)
    while state.to_act:
        seat, number = players.choose(state)
        action = engine.action_json(state, seat, number)
        place = f"{game}: position {positions}, after {json.dumps(action)} of seat {seat}"
        state.news = []
        state.apply(seat, number, rng)
        seen = Seen(engine, state)
        take(referee, seat, action, seen, place)
        compare(referee, engine, state, seen, place)
        positions += 1
    return positions


def take(referee: Referee, seat: int, action: Json, seen: Seen, place: str) -> None:
    """Let the referee carry out an action; it says where if that is impossible."""
    try:
        referee.take(seat, action, seen)
    except Exception as error:
        raise Disagreement(f"{place}: the referee cannot follow: {error!r}") from error


def compare(referee: Referee, engine: AnyEngine, state: State, seen: Seen, place: str) -> None:
    """Compare the position of a referee with that of an engine: legal actions, views, result."""
    for viewer in seen.viewers:
        compare_views(referee, viewer, seen.views[viewer], place)
    for seat in range(int(state.seats)):
        numbers = state.legal_actions(seat)
        theirs = canonical(engine.action_json(state, seat, int(number)) for number in numbers)
        ours = canonical(referee.legal_actions(seat))
        if ours != theirs:
            raise Disagreement(
                f"{place}: the actions of seat {seat}: only the referee permits"
                f" {surplus(ours, theirs)}, only the engine {surplus(theirs, ours)}"
            )
    result = engine.result(state)
    theirs_end = result and Outcome(tuple(result.winners), tuple(result.scores))
    if (ours_end := referee.outcome()) != theirs_end:
        raise Disagreement(f"{place}: the end: the referee {ours_end}, the engine {theirs_end}")


def compare_views(referee: Referee, viewer: Viewer, view: Json, place: str) -> None:
    """Compare all fields of one viewer's view."""
    checked = {name: value for name, value in view.items() if name not in referee.unchecked}
    theirs, ours = referee.unordered(checked), referee.unordered(referee.view(viewer))
    for name in sorted({*theirs, *ours}):
        our_value, their_value = ours.get(name, "no field"), theirs.get(name, "no field")
        if our_value != their_value and canonical([our_value]) != canonical([their_value]):
            raise Disagreement(
                f"{place}: {name} as viewer {viewer} sees it: the referee {our_value},"
                f" the engine {their_value}"
            )


def canonical(documents: Iterable[Json]) -> list[str]:
    """Documents as sorted lines, in which equal ones are equal."""
    return sorted(json.dumps(document, sort_keys=True) for document in documents)


def surplus(lines: list[str], others: list[str]) -> str:
    """The lines that occur in one list more often than in the other."""
    left = list(lines)
    for line in others:
        if line in left:
            left.remove(line)
    return ", ".join(left) or "none"


def check_games(kind: type[Referee], version: int, count: int) -> int:
    """Check the first games of one version; the number of positions."""
    return sum(check_game(kind, refereed_game(kind.slug, version, seed)) for seed in range(count))

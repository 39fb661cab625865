"""Pairs of worlds: a bot does the same in two worlds that its seat cannot distinguish, or something
leaks.

A pair is one decision in two worlds: the true one, and another in which all information hidden from
the seat differs. The worlds that a bot imagines, its visits and values for each action, its action
and the number of draws it uses must be equal in both.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import count, islice
from typing import Any, Final

from ai.bot_kinds import Bot, Budget, MctsBot
from ai.bot_registry import create_bot, create_evaluator
from tabularium_engines.base import AnyEngine, Rng, State
from tabularium_engines.builds import compiled_engines
from tabularium_engines.common.random_generators import FastRng
from tabularium_engines.installed.registry import ENGINES
from tabularium_engines.promises.random_games import Position, play
from tabularium_engines.promises.variants import Table, tables
from tabularium_engines.search.ismcts import Search
from tabularium_engines.search.playout import Evaluator, RandomRolloutEvaluator

SIMULATIONS: Final = 30
WORLDS: Final = (0, 1, 7)  # worlds of a search that are compared, by number
MOST: Final = 8  # positions of one game
FAR: Final = 1 << 40  # seeds with which no test's game begins
EXPLORATION: Final = 0.4
IS_COMPILED: Final = compiled_engines.engine_mode() == "compiled"
SWIFT: Final = tuple(ENGINES) if IS_COMPILED else ("law_of_the_dice", "law")  # the others take long


@dataclass(frozen=True)
class Pair:
    """One decision in two worlds that its seat cannot distinguish."""

    table: Table
    seat: int
    seed: int
    seq: int
    truth: State
    other: State
    is_imagined: bool  # whether the other world is imagined from the view or re-dealt in place

    def __str__(self) -> str:
        return f"{self.table}, game {self.seed}, entry {self.seq}, seat {self.seat}"

    def is_different(self) -> bool:
        """Whether the two differ. They cannot where all is known or still to be drawn."""
        return bool(self.truth.contents() != self.other.contents())

    def searchable(self) -> tuple[State, State]:
        """The two states from which a search begins. A re-dealt state may count as a world within a
        search, which is searched less: so if one is re-dealt, both are."""
        if self.is_imagined:
            return self.truth, self.other
        redealt = self.truth.clone()
        redealt.determinize(self.seat, FastRng(FAR - 1 - self.seed))
        return redealt, self.other


# -- the pairs ------------------------------------------------------------------------------------


def pairs(engine: AnyEngine, number: int) -> list[Pair]:
    """A number of pairs, from random games at all tables in turn."""
    laid = tables(engine)
    laid = laid[:: max(1, len(laid) // number)]
    each = max(1, min(MOST, number // len(laid)))
    endless = (pair for game in count() for table in laid for pair in of_game(table, game, each))
    return list(islice(endless, number))


def of_game(table: Table, game: int, each: int) -> Iterator[Pair]:
    """Pairs from about `each` positions of a random game, with rare moments over-represented."""
    positions = play(table.engine, table.options, table.seats, game).sample(each)
    chance = FastRng(FAR + game)
    for _ in range(min(each, len(positions))):
        position = positions.pop(chance.below(len(positions)))
        yield from of_position(table, game, position)


def of_position(table: Table, game: int, position: Position) -> Iterator[Pair]:
    """A pair for each seat that has a choice: re-dealt in place, or imagined from its view."""
    truth = position.state
    for seat in table.engine.awaited_seats(truth):
        if len(truth.legal_actions(seat)) == 1:
            continue
        chance = FastRng(FAR + game * 1009 + position.seq)
        is_imagined = chance.below(2) == 1
        if is_imagined:
            other = table.engine.imagine(table.engine.view(truth, seat), chance)
        else:
            other = truth.clone()
            other.determinize(seat, chance)
        yield Pair(table, seat, game, position.seq, truth, other, is_imagined)


# -- the compared values --------------------------------------------------------------------------


class Watched:
    """The engine as a bot is given it, recording every world that the bot imagines."""

    def __init__(self, engine: AnyEngine) -> None:
        self._engine = engine
        self.about = engine.about
        self.worlds: list[Any] = []

    def imagine(self, view: Any, rng: Rng) -> State:
        """The engine's imagined world, recorded."""
        world: State = self._engine.imagine(view, rng)
        self.worlds.append(world.contents())
        return world

    def decode(self, state: State, seat: int, action: int) -> Any:
        """The engine's decoded action."""
        return self._engine.decode(state, seat, action)


def bot_results(engine: AnyEngine, bot: Bot, state: State, seat: int, seed: int) -> dict[str, Any]:
    """Everything that a bot computes from a seat's view of this world."""
    watched_engine: Any = Watched(engine)
    rng = FastRng(seed)
    view = engine.view(state, seat)
    decision = bot.choose(watched_engine, view, rng, Budget(simulations=SIMULATIONS))
    return {
        "view": view,
        "worlds": watched_engine.worlds,
        "action": decision.action,
        "simulations": decision.simulations,
        "visits": [estimate.visits for estimate in decision.estimates],
        "values": [estimate.value for estimate in decision.estimates],
        "tried": [estimate.action for estimate in decision.estimates],
        "draws": int(rng.below(FAR >> 10)),
    }


def search_results(state: State, seat: int, judge: Evaluator, seed: int) -> dict[str, Any]:
    """Everything that a search from this world computes; it may use no more than its seat knows."""
    search = Search(state.clone(), seat, judge, FastRng(seed), EXPLORATION)
    search.run(SIMULATIONS)
    return {
        "candidates": [int(action) for action in search.candidates],
        "occasion": int(state.observation_key(seat)),
        "visits": [int(search.visits(action)) for action in search.candidates],
        "values": [search.mean(action) for action in search.candidates],
        "action": int(search.best_action()),
        "worlds": [search.deal_world(number).contents() for number in WORLDS],
    }


def players(slug: str) -> dict[str, Bot]:
    """The bots of a game, by name."""
    return {name: create_bot(name, slug) for name in ("random", "greedy", "mcts")}


def bot_without_heuristic() -> Bot:
    """A bot for games without a heuristic."""
    return MctsBot(RandomRolloutEvaluator(), EXPLORATION)


def judge_of(slug: str) -> Evaluator:
    """The evaluator of a game's search."""
    return create_evaluator(slug)


# -- the checks -----------------------------------------------------------------------------------


def check_bot(pairs: Iterable[Pair], bot: Bot) -> None:
    """A bot computes the same in both worlds of every pair."""
    for pair in pairs:
        engine = pair.table.engine
        seed = pair.seed * 7919 + pair.seq
        first, second = (
            bot_results(engine, bot, world, pair.seat, seed) for world in (pair.truth, pair.other)
        )
        check_equal(pair, first, second)


def check_search(pairs: Iterable[Pair], judge: Evaluator) -> None:
    """A search computes the same in both worlds of every pair, even when it is given the full
    states."""
    for pair in pairs:
        seed = pair.seed * 7919 + pair.seq
        first, second = (
            search_results(world, pair.seat, judge, seed) for world in pair.searchable()
        )
        check_equal(pair, first, second)


def check_equal(pair: Pair, first: dict[str, Any], second: dict[str, Any]) -> None:
    """The two sets of results are equal."""
    differing = [name for name in first if first[name] != second[name]]
    assert not differing, f"{pair}: what is hidden shows in the {', '.join(differing)}"

"""What does a bot make of two worlds that its seat cannot tell apart? The same, or something leaks.

A pair is one decision in two worlds: the true one, and another in which everything that the seat
cannot know lies elsewhere. What a bot imagines, how often it tries what, what it finds that worth,
what it does and how many random numbers it uses must be equal in both.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import count, islice
from typing import Any, Final

from ai.bot_registry import create_bot, create_evaluator
from ai.bot_types import Bot, Budget, MctsBot
from ai.search.ismcts import Search
from ai.search.playout import Evaluator, RandomRolloutEvaluator
from games import compiled_engines
from games.engines.base import Engine, Rng, State
from games.engines.common.rng import FastRng
from games.registry import ENGINES
from tests.engines.playing import Position, play
from tests.engines.variants import Table, tables

SIMULATIONS: Final = 30
WORLDS: Final = (0, 1, 7)  # numbers of worlds of a search that are compared
MOST: Final = 8  # positions of one game
FAR: Final = 1 << 40  # seeds that no game of the tests begins with
EXPLORATION: Final = 0.4
IS_COMPILED: Final = compiled_engines.engine_mode() == "compiled"
SWIFT: Final = tuple(ENGINES) if IS_COMPILED else ("law_of_the_dice", "law")  # the others take long

Rules = Engine[Any, Any]


@dataclass(frozen=True)
class Pair:
    """One decision in two worlds between which its seat cannot tell."""

    table: Table
    seat: int
    seed: int
    seq: int
    truth: State
    other: State
    is_imagined: bool  # is the other world made from the view, or by dealing again in place?

    def __str__(self) -> str:
        return f"{self.table}, game {self.seed}, entry {self.seq}, seat {self.seat}"

    def is_different(self) -> bool:
        """Do the two differ at all? Where all is known, or still to be drawn, they cannot."""
        return bool(self.truth.contents() != self.other.contents())

    def searchable(self) -> tuple[State, State]:
        """The two for a search to begin from. What is dealt again in place may take itself for a
        world within a search, which is thought about less: then both are."""
        if self.is_imagined:
            return self.truth, self.other
        redealt = self.truth.clone()
        redealt.determinize(self.seat, FastRng(FAR - 1 - self.seed))
        return redealt, self.other


# -- the pairs ------------------------------------------------------------------------------------


def pairs(engine: Rules, number: int) -> list[Pair]:
    """So many pairs, from random games at all tables in turn."""
    laid = tables(engine)
    laid = laid[:: max(1, len(laid) // number)]
    each = max(1, min(MOST, number // len(laid)))
    endless = (pair for game in count() for table in laid for pair in of_game(table, game, each))
    return list(islice(endless, number))


def of_game(table: Table, game: int, each: int) -> Iterator[Pair]:
    """Pairs from about `each` positions of a random game, more often from its rare moments."""
    positions = play(table.engine, table.options, table.seats, game).sample(each)
    chance = FastRng(FAR + game)
    for _ in range(min(each, len(positions))):
        position = positions.pop(chance.below(len(positions)))
        yield from of_position(table, game, position)


def of_position(table: Table, game: int, position: Position) -> Iterator[Pair]:
    """A pair for each seat that has a choice: dealt again in place, or imagined from its view."""
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


# -- what is compared -----------------------------------------------------------------------------


class Watched:
    """The rules as a bot is given them, with every world that it imagines written down."""

    def __init__(self, engine: Rules) -> None:
        self._engine = engine
        self.about = engine.about
        self.worlds: list[Any] = []

    def imagine(self, view: Any, rng: Rng) -> State:
        """A world, as the rules imagine it."""
        world: State = self._engine.imagine(view, rng)
        self.worlds.append(world.contents())
        return world

    def decode(self, state: State, seat: int, action: int) -> Any:
        """An action, as the rules read it."""
        return self._engine.decode(state, seat, action)


def thoughts(engine: Rules, who: Bot, state: State, seat: int, seed: int) -> dict[str, Any]:
    """All that a bot makes of a seat's view of this world."""
    watched: Any = Watched(engine)
    rng = FastRng(seed)
    view = engine.view(state, seat)
    answer = who.choose(watched, view, rng, Budget(simulations=SIMULATIONS))
    return {
        "view": view,
        "worlds": watched.worlds,
        "action": answer.action,
        "simulations": answer.simulations,
        "visits": [tried.visits for tried in answer.estimates],
        "values": [tried.value for tried in answer.estimates],
        "tried": [tried.action for tried in answer.estimates],
        "draws": int(rng.below(FAR >> 10)),
    }


def searched(state: State, seat: int, judge: Evaluator, seed: int) -> dict[str, Any]:
    """All that a search from this very world comes to: it may know no more than its seat does."""
    search = Search(state.clone(), seat, judge, FastRng(seed), EXPLORATION)
    search.run(SIMULATIONS)
    promising = state.promising_actions(seat)
    return {
        "promising": [int(action) for action in promising],
        "occasion": int(state.observation_key(seat)),
        "visits": [int(search.visits(action)) for action in promising],
        "values": [search.mean(action) for action in promising],
        "action": int(search.best_action()),
        "worlds": [search.deal_world(number).contents() for number in WORLDS],
    }


def players(slug: str) -> dict[str, Bot]:
    """The bots of a game, by name."""
    return {name: create_bot(name, slug) for name in ("random", "greedy", "mcts")}


def newcomer() -> Bot:
    """A bot that plays games it has no heuristic for."""
    return MctsBot(RandomRolloutEvaluator(), EXPLORATION)


def judge_of(slug: str) -> Evaluator:
    """What a game's search asks."""
    return create_evaluator(slug)


# -- the checks -----------------------------------------------------------------------------------


def check_bot(found: Iterable[Pair], who: Bot) -> None:
    """A bot makes the same of both worlds of every pair."""
    for pair in found:
        engine = pair.table.engine
        seed = pair.seed * 7919 + pair.seq
        first, second = (
            thoughts(engine, who, world, pair.seat, seed) for world in (pair.truth, pair.other)
        )
        check_equal(pair, first, second)


def check_search(found: Iterable[Pair], judge: Evaluator) -> None:
    """A search makes the same of both worlds of every pair, even where it is given them."""
    for pair in found:
        seed = pair.seed * 7919 + pair.seq
        first, second = (searched(world, pair.seat, judge, seed) for world in pair.searchable())
        check_equal(pair, first, second)


def check_equal(pair: Pair, first: dict[str, Any], second: dict[str, Any]) -> None:
    """Nothing differs."""
    told = [name for name in first if first[name] != second[name]]
    assert not told, f"{pair}: what is hidden shows in the {', '.join(told)}"

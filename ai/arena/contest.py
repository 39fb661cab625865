"""A contest: one bot against another over many deals, on as many processes as there are cores. The
challenger plays each deal at every seat in turn, against one opponent at all the others."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from concurrent.futures import ProcessPoolExecutor
from contextlib import ExitStack
from dataclasses import dataclass
from itertools import islice
from multiprocessing import get_context
from typing import Any, TypeVar

from ai.arena.contestants import DEFAULT_THINKING_SECONDS, Contestant, parse_contestant
from ai.arena.statistics import Block, Score, score_blocks
from tabularium_engines.base import AnyEngine
from tabularium_engines.common.random_generators import FastRng
from tabularium_engines.installed.registry import find_engine


@dataclass(frozen=True)
class Match:
    """A challenger and the seats that win with it; the same opponent at all other seats."""

    engine: AnyEngine
    options: Any
    seats: int
    challenger: Contestant
    opponent: Contestant

    def play_block(self, deal: int) -> Block:
        """One deal with the challenger at each seat. Where all seats win together there is no
        opponent to beat: the challengers play the deal once and the opponents once, for
        comparison."""
        sides = self._sides_of_deal(deal)
        if len(sides[0]) == self.seats:
            challengers_return, opponents_return = (
                self._play_game(deal, sides[0], 0),
                self._play_game(deal, frozenset(), 0),
            )
            return Block((challengers_return / self.seats,), opponents_return / self.seats)
        shares = tuple(self._play_game(deal, side, seat) for seat, side in enumerate(sides))
        return Block(shares, len(sides[0]) / self.seats)

    def play_one(self, deal: int, seat: int) -> float:
        """The return of the challenger's side in one game, with the challenger at that seat."""
        return self._play_game(deal, self._sides_of_deal(deal)[seat], seat)

    def _sides_of_deal(self, deal: int) -> list[frozenset[int]]:
        """The seats that win together with each seat."""
        state = self._deal_game(deal, FastRng(deal))
        masks = [int(state.team_of(seat)) for seat in range(self.seats)]
        return [frozenset(s for s in range(self.seats) if mask >> s & 1) for mask in masks]

    def _deal_game(self, deal: int, chance: FastRng) -> Any:
        return self.engine.start(self.options, self.seats, chance)

    def _play_game(self, deal: int, challengers: frozenset[int], seat: int) -> float:
        """The challengers' total return (without challengers: that of all seats). Bots have a
        random generator of their own, so that the table's draws do not depend on how long they
        think."""
        chance, bot_rng = FastRng(deal), FastRng(~(deal * 16 + seat) & 0xFFFFFFFFFF)
        state, reacted = self._deal_game(deal, chance), 0

        def choose(seat: int) -> Any:
            bot = self.challenger if seat in challengers else self.opponent
            return bot.choose_action(self.engine, state, seat, bot_rng)

        while state.to_act:
            acting_seat, action = next_action(self.engine, state, reacted, choose)
            reacted = self.engine.reacted_after(state, reacted, acting_seat)
            state.apply(acting_seat, self.engine.encode(state, acting_seat, action), chance)
        returns: list[float] = state.returns()
        return sum(returns[seat] for seat in challengers or range(self.seats))


def next_action(
    engine: AnyEngine, state: Any, reacted: int, choose: Callable[[int], Any]
) -> tuple[int, Any]:
    """The seat that acts next and its action: the first that chooses to react and has not reacted
    yet, or else the seat that is awaited."""
    awaited_seat = engine.awaited_seats(state)[0]
    for seat in engine.reacting_seats(state):
        if seat != awaited_seat and not reacted >> seat & 1 and state.legal_actions(seat):
            action = choose(seat)
            if action is not None:
                return seat, action
    return awaited_seat, choose(awaited_seat)


T = TypeVar("T")


def play_deals(play: Callable[[int], T], first: int, jobs: int) -> Iterator[T]:
    """The results of deal after deal, in order, on as many processes, until the caller stops."""
    deals = iter(range(first, 2**40))
    if jobs == 1:
        yield from map(play, deals)
        return
    with ExitStack() as exits:
        pool = exits.enter_context(ProcessPoolExecutor(jobs, get_context("spawn")))
        exits.callback(pool.shutdown, wait=False, cancel_futures=True)
        futures = [pool.submit(play, deal) for deal in islice(deals, 2 * jobs)]
        while True:
            future = futures.pop(0)
            futures.append(pool.submit(play, next(deals)))
            yield future.result()


@dataclass(frozen=True)
class Contest:
    """Two bots and the table they play at; small enough to be sent to another process."""

    slug: str
    challenger: str
    opponent: str
    seats: int
    options: Any = None  # the game's options dataclass; None: the default variant
    seconds: float = DEFAULT_THINKING_SECONDS
    version: int | None = None  # of the rules; None: the newest

    @property
    def engine(self) -> AnyEngine:
        """The engine of the game."""
        return find_engine(self.slug, self.version)

    def play_block(self, deal: int) -> Block:
        """One deal, from each seat."""
        return self._create_match().play_block(deal)

    def play_blocks(self, games: int, first: int = 0, jobs: int = 1) -> Iterator[Block]:
        """Deal after deal, in order, until at least that many games have been played."""
        count = 0
        for block in play_deals(self.play_block, first, jobs):
            yield block
            count += len(block.shares)
            if count >= games:
                return

    def play_and_score(self, games: int, first: int = 0, jobs: int = 1) -> Score:
        """The challenger's score over at least that many games."""
        return score_blocks(list(self.play_blocks(games, first, jobs)))

    def _create_match(self) -> Match:
        options = self.engine.about.options() if self.options is None else self.options
        players = [
            parse_contestant(name, self.slug, self.seconds, self.version)
            for name in (self.challenger, self.opponent)
        ]
        return Match(self.engine, options, self.seats, *players)

"""A contest: one bot against another over many deals, on as many processes as there are cores."""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from contextlib import ExitStack
from dataclasses import dataclass
from itertools import islice
from multiprocessing import get_context
from typing import Any, Final

from ai.arena.paired_games import Contestant, Match
from ai.arena.parallel_bot import ParallelBot
from ai.arena.perfect_information import PerfectInformationBot
from ai.arena.statistics import Block, Score, score_blocks
from ai.bot_registry import bot_budget, create_bot, create_searcher
from ai.bot_types import Budget
from games.registry import ENGINES

DEFAULT_THINKING_SECONDS: Final = 0.2  # per decision, for a bot without a number of simulations


def parse_contestant(name: str, slug: str, seconds: float = DEFAULT_THINKING_SECONDS) -> Contestant:
    """A bot by its name, optionally with its number of simulations, "mcts:1000", or that many in
    each of several workers, "mcts:1000*2". With a number there is no time limit. "peeking:1000" is
    the same search with perfect information."""
    kind, _, given = name.partition(":")
    number, _, parts = given.partition("*")
    simulations = int(number) if number else bot_budget(kind, slug).simulations
    peeks = kind == PerfectInformationBot.name
    player = create_searcher(slug, PerfectInformationBot) if peeks else create_bot(kind, slug)
    if parts and (kind != "mcts" or int(parts) < 1):
        raise ValueError(f"{name}: only searches can be divided, and into at least one part.")
    player = ParallelBot(player, int(parts)) if parts else player
    allowed = Budget(0.0 if simulations else seconds, simulations)
    return Contestant(player, allowed, peeks)


@dataclass(frozen=True)
class Contest:
    """Two bots and the table they play at; small enough to be sent to another process."""

    slug: str
    challenger: str
    opponent: str
    seats: int
    options: Any = None  # the game's options dataclass; None: the default variant
    seconds: float = DEFAULT_THINKING_SECONDS

    def play_block(self, deal: int) -> Block:
        """One deal, from each seat."""
        return self._create_match().play_block(deal)

    def play_blocks(self, games: int, first: int = 0, jobs: int = 1) -> Iterator[Block]:
        """Deal after deal, in order, until at least that many games have been played."""
        played = 0
        for block in self._play_endlessly(first, jobs):
            yield block
            played += len(block.shares)
            if played >= games:
                return

    def play_and_score(self, games: int, first: int = 0, jobs: int = 1) -> Score:
        """The challenger's score over at least that many games."""
        return score_blocks(list(self.play_blocks(games, first, jobs)))

    def _play_endlessly(self, first: int, jobs: int) -> Iterator[Block]:
        """Deal after deal, until the caller stops."""
        deals = iter(range(first, 2**40))
        if jobs == 1:
            yield from map(self.play_block, deals)
            return
        with ExitStack() as exits:
            pool = exits.enter_context(ProcessPoolExecutor(jobs, get_context("spawn")))
            exits.callback(pool.shutdown, wait=False, cancel_futures=True)
            waiting = [pool.submit(self.play_block, deal) for deal in islice(deals, 2 * jobs)]
            while True:
                done = waiting.pop(0)
                waiting.append(pool.submit(self.play_block, next(deals)))
                yield done.result()

    def _create_match(self) -> Match:
        engine = ENGINES[self.slug]
        options = engine.about.options() if self.options is None else self.options
        names = self.challenger, self.opponent
        players = [parse_contestant(name, self.slug, self.seconds) for name in names]
        return Match(engine, options, self.seats, *players)

"""The verification of many stored games by several processes. The verdicts and their order do not
depend on how many there are."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from itertools import chain
from math import ceil
from multiprocessing import get_context
from random import Random
from typing import Final, TypeVar

import django

from games.audit import quick_verifier
from tabularium_log.audit.verdict import Verdict

T = TypeVar("T")
R = TypeVar("R")
SHARE: Final = 200  # games that a process is given at a time


def verify_games(games: Sequence[str], jobs: int) -> Iterator[Verdict]:
    """The verdict on each of these games, in order; raises UnknownGame."""
    shares = [games[first : first + SHARE] for first in range(0, len(games), SHARE)]
    if jobs == 1 or len(shares) <= 1:
        yield from quick_verifier.verify_games(games)
        return
    yield from chain.from_iterable(map_in_processes(_verify_share, shares, jobs))


def map_in_processes(run: Callable[[T], R], tasks: Iterable[T], jobs: int) -> Iterator[R]:
    """The results of a function for these tasks, in order, by so many processes: new interpreters,
    since a fork would share the connections to the database."""
    with ProcessPoolExecutor(jobs, get_context("spawn"), initializer=django.setup) as pool:
        yield from pool.map(run, tasks)


def _verify_share(games: Sequence[str]) -> list[Verdict]:
    return list(quick_verifier.verify_games(games))


def sample_games(games: Sequence[str], percent: float, seed: int) -> list[str]:
    """So many of the games, rounded up, in their order; the seed decides which."""
    places = Random(seed).sample(range(len(games)), ceil(len(games) * percent / 100))
    return [games[place] for place in sorted(places)]

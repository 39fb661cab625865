"""A process that ends and counts rated games while others do the same."""

from __future__ import annotations

import sys
from random import Random
from typing import Any

from games.models import Account
from games.ratings import rating_fold
from jobs import rating_dispatch
from tests.games.ratings.contests import SLUG, won


def main(arguments: list[str]) -> None:
    """Arguments: the number of games, and the players. Wait for a line on stdin, so that all
    processes start at once."""
    games, *players = arguments
    enqueue: Any = lambda message: None  # noqa: E731  # no worker: these processes count
    rating_dispatch.outbox.enqueue = enqueue  # type: ignore[method-assign]
    accounts = list(Account.objects.filter(pk__in=players).order_by("pk"))
    chance = Random(players.index(accounts[0].pk))
    sys.stdout.write("ready\n")
    sys.stdout.flush()
    sys.stdin.readline()
    for _ in range(int(games)):
        won(*chance.sample(accounts, 2))
        rating_fold.count_games(SLUG)

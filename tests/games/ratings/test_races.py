"""The ratings are one fold although games end and are counted in several processes at once."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from games.models import Account, Rating
from games.ratings import rating_fold
from tests.games.ratings.contests import SLUG, accounts, latest
from tests.support.databases import Kept

pytestmark = pytest.mark.stores

PROCESSES = 3


def test_processes_that_count_at_once_keep_one_fold(
    kept_here: Kept, games_count: Callable[[int, int], int]
) -> None:
    games = games_count(6, 200)
    players = [account.pk for account in accounts(4)]
    orders = [players[number:] + players[:number] for number in range(PROCESSES)]
    running = [
        kept_here.process("tests.games.ratings.racing", str(games), *order) for order in orders
    ]
    for process in running:
        assert process.stdout
        assert process.stdout.readline() == "ready\n"
    for process in running:
        assert process.stdin
        process.stdin.write("go\n")
        process.stdin.flush()
    for process in running:
        process.communicate()
        assert process.returncode == 0
    rating_fold.count_games(SLUG)
    assert rating_fold.check_consistency(SLUG) == rating_fold.ConsistencyReport(
        PROCESSES * games, 0, 0
    )
    assert Rating.objects.count() == 2 * PROCESSES * games
    assert sum(games for games, _ in latest().values()) == 2 * PROCESSES * games
    assert Account.objects.count() == len(latest())

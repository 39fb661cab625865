"""For docs/monitor.py, games that `lost/1` leaves count may be missing, and no more of them, over
all rounds together."""

from __future__ import annotations

import json
import shutil
from itertools import combinations

import pytest

from tests.record.lying_server import World, WorldServer, status
from tests.record.monitoring import Watcher
from tests.record.tamperings import lost_leaf

GAMES = (2, 3, 5, 6)  # the leaves of public games; the leaves 4 and 7 are blinded


def let_go(world: World, numbers: tuple[int, ...]) -> None:
    """The games of these leaves alone are gone."""
    world.lies = {
        f"/api/v1/games/{world.game_of(number).id}/export": status(404) for number in numbers
    }


def may_be_missing(numbers: tuple[int, ...], lost: list[tuple[int, int]]) -> bool:
    """Whether each game has a leaf after it that counts it: by trying all assignments."""
    if not numbers:
        return True
    first, *rest = numbers
    return any(
        place > first
        and count
        and may_be_missing(tuple(rest), [*lost[:at], (place, count - 1), *lost[at + 1 :]])
        for at, (place, count) in enumerate(lost)
    )


@pytest.mark.lane("slow", core=2)
@pytest.mark.parametrize("counts", [(1,), (2,), (4,), (9,), (1, 1), (2, 1), (1, 2)])
def test_no_more_than_were_said(
    counts: tuple[int, ...], server: WorldServer, watcher: Watcher
) -> None:
    """The first leaf about lost games is behind four of the games, each further one behind a game
    more."""
    world = server.world
    lost, games = [], [*GAMES]
    for number, count in enumerate(counts):
        if number:
            world.grow(1)
            games.append(len(world.leaves) - 1)
        lost.append((len(world.leaves), count))
        leaf = json.loads(lost_leaf(count)) | {"because": f"restore {number}"}
        world.leaves.append(json.dumps(leaf, sort_keys=True, separators=(",", ":")).encode())
    missed = 0
    for size in range(len(games) + 1):
        for gone in combinations(games, size):
            shutil.rmtree(watcher.folder, ignore_errors=True)
            let_go(world, gone)
            seen = watcher.round("--all")
            assert (seen.names == []) == may_be_missing(gone, lost), gone
            missed += len(seen.names)
    assert bool(missed) == (sum(counts) < len(games))


def test_over_all_rounds(server: WorldServer, watcher: Watcher) -> None:
    server.world.leaves.append(lost_leaf(2))
    for gone, missing in (((2,), 0), ((5,), 0), ((2,), 0), ((3,), 1), ((), 0), ((2, 3, 5), 1)):
        let_go(server.world, gone)
        assert watcher.round("--all").names == ["missing-game"] * missing, gone


def test_not_before_the_leaf(server: WorldServer, watcher: Watcher) -> None:
    let_go(server.world, (2,))
    assert watcher.round("--all").names == ["missing-game"]
    server.world.leaves.append(lost_leaf(1))
    assert watcher.round("--all").names == []

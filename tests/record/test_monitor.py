"""docs/monitor.py finds each kind of tampering, under its right name."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.record.lying_server import World, WorldServer, serving_world
from tests.record.monitoring import MONITOR, Watcher
from tests.record.tamperings import CASES, GAMES, REPLIES, Case


@pytest.fixture(scope="module")
def server() -> Iterator[WorldServer]:
    """A server, whose world each test exchanges."""
    with serving_world(World(0)) as server:
        yield server


@pytest.mark.lane("slow", core=12)
@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_a_kind_of_tampering(
    case: Case, server: WorldServer, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    world = server.world = World(case.games)
    follower = Watcher(server.url, tmp_path / "follower", capsys)
    assert follower.round("--sample=0").names == []
    leaves, note = [*world.leaves], world.note()
    case.change(world)
    beginner = Watcher(server.url, tmp_path / "beginner", capsys)
    third = Watcher(server.url, tmp_path / "third", capsys)
    rounds = [
        beginner.round("--all"),
        third.round("--all", "--peer", str(follower.folder)),
        follower.round("--all"),
        follower.round("--all"),
    ]
    names = [",".join(each.names) for each in rounds]
    assert names == [case.beginner, case.peer, case.follower, case.follower]
    for seen in rounds:
        for finding in seen.line["findings"]:
            assert (Path(finding["evidence"]) / "finding").read_text().startswith(finding["name"])
        expected = {"": 0, "unreachable": 3}.get(",".join(seen.names))
        assert seen.code == (MONITOR.CODES[seen.names[0]] if expected is None else expected)
    if not names[-1] or case not in [*GAMES, *REPLIES]:
        follower.check_whole(leaves, note)

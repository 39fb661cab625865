"""The folder of docs/monitor.py: a monitor that is killed at any point goes on, evidence is kept
once, and a folder that is damaged or in use is refused."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from collections.abc import Callable
from itertools import count
from pathlib import Path
from signal import SIGKILL

import pytest

from record.tiles import Growth, MemoryTiles, Place
from record.tree import tree_root
from tabularium_log.record.checkpoint import parse_checkpoint
from tabularium_log.record.game_leaves import leaf_text
from tabularium_log.record.hashes import leaf_hash
from tabularium_log.record.note import Signer, parse_note
from tests.record import killed_monitor
from tests.record.lying_server import World, WorldServer, always, key_leaf, status
from tests.record.monitoring import MONITOR, SEED, Watcher
from tests.record.recording import KEY, ORIGIN


def grown(world: World) -> None:
    """More leaves, in more bundles."""
    world.grow(300)


def renamed(world: World) -> None:
    """The record goes on under another name."""
    name = f"{ORIGIN}/2"
    text = leaf_text("origin/1", {"origin": ORIGIN, "size": 8, "root": root_of(world.leaves).hex()})
    world.origin, world.signers = name, [Signer(name, KEY)]
    world.leaves += [text.encode(), key_leaf(world.signers[0])]


def root_of(leaves: list[bytes]) -> bytes:
    """The root of the tree of these leaves."""
    rows = [bytearray()]
    MONITOR.append(rows, b"".join(map(MONITOR.leaf_hash, leaves)))
    return bytes(MONITOR.root_of(rows, len(leaves)))


def killed(point: int, url: str, folder: Path) -> int:
    """The exit code of a round that is killed at a point, unless there are fewer."""
    command = [sys.executable, "-I", "-S", killed_monitor.__file__, str(point), url, str(folder)]
    return subprocess.run(command, stdout=subprocess.DEVNULL, check=False).returncode


@pytest.mark.lane("processes", core=1)
@pytest.mark.parametrize("change", [None, grown, renamed])
def test_a_kill_at_any_point(
    change: Callable[[World], None] | None,
    server: WorldServer,
    watcher: Watcher,
    tmp_path: Path,
    games_count: Callable[[int, int], int],
) -> None:
    if change:
        assert watcher.round("--sample=0").names == []
        change(server.world)
    else:
        watcher.folder.mkdir()
    before = shutil.copytree(watcher.folder, tmp_path / "before")
    for point in count(1, games_count(3, 1)):
        shutil.rmtree(watcher.folder)
        shutil.copytree(before, watcher.folder)
        code = killed(point, server.url, watcher.folder)
        for _ in range(2):
            assert watcher.round("--sample=0").names == []
            watcher.check_whole(server.world.leaves, server.world.note())
        if code == 0:
            break
        assert code == -SIGKILL
    assert point > 20


@pytest.mark.lane("processes")
def test_a_kill_after_a_kill(server: WorldServer, watcher: Watcher) -> None:
    watcher.folder.mkdir()
    for point in range(1, 40, 2):
        server.world.grow(1)
        assert killed(point, server.url, watcher.folder) in (0, -SIGKILL)
    assert watcher.round("--sample=0").names == []
    watcher.check_whole(server.world.leaves, server.world.note())


# -- evidence --------------------------------------------------------------------------------------


def test_both_notes_of_a_fork_are_kept_once(server: WorldServer, watcher: Watcher) -> None:
    watcher.round()
    held = server.world.note()
    server.world.leaves[3] = server.world.new_games(1)[0].leaf
    server.world.listed = []
    for _ in range(3):
        assert watcher.round().names == ["fork"]
    (folder,) = (watcher.folder / "evidence").iterdir()
    assert {path.name for path in folder.iterdir()} == {"finding", "held", "shown"}
    assert (folder / "held").read_bytes() == held
    assert (folder / "shown").read_bytes() == server.world.note()


def test_evidence_of_a_fork_has_the_tiles_of_the_other_tree(
    server: WorldServer, watcher: Watcher
) -> None:
    watcher.round()
    held = server.world.note()
    server.world.leaves[3] = server.world.new_games(1)[0].leaf
    server.world.grow(2)
    seen = watcher.round()
    assert seen.names == ["fork"]
    folder = Path(seen.line["findings"][0]["evidence"])
    assert (folder / "held").read_bytes() == held
    shown = parse_checkpoint(parse_note((folder / "shown").read_bytes()).text)
    tile = (folder / "tile-0-000.p-10").read_bytes()
    store = MemoryTiles()
    store.grow([Growth(Place(0, 0), 0, tile)])
    assert tree_root(store, shown.size) == shown.root
    kept = (watcher.folder / "leaves").read_bytes().splitlines()
    differing = [n for n, leaf in enumerate(kept) if leaf_hash(leaf) != tile[32 * n : 32 * n + 32]]
    assert differing == [3]


def test_evidence_is_limited(
    server: WorldServer, watcher: Watcher, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(MONITOR, "EVIDENCE_FOLDERS", 2)
    monkeypatch.setattr(MONITOR, "EVIDENCE_BYTES", 10)
    watcher.round()
    for number in range(4):
        server.world.lies["/record/checkpoint"] = always(b"%d no note" % number * 100)
        assert watcher.round().names == ["malformed-checkpoint"]
        server.world.lies["/record/checkpoint"] = status(300 + number)
        evidence = watcher.round().line["findings"][0]["evidence"]
        assert evidence.startswith("not kept") == (number > 0)
    folders = [*(watcher.folder / "evidence").iterdir()]
    assert len(folders) == 2
    for folder in folders:
        kept = [path for path in folder.iterdir() if path.name != "finding"]
        assert all(path.stat().st_size <= 10 for path in kept)


# -- a folder that is refused ----------------------------------------------------------------------


def refused(watcher: Watcher, capsys: pytest.CaptureFixture[str]) -> str:
    """The sentence with which a folder is refused."""
    assert MONITOR.main([watcher.url, "--state", str(watcher.folder), SEED]) == 2
    output = capsys.readouterr()
    assert not output.out
    return output.err


def truncated(folder: Path) -> None:
    """A leaf is gone."""
    raw = (folder / "leaves").read_bytes()
    (folder / "leaves").write_bytes(raw[:-50])


def edited(folder: Path) -> None:
    """A leaf is another one."""
    raw = (folder / "leaves").read_bytes()
    (folder / "leaves").write_bytes(raw.replace(b'"version":2', b'"version":3', 1))


def torn(folder: Path) -> None:
    """Half of the state was written."""
    raw = (folder / "state.json").read_bytes()
    (folder / "state.json").write_bytes(raw[: len(raw) // 2])


def counting(name: str, value: object) -> Callable[[Path], None]:
    """The state has another member."""

    def change(folder: Path) -> None:
        kept = json.loads((folder / "state.json").read_bytes())
        (folder / "state.json").write_text(json.dumps({**kept, name: value}))

    return change


def gone(folder: Path) -> None:
    """The state is gone, and the leaves are there."""
    (folder / "state.json").unlink()


def is_a_list(folder: Path) -> None:
    """The state is no object."""
    (folder / "state.json").write_text("[]")


@pytest.mark.parametrize(
    "change",
    [
        truncated,
        edited,
        torn,
        gone,
        is_a_list,
        counting("bytes", 0),
        counting("bytes", "x"),
        counting("checkpoint", ""),
        counting("leaves", None),
    ],
)
def test_a_damaged_folder(
    change: Callable[[Path], None],
    server: WorldServer,
    watcher: Watcher,
    capsys: pytest.CaptureFixture[str],
) -> None:
    watcher.round()
    change(watcher.folder)
    before = contents(watcher.folder)
    assert "is damaged" in refused(watcher, capsys)
    assert contents(watcher.folder) == before


def contents(folder: Path) -> dict[str, bytes]:
    """The files of a folder."""
    return {path.name: path.read_bytes() for path in folder.iterdir()}


def test_a_folder_in_use(watcher: Watcher, capsys: pytest.CaptureFixture[str]) -> None:
    watcher.round()
    state = MONITOR.State(watcher.folder)
    assert "Another monitor uses" in refused(watcher, capsys)
    state.close()
    assert watcher.round().names == []


def test_a_folder_that_cannot_be_made(
    server: WorldServer, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "file").touch()
    assert refused(Watcher(server.url, tmp_path / "file", capsys), capsys)


def test_a_full_disk(
    server: WorldServer,
    watcher: Watcher,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    watcher.round()
    server.world.grow(1)
    monkeypatch.setattr(MONITOR, "FREE", 1 << 62)
    assert "There is no room for 1 leaves." in refused(watcher, capsys)


def test_a_file_of_a_round_that_did_not_end(server: WorldServer, watcher: Watcher) -> None:
    watcher.round()
    with (watcher.folder / "leaves").open("ab") as file:
        file.write(b"half a le")
    (watcher.folder / "checkpoint").unlink()
    assert watcher.round().names == []
    watcher.check_whole(server.world.leaves, server.world.note())

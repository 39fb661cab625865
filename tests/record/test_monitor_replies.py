"""docs/monitor.py neither hangs nor fills up, however a server answers; its rounds, its output and
its peers."""

from __future__ import annotations

import json
import socket
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from record.tiles import Place, tile_path
from tabularium_log.record.note import Signer
from tests.record.lying_server import (
    DRIPPED_SECONDS,
    ENDLESS,
    Answer,
    Lie,
    World,
    WorldServer,
    always,
    serving_world,
    status,
)
from tests.record.monitoring import MONITOR, SEED, Watcher
from tests.record.recording import ORIGIN, OTHER_KEY

CHECKPOINT = "/record/checkpoint"
SOON = "--timeout=0.3"


def dripping(answer: Answer) -> Answer:
    """The reply, a byte at a time."""
    return replace(answer, body=answer.body * 100, seconds_a_byte=DRIPPED_SECONDS)


def dripping_head(_: Answer) -> Answer:
    """A head without an end, a byte at a time."""
    head = b"HTTP/1.1 200 OK\r\n" + b"A: b\r\n" * 90
    return Answer(b"", raw=head, seconds_a_byte=DRIPPED_SECONDS)


def dripping_line(_: Answer) -> Answer:
    """A first line without an end, a byte at a time."""
    return Answer(b"", raw=b"HTTP/1.1 200 " + b"O" * 5000, seconds_a_byte=DRIPPED_SECONDS)


def hundreds(_: Answer) -> Answer:
    """Interim replies without an end."""
    return Answer(b"", raw=b"HTTP/1.1 100 Continue\r\n\r\n" * 2000, seconds_a_byte=DRIPPED_SECONDS)


def hanging(answer: Answer) -> Answer:
    """No reply, on an open connection."""
    return replace(answer, hangs=True)


def dripping_refusal(answer: Answer) -> Answer:
    """A refusal, a byte at a time."""
    return replace(dripping(answer), status=404)


SLOW: list[Lie] = [
    dripping,
    dripping_head,
    dripping_line,
    hundreds,
    hanging,
    dripping_refusal,
]


@pytest.mark.lane("slow", core=3)
@pytest.mark.parametrize("lie", SLOW)
@pytest.mark.parametrize("path", [CHECKPOINT, "/record/tile/0/000.p/8", "/api/v1/games"])
def test_a_slow_reply_ends(lie: Lie, path: str, server: WorldServer, watcher: Watcher) -> None:
    server.world.lies[path] = lie
    seen = watcher.round(SOON, "--sample=0")
    assert seen.names == ["unreachable"]
    assert seen.code == 3
    server.world.lies = {}
    assert watcher.round("--sample=0").names == []


def test_nothing_listens(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    watcher = Watcher(f"http://127.0.0.1:{port}", tmp_path, capsys)
    assert watcher.round().names == ["unreachable"]


def test_nothing_speaks_tls(
    server: WorldServer, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    watcher = Watcher(server.url.replace("http:", "https:"), tmp_path, capsys)
    assert watcher.round().names == ["unreachable"]


@pytest.mark.parametrize(
    ("path", "limit"),
    [
        (CHECKPOINT, "NOTE_LIMIT"),
        ("/api/v1/games", "LIST_LIMIT"),
        ("/record/tile/0/000.p/8", ""),
        ("/record/tile/entries/000.p/8", "BUNDLE_LIMIT"),
    ],
)
def test_a_reply_without_an_end_is_refused(
    path: str,
    limit: str,
    server: WorldServer,
    watcher: Watcher,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    if limit:
        monkeypatch.setattr(MONITOR, limit, 5000)
    server.world.lies[path] = lambda _: Answer(ENDLESS, has_length=False)
    seen = watcher.round("--sample=0")
    assert seen.names == ["refused-reply"]
    assert "more than" in seen.line["findings"][0]["sentence"]
    assert (
        sum(path.stat().st_size for path in watcher.folder.rglob("*") if path.is_file()) < 1 << 18
    )


def test_waits_have_an_end(
    server: WorldServer, watcher: Watcher, monkeypatch: pytest.MonkeyPatch
) -> None:
    waited: list[float] = []
    clock = SimpleNamespace(**{**vars(MONITOR.time), "sleep": waited.append})
    monkeypatch.setattr(MONITOR, "time", clock)
    server.world.lies[CHECKPOINT] = status(429, Retry_After="100")
    assert watcher.round().names == ["unreachable"]
    assert waited == [100.0] * 9
    assert sum(waited) <= MONITOR.PATIENCE
    for wait in ("-1", "soon", "99999", "0.5"):
        server.world.lies[CHECKPOINT] = status(503, Retry_After=wait)
        assert watcher.round().names == ["unreachable"]
    assert len(waited) == 9


def test_a_round_has_an_end(
    server: WorldServer, watcher: Watcher, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each reply is in time, and there are too many."""
    monkeypatch.setattr(MONITOR, "ROUND", 1000.0)
    real = MONITOR.time.monotonic
    asked = server.world.asked
    clock = {**vars(MONITOR.time), "monotonic": lambda: real() + 200.0 * len(asked)}
    monkeypatch.setattr(MONITOR, "time", SimpleNamespace(**clock))
    server.world.grow(3000)
    seen = watcher.round("--timeout=1000")
    assert seen.names == ["unreachable"]
    assert "takes too long" in seen.line["not_checked"]
    assert 1 <= len(asked) <= 5


def test_findings_have_an_end(
    server: WorldServer, watcher: Watcher, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(MONITOR, "FINDINGS", 3)
    server.world.grow(20)
    server.world.games = {}
    seen = watcher.round("--all")
    assert seen.names == ["missing-game"] * 3
    assert seen.line["checked"] == 4 + 14


def test_lists_have_an_end(
    server: WorldServer, watcher: Watcher, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(MONITOR, "PAGES_OF_ALL", 30)
    items = [{"id": server.world.listed[0][0], "updated": "2100-01-01T00:00:00.000Z"}]
    page = json.dumps({"items": items, "next_cursor": "0"}).encode()
    server.world.lies["/api/v1/games"] = always(page)
    assert watcher.round("--sample=0").line["lately"] == 2 * MONITOR.PAGES
    assert watcher.round("--all").line["lately"] == 2 * 30


def test_more_leaves_than_a_round_may_read(server: WorldServer, watcher: Watcher) -> None:
    assert watcher.round("--most=7").names == ["refused-reply"]
    assert watcher.round("--most=8").names == []
    server.world.grow(3)
    assert watcher.round("--most=3").names == []


# -- rounds ----------------------------------------------------------------------------------------


def rounds_of(
    watcher: Watcher,
    steps: list[Any],
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> tuple[int, list[Any], list[float]]:
    """The exit code of rounds, their lines, and the pauses between them, in which a step is made;
    the last one is interrupted."""
    pauses: list[float] = []

    def sleep(seconds: float) -> None:
        pauses.append(seconds)
        if len(pauses) > len(steps):
            raise KeyboardInterrupt
        steps[len(pauses) - 1]()

    clock = SimpleNamespace(**{**vars(MONITOR.time), "sleep": sleep})
    monkeypatch.setattr(MONITOR, "time", clock)
    words = [watcher.url, "--state", str(watcher.folder), "--json", SEED, "--every=60"]
    code = MONITOR.main(words)
    lines = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    return code, lines, pauses


def test_rounds_go_on_while_the_server_is_away(
    server: WorldServer,
    watcher: Watcher,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    world = server.world

    def leave() -> None:
        world.lies = {CHECKPOINT: status(502)}

    def stay() -> None:
        """Nothing changes."""

    def come_back() -> None:
        world.lies = {}
        world.grow(1)

    steps = [leave, stay, stay, come_back, stay]
    code, lines, pauses = rounds_of(watcher, steps, monkeypatch, capsys)
    assert code == 0
    assert pauses == [60.0, 120.0, 240.0, 480.0, 60.0, 60.0]
    assert [line["code"] for line in lines] == [0, 3, 3, 3, 0, 0]
    assert len({line["seed"] for line in lines if not line["code"]}) == 3


def test_rounds_go_on_after_a_finding(
    server: WorldServer,
    watcher: Watcher,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    world = server.world
    leaves = [*world.leaves]

    def step_back() -> None:
        del world.leaves[-1]

    def come_back() -> None:
        world.leaves = leaves
        world.grow(1)

    code, lines, pauses = rounds_of(watcher, [step_back, come_back], monkeypatch, capsys)
    assert code == MONITOR.CODES["rollback"]
    assert [line["code"] for line in lines] == [0, code, 0]
    assert pauses == [60.0] * 3
    watcher.check_whole(world.leaves, world.note())


def test_the_pause_has_an_end() -> None:
    assert MONITOR.pause_of(60, 10**6) == MONITOR.LONGEST_PAUSE
    assert MONITOR.pause_of(10**5, 10**6) == 10**5


class TestTheSample:
    def test_is_repeated_by_its_seed(self, server: WorldServer, watcher: Watcher) -> None:
        server.world.grow(100)
        asked = []
        for seed in (1, 1, 2):
            server.world.asked.clear()
            line = watcher.round("--sample=5", f"--seed={seed}").line
            assert (line["seed"], line["checked"], line["sample"]) == (f"{seed}/1", 5, 5)
            asked.append([path for path in server.world.asked if path.endswith("/export")])
        assert asked[0] == asked[1] != asked[2]

    def test_is_not_larger_than_the_record(self, server: WorldServer, watcher: Watcher) -> None:
        line = watcher.round("--sample=1000").line
        assert line["checked"] == line["games"] == 4

    def test_may_be_all(self, server: WorldServer, watcher: Watcher) -> None:
        server.world.grow(50)
        line = watcher.round("--all").line
        assert line["checked"] == line["games"] == 4 + 34


def test_text_for_people(
    server: WorldServer, watcher: Watcher, capsys: pytest.CaptureFixture[str]
) -> None:
    words = [watcher.url, "--state", str(watcher.folder), SEED]
    assert MONITOR.main(words) == 0
    output = capsys.readouterr().out
    assert output.startswith(f"{ORIGIN}: 8 leaves, 8 of them new, root ")
    assert "Trusted on first use: " in output
    assert output.endswith("OK: nothing was found.\n")
    server.world.lies[f"/api/v1/games/{server.world.game_of(2).id}/export"] = status(404)
    assert MONITOR.main(words) == MONITOR.CODES["missing-game"]
    output = capsys.readouterr().out
    game = server.world.game_of(2).id
    assert f"MISSING-GAME: The export of {game}, of leaf 2, is refused." in output
    assert "OK" not in output
    server.world.lies = {"/api/v1/games": status(403)}
    assert MONITOR.main(words) == MONITOR.CODES["refused-reply"]
    assert "4 of 4 games with leaves were checked" in capsys.readouterr().out
    server.world.lies[CHECKPOINT] = status(500)
    assert MONITOR.main(words) == 3
    assert capsys.readouterr().out.startswith("NOT checked: ")


def test_text_does_not_steer_a_terminal(
    server: WorldServer, watcher: Watcher, capsys: pytest.CaptureFixture[str]
) -> None:
    server.world.origin = f"{ORIGIN}/\x9b2J\x7f\u202e"
    assert MONITOR.main([watcher.url, "--state", str(watcher.folder), SEED]) != 0
    output = capsys.readouterr().out
    assert "\\x9b2J\\x7f\\u202e" in output
    assert "\x9b" not in output


def test_a_number_of_a_million_digits(server: WorldServer, watcher: Watcher) -> None:
    """It would take hours to read."""
    digits = b"9" * 1_000_000
    for number in (digits, b"0." + digits, digits + b"e1"):
        page = b'{"items":[],"next_cursor":' + number + b"}"
        server.world.lies["/api/v1/games"] = always(page)
        seen = watcher.round("--sample=0")
        assert seen.names == ["refused-reply"]
        assert "too many digits" in seen.line["findings"][0]["sentence"]


@pytest.mark.parametrize(
    "words",
    [
        ["ftp://127.0.0.1"],
        ["http://name:word@127.0.0.1"],
        ["http://127.0.0.1/?a=b"],
        ["http://127.0.0.1/ x"],
        ["127.0.0.1"],
        ["http://127.0.0.1", "--record", "x"],
    ],
)
def test_it_cannot_run(
    words: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert MONITOR.main([*words, "--state", str(tmp_path / "monitor")]) == 2
    assert capsys.readouterr().err
    assert not (tmp_path / "monitor").exists()


# -- peers -----------------------------------------------------------------------------------------


class TestAPeer:
    @pytest.fixture
    def other(self) -> Iterator[WorldServer]:
        """Another address of the server, with a world of its own."""
        with serving_world(World()) as server:
            yield server

    @pytest.mark.parametrize(("here", "there"), [(0, 0), (3, 0), (0, 3), (0, 600), (600, 0)])
    def test_that_sees_the_same(
        self, here: int, there: int, server: WorldServer, other: WorldServer, watcher: Watcher
    ) -> None:
        server.world.grow(here)
        other.world.grow(there)
        seen = watcher.round("--peer", other.url, "--sample=0")
        assert seen.names == []
        assert seen.line["peer"] == 8 + there

    @pytest.mark.parametrize(("here", "there"), [(0, 0), (3, 0), (0, 3), (0, 600), (600, 0)])
    def test_that_sees_another_tree(
        self, here: int, there: int, server: WorldServer, other: WorldServer, watcher: Watcher
    ) -> None:
        server.world.grow(here)
        other.world.leaves[3] = other.world.new_games(1)[0].leaf
        other.world.grow(there)
        seen = watcher.round("--peer", other.url, "--sample=0")
        assert seen.names == ["split-view"]
        evidence = Path(seen.line["findings"][0]["evidence"])
        notes = {path.name: path.read_bytes() for path in evidence.iterdir()}
        assert {server.world.note(), other.world.note()} <= {*notes.values()}

    def test_that_is_a_copy(self, server: WorldServer, watcher: Watcher, tmp_path: Path) -> None:
        copy = tmp_path / "copy"
        path = copy / tile_path(Place(0, 0), 13)
        path.parent.mkdir(parents=True)
        watcher.round("--sample=0")
        size = len(server.world.leaves)
        server.world.grow(5)
        (copy / "checkpoint").write_bytes(server.world.note())
        path.write_bytes(server.world._file(tile_path(Place(0, 0), 13)))
        del server.world.leaves[size:]
        server.world.listed = []
        assert watcher.round("--peer", str(copy), "--sample=0").line["peer"] == 13
        path.write_bytes(bytes(32 * 13))
        assert watcher.round("--peer", str(copy), "--sample=0").names == ["unreachable"]

    @pytest.mark.parametrize(("number", "names"), [(None, []), (3, ["split-view"])])
    def test_that_is_another_monitor(
        self,
        number: int | None,
        names: list[str],
        server: WorldServer,
        watcher: Watcher,
        tmp_path: Path,
        capsys: pytest.CaptureFixture[str],
    ) -> None:
        """It has seen more leaves than are shown now."""
        server.world.grow(600)
        ahead = Watcher(server.url, tmp_path / "ahead", capsys)
        assert ahead.round("--sample=0").names == []
        del server.world.leaves[300:]
        server.world.listed = []
        if number is not None:
            server.world.leaves[number] = server.world.new_games(1)[0].leaf
            server.world.listed = []
        seen = watcher.round("--peer", str(ahead.folder), "--sample=0")
        assert seen.names == names
        assert seen.line["peer"] == 608

    @pytest.mark.parametrize(
        "lie",
        [
            status(404),
            status(302, Location="/"),
            status(500),
            always(b""),
            always(Signer(ORIGIN, OTHER_KEY).key.text.encode()),
        ],
    )
    def test_that_cannot_be_read(
        self, lie: Lie, server: WorldServer, other: WorldServer, watcher: Watcher
    ) -> None:
        other.world.lies[CHECKPOINT] = lie
        seen = watcher.round("--peer", other.url)
        assert (seen.code, seen.names) == (3, ["unreachable"])
        assert seen.line["checked"] == 4

    @pytest.mark.parametrize("name", [ORIGIN, f"{ORIGIN}/2"])
    def test_that_is_of_another_record(
        self, name: str, server: WorldServer, other: WorldServer, watcher: Watcher
    ) -> None:
        other.world.origin = name
        other.world.signers = [Signer(name, OTHER_KEY)]
        seen = watcher.round("--peer", other.url)
        assert seen.names == ["unreachable"]
        assert "is not compared" in seen.line["not_checked"]

"""docs/monitor.py finds nothing where nothing is wrong."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from pathlib import Path
from types import SimpleNamespace

import pytest

from games.audit.stored_game_export import export_lines
from games.models import Game
from record import recovery
from record.copies import FolderSource
from record.signing import latest_checkpoint, sign_due
from tabularium_log.record.note import Signer
from tests.record.lying_server import (
    World,
    WorldServer,
    always,
    key_leaf,
    status,
    time_text,
)
from tests.record.monitoring import MONITOR, Watcher
from tests.record.recording import KEY, ORIGIN, OTHER_KEY, called_off, integrated, leaf_of, leaves
from tests.record.test_recovery import Restored, later

pytestmark = pytest.mark.stores

OTHER = Signer(ORIGIN, OTHER_KEY)


class TestARecord:
    def test_that_grows(self, server: WorldServer, watcher: Watcher) -> None:
        for count in (0, 0, 5, 300, 1, 700):
            server.world.grow(count)
            seen = watcher.round()
            assert (seen.code, seen.names) == (0, [])
            assert seen.line["size"] == len(server.world.leaves)
            watcher.check_whole(server.world.leaves, server.world.note())

    def test_that_fills_a_tile(self, server: WorldServer, watcher: Watcher) -> None:
        for size in (255, 256, 257, 511, 512, 768):
            server.world.grow(size - len(server.world.leaves))
            assert watcher.round("--sample=0").names == []
            watcher.check_whole(server.world.leaves, server.world.note())

    def test_only_new_files_are_read(self, server: WorldServer, watcher: Watcher) -> None:
        server.world.grow(600)
        watcher.round("--sample=0")
        server.world.asked.clear()
        watcher.round("--sample=0")
        assert server.world.asked == ["/record/checkpoint", "/api/v1/games", "/api/v1/games"]
        server.world.grow(1)
        server.world.asked.clear()
        watcher.round("--sample=0")
        assert server.world.asked[1:3] == [
            "/record/tile/0/002.p/97",
            "/record/tile/entries/002.p/97",
        ]

    def test_with_leaves_of_kinds_to_come(self, server: WorldServer, watcher: Watcher) -> None:
        server.world.leaves.append(b'{"at":"x","count":1,"leaf":"heads/1","root":"x"}')
        assert watcher.round().names == []

    def test_with_other_signatures(self, server: WorldServer, watcher: Watcher) -> None:
        """Those of witnesses come and go, with the same tree."""
        for signers in ([OTHER_KEY], []):
            witnesses = [Signer("witness.example/w", key) for key in signers]
            server.world.signers = [Signer(ORIGIN, KEY), *witnesses]
            assert watcher.round().names == []
            watcher.check_whole(server.world.leaves, server.world.note())

    def test_of_games_with_other_entries(self, server: WorldServer, watcher: Watcher) -> None:
        """A game that was not public when it ended has a blinded leaf, and may be listed since."""
        game = server.world.new_games(1)[0]
        server.world.leaves.append(game.blind)
        server.world.grow(310)
        server.world.listed = [(game.id, game.ended)]
        assert watcher.round().names == []
        assert f"/api/v1/games/{game.id}/export" in server.world.asked


class TestAKey:
    def test_that_is_changed(self, server: WorldServer, watcher: Watcher) -> None:
        world = server.world
        assert watcher.round().line["signed_by"] == [Signer(ORIGIN, KEY).key.text]
        world.leaves.append(key_leaf(OTHER))
        world.signers.append(OTHER)
        assert watcher.round().names == []
        world.leaves.append(key_leaf(world.signers[0], retired="2026-02-01T00:00:00.000Z"))
        del world.signers[0]
        for _ in range(2):
            assert watcher.round().names == []
            world.grow(2)

    def test_that_was_given(
        self, server: WorldServer, tmp_path: Path, capsys: pytest.CaptureFixture[str]
    ) -> None:
        for number, key in enumerate((server.world.signers[0].key, OTHER.key)):
            watcher = Watcher(server.url, tmp_path / str(number), capsys)
            for _ in range(2):
                seen = watcher.round("--record", key.text)
                assert seen.names == (["wrong-key"] if number else [])
                assert not any("first use" in notice for notice in seen.line["notices"])

    def test_that_was_seen_first_is_said(self, watcher: Watcher) -> None:
        vkey = Signer(ORIGIN, KEY).key.text
        assert watcher.round().line["notices"] == [f"Trusted on first use: {vkey}."]
        assert watcher.round().line["notices"] == []


def test_a_server_that_stops_lying(server: WorldServer, watcher: Watcher) -> None:
    watcher.round()
    server.world.grow(2)
    for path in ("/record/checkpoint", "/record/tile/0/000.p/10", "/record/tile/entries/000.p/10"):
        server.world.lies = {path: always(b"x")}
        assert watcher.round().code >= 10
    server.world.lies = {}
    assert watcher.round().names == []
    watcher.check_whole(server.world.leaves, server.world.note())


def test_a_limit_is_waited_for(
    server: WorldServer, watcher: Watcher, monkeypatch: pytest.MonkeyPatch
) -> None:
    waited: list[float] = []

    def sleep(seconds: float) -> None:
        waited.append(seconds)
        server.world.lies = {}

    monkeypatch.setattr(MONITOR, "time", SimpleNamespace(**{**vars(MONITOR.time), "sleep": sleep}))
    server.world.lies["/record/tile/0/000.p/8"] = status(429, Retry_After="7")
    assert watcher.round().names == []
    assert waited == [7.0]


class TestThePromise:
    """A game that is over is in the record within 300 seconds."""

    @pytest.fixture(autouse=True)
    def clock(self, monkeypatch: pytest.MonkeyPatch) -> None:
        """A clock that stands still until a test adds seconds."""
        self.later = 0
        start = MONITOR.now()
        monkeypatch.setattr(MONITOR, "now", lambda: start + 1000 * self.later)

    def ends(self, world: World, seconds: int) -> None:
        """A game without a leaf ended so long after the first round."""
        game = world.new_games(1)[0]
        world.listed[-1] = game.id, time_after(MONITOR.now() + 1000 * (seconds - self.later))

    def test_holds_at_first(self, server: WorldServer, watcher: Watcher) -> None:
        assert watcher.round().names == []
        self.ends(server.world, 60)
        for self.later in (60, 200, 350):
            assert watcher.round().names == []

    def test_is_broken(self, server: WorldServer, watcher: Watcher) -> None:
        assert watcher.round().names == []
        self.ends(server.world, 60)
        self.later = 370
        seen = watcher.round()
        assert seen.names == ["stale"]
        assert "has been over for 3" in seen.line["findings"][0]["sentence"]

    def test_is_broken_with_a_log_that_is_refused(
        self, server: WorldServer, watcher: Watcher
    ) -> None:
        watcher.round()
        self.ends(server.world, 60)
        game = server.world.listed[-1][0]
        server.world.lies[f"/api/v1/games/{game}/export"] = status(404)
        self.later = 370
        assert watcher.round().names == ["stale"]

    def test_counts_from_the_import(self, server: WorldServer, watcher: Watcher) -> None:
        watcher.round()
        self.ends(server.world, 60)
        server.world.imported.append(server.world.listed.pop())
        assert watcher.round().names == []
        self.later = 370
        assert watcher.round().names == ["stale"]

    def test_a_game_is_passed_over(self, server: WorldServer, watcher: Watcher) -> None:
        server.world.new_games(1)
        server.world.grow(1)
        assert watcher.round().names == []  # by less than the promised time
        listed = [*server.world.listed]
        server.world.grow(400)
        server.world.listed = listed
        assert watcher.round().names == ["stale"]

    def test_games_from_before_the_first_round_have_an_hour(
        self, server: WorldServer, watcher: Watcher
    ) -> None:
        server.world.new_games(3)
        for self.later, names in ((0, []), (3500, []), (3700, ["stale"] * 3)):
            assert watcher.round().names == names

    def test_lists_are_read_back_to_the_day_before(
        self, server: WorldServer, watcher: Watcher
    ) -> None:
        games = [game for game, _ in server.world.listed] * 150
        for age, pages in ((1, 3), (2 * 24 * 3600 * 1000, 1)):
            server.world.listed = [
                (game, time_after(MONITOR.now() - age - number))
                for number, game in enumerate(games)
            ]
            assert watcher.round("--sample=0").line["lately"] == pages * 200
        assert watcher.round("--all").line["lately"] == 600


def time_after(milliseconds: int) -> str:
    """A time as the service writes it."""
    return time_text(datetime.fromtimestamp(milliseconds / 1000, UTC))


# -- a record in a database ------------------------------------------------------------------------


def world_of_database() -> World:
    """A world with the record of this database, and the exports of its games."""
    world = World(0)
    world.leaves = [row.text.encode() for row in leaves()]
    checkpoint = latest_checkpoint()
    assert checkpoint
    world.lies["/record/checkpoint"] = always(checkpoint.note.encode())
    for game in Game.objects.filter(phase=Game.Phase.OVER).exclude(visibility="private"):
        export = "".join(f"{line}\n" for line in export_lines(game.pk, "onlooker"))
        world.lies[f"/api/v1/games/{game.pk}/export"] = always(export.encode())
    return world


def followed(server: WorldServer, watcher: Watcher, restored: Restored) -> None:
    """Follow the record as it was before the restore."""
    server.world = World(0)
    server.world.leaves = [text.encode() for text in restored.texts]
    server.world.lies["/record/checkpoint"] = always(restored.checkpoint.note.encode())
    assert watcher.round("--sample=0").names == []


@pytest.mark.django_db
class TestARestoredRecord:
    @pytest.fixture
    def restored(self, folder: Path) -> Restored:
        """A record that went back to a dump, in which a game is lost."""
        return Restored(folder)

    def test_that_was_recovered(
        self, restored: Restored, server: WorldServer, watcher: Watcher
    ) -> None:
        followed(server, watcher, restored)
        recovery.recover(FolderSource(restored.copy))
        called_off()
        integrated()
        assert sign_due(later(3))
        server.world = world_of_database()
        assert f"/api/v1/games/{restored.lost}/export" not in server.world.lies
        seen = watcher.round("--all")
        assert seen.names == []
        assert seen.line["checked"] == 3
        assert seen.line["notices"] == ["Leaf 5 says that 1 games were lost."]
        kept = json.loads((watcher.folder / "state.json").read_bytes())
        assert [json.loads(restored.texts[each])["game"] for each in kept["excused"]] == [
            restored.lost
        ]
        assert watcher.round("--all").names == []
        kept_game = f"/api/v1/games/{restored.kept}/export"
        server.world.lies[kept_game] = status(404)  # one more than was said
        assert watcher.round("--all").names == ["missing-game"]

    def test_that_has_a_new_name(
        self, restored: Restored, server: WorldServer, watcher: Watcher
    ) -> None:
        followed(server, watcher, restored)
        name = f"{ORIGIN}/2"
        recovery.begin_anew(name)
        integrated()
        assert sign_due(later(3))
        server.world = world_of_database()
        seen = watcher.round("--all")
        assert seen.names == []
        assert seen.line["notices"] == [
            f"The record goes on as {name}, after 5 leaves of {ORIGIN}: it lacks 1 of their games."
        ]
        assert (watcher.folder / "checkpoint-1").read_text() == restored.checkpoint.note
        for minutes in (5, 7):
            watcher.check_whole(server.world.leaves, note_here())
            called_off()
            integrated()
            assert sign_due(later(minutes))
            server.world = world_of_database()
            assert watcher.round("--all").names == []


def note_here() -> bytes:
    """The checkpoint of this database."""
    checkpoint = latest_checkpoint()
    assert checkpoint
    return checkpoint.note.encode()


@pytest.mark.django_db
def test_exports_of_the_service_have_their_leaves() -> None:
    """The leaves that the monitor makes are those of the service."""
    games = [called_off(visibility) for visibility in ("public", "unlisted", "private")]
    integrated()
    for number, game in enumerate(games):
        raw = "".join(f"{line}\n" for line in export_lines(game, "everything")).encode()
        name, made, _ = MONITOR.leaves_of_export(raw)
        assert name == game
        assert made[min(number, 1)].decode() == leaf_of(game).text

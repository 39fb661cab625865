"""`manage.py backup` and `restore` on SQLite: a copy made while games are played is whole, is
refused if it is damaged, and replaces nothing without being told to."""

from __future__ import annotations

import os
import shutil
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any, Final

import pytest

from bench.ports import free_port
from config.backups import sqlite_file
from tests.config.keys import starting
from tests.config.processes import soon
from tests.support import databases
from tests.support.databases import Kept
from tests.support.served import Mortal

FILE: Final = "tabularium.sqlite3"
TABLE: Final = {"rules": "duel_edged_sword", "seats": [{"kind": "bot", "bot": "random"}] * 4}
GAMES: Final = 4
FULL_DISK: Final = """
import resource, sys
resource.setrlimit(resource.RLIMIT_FSIZE, (100_000, 100_000))
from django.core.management import execute_from_command_line
execute_from_command_line(["manage.py", *sys.argv[1:]])
"""

pytestmark = pytest.mark.skipif(databases.is_on_server(), reason="on SQLite's file alone")


def run(kept: Kept, *words: object, keys: str = "") -> str:
    """The output of a command."""
    process = start(kept, "manage.py", *words, keys=keys)
    assert process.returncode == 0, process.stderr
    return str(process.stdout)


def refusal(kept: Kept, *words: object, keys: str = "") -> str:
    """The complaint of a command, in one line."""
    process = start(kept, "manage.py", *words, keys=keys)
    assert process.returncode == 1, process.stdout
    [line] = process.stderr.splitlines()
    return str(line)


def start(kept: Kept, *words: object, keys: str = "") -> Any:
    """Run Python on this database; `keys` names other keys than those of this process."""
    own = {"TABULARIUM_SEALING_KEYS": keys} if keys else {}
    return starting.run({**kept.environment, **own}, [str(word) for word in words])


def logs(database: Path) -> dict[str, list[tuple[str, bytes]]]:
    """The entries of each game."""
    found: dict[str, list[tuple[str, bytes]]] = {}
    with closing(sqlite3.connect(database)) as connection:
        rows = connection.execute("SELECT game_id, action, box FROM games_entry ORDER BY seq")
        for game, action, box in rows:
            found.setdefault(game, []).append((action, box))
    return found


def elsewhere(folder: Path) -> Kept:
    """A data folder without a database."""
    folder.mkdir()
    return Kept(folder, str(folder / FILE))


@pytest.fixture(scope="module")
def used_template(kept_template: Kept, tmp_path_factory: pytest.TempPathFactory) -> Kept:
    """A database with a game."""
    template = databases.copy_template(kept_template, tmp_path_factory.mktemp("used") / "kept")
    starting.create_game(template.environment)
    return template


@pytest.fixture
def used(used_template: Kept, tmp_path: Path) -> Kept:
    """A copy of that database for this test."""
    return databases.copy_template(used_template, tmp_path / "used")


@pytest.fixture
def backup(used: Kept, tmp_path: Path) -> Path:
    """A back-up of it."""
    run(used, "backup", tmp_path / "backup")
    return tmp_path / "backup"


class Table:
    """A server with games of bots, and the requests of a client."""

    def __init__(self, kept: Kept) -> None:
        self.kept = kept
        self.server = Mortal(kept, free_port(), {"TABULARIUM_LIMITS": "off"})
        assert soon(self.server.is_answering)

    def create(self) -> str:
        """A new game of bots."""
        secret = self.server.post("/guests", {})["secret"]
        return str(self.server.post("/games", TABLE, secret)["id"])

    def seq(self, game: str) -> int:
        """The number of entries that a client has seen."""
        return int(self.server.ask(f"/games/{game}")["seq"])

    def has_gone_on(self, game: str, seq: int) -> bool:
        """Whether a game has gone on beyond an entry, or has ended."""
        return self.seq(game) > seq or self.is_over(game)

    def is_over(self, game: str) -> bool:
        """Whether a game has ended."""
        return bool(self.server.ask(f"/games/{game}")["phase"] == "over")


@pytest.fixture
def playing(kept_template: Kept, tmp_path: Path) -> Iterator[Table]:
    """A server on a database of its own."""
    table = Table(databases.copy_template(kept_template, tmp_path / "playing"))
    yield table
    table.server.stop()


class TestWhilePlaying:
    @pytest.mark.lane("processes")
    def test_all_that_was_seen_is_in_it_and_goes_on(self, playing: Table, tmp_path: Path) -> None:
        seen = {}
        for number in range(GAMES):
            game = playing.create()
            seen[game] = playing.seq(game)
            run(playing.kept, "backup", tmp_path / str(number))
        copy = elsewhere(tmp_path / "elsewhere")
        assert f"{GAMES} games verified; all are good." in run(copy, "restore", tmp_path / "3")
        playing.server.stop()
        now, then = logs(Path(playing.kept.name)), logs(Path(copy.name))
        for game, seq in seen.items():
            assert len(then[game]) >= seq
            assert then[game] == now[game][: len(then[game])]
        table = Table(copy)
        try:
            assert soon(lambda: all(table.has_gone_on(game, len(then[game])) for game in seen))
            assert soon(lambda: any(map(table.is_over, seen)))
        finally:
            table.server.stop()
        assert f"{GAMES} games verified; all are good." in run(copy, "verify")

    def test_it_waits_for_no_writer_and_takes_nothing_uncommitted(
        self, used: Kept, tmp_path: Path
    ) -> None:
        with closing(sqlite3.connect(used.name, isolation_level=None)) as writer:
            writer.execute("BEGIN IMMEDIATE")
            writer.execute("UPDATE games_game SET phase = 'gathering'")
            run(used, "backup", tmp_path / "backup")
            writer.execute("COMMIT")
        with closing(sqlite3.connect(tmp_path / "backup")) as copy:
            assert copy.execute("SELECT phase FROM games_game").fetchall() == [("playing",)]


class TestABackup:
    def test_is_one_file_that_only_its_owner_reads(self, backup: Path) -> None:
        assert backup.stat().st_mode & 0o777 == 0o600
        assert [path.name for path in backup.parent.iterdir() if path.is_file()] == [backup.name]

    def test_tells_what_is_in_it(self, used: Kept, tmp_path: Path) -> None:
        assert "backup: 1 games with " in run(used, "backup", tmp_path / "backup")

    def test_replaces_no_file(self, used: Kept, backup: Path) -> None:
        before = backup.read_bytes()
        assert "exists already" in refusal(used, "backup", backup)
        assert backup.read_bytes() == before

    def test_of_nothing_creates_nothing(self, tmp_path: Path) -> None:
        empty = elsewhere(tmp_path / "empty")
        assert "There is no database" in refusal(empty, "backup", tmp_path / "backup")
        assert not Path(empty.name).exists()
        assert not (tmp_path / "backup").exists()

    def test_into_no_folder(self, used: Kept, tmp_path: Path) -> None:
        missing = tmp_path / "none" / "backup"
        refused = refusal(used, "backup", missing)
        assert f"{missing} cannot be written: No such file or directory." in refused

    def test_on_a_full_disk_leaves_no_file(self, used: Kept, tmp_path: Path) -> None:
        folder = tmp_path / "small"
        folder.mkdir()
        process = start(used, "-c", FULL_DISK, "backup", folder / "backup")
        assert process.returncode == 1
        assert "cannot be written" in process.stderr
        assert not list(folder.iterdir())

    def test_begins_anew_after_one_that_was_cut_off(self, used: Kept, tmp_path: Path) -> None:
        (tmp_path / f"backup{sqlite_file.PART_SUFFIX}").write_bytes(b"half")
        run(used, "backup", tmp_path / "backup")
        assert sqlite_file.check(tmp_path / "backup").games == 1

    def test_of_a_damaged_database_is_refused(self, used: Kept, tmp_path: Path) -> None:
        damage(Path(used.name))
        assert "damaged" in refusal(used, "backup", tmp_path / "backup")
        assert not (tmp_path / "backup").exists()


def damage(database: Path) -> None:
    """Overwrite the page that holds the table of entries."""
    with closing(sqlite3.connect(database)) as connection:
        connection.execute("PRAGMA journal_mode = DELETE")
        [size] = connection.execute("PRAGMA page_size").fetchone()
        query = "SELECT rootpage FROM sqlite_master WHERE name = 'games_entry'"
        [page] = connection.execute(query).fetchone()
    with database.open("r+b") as file:
        file.seek((page - 1) * size)
        file.write(os.urandom(size))


def cut_off(database: Path) -> None:
    """Drop the second half of the file."""
    os.truncate(database, database.stat().st_size // 2)


def empty(database: Path) -> None:
    """Write something else."""
    database.write_text("no database", encoding="ascii")


def lift_guard(database: Path) -> None:
    """Let entries be changed."""
    with closing(sqlite3.connect(database)) as connection:
        connection.execute("DROP TRIGGER entry_update")


def lose_entry(database: Path) -> None:
    """Delete the last entry, and hide the deed."""
    with closing(sqlite3.connect(database)) as connection:
        query = "SELECT sql FROM sqlite_master WHERE name = 'entry_delete'"
        [trigger] = connection.execute(query).fetchone()
        connection.execute("DROP TRIGGER entry_delete")
        last = "(SELECT max(seq) FROM games_entry)"
        connection.execute(f"DELETE FROM games_entry WHERE seq = {last}")
        connection.execute(trigger)
        connection.commit()


class TestARestore:
    @pytest.mark.parametrize(
        ("harm", "complaint"),
        [
            (damage, "damaged|intact"),
            (cut_off, "damaged|intact"),
            (empty, "not an intact database"),
            (lift_guard, "lacks guards of the log: entry_update"),
            (lose_entry, "lacks the last entry of game_"),
            (Path.unlink, "There is no file"),
        ],
    )
    def test_of_a_bad_file_is_refused(
        self, harm: Any, complaint: str, used: Kept, backup: Path
    ) -> None:
        harm(backup)
        before = logs(Path(used.name))
        line = refusal(used, "restore", backup, "--replace")
        assert any(part in line for part in complaint.split("|"))
        assert logs(Path(used.name)) == before
        assert not list(used.folder.glob("*.before-*"))

    def test_replaces_nothing_unasked(self, used: Kept, backup: Path) -> None:
        assert "exists: --replace keeps it" in refusal(used, "restore", backup)

    def test_keeps_what_it_replaces(self, used: Kept, backup: Path) -> None:
        before = logs(Path(used.name))
        run(used, "restore", backup, "--replace")
        [former] = used.folder.glob(f"{FILE}.before-*")
        assert logs(former) == before
        assert logs(Path(used.name)) == before

    def test_of_a_damaged_database(self, used: Kept, backup: Path) -> None:
        damage(Path(used.name))
        assert "1 games verified" in run(used, "restore", backup, "--replace")

    def test_under_a_running_server_is_refused(self, used: Kept, backup: Path) -> None:
        with closing(sqlite3.connect(used.name)) as server:
            server.execute("SELECT count(*) FROM games_game").fetchone()
            assert "stop the server first" in refusal(used, "restore", backup, "--replace")
        assert not list(used.folder.glob("*.before-*"))

    def test_finds_a_forged_log(self, used: Kept, backup: Path, tmp_path: Path) -> None:
        with closing(sqlite3.connect(backup)) as connection:
            query = "SELECT sql FROM sqlite_master WHERE name = 'entry_update'"
            [trigger] = connection.execute(query).fetchone()
            connection.execute("DROP TRIGGER entry_update")
            connection.execute("UPDATE games_entry SET box = x'00' WHERE seq = 2")
            connection.execute(trigger)
            connection.commit()
        copy = elsewhere(tmp_path / "elsewhere")
        process = start(copy, "manage.py", "restore", backup)
        assert process.returncode == 1
        assert "1 of 1 games could not be verified" in process.stderr
        run(elsewhere(tmp_path / "unverified"), "restore", backup, "--unverified")

    def test_beside_other_keys(self, backup: Path, tmp_path: Path) -> None:
        copy = elsewhere(tmp_path / "elsewhere")
        process = start(copy, "manage.py", "restore", backup, keys="ab" * 32)
        assert process.returncode
        assert "1 of 1 games cannot be decrypted" in process.stderr
        line = refusal(copy, "restore", backup, "--replace", "--unverified", keys="ab" * 32)
        assert "The sealing keys of this server (" in line

    def test_takes_no_point_in_time(self, used: Kept, backup: Path) -> None:
        line = refusal(used, "restore", backup, "--until", "2026-11-27T09:30:00Z")
        assert "On SQLite, a back-up is restored as it is" in line

    @pytest.mark.lane("processes")
    def test_with_logs_in_the_old_table(self, used: Kept, tmp_path: Path) -> None:
        for target in (("games", "0013"), ()):
            run(used, "migrate", *target, "--verbosity", "0")
        with closing(sqlite3.connect(used.name)) as connection:
            (entries,) = connection.execute("SELECT count(*) FROM games_oldentry").fetchone()
            assert connection.execute("SELECT count(*) FROM games_entry").fetchone() == (0,)
        assert f"1 games with {entries} entries" in run(used, "backup", tmp_path / "copied")
        copy = elsewhere(tmp_path / "elsewhere")
        assert "1 games verified" in run(copy, "restore", tmp_path / "copied")
        with closing(sqlite3.connect(tmp_path / "copied")) as connection:
            connection.execute("DROP TRIGGER oldentry_delete")
        line = refusal(used, "restore", tmp_path / "copied", "--replace")
        assert "lacks guards of the log: oldentry_delete" in line

    def test_of_an_earlier_version_is_migrated(self, used: Kept, tmp_path: Path) -> None:
        run(used, "migrate", "games", "0012", "--verbosity", "0")
        shutil.copyfile(used.name, tmp_path / "earlier")
        copy = elsewhere(tmp_path / "elsewhere")
        assert "1 games verified" in run(copy, "restore", tmp_path / "earlier")
        assert "[ ]" not in run(copy, "showmigrations")

    @pytest.mark.parametrize(
        "guard",
        ["record_leaf_update", "record_tile_delete", "game_leaf", "record_witnessed_update"],
    )
    def test_without_a_guard_of_the_record(self, used: Kept, tmp_path: Path, guard: str) -> None:
        run(used, "backup", tmp_path / "copied")
        with closing(sqlite3.connect(tmp_path / "copied")) as connection:
            connection.execute(f"DROP TRIGGER {guard}")
        line = refusal(used, "restore", tmp_path / "copied", "--replace")
        assert f"lacks guards of the log: {guard}" in line

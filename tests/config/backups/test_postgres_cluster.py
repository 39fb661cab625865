"""`manage.py backup` and `restore` on PostgreSQL: a server that is lost while games are played
comes back as it was at a point in time, and refusals change nothing."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Final

import psycopg
import pytest

from config.backups import postgres_cluster
from config.backups.problem import BackupProblem
from tests.chaos.stores import Postgres, missing_programs, store_user
from tests.config.keys import starting
from tests.config.processes import soon
from tests.support import databases, warm_interpreter
from tests.support.databases import ROOT, Kept
from tests.support.missing_requirements import skip_or_fail

PAGE: Final = (ROOT / "docs/operating.md").read_text(encoding="utf-8")
ENTRIES: Final = 60  # acknowledged in each step
CODE: Final = (
    "import sys, django; django.setup();"
    "from tests.config.backups.players import main; main(sys.argv[1:])"
)

pytestmark = [
    pytest.mark.lane("processes"),
    pytest.mark.stores,
    pytest.mark.skipif(not databases.is_on_server(), reason="on PostgreSQL alone"),
]

Entry = tuple[str, int, str]  # game, seq, hash


class Archiving(Postgres):
    """A PostgreSQL that keeps the segments of its write-ahead log in a folder."""

    @property
    def archive(self) -> Path:
        """The folder."""
        return self.folder / "archive"

    def command_line(self) -> list[str]:
        [command] = re.findall(r"^archive_command = '(.*)'$", PAGE, re.MULTILINE)
        command = command.replace("/archive/", f"{self.archive}/")
        return [
            *super().command_line(),
            *("-c", "archive_mode=on", "-c", f"archive_command={command}", "-c", "fsync=off"),
        ]

    def value(self, query: str) -> Any:
        """The one value of a query."""
        with psycopg.connect(self.url, autocommit=True) as connection:
            [row] = connection.execute(query).fetchall()
            return row[0]

    def entries(self) -> set[Entry]:
        """All entries that it has."""
        with psycopg.connect(self.url) as connection:
            query = "SELECT game_id, seq, encode(hash, 'hex') FROM games_entry"
            return {(game, seq, digest) for game, seq, digest in connection.execute(query)}


def give_to_its_user(folder: Path) -> None:
    """Make the user of PostgreSQL the owner of all files in a folder."""
    if user := store_user():
        for path in (folder, *folder.rglob("*")):
            shutil.chown(path, user, user)


@dataclass
class Lost:
    """The remains of a server that was killed and whose files are gone."""

    base: Path
    archive: Path
    until: datetime
    kept: Kept  # the keys of the service
    before: list[Entry] = field(default_factory=list)  # acknowledged until then
    after: list[Entry] = field(default_factory=list)


def environment(kept: Kept, url: str) -> dict[str, str]:
    """The environment of a process of the service on another PostgreSQL."""
    return {**kept.environment, "DATABASE_URL": url}


def run(kept: Kept, url: str, *words: object) -> Any:
    """Run a command of the service to its end."""
    command = ["manage.py", *(str(word) for word in words)]
    return starting.run(environment(kept, url), command)


class Players:
    """A process that plays random games, as many actions as it is asked for."""

    def __init__(self, process: subprocess.Popen[str]) -> None:
        assert process.stdin
        assert process.stdout
        self._requests, self._answers = process.stdin, process.stdout

    def ask(self, actions: int) -> None:
        """Let them go on."""
        self._requests.write("\n" * actions)
        self._requests.flush()

    def entries(self, actions: int) -> list[Entry]:
        """The entries of these actions, all acknowledged."""
        lines = [next(self._answers).split() for _ in range(actions)]
        return [(game, int(seq), digest) for game, seq, digest in lines]

    def act(self, actions: int = ENTRIES) -> list[Entry]:
        """Both."""
        self.ask(actions)
        return self.entries(actions)


@contextmanager
def playing(kept: Kept, url: str) -> Iterator[Players]:
    """Players within the block."""
    process = warm_interpreter.Popen(
        [sys.executable, "-c", CODE],
        cwd=ROOT,
        env=environment(kept, url),
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    with process:
        try:
            yield Players(process)
        finally:
            process.kill()


@pytest.fixture(scope="module")
def lost(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Lost]:
    """A server that was backed up while games were played on it, and was lost later."""
    if missing := missing_programs():
        skip_or_fail(f"not installed: {', '.join(missing)}")
    kept = Kept(tmp_path_factory.mktemp("kept"), "")
    folder = Path(tempfile.mkdtemp(prefix="tabularium-"))  # pytest's are closed to other users
    server = Archiving(folder)
    server.archive.mkdir()
    give_to_its_user(folder)
    server.create()
    server.start()
    try:
        yield lose(server, kept)
    finally:
        server.kill()
        shutil.rmtree(folder)


def lose(server: Archiving, kept: Kept) -> Lost:
    """Play, back up, play on, and lose the server."""
    base = server.folder / "base"
    assert run(kept, server.url, "migrate", "--verbosity", "0").returncode == 0
    with playing(kept, server.url) as players:
        before = players.act()
        players.ask(ENTRIES)
        backup = run(kept, server.url, "backup", base)
        assert backup.returncode == 0, backup.stderr
        before += players.entries(ENTRIES) + players.act()
        until = server.value("SELECT clock_timestamp()")
        after = players.act()
        segment = server.value("SELECT pg_walfile_name(pg_switch_wal())")
        assert soon((server.archive / segment).exists)
        server.kill()
    shutil.rmtree(server.folder / "kept")
    return Lost(base, server.archive, until, kept, before, after)


@contextmanager
def recovered(lost: Lost, *options: object) -> Iterator[Archiving]:
    """A server that has recovered within the block."""
    folder = lost.base.with_name(f"recovered-{len(options)}")
    folder.mkdir()
    server = Archiving(folder)
    server.archive.mkdir()
    cluster = folder / "kept"
    restore = run(
        lost.kept, "postgres://nowhere:1/x", "restore", lost.base, "--to", cluster, *options
    )
    assert restore.returncode == 0, restore.stderr
    give_to_its_user(folder)
    server.start()
    try:
        assert soon(lambda: not server.value("SELECT pg_is_in_recovery()"))
        yield server
    finally:
        server.kill()


class TestALostServer:
    def test_comes_back_as_it_was_then(self, lost: Lost) -> None:
        until = lost.until.astimezone(UTC).isoformat()
        with recovered(lost, "--wal", lost.archive, "--until", until) as server:
            entries = server.entries()
            assert set(lost.before) <= entries
            assert not entries & set(lost.after)
            verify = run(lost.kept, server.url, "verify")
            assert verify.returncode == 0, verify.stderr
            with playing(lost.kept, server.url) as players:
                assert set(players.act()) <= server.entries()

    def test_comes_back_to_the_end_of_its_archive(self, lost: Lost) -> None:
        with recovered(lost, "--wal", lost.archive) as server:
            assert {*lost.before, *lost.after} <= server.entries()
            assert run(lost.kept, server.url, "verify").returncode == 0


class TestRefusals:
    def test_a_back_up_that_was_altered(self, lost: Lost, tmp_path: Path) -> None:
        copy = tmp_path / "altered"
        shutil.copytree(lost.base, copy)
        with (copy / "PG_VERSION").open("a", encoding="ascii") as file:
            file.write("x")
        with pytest.raises(BackupProblem, match="PG_VERSION"):
            postgres_cluster.restore(copy, tmp_path / "new", None, None)
        assert not (tmp_path / "new").exists()

    def test_of_restoring(self, lost: Lost, tmp_path: Path) -> None:
        full = tmp_path / "full"
        full.mkdir()
        (full / "file").touch()
        for complaint, arguments in {
            "is no back-up": (tmp_path, tmp_path / "new", None, None),
            "is not empty": (lost.base, full, None, None),
            "needs the archive": (lost.base, tmp_path / "new", None, lost.until),
            "is no folder": (lost.base, tmp_path / "new", tmp_path / "none", None),
        }.items():
            with pytest.raises(BackupProblem, match=complaint):
                postgres_cluster.restore(*arguments)
            assert not (tmp_path / "new").exists()

    def test_of_a_folder_that_exists(self, lost: Lost) -> None:
        process = run(lost.kept, "postgres://nowhere:1/x", "backup", lost.base)
        assert (process.returncode, "exists already" in process.stderr) == (1, True)

    def test_of_a_server_that_is_away(self, lost: Lost, tmp_path: Path) -> None:
        process = run(lost.kept, "postgres://user:word@127.0.0.1:1/x", "backup", tmp_path / "new")
        assert process.returncode == 1
        assert "Connection refused" in process.stderr
        assert "word" not in process.stderr
        assert not list(tmp_path.iterdir())

    def test_of_times(self, lost: Lost) -> None:
        for time in ("yesterday", "2026-11-27T09:30:00"):
            process = run(lost.kept, "", "restore", lost.base, "--until", time)
            assert (process.returncode, time in process.stderr) == (2, True)

"""Every part of a server refuses keys that are not those of its database: in one clear sentence,
with an exit code, and before it writes anything."""

from __future__ import annotations

import os
import shutil
import sqlite3
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.chaos.stores import run_stores
from tests.config.keys.starting import PARTS, create_game, environment, files, refusal, run
from tests.support import databases, warm_interpreter
from tests.support.databases import ROOT, Kept

KEY_MISSING = "The file {} is missing, and the database holds games: restore the key there"


@pytest.fixture(scope="module")
def used_template(kept_template: Kept, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Kept]:
    """A database to copy, with a game of a server that has its keys in its folder."""
    template = databases.copy_template(kept_template, tmp_path_factory.mktemp("used") / "kept")
    create_game(environment(template, template.folder))
    yield template
    databases.drop(template)


@pytest.fixture
def used_database(used_template: Kept, tmp_path: Path) -> Iterator[Kept]:
    """A copy of that database for this test."""
    copy = databases.copy_template(used_template, tmp_path / "used")
    yield copy
    databases.drop(copy)


def folder_without_keys(kept: Kept, folder: Path) -> Path:
    """A folder with the database, if that is a file, and without the keys."""
    folder.mkdir()
    if not databases.is_on_server():
        source = kept.folder / "tabularium.sqlite3"
        sqlite3.connect(source).execute(f"VACUUM INTO '{folder / source.name}'")
    return folder


class TestEachPart:
    @pytest.mark.parametrize("part", PARTS)
    def test_refuses_other_keys(self, part: str, used_database: Kept) -> None:
        env = environment(used_database, used_database.folder, SEALING="b")
        sentence = refusal(env, PARTS[part])
        assert sentence.startswith("The sealing keys of this server (")
        assert sentence.endswith(
            "set TABULARIUM_DATA or TABULARIUM_SEALING_KEYS to the keys of the other servers or of"
            " the back-up, or accept the loss with `manage.py keys adopt`."
        )

    def test_but_not_what_only_reads(self, used_database: Kept) -> None:
        env = environment(used_database, used_database.folder, SEALING="b", SIGNING="y")
        process = run(env, ["manage.py", "keys"])
        assert (process.returncode, process.stdout.count("not here: 1 running game")) == (0, 2)
        for words in (["verify"], ["check", "--list-tags"]):
            assert "keys adopt" not in run(env, ["manage.py", *words]).stderr


class TestEachCase:
    @pytest.mark.parametrize("part", ["serve", "worker"])
    def test_a_wrong_folder(self, part: str, used_database: Kept, tmp_path: Path) -> None:
        wrong_folder = folder_without_keys(used_database, tmp_path / "wrong")
        files_before = files(wrong_folder)
        sentence = refusal(environment(used_database, wrong_folder), PARTS[part])
        assert sentence.startswith(KEY_MISSING.format(wrong_folder / "sealing_key"))
        assert "`manage.py keys adopt`" in sentence
        assert {name for name in files(wrong_folder) if "sqlite3" not in name} <= {
            name for name in files_before if "sqlite3" not in name
        } | {"spool"}

    @pytest.mark.parametrize("name", ["sealing_key", "signing_key"])
    def test_a_lost_key(self, name: str, used_database: Kept) -> None:
        (used_database.folder / name).unlink()
        sentence = refusal(environment(used_database, used_database.folder), PARTS["serve"])
        assert sentence.startswith(KEY_MISSING.format(used_database.folder / name))
        assert f"TABULARIUM_{name.partition('_')[0].upper()}_KEYS to the key itself" in sentence
        assert not (used_database.folder / name).exists()

    def test_a_restore_beside_other_keys(
        self, used_database: Kept, kept_template: Kept, tmp_path: Path
    ) -> None:
        other = databases.copy_template(kept_template, tmp_path / "other")
        try:
            env = environment(other, other.folder)
            create_game(env)
        finally:
            databases.drop(other)
        for name in ("sealing_key", "signing_key"):
            shutil.copy(other.folder / name, used_database.folder / name)
        sentence = refusal(environment(used_database, used_database.folder), PARTS["serve"])
        assert "keys of this server" in sentence
        assert "or of the back-up" in sentence

    @pytest.mark.parametrize(("kind", "keys"), [("sealing", "ax"), ("signing", "ax")])
    def test_two_hosts_that_differ(self, kind: str, keys: str, kept: Kept) -> None:
        first_environment = environment(kept, kept.folder, SEALING="a", SIGNING="x")
        assert run(first_environment, ["manage.py", "sweep", "--once"]).returncode == 0
        other_keys = {"SEALING": "a", "SIGNING": "x", kind.upper(): "o"}
        sentence = refusal(environment(kept, kept.folder, **other_keys), PARTS["serve, a part"])
        assert sentence.startswith(f"The {kind} keys of this server (")
        assert "to the keys of the other servers" in sentence

    @pytest.mark.parametrize("kind", ["sealing", "signing"])
    def test_an_old_key_dropped_too_early(self, kind: str, kept: Kept) -> None:
        keys = {"SEALING": "a", "SIGNING": "x"}
        create_game(environment(kept, kept.folder, **keys))
        new_keys = {**keys, kind.upper(): f"n{keys[kind.upper()]}"}
        process = run(environment(kept, kept.folder, **new_keys), [*PARTS["sweeper"], "--once"])
        assert process.returncode == 0, process.stderr
        new_keys = {**keys, kind.upper(): "n"}
        sentence = refusal(environment(kept, kept.folder, **new_keys), PARTS["serve"])
        assert sentence.startswith(f"The {kind} key ")
        assert "was removed too early, 1 running game need" in sentence
        assert f"TABULARIUM_{kind.upper()}_KEYS again" in sentence


class TestSeveralAtOnce:
    def test_two_on_an_empty_database_agree(self, kept: Kept) -> None:
        """Of two with different keys, exactly one goes on, whichever is first."""
        envs = [environment(kept, kept.folder, SEALING=s, SIGNING=s) for s in "ab"]
        command = [sys.executable, "manage.py", "sweep", "--once"]
        processes = [
            warm_interpreter.Popen(command, cwd=ROOT, env=env, stdout=-1, stderr=-1, text=True)
            for env in envs
        ]
        outputs = [process.communicate()[1] for process in processes]
        assert sorted(process.returncode for process in processes) == [0, 1], outputs
        assert sum("are not those of its database" in output for output in outputs) == 1

    def test_many_with_one_folder_make_one_key(self, kept: Kept) -> None:
        command = [sys.executable, "manage.py", "sweep", "--once"]
        env = environment(kept, kept.folder)
        processes = [warm_interpreter.Popen(command, cwd=ROOT, env=env) for _ in range(4)]
        assert [process.wait() for process in processes] == [0] * 4


@pytest.mark.stores
@pytest.mark.skipif(not databases.is_on_server(), reason="a file is never away")
class TestADatabaseThatIsAway:
    def test_keeps_no_server_from_starting_and_ends_it_when_it_refuses(
        self, tmp_path: Path
    ) -> None:
        with run_stores() as stores:
            store = stores["postgres"]
            env = {**os.environ, "DATABASE_URL": store.url, "TABULARIUM_DATA": str(tmp_path)}
            env |= {"TABULARIUM_SEALING_KEYS": "61" * 32, "TABULARIUM_SIGNING_KEYS": "78" * 32}
            assert run(env, ["manage.py", "migrate", "-v0"]).returncode == 0
            assert run(env, ["manage.py", "sweep", "--once"]).returncode == 0
            store.kill()
            env["TABULARIUM_SEALING_KEYS"] = "62" * 32
            command = [sys.executable, "-m", "uvicorn", "config.asgi:application", "--port", "0"]
            with warm_interpreter.Popen(
                command, cwd=ROOT, env=env, stderr=-1, text=True
            ) as process:
                assert process.stderr
                assert any("running on" in line for line in process.stderr)  # without its database
                store.start()
                output = process.stderr.read()
            assert process.returncode == 1
            assert "The sealing keys of this server" in output

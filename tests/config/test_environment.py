"""Environment variables are parsed and validated, and their secrets kept."""

from __future__ import annotations

import stat
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from config import environment
from config.environment import ConfigurationError


def test_flags_are_0_or_1(monkeypatch: pytest.MonkeyPatch) -> None:
    assert environment.read_flag("X", True)
    monkeypatch.setenv("TABULARIUM_X", "0")
    assert not environment.read_flag("X", True)
    monkeypatch.setenv("TABULARIUM_X", "false")
    with pytest.raises(ConfigurationError, match="TABULARIUM_X must be 0 or 1"):
        environment.read_flag("X", True)


def test_lists_are_separated_by_commas(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TABULARIUM_X", "a.example, b.example,")
    assert environment.read_list("X", "") == ["a.example", "b.example"]


class TestPort:
    def test_is_8000_unless_said_otherwise(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.delenv("PORT", raising=False)
        assert environment.read_port() == 8000
        monkeypatch.setenv("PORT", "9001")
        assert environment.read_port() == 9001

    @pytest.mark.parametrize("said", ["web", "0", "65536", "-1", "²", "80 81"])
    def test_is_a_port(self, said: str, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setenv("PORT", said)
        with pytest.raises(ConfigurationError, match="PORT must be a number"):
            environment.read_port()


class TestRedis:
    @pytest.mark.parametrize("said", ["", "redis://cache:6379/0", "unix:///run/redis.sock"])
    def test_is_an_address_or_nothing(self, said: str, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setenv("REDIS_URL", said)
        assert environment.read_redis_url() == said

    def test_is_nothing_else(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setenv("REDIS_URL", "cache:6379")
        with pytest.raises(ConfigurationError, match="REDIS_URL must begin with"):
            environment.read_redis_url()


class TestDatabase:
    def test_is_sqlite_in_the_folder(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.delenv("DATABASE_URL", raising=False)
        chosen = environment.database_settings(Path("kept"))
        assert chosen["NAME"] == Path("kept/tabularium.sqlite3")
        assert "synchronous=FULL" in chosen["OPTIONS"]["init_command"]

    def test_is_postgresql_where_there_is_an_address(self, monkeypatch: pytest.MonkeyPatch) -> None:
        said = "postgres://law:p%40ss%2Fword@db.example:5433/tablets?sslmode=require"
        monkeypatch.setenv("DATABASE_URL", said)
        chosen = environment.database_settings(Path("kept"))
        assert chosen["ENGINE"] == "django.db.backends.postgresql"
        shown = [chosen[key] for key in ("USER", "PASSWORD", "HOST", "PORT", "NAME")]
        assert shown == ["law", "p@ss/word", "db.example", "5433", "tablets"]
        assert chosen["OPTIONS"]["sslmode"] == "require"
        assert chosen["CONN_MAX_AGE"] is None
        assert chosen["CONN_HEALTH_CHECKS"]

    @pytest.mark.parametrize(
        ("said", "host"),
        [
            ("postgresql:///tablets", ""),
            ("postgres://%2Frun%2Fpostgresql/tablets", "/run/postgresql"),
            ("postgres://[::1]/tablets", "::1"),
        ],
    )
    def test_may_be_on_a_socket(self, said: str, host: str) -> None:
        assert environment.postgres_settings(said)["HOST"] == host

    def test_never_acknowledges_what_is_not_written(self) -> None:
        chosen = environment.postgres_settings(
            "postgres:///x?options=-c%20synchronous_commit%3Doff"
        )
        words = chosen["OPTIONS"]["options"].split()
        assert words[-1] == "synchronous_commit=on"

    @pytest.mark.parametrize(
        "said", ["mysql://db/tablets", "postgres://db", "postgres://db:x/tablets", "tablets"]
    )
    def test_is_no_other(self, said: str) -> None:
        with pytest.raises(ConfigurationError, match="DATABASE_URL"):
            environment.postgres_settings(said)

    def test_tells_nobody_its_password(self) -> None:
        with pytest.raises(ConfigurationError) as refused:
            environment.postgres_settings("mysql://law:sesame@db/tablets")
        assert "sesame" not in str(refused.value)


class TestSecretKey:
    def test_is_made_once_and_nobody_else_may_read_it(self, tmp_path: Path) -> None:
        key = environment.secret_key(tmp_path / "var")
        assert len(key) > 60
        assert environment.secret_key(tmp_path / "var") == key
        assert environment.secret_key(tmp_path / "elsewhere") != key
        (kept,) = (tmp_path / "var").iterdir()
        assert stat.S_IMODE(kept.stat().st_mode) == 0o600

    def test_is_taken_where_it_is_given(
        self, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
    ) -> None:
        monkeypatch.setenv("TABULARIUM_SECRET_KEY", "given")
        assert environment.secret_key(tmp_path) == "given"
        assert not list(tmp_path.iterdir())


class TestKeys:
    def test_are_made_once(self, tmp_path: Path) -> None:
        signing, sealing = environment.signing_keys(tmp_path), environment.sealing_keys(tmp_path)
        assert not list(tmp_path.iterdir())  # not before they are needed
        assert [*environment.signing_keys(tmp_path)] == [*signing]
        assert [*environment.sealing_keys(tmp_path)] == [*sealing]
        assert [len(key) for key in (*signing, *sealing)] == [32, 32]
        assert signing[0] != sealing[0]
        kept = {path.name: stat.S_IMODE(path.stat().st_mode) for path in tmp_path.iterdir()}
        assert kept == {"signing_key": 0o600, "sealing_key": 0o600}

    def test_are_the_same_for_all_who_start_at_once(self, tmp_path: Path) -> None:
        with ThreadPoolExecutor(8) as starting:
            load = lambda _: environment.signing_keys(tmp_path)[0]  # noqa: E731
            found = set(starting.map(load, range(8)))
        assert len(found) == 1

    def test_are_taken_where_they_are_given(
        self, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
    ) -> None:
        monkeypatch.setenv("TABULARIUM_SIGNING_KEY", "ab" * 32)
        monkeypatch.setenv("TABULARIUM_SEALING_KEYS", "01" * 32 + ", " + "02" * 32)
        assert [*environment.signing_keys(tmp_path)] == [b"\xab" * 32]
        assert [*environment.sealing_keys(tmp_path)] == [b"\x01" * 32, b"\x02" * 32]
        assert not list(tmp_path.iterdir())

    def test_may_be_several_in_the_file(self, tmp_path: Path) -> None:
        (tmp_path / "signing_key").write_text("ab" * 32 + "\n" + "cd" * 32 + "\n")
        assert [*environment.signing_keys(tmp_path)] == [b"\xab" * 32, b"\xcd" * 32]

    def test_are_one_or_several_and_not_both(
        self, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
    ) -> None:
        monkeypatch.setenv("TABULARIUM_SIGNING_KEYS", "ab" * 32)
        assert len(environment.signing_keys(tmp_path)) == 1
        monkeypatch.setenv("TABULARIUM_SIGNING_KEY", "ab" * 32)
        with pytest.raises(ConfigurationError, match="not both"):
            environment.signing_keys(tmp_path)

    @pytest.mark.parametrize("said", ["", "sesame", "ab" * 31, "ab" * 33, "é" * 64])
    def test_have_64_digits_and_are_not_repeated(
        self, said: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
    ) -> None:
        (tmp_path / "sealing_key").write_text(said, encoding="utf-8")
        monkeypatch.setenv("TABULARIUM_SIGNING_KEY", said or " ")
        for keys in (environment.signing_keys, environment.sealing_keys):
            with pytest.raises(ConfigurationError, match="64 hexadecimal digits") as refused:
                keys(tmp_path)[0]
            assert not said or said not in str(refused.value)

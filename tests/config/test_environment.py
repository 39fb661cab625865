"""Environment variables are parsed and validated."""

from __future__ import annotations

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


@pytest.fixture
def said(monkeypatch: pytest.MonkeyPatch) -> pytest.MonkeyPatch:
    """An environment without the setting of the limits."""
    monkeypatch.delenv("TABULARIUM_LIMITS", raising=False)
    return monkeypatch


class TestLimits:
    def test_are_there_without_a_word(self, said: pytest.MonkeyPatch) -> None:
        assert environment.read_rate_limits() == environment.DEFAULT_RATE_LIMITS

    def test_may_be_off(self, said: pytest.MonkeyPatch) -> None:
        said.setenv("TABULARIUM_LIMITS", "off")
        assert environment.read_rate_limits() == {}

    def test_may_be_changed_one_by_one(self, said: pytest.MonkeyPatch) -> None:
        said.setenv("TABULARIUM_LIMITS", "read=10/1, guests=5/60")
        changed = {"read": (10, 1), "guests": (5, 60)}
        assert environment.read_rate_limits() == {**environment.DEFAULT_RATE_LIMITS, **changed}

    @pytest.mark.parametrize(
        "nonsense", ["read", "read=0/60", "read=1/0", "reading=1/60", "read=1/60;write=1/60", "on"]
    )
    def test_nonsense_is_refused(self, said: pytest.MonkeyPatch, nonsense: str) -> None:
        said.setenv("TABULARIUM_LIMITS", nonsense)
        with pytest.raises(
            ConfigurationError, match="TABULARIUM_LIMITS must be off or a list such as"
        ):
            environment.read_rate_limits()


class TestProxies:
    def test_are_addresses_and_networks(self, said: pytest.MonkeyPatch) -> None:
        said.setenv("TABULARIUM_PROXIES", "10.0.0.0/8, 127.0.0.1, ::1")
        assert list(map(str, environment.read_proxies())) == [
            "10.0.0.0/8",
            "127.0.0.1/32",
            "::1/128",
        ]

    def test_nonsense_is_refused(self, said: pytest.MonkeyPatch) -> None:
        said.setenv("TABULARIUM_PROXIES", "everybody")
        with pytest.raises(ConfigurationError, match="TABULARIUM_PROXIES"):
            environment.read_proxies()


class TestNumbers:
    def test_are_read(self, said: pytest.MonkeyPatch) -> None:
        said.setenv("TABULARIUM_OPEN_GAMES", "7")
        assert environment.read_integer("OPEN_GAMES", 500) == 7

    @pytest.mark.parametrize("nonsense", ["many", "-1", "1.5", ""])
    def test_nonsense_is_refused(self, said: pytest.MonkeyPatch, nonsense: str) -> None:
        said.setenv("TABULARIUM_OPEN_GAMES", nonsense)
        with pytest.raises(ConfigurationError, match="TABULARIUM_OPEN_GAMES must be a number"):
            environment.read_integer("OPEN_GAMES", 500)

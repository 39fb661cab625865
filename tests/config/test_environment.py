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
    def test_is_8000_by_default(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.delenv("PORT", raising=False)
        assert environment.read_port() == 8000
        monkeypatch.setenv("PORT", "9001")
        assert environment.read_port() == 9001

    @pytest.mark.parametrize("text", ["web", "0", "65536", "-1", "²", "80 81"])
    def test_is_a_port(self, text: str, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setenv("PORT", text)
        with pytest.raises(ConfigurationError, match="PORT must be a number"):
            environment.read_port()


class TestRedis:
    @pytest.mark.parametrize("url", ["", "redis://cache:6379/0", "unix:///run/redis.sock"])
    def test_is_an_address_or_nothing(self, url: str, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setenv("REDIS_URL", url)
        assert environment.read_redis_url() == url

    def test_is_nothing_else(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setenv("REDIS_URL", "cache:6379")
        with pytest.raises(ConfigurationError, match="REDIS_URL must begin with"):
            environment.read_redis_url()


class TestDatabase:
    def test_is_sqlite_in_the_folder(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.delenv("DATABASE_URL", raising=False)
        database = environment.database_settings(Path("kept"))
        assert database["NAME"] == Path("kept/tabularium.sqlite3")
        assert "synchronous=FULL" in database["OPTIONS"]["init_command"]

    def test_is_postgresql_where_there_is_an_address(self, monkeypatch: pytest.MonkeyPatch) -> None:
        url = "postgres://law:p%40ss%2Fword@db.example:5433/tablets?sslmode=require"
        monkeypatch.setenv("DATABASE_URL", url)
        database = environment.database_settings(Path("kept"))
        assert database["ENGINE"] == "django.db.backends.postgresql"
        connection_values = [database[key] for key in ("USER", "PASSWORD", "HOST", "PORT", "NAME")]
        assert connection_values == ["law", "p@ss/word", "db.example", "5433", "tablets"]
        assert database["OPTIONS"]["sslmode"] == "require"
        assert database["CONN_MAX_AGE"] is None
        assert database["CONN_HEALTH_CHECKS"]

    @pytest.mark.parametrize(
        ("url", "host"),
        [
            ("postgresql:///tablets", ""),
            ("postgres://%2Frun%2Fpostgresql/tablets", "/run/postgresql"),
            ("postgres://[::1]/tablets", "::1"),
        ],
    )
    def test_may_be_on_a_socket(self, url: str, host: str) -> None:
        assert environment.postgres_settings(url)["HOST"] == host

    def test_never_acknowledges_what_is_not_written(self) -> None:
        database = environment.postgres_settings(
            "postgres:///x?options=-c%20synchronous_commit%3Doff"
        )
        words = database["OPTIONS"]["options"].split()
        assert words[-1] == "synchronous_commit=on"

    @pytest.mark.parametrize(
        "url", ["mysql://db/tablets", "postgres://db", "postgres://db:x/tablets", "tablets"]
    )
    def test_is_no_other(self, url: str) -> None:
        with pytest.raises(ConfigurationError, match="DATABASE_URL"):
            environment.postgres_settings(url)

    def test_hides_its_password_in_errors(self) -> None:
        with pytest.raises(ConfigurationError) as failure:
            environment.postgres_settings("mysql://law:sesame@db/tablets")
        assert "sesame" not in str(failure.value)


@pytest.fixture
def clean_environment(monkeypatch: pytest.MonkeyPatch) -> pytest.MonkeyPatch:
    """An environment without the setting of the limits."""
    monkeypatch.delenv("TABULARIUM_LIMITS", raising=False)
    return monkeypatch


class TestLimits:
    def test_have_defaults(self, clean_environment: pytest.MonkeyPatch) -> None:
        assert environment.read_rate_limits() == environment.DEFAULT_RATE_LIMITS

    def test_may_be_off(self, clean_environment: pytest.MonkeyPatch) -> None:
        clean_environment.setenv("TABULARIUM_LIMITS", "off")
        assert environment.read_rate_limits() == {}

    def test_may_be_changed_one_by_one(self, clean_environment: pytest.MonkeyPatch) -> None:
        clean_environment.setenv("TABULARIUM_LIMITS", "read=10/1, guests=5/60")
        changed = {"read": (10, 1), "guests": (5, 60)}
        assert environment.read_rate_limits() == {**environment.DEFAULT_RATE_LIMITS, **changed}

    @pytest.mark.parametrize(
        "nonsense", ["read", "read=0/60", "read=1/0", "reading=1/60", "read=1/60;write=1/60", "on"]
    )
    def test_nonsense_is_refused(
        self, clean_environment: pytest.MonkeyPatch, nonsense: str
    ) -> None:
        clean_environment.setenv("TABULARIUM_LIMITS", nonsense)
        with pytest.raises(
            ConfigurationError, match="TABULARIUM_LIMITS must be off or a list such as"
        ):
            environment.read_rate_limits()


class TestProxies:
    def test_are_addresses_and_networks(self, clean_environment: pytest.MonkeyPatch) -> None:
        clean_environment.setenv("TABULARIUM_PROXIES", "10.0.0.0/8, 127.0.0.1, ::1")
        assert list(map(str, environment.read_proxies())) == [
            "10.0.0.0/8",
            "127.0.0.1/32",
            "::1/128",
        ]

    def test_nonsense_is_refused(self, clean_environment: pytest.MonkeyPatch) -> None:
        clean_environment.setenv("TABULARIUM_PROXIES", "everybody")
        with pytest.raises(ConfigurationError, match="TABULARIUM_PROXIES"):
            environment.read_proxies()


class TestNumbers:
    def test_are_read(self, clean_environment: pytest.MonkeyPatch) -> None:
        clean_environment.setenv("TABULARIUM_OPEN_GAMES", "7")
        assert environment.read_integer("OPEN_GAMES", 500) == 7

    @pytest.mark.parametrize("nonsense", ["many", "-1", "1.5", ""])
    def test_nonsense_is_refused(
        self, clean_environment: pytest.MonkeyPatch, nonsense: str
    ) -> None:
        clean_environment.setenv("TABULARIUM_OPEN_GAMES", nonsense)
        with pytest.raises(ConfigurationError, match="TABULARIUM_OPEN_GAMES must be a number"):
            environment.read_integer("OPEN_GAMES", 500)

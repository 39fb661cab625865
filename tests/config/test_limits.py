"""Settings for limits and proxies are parsed, and nonsense is refused."""

from __future__ import annotations

import pytest

from config import limits
from config.environment import ConfigurationError


@pytest.fixture
def said(monkeypatch: pytest.MonkeyPatch) -> pytest.MonkeyPatch:
    """An environment without the setting of the limits."""
    monkeypatch.delenv("TABULARIUM_LIMITS", raising=False)
    return monkeypatch


class TestLimits:
    def test_are_there_without_a_word(self, said: pytest.MonkeyPatch) -> None:
        assert limits.read_rate_limits() == limits.DEFAULT_RATE_LIMITS

    def test_may_be_off(self, said: pytest.MonkeyPatch) -> None:
        said.setenv("TABULARIUM_LIMITS", "off")
        assert limits.read_rate_limits() == {}

    def test_may_be_changed_one_by_one(self, said: pytest.MonkeyPatch) -> None:
        said.setenv("TABULARIUM_LIMITS", "read=10/1, guests=5/60")
        changed = {"read": (10, 1), "guests": (5, 60)}
        assert limits.read_rate_limits() == {**limits.DEFAULT_RATE_LIMITS, **changed}

    @pytest.mark.parametrize(
        "nonsense", ["read", "read=0/60", "read=1/0", "reading=1/60", "read=1/60;write=1/60", "on"]
    )
    def test_nonsense_is_refused(self, said: pytest.MonkeyPatch, nonsense: str) -> None:
        said.setenv("TABULARIUM_LIMITS", nonsense)
        with pytest.raises(
            ConfigurationError, match="TABULARIUM_LIMITS must be off or a list such as"
        ):
            limits.read_rate_limits()


class TestProxies:
    def test_are_addresses_and_networks(self, said: pytest.MonkeyPatch) -> None:
        said.setenv("TABULARIUM_PROXIES", "10.0.0.0/8, 127.0.0.1, ::1")
        assert list(map(str, limits.read_proxies())) == ["10.0.0.0/8", "127.0.0.1/32", "::1/128"]

    def test_nonsense_is_refused(self, said: pytest.MonkeyPatch) -> None:
        said.setenv("TABULARIUM_PROXIES", "everybody")
        with pytest.raises(ConfigurationError, match="TABULARIUM_PROXIES"):
            limits.read_proxies()


class TestNumbers:
    def test_are_read(self, said: pytest.MonkeyPatch) -> None:
        said.setenv("TABULARIUM_OPEN_GAMES", "7")
        assert limits.read_integer("OPEN_GAMES", 500) == 7

    @pytest.mark.parametrize("nonsense", ["many", "-1", "1.5", ""])
    def test_nonsense_is_refused(self, said: pytest.MonkeyPatch, nonsense: str) -> None:
        said.setenv("TABULARIUM_OPEN_GAMES", nonsense)
        with pytest.raises(ConfigurationError, match="TABULARIUM_OPEN_GAMES must be a number"):
            limits.read_integer("OPEN_GAMES", 500)

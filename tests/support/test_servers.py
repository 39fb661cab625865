"""Programs that are missing are named, and are a failure only in continuous integration."""

from __future__ import annotations

import pytest

from tests.support import servers


@pytest.mark.parametrize(("ci", "code"), [("", 0), ("true", 1)])
def test_missing_programs(
    ci: str, code: int, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("CI", ci)
    monkeypatch.delenv(servers.DATABASE, raising=False)
    monkeypatch.setattr(servers, "missing_programs", lambda: ["initdb", "redis-server"])
    assert servers.main([]) == code
    assert "initdb, redis-server missing" in capsys.readouterr().out

"""A missing server is reported, and is a failure only in continuous integration."""

from __future__ import annotations

import pytest

from tests import servers


@pytest.mark.parametrize(("ci", "code"), [("", 0), ("true", 1)])
def test_servers_that_do_not_answer(
    ci: str, code: int, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("CI", ci)
    monkeypatch.setattr(servers, "DATABASE_URL", "postgres://127.0.0.1:1/tabularium")
    monkeypatch.setattr(servers, "REDIS_URL", "redis://127.0.0.1:1/0")
    assert servers.main([]) == code
    output = capsys.readouterr().out
    assert "PostgreSQL: " in output
    assert "Redis: " in output

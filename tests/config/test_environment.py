"""Is a machine's wish understood, and its secret kept?"""

from __future__ import annotations

import stat
from pathlib import Path

import pytest

from config import environment


def test_flags_are_0_or_1(monkeypatch: pytest.MonkeyPatch) -> None:
    assert environment.flag("X", True)
    monkeypatch.setenv("TABULARIUM_X", "0")
    assert not environment.flag("X", True)
    monkeypatch.setenv("TABULARIUM_X", "false")
    with pytest.raises(environment.Misconfigured, match="TABULARIUM_X is 0 or 1"):
        environment.flag("X", True)


def test_lists_are_separated_by_commas(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TABULARIUM_X", "a.example, b.example,")
    assert environment.names("X", "") == ["a.example", "b.example"]


def test_the_secret_key_is_made_once_and_nobody_else_may_read_it(tmp_path: Path) -> None:
    key = environment.secret_key(tmp_path / "var")
    assert len(key) > 60
    assert environment.secret_key(tmp_path / "var") == key
    assert environment.secret_key(tmp_path / "elsewhere") != key
    (kept,) = (tmp_path / "var").iterdir()
    assert stat.S_IMODE(kept.stat().st_mode) == 0o600


def test_a_given_secret_key_is_taken(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("TABULARIUM_SECRET_KEY", "given")
    assert environment.secret_key(tmp_path) == "given"
    assert not list(tmp_path.iterdir())

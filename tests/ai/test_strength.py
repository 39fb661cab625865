"""Is what was measured kept, told, and written down?"""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from django.core.management import call_command

from ai import registry, strength
from ai.strength import Measured
from games.compiled import ROOT

ONE = Measured("duality", 2, {}, "greedy", "random", 100, 0.9, 0.8, 0.95, 0.5)


@pytest.fixture
def file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A file of its own, in which nothing is kept yet."""
    kept = tmp_path / "strength.json"
    kept.write_text("[]")
    monkeypatch.setattr(strength, "FILE", kept)
    strength.measured.cache_clear()
    return kept


@pytest.fixture(autouse=True)
def _forget() -> Iterator[None]:
    yield
    strength.measured.cache_clear()


def test_a_result_replaces_an_older_one_of_the_same_contest(file: Path) -> None:
    other = replace(ONE, options={"file": 7})
    strength.keep([ONE, other])
    strength.keep([replace(ONE, games=400)])
    assert set(map(repr, strength.measured())) == {repr(replace(ONE, games=400)), repr(other)}


def test_the_arena_keeps_what_it_measures(file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    options = json.dumps({"file": 3})
    told = {"bots": ["random", "greedy"], "games": 4, "jobs": 1, "options": options}
    call_command("arena", "duality", keep=True, **told)
    (kept,) = strength.measured()
    assert (kept.game, kept.seats, kept.challenger, kept.opponent) == (
        "duality",
        2,
        "greedy",
        "random",
    )
    assert (kept.options, kept.games) == ({"file": 3}, 4)
    assert f"{kept.share:.3f}" in capsys.readouterr().out


@pytest.mark.parametrize(("low", "is_better"), [(0.51, True), (0.5, False)])
def test_better_is_what_is_clear_of_chance(low: float, is_better: bool) -> None:
    assert replace(ONE, low=low).is_better is is_better


def test_all_that_is_kept_is_of_bots_that_exist() -> None:
    for one in strength.measured():
        for name in (one.challenger, one.opponent):
            assert name.partition(":")[0] in registry.bots(one.game)
        assert one.low <= one.share <= one.high


def test_all_that_is_kept_is_written_down() -> None:
    page = (ROOT / "docs" / "strength.md").read_text()
    assert [str(one) for one in strength.measured() if str(one) not in page] == []

"""Law agrees with its referee, and a referee that misreads a ruling disagrees."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from games.registry import installed_versions
from tests.referees import runner
from tests.referees.law import LawReferee

Rulebook = LawReferee
SHORT, LONG = 6, 500  # games of each version: all variants, and all numbers of seats


@pytest.mark.parametrize("version", installed_versions(Rulebook.slug))
def test_the_engine_agrees(version: int, games_count: Callable[[int, int], int]) -> None:
    assert runner.check_games(Rulebook, version, games_count(SHORT, LONG)) > SHORT

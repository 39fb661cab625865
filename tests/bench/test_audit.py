"""The benchmark of verification verifies whole games of every ruleset in all ways."""

from __future__ import annotations

from pathlib import Path

import pytest

from bench.audit import stored_games
from bench.audit.__main__ import Costs, run_verifications, verification_rows
from bench.log import stores
from bench.log.stores import Store
from games.audit import stored_game_verifier
from games.models import Game
from tabularium_engines.installed.registry import ENGINES, RULESETS


@pytest.mark.django_db
def test_games_are_whole_and_make_up_the_entries() -> None:
    games = stored_games.store_games(ENGINES["law_of_the_dice"], 100, 0)
    verdicts = list(map(stored_game_verifier.verify_game, games))
    assert all(verdict.is_good and verdict.is_over for verdict in verdicts)
    assert sum(Game.objects.values_list("seq", flat=True)) >= 100
    assert sum(verdict.entries for verdict in verdicts[:-1]) < 100


@pytest.mark.soak
def test_all_ways_are_measured(tmp_path: Path) -> None:
    store = stores.migrate_stores({"sqlite": Store(tmp_path)})["sqlite"]
    costs = run_verifications(store, 50, 2)
    assert costs.keys() == set(map(str, RULESETS))
    for ways in costs.values():
        assert [len(ways[way]) for way in ("quick", "replay", "known")] == [2, 2, 2]
        assert all(
            entries >= 50 and seconds > 0 for cost in ways.values() for entries, seconds in cost
        )


def test_the_rows_compare_equal_parts() -> None:
    costs: dict[str, Costs] = {
        "law": {
            "quick": [[100, 1], [100, 2]],
            "replay": [[100, 10], [100, 10]],
            "known": [[100, 0.5], [100, 0.5]],
        },
        "dice": {
            "quick": [[300, 1], [300, 2]],
            "replay": [[300, 10], [300, 10]],
            "known": [[300, 0.5], [300, 0.5]],
        },
    }
    law, dice, ratio, rate, known = verification_rows("sqlite", costs)
    assert known.ratio == 3
    assert (law.ratio, dice.ratio, ratio.ratio) == (7.5, 7.5, 7.5)
    assert (ratio.met, rate.met) == (True, False)
    assert rate.value == (400 / 2 + 400 / 4) / 2

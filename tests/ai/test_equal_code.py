"""The stored decisions, 200 under a ruleset: bots reproduce them, so the present code decides as
the code of the digests in `ai/equal_code.json` does.

A line of `stored_decisions/<slug>.jsonl`, for an older version of `<slug>_v1.jsonl`, is a game: its
options, its deal, the actions before, and then each decision with the bot, its seed, its
simulations, and the visits of each action. When code is meant to decide otherwise, write new ones
(`python -m tests.ai.decisions SLUG`) and empty its list of digests.
"""

from __future__ import annotations

from collections.abc import Callable

import pytest

from tabularium_engines.installed import heuristics
from tabularium_engines.installed.registry import ENGINES, RULESETS, Ruleset, ruleset_of
from tests.ai import decisions

DECISIONS_PER_RULESET = 200
NEWEST = [ruleset_of(engine) for engine in ENGINES.values()]
OLDER = [each for each in RULESETS if each not in NEWEST and decisions.file_of(each).exists()]


@pytest.mark.parametrize("ruleset", [*NEWEST, *OLDER], ids=str)
class TestStoredDecisions:
    def test_there_are_enough(self, ruleset: Ruleset) -> None:
        games = decisions.read_games(ruleset)
        assert sum(len(game.decisions) for game in games) == DECISIONS_PER_RULESET

    @pytest.mark.lane("slow", core=1)
    def test_are_made_again(self, ruleset: Ruleset, games_count: Callable[[int, int], int]) -> None:
        for game in decisions.read_games(ruleset)[:: games_count(2, 1)]:
            assert decisions.repeat_decisions(ruleset, game) == [
                each.outcome for each in game.decisions
            ]

    @pytest.mark.lane("slow", core=1)
    def test_differ_where_the_search_is_another(
        self, ruleset: Ruleset, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        tuning = heuristics.Tuning(exploration=2.0)
        monkeypatch.setitem(heuristics.TUNINGS, ruleset.slug, tuning)
        assert any(
            decisions.repeat_decisions(ruleset, game) != [each.outcome for each in game.decisions]
            for game in decisions.read_games(ruleset)
        )

"""The 1,000 stored decisions: bots reproduce them, so the present code decides as the code of the
digests in `ai/equal_code.json` does.

A line of `stored_decisions/<slug>.jsonl` is a game: its options, its deal, the actions before, and
then each decision with the bot, its seed, its simulations, and the visits of each action. When code
is meant to decide otherwise, write new ones (`python -m tests.ai.decisions SLUG`) and empty its
list of digests.
"""

from __future__ import annotations

import pytest

from ai import bot_registry
from games.registry import ENGINES
from tests.ai import decisions

DECISIONS_PER_GAME = 200


@pytest.mark.parametrize("slug", ENGINES)
class TestStoredDecisions:
    def test_there_are_enough(self, slug: str) -> None:
        games = decisions.read_games(slug)
        assert sum(len(game.decisions) for game in games) == DECISIONS_PER_GAME

    def test_are_made_again(self, slug: str) -> None:
        for game in decisions.read_games(slug):
            assert decisions.repeat_decisions(slug, game) == [
                each.outcome for each in game.decisions
            ]

    def test_differ_where_the_search_is_another(
        self, slug: str, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        tuning = bot_registry.Tuning(exploration=2.0)
        monkeypatch.setitem(bot_registry.TUNINGS, slug, tuning)
        assert any(
            decisions.repeat_decisions(slug, game) != [each.outcome for each in game.decisions]
            for game in decisions.read_games(slug)
        )

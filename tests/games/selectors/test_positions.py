"""Views of positions, and the report on a log that does not replay."""

from __future__ import annotations

from typing import Any

import pytest

from games import position_cache, selectors
from games.models import Entry, Game
from games.selectors import game_choice, game_log, game_view
from tabularium_engines.common import json_codec
from tabularium_engines.common.replayable_log import BrokenLog
from tabularium_engines.installed.registry import ENGINES, RulesetNotInstalled
from tabularium_log.projection.projection import GameRefusal
from tests.games.missing_ruleset import remove_ruleset
from tests.games.sitting import SLUG, acting, bot_game

pytestmark = [pytest.mark.django_db, pytest.mark.stores]

VIEWERS = (None, 0, 1)


class TestViews:
    def test_are_those_of_the_engine(self) -> None:
        game = bot_game()
        table = selectors.game_projection(game)
        for viewer in VIEWERS:
            assert game_view(game, viewer) == table.engine.view(table.state, viewer)

    def test_of_any_past(self) -> None:
        game = bot_game()
        views = {4: game_view(game, 0)}
        for appended in acting(game):
            if appended.projection.phase == "playing":
                views[appended.last_seq] = game_view(game, 0)
        position_cache.cache.clear()
        for seq, view in views.items():
            assert game_view(game, 0, seq) == view

    def test_there_is_none_before_the_deal_nor_of_the_future(self) -> None:
        game = bot_game()
        for seq, code in ((1, "not-started"), (99, "unknown-entry"), (0, "unknown-entry")):
            with pytest.raises(GameRefusal) as caught:
                game_view(game, 0, seq)
            assert caught.value.code == code


class TestWhatDoesNotReplay:
    """A log that does not replay under the current rules is reported and never shown."""

    def test_names_the_first_entry_that_differs(self, monkeypatch: pytest.MonkeyPatch) -> None:
        game = bot_game()
        assert [*acting(game)]
        first = Entry.objects.filter(game=game, action__contains=".enact").earliest("seq").seq
        assert first > 4
        forbid_laws(monkeypatch)
        position_cache.cache.clear()
        for selector in (game_view, game_log, game_choice):
            with pytest.raises(BrokenLog, match=f"Entry {first} cannot be replayed") as caught:
                selector(game, 0)
            assert caught.value.seq == first

    def test_a_missing_entry_is_named(self) -> None:
        game = bot_game()
        Game.objects.filter(pk=game).update(seq=6)
        with pytest.raises(BrokenLog, match="Entry 5 is missing"):
            selectors.game_projection(game)

    def test_a_version_that_is_gone(self, monkeypatch: pytest.MonkeyPatch) -> None:
        game = bot_game()
        remove_ruleset(monkeypatch)
        position_cache.cache.clear()
        with pytest.raises(RulesetNotInstalled, match=r"law_of_the_dice rules version \d"):
            selectors.game_projection(game)


def forbid_laws(monkeypatch: pytest.MonkeyPatch) -> None:
    """Change the rules without a new version: no card can be enacted any more."""
    codec = ENGINES[SLUG].action_codec
    int_from_text, read_json = codec.int_from_text, codec.from_json

    def int_without_laws(text: str) -> int:
        return -1 if '.enact"' in text else int_from_text(text)

    def from_json(document: json_codec.Json) -> Any:
        if document["type"].endswith(".enact"):
            raise json_codec.MalformedDocument("/type", "is no action any more")
        return read_json(document)

    monkeypatch.setattr(codec, "int_from_text", int_without_laws)
    monkeypatch.setattr(codec, "from_json", from_json)

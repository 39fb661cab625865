"""Logs as viewers may read them."""

from __future__ import annotations

import json

import pytest

from games import selectors
from games.selectors import VisibleEntry, game_log
from tabularium_log.fairness.signed_hash_chain import entry_hash
from tests.games.sitting import acting, bot_game, stored_entries

pytestmark = [pytest.mark.django_db, pytest.mark.stores]

VIEWERS = (None, 0, 1)


def vote_lines(game: str, seed: int) -> list[VisibleEntry]:
    """The lines of votes so far, as seat 0 may read them."""
    return [line for line in game_log(game, 0, limit=10_000) if ".vote" in line.text]


class TestLogs:
    def test_are_the_same_chain_for_everybody(self) -> None:
        game = bot_game()
        rows = [(row.seq, row.hash, row.text) for row in stored_entries(game)]
        for viewer in VIEWERS:
            lines = game_log(game, viewer)
            assert [(line.seq, line.hash, line.text) for line in lines] == rows
            assert all(entry_hash(line.text) == line.hash for line in lines)

    def test_come_in_pages(self) -> None:
        game = bot_game()
        assert [*acting(game)]
        log = game_log(game, 0, limit=10_000)
        pages = [line for after in range(0, len(log), 7) for line in game_log(game, 0, after, 7)]
        assert pages == log
        assert game_log(game, 0, len(log)) == []

    def test_seal_a_vote_to_all_but_the_voter(self) -> None:
        for seed in range(50):
            game = bot_game()
            for _ in zip(acting(game, seed), range(40), strict=False):
                if (votes := vote_lines(game, seed)) or selectors.game_projection(
                    game
                ).phase == "over":
                    break
            if votes and selectors.game_projection(game).phase == "playing":
                line = votes[0]
                seat = json.loads(line.text)["seat"]
                assert '"suit"' not in line.text
                for viewer in VIEWERS:
                    fields = game_log(game, viewer, line.seq - 1, 1)[0].readable_fields
                    assert list(fields) == (["/action/suit"] if viewer == seat else [])
                return
        raise AssertionError("no seat ever votes")

    def test_are_open_to_everybody_in_the_end(self) -> None:
        game = bot_game()
        assert [*acting(game)]
        for line in game_log(game, None, limit=10_000):
            assert line.readable_fields.keys() == json.loads(line.text)["sealed"].keys()

    def test_tell_the_news_as_the_viewer_hears_them(self) -> None:
        game = bot_game()
        for appended in acting(game):
            if appended.projection.phase == "over":
                break
            for viewer in VIEWERS:
                line = game_log(game, viewer, appended.last_seq - 1, 1)[0]
                table = appended.projection
                assert list(line.news or ()) == table.engine.news(table.state, viewer)

"""Reads of a game, by viewer, and the report on a log that does not replay."""

from __future__ import annotations

import json
from datetime import timedelta
from typing import Any

import pytest
from django.utils import timezone

from games import position_cache, registry, selectors, services
from games.engines.common import codec
from games.engines.common.action_codec import ActionCodec
from games.engines.common.replay_log import BrokenLog
from games.engines.common.rng import FastRng
from games.fairness.signed_hash_chain import entry_hash
from games.models import Entry, Game
from games.projection.projection import GameRefusal
from games.registry import UnknownRuleset
from games.selectors import VisibleEntry, game_choice, game_log, game_view
from games.services import SeatAssignment
from tests.games.sitting import SLUG, act, acting, bot_game

pytestmark = pytest.mark.django_db

VIEWERS = (None, 0, 1)


def voted(game: str, seed: int) -> list[VisibleEntry]:
    """The lines of votes so far, as seat 0 may read them."""
    return [line for line in game_log(game, 0, limit=10_000) if ".vote" in line.text]


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


class TestChoices:
    def test_have_every_legal_action_ready_to_be_sent(self) -> None:
        game = bot_game()
        for _ in range(10):
            table = selectors.game_projection(game)
            assert table.state is not None
            for seat in (0, 1):
                choice = game_choice(game, seat)
                assert (choice is not None) == table.is_awaited(seat)
                if choice is not None:
                    assert (choice.token, choice.is_awaited) == (table.choice_token(seat), True)
                    asked = [o.action for o in choice.offers]
                    codes = [table.engine.encode(table.state, seat, action) for action in asked]
                    assert codes == table.state.legal_actions(seat)
                    assert all(offer.label for offer in choice.offers)
            act(game, table, FastRng(table.seq))

    def test_are_none_before_the_start_and_after_the_end(self) -> None:
        waiting = services.game_create(SLUG, [SeatAssignment(), SeatAssignment()]).projection.game
        over = bot_game()
        assert [*acting(over)]
        for game in (waiting, over):
            assert game_choice(game, 0) is None
            assert selectors.bot_turn(game, 0) is None


class TestBots:
    def test_are_told_what_their_seat_may_know(self) -> None:
        game = bot_game()
        table = selectors.game_projection(game)
        (seat,) = table.engine.awaited_seats(table.state)
        turn = selectors.bot_turn(game, seat)
        assert turn is not None
        assert (turn.ruleset, turn.version, turn.bot) == (SLUG, 1, "random")
        assert turn.view == game_view(game, seat)
        assert turn.token == table.choice_token(seat)
        for other in (1 - seat, -1, 2):
            assert selectors.bot_turn(game, other) is None

    def test_are_found_when_their_table_waits_too_long(self) -> None:
        game = bot_game()
        at = Game.objects.get(pk=game).at
        patience = timedelta(seconds=10)
        assert not selectors.games_stalled(at + timedelta(seconds=9), patience).exists()
        assert selectors.games_stalled(at + patience, patience).get().pk == game
        assert [*acting(game)]
        assert not selectors.games_stalled(timezone.now() + 10 * patience, patience).exists()


class TestLogs:
    def test_are_the_same_chain_for_everybody(self) -> None:
        game = bot_game()
        stored = Entry.objects.filter(game=game).order_by("seq")
        rows = [(row.seq, row.hash, row.text) for row in stored]
        for viewer in VIEWERS:
            lines = game_log(game, viewer)
            assert [(line.seq, line.hash, line.text) for line in lines] == rows
            assert all(entry_hash(line.text) == line.hash for line in lines)

    def test_come_in_pages(self) -> None:
        game = bot_game()
        assert [*acting(game)]
        whole = game_log(game, 0, limit=10_000)
        pages = [line for after in range(0, len(whole), 7) for line in game_log(game, 0, after, 7)]
        assert pages == whole
        assert game_log(game, 0, len(whole)) == []

    def test_seal_a_vote_to_all_but_the_voter(self) -> None:
        for seed in range(50):
            game = bot_game()
            for _ in zip(acting(game, seed), range(40), strict=False):
                if (votes := voted(game, seed)) or selectors.game_projection(game).phase == "over":
                    break
            if votes and selectors.game_projection(game).phase == "playing":
                line = votes[0]
                seat = json.loads(line.text)["seat"]
                assert '"suit"' not in line.text
                for viewer in VIEWERS:
                    opened = game_log(game, viewer, line.seq - 1, 1)[0].readable_fields
                    assert list(opened) == (["/action/suit"] if viewer == seat else [])
                return
        raise AssertionError("nobody ever votes")

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
                assert list(line.news) == table.engine.news(table.state, viewer)


class TestWhatDoesNotReplay:
    """A log that does not replay under the current rules is reported and never shown."""

    def test_names_the_first_entry_that_differs(self, monkeypatch: pytest.MonkeyPatch) -> None:
        game = bot_game()
        assert [*acting(game)]
        first = Entry.objects.filter(game=game, text__contains=".enact").earliest("seq").seq
        assert first > 4
        forbid_laws(monkeypatch)
        position_cache.cache.clear()
        for ask in (game_view, game_log, game_choice):
            with pytest.raises(BrokenLog, match=f"Entry {first} cannot be replayed") as caught:
                ask(game, 0)
            assert caught.value.seq == first

    def test_a_missing_entry_is_named(self) -> None:
        game = bot_game()
        Game.objects.filter(pk=game).update(seq=6)
        with pytest.raises(BrokenLog, match="Entry 5 is missing"):
            selectors.game_projection(game)

    def test_a_version_that_is_gone(self, monkeypatch: pytest.MonkeyPatch) -> None:
        game = bot_game()
        monkeypatch.setattr(registry, "ENGINES", {})
        position_cache.cache.clear()
        with pytest.raises(UnknownRuleset, match="law_of_the_dice rules version 1"):
            selectors.game_projection(game)


def forbid_laws(monkeypatch: pytest.MonkeyPatch) -> None:
    """Change the rules without a new version: no card can be enacted any more."""
    known, read = ActionCodec.int_from_text, ActionCodec.from_json

    def known_int(actions: ActionCodec, text: str) -> int:
        return -1 if '.enact"' in text else known(actions, text)

    def from_json(actions: ActionCodec, document: codec.Json) -> Any:
        if document["type"].endswith(".enact"):
            raise codec.MalformedDocument("/type", "is no action any more")
        return read(actions, document)

    monkeypatch.setattr(ActionCodec, "int_from_text", known_int)
    monkeypatch.setattr(ActionCodec, "from_json", from_json)

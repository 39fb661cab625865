"""The position cache: a process may lose it at any time, and it never misleads."""

from __future__ import annotations

from dataclasses import replace
from itertools import islice
from typing import Any

import pytest

from games import position_cache, selectors
from games.models import Account
from games.services import StaleChoice, append_action
from tabularium_engines.common.random_generators import FastRng
from tabularium_log.fairness.encryption import UnlockError
from tests.games.sitting import (
    SLUG,
    acting,
    bot_game,
    duel,
    some_action,
    turn_of,
)

pytestmark = [pytest.mark.django_db, pytest.mark.stores]


class TestMemory:
    def test_what_another_process_appended_is_seen(
        self, django_capture_on_commit_callbacks: Any
    ) -> None:
        game = duel(Account.objects.create())
        with django_capture_on_commit_callbacks(execute=True):
            table, action = turn_of(game, 0)
        cached = position_cache.cache.get_latest(game)
        appended = append_action(game, 0, action, choice=table.choice_token(0))
        assert cached is not None
        assert (
            position_cache.cache.get_latest(game) == cached
        )  # as in a process that did not append
        with pytest.raises(StaleChoice):
            append_action(game, 0, {"type": f"{SLUG}.roll"}, choice=table.choice_token(0))
        seat, action = some_action(appended.projection, FastRng(1))
        bot = "random" if seat else None
        assert append_action(game, seat, action, bot=bot).first_seq == appended.last_seq + 1

    def test_catching_up_continues_the_known_positions(self) -> None:
        games = [bot_game() for _ in range(3)]
        known = [position_cache.current_position(game) for game in games]
        for game in games[1:]:
            assert len(list(islice(acting(game), 4))) == 4
        newest = [position_cache.current_position(game) for game in games]
        position_cache.cache.clear()
        for old in known:
            position_cache.cache.store(old)
        position_cache.catch_up(["game_unknown"])
        position_cache.catch_up([*games, "game_unknown"])
        for game, old, new in zip(games, known, newest, strict=True):
            position = position_cache.cache.get_latest(game)
            assert position is not None
            assert (position.hash, position.secret) == (new.hash, new.secret)
            assert position.projection.choice_token(0) == new.projection.choice_token(0)
            assert position.projection.seq - old.projection.seq == (0 if game == games[0] else 4)

    def test_nothing_depends_on_it(self) -> None:
        game = bot_game()
        for appended in acting(game, 5):
            position_cache.cache.clear()
            reloaded = selectors.game_projection(game)
            assert reloaded.choice_token(0) == appended.projection.choice_token(0)
            assert reloaded.state is not None
            assert appended.projection.state is not None
            assert reloaded.state.contents() == appended.projection.state.contents()
            assert reloaded.last_actions == appended.projection.last_actions

    def test_a_lost_key_loses_running_games_only(self, settings: Any) -> None:
        over, running = bot_game(), bot_game()
        assert [*acting(over)]
        settings.SEALING_KEYS = [b"\1" * 32]
        position_cache.cache.clear()
        assert position_cache.current_position(over).projection.phase == "over"
        assert selectors.game_log(over, None)[3].readable_fields
        with pytest.raises(UnlockError):
            position_cache.current_position(running)

    def test_a_new_key_opens_new_games_and_the_old_one_the_old(self, settings: Any) -> None:
        old = bot_game()
        settings.SEALING_KEYS = [b"\1" * 32, *settings.SEALING_KEYS]
        new = bot_game()
        position_cache.cache.clear()
        assert [position_cache.current_position(game).projection.seq for game in (old, new)] == [
            4,
            4,
        ]
        settings.SEALING_KEYS = settings.SEALING_KEYS[:1]
        position_cache.cache.clear()
        assert position_cache.current_position(new).projection.seq == 4

    def test_it_is_bounded(self) -> None:
        memory = position_cache.PositionCache(3, may_grow=lambda: False)
        games = [bot_game() for _ in range(5)]
        for game in games:
            memory.store(position_cache.current_position(game))
        assert [memory.get_latest(game) is not None for game in games] == [False] * 2 + [True] * 3
        assert memory.get_latest(games[2]) is not None
        memory.store(position_cache.current_position(games[0]))
        assert memory.get_latest(games[3]) is None

    def test_it_grows_with_memory_and_shrinks_without(self) -> None:
        verdicts = iter([True, True, False, False])
        memory = position_cache.PositionCache(2, may_grow=lambda: next(verdicts))
        games = [bot_game() for _ in range(6)]
        for game in games[:4]:
            memory.store(position_cache.current_position(game))
        assert all(memory.get_latest(game) for game in games[:4])
        memory.store(position_cache.current_position(games[4]))
        assert [bool(memory.get_latest(game)) for game in games] == [False] * 2 + [True] * 3 + [
            False
        ]
        memory.store(position_cache.current_position(games[5]))
        assert [bool(memory.get_latest(game)) for game in games] == [False] * 4 + [True] * 2

    def test_a_database_put_back_to_an_earlier_day(self) -> None:
        game = bot_game()
        position = position_cache.current_position(game)
        ahead = position._replace(projection=replace(position.projection, seq=9))
        position_cache.cache.store(ahead)
        assert position_cache.current_position(game).projection.seq == position.projection.seq

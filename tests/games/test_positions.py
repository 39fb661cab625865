"""What does a process remember of games? Nothing that is missed, and nothing that misleads."""

from __future__ import annotations

from typing import Any

import pytest

from games import positions, selectors
from games.engines.common.rng import FastRng
from games.fairness.vault import Locked
from games.models import Account
from games.services import StaleChoice, action_append
from tests.games.sitting import (
    SLUG,
    acting,
    bot_game,
    duel,
    some_action,
    turn_of,
)

pytestmark = pytest.mark.django_db


class TestMemory:
    def test_what_another_process_appended_is_seen(
        self, django_capture_on_commit_callbacks: Any
    ) -> None:
        game = duel(Account.objects.create())
        with django_capture_on_commit_callbacks(execute=True):
            table, action = turn_of(game, 0)
        kept = positions.memory.latest(game)
        appended = action_append(game, 0, action, choice=table.token(0))
        assert kept is not None
        assert positions.memory.latest(game) == kept  # as in a process that did not append
        with pytest.raises(StaleChoice):
            action_append(game, 0, {"type": f"{SLUG}.roll"}, choice=table.token(0))
        seat, action = some_action(appended.table, FastRng(1))
        bot = "random" if seat else None
        assert action_append(game, seat, action, bot=bot).first == appended.last + 1

    def test_nothing_depends_on_it(self) -> None:
        game = bot_game()
        for appended in acting(game, 5):
            positions.memory.clear()
            forgotten = selectors.game_table(game)
            assert forgotten.token(0) == appended.table.token(0)
            assert forgotten.state is not None
            assert appended.table.state is not None
            assert forgotten.state.contents() == appended.table.state.contents()
            assert forgotten.deeds == appended.table.deeds

    def test_a_lost_key_loses_running_games_only(self, settings: Any) -> None:
        over, running = bot_game(), bot_game()
        assert [*acting(over)]
        settings.SEALING_KEYS = [b"\1" * 32]
        positions.memory.clear()
        assert positions.current(over).table.phase == "over"
        assert selectors.game_log(over, None)[3].opened
        with pytest.raises(Locked):
            positions.current(running)

    def test_a_new_key_opens_new_games_and_the_old_one_the_old(self, settings: Any) -> None:
        old = bot_game()
        settings.SEALING_KEYS = [b"\1" * 32, *settings.SEALING_KEYS]
        new = bot_game()
        positions.memory.clear()
        assert [positions.current(game).table.seq for game in (old, new)] == [4, 4]
        settings.SEALING_KEYS = settings.SEALING_KEYS[:1]
        positions.memory.clear()
        assert positions.current(new).table.seq == 4

    def test_it_is_bounded(self) -> None:
        memory = positions.Memory(3)
        games = [bot_game() for _ in range(5)]
        for game in games:
            memory.keep(positions.current(game))
        assert [memory.latest(game) is not None for game in games] == [False] * 2 + [True] * 3
        assert memory.latest(games[2]) is not None
        memory.keep(positions.current(games[0]))
        assert memory.latest(games[3]) is None

    def test_a_database_put_back_to_an_earlier_day(self) -> None:
        game = bot_game()
        position = positions.current(game)
        ahead = position._replace(
            table=position.table.__class__(**vars(position.table) | {"seq": 9})
        )
        positions.memory.keep(ahead)
        assert positions.current(game).table.seq == position.table.seq

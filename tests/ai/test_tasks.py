"""Celery tasks: each carries out its message, and at most once."""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import timedelta
from pathlib import Path
from typing import Final

import pytest

from ai import bot_dispatch, tasks
from ai.bot_dispatch import AGAIN_HEADER, THINK_TASK_NAME, WakeMessage
from ai.models import BotFailure, Thought
from games import position_cache, selectors
from games.models import Entry, Game
from jobs import sweeper
from tabularium_log.projection.projection import Projection
from tests.ai.conftest import Saboteur
from tests.config.processes import soon
from tests.support import warm_interpreter
from tests.support.databases import Kept

pytestmark = pytest.mark.stores

ROOT: Final = Path(__file__).parents[2]
DEALT: Final = 4  # entries of a table of two that has just been dealt


def deliver(message: WakeMessage, **headers: bool) -> str:
    """The final state of the task for a message."""
    arguments = [message.game, message.seat, message.choice]
    return str(tasks.think.apply(args=arguments, headers=headers).state)


def deliver_all(woken: list[WakeMessage], times: int) -> tuple[str, int]:
    """Deliver every message of a game this many times; returns its phase and the number of
    entries."""
    game, delivered = woken[-1].game, 0
    while delivered < len(woken):
        message = woken[delivered]
        for _ in range(times):
            assert deliver(message) == "SUCCESS"
        delivered += 1
    table = selectors.game_projection(game)
    return table.phase, table.seq


class TestThinking:
    pytestmark = pytest.mark.django_db

    def test_the_task_has_the_name_that_messages_bear(self) -> None:
        assert tasks.think.name == THINK_TASK_NAME

    @pytest.mark.parametrize("times", [1, 2, 3])
    def test_each_decision_is_made_once(
        self, table: Projection, woken: list[WakeMessage], times: int
    ) -> None:
        phase, seq = deliver_all(woken, times)
        assert phase == "over"
        assert seq - table.seq - 1 == len(woken) == len(set(woken))

    def test_a_doubled_message_leaves_the_log_as_it_is(
        self, table: Projection, woken: list[WakeMessage]
    ) -> None:
        deliver(woken[0])
        once = Game.objects.values("seq", "hash").get(pk=table.game)
        deliver(woken[0])
        deliver(woken[0], **{AGAIN_HEADER: True})
        assert Game.objects.values("seq", "hash").get(pk=table.game) == once

    def test_a_message_that_came_again_is_counted(
        self, table: Projection, woken: list[WakeMessage], saboteur: Saboteur
    ) -> None:
        deliver(woken[0], **{AGAIN_HEADER: True})
        assert BotFailure.objects.get().attempts == 2

    def test_a_first_message_is_not(self, table: Projection, woken: list[WakeMessage]) -> None:
        deliver(woken[0])
        assert not BotFailure.objects.exists()

    def test_a_game_that_is_not_there_any_more(
        self, table: Projection, woken: list[WakeMessage]
    ) -> None:
        assert deliver(woken[0]._replace(game="game_of_yesterday")) == "SUCCESS"

    def test_a_log_that_does_not_replay_fails_and_stays(
        self, table: Projection, woken: list[WakeMessage]
    ) -> None:
        Game.objects.filter(pk=table.game).update(seq=table.seq + 1)
        position_cache.cache.clear()
        assert deliver(woken[0]) == "FAILURE"


def test_stalled_bots_are_woken(
    table: Projection, woken: list[WakeMessage], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("ai.clock_budget.STALLED_AFTER", timedelta(0))
    woken.clear()
    assert sweeper.resend_lost(bot_dispatch.outbox) == 1
    assert [message.again for message in woken] == [True]


@contextmanager
def worker_log(kept: Kept, broker: str, module: str) -> Iterator[Path]:
    """Run a worker process, and yield the file of its output."""
    env = {
        **kept.environment,
        "REDIS_URL": broker,
        "DJANGO_SETTINGS_MODULE": "config.settings",
    }
    log_file = kept.folder / "said"
    with log_file.open("wb") as stderr:
        worker = warm_interpreter.Popen(
            [sys.executable, "-m", module],
            cwd=ROOT,
            env=env,
            stderr=stderr,
            start_new_session=True,
        )
    try:
        yield log_file
    finally:
        os.killpg(worker.pid, signal.SIGKILL)  # after a graceful stop it would wait for the bot
        worker.wait()


class TestTimeLimits:
    @pytest.mark.lane("processes")
    def test_a_bot_that_never_decides_is_interrupted(self, kept_here: Kept, broker: str) -> None:
        with worker_log(kept_here, broker, "tests.ai.hanging") as log_file:
            assert soon(lambda: Entry.objects.count() >= DEALT + 2), log_file.read_text()
        assert log_file.read_text().count("SoftTimeLimitExceeded") >= 2

    @pytest.mark.lane("processes")
    def test_a_bot_answers_within_its_clock(self, kept_here: Kept, broker: str) -> None:
        thought = Thought.objects.filter(bot="mcts")  # the first may come too late, but not all
        with worker_log(kept_here, broker, "tests.ai.hurrying") as log_file:
            assert soon(thought.exists), log_file.read_text()

"""Dispatch of bots: they are notified of their turns, and a missing broker delays no player."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from base64 import b64decode
from logging import WARNING
from pathlib import Path
from queue import SimpleQueue
from typing import Any, Final

import pytest
import redis
from celery import Celery

from ai import bot_dispatch, bot_registry
from ai.bot_dispatch import BotOutbox, WakeMessage
from games import process_metrics, selectors, services
from games.models import Account
from games.projection.projection import Projection
from games.services import SeatAssignment
from games.signals import entries_appended
from tests.ai.conftest import RULES
from tests.config.processes import soon
from tests.databases import Kept

ROOT: Final = Path(__file__).parents[2]
MESSAGE: Final = WakeMessage("game", 0, "choice", 0.0, again=False)
CREATE: Final = """
import django, json
django.setup()
from ai import bot_dispatch
from games import services
from games.services import SeatAssignment
seats = [SeatAssignment(bot="greedy"), SeatAssignment(bot="mcts")]
made = services.game_create("law_of_the_dice", seats)
bot_dispatch.outbox.flush_and_stop()
table = made.projection
secret = made.position.secret.hex()
seat = next(seat for seat in (0, 1) if table.is_awaited(seat))
print(json.dumps([table.game, seat, table.choice_token(seat), secret]))
"""


class TestWhoIsWoken:
    def test_a_bot_that_is_awaited(self, table: Projection, woken: list[WakeMessage]) -> None:
        (seat,) = selectors.awaited_bot_seats(table)
        bot = table.occupants[seat]
        assert bot
        seconds = bot_registry.bot_budget(str(bot.bot), RULES).seconds
        assert woken == [
            WakeMessage(table.game, seat, table.choice_token(seat), seconds, again=False)
        ]

    def test_nobody_where_people_play(self, db: None, woken: list[WakeMessage]) -> None:
        people = [SeatAssignment(account=Account.objects.create()) for _ in range(2)]
        services.game_create(RULES, people)
        assert woken == []

    def test_the_one_who_takes_over(self, db: None, woken: list[WakeMessage]) -> None:
        people = [SeatAssignment(account=Account.objects.create()) for _ in range(3)]
        table = services.game_create(RULES, people).projection
        seat = next(seat for seat in range(3) if table.is_awaited(seat))
        services.game_resign(table.game, seat)
        assert [message.seat for message in woken] == [seat]

    def test_each_new_decision_once(self, table: Projection, woken: list[WakeMessage]) -> None:
        answered = 0
        while answered < len(woken):
            message = woken[answered]
            turn = selectors.bot_turn(message.game, message.seat)
            assert turn
            assert turn.token == message.choice
            action = turn.offers[0].action
            services.action_append(message.game, message.seat, action, bot=turn.bot)
            answered += 1
        assert selectors.game_projection(table.game).phase == "over"
        assert len({message.choice for message in woken}) == answered


class TestThePublisher:
    @pytest.fixture
    def published(self, monkeypatch: pytest.MonkeyPatch) -> SimpleQueue[list[WakeMessage]]:
        """The batches that would leave the process."""
        batches: SimpleQueue[list[WakeMessage]] = SimpleQueue()
        monkeypatch.setattr(BotOutbox, "publish", lambda _, batch: batches.put(batch))
        return batches

    def test_publishes_what_is_put(self, published: SimpleQueue[list[WakeMessage]]) -> None:
        publisher = BotOutbox()
        publisher.enqueue(MESSAGE)
        assert published.get(timeout=30) == [MESSAGE]
        publisher.flush_and_stop()

    def test_publishes_all_before_it_stops(self, published: SimpleQueue[list[WakeMessage]]) -> None:
        publisher = BotOutbox()
        for seat in range(250):
            publisher.enqueue(MESSAGE._replace(seat=seat))
        publisher.flush_and_stop()
        sent = [message.seat for _ in range(published.qsize()) for message in published.get()]
        assert sent == list(range(250))

    def test_goes_on_after_it_was_stopped(self, published: SimpleQueue[list[WakeMessage]]) -> None:
        publisher = BotOutbox()
        for _ in range(2):
            publisher.enqueue(MESSAGE)
            publisher.flush_and_stop()
            assert published.get(timeout=30) == [MESSAGE]

    def test_has_a_thread_of_its_own_in_a_forked_process(
        self, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        reading, writing = os.pipe()
        monkeypatch.setattr(BotOutbox, "publish", lambda *_: os.write(writing, b"%d" % os.getpid()))
        publisher = BotOutbox()
        publisher.enqueue(MESSAGE)
        publisher.flush_and_stop()
        assert os.read(reading, 100) == b"%d" % os.getpid()
        publisher.enqueue(MESSAGE)
        assert os.read(reading, 100)
        child = os.fork()
        if child == 0:
            publisher.enqueue(MESSAGE)
            publisher.flush_and_stop()
            os._exit(0)
        os.waitpid(child, 0)
        os.close(writing)
        assert os.read(reading, 100) == b"%d" % child
        os.close(reading)


class TestABrokerThatIsNotThere:
    @pytest.fixture
    def away(self, monkeypatch: pytest.MonkeyPatch) -> Celery:
        """Celery with a Redis URL whose port is closed."""
        app = Celery("away", broker="redis://127.0.0.1:1/0", set_as_current=False)
        app.conf.task_publish_retry = False
        app.conf.broker_transport_options = {"max_retries": 1, "interval_start": 0}
        monkeypatch.setattr(bot_dispatch, "current_app", app)
        return app

    def test_keeps_nobody_from_acting(
        self, away: Celery, db: None, monkeypatch: pytest.MonkeyPatch, caplog: Any
    ) -> None:
        publisher = BotOutbox()
        monkeypatch.setattr(bot_dispatch, "outbox", publisher)
        with caplog.at_level(WARNING):
            bots = [SeatAssignment(bot="greedy"), SeatAssignment(bot="greedy")]
            table = services.game_create(RULES, bots).projection
            entries_appended.send_robust(sender=Projection, table=table, first=1)
            assert soon(lambda: "bot tasks were not published" in caplog.text)
            publisher.flush_and_stop()
        assert selectors.game_projection(table.game).phase == "playing"

    def test_and_those_who_come_later_are_woken(
        self, away: Celery, monkeypatch: pytest.MonkeyPatch, caplog: Any
    ) -> None:
        publisher = BotOutbox()
        process_metrics.metrics.drain()
        publisher.enqueue(MESSAGE)
        assert soon(lambda: "1 bot tasks were not published" in caplog.text)
        assert process_metrics.metrics.drain()[0][process_metrics.PUBLISH_FAILURES] == 1
        batches: SimpleQueue[list[WakeMessage]] = SimpleQueue()
        monkeypatch.setattr(BotOutbox, "publish", lambda _, batch: batches.put(batch))
        publisher.enqueue(MESSAGE)
        assert batches.get(timeout=30) == [MESSAGE]
        publisher.flush_and_stop()


def test_a_listener_that_fails_keeps_nobody_from_acting(
    table: Projection, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def fail(*_: Any, **__: Any) -> None:
        raise RuntimeError("no publisher")

    monkeypatch.setattr(bot_dispatch, "wake_bot", fail)
    (seat,) = selectors.awaited_bot_seats(table)
    who, turn = table.occupants[seat], selectors.bot_turn(table.game, seat)
    assert who
    assert turn
    done = services.action_append(table.game, seat, turn.offers[0].action, bot=who.bot)
    assert selectors.game_projection(table.game).seq == done.last_seq > table.seq


class TestWhatIsPublished:
    def test_it_names_the_decision_and_nothing_else(self, kept: Kept, broker: str) -> None:
        env = {
            **kept.environment,
            "REDIS_URL": broker,
            "DJANGO_SETTINGS_MODULE": "config.settings",
        }
        made = subprocess.run(
            [sys.executable, "-c", CREATE], cwd=ROOT, env=env, capture_output=True, check=True
        )
        game, seat, choice, secret = json.loads(made.stdout)
        (message,) = found(kept.folder / "spool", broker)
        assert json.loads(message["body"])[:2] == [[game, seat, choice], {}]
        assert message["headers"]["timelimit"][1] >= bot_dispatch.SOFT_LIMIT_EXTRA_SECONDS
        assert secret not in json.dumps(message) + made.stderr.decode()


def found(spool: Path, broker: str) -> list[dict[str, Any]]:
    """The messages in the bots' queue, with decoded bodies."""
    if broker:
        texts = redis.Redis.from_url(broker).lrange("bots", 0, -1)
    else:
        texts = [path.read_bytes() for path in spool.rglob("bots/**/*") if path.is_file()]
    messages = [json.loads(text) for text in texts]
    return [{**message, "body": plain(message)} for message in messages]


def plain(message: dict[str, Any]) -> str:
    """The body of a message, decoded."""
    assert message["properties"]["body_encoding"] == "base64"
    return b64decode(message["body"]).decode()

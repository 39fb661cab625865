"""Do bots hear of their turn, and is nobody kept waiting by a broker that is not there?"""

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

from ai import registry, waking
from ai.waking import Message, Publisher
from games import figures, selectors, services
from games.models import Account
from games.services import Seating
from games.signals import entries_appended
from games.table.table import Table
from tests.ai.conftest import RULES
from tests.config.processes import soon
from tests.databases import Kept

ROOT: Final = Path(__file__).parents[2]
MESSAGE: Final = Message("game", 0, "choice", 0.0, again=False)
CREATE: Final = """
import django, json
django.setup()
from ai import waking
from games import positions, services
from games.services import Seating
made = services.game_create("law_of_the_dice", [Seating(bot="greedy"), Seating(bot="mcts")])
waking.publisher.finish()
table = made.table
secret = made.position.secret.hex()
seat = next(seat for seat in (0, 1) if table.is_awaited(seat))
print(json.dumps([table.game, seat, table.token(seat), secret]))
"""


class TestWhoIsWoken:
    def test_a_bot_that_is_awaited(self, table: Table, woken: list[Message]) -> None:
        (seat,) = selectors.bots_awaited(table)
        bot = table.occupants[seat]
        assert bot
        seconds = registry.budget(str(bot.bot), RULES).seconds
        assert woken == [Message(table.game, seat, table.token(seat), seconds, again=False)]

    def test_nobody_where_people_play(self, db: None, woken: list[Message]) -> None:
        people = [Seating(account=Account.objects.create()) for _ in range(2)]
        services.game_create(RULES, people)
        assert woken == []

    def test_the_one_who_takes_over(self, db: None, woken: list[Message]) -> None:
        people = [Seating(account=Account.objects.create()) for _ in range(3)]
        table = services.game_create(RULES, people).table
        seat = next(seat for seat in range(3) if table.is_awaited(seat))
        services.game_resign(table.game, seat)
        assert [message.seat for message in woken] == [seat]

    def test_each_new_decision_once(self, table: Table, woken: list[Message]) -> None:
        answered = 0
        while answered < len(woken):
            message = woken[answered]
            turn = selectors.bot_turn(message.game, message.seat)
            assert turn
            assert turn.token == message.choice
            action = turn.offers[0].action
            services.action_append(message.game, message.seat, action, bot=turn.bot)
            answered += 1
        assert selectors.game_table(table.game).phase == "over"
        assert len({message.choice for message in woken}) == answered


class TestThePublisher:
    @pytest.fixture
    def published(self, monkeypatch: pytest.MonkeyPatch) -> SimpleQueue[list[Message]]:
        """What leaves the process."""
        batches: SimpleQueue[list[Message]] = SimpleQueue()
        monkeypatch.setattr(Publisher, "publish", lambda _, batch: batches.put(batch))
        return batches

    def test_publishes_what_is_put(self, published: SimpleQueue[list[Message]]) -> None:
        publisher = Publisher()
        publisher.put(MESSAGE)
        assert published.get(timeout=30) == [MESSAGE]
        publisher.finish()

    def test_publishes_all_before_it_stops(self, published: SimpleQueue[list[Message]]) -> None:
        publisher = Publisher()
        for seat in range(250):
            publisher.put(MESSAGE._replace(seat=seat))
        publisher.finish()
        sent = [message.seat for _ in range(published.qsize()) for message in published.get()]
        assert sent == list(range(250))

    def test_goes_on_after_it_was_stopped(self, published: SimpleQueue[list[Message]]) -> None:
        publisher = Publisher()
        for _ in range(2):
            publisher.put(MESSAGE)
            publisher.finish()
            assert published.get(timeout=30) == [MESSAGE]

    def test_has_a_thread_of_its_own_in_a_forked_process(
        self, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        reading, writing = os.pipe()
        monkeypatch.setattr(Publisher, "publish", lambda *_: os.write(writing, b"%d" % os.getpid()))
        publisher = Publisher()
        publisher.put(MESSAGE)
        publisher.finish()
        assert os.read(reading, 100) == b"%d" % os.getpid()
        publisher.put(MESSAGE)
        assert os.read(reading, 100)
        child = os.fork()
        if child == 0:
            publisher.put(MESSAGE)
            publisher.finish()
            os._exit(0)
        os.waitpid(child, 0)
        os.close(writing)
        assert os.read(reading, 100) == b"%d" % child
        os.close(reading)


class TestABrokerThatIsNotThere:
    @pytest.fixture
    def away(self, monkeypatch: pytest.MonkeyPatch) -> Celery:
        """Celery with a Redis at a port where nobody listens."""
        app = Celery("away", broker="redis://127.0.0.1:1/0", set_as_current=False)
        app.conf.task_publish_retry = False
        app.conf.broker_transport_options = {"max_retries": 1, "interval_start": 0}
        monkeypatch.setattr(waking, "current_app", app)
        return app

    def test_keeps_nobody_from_acting(
        self, away: Celery, db: None, monkeypatch: pytest.MonkeyPatch, caplog: Any
    ) -> None:
        publisher = Publisher()
        monkeypatch.setattr(waking, "publisher", publisher)
        with caplog.at_level(WARNING):
            bots = [Seating(bot="greedy"), Seating(bot="greedy")]
            table = services.game_create(RULES, bots).table
            entries_appended.send_robust(sender=Table, table=table, first=1)
            assert soon(lambda: "bots were not woken" in caplog.text)
            publisher.finish()
        assert selectors.game_table(table.game).phase == "playing"

    def test_and_those_who_come_later_are_woken(
        self, away: Celery, monkeypatch: pytest.MonkeyPatch, caplog: Any
    ) -> None:
        publisher = Publisher()
        figures.counts.take()
        publisher.put(MESSAGE)
        assert soon(lambda: "1 bots were not woken" in caplog.text)
        assert figures.counts.take()[0][figures.PUBLISH_FAILURES] == 1
        batches: SimpleQueue[list[Message]] = SimpleQueue()
        monkeypatch.setattr(Publisher, "publish", lambda _, batch: batches.put(batch))
        publisher.put(MESSAGE)
        assert batches.get(timeout=30) == [MESSAGE]
        publisher.finish()


def test_a_listener_that_fails_keeps_nobody_from_acting(
    table: Table, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def fail(*_: Any, **__: Any) -> None:
        raise RuntimeError("no publisher")

    monkeypatch.setattr(waking, "wake", fail)
    (seat,) = selectors.bots_awaited(table)
    who, turn = table.occupants[seat], selectors.bot_turn(table.game, seat)
    assert who
    assert turn
    done = services.action_append(table.game, seat, turn.offers[0].action, bot=who.bot)
    assert selectors.game_table(table.game).seq == done.last > table.seq


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
        assert message["headers"]["timelimit"][1] >= waking.SPARE
        assert secret not in json.dumps(message) + made.stderr.decode()


def found(spool: Path, broker: str) -> list[dict[str, Any]]:
    """The messages in the queue of the bots, with their bodies in plain."""
    if broker:
        texts = redis.Redis.from_url(broker).lrange("bots", 0, -1)
    else:
        texts = [path.read_bytes() for path in spool.rglob("bots/**/*") if path.is_file()]
    messages = [json.loads(text) for text in texts]
    return [{**message, "body": plain(message)} for message in messages]


def plain(message: dict[str, Any]) -> str:
    """The body of a message as it was before it was packed."""
    assert message["properties"]["body_encoding"] == "base64"
    return b64decode(message["body"]).decode()

"""Dispatch of bots: they are notified of their turns, and a missing broker delays no player."""

from __future__ import annotations

import json
import os
import sys
from base64 import b64decode
from logging import WARNING
from pathlib import Path
from queue import SimpleQueue
from typing import Any, Final

import pytest
import redis
from celery import Celery
from django.db import OperationalError

from ai import bot_dispatch, bot_registry, bot_turn
from ai.bot_dispatch import BotOutbox, WakeMessage
from ai.models import BotFailure
from games import position_cache, process_metrics, request_trace, selectors, services
from games.models import Account
from games.services import SeatAssignment
from games.signals import entries_appended
from jobs import sweeper
from tabularium_log.projection.projection import Projection
from tests.ai.conftest import RULES
from tests.config.processes import PATIENCE, soon
from tests.jobs.passing import Later, lose_the_tail
from tests.support import warm_interpreter
from tests.support.databases import Kept

pytestmark = pytest.mark.stores

ROOT: Final = Path(__file__).parents[2]
MESSAGE: Final = WakeMessage("game", 0, "choice", 0.0, again=False)
CREATE: Final = """
import django, json
django.setup()
from ai import bot_dispatch
from games import services
from games.services import SeatAssignment
seats = [SeatAssignment(bot="greedy"), SeatAssignment(bot="mcts")]
made = services.create_game("law_of_the_dice", seats)
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
        services.create_game(RULES, people)
        assert woken == []

    def test_the_one_who_takes_over(self, db: None, woken: list[WakeMessage]) -> None:
        people = [SeatAssignment(account=Account.objects.create()) for _ in range(3)]
        table = services.create_game(RULES, people).projection
        seat = next(seat for seat in range(3) if table.is_awaited(seat))
        services.resign_seat(table.game, seat)
        assert [message.seat for message in woken] == [seat]

    def test_each_new_decision_once(self, table: Projection, woken: list[WakeMessage]) -> None:
        answer_count = 0
        while answer_count < len(woken):
            message = woken[answer_count]
            turn = selectors.bot_turn(message.game, message.seat)
            assert turn
            assert turn.token == message.choice
            action = turn.actions[0]
            services.append_action(message.game, message.seat, action, bot=turn.bot)
            answer_count += 1
        assert selectors.game_projection(table.game).phase == "over"
        assert len({message.choice for message in woken}) == answer_count


class TestTheOutbox:
    @pytest.fixture
    def published(self, monkeypatch: pytest.MonkeyPatch) -> SimpleQueue[list[WakeMessage]]:
        """The batches that would leave the process."""
        batches: SimpleQueue[list[WakeMessage]] = SimpleQueue()
        monkeypatch.setattr(BotOutbox, "publish", lambda _, batch: batches.put(batch))
        return batches

    def test_publishes_what_is_put(self, published: SimpleQueue[list[WakeMessage]]) -> None:
        outbox = BotOutbox()
        outbox.enqueue(MESSAGE)
        assert published.get(timeout=PATIENCE) == [MESSAGE]
        outbox.flush_and_stop()

    def test_publishes_all_before_it_stops(self, published: SimpleQueue[list[WakeMessage]]) -> None:
        outbox = BotOutbox()
        for seat in range(250):
            outbox.enqueue(MESSAGE._replace(seat=seat))
        outbox.flush_and_stop()
        seats = [message.seat for _ in range(published.qsize()) for message in published.get()]
        assert seats == list(range(250))

    def test_goes_on_after_it_was_stopped(self, published: SimpleQueue[list[WakeMessage]]) -> None:
        outbox = BotOutbox()
        for _ in range(2):
            outbox.enqueue(MESSAGE)
            outbox.flush_and_stop()
            assert published.get(timeout=PATIENCE) == [MESSAGE]

    def test_has_a_thread_of_its_own_in_a_forked_process(
        self, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        reading, writing = os.pipe()
        monkeypatch.setattr(BotOutbox, "publish", lambda *_: os.write(writing, b"%d" % os.getpid()))
        outbox = BotOutbox()
        outbox.enqueue(MESSAGE)
        outbox.flush_and_stop()
        assert os.read(reading, 100) == b"%d" % os.getpid()
        outbox.enqueue(MESSAGE)
        assert os.read(reading, 100)
        child = os.fork()
        if child == 0:
            outbox.enqueue(MESSAGE)
            outbox.flush_and_stop()
            os._exit(0)
        os.waitpid(child, 0)
        os.close(writing)
        assert os.read(reading, 100) == b"%d" % child
        os.close(reading)


class TestABrokerThatIsNotThere:
    @pytest.fixture
    def unreachable_broker(self, monkeypatch: pytest.MonkeyPatch) -> Celery:
        """Celery with a Redis URL whose port is closed."""
        app = Celery("away", broker="redis://127.0.0.1:1/0", set_as_current=False)
        app.conf.task_publish_retry = False
        app.conf.broker_transport_options = {"max_retries": 1, "interval_start": 0}
        monkeypatch.setattr("jobs.celery_task_publisher.current_app", app)
        return app

    def test_keeps_nobody_from_acting(
        self, unreachable_broker: Celery, db: None, monkeypatch: pytest.MonkeyPatch, caplog: Any
    ) -> None:
        outbox = BotOutbox()
        monkeypatch.setattr(bot_dispatch, "outbox", outbox)
        with caplog.at_level(WARNING):
            bots = [SeatAssignment(bot="greedy"), SeatAssignment(bot="greedy")]
            table = services.create_game(RULES, bots).projection
            entries_appended.send_robust(sender=Projection, table=table, first=1)
            assert soon(lambda: "bot tasks were not published" in caplog.text)
            outbox.flush_and_stop()
        assert selectors.game_projection(table.game).phase == "playing"

    def test_and_those_who_come_later_are_woken(
        self, unreachable_broker: Celery, monkeypatch: pytest.MonkeyPatch, caplog: Any
    ) -> None:
        outbox = BotOutbox()
        process_metrics.metrics.drain()
        outbox.enqueue(MESSAGE)
        assert soon(lambda: "1 bot tasks were not published" in caplog.text)
        assert process_metrics.metrics.drain()[0][process_metrics.PUBLISH_FAILURES] == 1
        batches: SimpleQueue[list[WakeMessage]] = SimpleQueue()
        monkeypatch.setattr(BotOutbox, "publish", lambda _, batch: batches.put(batch))
        outbox.enqueue(MESSAGE)
        assert batches.get(timeout=PATIENCE) == [MESSAGE]
        outbox.flush_and_stop()


def test_a_listener_that_fails_keeps_nobody_from_acting(
    table: Projection, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def fail(*_: Any, **__: Any) -> None:
        raise RuntimeError("no outbox")

    monkeypatch.setattr(bot_dispatch, "wake_bot", fail)
    (seat,) = selectors.awaited_bot_seats(table)
    occupant, turn = table.occupants[seat], selectors.bot_turn(table.game, seat)
    assert occupant
    assert turn
    appended = services.append_action(table.game, seat, turn.actions[0], bot=occupant.bot)
    assert selectors.game_projection(table.game).seq == appended.last_seq > table.seq


# -- recovery ------------------------------------------------------------------------------------


@pytest.mark.usefixtures("unbroken")
class TestStalledBots:
    def test_are_woken_again(
        self, table: Projection, woken: list[WakeMessage], later: Later
    ) -> None:
        later(20)
        first = woken.pop()
        assert sweeper.sweep() == 1
        assert woken == [first._replace(again=True)]

    def test_are_woken_with_the_trace_of_their_game(
        self, table: Projection, later: Later, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        traces: list[dict[str, str]] = []
        monkeypatch.setattr(
            bot_dispatch.outbox, "enqueue", lambda _: traces.append(request_trace.logged_fields())
        )
        later(20)
        sweeper.sweep()
        assert traces == [{request_trace.GAME_FIELD: table.game}]

    def test_have_time_to_think(
        self, table: Projection, woken: list[WakeMessage], later: Later
    ) -> None:
        later(10)
        woken.clear()
        assert sweeper.sweep() == 0
        assert woken == []

    def test_are_not_woken_every_second(
        self, table: Projection, woken: list[WakeMessage], later: Later
    ) -> None:
        woken.clear()
        for _ in range(600):
            later(1)
            sweeper.resend_lost(bot_dispatch.outbox)
        assert 10 <= len(woken) <= 15
        assert len(set(woken)) == 1

    def test_are_woken_at_once_for_another_decision(
        self, table: Projection, woken: list[WakeMessage], later: Later
    ) -> None:
        later(20)
        sweeper.sweep()
        bot_turn.take_turn(table.game, *_decision(woken[-1]))
        later(20)
        sweeper.sweep()
        assert woken[-1].again
        assert woken[-1].choice != woken[0].choice

    @pytest.mark.parametrize("ahead", [1, 10, 20, 3600])
    def test_are_woken_as_soon_by_a_clock_that_was_set_back(
        self, ahead: float, table: Projection, woken: list[WakeMessage], later: Later
    ) -> None:
        woken.clear()
        later(-ahead)
        for second in range(1, 19):
            later(1)
            sweeper.resend_lost(bot_dispatch.outbox)
            assert bool(woken) == (second >= 16)

    def test_that_never_answer_are_answered_for(
        self, table: Projection, woken: list[WakeMessage], later: Later
    ) -> None:
        for _ in range(2):
            later(100)
            sweeper.sweep()
            message = woken[-1]
            bot_turn.count_attempt(message.game, message.seat, message.choice)
        assert BotFailure.objects.get().attempts == 3
        assert bot_turn.take_turn(table.game, *_decision(message), again=True)

    def test_people_are_left_in_peace(
        self, db: None, woken: list[WakeMessage], later: Later
    ) -> None:
        services.create_game(
            RULES, [SeatAssignment(account=Account.objects.create()) for _ in range(2)]
        )
        later(1000)
        assert sweeper.sweep() == 0


@pytest.mark.usefixtures("unbroken")
class TestABrokenGame:
    def test_keeps_no_other_waiting(
        self,
        table: Projection,
        woken: list[WakeMessage],
        later: Later,
        caplog: pytest.LogCaptureFixture,
    ) -> None:
        broken_game = services.create_game(
            RULES, [SeatAssignment(bot="random"), SeatAssignment(bot="random")]
        ).projection
        lose_the_tail(broken_game.game)
        position_cache.cache.clear()
        woken.clear()
        later(20)
        assert sweeper.sweep() == 1
        assert [message.game for message in woken] == [table.game]
        assert f"The sweeper failed at {broken_game.game}" in caplog.text

    @pytest.mark.lane("slow")
    def test_is_tried_ever_less_often_and_told_with_one_traceback(
        self,
        table: Projection,
        woken: list[WakeMessage],
        later: Later,
        caplog: pytest.LogCaptureFixture,
    ) -> None:
        lose_the_tail(table.game)
        position_cache.cache.clear()
        later(20)
        for _ in range(900):  # an hour
            later(4)
            sweeper.resend_lost(bot_dispatch.outbox)
        lines = [record for record in caplog.records if "The sweeper failed" in record.message]
        assert 10 <= len(lines) <= 16
        assert [line.exc_info is not None for line in lines] == [True] + [False] * (len(lines) - 1)
        assert "(10 times in a row) and tries again in 512 s" in lines[9].message

    def test_goes_on_as_soon_as_it_can_be_read(
        self,
        table: Projection,
        woken: list[WakeMessage],
        later: Later,
        monkeypatch: pytest.MonkeyPatch,
    ) -> None:
        def fail(_: str) -> None:
            raise ValueError("sealed")

        later(20)
        with monkeypatch.context() as patch:
            patch.setattr(bot_dispatch.outbox, "_take_due", fail)
            assert sweeper.resend_lost(bot_dispatch.outbox) == 0
        assert sweeper.resend_lost(bot_dispatch.outbox) == 0, "it has a pause"
        later(1)
        assert sweeper.resend_lost(bot_dispatch.outbox) == 1

    @pytest.mark.parametrize(
        ("problem", "pause"), [(OperationalError("away"), 5), (ValueError("broken"), 512)]
    )
    def test_waits_for_no_more_than_seconds_if_it_was_the_database(
        self,
        table: Projection,
        later: Later,
        monkeypatch: pytest.MonkeyPatch,
        caplog: pytest.LogCaptureFixture,
        problem: Exception,
        pause: int,
    ) -> None:
        def fail(_: str) -> None:
            raise problem

        later(20)
        monkeypatch.setattr(bot_dispatch.outbox, "_take_due", fail)
        for _ in range(10):
            later(600)
            sweeper.resend_lost(bot_dispatch.outbox)
        assert f"tries again in {pause} s" in caplog.messages[-1]


@pytest.mark.usefixtures("unbroken")
class TestAClockThatIsSetBack:
    """A game created at a future time does not stay stuck there."""

    def test_keeps_no_bot_waiting_that_was_not_woken(
        self, db: None, woken: list[WakeMessage], later: Later
    ) -> None:
        later(30 * 24 * 3600)
        services.create_game(RULES, [SeatAssignment(bot="random"), SeatAssignment(bot="random")])
        woken.clear()
        later(-30 * 24 * 3600)
        sweeper.sweep()
        assert woken == [], "it may be thinking"
        later(16)
        sweeper.sweep()
        assert len(woken) == 1

    def test_wakes_again_after_an_hour_that_never_was(
        self, table: Projection, woken: list[WakeMessage], later: Later
    ) -> None:
        later(3600)
        sweeper.sweep()
        later(-3500)
        woken.clear()
        for _ in range(70):
            later(1)
            sweeper.sweep()
        assert woken


def _decision(message: WakeMessage) -> tuple[int, str]:
    return message.seat, message.choice


# -- messages -------------------------------------------------------------------------------------


class TestWhatIsPublished:
    @pytest.mark.lane("processes")
    def test_it_names_the_decision_and_nothing_else(self, kept: Kept, broker: str) -> None:
        env = {
            **kept.environment,
            "REDIS_URL": broker,
            "DJANGO_SETTINGS_MODULE": "config.settings",
        }
        process = warm_interpreter.run(
            [sys.executable, "-c", CREATE], cwd=ROOT, env=env, capture_output=True, check=True
        )
        game, seat, choice, secret = json.loads(process.stdout)
        (message,) = queued_messages(kept.folder / "spool", broker)
        assert json.loads(message["body"])[:2] == [[game, seat, choice], {}]
        assert message["headers"]["timelimit"][1] >= bot_dispatch.SOFT_LIMIT_EXTRA_SECONDS
        assert secret not in json.dumps(message) + process.stderr.decode()


def queued_messages(spool: Path, broker: str) -> list[dict[str, Any]]:
    """The messages in the bots' queue, with decoded bodies."""
    if broker:
        with redis.Redis.from_url(broker) as client:
            texts = client.lrange("bots", 0, -1)
    else:
        texts = [path.read_bytes() for path in spool.rglob("bots/**/*") if path.is_file()]
    messages = [json.loads(text) for text in texts]
    return [{**message, "body": decoded_body(message)} for message in messages]


def decoded_body(message: dict[str, Any]) -> str:
    """The body of a message, decoded."""
    assert message["properties"]["body_encoding"] == "base64"
    return b64decode(message["body"]).decode()

"""Lost tasks are found again, and a notice gets through all the processes."""

from __future__ import annotations

import sys
from contextlib import nullcontext
from datetime import timedelta
from threading import Event
from types import SimpleNamespace
from typing import Any

import pytest
from standardwebhooks import Webhook as Verifier

from api import tasks
from api.models import Delivery
from api.webhooks import webhook_dispatch
from api.webhooks.webhook_dispatch import WebhookMessage
from games.models import Account
from jobs import sweeper
from tests.api.webhooks.conftest import (
    Later,
    QueuedTasks,
    Receiver,
    Subscription,
    Work,
    playing,
    types,
)
from tests.config.processes import soon
from tests.support import warm_interpreter
from tests.support.databases import ROOT, Kept

pytestmark = pytest.mark.stores


class TestSweeper:
    def test_announces_what_was_forgotten(
        self,
        subscription: Subscription,
        receiver: Receiver,
        queued_tasks: QueuedTasks,
        work: Work,
        account: Account,
        later: Later,
    ) -> None:
        playing(account, Account.objects.create())
        queued_tasks.clear()  # the process that had the task died
        sweeper.sweep()
        assert queued_tasks == []
        later(timedelta(seconds=6))
        sweeper.sweep()
        work()
        assert "game.started" in types(receiver)
        sweeper.sweep()
        assert queued_tasks == []

    def test_delivers_what_was_forgotten(
        self,
        subscription: Subscription,
        receiver: Receiver,
        queued_tasks: QueuedTasks,
        work: Work,
        account: Account,
        later: Later,
    ) -> None:
        playing(account, Account.objects.create())
        tasks.announce(queued_tasks[0][1])
        queued_tasks.clear()
        sweeper.sweep()
        assert queued_tasks == []
        later(timedelta(seconds=31))
        sweeper.sweep()
        assert len(queued_tasks) == Delivery.objects.count() > 0
        sweeper.sweep()
        assert len(queued_tasks) == Delivery.objects.count()
        work()
        assert set(Delivery.objects.values_list("state", flat=True)) == {"delivered"}

    def test_tells_of_another_attempt_when_it_is_due(
        self,
        subscription: Subscription,
        receiver: Receiver,
        queued_tasks: QueuedTasks,
        work: Work,
        account: Account,
        later: Later,
    ) -> None:
        receiver.status = 503
        playing(account, Account.objects.create())
        work()
        receiver.requests.clear()
        receiver.status = 200
        sweeper.sweep()
        assert queued_tasks == []
        later(timedelta(seconds=6))
        sweeper.sweep()
        work()
        assert "game.started" in types(receiver)

    def test_forgets_what_is_old(
        self, subscription: Subscription, work: Work, account: Account, later: Later
    ) -> None:
        playing(account, Account.objects.create())
        work()
        sweeper.clean_up()
        assert Delivery.objects.exists()
        later(timedelta(days=31))
        sweeper.clean_up()
        assert not Delivery.objects.exists()


@pytest.mark.lane("processes")
@pytest.mark.stores
def test_a_notice_gets_through_all_the_processes(
    kept: Kept, receiver: Receiver, broker: str
) -> None:
    variables = {"REDIS_URL": broker, "TABULARIUM_WEBHOOK_HOSTS": "127.0.0.1"}
    options = ["--pool=prefork", "--concurrency=1", "--queues=webhooks", "--loglevel=WARNING"]
    worker = warm_interpreter.Popen(
        [sys.executable, "-m", "celery", "--quiet", "--app=config", "worker", *options],
        cwd=ROOT,
        env={**kept.environment, **variables},
    )
    try:
        secret, _ = kept.process(
            "tests.api.webhooks.happening", receiver.url, **variables
        ).communicate()
        assert soon(lambda: receiver.requests)
    finally:
        worker.terminate()
        worker.wait()
    (request,) = receiver.requests
    assert Verifier(secret).verify(request.body, request.headers)["type"] == "game.started"


class TestTheOutbox:
    @pytest.fixture
    def published(self, monkeypatch: pytest.MonkeyPatch) -> list[tuple[str, str]]:
        """The tasks published, through a slow broker."""
        published: list[tuple[str, str]] = []

        def send(task: str, args: list[str], **_: Any) -> None:
            Event().wait(0.01)
            published.append((task, args[0]))

        pool = SimpleNamespace(acquire=lambda block: nullcontext())
        app = SimpleNamespace(producer_pool=pool, send_task=send)
        monkeypatch.setattr("jobs.celery_task_publisher.current_app", app)
        return published

    def test_publishes_what_it_is_told(self, published: list[tuple[str, str]]) -> None:
        outbox = webhook_dispatch.WebhookOutbox()
        for number in range(5):
            outbox.enqueue(WebhookMessage("task", str(number)))
        assert soon(lambda: len(published) == 5)
        assert published == [("task", str(number)) for number in range(5)]

    def test_publishes_once_what_waits(self, published: list[tuple[str, str]]) -> None:
        outbox = webhook_dispatch.WebhookOutbox()
        for _ in range(100):
            outbox.enqueue(WebhookMessage("task", "game"))
        outbox.flush_and_stop()
        assert 1 <= len(published) < 10

    def test_survives_a_broker_that_is_away(
        self, published: list[tuple[str, str]], monkeypatch: pytest.MonkeyPatch
    ) -> None:
        outbox = webhook_dispatch.WebhookOutbox()

        def refuse(block: bool) -> None:
            raise OSError("no broker")

        with monkeypatch.context() as patch:
            patch.setattr("jobs.celery_task_publisher.current_app.producer_pool.acquire", refuse)
            outbox.enqueue(WebhookMessage("task", "lost"))
            outbox.flush_and_stop()
        outbox.enqueue(WebhookMessage("task", "kept"))
        assert soon(lambda: published == [("task", "kept")])

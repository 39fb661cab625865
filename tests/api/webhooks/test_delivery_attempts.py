"""A delivery is retried at growing intervals until it succeeds, or a limit is reached."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from django.utils import timezone
from pytest_django import Settings
from standardwebhooks import Webhook as Verifier

from api import tasks
from api.models import Delivery, Webhook
from api.webhooks import delivery_attempts, delivery_builder, http_client, webhook_dispatch
from api.webhooks.target_urls import NOT_PUBLIC_DETAIL
from games.models import Account
from tests.api.webhooks.conftest import (
    Later,
    QueuedTasks,
    Receiver,
    Subscription,
    Work,
    playing,
)

pytestmark = pytest.mark.stores


class TestAttempts:
    @pytest.fixture
    def waiting_delivery(
        self, subscription: Subscription, queued_tasks: QueuedTasks, account: Account
    ) -> Delivery:
        """A waiting delivery."""
        Webhook.objects.update(kinds="game.started")
        playing(account, Account.objects.create())
        tasks.announce(queued_tasks[0][1])
        queued_tasks.clear()
        return Delivery.objects.get()

    def test_one_that_is_answered_is_the_last(
        self, waiting_delivery: Delivery, receiver: Receiver
    ) -> None:
        receiver.status, receiver.text = 200, b"thanks"
        assert delivery_attempts.attempt_delivery(waiting_delivery.pk)
        assert not delivery_attempts.attempt_delivery(waiting_delivery.pk)
        waiting_delivery.refresh_from_db()
        assert (
            waiting_delivery.state,
            waiting_delivery.attempts,
            waiting_delivery.status,
            waiting_delivery.due,
        ) == ("delivered", 1, 200, None)
        assert waiting_delivery.answer == "thanks"
        assert waiting_delivery.duration_ms is not None
        assert len(receiver.requests) == 1

    def test_one_that_is_not_is_followed_by_others_ever_more_seldom(
        self, waiting_delivery: Delivery, receiver: Receiver, later: Later
    ) -> None:
        receiver.status, pauses = 500, []
        while delivery_attempts.attempt_delivery(waiting_delivery.pk):
            waiting_delivery.refresh_from_db()
            if waiting_delivery.due is None:
                break
            pauses.append(waiting_delivery.due - timezone.now())
            assert not delivery_attempts.attempt_delivery(waiting_delivery.pk)
            later(pauses[-1] + timedelta(seconds=1))
        expected = [5, 300, 1800, 7200, 18000, 36000, 50400, 72000, 86400]
        for pause, seconds in zip(pauses, expected, strict=True):
            assert seconds - 2 < pause.total_seconds() <= seconds * 1.1
        assert len({request.headers["webhook-id"] for request in receiver.requests}) == 1
        assert len({request.body for request in receiver.requests}) == 1
        assert len(receiver.requests) == 10

    def test_after_the_last_the_webhook_is_disabled(
        self, waiting_delivery: Delivery, receiver: Receiver, work: Work, account: Account
    ) -> None:
        receiver.status = 500
        Delivery.objects.update(attempts=9)
        delivery_attempts.attempt_delivery(waiting_delivery.pk)
        hook = Webhook.objects.get()
        waiting_delivery.refresh_from_db()
        assert waiting_delivery.state == "failed"
        assert not hook.is_enabled
        assert hook.reason == f"The delivery {waiting_delivery.pk} failed 10 times."
        webhook_dispatch.webhook_presence.invalidate()
        playing(account, Account.objects.create())
        assert work() == 0

    def test_that_were_put_off_by_a_clock_that_was_ahead_are_due(
        self, waiting_delivery: Delivery, receiver: Receiver, later: Later
    ) -> None:
        receiver.status = 500
        later(timedelta(days=30))
        delivery_attempts.attempt_delivery(waiting_delivery.pk)
        assert delivery_attempts.take_overdue(10) == []
        later(timedelta(days=-30))
        assert delivery_attempts.take_overdue(10) == [waiting_delivery.pk]
        receiver.status = 200
        assert delivery_attempts.attempt_delivery(waiting_delivery.pk)
        waiting_delivery.refresh_from_db()
        assert waiting_delivery.state == "delivered"

    def test_gone_is_gone(self, waiting_delivery: Delivery, receiver: Receiver) -> None:
        receiver.status = 410
        delivery_attempts.attempt_delivery(waiting_delivery.pk)
        waiting_delivery.refresh_from_db()
        assert (waiting_delivery.state, waiting_delivery.webhook.is_enabled) == ("failed", False)
        assert waiting_delivery.webhook.reason == "The receiver answered 410 (Gone)."

    def test_signatures_are_of_the_time_of_the_attempt(
        self, waiting_delivery: Delivery, receiver: Receiver, subscription: Subscription
    ) -> None:
        Delivery.objects.update(created=timezone.now() - timedelta(days=2))
        delivery_attempts.attempt_delivery(waiting_delivery.pk)
        Verifier(subscription.secret).verify(
            receiver.requests[0].body, receiver.requests[0].headers
        )

    def test_a_target_that_has_moved_inside_is_refused(
        self, waiting_delivery: Delivery, receiver: Receiver, settings: Settings
    ) -> None:
        settings.WEBHOOK_HOSTS = []
        delivery_attempts.attempt_delivery(waiting_delivery.pk)
        waiting_delivery.refresh_from_db()
        assert (waiting_delivery.state, waiting_delivery.status) == ("waiting", None)
        assert waiting_delivery.error == NOT_PUBLIC_DETAIL
        assert receiver.requests == []

    def test_what_waits_for_a_disabled_webhook_fails(
        self, waiting_delivery: Delivery, receiver: Receiver
    ) -> None:
        delivery_builder.disable_webhook(waiting_delivery.webhook, "Its owner disabled it.")
        assert not delivery_attempts.attempt_delivery(waiting_delivery.pk)
        waiting_delivery.refresh_from_db()
        assert (waiting_delivery.state, waiting_delivery.error) == (
            "failed",
            "The webhook was disabled.",
        )
        assert receiver.requests == []

    def test_a_worker_that_dies_is_followed_by_another(
        self,
        waiting_delivery: Delivery,
        receiver: Receiver,
        later: Later,
        monkeypatch: pytest.MonkeyPatch,
    ) -> None:
        def die(*_: Any) -> None:
            raise KeyboardInterrupt

        with monkeypatch.context() as patch:
            patch.setattr(delivery_attempts, "post", die)
            with pytest.raises(KeyboardInterrupt):
                delivery_attempts.attempt_delivery(waiting_delivery.pk)
        assert not delivery_attempts.attempt_delivery(waiting_delivery.pk)
        later(timedelta(seconds=61))
        assert delivery_attempts.take_overdue(9) == [waiting_delivery.pk]
        assert delivery_attempts.attempt_delivery(waiting_delivery.pk)
        assert len(receiver.requests) == 1

    @pytest.mark.stores
    def test_what_is_due_longest_is_taken_first(self, waiting_delivery: Delivery) -> None:
        names, now = [waiting_delivery.pk], timezone.now()
        names += [delivery_builder.create_ping(waiting_delivery.webhook).pk for _ in range(2)]
        for name, minutes in zip(names, (2, 1, 3), strict=True):
            due = now - timedelta(minutes=minutes)
            Delivery.objects.filter(pk=name).update(due=due, enqueued_at=None)
        assert delivery_attempts.take_overdue(2) == [names[2], names[0]]

    def test_too_many_that_wait_disable_it(
        self,
        waiting_delivery: Delivery,
        work: Work,
        account: Account,
        monkeypatch: pytest.MonkeyPatch,
    ) -> None:
        monkeypatch.setattr(delivery_builder, "MAX_WAITING_DELIVERIES", 1)
        playing(account, Account.objects.create())
        work()
        assert not Webhook.objects.get().is_enabled
        assert not Delivery.objects.filter(state="waiting").exists()


def test_an_attempt_ends_before_its_lease() -> None:
    longest = (
        http_client.MAX_ADDRESSES_TRIED * 2 * http_client.CONNECT_TIMEOUT_SECONDS
        + http_client.TOTAL_TIMEOUT_SECONDS
    )
    assert timedelta(seconds=longest) < delivery_attempts.ATTEMPT_LEASE

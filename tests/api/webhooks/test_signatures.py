"""Signatures prove that a notice comes from this server, and cannot be forged."""

from __future__ import annotations

import json
from datetime import timedelta

import pytest
from django.utils import timezone
from pytest_django import Settings
from standardwebhooks import Webhook as Verifier
from standardwebhooks import WebhookVerificationError

from api.models import Delivery, Webhook
from api.webhooks import signatures
from games.models import Account
from tabularium_log.fairness.encryption import UnlockError
from tests.api.webhooks.conftest import (
    Later,
    Receiver,
    Subscription,
    Work,
    playing,
)

pytestmark = pytest.mark.stores


class TestSignatures:
    def test_are_verified_by_the_library(
        self, subscription: Subscription, receiver: Receiver, work: Work, account: Account
    ) -> None:
        playing(account, Account.objects.create())
        work()
        assert receiver.requests
        for request in receiver.requests:
            verified = Verifier(subscription.secret).verify(request.body, request.headers)
            assert verified == json.loads(request.body)
            assert request.headers["webhook-id"] in set(
                Delivery.objects.values_list("pk", flat=True)
            )

    def test_a_changed_body_is_found_out(
        self, subscription: Subscription, receiver: Receiver, work: Work, account: Account
    ) -> None:
        playing(account, Account.objects.create())
        work()
        request = receiver.requests[0]
        with pytest.raises(WebhookVerificationError):
            Verifier(subscription.secret).verify(request.body + b" ", request.headers)

    def test_both_secrets_sign_for_a_day(self, subscription: Subscription, later: Later) -> None:
        new_secret = signatures.renew_secret(subscription.hook, timezone.now())
        both_headers = signatures.signature_headers(
            subscription.hook, "msg_1", "{}", timezone.now()
        )
        Verifier(subscription.secret).verify("{}", both_headers)
        Verifier(new_secret).verify("{}", both_headers)
        headers_a_day_later = signatures.signature_headers(
            subscription.hook, "msg_1", "{}", timezone.now() + timedelta(hours=25)
        )
        assert len(both_headers["webhook-signature"].split()) == 2
        assert len(headers_a_day_later["webhook-signature"].split()) == 1

    def test_a_copy_of_the_database_signs_nothing(
        self, subscription: Subscription, settings: Settings
    ) -> None:
        settings.SEALING_KEYS = [b"\1" * 32]
        with pytest.raises(UnlockError):
            signatures.signature_headers(subscription.hook, "msg_1", "{}", timezone.now())

    def test_the_secret_of_one_is_no_secret_of_another(self, subscription: Subscription) -> None:
        other = Webhook(id="webhook_other", secret=subscription.hook.secret)
        with pytest.raises(UnlockError):
            signatures.signature_headers(other, "msg_1", "{}", timezone.now())

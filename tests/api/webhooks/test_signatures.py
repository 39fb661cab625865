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
from games.fairness.vault import UnlockError
from games.models import Account
from tests.api.webhooks.conftest import (
    Later,
    Made,
    Receiver,
    Work,
    playing,
)


class TestSignatures:
    def test_are_verified_by_the_library(
        self, made: Made, receiver: Receiver, work: Work, account: Account
    ) -> None:
        playing(account, Account.objects.create())
        work()
        assert receiver.heard
        for heard in receiver.heard:
            verified = Verifier(made.secret).verify(heard.body, heard.headers)
            assert verified == json.loads(heard.body)
            assert heard.headers["webhook-id"] in set(Delivery.objects.values_list("pk", flat=True))

    def test_a_changed_body_is_found_out(
        self, made: Made, receiver: Receiver, work: Work, account: Account
    ) -> None:
        playing(account, Account.objects.create())
        work()
        heard = receiver.heard[0]
        with pytest.raises(WebhookVerificationError):
            Verifier(made.secret).verify(heard.body + b" ", heard.headers)

    def test_both_secrets_sign_for_a_day(self, made: Made, later: Later) -> None:
        fresh = signatures.renew_secret(made.hook, timezone.now())
        both = signatures.signature_headers(made.hook, "msg_1", "{}", timezone.now())
        Verifier(made.secret).verify("{}", both)
        Verifier(fresh).verify("{}", both)
        alone = signatures.signature_headers(
            made.hook, "msg_1", "{}", timezone.now() + timedelta(hours=25)
        )
        assert len(both["webhook-signature"].split()) == 2
        assert len(alone["webhook-signature"].split()) == 1

    def test_a_copy_of_the_database_signs_nothing(self, made: Made, settings: Settings) -> None:
        settings.SEALING_KEYS = [b"\1" * 32]
        with pytest.raises(UnlockError):
            signatures.signature_headers(made.hook, "msg_1", "{}", timezone.now())

    def test_the_secret_of_one_is_no_secret_of_another(self, made: Made) -> None:
        other = Webhook(id="webhook_other", secret=made.hook.secret)
        with pytest.raises(UnlockError):
            signatures.signature_headers(other, "msg_1", "{}", timezone.now())

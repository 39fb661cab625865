"""Signatures of webhook deliveries, with a secret per webhook. A secret is shown once and stored
encrypted, so that a copy of the database cannot sign."""

from __future__ import annotations

import base64
import secrets
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from typing import Final

from django.conf import settings
from standardwebhooks import Webhook as Signer

from api.models import Webhook
from tabularium_log.fairness.encryption import lock_secret, unlock_secret

SECRET_PREFIX: Final = "whsec_"
SECRET_BYTES: Final = 32
OLD_SECRET_VALID_FOR: Final = timedelta(hours=24)  # the previous secret signs too


def renew_secret(hook: Webhook, now: datetime) -> str:
    """Set a new secret on a webhook; returns its text, which is shown only now."""
    if hook.secret:
        hook.old_secret, hook.old_until = hook.secret, now + OLD_SECRET_VALID_FOR
    new_secret = secrets.token_bytes(SECRET_BYTES)
    hook.secret = lock_secret(settings.SEALING_KEYS, hook.pk, new_secret)
    return SECRET_PREFIX + base64.b64encode(new_secret).decode()


def signature_headers(hook: Webhook, name: str, text: str, now: datetime) -> dict[str, str]:
    """The headers of a delivery: its id, the time, and a signature by each valid secret. The time
    is the real one, also beside a test clock: receivers refuse what is not of their own time."""
    sent = datetime.now(UTC)
    signatures = [Signer(secret).sign(name, sent, text) for secret in _valid_secrets(hook, now)]
    return {
        "webhook-id": name,
        "webhook-timestamp": str(int(sent.timestamp())),
        "webhook-signature": " ".join(signatures),
    }


def _valid_secrets(hook: Webhook, now: datetime) -> Iterator[bytes]:
    yield unlock_secret(settings.SEALING_KEYS, hook.pk, bytes(hook.secret))
    if hook.old_secret and hook.old_until and now < hook.old_until:
        yield unlock_secret(settings.SEALING_KEYS, hook.pk, bytes(hook.old_secret))

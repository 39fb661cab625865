"""Delivery attempts of webhooks, and their retries: the first attempt is immediate, the pauses
between retries grow, and after the last one the delivery fails."""

from __future__ import annotations

import secrets
from datetime import datetime, timedelta
from typing import Final

from django.db.models import F, Q
from django.utils import timezone

from api.models import Delivery, Webhook
from api.webhooks import delivery_builder, signatures
from api.webhooks.http_client import PostResult, post

PING_KIND: Final = "ping"
HTTP_GONE: Final = 410
# The pauses between attempts, as recommended by Standard Webhooks.
RETRY_PAUSES: Final = tuple(
    timedelta(seconds=seconds)
    for seconds in (5, 300, 1800, 7200, 18000, 36000, 50400, 72000, 86400)
)
RETRY_JITTER_PERCENT: Final = 10  # percent; spreads retries of deliveries that failed together
ATTEMPT_LEASE: Final = timedelta(seconds=60)  # longer than any attempt: its worker has died
MAX_CLOCK_SKEW: Final = timedelta(seconds=5)  # by which clocks of several machines may differ
# after which a worker is notified again of a due delivery
WORKER_REMINDER_INTERVAL: Final = timedelta(seconds=30)


def attempt_delivery(name: str) -> bool:
    """Attempt a delivery; False if it is not due, or another worker has it."""
    now = timezone.now()
    claim = Delivery.objects.filter(pk=name, state=Delivery.State.WAITING, due__lte=now)
    if not claim.update(due=now + ATTEMPT_LEASE, attempts=F("attempts") + 1, at=now):
        return False
    delivery = Delivery.objects.select_related("webhook").filter(pk=name).first()
    if delivery is None:  # deleted just now, with its webhook
        return False
    hook = delivery.webhook
    if not hook.is_enabled and delivery.kind != PING_KIND:
        _save_attempt(
            delivery, PostResult(0, error="The webhook is disabled."), Delivery.State.FAILED, None
        )
        return False
    headers = signatures.signature_headers(hook, delivery.pk, delivery.text, now)
    request_headers = {"Content-Type": "application/json", "User-Agent": "Tabularium", **headers}
    _record_outcome(delivery, post(hook.url, delivery.text.encode(), request_headers))
    return True


def _record_outcome(delivery: Delivery, result: PostResult) -> None:
    """Record the outcome of an attempt: delivered, to be retried, or failed."""
    if result.is_success:
        _save_attempt(delivery, result, Delivery.State.DELIVERED, None)
    elif result.status == HTTP_GONE and delivery.kind != PING_KIND:
        _save_attempt(delivery, result, Delivery.State.FAILED, None)
        delivery_builder.disable_webhook(delivery.webhook, "The receiver answered 410 (Gone).")
    elif delivery.kind == PING_KIND:
        _save_attempt(delivery, result, Delivery.State.FAILED, None)
    elif delivery.attempts > len(RETRY_PAUSES):
        _save_attempt(delivery, result, Delivery.State.FAILED, None)
        delivery_builder.disable_webhook(
            delivery.webhook, f"The delivery {delivery.pk} failed {delivery.attempts} times."
        )
    else:
        _save_attempt(
            delivery,
            result,
            Delivery.State.WAITING,
            timezone.now() + retry_pause(delivery.attempts),
        )


def retry_pause(attempts: int) -> timedelta:
    """The pause after this number of attempts, with jitter."""
    return RETRY_PAUSES[attempts - 1] * (1 + secrets.randbelow(RETRY_JITTER_PERCENT + 1) / 100)


def _save_attempt(delivery: Delivery, result: PostResult, state: str, due: datetime | None) -> None:
    Delivery.objects.filter(pk=delivery.pk, state=Delivery.State.WAITING).update(
        state=state,
        due=due,
        enqueued_at=None,
        status=result.status,
        duration_ms=result.duration_ms,
        answer=result.text,
        error=result.error,
    )


def redeliver(delivery: Delivery) -> None:
    """Schedule a delivery that was delivered or has failed once more, under the same id."""
    now = timezone.now()
    Delivery.objects.filter(pk=delivery.pk).update(
        state=Delivery.State.WAITING, due=now, enqueued_at=now, attempts=0
    )


def take_overdue(limit: int) -> list[str]:
    """Due deliveries of which no worker has been notified lately; marks them as notified now."""
    now = timezone.now()
    _reset_future_due_times(now)
    unnotified = (
        Q(enqueued_at=None)
        | Q(enqueued_at__lte=now - WORKER_REMINDER_INTERVAL)
        | Q(enqueued_at__gt=now + WORKER_REMINDER_INTERVAL)
    )
    due_deliveries = Delivery.objects.filter(unnotified, state=Delivery.State.WAITING, due__lte=now)
    names = list(due_deliveries.order_by("due").values_list("pk", flat=True)[:limit])
    Delivery.objects.filter(pk__in=names).update(enqueued_at=now)
    return names


def _reset_future_due_times(now: datetime) -> None:
    """Make deliveries due now that were postponed while the clock was ahead and has since been set
    back; the time of their last attempt, or of their creation, lies in the future."""
    latest_plausible = now + MAX_CLOCK_SKEW
    in_future = Q(at__gt=latest_plausible) | Q(at=None, created__gt=latest_plausible)
    postponed = Delivery.objects.filter(in_future, state=Delivery.State.WAITING, due__gt=now)
    if names := list(postponed.values_list("pk", flat=True)):
        Delivery.objects.filter(pk__in=names).update(due=now, enqueued_at=None)


def delivery_lag() -> timedelta:
    """How long the most overdue delivery has been due."""
    now = timezone.now()
    due_deliveries = Delivery.objects.filter(state=Delivery.State.WAITING, due__lte=now)
    due = due_deliveries.order_by("due").values_list("due", flat=True).first()
    return timedelta(0) if due is None else now - due


def has_enabled_webhooks() -> bool:
    """Whether any webhook is enabled."""
    return Webhook.objects.filter(is_enabled=True).exists()

"""How does a delivery reach its webhook? Tried at once, then ever more seldom, and then no more."""

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
# Between two attempts, as Standard Webhooks has it.
RETRY_PAUSES: Final = tuple(
    timedelta(seconds=seconds)
    for seconds in (5, 300, 1800, 7200, 18000, 36000, 50400, 72000, 86400)
)
RETRY_JITTER_PERCENT: Final = 10  # percent, so that what failed together is not tried together
ATTEMPT_LEASE: Final = timedelta(seconds=60)  # longer than an attempt: then its worker must be dead
MAX_CLOCK_SKEW: Final = timedelta(seconds=5)  # as far as clocks of several machines may differ
# in which a worker should have heard of a delivery
WORKER_REMINDER_INTERVAL: Final = timedelta(seconds=30)


def attempt_delivery(name: str) -> bool:
    """Try a delivery that is due; False if it is not, or somebody else is at it."""
    now = timezone.now()
    claimed = Delivery.objects.filter(pk=name, state=Delivery.State.WAITING, due__lte=now)
    if not claimed.update(due=now + ATTEMPT_LEASE, attempts=F("attempts") + 1, at=now):
        return False
    one = Delivery.objects.select_related("webhook").filter(pk=name).first()
    if one is None:  # deleted just now, with its webhook
        return False
    hook = one.webhook
    if not hook.is_enabled and one.kind != PING_KIND:
        _save_attempt(
            one, PostResult(0, error="The webhook is disabled."), Delivery.State.FAILED, None
        )
        return False
    headers = signatures.signature_headers(hook, one.pk, one.text, now)
    said = {"Content-Type": "application/json", "User-Agent": "Tabularium", **headers}
    _record_outcome(one, post(hook.url, one.text.encode(), said))
    return True


def _record_outcome(one: Delivery, answer: PostResult) -> None:
    """What follows from an attempt: done, once more later, or never again."""
    if answer.is_success:
        _save_attempt(one, answer, Delivery.State.DELIVERED, None)
    elif answer.status == HTTP_GONE and one.kind != PING_KIND:
        _save_attempt(one, answer, Delivery.State.FAILED, None)
        delivery_builder.disable_webhook(one.webhook, "It answered 410: gone.")
    elif one.kind == PING_KIND:
        _save_attempt(one, answer, Delivery.State.FAILED, None)
    elif one.attempts > len(RETRY_PAUSES):
        _save_attempt(one, answer, Delivery.State.FAILED, None)
        delivery_builder.disable_webhook(
            one.webhook, f"{one.pk} failed {one.attempts} times, the last in vain."
        )
    else:
        _save_attempt(
            one, answer, Delivery.State.WAITING, timezone.now() + retry_pause(one.attempts)
        )


def retry_pause(attempts: int) -> timedelta:
    """How long to wait after so many attempts."""
    return RETRY_PAUSES[attempts - 1] * (1 + secrets.randbelow(RETRY_JITTER_PERCENT + 1) / 100)


def _save_attempt(one: Delivery, answer: PostResult, state: str, due: datetime | None) -> None:
    Delivery.objects.filter(pk=one.pk, state=Delivery.State.WAITING).update(
        state=state,
        due=due,
        told=None,
        status=answer.status,
        duration_ms=answer.duration_ms,
        answer=answer.text,
        error=answer.error,
    )


def redeliver(one: Delivery) -> None:
    """Deliver once more what was delivered or has failed, under the same name."""
    now = timezone.now()
    Delivery.objects.filter(pk=one.pk).update(
        state=Delivery.State.WAITING, due=now, told=now, attempts=0
    )


def take_overdue(most: int) -> list[str]:
    """Deliveries that are due, and of which no worker has been told lately; from now on it has."""
    now = timezone.now()
    _reset_future_due_times(now)
    quiet = (
        Q(told=None)
        | Q(told__lte=now - WORKER_REMINDER_INTERVAL)
        | Q(told__gt=now + WORKER_REMINDER_INTERVAL)
    )
    due = Delivery.objects.filter(quiet, state=Delivery.State.WAITING, due__lte=now)
    names = list(due.order_by("due").values_list("pk", flat=True)[:most])
    Delivery.objects.filter(pk__in=names).update(told=now)
    return names


def _reset_future_due_times(now: datetime) -> None:
    """What was put off while the time of day was ahead is due now, if it has been set back since:
    an attempt that was made in the future says so."""
    ahead = now + MAX_CLOCK_SKEW
    made = Q(at__gt=ahead) | Q(at=None, created__gt=ahead)
    late = Delivery.objects.filter(made, state=Delivery.State.WAITING, due__gt=now)
    if names := list(late.values_list("pk", flat=True)):
        Delivery.objects.filter(pk__in=names).update(due=now, told=None)


def delivery_lag() -> timedelta:
    """For how long the delivery has been due that is due for longest."""
    now = timezone.now()
    waiting = Delivery.objects.filter(state=Delivery.State.WAITING, due__lte=now)
    due = waiting.order_by("due").values_list("due", flat=True).first()
    return timedelta(0) if due is None else now - due


def has_enabled_webhooks() -> bool:
    """Is there any webhook that is told anything?"""
    return Webhook.objects.filter(is_enabled=True).exists()

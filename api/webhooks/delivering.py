"""How does a delivery reach its webhook? Tried at once, then ever more seldom, and then no more."""

from __future__ import annotations

import secrets
from datetime import datetime, timedelta
from typing import Final

from django.db.models import F, Q
from django.utils import timezone

from api.models import Delivery, Webhook
from api.webhooks import announcing, signing
from api.webhooks.posting import Answer, post

PING: Final = "ping"
GONE: Final = 410
# Between two attempts, as Standard Webhooks has it.
PAUSES: Final = tuple(
    timedelta(seconds=seconds)
    for seconds in (5, 300, 1800, 7200, 18000, 36000, 50400, 72000, 86400)
)
JITTER: Final = 10  # percent, so that what failed together is not tried together
LEASE: Final = timedelta(seconds=60)  # longer than an attempt: then its worker must be dead
AHEAD: Final = timedelta(seconds=5)  # as far as clocks of several machines may differ
TOLD: Final = timedelta(seconds=30)  # in which a worker should have heard of a delivery


def deliver(name: str) -> bool:
    """Try a delivery that is due; False if it is not, or somebody else is at it."""
    now = timezone.now()
    claimed = Delivery.objects.filter(pk=name, state=Delivery.State.WAITING, due__lte=now)
    if not claimed.update(due=now + LEASE, attempts=F("attempts") + 1, at=now):
        return False
    one = Delivery.objects.select_related("webhook").filter(pk=name).first()
    if one is None:  # deleted just now, with its webhook
        return False
    hook = one.webhook
    if not hook.is_enabled and one.kind != PING:
        _keep(one, Answer(0, error="The webhook is disabled."), Delivery.State.FAILED, None)
        return False
    headers = signing.headers(hook, one.pk, one.text, now)
    said = {"Content-Type": "application/json", "User-Agent": "Tabularium", **headers}
    _conclude(one, post(hook.url, one.text.encode(), said))
    return True


def _conclude(one: Delivery, answer: Answer) -> None:
    """What follows from an attempt: done, once more later, or never again."""
    if answer.is_good:
        _keep(one, answer, Delivery.State.DELIVERED, None)
    elif answer.status == GONE and one.kind != PING:
        _keep(one, answer, Delivery.State.FAILED, None)
        announcing.disable(one.webhook, "It answered 410: gone.")
    elif one.kind == PING:
        _keep(one, answer, Delivery.State.FAILED, None)
    elif one.attempts > len(PAUSES):
        _keep(one, answer, Delivery.State.FAILED, None)
        announcing.disable(one.webhook, f"{one.pk} failed {one.attempts} times, the last in vain.")
    else:
        _keep(one, answer, Delivery.State.WAITING, timezone.now() + pause(one.attempts))


def pause(attempts: int) -> timedelta:
    """How long to wait after so many attempts."""
    return PAUSES[attempts - 1] * (1 + secrets.randbelow(JITTER + 1) / 100)


def _keep(one: Delivery, answer: Answer, state: str, due: datetime | None) -> None:
    Delivery.objects.filter(pk=one.pk, state=Delivery.State.WAITING).update(
        state=state,
        due=due,
        told=None,
        status=answer.status,
        duration_ms=answer.duration_ms,
        answer=answer.text,
        error=answer.error,
    )


def again(one: Delivery) -> None:
    """Deliver once more what was delivered or has failed, under the same name."""
    now = timezone.now()
    Delivery.objects.filter(pk=one.pk).update(
        state=Delivery.State.WAITING, due=now, told=now, attempts=0
    )


def overdue(most: int) -> list[str]:
    """Deliveries that are due, and of which no worker has been told lately; from now on it has."""
    now = timezone.now()
    _rebase(now)
    quiet = Q(told=None) | Q(told__lte=now - TOLD) | Q(told__gt=now + TOLD)
    due = Delivery.objects.filter(quiet, state=Delivery.State.WAITING, due__lte=now)
    names = list(due.order_by("due").values_list("pk", flat=True)[:most])
    Delivery.objects.filter(pk__in=names).update(told=now)
    return names


def _rebase(now: datetime) -> None:
    """What was put off while the time of day was ahead is due now, if it has been set back since:
    an attempt that was made in the future says so."""
    ahead = now + AHEAD
    made = Q(at__gt=ahead) | Q(at=None, created__gt=ahead)
    late = Delivery.objects.filter(made, state=Delivery.State.WAITING, due__gt=now)
    if names := list(late.values_list("pk", flat=True)):
        Delivery.objects.filter(pk__in=names).update(due=now, told=None)


def lag() -> timedelta:
    """For how long the delivery has been due that is due for longest."""
    now = timezone.now()
    waiting = Delivery.objects.filter(state=Delivery.State.WAITING, due__lte=now)
    due = waiting.order_by("due").values_list("due", flat=True).first()
    return timedelta(0) if due is None else now - due


def is_anybody_listening() -> bool:
    """Is there any webhook that is told anything?"""
    return Webhook.objects.filter(is_enabled=True).exists()

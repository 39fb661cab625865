"""Which webhooks do I have, and what came of what they were told?"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any, Final

from django.db import transaction
from django.http import Http404
from django.utils import timezone
from rest_framework.request import Request
from rest_framework.response import Response

from api import cursors, serializers
from api.access import caller_of
from api.documents import known_time, reply, time
from api.endpoint import Endpoint
from api.errors import Refusal
from api.limits.quotas import check_room, holding
from api.models import Delivery, Webhook, webhook_id
from api.schema import operation
from api.shapes import webhooks as shapes
from api.webhooks import announcing, delivering, signing
from api.webhooks.receivers import DELIVER, audience, herald
from api.webhooks.targets import Forbidden, target

SCOPE: Final = "webhooks:manage"
MOST: Final = 20  # webhooks of an account
FULL: Final = ("too-many-webhooks", f"An account has at most {MOST} webhooks.")
KNOWN: Final = "You have this webhook already; its secret is not told again."


class Webhooks(Endpoint):
    """The webhooks of an account."""

    @operation("list_webhooks", scope=SCOPE, reply=shapes.WebhookList)
    def get(self, request: Request) -> Response:
        """All of them, without what they sign with."""
        hooks = Webhook.objects.filter(account=caller_of(request, SCOPE).account)
        return reply(shapes.WebhookList(tuple(map(_shown, hooks)), None))

    @operation(
        "create_webhook",
        scope=SCOPE,
        body=shapes.NewWebhook,
        reply=shapes.MadeWebhook,
        status=201,
        also={200: KNOWN},
    )
    def post(self, request: Request) -> Response:
        """Tell this address what happens in your games from now on."""
        account = caller_of(request, SCOPE).account
        asked = self.body(request, shapes.NewWebhook)
        hook = Webhook(id=webhook_id(), account_id=account, since=timezone.now())
        _change(hook, asked.url, asked.kinds)
        with holding(account):
            if (known := _same(hook)) is not None:  # a blind repetition is no mistake
                return _made(request, known, None, 200)
            check_room(Webhook.objects.filter(account=account), MOST, *FULL)
            secret = signing.renew(hook, hook.since)
            hook.save(force_insert=True)
            transaction.on_commit(audience.ask_again)
        return _made(request, hook, secret, 201)


class OneWebhook(Endpoint):
    """A webhook of the caller's account."""

    @operation("webhook", scope=SCOPE, reply=shapes.WebhookView)
    def get(self, request: Request, webhook: str) -> Response:
        """Where it leads, and whether it is told anything."""
        return reply(_shown(_own(request, webhook)))

    @operation("change_webhook", scope=SCOPE, body=shapes.WebhookChange, reply=shapes.WebhookView)
    def patch(self, request: Request, webhook: str) -> Response:
        """Another address, other kinds, or enabled again: what happened meanwhile is not told."""
        asked = self.body(request, shapes.WebhookChange)
        wanted = _own(request, webhook)
        _change(wanted, asked.url, asked.kinds)  # names are looked up without a lock
        with _locked(request, webhook) as hook:
            hook.url = wanted.url if asked.url is not None else hook.url
            hook.kinds = wanted.kinds if asked.kinds is not None else hook.kinds
            _switch(hook, asked.is_enabled)
            transaction.on_commit(audience.ask_again)
        return reply(_shown(hook))

    @operation("delete_webhook", scope=SCOPE, status=204)
    def delete(self, request: Request, webhook: str) -> Response:
        """Tell it nothing more, and forget what it was told."""
        with _locked(request, webhook) as hook:
            hook.delete()
            transaction.on_commit(audience.ask_again)
        return Response(status=204)


class Rotate(Endpoint):
    """A new secret for a webhook."""

    @operation("rotate_webhook", scope=SCOPE, reply=shapes.MadeWebhook, status=201)
    def post(self, request: Request, webhook: str) -> Response:
        """For 24 hours both secrets sign, so that you can change yours in peace."""
        with _locked(request, webhook) as hook:
            secret = signing.renew(hook, timezone.now())
            hook.save(update_fields=["secret", "old_secret", "old_until"])
        return reply(shapes.MadeWebhook(secret, _shown(hook)), 201)


class Pings(Endpoint):
    """A delivery to try a webhook with."""

    @operation("ping_webhook", scope=SCOPE, reply=shapes.DeliveryView, status=202)
    def post(self, request: Request, webhook: str) -> Response:
        """Send it a `ping`, once; GET its deliveries to see what came of it."""
        with _locked(request, webhook) as hook:
            made = announcing.ping(hook)
            transaction.on_commit(lambda: herald.put((DELIVER, made.pk)))
        return reply(_delivery(made), 202)


class Deliveries(Endpoint):
    """What a webhook was told."""

    query = serializers.PageQuery

    @operation(
        "list_deliveries", scope=SCOPE, reply=shapes.DeliveryList, query=serializers.PageQuery
    )
    def get(self, request: Request, webhook: str) -> Response:
        """The newest first, of the last 30 days."""
        found = Delivery.objects.filter(webhook=_own(request, webhook))
        rows, cursor = cursors.newest(found, self.asked(request))
        return reply(shapes.DeliveryList(tuple(map(_delivery, rows)), cursor))


class Redeliver(Endpoint):
    """A delivery, once more."""

    @operation("redeliver", scope=SCOPE, reply=shapes.DeliveryView, status=202)
    def post(self, request: Request, webhook: str, delivery: str) -> Response:
        """Deliver it again under the same id, as often as it takes."""
        with _locked(request, webhook) as hook:
            one = Delivery.objects.filter(pk=delivery, webhook=hook).first()
            if one is None:
                raise Http404(f"There is no delivery {delivery}.")
            if not hook.is_enabled:
                raise Refusal("webhook-disabled", f"The webhook is disabled. {hook.reason}".strip())
            delivering.again(one)
            transaction.on_commit(lambda: herald.put((DELIVER, delivery)))
            one.refresh_from_db()
        return reply(_delivery(one), 202)


def _own(request: Request, webhook: str) -> Webhook:
    return _found(Webhook.objects, request, webhook)


@contextmanager
def _locked(request: Request, webhook: str) -> Iterator[Webhook]:
    """A transaction that has the webhook to itself: it is neither deleted nor told anything new
    meanwhile. 404 if it was deleted just now."""
    with transaction.atomic():
        yield _found(Webhook.objects.select_for_update(), request, webhook)


def _found(hooks: Any, request: Request, webhook: str) -> Webhook:
    found: Webhook | None = hooks.filter(
        pk=webhook, account=caller_of(request, SCOPE).account
    ).first()
    if found is None:
        raise Http404(f"You have no webhook {webhook}.")
    return found


def _same(hook: Webhook) -> Webhook | None:
    """The webhook of the account that is told the same at the same address."""
    same = Webhook.objects.filter(account=hook.account_id, url=hook.url)
    wanted = set(hook.kinds.split())
    return next((each for each in same if set(each.kinds.split()) == wanted), None)


def _made(request: Request, hook: Webhook, secret: str | None, status: int) -> Response:
    where = f"{request.path}/{hook.pk}"
    return reply(shapes.MadeWebhook(secret, _shown(hook)), status, location=where)


def _switch(hook: Webhook, is_enabled: bool | None) -> None:
    """Keep what was changed, and enable or disable it."""
    if is_enabled and not hook.is_enabled:
        hook.is_enabled, hook.reason, hook.since = True, "", timezone.now()
    hook.save(update_fields=["url", "kinds", "is_enabled", "reason", "since"])
    if is_enabled is False and hook.is_enabled:
        announcing.disable(hook, "Its owner disabled it.")
        hook.refresh_from_db()


def _change(hook: Webhook, url: str | None, kinds: Sequence[str] | None) -> None:
    """Set what was asked for, if it may be."""
    if url is not None:
        try:
            target(url)
        except Forbidden as forbidden:
            error = {"pointer": "/url", "code": "refused", "detail": str(forbidden)}
            raise Refusal("webhook-refused", str(forbidden), [error]) from forbidden
        hook.url = url
    if kinds is not None:
        hook.kinds = " ".join(dict.fromkeys(kinds))


def _shown(hook: Webhook) -> shapes.WebhookView:
    return shapes.WebhookView(
        hook.pk,
        hook.url,
        tuple(hook.kinds.split()),
        hook.is_enabled,
        hook.reason,
        known_time(hook.created),
        time(hook.old_until),
    )


def _delivery(one: Delivery) -> shapes.DeliveryView:
    return shapes.DeliveryView(
        id=one.pk,
        kind=one.kind,
        body=one.text,
        state=one.state,  # type: ignore[arg-type]  # one of the choices
        attempts=one.attempts,
        created=known_time(one.created),
        next_attempt=time(one.due),
        last_attempt=time(one.at),
        status=one.status,
        duration_ms=one.duration_ms,
        answer=one.answer,
        error=one.error,
    )

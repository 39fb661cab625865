"""Which webhooks do I have, and what came of what they were told?"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from django.http import Http404
from django.utils import timezone
from rest_framework.request import Request
from rest_framework.response import Response

from api import cursors, serializers
from api.access import caller_of
from api.documents import known_time, reply, time
from api.endpoint import Endpoint
from api.errors import Refusal
from api.models import Delivery, Webhook, webhook_id
from api.schema import operation
from api.shapes import webhooks as shapes
from api.webhooks import announcing, delivering, signing
from api.webhooks.receivers import DELIVER, audience, herald
from api.webhooks.targets import Forbidden, target

SCOPE: Final = "webhooks:manage"
MOST: Final = 20  # webhooks of an account


class Webhooks(Endpoint):
    """The webhooks of an account."""

    @operation("list_webhooks", scope=SCOPE, reply=shapes.WebhookList)
    def get(self, request: Request) -> Response:
        """All of them, without what they sign with."""
        hooks = Webhook.objects.filter(account=caller_of(request, SCOPE).account)
        return reply(shapes.WebhookList(tuple(map(_shown, hooks)), None))

    @operation(
        "create_webhook", scope=SCOPE, body=shapes.NewWebhook, reply=shapes.MadeWebhook, status=201
    )
    def post(self, request: Request) -> Response:
        """Tell this address what happens in your games from now on."""
        account = caller_of(request, SCOPE).account
        asked = self.body(request, shapes.NewWebhook)
        if Webhook.objects.filter(account=account).count() >= MOST:
            raise Refusal("too-many-webhooks", f"An account has at most {MOST} webhooks.")
        hook = Webhook(id=webhook_id(), account_id=account, since=timezone.now())
        _change(hook, asked.url, asked.kinds)
        secret = signing.renew(hook, hook.since)
        hook.save()
        audience.ask_again()
        where = f"{request.path}/{hook.pk}"
        return reply(shapes.MadeWebhook(secret, _shown(hook)), 201, location=where)


class OneWebhook(Endpoint):
    """A webhook of the caller's account."""

    @operation("webhook", scope=SCOPE, reply=shapes.WebhookView)
    def get(self, request: Request, webhook: str) -> Response:
        """Where it leads, and whether it is told anything."""
        return reply(_shown(_own(request, webhook)))

    @operation("change_webhook", scope=SCOPE, body=shapes.WebhookChange, reply=shapes.WebhookView)
    def patch(self, request: Request, webhook: str) -> Response:
        """Another address, other kinds, or enabled again: what happened meanwhile is not told."""
        hook = _own(request, webhook)
        asked = self.body(request, shapes.WebhookChange)
        _change(hook, asked.url, asked.kinds)
        if asked.is_enabled and not hook.is_enabled:
            hook.is_enabled, hook.reason, hook.since = True, "", timezone.now()
        hook.save(update_fields=["url", "kinds", "is_enabled", "reason", "since"])
        if asked.is_enabled is False and hook.is_enabled:
            announcing.disable(hook, "Its owner disabled it.")
            hook.refresh_from_db()
        audience.ask_again()
        return reply(_shown(hook))

    @operation("delete_webhook", scope=SCOPE, status=204)
    def delete(self, request: Request, webhook: str) -> Response:
        """Tell it nothing more, and forget what it was told."""
        _own(request, webhook).delete()
        audience.ask_again()
        return Response(status=204)


class Rotate(Endpoint):
    """A new secret for a webhook."""

    @operation("rotate_webhook", scope=SCOPE, reply=shapes.MadeWebhook, status=201)
    def post(self, request: Request, webhook: str) -> Response:
        """For 24 hours both secrets sign, so that you can change yours in peace."""
        hook = _own(request, webhook)
        secret = signing.renew(hook, timezone.now())
        hook.save(update_fields=["secret", "old_secret", "old_until"])
        return reply(shapes.MadeWebhook(secret, _shown(hook)), 201)


class Pings(Endpoint):
    """A delivery to try a webhook with."""

    @operation("ping_webhook", scope=SCOPE, reply=shapes.DeliveryView, status=202)
    def post(self, request: Request, webhook: str) -> Response:
        """Send it a `ping`, once; GET its deliveries to see what came of it."""
        made = announcing.ping(_own(request, webhook))
        herald.put((DELIVER, made.pk))
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
        hook = _own(request, webhook)
        one = Delivery.objects.filter(pk=delivery, webhook=hook).first()
        if one is None:
            raise Http404(f"There is no delivery {delivery}.")
        if not hook.is_enabled:
            raise Refusal("webhook-disabled", f"The webhook is disabled. {hook.reason}".strip())
        delivering.again(one)
        herald.put((DELIVER, one.pk))
        one.refresh_from_db()
        return reply(_delivery(one), 202)


def _own(request: Request, webhook: str) -> Webhook:
    found = Webhook.objects.filter(pk=webhook, account=caller_of(request, SCOPE).account).first()
    if found is None:
        raise Http404(f"You have no webhook {webhook}.")
    return found


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

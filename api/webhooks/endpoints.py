"""Endpoints for webhooks and their deliveries."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any, Final

from django.db import transaction
from django.http import Http404
from django.utils import timezone
from rest_framework.request import Request
from rest_framework.response import Response

from api import cursors, query_serializers
from api.authentication import authorized_caller
from api.base_endpoint import Endpoint
from api.errors import Refusal
from api.limits.quotas import account_lock, check_quota
from api.models import Delivery, Webhook, webhook_id
from api.schema import operation, refused_with
from api.shape_responses import format_optional_time, format_required_time, reply
from api.shapes import webhooks as shapes
from api.webhooks import delivery_attempts, delivery_builder, signatures
from api.webhooks.target_urls import ForbiddenTarget, parse_target
from api.webhooks.webhook_dispatch import enqueue_delivery, webhook_presence

WEBHOOKS_SCOPE: Final = "webhooks:manage"
MAX_WEBHOOKS_PER_ACCOUNT: Final = 20  # webhooks of an account
TOO_MANY_WEBHOOKS: Final = (
    "too-many-webhooks",
    f"An account has at most {MAX_WEBHOOKS_PER_ACCOUNT} webhooks.",
)
EXISTING_WEBHOOK_DESCRIPTION: Final = (
    "You already have this webhook; its secret is not shown again."
)


class WebhooksEndpoint(Endpoint):
    """The webhooks of an account."""

    @operation("list_webhooks", scope=WEBHOOKS_SCOPE, reply=shapes.WebhookList)
    def get(self, request: Request) -> Response:
        """List your webhooks, without their secrets."""
        hooks = Webhook.objects.filter(account=authorized_caller(request, WEBHOOKS_SCOPE).account)
        return reply(shapes.WebhookList(tuple(map(_webhook_view, hooks)), None))

    @operation(
        "create_webhook",
        sends=("Location",),
        scope=WEBHOOKS_SCOPE,
        body=shapes.NewWebhook,
        reply=shapes.MadeWebhook,
        status=201,
        also={200: EXISTING_WEBHOOK_DESCRIPTION},
    )
    @refused_with("too-many-webhooks", "webhook-refused")
    def post(self, request: Request) -> Response:
        """Create a webhook: its URL is notified of events in your games from now on."""
        account = authorized_caller(request, WEBHOOKS_SCOPE).account
        body = self.parse_body(request, shapes.NewWebhook)
        hook = Webhook(id=webhook_id(), account_id=account, since=timezone.now())
        _apply_changes(hook, body.url, body.kinds)
        with account_lock(account):
            if (
                duplicate := _find_duplicate(hook)
            ) is not None:  # an accidental repeat is not an error
                return _webhook_response(request, duplicate, None, 200)
            check_quota(
                Webhook.objects.filter(account=account),
                MAX_WEBHOOKS_PER_ACCOUNT,
                *TOO_MANY_WEBHOOKS,
            )
            secret = signatures.renew_secret(hook, hook.since)
            hook.save(force_insert=True)
            transaction.on_commit(webhook_presence.invalidate)
        return _webhook_response(request, hook, secret, 201)


class WebhookEndpoint(Endpoint):
    """A webhook of the caller's account."""

    @operation("webhook", scope=WEBHOOKS_SCOPE, reply=shapes.WebhookView)
    def get(self, request: Request, webhook: str) -> Response:
        """Get a webhook: its URL, its event kinds, and whether it is enabled."""
        return reply(_webhook_view(_own_webhook(request, webhook)))

    @operation(
        "change_webhook", scope=WEBHOOKS_SCOPE, body=shapes.WebhookChange, reply=shapes.WebhookView
    )
    @refused_with("webhook-refused")
    def patch(self, request: Request, webhook: str) -> Response:
        """Change the URL or the event kinds of a webhook, disable it, or enable it again. Events
        that occurred while it was disabled are not sent."""
        body = self.parse_body(request, shapes.WebhookChange)
        draft = _own_webhook(request, webhook)
        _apply_changes(draft, body.url, body.kinds)  # names are looked up without a lock
        with _locked_webhook(request, webhook) as hook:
            hook.url = draft.url if body.url is not None else hook.url
            hook.kinds = draft.kinds if body.kinds is not None else hook.kinds
            _save_changes(hook, body.is_enabled)
            transaction.on_commit(webhook_presence.invalidate)
        return reply(_webhook_view(hook))

    @operation("delete_webhook", scope=WEBHOOKS_SCOPE, status=204)
    def delete(self, request: Request, webhook: str) -> Response:
        """Delete a webhook and its deliveries."""
        with _locked_webhook(request, webhook) as hook:
            hook.delete()
            transaction.on_commit(webhook_presence.invalidate)
        return Response(status=204)


class RotateSecretEndpoint(Endpoint):
    """A new secret for a webhook."""

    @operation("rotate_webhook", scope=WEBHOOKS_SCOPE, reply=shapes.MadeWebhook, status=201)
    def post(self, request: Request, webhook: str) -> Response:
        """Replace the secret of a webhook. For 24 hours deliveries are signed with both the old and
        the new secret, so that you can switch without a gap."""
        with _locked_webhook(request, webhook) as hook:
            secret = signatures.renew_secret(hook, timezone.now())
            hook.save(update_fields=["secret", "old_secret", "old_until"])
        return reply(shapes.MadeWebhook(secret, _webhook_view(hook)), 201)


class PingEndpoint(Endpoint):
    """A test delivery for a webhook."""

    @operation("ping_webhook", scope=WEBHOOKS_SCOPE, reply=shapes.DeliveryView, status=202)
    def post(self, request: Request, webhook: str) -> Response:
        """Send a `ping` to a webhook. It is not retried; list the deliveries of the webhook to see
        the outcome."""
        with _locked_webhook(request, webhook) as hook:
            delivery = delivery_builder.create_ping(hook)
            transaction.on_commit(lambda: enqueue_delivery(delivery.pk))
        return reply(_delivery_view(delivery), 202)


class DeliveriesEndpoint(Endpoint):
    """The deliveries of a webhook."""

    query = query_serializers.PageQuery

    @operation(
        "list_deliveries",
        scope=WEBHOOKS_SCOPE,
        reply=shapes.DeliveryList,
        query=query_serializers.PageQuery,
    )
    def get(self, request: Request, webhook: str) -> Response:
        """List the deliveries of the last 30 days, the newest first."""
        deliveries = Delivery.objects.filter(webhook=_own_webhook(request, webhook))
        rows, cursor = cursors.newest_page(deliveries, self.parse_query(request))
        return reply(shapes.DeliveryList(tuple(map(_delivery_view, rows)), cursor))


class RedeliverEndpoint(Endpoint):
    """A repeated delivery."""

    @operation("redeliver", scope=WEBHOOKS_SCOPE, reply=shapes.DeliveryView, status=202)
    @refused_with("webhook-disabled")
    def post(self, request: Request, webhook: str, delivery: str) -> Response:
        """Send a delivery again under the same id. You may repeat this as often as needed."""
        with _locked_webhook(request, webhook) as hook:
            row = Delivery.objects.filter(pk=delivery, webhook=hook).first()
            if row is None:
                raise Http404(f"There is no delivery {delivery}.")
            if not hook.is_enabled:
                raise Refusal("webhook-disabled", f"The webhook is disabled. {hook.reason}".strip())
            delivery_attempts.redeliver(row)
            transaction.on_commit(lambda: enqueue_delivery(delivery))
            row.refresh_from_db()
        return reply(_delivery_view(row), 202)


def _own_webhook(request: Request, webhook: str) -> Webhook:
    return _find_webhook(Webhook.objects, request, webhook)


@contextmanager
def _locked_webhook(request: Request, webhook: str) -> Iterator[Webhook]:
    """A transaction that locks the webhook, so that it is not deleted and gets no new deliveries
    meanwhile. Raises 404 if it was deleted just now."""
    with transaction.atomic():
        yield _find_webhook(Webhook.objects.select_for_update(), request, webhook)


def _find_webhook(hooks: Any, request: Request, webhook: str) -> Webhook:
    hook: Webhook | None = hooks.filter(
        pk=webhook, account=authorized_caller(request, WEBHOOKS_SCOPE).account
    ).first()
    if hook is None:
        raise Http404(f"You have no webhook {webhook}.")
    return hook


def _find_duplicate(hook: Webhook) -> Webhook | None:
    """The account's webhook with the same URL and event kinds, if there is one."""
    candidates = Webhook.objects.filter(account=hook.account_id, url=hook.url)
    kinds = set(hook.kinds.split())
    return next(
        (candidate for candidate in candidates if set(candidate.kinds.split()) == kinds), None
    )


def _webhook_response(request: Request, hook: Webhook, secret: str | None, status: int) -> Response:
    location = f"{request.path}/{hook.pk}"
    return reply(shapes.MadeWebhook(secret, _webhook_view(hook)), status, location=location)


def _save_changes(hook: Webhook, is_enabled: bool | None) -> None:
    """Save the changes, and enable or disable the webhook."""
    if is_enabled and not hook.is_enabled:
        hook.is_enabled, hook.reason, hook.since = True, "", timezone.now()
    hook.save(update_fields=["url", "kinds", "is_enabled", "reason", "since"])
    if is_enabled is False and hook.is_enabled:
        delivery_builder.disable_webhook(hook, "Its owner disabled it.")
        hook.refresh_from_db()


def _apply_changes(hook: Webhook, url: str | None, kinds: Sequence[str] | None) -> None:
    """Set the requested values; refused if the URL is not allowed."""
    if url is not None:
        try:
            parse_target(url)
        except ForbiddenTarget as forbidden:
            error = {"pointer": "/url", "code": "refused", "detail": str(forbidden)}
            raise Refusal("webhook-refused", str(forbidden), [error]) from forbidden
        hook.url = url
    if kinds is not None:
        hook.kinds = " ".join(dict.fromkeys(kinds))


def _webhook_view(hook: Webhook) -> shapes.WebhookView:
    return shapes.WebhookView(
        hook.pk,
        hook.url,
        tuple(hook.kinds.split()),
        hook.is_enabled,
        hook.reason,
        format_required_time(hook.created),
        format_optional_time(hook.old_until),
    )


def _delivery_view(delivery: Delivery) -> shapes.DeliveryView:
    return shapes.DeliveryView(
        id=delivery.pk,
        kind=delivery.kind,
        body=delivery.text,
        state=delivery.state,  # type: ignore[arg-type]  # one of the choices
        attempts=delivery.attempts,
        created=format_required_time(delivery.created),
        next_attempt=format_optional_time(delivery.due),
        last_attempt=format_optional_time(delivery.at),
        status=delivery.status,
        duration_ms=delivery.duration_ms,
        answer=delivery.answer,
        error=delivery.error,
    )

"""A webhook or key that is deleted while another request works on it: both requests are answered,
and neither fails. Without the lock of the row, one of them does."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager
from threading import Event
from typing import Any, Final, NamedTuple

import pytest
from django.db import connections
from django.db.models import QuerySet
from django.utils import timezone

from api import accounts
from api.keys import ALL_SCOPES, create_key, key_cache
from api.models import Delivery, Key, Webhook, webhook_id
from api.webhooks import (
    delivery_attempts,
    delivery_builder,
    endpoints,
    signatures,
    webhook_dispatch,
)
from games.models import Account
from tests.api.contract import contract
from tests.api.program import Program, program_of
from tests.api.world import BASE
from tests.support.databases import Kept

pytestmark = pytest.mark.stores

PATIENCE: Final = 60  # seconds


class Change(NamedTuple):
    """A request that works on a webhook or a key, and a function that it calls in between."""

    method: str
    path: str
    body: Any
    module: Any
    intercepted: str
    status: int


CHANGES: Final = {
    "ping": Change("POST", "/webhooks/{hook}/ping", None, delivery_builder, "create_ping", 202),
    "redeliver": Change(
        "POST",
        "/webhooks/{hook}/deliveries/{delivery}/redeliver",
        None,
        delivery_attempts,
        "redeliver",
        202,
    ),
    "rotate": Change("POST", "/webhooks/{hook}/rotate", None, signatures, "renew_secret", 201),
    "change": Change(
        "PATCH", "/webhooks/{hook}", {"kinds": ["game.over"]}, endpoints, "_save_changes", 200
    ),
    "rotate a key": Change("POST", "/me/keys/{key}/rotate", {}, accounts, "rotate_key", 201),
}


class Targets(NamedTuple):
    """The objects to delete, and the program of their owner."""

    program: Program
    hook: str
    delivery: str
    key: str

    def ask(self, method: str, path: str, body: Any = None) -> int:
        """The status of a response, in a thread with a connection of its own."""
        try:
            place = BASE + path.format(**self._asdict())
            if body is None:
                return int(self.program.generic(method, place).status_code)
            return int(self.program.send(place, body, method).status_code)
        finally:
            connections.close_all()

    def delete_of(self, change: Change) -> Callable[[], int]:
        """The request that deletes the object of a change."""
        path = "/me/keys/{key}" if "{key}" in change.path else "/webhooks/{hook}"
        return lambda: self.ask("DELETE", path)


@pytest.fixture
def targets(kept_here: Kept, monkeypatch: pytest.MonkeyPatch) -> Iterator[Targets]:
    """A webhook with a delivery, and a spare key."""
    monkeypatch.setattr(webhook_dispatch.outbox, "enqueue", lambda message: None)
    contract()
    account = Account.objects.create()
    hook = Webhook(id=webhook_id(), account=account, since=timezone.now(), url="https://1.1.1.1/")
    signatures.renew_secret(hook, hook.since)
    hook.save()
    delivery = delivery_builder.create_ping(hook)
    key, _ = create_key(account, "", ALL_SCOPES, None)
    yield Targets(program_of(account), hook.pk, delivery.pk, key.pk)
    key_cache.clear()


@contextmanager
def without_lock(*arguments: Any) -> Iterator[Any]:
    """A replacement for a lock that locks nothing."""
    yield None if isinstance(arguments[0], str) else endpoints._own_webhook(*arguments)


def delete_during_change(
    targets: Targets, change: Change, monkeypatch: pytest.MonkeyPatch, *, waits: bool
) -> tuple[int, int]:
    """The statuses of a change and of a delete that begins during the change (with `waits`: that
    also ends during it)."""
    change_entered, delete_started, delete_ended = Event(), Event(), Event()
    original = getattr(change.module, change.intercepted)

    def intercepted(*arguments: Any) -> Any:
        change_entered.set()
        assert (delete_ended if waits else delete_started).wait(PATIENCE)
        return original(*arguments)

    def delete() -> int:
        assert change_entered.wait(PATIENCE)
        delete_started.set()
        status = targets.delete_of(change)()
        delete_ended.set()
        return status

    monkeypatch.setattr(change.module, change.intercepted, intercepted)
    with ThreadPoolExecutor(2) as pool:
        deleting: Future[int] = pool.submit(delete)
        changing = pool.submit(targets.ask, change.method, change.path, change.body)
        return changing.result(), deleting.result()


@pytest.mark.parametrize("name", CHANGES)
def test_a_delete_waits_for_the_change(
    targets: Targets, name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    change = CHANGES[name]
    assert delete_during_change(targets, change, monkeypatch, waits=False) == (change.status, 204)
    if "{hook}" in change.path:
        assert not Webhook.objects.exists()
        assert not Delivery.objects.exists()
    else:
        assert not Key.objects.filter(pk=targets.key).exists()


@pytest.mark.parametrize("name", CHANGES)
def test_without_the_lock_the_change_fails(
    targets: Targets, name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(endpoints, "_locked_webhook", without_lock)
    monkeypatch.setattr(accounts, "account_lock", without_lock)
    assert delete_during_change(targets, CHANGES[name], monkeypatch, waits=True) == (500, 204)


def ping_during_delete(
    targets: Targets, monkeypatch: pytest.MonkeyPatch, until: str
) -> tuple[int, int]:
    """The statuses of a delete and of a ping, which starts when the deliveries are deleted and the
    webhook is not yet; the delete goes on once the ping started, found the webhook, or ended."""
    deliveries_deleted, ping_reached = Event(), Event()
    delete, ping = QuerySet._raw_delete, delivery_builder.create_ping

    def reach(place: str) -> None:
        if place == until:
            ping_reached.set()

    def delete_and_wait(rows: Any, using: Any) -> Any:
        result = delete(rows, using)
        if rows.model is Delivery:
            deliveries_deleted.set()
            assert ping_reached.wait(PATIENCE)
        return result

    def ping_found(hook: Webhook) -> Delivery:
        reach("found")
        return ping(hook)

    def send_ping() -> int:
        assert deliveries_deleted.wait(PATIENCE)
        reach("there")
        status = targets.ask("POST", "/webhooks/{hook}/ping")
        reach("ended")
        return status

    monkeypatch.setattr(QuerySet, "_raw_delete", delete_and_wait)
    monkeypatch.setattr(delivery_builder, "create_ping", ping_found)
    with ThreadPoolExecutor(2) as pool:
        ping_status = pool.submit(send_ping)
        delete_status = pool.submit(targets.ask, "DELETE", "/webhooks/{hook}")
        return delete_status.result(), ping_status.result()


def test_what_comes_during_a_delete_finds_nothing(
    targets: Targets, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert ping_during_delete(targets, monkeypatch, "there") == (204, 404)


def test_without_the_lock_one_of_them_fails(
    targets: Targets, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(endpoints, "_locked_webhook", without_lock)
    if connections["default"].vendor == "postgresql":
        assert ping_during_delete(targets, monkeypatch, "ended") == (500, 202)
    else:  # SQLite, with one writer at a time
        assert ping_during_delete(targets, monkeypatch, "found") == (204, 500)


def test_a_delivery_that_is_deleted_before_it_is_sent_is_none(
    targets: Targets, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its worker has already claimed it when the webhook is deleted."""
    look_up = Delivery.objects.select_related

    def delete_first(*names: str) -> Any:
        Webhook.objects.all().delete()
        return look_up(*names)

    monkeypatch.setattr(Delivery.objects, "select_related", delete_first)
    assert delivery_attempts.attempt_delivery(targets.delivery) is False

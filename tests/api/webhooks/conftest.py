"""Fixtures of the webhook tests: a receiver that listens, an account with a webhook, and workers
that run their tasks at once."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Iterator
from datetime import datetime, timedelta
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, NamedTuple, get_args

import pytest
from django.db import transaction
from django.utils import timezone
from pytest_django import Settings

from api import tasks
from api.models import Webhook, webhook_id
from api.shapes.webhooks import EventKind
from api.webhooks import signatures, webhook_dispatch
from games import selectors, services
from games.models import Account
from games.services import SeatAssignment, create_game
from tabularium_log.projection.projection import Projection

Work = Callable[[], int]
QueuedTasks = list[tuple[str, str]]
Later = Callable[[timedelta], None]
KINDS = " ".join(get_args(EventKind))


class ReceivedRequest(NamedTuple):
    """A request that a receiver got."""

    path: str
    headers: dict[str, str]
    body: bytes


class Receiver:
    """A client's server: it answers as a test configures it, and records the requests."""

    def __init__(self) -> None:
        self.requests: list[ReceivedRequest] = []
        self.status = 204
        self.response_headers: dict[str, str] = {}
        self.text = b""
        receiver = self

        class Answering(BaseHTTPRequestHandler):
            def do_POST(self) -> None:  # the name that the library requires
                body = self.rfile.read(int(self.headers["Content-Length"]))
                receiver.requests.append(
                    ReceivedRequest(self.path, dict(self.headers.items()), body)
                )
                self.send_response(receiver.status)
                for name, value in receiver.response_headers.items():
                    self.send_header(name, value)
                self.end_headers()
                self.wfile.write(receiver.text)

            def log_message(self, *_: Any) -> None:
                """Log nothing."""

        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Answering)
        self.thread = threading.Thread(target=self.server.serve_forever, args=(0.05,), daemon=True)
        self.thread.start()

    @property
    def url(self) -> str:
        """The URL of its webhook."""
        return f"http://127.0.0.1:{self.server.server_port}/hook?a=b"

    def close(self) -> None:
        """Stop listening."""
        self.server.shutdown()
        self.server.server_close()
        self.thread.join()


@pytest.fixture
def receiver(settings: Settings) -> Iterator[Receiver]:
    """A receiver on this machine, which the settings allow."""
    settings.WEBHOOK_HOSTS = ["127.0.0.1"]
    server = Receiver()
    yield server
    server.close()


@pytest.fixture
def account(db: None) -> Account:
    """The owner of the webhook."""
    return Account.objects.create(name="Owner")


class Subscription(NamedTuple):
    """A webhook, and its secret in plain text."""

    hook: Webhook
    secret: str


@pytest.fixture
def subscription(account: Account, receiver: Receiver) -> Subscription:
    """A webhook of the account, for all kinds of notices on games."""
    hook = Webhook(
        id=webhook_id(), account=account, since=timezone.now(), url=receiver.url, kinds=KINDS
    )
    secret = signatures.renew_secret(hook, hook.since)
    hook.save()
    return Subscription(hook, secret)


@pytest.fixture(autouse=True)
def new_process() -> Iterator[None]:
    """Forget whether there are webhooks, and how far the sweeper has come."""
    webhook_dispatch.webhook_presence.invalidate()
    webhook_dispatch.outbox.scanned_until = None
    yield
    webhook_dispatch.webhook_presence.invalidate()


@pytest.fixture
def queued_tasks(monkeypatch: pytest.MonkeyPatch) -> list[tuple[str, str]]:
    """The tasks sent to workers, none of which runs. On-commit callbacks run at once, because the
    transaction around a test never commits."""
    messages: list[tuple[str, str]] = []
    monkeypatch.setattr(transaction, "on_commit", lambda callback, robust=False: callback())
    monkeypatch.setattr(webhook_dispatch.outbox, "enqueue", messages.append)
    return messages


@pytest.fixture
def work(queued_tasks: list[tuple[str, str]]) -> Callable[[], int]:
    """Run these tasks and those that they cause; the number of tasks."""

    def run() -> int:
        count = 0
        while queued_tasks:
            task, name = queued_tasks.pop(0)
            {
                webhook_dispatch.ANNOUNCE_TASK: tasks.announce,
                webhook_dispatch.DELIVER_TASK: tasks.deliver,
            }[task](name)
            count += 1
        return count

    return run


def playing(*players: Account, **more: Any) -> Projection:
    """A started game between these accounts."""
    seating = [SeatAssignment(account=player) for player in players]
    return create_game("law_of_the_dice", seating, **more).projection


@pytest.fixture
def later(monkeypatch: pytest.MonkeyPatch) -> Later:
    """Advance the clock."""
    real, passed = timezone.now, timedelta()

    def go(time: timedelta) -> None:
        nonlocal passed
        passed += time

    def now() -> datetime:
        return real() + passed

    monkeypatch.setattr("django.utils.timezone.now", now)
    return go


def act(game: str) -> int:
    """Take the first offered action of the first awaited seat; the seat."""
    table = selectors.game_projection(game)
    seat = (table.awaited_seats & -table.awaited_seats).bit_length() - 1
    choice = selectors.game_choice(game, seat)
    assert choice is not None
    services.append_action(game, seat, choice.offers[0].action, choice=choice.token)
    return seat


def bodies(receiver: Receiver) -> list[dict[str, Any]]:
    """The received bodies, sorted by type and seq."""
    return sorted(
        (json.loads(request.body) for request in receiver.requests),
        key=lambda body: (body["type"], body["data"].get("seq", 0)),
    )


def types(receiver: Receiver) -> list[str]:
    return [body["type"] for body in bodies(receiver)]

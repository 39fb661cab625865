"""Two simultaneous requests under one `Idempotency-Key` create one object: the second waits for the
row of the first, and gets the same response."""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier
from typing import Any, Final

import pytest
from django.db import connections

from ai.analysis import part_dispatch
from api.keys import key_cache
from api.models import Key, Reply, Webhook
from api.webhooks import webhook_dispatch
from games import services
from games.models import Account, Entry, Game, Request
from games.services import SeatAssignment
from tests.api.calls import SPECS
from tests.api.contract import contract
from tests.api.program import program_of
from tests.api.test_repetition import KEY
from tests.api.world import BASE
from tests.config.processes import PATIENCE
from tests.games.sitting import SLUG
from tests.support.databases import Kept

pytestmark = pytest.mark.stores


@pytest.fixture
def account(kept_here: Kept, monkeypatch: pytest.MonkeyPatch) -> Iterator[Account]:
    """An account in a database that threads can share."""
    monkeypatch.setattr(part_dispatch.outbox, "enqueue", lambda message: None)
    monkeypatch.setattr(webhook_dispatch.outbox, "enqueue", lambda message: None)
    contract()
    yield Account.objects.create()
    key_cache.clear()


def game_with_open_seat(account: Account) -> str:
    """A game with an open seat."""
    owner = Account.objects.create()
    seating = [SeatAssignment(account=owner), SeatAssignment(), SeatAssignment()]
    return services.create_game(SLUG, seating).projection.game


# New accounts, keys, webhooks, games and entries, including the key of the requesting program.
ADDED: Final = {
    "guests": (1, 2, 0, 0, 0),
    "me/keys": (0, 2, 0, 0, 0),
    "webhooks": (0, 1, 1, 0, 0),
    "games": (0, 1, 0, 1, 4),
    "join": (1, 1, 0, 1, 3),
}


def request_of(place: str, account: Account) -> tuple[str, Any]:
    """The path and body of a request."""
    if place == "join":
        return f"{BASE}/games/{game_with_open_seat(account)}/join", {"seat": 1}
    bodies: dict[str, Any] = {
        "webhooks": {"url": "https://1.1.1.1/"},
        "games": SPECS["create_game"].body,
    }
    return f"{BASE}/{place}", bodies.get(place, {})


def counts() -> tuple[int, ...]:
    """The number of rows of each kind that these requests create."""
    kinds: tuple[Any, ...] = (Account, Key, Webhook, Game, Entry)
    return tuple(kind.objects.count() for kind in kinds)


def send_twice(account: Account, place: str, monkeypatch: pytest.MonkeyPatch) -> list[Any]:
    """The responses to the same request sent twice; both look it up before either is recorded."""
    path, body = request_of(place, account)
    program, both_found = program_of(account), Barrier(2, timeout=PATIENCE)
    find = services.find_request
    must_wait = iter([True, True])

    def find_together(request: Any) -> Any:
        row = find(request)
        if next(must_wait, False):
            both_found.wait()
        return row

    monkeypatch.setattr(services, "find_request", find_together)

    def send(_: int) -> Any:
        try:
            return program.send(path, body, headers=KEY)
        finally:
            connections.close_all()

    with ThreadPoolExecutor(2) as pool:
        return list(pool.map(send, range(2)))


@pytest.mark.parametrize("place", ADDED)
def test_two_at_once_make_one(
    account: Account, place: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = counts()
    first, second = send_twice(account, place, monkeypatch)
    added = tuple(later - earlier for earlier, later in zip(before, counts(), strict=True))
    assert added == ADDED[place]
    assert first.content == second.content
    assert [each.get("Idempotent-Replayed") for each in (first, second)].count("true") == 1
    assert Request.objects.count() == Reply.objects.count() == 1


@pytest.mark.parametrize("place", ["guests", "me/keys", "games"])
def test_without_their_row_two_at_once_make_two(
    account: Account, place: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    begin, numbers = services.record_request, iter(range(9))

    def begin_anyway(request: Any) -> Any:
        return begin(
            services.IdempotentRequest(f"{request.owner[:40]} {next(numbers)}", request.key, "")
        )

    monkeypatch.setattr(services, "record_request", begin_anyway)
    first, second = send_twice(account, place, monkeypatch)
    assert first.status_code == second.status_code == 201
    assert first.content != second.content

"""An account never holds more keys, webhooks, analyses, challenges or open games than its quotas
allow, even if a hundred of its requests arrive at once; without the lock of its row it would."""

from __future__ import annotations

import gc
from collections import Counter
from collections.abc import Callable, Collection, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from threading import Barrier
from types import FrameType
from typing import Any, Final, NamedTuple

import pytest
from django.db import connections
from pytest_django import Settings

from ai.analysis import part_dispatch
from ai.models import Analysis
from api import accounts
from api.games import challenges
from api.keys import key_cache
from api.limits import quotas
from api.models import Key, Webhook
from api.webhooks import endpoints as webhooks
from api.webhooks import webhook_dispatch
from games import selectors, services
from games.models import Account, Challenge, Game
from games.services import SeatAssignment
from tests.api.contract import contract
from tests.api.program import Program, program_of
from tests.config.processes import PATIENCE
from tests.games.sitting import SLUG, acting, bot_game
from tests.support.databases import Kept

pytestmark = pytest.mark.stores

BASE: Final = "/api/v1"
REQUESTS: Final = 100
THREADS: Final = 16  # as many as a server has for requests
QUOTA: Final = 7
Ask = Callable[[Program, int], Any]


class Quota(NamedTuple):
    """Objects with a quota: the request for one more, and the number that an account has."""

    create: Ask
    count: Callable[[Account], int]
    refusal: str


def create_key(program: Program, number: int) -> Any:
    return program.send(f"{BASE}/me/keys", {"scopes": ["games:read"]})


def create_webhook(program: Program, number: int) -> Any:
    return program.send(f"{BASE}/webhooks", {"url": f"https://1.1.1.1/{number}"})


def create_game(program: Program, number: int) -> Any:
    return program.send(
        f"{BASE}/games", {"rules": SLUG, "seats": [{"kind": "me"}, {"kind": "open"}]}
    )


def create_fork(program: Program, number: int) -> Any:
    game = Game.objects.filter(phase="over").first()
    assert game is not None
    seats = [{"kind": "me"}, {"kind": "bot", "bot": "random"}]
    return program.send(f"{BASE}/games/{game.pk}/forks", {"seq": 5, "seats": seats})


def create_analysis(program: Program, number: int) -> Any:
    game = Game.objects.filter(phase="over").first()
    assert game is not None
    decision = next(selectors.taken_decisions(game.pk)).decision
    body = {"seat": decision.seat, "seq": decision.seq, "simulations": 100 + number}
    return program.send(f"{BASE}/games/{game.pk}/analyses", body)


def create_challenge(program: Program, number: int) -> Any:
    challenged = Account.objects.get(name="Challenged")
    seats = [{"kind": "me"}, {"kind": "account", "account": challenged.pk}]
    return program.send(f"{BASE}/games", {"rules": SLUG, "seats": seats})


def open_games(account: Account) -> int:
    return Game.objects.filter(owner=account).exclude(phase="over").count()


QUOTAS: Final = {
    "keys": Quota(
        create_key,
        lambda account_id: Key.objects.filter(account=account_id).count(),
        "too-many-keys",
    ),
    "webhooks": Quota(
        create_webhook,
        lambda account_id: Webhook.objects.filter(account=account_id).count(),
        "too-many-webhooks",
    ),
    "games": Quota(create_game, open_games, "too-many-games"),
    "forks": Quota(create_fork, open_games, "too-many-games"),
    "analyses": Quota(
        create_analysis,
        lambda account_id: Analysis.objects.filter(account=account_id).count(),
        "too-many-analyses",
    ),
}
CHALLENGES: Final = Quota(
    create_challenge,
    lambda account_id: Challenge.objects.filter(game__owner=account_id).count(),
    "too-many-challenges",
)


@pytest.fixture
def account(
    kept_here: Kept, settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> Iterator[Account]:
    """An account with small quotas, and a game to fork and to analyse."""
    settings.OPEN_GAMES = settings.ANALYSES_EACH = settings.CHALLENGES_MADE = QUOTA
    Account.objects.create(name="Challenged")
    monkeypatch.setattr(accounts, "MAX_KEYS_PER_ACCOUNT", QUOTA)
    monkeypatch.setattr(webhooks, "MAX_WEBHOOKS_PER_ACCOUNT", QUOTA)
    monkeypatch.setattr(part_dispatch.outbox, "enqueue", lambda message: None)
    monkeypatch.setattr(webhook_dispatch.outbox, "enqueue", lambda message: None)
    list(acting(bot_game()))
    contract()  # built here, because threads that build it at once interfere
    key_cache.clear()
    yield Account.objects.create()
    key_cache.clear()


def request_outcome(program: Program, quota: Quota, number: int) -> str:
    """The outcome of a request, in a thread with a connection of its own."""
    try:
        response = quota.create(program, number)
        return "made" if response.status_code < 300 else str(response.json()["code"])
    finally:
        connections.close_all()


@pytest.mark.lane("processes", core=1)
@pytest.mark.parametrize("quota", [*QUOTAS.values(), CHALLENGES], ids=[*QUOTAS, "challenges"])
def test_a_hundred_requests_at_once_get_no_more(account: Account, quota: Quota) -> None:
    program = program_of(account)
    had = quota.count(account)
    with ThreadPoolExecutor(THREADS) as pool:
        outcomes = Counter(pool.map(lambda n: request_outcome(program, quota, n), range(REQUESTS)))
    room = QUOTA - had
    assert outcomes == {"made": room, quota.refusal: REQUESTS - room}
    assert quota.count(account) == QUOTA


def test_without_the_locks_of_accounts_there_would_be_more_challenges(
    account: Account, settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings.OPEN_GAMES = 10 * QUOTA
    program = program_of(account)
    for number in range(QUOTA - 1):
        assert request_outcome(program, CHALLENGES, number) == "made"
    both_counted = Barrier(2, timeout=PATIENCE)
    check_quotas = challenges._check_quotas

    def check_beside_another(*arguments: Any) -> None:
        check_quotas(*arguments)
        both_counted.wait()

    @contextmanager
    def without_locks(accounts: Collection[str]) -> Iterator[dict[str, Account]]:
        yield Account.objects.in_bulk(accounts)

    monkeypatch.setattr(challenges, "_check_quotas", check_beside_another)
    monkeypatch.setattr(challenges, "account_locks", without_locks)
    with ThreadPoolExecutor(2) as pool:
        outcomes = list(pool.map(lambda n: request_outcome(program, CHALLENGES, n), range(2)))
    assert outcomes == ["made", "made"]
    assert CHALLENGES.count(account) == QUOTA + 1


@pytest.mark.parametrize("name", QUOTAS)
def test_without_the_lock_they_would(
    account: Account, name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    quota, program = QUOTAS[name], program_of(account)
    while quota.count(account) < QUOTA - 1:
        assert request_outcome(program, quota, REQUESTS + quota.count(account)) == "made"
    both_counted = Barrier(2, timeout=PATIENCE)
    check_quota = quotas.check_quota

    @contextmanager
    def without_lock(account_id: str) -> Iterator[Account]:
        yield Account.objects.get(pk=account_id)

    def check_beside_another(*arguments: Any) -> None:
        check_quota(*arguments)
        both_counted.wait()

    for module in (quotas, accounts, webhooks):
        monkeypatch.setattr(module, "account_lock", without_lock)
        monkeypatch.setattr(module, "check_quota", check_beside_another)
    with ThreadPoolExecutor(2) as pool:
        outcomes = list(pool.map(lambda n: request_outcome(program, quota, n), range(2)))
    assert outcomes == ["made", "made"]
    assert quota.count(account) == QUOTA + 1


@pytest.mark.lane("processes", core=1)
@pytest.mark.parametrize("name", QUOTAS)
def test_a_refusal_leaves_nothing_behind(account: Account, name: str) -> None:
    """An exception that is raised twice keeps the frames of both requests: their memory and their
    headers."""
    quota, program = QUOTAS[name], program_of(account)
    outcomes = {request_outcome(program, quota, number) for number in range(2 * QUOTA)}
    assert quota.refusal in outcomes
    gc.collect()
    kept = [each for each in gc.get_objects() if type(each) is FrameType]
    assert not [frame for frame in kept if frame.f_code is quotas.check_quota.__code__]


def test_other_tables_may_refer_to_an_account_that_is_locked(account: Account) -> None:
    """A player can join a game while another request holds the lock of the player's account."""
    game = services.create_game(
        SLUG, [SeatAssignment(account=account), SeatAssignment()]
    ).projection.game
    host = Account.objects.create()

    def join() -> str:
        try:
            services.join_game(game, 1, account=host)
            return "joined"
        finally:
            connections.close_all()

    with ThreadPoolExecutor(1) as pool, quotas.account_lock(host.pk):
        if connections["default"].vendor == "postgresql":  # SQLite has one writer at a time
            assert pool.submit(join).result(timeout=PATIENCE) == "joined"
            return
        joining = pool.submit(join)
    assert joining.result() == "joined"

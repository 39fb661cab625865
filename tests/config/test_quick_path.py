"""The quick path from a request to the log: the loop never waits, a reply comes after the commit,
and an append that was made is remembered and announced, even if its client is gone."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Iterator, Sequence
from threading import Event
from time import monotonic
from types import SimpleNamespace
from typing import Any, Final

import orjson
import pytest
from django.db import OperationalError, connections
from pytest_django import Settings

from api import keys
from api.games import quick_actions
from api.games.quick_actions import SLOW_SECONDS, SlowRulesets
from api.keys import ALL_SCOPES, create_key, key_cache
from api.limits import rate_limiting
from api.limits.token_buckets import DatabaseBuckets
from api.models import Key
from config import quick_path
from config.http_server.quick_requests import QuickRequest
from config.quick_path import QuickPath
from games import group_commit, position_cache, selectors, services
from games.group_commit import writer
from games.log_groups import Append, append_group
from games.models import Account, Entry
from games.services import SeatAssignment
from games.services.append_transaction import announcer
from games.signals import entries_appended
from tests.config.processes import PATIENCE, soon
from tests.games.old_logs import put_into_old_table
from tests.support.databases import Kept

pytestmark = pytest.mark.stores

SLUG: Final = "law_of_the_dice"
TURNS_OF_LOOP: Final = 1000
Reply = tuple[bytes | None, BaseException | None]


@pytest.fixture
def path(kept_here: Kept, monkeypatch: pytest.MonkeyPatch) -> Iterator[QuickPath]:
    """The quick path of a process that commits in groups."""
    monkeypatch.setattr(quick_actions, "slow_rulesets", SlowRulesets())
    writer.enable()
    quick_path = QuickPath()
    yield quick_path
    quick_path.close()
    writer.disable()
    announcer.finish()
    key_cache.clear()


class Table:
    """A game whose player has asked before: all that an action needs is in memory."""

    def __init__(self) -> None:
        self.account = Account.objects.create(name="Ada")
        self.secret = create_key(self.account, "test", ALL_SCOPES, None)[1]
        seating = [SeatAssignment(account=self.account)] * 2
        self.game = services.create_game(SLUG, seating).projection.game
        key_cache.find_caller(self.secret)
        selectors.started_game_rights(self.game)
        selectors.game_projection(self.game)

    def request(self, **more: Any) -> QuickRequest:
        """The first action that is offered now."""
        table = selectors.game_projection(self.game)
        seat = table.awaited_seats.bit_length() - 1
        choice = selectors.seat_choice(table, seat)
        assert choice is not None
        document = {"seat": seat, "choice": choice.token, "action": choice.offers[0].action} | more
        headers = {b"authorization": f"Bearer {self.secret}".encode()}
        return QuickRequest(self.game, headers, orjson.dumps(document))

    def length(self) -> int:
        """The number of entries."""
        return Entry.objects.filter(game=self.game).count()


class Exchange:
    """A request on the loop, and its reply."""

    def __init__(self, path: QuickPath, request: QuickRequest) -> None:
        self.reply: asyncio.Future[Reply] = asyncio.get_running_loop().create_future()
        self.has_begun = path.begin(
            request, lambda reply, failure: self.reply.set_result((reply, failure))
        )


def run(scenario: Callable[[], Awaitable[None]]) -> None:
    """Run a scenario on its own event loop, on which Django refuses all queries."""

    async def whole() -> None:
        async with asyncio.timeout(PATIENCE):
            await scenario()

    asyncio.run(whole())


def test_an_action_is_appended_and_then_answered(path: QuickPath) -> None:
    table = Table()
    before, request = table.length(), table.request()

    async def scenario() -> None:
        exchange = Exchange(path, request)
        assert exchange.has_begun
        reply, failure = await exchange.reply
        assert failure is None
        assert reply is not None
        head, _, body = reply.partition(b"\r\n\r\n")
        document = orjson.loads(body)
        assert document["seq"] == before + 1
        assert f"location: /api/v1/games/{table.game}/log/{before + 1}".encode() in head

    run(scenario)
    assert table.length() == before + 1


def test_many_tables_at_once(path: QuickPath, monkeypatch: pytest.MonkeyPatch) -> None:
    """All that come in one turn of the loop, or right after each other, are one group."""
    groups: list[int] = []

    def note(appends: Sequence[Append]) -> set[int]:
        groups.append(len(appends))
        return append_group(appends)

    monkeypatch.setattr(group_commit, "append_group", note)
    tables = [Table() for _ in range(12)]
    before = [table.length() for table in tables]
    requests = [table.request() for table in tables]

    async def scenario() -> None:
        exchanges = [Exchange(path, request) for request in requests[:6]]
        for request in requests[6:]:
            await asyncio.sleep(0)
            exchanges.append(Exchange(path, request))
        replies = [await exchange.reply for exchange in exchanges]
        assert all(reply is not None for reply, _ in replies)

    run(scenario)
    assert [table.length() for table in tables] == [count + 1 for count in before]
    assert groups == [12]


def test_equal_actions_at_once_have_one_winner(path: QuickPath) -> None:
    """The others are left to the endpoint, which repeats the winner's reply to them."""
    table = Table()
    before, request = table.length(), table.request()

    async def scenario() -> None:
        exchanges = [Exchange(path, request) for _ in range(12)]
        replies = [await exchange.reply for exchange in exchanges if exchange.has_begun]
        assert sum(reply is not None for reply, _ in replies) == 1
        assert all(failure is None for _, failure in replies)

    run(scenario)
    assert table.length() == before + 1


def test_a_game_in_the_old_table_is_left_to_the_endpoint(path: QuickPath) -> None:
    """It is moved first, which takes longer than the loop can wait."""
    old, other = Table(), Table()
    put_into_old_table(old.game)
    selectors.game_projection(old.game)
    requests = [table.request() for table in (old, other)]

    async def scenario() -> None:
        exchanges = [Exchange(path, request) for request in requests]
        replies = [await exchange.reply for exchange in exchanges]
        assert [reply is None for reply, _ in replies] == [True, False]
        assert all(failure is None for _, failure in replies)

    run(scenario)
    assert old.length() == 0


@pytest.fixture
def held(monkeypatch: pytest.MonkeyPatch) -> Iterator[Event]:
    """The disk hangs until the event is set."""
    may_go_on = Event()

    def hold(appends: Sequence[Append]) -> set[int]:
        assert may_go_on.wait(60)
        return append_group(appends)

    monkeypatch.setattr(group_commit, "append_group", hold)
    yield may_go_on
    may_go_on.set()


def test_the_loop_waits_for_no_disk(path: QuickPath, held: Event) -> None:
    """While a commit hangs, the loop turns, takes more requests, and answers none of them."""
    tables = [Table() for _ in range(3)]
    requests = [table.request() for table in tables]

    async def scenario() -> None:
        exchanges = [Exchange(path, request) for request in requests]
        for _ in range(TURNS_OF_LOOP):
            await asyncio.sleep(0)
        assert all(exchange.has_begun for exchange in exchanges)
        assert not any(exchange.reply.done() for exchange in exchanges)
        held.set()
        assert all([(await exchange.reply)[0] for exchange in exchanges])

    run(scenario)


def test_a_queue_that_is_full_is_left_to_the_threads(
    path: QuickPath, held: Event, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(quick_path, "MAX_WAITING", 2)
    tables = [Table() for _ in range(6)]
    requests = [table.request() for table in tables]

    async def scenario() -> None:
        exchanges = [Exchange(path, request) for request in requests]
        count = sum(exchange.has_begun for exchange in exchanges)
        assert 2 <= count <= 3, "one may be with the writer already"
        held.set()
        for exchange in exchanges[:count]:
            await exchange.reply

    run(scenario)


def test_what_is_in_the_log_is_announced_though_the_loop_has_ended(
    path: QuickPath, held: Event
) -> None:
    announced: list[tuple[str, int]] = []

    def note(table: Any, first: int, **_: Any) -> None:
        announced.append((table.game, first))

    table = Table()
    before, request = table.length(), table.request()

    async def scenario() -> None:
        assert Exchange(path, request).has_begun

    entries_appended.connect(note)
    try:
        run(scenario)
        held.set()
        soon(lambda: announced == [(table.game, before + 1)])
    finally:
        entries_appended.disconnect(note)
    position = position_cache.cache.get_latest(table.game)
    assert position is not None
    assert position.projection.seq == before + 1


@pytest.fixture
def limited(settings: Settings, kept_here: Kept) -> Iterator[None]:
    """Five writes an hour, counted from zero: Redis outlasts a test, whose ids others share."""
    settings.REDIS_URL = ""
    settings.LIMITS = {"write": (5, 3600)}
    settings.LIMITS_FILE = kept_here.folder / "limits"
    rate_limiting.configured_buckets.cache_clear()
    yield
    rate_limiting.configured_buckets.cache_clear()


@pytest.mark.parametrize("failure", [OperationalError("the disk is full"), MemoryError()])
def test_a_commit_that_fails_is_not_repeated(
    path: QuickPath, limited: None, monkeypatch: pytest.MonkeyPatch, failure: BaseException
) -> None:
    """The endpoint reports it, and counts the request once."""
    table = Table()
    request, limit = table.request(), rate_limiting.limit_of("POST", "game-actions")
    rate_limiting.configured_buckets().take(limit, table.account.pk)

    def fail(appends: Sequence[Append]) -> set[int]:
        raise failure

    monkeypatch.setattr(group_commit, "append_group", fail)

    async def scenario() -> None:
        exchange = Exchange(path, request)
        if not exchange.has_begun:
            return
        reply, problem = await exchange.reply
        assert reply is None
        assert type(problem) is type(failure)

    run(scenario)
    left = rate_limiting.configured_buckets().take(limit, table.account.pk).tokens_left
    assert left == 3


def test_a_reply_that_cannot_be_made_is_a_failure(
    path: QuickPath, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(action: Any) -> Any:
        raise ZeroDivisionError

    monkeypatch.setattr(quick_actions, "reply_to", fail)
    table = Table()
    before, request = table.length(), table.request()

    async def scenario() -> None:
        reply, failure = await Exchange(path, request).reply
        assert reply is None
        assert isinstance(failure, ZeroDivisionError)

    run(scenario)
    assert table.length() == before + 1


def test_what_is_not_in_memory_is_left_to_the_endpoint(path: QuickPath) -> None:
    def is_begun(table: Table, request: QuickRequest) -> bool:
        result: list[bool] = []

        async def scenario() -> None:
            exchange = Exchange(path, request)
            result.append(exchange.has_begun)
            if exchange.has_begun:
                await exchange.reply

        run(scenario)
        return result[0]

    table = Table()
    request = table.request()
    key_cache.clear()
    assert not is_begun(table, request), "the key"
    key_cache.find_caller(table.secret)
    position_cache.cache.clear()
    assert not is_begun(table, request), "the position"
    selectors.game_projection(table.game)
    slow_rulesets = quick_actions.slow_rulesets
    for _ in range(3):
        slow_rulesets.note(SLUG, 1000 * SLOW_SECONDS)
    assert not is_begun(table, request), "the ruleset is slow"
    vars(quick_actions)["slow_rulesets"] = SlowRulesets()
    for refused in (
        table.request(seat=7),
        table.request(action={"type": "law_of_the_dice.fly"}),
        table.request(actions=[]),
        table.request(unknown=1),
        request._replace(body=b"{"),
        request._replace(game="game_none"),
        request._replace(headers={b"authorization": b"Bearer tab_no"}),
        request._replace(headers={b"authorization": b"Basic tab_no"}),
    ):
        assert not is_begun(table, refused)
    assert is_begun(table, table.request())


# -- entries of other processes --------------------------------------------------------------------


def act_elsewhere(tables: Sequence[Table]) -> list[QuickRequest]:
    """Append two actions to each game as another process would: this one keeps the position that it
    knows. The requests of the next actions."""
    known = [position_cache.cache.get_latest(table.game) for table in tables]
    for table in [*tables, *tables]:
        document = orjson.loads(table.request().body)
        services.append_action(
            table.game, document["seat"], document["action"], choice=document["choice"]
        )
    requests = [table.request() for table in tables]
    position_cache.cache.clear()
    for position in known:
        assert position is not None
        position_cache.cache.store(position)
    return requests


def test_one_statement_brings_all_positions_up_to_date(
    path: QuickPath, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Those that come while the reader is busy are read together, and all are answered quickly."""
    tables = [Table() for _ in range(5)]
    requests = act_elsewhere(tables)
    before = [table.length() for table in tables]
    reads: list[list[str]] = []
    catch_up = position_cache.catch_up

    def note(games: list[str]) -> None:
        reads.append(games)
        catch_up(games)

    monkeypatch.setattr(position_cache, "catch_up", note)

    async def scenario() -> None:
        exchanges = [Exchange(path, request) for request in requests]
        assert all(exchange.has_begun for exchange in exchanges)
        assert all([(await exchange.reply)[0] for exchange in exchanges])

    run(scenario)
    assert [table.length() for table in tables] == [count + 1 for count in before]
    first, *others = (table.game for table in tables)
    assert reads == [[first], others]


@pytest.fixture
def ten_seconds_later(monkeypatch: pytest.MonkeyPatch) -> Callable[[], None]:
    """Let the keys in memory become stale."""
    return lambda: monkeypatch.setattr(keys, "monotonic", lambda: monotonic() + 10)


def test_keys_and_leases_are_renewed_at_once(
    path: QuickPath,
    settings: Settings,
    monkeypatch: pytest.MonkeyPatch,
    ten_seconds_later: Callable[[], None],
) -> None:
    """The reader reads all keys in use and takes the tokens of all accounts, and each action that
    has waited for it is an ordinary one."""
    settings.LIMITS = {"write": (600, 3600)}
    buckets = DatabaseBuckets()
    monkeypatch.setattr(rate_limiting, "configured_buckets", lambda: buckets)
    tables = [Table() for _ in range(5)]
    requests = [table.request() for table in tables]
    before = [table.length() for table in tables]
    loaded: list[int] = []
    load_callers = keys._load_callers

    def note(digests: Sequence[str]) -> Any:
        loaded.append(len(digests))
        return load_callers(digests)

    monkeypatch.setattr(keys, "_load_callers", note)

    async def scenario() -> None:
        exchanges = [Exchange(path, request) for request in requests]
        assert all([(await exchange.reply)[0] for exchange in exchanges])

    run(scenario)  # without a lease …
    requests = [table.request() for table in tables]
    ten_seconds_later()
    run(scenario)  # … and with stale keys
    assert [table.length() for table in tables] == [count + 2 for count in before]
    assert sum(loaded) == 5
    limit = rate_limiting.limit_of("POST", "game-actions")
    left = [buckets.take(limit, table.account.pk).tokens_left for table in tables]
    assert left == [597] * 5


@pytest.mark.parametrize("is_revoked", [True, False])
def test_what_is_unknown_even_when_read_is_left_to_the_endpoint(
    path: QuickPath, ten_seconds_later: Callable[[], None], is_revoked: bool
) -> None:
    """A key that was revoked, or a choice that no log has."""
    table = Table()
    before = table.length()
    request = table.request() if is_revoked else table.request(choice="0" * 22)
    if is_revoked:
        Key.objects.all().delete()
        ten_seconds_later()

    async def scenario() -> None:
        exchange = Exchange(path, request)
        assert exchange.has_begun
        assert await exchange.reply == (None, None)

    run(scenario)
    assert table.length() == before


def test_the_loop_waits_for_no_reader(path: QuickPath, monkeypatch: pytest.MonkeyPatch) -> None:
    """While the database hangs, the loop turns. Once it has failed, all that wait are left to the
    endpoint, without a second attempt."""
    has_failed = Event()
    reads: list[list[str]] = []

    def hang(games: list[str]) -> None:
        reads.append(games)
        assert has_failed.wait(60)
        raise OperationalError("it has hung")

    tables = [Table() for _ in range(3)]
    requests = act_elsewhere(tables)
    monkeypatch.setattr(position_cache, "catch_up", hang)

    async def scenario() -> None:
        exchanges = [Exchange(path, request) for request in requests]
        for _ in range(TURNS_OF_LOOP):
            await asyncio.sleep(0)
        assert not any(exchange.reply.done() for exchange in exchanges)
        has_failed.set()
        assert [await exchange.reply for exchange in exchanges] == [(None, None)] * 3

    run(scenario)
    assert reads == [[tables[0].game]]


def test_a_full_reader_is_left_to_the_threads(
    path: QuickPath, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(quick_path, "MAX_WAITING", 2)
    may_go_on = Event()
    catch_up = position_cache.catch_up
    monkeypatch.setattr(
        position_cache, "catch_up", lambda games: may_go_on.wait(60) and catch_up(games)
    )
    tables = [Table() for _ in range(5)]
    requests = act_elsewhere(tables)

    async def scenario() -> None:
        exchanges = [Exchange(path, request) for request in requests]
        assert [each.has_begun for each in exchanges] == [True, True, True, False, False]
        may_go_on.set()
        assert all([(await exchange.reply)[0] for exchange in exchanges[:3]])

    run(scenario)


def test_one_slow_action_does_not_decide() -> None:
    table: Any = SimpleNamespace(creation=SimpleNamespace(rules=SLUG))
    rulesets = SlowRulesets()
    for seconds in (10.0, *[SLOW_SECONDS / 2] * 20, 10.0):
        rulesets.note(SLUG, seconds)
        assert rulesets.is_quick(table)
    for _ in range(20):
        rulesets.note(SLUG, 1.5 * SLOW_SECONDS)
    assert not rulesets.is_quick(table)


def test_a_caller_without_the_scope_is_left_to_the_endpoint(path: QuickPath) -> None:
    table = Table()
    table.secret = create_key(table.account, "reader", ["games:read"], None)[1]
    key_cache.find_caller(table.secret)
    request = table.request()

    async def scenario() -> None:
        assert not Exchange(path, request).has_begun

    run(scenario)
    connections.close_all()


def test_a_full_quota_is_left_to_the_endpoint(path: QuickPath, limited: None) -> None:
    table = Table()
    limit = rate_limiting.limit_of("POST", "game-actions")
    while rate_limiting.configured_buckets().take(limit, table.account.pk).is_granted:
        pass
    before, request = table.length(), table.request()

    async def scenario() -> None:
        assert not Exchange(path, request).has_begun

    run(scenario)
    assert table.length() == before

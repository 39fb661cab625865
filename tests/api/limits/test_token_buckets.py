"""A bucket never gives more tokens than it has, whichever processes ask, and it refills."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from functools import partial
from math import ceil
from pathlib import Path
from typing import Any

import pytest
from django.db import connections
from pytest_django import DjangoAssertNumQueries

from api.limits import token_buckets
from api.limits.cleanup import delete_expired_rows
from api.limits.token_buckets import (
    LEASE_SECONDS,
    Buckets,
    DatabaseBuckets,
    LeaseEnded,
    RateLimit,
    RedisBuckets,
    Verdict,
)
from api.models import Bucket
from tests.api.limits.clocks import Later, advancing
from tests.api.limits.hammering import LIMIT, places
from tests.support.databases import Kept

pytestmark = pytest.mark.stores

PROCESSES = 8


@pytest.fixture
def later(monkeypatch: pytest.MonkeyPatch) -> Later:
    """Advance the clocks that this process reads; PostgreSQL's own clock is replaced by them."""
    monkeypatch.setitem(token_buckets._CLOCK_SQL, "postgresql", "%(now)s")
    return advancing(monkeypatch, token_buckets)


def granted_count(buckets: Buckets, limit: RateLimit, times: int, caller: str = "me") -> int:
    """How many of this many requests get a token."""
    return sum(buckets.take(limit, caller).is_granted for _ in range(times))


def at_hand(buckets: Buckets, limit: RateLimit, caller: str) -> Verdict | None:
    """A token at hand, if need be after the leases were renewed."""
    try:
        return buckets.take_at_hand(limit, caller)
    except LeaseEnded:
        buckets.renew()
    with suppress(LeaseEnded):
        return buckets.take_at_hand(limit, caller)
    return None


@pytest.fixture(params=["rows", "file", "redis"])
def buckets(request: pytest.FixtureRequest, db: None, broker: str, tmp_path: Path) -> Buckets:
    """Each place that stores buckets."""
    if request.param == "redis" and not broker:
        pytest.skip("runs where REDIS_URL is given")
    return places({"rows": "", "file": str(tmp_path / "limits"), "redis": broker}[request.param])


@pytest.mark.django_db
def test_a_clock_that_was_ahead_locks_nobody_out(later: Later) -> None:
    limit = RateLimit("read", 10, 600)
    later(30 * 24 * 3600)
    assert granted_count(places(""), limit, 20) == 10
    later(-30 * 24 * 3600)
    assert granted_count(places(""), limit, 20) == 10
    assert granted_count(places(""), limit, 20) == 0
    later(61)
    assert granted_count(places(""), limit, 20) == 1


@pytest.mark.django_db
def test_a_clock_that_was_a_little_ahead_gives_nothing_away(later: Later) -> None:
    limit = RateLimit("read", 10, 600)
    later(30)
    assert granted_count(places(""), limit, 20) == 10
    later(-30)
    assert granted_count(places(""), limit, 20) == 0


@pytest.mark.stores
class TestEveryPlace:
    def test_gives_the_quota_and_no_more(self, buckets: Buckets) -> None:
        assert granted_count(buckets, RateLimit("read", 100, 36_000), 150) == 100

    def test_says_how_many_are_left(self, buckets: Buckets) -> None:
        limit = RateLimit("read", 5, 36_000)
        assert [buckets.take(limit, "me").tokens_left for _ in range(5)] == [4, 3, 2, 1, 0]

    def test_says_how_long_to_wait(self, buckets: Buckets) -> None:
        limit = RateLimit("read", 10, 600_000)
        granted_count(buckets, limit, 10)
        verdict = buckets.take(limit, "me")
        assert not verdict.is_granted
        assert 58_000 < verdict.wait_seconds <= 60_000
        assert verdict.retry_after == ceil(verdict.wait_seconds)

    def test_takes_a_token_back(self, buckets: Buckets) -> None:
        limit = RateLimit("read", 5, 36_000)
        for _ in range(20):
            assert buckets.take(limit, "me").is_granted
            buckets.give_back(limit, "me")

    def test_gives_several_tokens_or_none(self, buckets: Buckets) -> None:
        limit = RateLimit("read", 10, 6_000_000)
        assert buckets.take(limit, "me", 4) == Verdict(True, 6)
        assert buckets.take(limit, "me") == Verdict(True, 5)
        refused = buckets.take(limit, "me", 7)
        assert not refused.is_granted
        assert 1_100_000 < refused.wait_seconds <= 1_200_000
        assert granted_count(buckets, limit, 10) == 5, "nothing was taken for the refused request"
        assert not buckets.take(limit, "me", 2).is_granted

    def test_takes_at_hand_no_more_than_there_is(self, buckets: Buckets) -> None:
        """Two in three are taken at hand, if they are; all that is taken counts."""
        limit, granted = RateLimit("read", 100, 36_000), 0
        for number in range(300):
            take = partial(at_hand, buckets) if number % 3 else buckets.take
            granted += (verdict := take(limit, "me")) is not None and verdict.is_granted
        assert granted == 100
        assert buckets.take_at_hand(limit, "me") is None

    def test_has_tokens_at_hand_by_renewal_alone(self, buckets: Buckets) -> None:
        limit, granted = RateLimit("read", 100, 36_000), dict.fromkeys(("me", "you", "they"), 0)
        for _ in range(150):
            for caller in granted:
                granted[caller] += at_hand(buckets, limit, caller) is not None
        assert all(98 <= count <= 100 for count in granted.values())
        assert all(
            count + granted_count(buckets, limit, 5, caller) == 100
            for caller, count in granted.items()
        )

    def test_keeps_callers_and_limits_apart(self, buckets: Buckets) -> None:
        limit = RateLimit("read", 1, 36_000)
        assert buckets.take(limit, "me").is_granted
        assert buckets.take(limit, "you").is_granted
        assert buckets.take(RateLimit("write", 1, 36_000), "me").is_granted
        assert not buckets.take(limit, "me").is_granted


class TestRows:
    def test_a_lease_outlasts_the_refusal_of_more_tokens(self, db: None, later: Later) -> None:
        buckets, limit = DatabaseBuckets(), RateLimit("read", 80, 800_000)
        spent = granted_count(buckets, limit, 16)  # the lease holds some more
        assert not buckets.take(limit, "me", 70).is_granted
        later(LEASE_SECONDS + 0.1)
        assert granted_count(buckets, limit, 100) == 80 - spent

    def test_fill_up_evenly(self, db: None, later: Later) -> None:
        buckets, limit = DatabaseBuckets(), RateLimit("read", 60, 60)
        assert granted_count(buckets, limit, 70) == 60
        later(10.5)
        assert granted_count(buckets, limit, 70) == 10

    def test_are_never_more_than_full(self, db: None, later: Later) -> None:
        buckets, limit = DatabaseBuckets(), RateLimit("read", 60, 60)
        granted_count(buckets, limit, 1)
        later(100_000)
        assert granted_count(buckets, limit, 100) == 60

    def test_what_lay_about_goes_back(self, db: None, later: Later) -> None:
        """A caller who comes rarely gets back the unused tokens of a lease."""
        buckets, limit = DatabaseBuckets(), RateLimit("read", 80, 800_000)
        total = granted_count(buckets, limit, 16)  # the lease holds some more
        for _ in range(100):
            later(LEASE_SECONDS + 0.1)
            total += granted_count(buckets, limit, 1)
        assert total == 80

    def test_as_many_are_taken_at_once_as_are_used(
        self, db: None, later: Later, django_assert_max_num_queries: DjangoAssertNumQueries
    ) -> None:
        """A caller with eight requests a second has nearly all of them at hand; those that it does
        not use go back."""
        buckets, limit, ended = DatabaseBuckets(), RateLimit("read", 1000, 10_000_000), 0
        with django_assert_max_num_queries(60):
            for _ in range(160):
                try:
                    buckets.take_at_hand(limit, "me")
                except LeaseEnded:
                    ended += 1
                    assert at_hand(buckets, limit, "me") is not None
                later(0.12)
        assert ended <= 40
        later(LEASE_SECONDS)
        assert granted_count(buckets, limit, 1000) == 1000 - 160

    def test_several_hands_give_no_more_than_one(self, db: None) -> None:
        limit, hands = RateLimit("read", 200, 360_000), [DatabaseBuckets() for _ in range(8)]
        assert sum(granted_count(hand, limit, 1) for _ in range(60) for hand in hands) <= 200

    def test_a_busy_caller_seldom_writes(
        self, db: None, django_assert_max_num_queries: DjangoAssertNumQueries
    ) -> None:
        with django_assert_max_num_queries(20):
            assert granted_count(DatabaseBuckets(), RateLimit("read", 1200, 36_000), 1000) == 1000

    def test_a_caller_who_was_refused_costs_nothing(
        self, db: None, django_assert_num_queries: DjangoAssertNumQueries
    ) -> None:
        buckets, limit = DatabaseBuckets(), RateLimit("read", 5, 36_000)
        granted_count(buckets, limit, 6)
        with django_assert_num_queries(0):
            assert granted_count(buckets, limit, 1000) == 0

    def test_only_so_many_are_remembered(self, db: None, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(token_buckets, "MAX_LEASES", 3)
        buckets = DatabaseBuckets()
        for number in range(9):
            buckets.take(LIMIT, str(number))
        assert len(buckets._leases) == 3

    def test_full_ones_are_cleared_away(self, db: None) -> None:
        buckets = DatabaseBuckets()
        buckets.take(RateLimit("read", 1, 1), "soon full")
        buckets.take(RateLimit("read", 1, 3600), "empty")
        Bucket.objects.filter(key="read:soon full").update(full_at=1)
        delete_expired_rows()
        assert Bucket.objects.get().key == "read:empty"

    def test_a_refusal_keeps_the_tokens_that_another_thread_has_just_taken(
        self, db: None, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        buckets, limit = DatabaseBuckets(), RateLimit("read", 17, 360_000)
        assert granted_count(buckets, limit, 15) == 15
        take_tokens = buckets._take_tokens

        def take_after_another_thread(*arguments: Any) -> int | None:
            monkeypatch.setattr(buckets, "_take_tokens", take_tokens)
            assert buckets.take(limit, "me").is_granted  # of the last two, one is left in the lease
            return take_tokens(*arguments)

        monkeypatch.setattr(buckets, "_take_tokens", take_after_another_thread)
        assert granted_count(buckets, limit, 30) == 1

    def test_threads_get_no_more_either(self, kept_here: Kept) -> None:
        buckets, limit = DatabaseBuckets(), RateLimit("read", 300, 360_000)

        def take(_: int) -> int:
            try:
                return granted_count(buckets, limit, 100)
            finally:
                connections.close_all()

        with ThreadPoolExecutor(8) as pool:
            assert sum(pool.map(take, range(8))) == 300


class Nobody:
    """A store whose buckets are empty."""

    def take(self, limit: RateLimit, caller: str, tokens: int = 1) -> Verdict:
        return Verdict(False, 0, 1.0)

    def take_at_hand(self, limit: RateLimit, caller: str) -> Verdict | None:
        return None

    def renew(self) -> None:
        """Nothing to do."""

    def give_back(self, limit: RateLimit, caller: str) -> None:
        raise AssertionError("nothing was taken here")


def test_without_redis_the_other_place_decides() -> None:
    unreachable = RedisBuckets("redis://127.0.0.1:1/0", Nobody())
    assert unreachable.take(LIMIT, "me") == Verdict(False, 0, 1.0)
    assert unreachable.take_at_hand(LIMIT, "me") is None
    unreachable.renew()
    unreachable.give_back(LIMIT, "me")


@pytest.mark.lane("processes", core=1)
@pytest.mark.stores
@pytest.mark.parametrize("place", ["rows", "file", "redis"])
def test_eight_processes_share_one_bucket(
    kept: Kept, broker: str, place: str, tmp_path: Path
) -> None:
    if place == "redis" and not broker:
        pytest.skip("runs where REDIS_URL is given")
    where = {"rows": [], "file": [str(tmp_path / "limits")], "redis": [broker]}[place]
    hammers = [kept.process("tests.api.limits.hammering", *where) for _ in range(PROCESSES)]
    for hammer in hammers:
        assert hammer.stdout is not None
        assert hammer.stdout.readline() == "ready\n"
    for hammer in hammers:
        assert hammer.stdin is not None
        hammer.stdin.write("go\n")
        hammer.stdin.flush()
    counts = [int(hammer.communicate()[0]) for hammer in hammers]
    assert sum(counts) == LIMIT.quota
    assert all(counts)  # each took part in the race

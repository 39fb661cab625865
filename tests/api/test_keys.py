"""Keys that create keys: no child may do more, lives longer or outlasts its parent; which keys a
key may manage; and how soon a revoked key stops working."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import timedelta
from importlib import import_module
from typing import Any

import pytest
from django.apps import apps
from django.utils import timezone
from pytest_django import DjangoAssertNumQueries

from api import keys
from api.keys import MANAGE_KEYS_SCOPE, KeyCache, StaleKey, create_key, key_cache
from api.models import Key
from games.models import Account
from tests.api.program import Program, program_of
from tests.api.test_accounts import KEYS, ME, new_key
from tests.api.test_matrix import assert_refused
from tests.api.world import World

pytestmark = [pytest.mark.django_db, pytest.mark.stores]
HOUR = timedelta(hours=1)


def child_of(program: Program, *scopes: str, **members: Any) -> tuple[Program, str]:
    """A program with a key that this one created, and the key's id."""
    key = new_key(program, scopes=list(scopes or keys.ALL_SCOPES), **members)
    return Program(key["secret"]), key["key"]["id"]


class TestManaging:
    def test_needs_a_scope_of_its_own(self, world: World) -> None:
        player, name = child_of(world.as_ada, *(set(keys.ALL_SCOPES) - {MANAGE_KEYS_SCOPE}))
        other = new_key(world.as_ada, scopes=["games:read"])["key"]["id"]
        for response in (
            player.get(KEYS),
            player.send(KEYS, {"scopes": ["games:read"]}),
            player.send(f"{KEYS}/{name}/rotate", {}),
            player.delete(f"{KEYS}/{other}"),
        ):
            assert MANAGE_KEYS_SCOPE in assert_refused(response, "insufficient-scope")["detail"]

    def test_is_not_passed_on_unasked(self, world: World) -> None:
        assert MANAGE_KEYS_SCOPE not in new_key(world.as_ada)["key"]["scopes"]

    def test_is_not_needed_to_revoke_oneself(self, world: World) -> None:
        player, name = child_of(world.as_ada, "games:read")
        assert player.delete(f"{KEYS}/{name}").status_code == 204
        assert_refused(player.get(ME), "unauthorized")

    def test_is_no_way_up(self, world: World) -> None:
        (root,) = Key.objects.filter(account=world.ada)
        child, name = child_of(world.as_ada)
        grandchild, _ = child_of(child)
        for above in (root.pk, name):
            assert_refused(grandchild.delete(f"{KEYS}/{above}"), "insufficient-scope")
            assert_refused(grandchild.send(f"{KEYS}/{above}/rotate", {}), "insufficient-scope")

    def test_of_what_lives_longer_is_refused(self, world: World) -> None:
        brief = program_of(world.ada, expires=timezone.now() + HOUR)
        lasting = new_key(world.as_ada, scopes=["games:read"])["key"]["id"]
        assert_refused(brief.delete(f"{KEYS}/{lasting}"), "insufficient-scope")
        assert_refused(brief.send(f"{KEYS}/{lasting}/rotate", {}), "insufficient-scope")

    def test_of_what_may_no_more_is_allowed(self, world: World) -> None:
        sibling = new_key(world.as_ada, scopes=["games:read"])["key"]["id"]
        manager, _ = child_of(world.as_ada, "games:read", MANAGE_KEYS_SCOPE)
        assert manager.delete(f"{KEYS}/{sibling}").status_code == 204


class TestChildren:
    def test_expire_with_their_parent_at_the_latest(self, world: World) -> None:
        end = timezone.now() + HOUR
        brief = program_of(world.ada, expires=end)
        (parent,) = Key.objects.filter(account=world.ada, expires__isnull=False)
        expires = new_key(brief)["key"]["expires"]
        assert Key.objects.get(pk=new_key(brief)["key"]["id"]).expires == parent.expires
        assert expires is not None
        sooner = (end - HOUR / 2).isoformat()
        assert new_key(brief, expires=sooner)["key"]["expires"] < expires
        response = brief.send(KEYS, {"expires": (end + HOUR).isoformat()})
        assert assert_refused(response, "invalid-body")["errors"][0]["pointer"] == "/expires"

    def test_go_with_their_parent(self, world: World) -> None:
        child, name = child_of(world.as_ada)
        grandchild, _ = child_of(child)
        assert grandchild.get(ME).status_code == 200
        assert world.as_ada.delete(f"{KEYS}/{name}").status_code == 204
        assert_refused(child.get(ME), "unauthorized")
        assert_refused(grandchild.get(ME), "unauthorized")

    def test_outlive_a_rotation(self, world: World) -> None:
        child, name = child_of(world.as_ada)
        grandchild, _ = child_of(child)
        rotated = world.as_ada.send(f"{KEYS}/{name}/rotate", {"overlap_ms": 0}).json()["key"]["id"]
        assert grandchild.get(ME).status_code == 200
        assert world.as_ada.delete(f"{KEYS}/{rotated}").status_code == 204
        assert_refused(grandchild.get(ME), "unauthorized")

    def test_are_none_of_a_key_that_was_just_revoked(self, world: World) -> None:
        child, name = child_of(world.as_ada)
        assert child.get(ME).status_code == 200
        Key.objects.get(pk=name).delete()  # by another process: this one still trusts the key
        assert_refused(child.send(KEYS, {"scopes": ["games:read"]}), "unauthorized")


class TestRotating:
    def test_replaces_also_where_there_are_as_many_as_may_be(self, world: World) -> None:
        name = new_key(world.as_ada)["key"]["id"]
        for number in range(48):
            create_key(world.ada, str(number), ("games:read",), None)
        assert_refused(world.as_ada.send(KEYS, {}), "too-many-keys")
        for _ in range(5):
            response = world.as_ada.send(f"{KEYS}/{name}/rotate", {})
            name = response.json()["key"]["id"]
        assert Key.objects.filter(account=world.ada).count() == 51, "one in its overlap"
        assert_refused(world.as_ada.send(KEYS, {}), "too-many-keys")

    def test_ends_what_was_replaced_before(self, world: World) -> None:
        first, name = child_of(world.as_ada)
        second = world.as_ada.send(f"{KEYS}/{name}/rotate", {}).json()
        assert first.get(ME).status_code == 200
        world.as_ada.send(f"{KEYS}/{second['key']['id']}/rotate", {})
        key_cache.clear()
        assert_refused(first.get(ME), "unauthorized")
        assert Program(second["secret"]).get(ME).status_code == 200

    def test_is_done_once_for_each_key(self, world: World) -> None:
        name = new_key(world.as_ada)["key"]["id"]
        rotated = world.as_ada.send(f"{KEYS}/{name}/rotate", {}).json()["key"]["id"]
        again = assert_refused(world.as_ada.send(f"{KEYS}/{name}/rotate", {}), "key-rotated")
        assert rotated in again["detail"]

    def test_keys_that_have_expired_take_no_room(self, world: World) -> None:
        past = timezone.now() - HOUR
        for number in range(60):
            create_key(world.ada, str(number), ("games:read",), past)
        new_key(world.as_ada)
        assert Key.objects.filter(account=world.ada).count() == 2


class TestTrust:
    def test_ends_well_within_five_seconds(self, monkeypatch: pytest.MonkeyPatch) -> None:
        now = 0.0
        monkeypatch.setattr(keys, "monotonic", lambda: now)
        ring, (key, text) = (
            KeyCache(),
            create_key(Account.objects.create(), "", keys.ALL_SCOPES, None),
        )
        assert ring.find_caller(text) is not None
        key.delete()
        assert ring.find_caller(text) is not None, "trusted for a moment"
        now = 2.5
        assert ring.find_caller(text) is None

    @pytest.mark.parametrize("forgets", [True, False])
    def test_is_not_given_to_what_was_revoked_during_the_look_up(
        self, monkeypatch: pytest.MonkeyPatch, forgets: bool
    ) -> None:
        """It stays trusted only if the cache is not cleared in the meantime."""
        ring, (key, text) = (
            KeyCache(),
            create_key(Account.objects.create(), "", keys.ALL_SCOPES, None),
        )
        load_caller = keys._load_caller

        def load_then_revoke(digest: str) -> Any:
            caller = load_caller(digest)
            if caller is not None:
                key.delete()
                if forgets:
                    ring.clear()
            return caller

        monkeypatch.setattr(keys, "_load_caller", load_then_revoke)
        assert ring.find_caller(text) is not None
        assert (ring.find_caller(text) is None) == forgets


class TestRenewal:
    """The event loop trusts keys in memory, and those in use are read again all at once."""

    @pytest.fixture
    def ring(self, monkeypatch: pytest.MonkeyPatch) -> KeyCache:
        """A cache, whose clock is still until `self.now` goes on."""
        self.now = 0.0
        monkeypatch.setattr(keys, "monotonic", lambda: self.now)
        return KeyCache()

    def test_keeps_those_that_are_still_accepted(
        self, ring: KeyCache, django_assert_num_queries: DjangoAssertNumQueries
    ) -> None:
        accounts = [Account.objects.create() for _ in range(5)]
        made = [create_key(account, "", keys.ALL_SCOPES, None) for account in accounts]
        texts = [text for _, text in made]
        callers = [ring.find_caller(text) for text in texts]
        assert [ring.cached_caller(text) for text in texts] == callers
        self.now = 2.5
        for text in texts[:4]:
            with pytest.raises(StaleKey):
                ring.cached_caller(text)
        made[0][0].delete()
        Account.objects.filter(pk=accounts[1].pk).update(banned=timezone.now(), ban_reason="spam")
        Key.objects.filter(pk=made[2][0].pk).update(scopes="games:read", last_used=None)
        with django_assert_num_queries(2):
            ring.renew()
        first, second, third, fourth = map(ring.cached_caller, texts[:4])
        assert first is None
        assert second is None
        assert third is not None
        assert third.scopes == {"games:read"}
        assert fourth == callers[3]
        assert Key.objects.get(pk=made[2][0].pk).last_used is not None
        assert ring.cached_caller(texts[4]) == callers[4], "in use, so it was read, too"
        assert ring.cached_caller("tab_unknown") is None

    def test_leaves_fresh_ones_alone(
        self, ring: KeyCache, django_assert_num_queries: DjangoAssertNumQueries
    ) -> None:
        _, text = create_key(Account.objects.create(), "", keys.ALL_SCOPES, None)
        ring.find_caller(text)
        assert ring.cached_caller(text) is not None
        self.now = 0.5
        with django_assert_num_queries(0):
            ring.renew()

    def test_trusts_nothing_that_was_revoked_meanwhile(
        self, ring: KeyCache, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        key, text = create_key(Account.objects.create(), "", keys.ALL_SCOPES, None)
        ring.find_caller(text)
        ring.cached_caller(text)
        load_callers = keys._load_callers

        def load_then_revoke(digests: Sequence[str]) -> Any:
            callers = load_callers(digests)
            key.delete()
            ring.clear()
            return callers

        monkeypatch.setattr(keys, "_load_callers", load_then_revoke)
        self.now = 2.5
        ring.renew()
        assert ring.cached_caller(text) is None


def test_keys_that_were_there_before_may_manage_keys() -> None:
    key, _ = create_key(Account.objects.create(), "", ("games:read",), None)
    migration: Any = import_module("api.migrations.0003_replies")
    migration.let_manage(apps, None)
    key.refresh_from_db()
    assert key.scopes == "games:read keys:manage"

"""Accounts: guests, names, and keys with scopes, expiry and rotation."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from django.utils import timezone

from api.accounts import MAX_KEYS_PER_ACCOUNT
from api.keys import ALL_SCOPES, key_cache
from api.models import Key
from tests.api.program import Program, program_of
from tests.api.test_matrix import assert_refused
from tests.api.world import BASE, World

pytestmark = pytest.mark.stores

ME = f"{BASE}/me"
KEYS = f"{BASE}/me/keys"


def new_key(program: Program, **members: Any) -> Any:
    """Create a key; the document of the reply."""
    response = program.send(KEYS, members)
    assert response.status_code == 201
    return response.json()


@pytest.mark.django_db
class TestGuests:
    def test_may_do_everything_at_once(self, client: Program) -> None:
        guest = client.send(f"{BASE}/guests", {"name": "Ada"}).json()
        assert guest["account"]["name"] == "Ada"
        assert guest["key"]["scopes"] == list(ALL_SCOPES)
        assert Program(guest["secret"]).get(ME).json() == guest["account"]

    def test_need_no_name_and_no_body(self, client: Program) -> None:
        path = f"{BASE}/guests"
        for response in (client.send(path, {}), client.generic("POST", path)):
            assert response.json()["account"]["name"] == "", response.content

    def test_are_somebody_new_each_time(self, client: Program) -> None:
        ids = {client.send(f"{BASE}/guests", {}).json()["account"]["id"] for _ in range(3)}
        assert len(ids) == 3

    @pytest.mark.parametrize("name", ["x" * 61, "a\nb", "\x00"])
    def test_have_a_name_that_can_be_shown(self, client: Program, name: str) -> None:
        problem = assert_refused(client.send(f"{BASE}/guests", {"name": name}), "bad-name")
        assert problem["errors"][0]["pointer"] == "/name"

    def test_can_take_another_name(self, world: World) -> None:
        assert world.as_ada.send(ME, {"name": "Ada L."}, "PATCH").json()["name"] == "Ada L."
        assert world.as_ada.get(ME).json()["name"] == "Ada L."


class TestKeys:
    def test_are_told_once_and_kept_as_a_digest(self, world: World) -> None:
        key = new_key(world.as_ada, name="second")
        secret = key["secret"]
        assert Program(secret).get(ME).status_code == 200
        assert secret not in str(Key.objects.values())
        assert secret not in world.as_ada.get(KEYS).content.decode()

    def test_are_listed_for_their_account_alone(self, world: World) -> None:
        key = new_key(world.as_ada, name="second")["key"]
        items = world.as_ada.get(KEYS).json()["items"]
        assert [each["name"] for each in items] == ["test", "second"]
        assert key["id"] == items[1]["id"]
        assert key["id"] not in str(world.as_bob.get(KEYS).json())
        assert_refused(world.as_bob.delete(f"{KEYS}/{key['id']}"), "not-found")
        assert_refused(world.as_bob.send(f"{KEYS}/{key['id']}/rotate", {}), "not-found")

    def test_name_a_scope_once_however_often_it_is_asked_for(self, world: World) -> None:
        key = new_key(world.as_ada, scopes=["games:read", "games:play"] * 50)["key"]
        assert key["scopes"] == ["games:read", "games:play"]

    def test_say_when_they_were_used(self, world: World) -> None:
        before = timezone.now()
        world.as_ada.get(ME)
        key_cache.clear()
        world.as_ada.get(ME)
        last_used = Key.objects.get(account=world.ada).last_used
        assert last_used is not None
        assert last_used >= before

    def test_open_until_they_expire(self, world: World) -> None:
        soon = timezone.now() + timedelta(hours=1)
        key = new_key(world.as_ada, expires=soon.isoformat())
        assert Program(key["secret"]).get(ME).status_code == 200
        Key.objects.filter(pk=key["key"]["id"]).update(expires=timezone.now())
        key_cache.clear()
        assert_refused(Program(key["secret"]).get(ME), "unauthorized")

    @pytest.mark.parametrize("expires", ["tomorrow", "2030-01-01", "2030-01-01T00:00:00", ""])
    def test_expire_at_a_time_with_an_offset(self, world: World, expires: str) -> None:
        problem = assert_refused(world.as_ada.send(KEYS, {"expires": expires}), "invalid-body")
        assert problem["errors"][0]["pointer"] == "/expires"

    def test_make_none_that_may_do_more(self, world: World) -> None:
        reader = program_of(world.ada, "games:read", "keys:manage")
        assert_refused(reader.send(KEYS, {"scopes": ["games:play"]}), "insufficient-scope")
        assert_refused(reader.send(KEYS, {}), "insufficient-scope")
        assert new_key(reader, scopes=["games:read"])["key"]["scopes"] == ["games:read"]

    def test_touch_none_that_may_do_more(self, world: World) -> None:
        reader = program_of(world.ada, "games:read", "keys:manage")
        strong = new_key(world.as_ada)["key"]["id"]
        assert_refused(reader.delete(f"{KEYS}/{strong}"), "insufficient-scope")
        assert_refused(reader.send(f"{KEYS}/{strong}/rotate", {}), "insufficient-scope")

    def test_open_no_more_once_deleted(self, world: World) -> None:
        key = new_key(world.as_ada)
        program = Program(key["secret"])
        assert program.get(ME).status_code == 200
        assert world.as_ada.delete(f"{KEYS}/{key['key']['id']}").status_code == 204
        assert_refused(program.get(ME), "unauthorized")
        assert_refused(world.as_ada.delete(f"{KEYS}/{key['key']['id']}"), "not-found")

    def test_are_no_more_than_fifty(self, world: World) -> None:
        for _ in range(MAX_KEYS_PER_ACCOUNT - 1):
            new_key(world.as_ada)
        assert_refused(world.as_ada.send(KEYS, {}), "too-many-keys")


class TestRotation:
    def test_lets_the_old_key_open_for_a_while(self, world: World) -> None:
        old = new_key(world.as_ada, scopes=["games:read"])
        rotated = world.as_ada.send(f"{KEYS}/{old['key']['id']}/rotate", {"overlap_ms": 60_000})
        assert rotated.status_code == 201
        assert rotated.json()["key"]["scopes"] == ["games:read"]
        assert rotated.json()["key"]["expires"] is None
        for secret in (old["secret"], rotated.json()["secret"]):
            assert Program(secret).get(ME).status_code == 200
        Key.objects.filter(pk=old["key"]["id"]).update(expires=timezone.now())
        key_cache.clear()
        assert_refused(Program(old["secret"]).get(ME), "unauthorized")

    def test_at_once(self, world: World) -> None:
        old = new_key(world.as_ada)
        rotated = world.as_ada.send(f"{KEYS}/{old['key']['id']}/rotate", {"overlap_ms": 0}).json()
        assert_refused(Program(old["secret"]).get(ME), "unauthorized")
        assert Program(rotated["secret"]).get(ME).status_code == 200

    def test_makes_no_key_last_longer(self, world: World) -> None:
        end = (timezone.now() + timedelta(minutes=5)).isoformat()
        old = new_key(world.as_ada, expires=end)
        rotated = world.as_ada.send(f"{KEYS}/{old['key']['id']}/rotate", {}).json()
        assert rotated["key"]["expires"] == old["key"]["expires"]

"""Handover of keys by one-time codes: valid for minutes, once, and for one account; a code that
does not work is refused in one way, whatever is wrong with it."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Any

import pytest
from django.test import override_settings
from django.utils import timezone

from api import handovers, typed_codes
from api.accounts import MAX_KEYS_PER_ACCOUNT
from api.keys import KEY_PREFIX, create_key, key_cache
from api.limits import cleanup
from api.models import Handover, Key
from tests.api.program import Program, program_of
from tests.api.test_accounts import KEYS, ME, new_key
from tests.api.test_matrix import assert_refused
from tests.api.world import BASE, World

pytestmark = pytest.mark.stores

HANDOVER, REDEEM = f"{BASE}/keys/handover", f"{BASE}/keys/redeem"
MINUTES = timedelta(minutes=5)


def code_of(program: Program, **body: Any) -> str:
    """A new code."""
    response = program.send(HANDOVER, body)
    assert response.status_code == 201
    code: str = response.json()["code"]
    return code


def redeem(code: str, **members: Any) -> Any:
    """The response to another device."""
    return Program().send(REDEEM, {"code": code, **members})


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> list[datetime]:
    """The time of the server, which a test may set."""
    now = [timezone.now()]
    monkeypatch.setattr(timezone, "now", lambda: now[0])
    return now


def test_a_code_gives_another_device_a_key_of_the_account(world: World) -> None:
    made = redeem(code_of(world.as_ada), name="phone")
    assert made.status_code == 201
    other = Program(made.json()["secret"])
    assert other.get(ME).json()["id"] == world.ada.pk
    (old, new) = Key.objects.filter(account=world.ada).order_by("id")
    assert (new.name, new.scopes, new.expires, new.parent) == ("phone", old.scopes, None, old)
    assert world.as_ada.get(ME).status_code == 200
    assert world.as_ada.delete(f"{KEYS}/{old.pk}").status_code == 204
    assert_refused(other.get(ME), "unauthorized")


def test_a_key_that_is_not_kept_is_replaced(world: World) -> None:
    (old,) = Key.objects.filter(account=world.ada)
    child = new_key(world.as_ada)["key"]["id"]
    code = code_of(world.as_ada, keeps_key=False)
    assert world.as_ada.get(ME).status_code == 200, "until the code is redeemed"
    made = redeem(code).json()
    other = Program(made["secret"])
    key_cache.clear()  # as after the commit
    assert_refused(world.as_ada.get(ME), "unauthorized")
    assert other.get(ME).status_code == 200
    new = Key.objects.get(pk=made["key"]["id"])
    assert (new.parent, new.scopes) == (None, old.scopes)
    assert Key.objects.get(pk=child).parent == new


def test_a_key_gives_no_more_than_it_has(world: World) -> None:
    end = timezone.now() + timedelta(hours=1)
    brief = program_of(world.ada, "games:read", "keys:manage", expires=end)
    key = redeem(code_of(brief)).json()["key"]
    assert key["scopes"] == ["games:read", "keys:manage"]
    assert Key.objects.get(pk=key["id"]).expires == end
    reader = program_of(world.ada, "games:read")
    assert_refused(reader.send(HANDOVER, {}), "insufficient-scope")
    sooner = program_of(world.ada, expires=timezone.now() + timedelta(minutes=1))
    code_of(sooner)
    handover = Handover.objects.get(key__account=world.ada, key__expires__lt=end)
    assert handover.expires == handover.key.expires


def test_a_code_is_valid_for_five_minutes_by_the_clock_of_the_server(
    world: World, clock: list[datetime]
) -> None:
    response = world.as_ada.send(HANDOVER, {})
    assert datetime.fromisoformat(response.json()["expires"]) - clock[0] <= MINUTES
    code = response.json()["code"]
    clock[0] += MINUTES
    assert_refused(redeem(code), "unknown-code")
    clock[0] -= timedelta(seconds=1)
    assert redeem(code).status_code == 201


def test_codes_that_do_not_work_are_refused_alike(world: World, clock: list[datetime]) -> None:
    used, replaced = code_of(world.as_bob), code_of(world.as_ada)
    assert redeem(used).status_code == 201
    code_of(world.as_ada)
    revoked_program = Program(new_key(world.as_ada, scopes=["keys:manage"])["secret"])
    revoked = code_of(revoked_program)
    key = revoked_program.get(KEYS).json()["items"][-1]["id"]
    assert world.as_ada.delete(f"{KEYS}/{key}").status_code == 204
    late = code_of(world.as_eve)
    before = Key.objects.count()
    refusals = [
        redeem(code)
        for code in (used, replaced, revoked, "0000-0000", "", "\ud83c\udccf", "x" * 999)
    ]
    clock[0] += MINUTES
    refusals.append(redeem(late))
    for refusal in refusals:
        assert_refused(refusal, "unknown-code")
    texts = {(refusal.status_code, refusal.json()["detail"]) for refusal in refusals}
    assert len(texts) == 1
    assert Key.objects.count() == before


def test_a_code_may_be_typed_as_it_is_read(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    code = "0123-ABC1"
    for typed in ("0123-ABC1", "0123abc1", " o1 23-abcl", "OI23 ABCi"):
        monkeypatch.setattr(handovers, "random_code", lambda *_: code)
        assert code_of(world.as_ada) == code
        assert redeem(typed).status_code == 201, typed


def test_codes_are_random_and_can_be_told_apart() -> None:
    codes = {typed_codes.random_code(2, 4) for _ in range(500)}
    assert len(codes) == 500
    assert set("".join(codes)) == {*typed_codes.SYMBOLS, "-"}
    assert not {*"ILOU"} & {*typed_codes.SYMBOLS}


def test_the_database_does_not_tell_a_code(world: World) -> None:
    """Not even to one who tries all codes: the digest is made with a key that is elsewhere."""
    code = code_of(world.as_ada)
    digest = Handover.objects.get().digest
    assert code not in str(Handover.objects.values())
    with override_settings(SEALING_KEYS=[bytes(32)]):
        assert digest not in handovers._code_digests(code)
        assert_refused(redeem(code), "unknown-code")
    assert digest in handovers._code_digests(code)


def test_a_code_outlives_a_rotation_of_the_sealing_keys(world: World, settings: Any) -> None:
    code = code_of(world.as_ada)
    settings.SEALING_KEYS = [bytes(32), *settings.SEALING_KEYS]
    assert redeem(code).status_code == 201


def test_an_account_with_all_its_keys_gets_no_further_one(world: World) -> None:
    for number in range(MAX_KEYS_PER_ACCOUNT - 1):
        create_key(world.ada, str(number), ("games:read",), None)
    code = code_of(world.as_ada)
    assert_refused(redeem(code), "too-many-keys")
    assert_refused(redeem(code, name="x" * 61), "bad-name")
    Key.objects.filter(account=world.ada, name="0").delete()
    assert redeem(code).status_code == 201, "a refusal does not use the code up"


def test_a_key_in_the_overlap_of_its_rotation_is_not_handed_over(world: World) -> None:
    (old,) = Key.objects.filter(account=world.ada)
    code = code_of(world.as_ada, keeps_key=False)
    world.as_ada.send(f"{KEYS}/{old.pk}/rotate", {})
    key_cache.clear()
    assert_refused(world.as_ada.send(HANDOVER, {}), "key-rotated")
    assert_refused(redeem(code), "unknown-code")


def test_a_lost_reply_can_be_asked_for_again(world: World) -> None:
    code = code_of(world.as_ada)
    key = {"Idempotency-Key": "a key that none guesses"}
    first, again = (Program().send(REDEEM, {"code": code}, headers=key) for _ in range(2))
    assert again["Idempotent-Replayed"] == "true"
    assert first.json() == again.json()
    assert first.json()["secret"].startswith(f"{KEY_PREFIX}_")


def test_an_address_may_try_so_many(world: World) -> None:
    with override_settings(LIMITS={"codes": (3, 600), "write": (99, 60), "read": (99, 60)}):
        replies = [program.send(REDEEM, {"code": "0"}) for program in (Program(), world.as_ada) * 2]
    assert [response.status_code for response in replies] == [422, 422, 422, 429]
    assert replies[-1].json()["limit"] == "codes"


def test_expired_codes_are_deleted(world: World, clock: list[datetime]) -> None:
    code_of(world.as_ada)
    cleanup.delete_expired_rows()
    assert Handover.objects.count() == 1
    clock[0] += MINUTES
    cleanup.delete_expired_rows()
    assert Handover.objects.count() == 0

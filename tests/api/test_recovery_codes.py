"""Recovery codes: each gives its owner a key once, whichever keys were lost, and only an owner with
all rights may make or revoke them."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from django.db import connection
from django.utils import timezone

from api.accounts import MAX_KEYS_PER_ACCOUNT
from api.keys import ALL_SCOPES, create_key, key_cache
from api.models import Key, RecoveryCode
from api.recovery_codes import CODES
from games import services
from tests.api.program import Program, program_of
from tests.api.test_accounts import KEYS, ME, new_key
from tests.api.test_handovers import redeem
from tests.api.test_matrix import assert_refused
from tests.api.world import BASE, World, rows

pytestmark = pytest.mark.stores

SHEET = f"{BASE}/me/recovery-codes"


def codes_of(program: Program) -> list[str]:
    """New codes."""
    response = program.send(SHEET)
    assert response.status_code == 201
    codes: list[str] = response.json()["codes"]
    return codes


def test_a_code_gives_a_key_when_all_others_are_lost(world: World) -> None:
    codes = codes_of(world.as_ada)
    assert len({*codes}) == CODES
    Key.objects.filter(account=world.ada).delete()
    made = redeem(codes[3].lower().replace("-", " "), name="found again")
    assert made.status_code == 201
    again = Program(made.json()["secret"])
    assert again.get(ME).json()["id"] == world.ada.pk
    key = made.json()["key"]
    assert (key["name"], key["scopes"], key["expires"]) == ("found again", [*ALL_SCOPES], None)
    sheet = again.get(SHEET).json()
    assert (sheet["left"], [use["key"] for use in sheet["used"]]) == (CODES - 1, [key["id"]])


def test_the_recovered_key_can_revoke_the_others(world: World) -> None:
    (stolen,) = Key.objects.filter(account=world.ada)
    new_key(world.as_ada)
    found = Program(redeem(codes_of(world.as_ada)[0]).json()["secret"])
    assert found.delete(f"{KEYS}/{stolen.pk}").status_code == 204
    key_cache.clear()  # as after the commit
    assert_refused(world.as_ada.get(ME), "unauthorized")
    assert Key.objects.filter(account=world.ada).count() == 1


def test_codes_that_do_not_work_are_refused_alike(world: World) -> None:
    """As codes of handovers are, so that nobody learns whether a code was one."""
    replaced, used = codes_of(world.as_ada)[0], codes_of(world.as_ada)[0]
    revoked = codes_of(world.as_bob)[0]
    assert redeem(used).status_code == 201
    assert world.as_bob.delete(SHEET).status_code == 204
    assert world.as_bob.get(SHEET).json() == {"created": None, "left": 0, "used": []}
    before = rows()
    refusals = [redeem(code) for code in (replaced, used, revoked, "0000-0000", "0" * 20)]
    for refusal in refusals:
        assert_refused(refusal, "unknown-code")
    assert len({refusal.json()["detail"] for refusal in refusals}) == 1
    assert rows() == before


def test_only_a_key_with_all_rights_makes_or_revokes_codes(world: World) -> None:
    codes = codes_of(world.as_ada)
    child = Program(new_key(world.as_ada, scopes=[*ALL_SCOPES])["secret"])
    soon = timezone.now() + timedelta(hours=1)
    lesser = (
        child,  # it cannot revoke the key that made it
        program_of(world.ada, "keys:manage"),
        program_of(world.ada, *ALL_SCOPES, expires=soon),
        program_of(world.ada, "games:play"),
    )
    before = rows()
    for program in lesser:
        assert_refused(program.send(SHEET), "insufficient-scope")
        assert_refused(program.delete(SHEET), "insufficient-scope")
    assert rows() == before
    assert redeem(codes[0]).status_code == 201


def test_a_full_account_is_recovered_too(world: World) -> None:
    codes = codes_of(world.as_ada)
    for _ in range(MAX_KEYS_PER_ACCOUNT):
        create_key(world.ada, "", ("games:read",), None)
    assert redeem(codes[0]).status_code == 201
    for _ in range(CODES):
        create_key(world.ada, "", ("games:read",), None)
    assert_refused(redeem(codes[1]), "too-many-keys")
    Key.objects.filter(account=world.ada, scopes="games:read").delete()
    assert redeem(codes[1]).status_code == 201, "a refusal does not use a code up"


def test_a_banned_account_keeps_its_codes(world: World) -> None:
    code = codes_of(world.as_ada)[0]
    services.ban_account(world.ada.pk, "It floods.")
    assert_refused(redeem(code), "account-banned")
    services.unban_account(world.ada.pk)
    assert redeem(code).status_code == 201


def test_the_database_does_not_tell_a_code(world: World) -> None:
    codes = codes_of(world.as_ada)
    stored: Any = [*RecoveryCode.objects.values()]
    assert len(stored) == CODES
    assert not [
        code for code in codes if code in str(stored) or code.replace("-", "") in str(stored)
    ]


def test_codes_go_with_their_account(world: World) -> None:
    code = codes_of(world.as_ada)[0]
    services.delete_account(world.ada.pk)
    assert_refused(redeem(code), "unknown-code")
    assert not RecoveryCode.objects.exists()
    connection.check_constraints()

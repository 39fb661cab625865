"""Recovery codes: an owner who has lost every key redeems one of a printed sheet for a new key with
all scopes. Each works once, and `POST /keys/redeem` takes them as it takes codes of handovers."""

from __future__ import annotations

from functools import partial
from hashlib import sha256
from typing import Any, Final

from django.db import transaction
from django.db.models import QuerySet
from django.utils import timezone
from rest_framework.request import Request
from rest_framework.response import Response

from api.accounts import (
    MAX_KEYS_PER_ACCOUNT,
    TOO_MANY_KEYS,
    check_manageable,
    load_current_key,
)
from api.authentication import authorized_caller
from api.base_endpoint import Endpoint
from api.errors import Refusal
from api.keys import ALL_SCOPES, MANAGE_KEYS_SCOPE, Caller, create_key, delete_expired_keys
from api.limits.quotas import account_lock, check_quota
from api.models import Key, RecoveryCode
from api.schema import operation
from api.shape_responses import format_optional_time, format_required_time, reply
from api.shapes import accounts as shapes
from api.streams.pubsub import publish_recovery
from api.streams.recovery_notices import notices
from api.typed_codes import as_typed, random_code

CODES: Final = 10
CODE_GROUPS, GROUP_LENGTH = 4, 5  # 100 bits, so that their digests need no key


class RecoveryCodesEndpoint(Endpoint):
    """The recovery codes of an account."""

    @operation("recovery_codes", reply=shapes.RecoveryCodes, scope=MANAGE_KEYS_SCOPE)
    def get(self, request: Request) -> Response:
        """Get how many recovery codes are left, and which keys came of the others."""
        caller = authorized_caller(request, MANAGE_KEYS_SCOPE)
        codes = RecoveryCode.objects.filter(account=caller.account)
        first, left = codes.first(), codes.filter(used=None).count()
        created = format_optional_time(first.created if first else None)
        return reply(shapes.RecoveryCodes(created, left, tuple(notices(caller.account))))

    @operation(
        "make_recovery_codes",
        reply=shapes.MadeRecoveryCodes,
        status=201,
        scope=MANAGE_KEYS_SCOPE,
    )
    def post(self, request: Request) -> Response:
        """Make ten recovery codes, each of which gives a new key with all scopes, once. They
        replace all earlier ones. The calling key must have all scopes, and be able to revoke all
        keys of the account."""
        caller = authorized_caller(request, MANAGE_KEYS_SCOPE)
        codes = [random_code(CODE_GROUPS, GROUP_LENGTH) for _ in range(CODES)]
        with account_lock(caller.account) as account:
            _codes_to_end(caller).delete()
            made = timezone.now()
            RecoveryCode.objects.bulk_create(
                RecoveryCode(account=account, digest=_digest(code), created=made) for code in codes
            )
        return reply(shapes.MadeRecoveryCodes(tuple(codes), format_required_time(made)), 201)

    @operation("revoke_recovery_codes", status=204, scope=MANAGE_KEYS_SCOPE)
    def delete(self, request: Request) -> Response:
        """Revoke all recovery codes. The keys that came of them stay."""
        caller = authorized_caller(request, MANAGE_KEYS_SCOPE)
        with account_lock(caller.account):
            _codes_to_end(caller).delete()
        return Response(status=204)


def redeem_recovery_code(code: str, name: str) -> tuple[Key, str] | None:
    """Use the code up; return the new key with its secret, or None if there is no such code. Full
    accounts get a key, too: else their owners would have lost them."""
    valid = RecoveryCode.objects.filter(digest=_digest(code), used=None)
    found = valid.first()
    if found is None:
        return None
    with account_lock(found.account_id) as account:
        if account.banned is not None:
            raise Refusal("account-banned", f"This account is banned: {account.ban_reason}")
        if not valid.exists():  # another request has just used it
            return None
        delete_expired_keys(account)
        keys = Key.objects.filter(account=account)
        check_quota(keys, MAX_KEYS_PER_ACCOUNT + CODES, *TOO_MANY_KEYS)
        key, secret = create_key(account, name, ALL_SCOPES, None)
        valid.update(used=timezone.now(), key=key.pk)
        transaction.on_commit(partial(publish_recovery, account.pk), robust=True)
    return key, secret


def _codes_to_end(caller: Caller) -> QuerySet[Any]:
    """The codes of the caller's account. They give a key that may do everything, so no key with
    fewer rights may replace or revoke them."""
    calling_key = load_current_key(caller)
    recovered = Key(account_id=caller.account, scopes=" ".join(ALL_SCOPES))
    for key in (recovered, *Key.objects.filter(account=caller.account)):
        check_manageable(calling_key, key)
    return RecoveryCode.objects.filter(account=caller.account)


def _digest(code: str) -> str:
    return sha256(as_typed(code)).hexdigest()

"""Handover of keys: a device that has a key asks for a one-time code, and another one redeems it
for a key of the same account, with the same scopes and the same expiry."""

from __future__ import annotations

import hmac
from datetime import timedelta
from hashlib import sha256
from typing import Final

from django.conf import settings
from django.db import transaction
from django.utils import timezone
from rest_framework.request import Request
from rest_framework.response import Response

from api.accounts import (
    MAX_KEYS_PER_ACCOUNT,
    MAX_NAME_CHARACTERS,
    TOO_MANY_KEYS,
    key_view,
    load_current_key,
)
from api.authentication import authorized_caller
from api.base_endpoint import Endpoint
from api.errors import Refusal
from api.keys import MANAGE_KEYS_SCOPE, create_key, delete_expired_keys, key_cache, rotate_key
from api.limits.quotas import account_lock, check_quota
from api.models import Handover, Key
from api.recovery_codes import redeem_recovery_code
from api.schema import operation, refused_with
from api.shape_responses import format_required_time, reply
from api.shapes import accounts as shapes
from api.time_and_name_fields import validate_name
from api.typed_codes import as_typed, random_code

CODE_VALID_FOR: Final = timedelta(minutes=5)
CODE_GROUPS, GROUP_LENGTH = 2, 4
DIGEST_CONTEXT: Final = b"tabularium/handover/1"
UNKNOWN_CODE: Final = ("unknown-code", "The code is wrong, was redeemed before, or has expired.")


class HandoverEndpoint(Endpoint):
    """Codes for handing over a key."""

    @operation(
        "hand_over_key",
        body=shapes.NewHandover,
        reply=shapes.MadeHandover,
        status=201,
        scope=MANAGE_KEYS_SCOPE,
    )
    @refused_with("key-rotated")
    def post(self, request: Request) -> Response:
        """Create a one-time code for another device, valid for five minutes. It replaces the
        earlier code of the calling key."""
        caller = authorized_caller(request, MANAGE_KEYS_SCOPE)
        body = self.parse_body(request, shapes.NewHandover)
        code = random_code(CODE_GROUPS, GROUP_LENGTH)
        with account_lock(caller.account):
            key = load_current_key(caller)
            if key.successor_id is not None:
                raise Refusal("key-rotated", f"It was replaced by {key.successor_id}.")
            expires = timezone.now() + CODE_VALID_FOR
            expires = expires if key.expires is None else min(expires, key.expires)
            values = {
                "digest": _code_digests(code)[0],
                "keeps_key": body.keeps_key,
                "expires": expires,
            }
            Handover.objects.update_or_create(key=key, defaults=values)
        return reply(shapes.MadeHandover(code, format_required_time(expires)), 201)


class RedeemEndpoint(Endpoint):
    """Redemption of codes."""

    # The reply holds a secret: another client at the same address must not guess the key.
    min_idempotency_key_length = 16

    @operation("redeem_code", body=shapes.Redemption, reply=shapes.MadeKey, status=201)
    @refused_with("bad-name", "too-many-keys", "unknown-code")
    def post(self, request: Request) -> Response:
        """Redeem a one-time code for a key of the account that created it. It is the code of a
        handover, or a recovery code. One that is wrong, used or expired is refused in the same
        way."""
        body = self.parse_body(request, shapes.Redemption)
        name = validate_name(body.name, MAX_NAME_CHARACTERS, "/name")
        with transaction.atomic():
            recovered = redeem_recovery_code(body.code, name)
            key, secret = recovered or _redeem(_code_digests(body.code), name)
            transaction.on_commit(key_cache.clear)
        return reply(shapes.MadeKey(secret, key_view(key)), 201)


def _redeem(digests: list[str], name: str) -> tuple[Key, str]:
    """Use the code up; return the new key with its secret."""
    valid = Handover.objects.filter(digest__in=digests, expires__gt=timezone.now())
    handover = valid.select_related("key").first()
    if handover is None:
        raise Refusal(*UNKNOWN_CODE)
    with account_lock(handover.key.account_id) as account:
        # of two requests that redeem it, the second finds none to delete
        if not valid.filter(pk=handover.pk).delete()[0]:
            raise Refusal(*UNKNOWN_CODE)
        old_key = Key.objects.get(pk=handover.key_id)
        if not handover.keeps_key:
            return _replace(old_key, name)
        delete_expired_keys(account)
        check_quota(Key.objects.filter(account=account), MAX_KEYS_PER_ACCOUNT, *TOO_MANY_KEYS)
        return create_key(account, name, old_key.scopes.split(), old_key.expires, old_key)


def _replace(old_key: Key, name: str) -> tuple[Key, str]:
    """Put a new key of that name in the place of the old one, which ends."""
    key, secret = rotate_key(old_key, timedelta(0))
    key.name = name
    key.save(update_fields=["name"])
    return key, secret


def _code_digests(code: str) -> list[str]:
    """The digests of a code as it was typed, one under each sealing key: codes are short, and so a
    digest that is made without a key would tell them to a reader of the database."""
    message = DIGEST_CONTEXT + as_typed(code)
    return [hmac.new(key, message, sha256).hexdigest() for key in settings.SEALING_KEYS]

"""Endpoints for accounts: guests, the caller's own account, and its API keys."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime, timedelta
from typing import Final

from django.db import transaction
from django.http import Http404
from rest_framework.request import Request
from rest_framework.response import Response

from api.authentication import authenticated_caller, authorized_caller, check_scope
from api.base_endpoint import Endpoint
from api.errors import Refusal
from api.keys import (
    ALL_SCOPES,
    MANAGE_KEYS_SCOPE,
    Caller,
    create_key,
    delete_expired_keys,
    key_cache,
    rotate_key,
)
from api.limits.quotas import account_lock, check_quota
from api.models import Key
from api.ratings import ratings_of
from api.reserved_names import is_reserved
from api.schema import operation, refused_with
from api.shape_responses import format_optional_time, format_required_time, reply
from api.shapes import accounts as shapes
from api.time_and_name_fields import invalid_member_refusal, parse_time, validate_name
from games import selectors, services
from games.selectors import Account

MAX_NAME_CHARACTERS: Final = 60  # graphemes
MAX_KEYS_PER_ACCOUNT: Final = 50
TOO_MANY_KEYS: Final = ("too-many-keys", f"An account has at most {MAX_KEYS_PER_ACCOUNT} keys.")


def validate_account_name(name: str) -> str:
    """The name of an account, sent by a client; refused if readers would misunderstand it."""
    name = validate_name(name, MAX_NAME_CHARACTERS, "/name")
    if is_reserved(name):
        detail = "is kept for bots and the staff of the server, as are names that look like it"
        raise invalid_member_refusal("/name", "reserved", detail, "bad-name")
    return name


class GuestsEndpoint(Endpoint):
    """Guest accounts."""

    # The reply holds a secret: another client at the same address must not guess the key.
    min_idempotency_key_length = 16

    @operation("create_guest", body=shapes.GuestRequest, reply=shapes.Guest, status=201)
    @refused_with("bad-name")
    def post(self, request: Request) -> Response:
        """Create a guest account with a key that works at once."""
        body = self.parse_body(request, shapes.GuestRequest)
        name = validate_account_name(body.name)
        with transaction.atomic():
            account = services.create_account(name)
            key, secret = create_key(account, "guest", ALL_SCOPES, None)
        return reply(shapes.Guest(_me_shape(account), secret, key_view(key)), 201)


class MeEndpoint(Endpoint):
    """The caller's account."""

    @operation("me", reply=shapes.Me, scope="games:read")
    def get(self, request: Request) -> Response:
        """Get the account that the key belongs to."""
        caller = authorized_caller(request, "games:read")
        return reply(_me_shape(selectors.account(caller.account)))

    @operation("rename_me", body=shapes.Rename, reply=shapes.Me, scope="games:play")
    @refused_with("bad-name")
    def patch(self, request: Request) -> Response:
        """Rename the account."""
        caller = authorized_caller(request, "games:play")
        body = self.parse_body(request, shapes.Rename)
        name = validate_account_name(body.name)
        return reply(_me_shape(services.rename_account(caller.account, name)))


class DeleteMeEndpoint(Endpoint):
    """The deletion of the caller's account."""

    keeps_replies = False  # the stored reply would be deleted as well

    @operation("delete_me", body=shapes.Deletion, status=204, scope=MANAGE_KEYS_SCOPE)
    @refused_with("busy", "wrong-account")
    def post(self, request: Request) -> Response:
        """Delete the account for ever. Games that it created and that have not started are called
        off, its other seats are left or resigned; its name, keys and webhooks are deleted, and the
        logs of its games stay. The calling key must be able to revoke all keys of the account."""
        caller = authorized_caller(request, MANAGE_KEYS_SCOPE)
        body = self.parse_body(request, shapes.Deletion)
        if body.account != caller.account:
            raise invalid_member_refusal(
                "/account", "mismatch", "must be the id of your account", "wrong-account"
            )
        with account_lock(caller.account):
            calling_key = load_current_key(caller)
            for key in Key.objects.filter(account=caller.account):
                check_manageable(calling_key, key)
            services.delete_account(caller.account)
            transaction.on_commit(key_cache.clear)
        return Response(status=204)


class KeysEndpoint(Endpoint):
    """The keys of an account."""

    @operation("list_keys", reply=shapes.KeyList, scope=MANAGE_KEYS_SCOPE)
    def get(self, request: Request) -> Response:
        """List the keys of the account, without their secrets."""
        account = authorized_caller(request, MANAGE_KEYS_SCOPE).account
        keys = Key.objects.filter(account=account).order_by("id")
        return reply(shapes.KeyList(tuple(map(key_view, keys)), None))

    @operation(
        "create_key", body=shapes.NewKey, reply=shapes.MadeKey, status=201, scope=MANAGE_KEYS_SCOPE
    )
    @refused_with("bad-name", "too-many-keys")
    def post(self, request: Request) -> Response:
        """Create a key. It has at most the scopes and the lifetime of the calling key, and is
        deleted together with it."""
        caller = authorized_caller(request, MANAGE_KEYS_SCOPE)
        body = self.parse_body(request, shapes.NewKey)
        requested_expiry = parse_time(body.expires, "/expires")
        name = validate_name(body.name, MAX_NAME_CHARACTERS, "/name")
        with account_lock(caller.account) as account:
            delete_expired_keys(account)
            parent = load_current_key(caller)
            check_quota(Key.objects.filter(account=account), MAX_KEYS_PER_ACCOUNT, *TOO_MANY_KEYS)
            _check_scopes(parent, body.scopes)
            expires = _child_expiry(parent, requested_expiry)
            key, secret = create_key(account, name, body.scopes, expires, parent)
        return reply(shapes.MadeKey(secret, key_view(key)), 201)


class KeyEndpoint(Endpoint):
    """A key of the caller's account."""

    @operation("delete_key", status=204, scope=MANAGE_KEYS_SCOPE)
    def delete(self, request: Request, key: str) -> Response:
        """Revoke a key and all keys created with it. A key needs no scope to revoke itself."""
        caller = authenticated_caller(request)
        if key != caller.key:
            check_scope(caller, MANAGE_KEYS_SCOPE)
        with account_lock(caller.account):
            _find_manageable_key(caller, key).delete()
        key_cache.clear()
        return Response(status=204)


class RotateKeyEndpoint(Endpoint):
    """Key rotation."""

    @operation(
        "rotate_key",
        body=shapes.Rotation,
        reply=shapes.MadeKey,
        status=201,
        scope=MANAGE_KEYS_SCOPE,
    )
    @refused_with("key-rotated", "too-many-keys")
    def post(self, request: Request, key: str) -> Response:
        """Replace a key by a new one. The old key stays valid for `overlap_ms`, though not beyond
        its own expiry, so that no client is locked out. The new key takes over the keys created
        with the old one; a key that the old one had replaced is revoked."""
        caller = authorized_caller(request, MANAGE_KEYS_SCOPE)
        body = self.parse_body(request, shapes.Rotation)
        with account_lock(caller.account):
            old_key = _find_manageable_key(caller, key)
            if old_key.successor_id is not None:
                raise Refusal("key-rotated", f"It was replaced by {old_key.successor_id}.")
            new_key, secret = rotate_key(old_key, timedelta(milliseconds=body.overlap_ms))
            transaction.on_commit(key_cache.clear)
        return reply(shapes.MadeKey(secret, key_view(new_key)), 201)


def load_current_key(caller: Caller) -> Key:
    """The calling key as it is now: another request may just have revoked it."""
    key = Key.objects.filter(pk=caller.key).first()
    if key is None:
        raise Refusal("unauthorized", "The key has been revoked.")
    return key


def _check_scopes(parent: Key, scopes: Iterable[str]) -> None:
    if not set(parent.scopes.split()).issuperset(scopes):
        raise Refusal("insufficient-scope", "A key cannot create a key with scopes that it lacks.")


def _child_expiry(parent: Key, requested_expiry: datetime | None) -> datetime | None:
    """The expiry of a child key: as requested, but never after its parent's."""
    if parent.expires is None or requested_expiry is None:
        return requested_expiry or parent.expires
    if requested_expiry > parent.expires:
        detail = "must not be after the expiry of the calling key"
        raise invalid_member_refusal("/expires", "too-late", detail)
    return requested_expiry


def _find_manageable_key(caller: Caller, key: str) -> Key:
    """A key of the caller's account that the calling key may manage: it has no further scopes,
    lives no longer, and is not an ancestor of the calling key."""
    calling_key, target = (
        load_current_key(caller),
        Key.objects.filter(pk=key, account=caller.account).first(),
    )
    if target is None:
        raise Http404(f"You have no key {key}.")
    check_manageable(calling_key, target)
    return target


def check_manageable(calling_key: Key, target: Key) -> None:
    """Refuse a calling key that has fewer rights than the other."""
    if not _can_manage(calling_key, target):
        raise Refusal(
            "insufficient-scope",
            "The calling key cannot manage a key with more rights than its own.",
        )


def _can_manage(calling_key: Key, target: Key) -> bool:
    if target == calling_key:
        return True
    is_expiry_within = calling_key.expires is None or (
        target.expires is not None and target.expires <= calling_key.expires
    )
    return (
        is_expiry_within
        and set(calling_key.scopes.split()).issuperset(target.scopes.split())
        and target.pk not in _ancestor_ids(calling_key)
    )


def _ancestor_ids(key: Key) -> set[str]:
    """The ids of the keys that a key descends from."""
    ancestor_ids: set[str] = set()
    while key.parent is not None:
        key = key.parent
        ancestor_ids.add(key.pk)
    return ancestor_ids


def _me_shape(account: Account) -> shapes.Me:
    ratings = ratings_of(account.pk)
    return shapes.Me(account.pk, account.name, format_required_time(account.created), ratings)


def key_view(key: Key) -> shapes.KeyView:
    scopes = tuple(key.scopes.split())
    created = format_required_time(key.created)
    return shapes.KeyView(
        key.pk,
        key.name,
        scopes,
        created,
        format_optional_time(key.expires),
        format_optional_time(key.last_used),
    )

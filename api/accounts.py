"""Who am I to this server? Guests, accounts and their keys."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime, timedelta
from typing import Final

from django.db import transaction
from django.http import Http404
from rest_framework.request import Request
from rest_framework.response import Response

from api.access import authenticated, caller_of, check_scope
from api.documents import invalid, known_time, read_time, reply, short, time
from api.endpoint import Endpoint
from api.errors import Refusal
from api.keys import MANAGE, SCOPES, Caller, key_create, key_rotate, keyring, keys_forget
from api.limits.quotas import check_room, holding
from api.models import Key
from api.ratings import ratings_of
from api.schema import operation
from api.shapes import accounts as shapes
from games.models import Account

NAME: Final = 60  # characters
MOST_KEYS: Final = 50
FULL: Final = ("too-many-keys", f"An account has at most {MOST_KEYS} keys.")


class Guests(Endpoint):
    """A way in for everybody."""

    shortest_key = 16  # the reply has a secret: whoever shares the address must not guess it

    @operation("create_guest", body=shapes.NewGuest, reply=shapes.Guest, status=201)
    def post(self, request: Request) -> Response:
        """An account and a key that works at once."""
        asked = self.body(request, shapes.NewGuest)
        name = short(asked.name, NAME, "/name")
        with transaction.atomic():
            account = Account.objects.create(name=name)
            key, secret = key_create(account, "guest", SCOPES, None)
        return reply(shapes.Guest(_me(account), secret, _key(key)), 201)


class MeView(Endpoint):
    """The account of whoever asks."""

    @operation("me", reply=shapes.Me, scope="games:read")
    def get(self, request: Request) -> Response:
        """The account that the key belongs to."""
        return reply(_me(_account(caller_of(request, "games:read"))))

    @operation("rename_me", body=shapes.Rename, reply=shapes.Me, scope="games:play")
    def patch(self, request: Request) -> Response:
        """Another name for the account."""
        account = _account(caller_of(request, "games:play"))
        account.name = short(self.body(request, shapes.Rename).name, NAME, "/name")
        account.save(update_fields=["name"])
        return reply(_me(account))


class Keys(Endpoint):
    """The keys of an account."""

    @operation("list_keys", reply=shapes.KeyList, scope=MANAGE)
    def get(self, request: Request) -> Response:
        """All keys, without what opens."""
        account = caller_of(request, MANAGE).account
        keys = Key.objects.filter(account=account).order_by("id")
        return reply(shapes.KeyList(tuple(map(_key, keys)), None))

    @operation("create_key", body=shapes.NewKey, reply=shapes.MadeKey, status=201, scope=MANAGE)
    def post(self, request: Request) -> Response:
        """One more key, which may do no more and lives no longer than the one that asks, and goes
        with it."""
        caller = caller_of(request, MANAGE)
        asked = self.body(request, shapes.NewKey)
        wanted = read_time(asked.expires, "/expires")
        name = short(asked.name, NAME, "/name")
        with holding(caller.account) as account:
            keys_forget(account)
            parent = _asking(caller)
            check_room(Key.objects.filter(account=account), MOST_KEYS, *FULL)
            _check_scopes(parent, asked.scopes)
            expires = _expiry(parent, wanted)
            key, secret = key_create(account, name, asked.scopes, expires, parent)
        return reply(shapes.MadeKey(secret, _key(key)), 201)


class OneKey(Endpoint):
    """A key of the caller's account."""

    @operation("delete_key", status=204, scope=MANAGE)
    def delete(self, request: Request, key: str) -> Response:
        """Let a key, and all that it has made, open no more. Any key may do that to itself."""
        caller = authenticated(request)
        if key != caller.key:
            check_scope(caller, MANAGE)
        with holding(caller.account):
            _own(caller, key).delete()
        keyring.forget()
        return Response(status=204)


class RotateKey(Endpoint):
    """A new key in the place of an old one."""

    @operation("rotate_key", body=shapes.Rotation, reply=shapes.MadeKey, status=201, scope=MANAGE)
    def post(self, request: Request, key: str) -> Response:
        """A new key; the old one is good for a while yet, so that no client is locked out."""
        caller = caller_of(request, MANAGE)
        asked = self.body(request, shapes.Rotation)
        with holding(caller.account):
            old = _own(caller, key)
            if old.successor_id is not None:
                raise Refusal("key-rotated", f"{old.successor_id} has replaced it.")
            fresh, secret = key_rotate(old, timedelta(milliseconds=asked.overlap_ms))
            transaction.on_commit(keyring.forget)
        return reply(shapes.MadeKey(secret, _key(fresh)), 201)


def _asking(caller: Caller) -> Key:
    """The key that asks, as it is now: another request may just have revoked it."""
    key = Key.objects.filter(pk=caller.key).first()
    if key is None:
        raise Refusal("unauthorized", "The key has been revoked.")
    return key


def _check_scopes(parent: Key, scopes: Iterable[str]) -> None:
    if not set(parent.scopes.split()).issuperset(scopes):
        raise Refusal("insufficient-scope", "A key makes no key that may do more than itself.")


def _expiry(parent: Key, wanted: datetime | None) -> datetime | None:
    """When the child of a key expires: as is wanted, but never after the key itself."""
    if parent.expires is None or wanted is None:
        return wanted or parent.expires
    if wanted > parent.expires:
        detail = "must not be after the expiry of the key that asks"
        raise invalid("/expires", "too-late", detail)
    return wanted


def _account(caller: Caller) -> Account:
    return Account.objects.get(pk=caller.account)


def _own(caller: Caller, key: str) -> Key:
    """A key of the caller's account that may do no more and lives no longer than the one that
    asks, and did not make it."""
    asking, found = _asking(caller), Key.objects.filter(pk=key, account=caller.account).first()
    if found is None:
        raise Http404(f"You have no key {key}.")
    if not _may_rule(asking, found):
        raise Refusal("insufficient-scope", "That key may do more than the one that asks.")
    return found


def _may_rule(asking: Key, found: Key) -> bool:
    if found == asking:
        return True
    lasts = asking.expires is None or (
        found.expires is not None and found.expires <= asking.expires
    )
    return (
        lasts
        and set(asking.scopes.split()).issuperset(found.scopes.split())
        and found.pk not in _ancestors(asking)
    )


def _ancestors(key: Key) -> set[str]:
    """The keys without which a key would not be."""
    found: set[str] = set()
    while key.parent is not None:
        key = key.parent
        found.add(key.pk)
    return found


def _me(account: Account) -> shapes.Me:
    ratings = ratings_of(account.pk)
    return shapes.Me(account.pk, account.name, known_time(account.created), ratings)


def _key(key: Key) -> shapes.KeyView:
    scopes = tuple(key.scopes.split())
    created = known_time(key.created)
    return shapes.KeyView(key.pk, key.name, scopes, created, time(key.expires), time(key.last_used))

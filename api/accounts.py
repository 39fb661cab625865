"""Who am I to this server? Guests, accounts and their keys."""

from __future__ import annotations

from datetime import timedelta
from typing import Final

from django.http import Http404
from rest_framework.request import Request
from rest_framework.response import Response

from api.access import caller_of
from api.documents import known_time, read_time, reply, short, time
from api.endpoint import Endpoint
from api.errors import Refusal
from api.keys import SCOPES, Caller, key_create, key_rotate, keyring
from api.models import Key
from api.ratings import ratings_of
from api.schema import operation
from api.shapes import accounts as shapes
from games.models import Account

NAME: Final = 60  # characters
MOST_KEYS: Final = 50


class Guests(Endpoint):
    """A way in for everybody."""

    @operation("create_guest", body=shapes.NewGuest, reply=shapes.Guest, status=201)
    def post(self, request: Request) -> Response:
        """An account and a key that works at once."""
        asked = self.body(request, shapes.NewGuest)
        account = Account.objects.create(name=short(asked.name, NAME, "/name"))
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

    @operation("list_keys", reply=shapes.KeyList, scope="games:read")
    def get(self, request: Request) -> Response:
        """All keys, without what opens."""
        account = caller_of(request, "games:read").account
        keys = Key.objects.filter(account=account).order_by("id")
        return reply(shapes.KeyList(tuple(map(_key, keys)), None))

    @operation(
        "create_key", body=shapes.NewKey, reply=shapes.MadeKey, status=201, scope="games:read"
    )
    def post(self, request: Request) -> Response:
        """One more key, with no more rights than the one that asks."""
        caller = caller_of(request, "games:read")
        asked = self.body(request, shapes.NewKey)
        if not caller.scopes.issuperset(asked.scopes):
            raise Refusal("insufficient-scope", "A key makes no key that may do more than itself.")
        if Key.objects.filter(account=caller.account).count() >= MOST_KEYS:
            raise Refusal("too-many-keys", f"An account has at most {MOST_KEYS} keys.")
        expires = read_time(asked.expires, "/expires")
        name = short(asked.name, NAME, "/name")
        key, secret = key_create(_account(caller), name, tuple(asked.scopes), expires)
        return reply(shapes.MadeKey(secret, _key(key)), 201)


class OneKey(Endpoint):
    """A key of the caller's account."""

    @operation("delete_key", status=204, scope="games:read")
    def delete(self, request: Request, key: str) -> Response:
        """Let a key open no more."""
        _own(caller_of(request, "games:read"), key).delete()
        keyring.forget()
        return Response(status=204)


class RotateKey(Endpoint):
    """A new key in the place of an old one."""

    @operation(
        "rotate_key", body=shapes.Rotation, reply=shapes.MadeKey, status=201, scope="games:read"
    )
    def post(self, request: Request, key: str) -> Response:
        """A new key; the old one is good for a while yet, so that nobody is locked out."""
        old = _own(caller_of(request, "games:read"), key)
        asked = self.body(request, shapes.Rotation)
        fresh, secret = key_rotate(old, timedelta(milliseconds=asked.overlap_ms))
        keyring.forget()
        return reply(shapes.MadeKey(secret, _key(fresh)), 201)


def _account(caller: Caller) -> Account:
    return Account.objects.get(pk=caller.account)


def _own(caller: Caller, key: str) -> Key:
    found = Key.objects.filter(pk=key, account=caller.account).first()
    if found is None:
        raise Http404(f"You have no key {key}.")
    if not caller.scopes.issuperset(found.scopes.split()):
        raise Refusal("insufficient-scope", "That key may do more than the one that asks.")
    return found


def _me(account: Account) -> shapes.Me:
    ratings = ratings_of(account.pk)
    return shapes.Me(account.pk, account.name, known_time(account.created), ratings)


def _key(key: Key) -> shapes.KeyView:
    scopes = tuple(key.scopes.split())
    created = known_time(key.created)
    return shapes.KeyView(key.pk, key.name, scopes, created, time(key.expires), time(key.last_used))

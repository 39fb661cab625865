"""API keys: creation, lookup, rotation and expiry. Secrets are shown once, and stored as hashes."""

from __future__ import annotations

import secrets
from collections.abc import Iterable
from datetime import datetime, timedelta
from hashlib import sha256
from threading import Lock
from time import monotonic
from typing import Final, NamedTuple

from django.utils import timezone

from api.models import Handover, Key
from games.selectors import Account

KEY_PREFIX: Final = "tab"
MANAGE_KEYS_SCOPE: Final = "keys:manage"
ALL_SCOPES: Final = (
    "games:read",
    "games:play",
    "games:create",
    "webhooks:manage",
    MANAGE_KEYS_SCOPE,
)
# Seconds for which a process trusts a key without reading it again. A revoked key stops
# working within five seconds, also in streams, which check it again at intervals.
KEY_CACHE_SECONDS: Final = 2.0
MAX_CACHED_KEYS: Final = 10_000
LAST_USE_WRITE_INTERVAL: Final = timedelta(minutes=1)  # between two updates of `last_used`


class Caller(NamedTuple):
    """The caller: its account and key, with the scopes and the expiry of the key."""

    account: str
    key: str
    scopes: frozenset[str]
    expires: datetime | None

    @property
    def is_authenticated(self) -> bool:
        """The flag by which DRF recognizes an authenticated user."""
        return True


class ExpiredKey(Exception):
    """The key of this account has expired."""

    def __init__(self, account: str) -> None:
        super().__init__("This key has expired.")
        self.account = account


def create_key(
    account: Account,
    name: str,
    scopes: Iterable[str],
    expires: datetime | None,
    parent: Key | None = None,
) -> tuple[Key, str]:
    """Create a key; return it with its secret, which is available only now."""
    secret = f"{KEY_PREFIX}_{secrets.token_hex(8)}_{secrets.token_hex(32)}"
    scope_list = " ".join(dict.fromkeys(scopes))
    key = Key.objects.create(
        account=account,
        name=name,
        digest=_key_digest(secret),
        scopes=scope_list,
        expires=expires,
        parent=parent,
    )
    return key, secret


def rotate_key(key: Key, overlap: timedelta) -> tuple[Key, str]:
    """Replace a key: the old one stays valid for the overlap only. A predecessor of the old key is
    deleted, as is its one-time code, and the children of the old key move to the new one."""
    expires, overlap_end = key.expires, timezone.now() + overlap
    Key.objects.filter(successor=key).delete()
    Handover.objects.filter(key=key).delete()
    successor, secret = create_key(key.account, key.name, key.scopes.split(), expires, key.parent)
    key.children.update(parent=successor)
    if overlap:
        key.successor, key.expires = (
            successor,
            overlap_end if expires is None else min(expires, overlap_end),
        )
        key.save(update_fields=["successor", "expires"])
    else:
        key.delete()
    return successor, secret


def delete_expired_keys(account: Account) -> None:
    """Delete an account's expired keys, so that they do not count towards its quota."""
    Key.objects.filter(account=account, expires__lte=timezone.now()).delete()


class KeyCache:
    """The recently used keys. They are reloaded after seconds, as another process may have revoked
    one."""

    def __init__(self) -> None:
        self._callers: dict[str, tuple[float, Caller]] = {}
        self._lock = Lock()
        self._generation = 0  # counts clears: a lookup begun before one is not cached after it

    def find_caller(self, secret: str) -> Caller | None:
        """The caller with this key; None if there is no such key (any more). Raises ExpiredKey."""
        digest, now = _key_digest(secret), monotonic()
        cached = self._callers.get(digest)
        if cached is not None and now - cached[0] < KEY_CACHE_SECONDS:
            caller: Caller | None = cached[1]
        else:
            caller = self._load(digest, now)
        if caller is not None and caller.expires is not None and caller.expires <= timezone.now():
            raise ExpiredKey(caller.account)
        return caller

    def _load(self, digest: str, now: float) -> Caller | None:
        """Read a key from the database, and cache it."""
        generation = self._generation
        caller = _load_caller(digest)
        with self._lock:
            if len(self._callers) >= MAX_CACHED_KEYS:
                self._callers.clear()
            if caller is None:
                self._callers.pop(digest, None)
            elif generation == self._generation:
                self._callers[digest] = (now, caller)
        return caller

    def clear(self) -> None:
        """Forget all keys, including those being looked up now."""
        with self._lock:
            self._generation += 1
            self._callers.clear()


key_cache = KeyCache()


def _load_caller(digest: str) -> Caller | None:
    key = Key.objects.filter(digest=digest).first()
    if key is None:
        return None
    now = timezone.now()
    if key.last_used is None or now - key.last_used > LAST_USE_WRITE_INTERVAL:
        Key.objects.filter(pk=key.pk).update(last_used=now)
    return Caller(key.account_id, key.pk, frozenset(key.scopes.split()), key.expires)


def _key_digest(secret: str) -> str:
    """The SHA-256 of a key: with 256 random bits, a slow hash would be no safer."""
    return sha256(secret.encode()).hexdigest()
